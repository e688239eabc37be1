//! Parts of buffers as operands: by value, and by a borrow, so that a part serves several calls.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

use crate::device::AnyDevice;
use crate::memory::elements::Elements;
use crate::memory::operand::{Allocated, Destination, Source};
use crate::memory::place::{Place, Touchable};
use crate::memory::slice::{Slice, SliceMut};
use crate::state::Sealed;
use crate::stream::AnyStream;

impl<M: Place, E: Elements + ?Sized, Q> Sealed for Slice<'_, M, E, Q> {}
impl<M: Place, E: Elements + ?Sized, Q> Sealed for &Slice<'_, M, E, Q> {}
impl<M: Place, E: Elements + ?Sized, Q> Sealed for SliceMut<'_, M, E, Q> {}
impl<M: Place, E: Elements + ?Sized, Q> Sealed for &SliceMut<'_, M, E, Q> {}
impl<M: Place, E: Elements + ?Sized, Q> Sealed for &mut SliceMut<'_, M, E, Q> {}

/// Lists what is read: at which site, and how it is given.
macro_rules! sources {
    ($([$($generics:tt)*] $Site:ty, $Given:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Place, E: Elements + ?Sized, $($generics)*> Source<$Site> for $Given {
            type Place = M;
            type Elements = E;
            const WAITS: bool = false;

            #[inline(always)]
            fn source(&self) -> NonNull<E> {
                self.ptr
            }
        }
    )* };
}

sources! {
    [D: AnyDevice] D, Slice<'_, M, E>;
    [D: AnyDevice] D, &Slice<'_, M, E>;
    [D: AnyDevice] D, &SliceMut<'_, M, E>;
    [D: AnyDevice, S: AnyStream] (D, S), Slice<'_, M, E, (D, S)>;
    [D: AnyDevice, S: AnyStream] (D, S), &Slice<'_, M, E, (D, S)>;
    [D: AnyDevice, S: AnyStream] (D, S), &SliceMut<'_, M, E, (D, S)>;
}

/// Lists what is written: at which site, and how it is given.
macro_rules! destinations {
    ($([$($generics:tt)*] $Site:ty, $Given:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Place, E: Elements + ?Sized, $($generics)*> Destination<$Site> for $Given {
            type Place = M;
            type Elements = E;
            type Origin = Allocated;
            type Written = ();
            const WAITS: bool = false;

            #[inline(always)]
            fn destination(&self) -> NonNull<E> {
                self.ptr
            }

            #[inline(always)]
            unsafe fn written(self) {}
        }
    )* };
}

destinations! {
    [D: AnyDevice] D, SliceMut<'_, M, E>;
    [D: AnyDevice] D, &mut SliceMut<'_, M, E>;
    [D: AnyDevice, S: AnyStream] (D, S), SliceMut<'_, M, E, (D, S)>;
    [D: AnyDevice, S: AnyStream] (D, S), &mut SliceMut<'_, M, E, (D, S)>;
}

// Hidden as those of `Buf`: rustdoc would list the methods of slices for all kinds of memory.
#[doc(hidden)]
impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> Deref for Slice<'_, M, E> {
    type Target = [E::Element];

    #[inline]
    fn deref(&self) -> &[E::Element] {
        // SAFETY: a part of initialised and idle memory that is borrowed (invariant), in a domain that the program can access.
        unsafe { slice::from_raw_parts(self.ptr.cast().as_ptr(), E::count(self.ptr)) }
    }
}

#[doc(hidden)]
impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> Deref for SliceMut<'_, M, E> {
    type Target = [E::Element];

    #[inline]
    fn deref(&self) -> &[E::Element] {
        // SAFETY: as for `Slice`.
        unsafe { slice::from_raw_parts(self.ptr.cast().as_ptr(), E::count(self.ptr)) }
    }
}

#[doc(hidden)]
impl<M: Touchable, E: Elements<Element: bytemuck::Pod> + ?Sized> DerefMut for SliceMut<'_, M, E> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [E::Element] {
        // SAFETY: as for `Slice`, and the borrow is exclusive (invariant).
        unsafe { slice::from_raw_parts_mut(self.ptr.cast().as_ptr(), E::count(self.ptr)) }
    }
}
