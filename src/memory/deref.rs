//! Memory that the program can access is a slice of its elements.

use std::ops::{Deref, DerefMut};
use std::slice::{Iter, IterMut};

use crate::memory::place::Touchable;
use crate::memory::{Buf, Elements};
use crate::state::Init;

// Hidden, because rustdoc would list the methods of slices on the one page that all kinds of memory share. The aliases whose
// memory is a slice say so.
#[doc(hidden)]
impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> Deref for Buf<'_, M, E, Init> {
    type Target = [E::Element];

    #[inline]
    fn deref(&self) -> &[E::Element] {
        // SAFETY: initialised memory (invariant of `Buf`) whose size fits an `isize`, in a domain that the program
        // can access. No copy into it is running, because a blocking copy borrows the buffer until the copy is done.
        unsafe { core::slice::from_raw_parts(self.as_raw(), self.len()) }
    }
}

#[doc(hidden)]
impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> DerefMut for Buf<'_, M, E, Init> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [E::Element] {
        // SAFETY: the premises of `deref` hold here too, and the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.as_raw(), self.len()) }
    }
}

#[doc(hidden)]
impl<'a, M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> IntoIterator
    for &'a Buf<'_, M, E, Init>
{
    type Item = &'a E::Element;
    type IntoIter = Iter<'a, E::Element>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[doc(hidden)]
impl<'a, M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> IntoIterator
    for &'a mut Buf<'_, M, E, Init>
{
    type Item = &'a mut E::Element;
    type IntoIter = IterMut<'a, E::Element>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
