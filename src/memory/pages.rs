//! Memory of Rust that begins at a page.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::slice;

use crate::error::{Result, Usage};
use crate::memory::alloc;
use crate::memory::plain::Plain;

/// The bytes of a page: memory that is registered begins at a multiple (manual, chapter 11-02).
pub(crate) const PAGE: usize = 4096;

/// Memory of Rust that begins at a multiple of 4096 bytes, as memory does that a scope registers
/// ([`Scope::lend_pinned`](crate::scope::Scope::lend_pinned), [`Scope::lend_mapped`](crate::scope::Scope::lend_mapped)).
///
/// ```
/// use ascendcl::memory::Pages;
///
/// # fn main() -> ascendcl::Result<()> {
/// let mut numbers = Pages::<f32>::zeroed(3)?;
/// numbers.copy_from_slice(&[1.0, 2.0, 3.0]);
/// assert_eq!(numbers.as_ptr().addr() % 4096, 0);
/// # Ok(()) }
/// ```
///
/// # Invariants
///
/// `pages` has room for `len` elements, and all of its bytes are written.
pub struct Pages<T> {
    pages: Box<[Page]>,
    len: usize,
    _elements: PhantomData<T>,
}

/// The bytes of a page, at the address of one.
#[derive(Clone)]
#[repr(C, align(4096))]
struct Page([u8; PAGE]);

impl<T: Plain> Pages<T> {
    /// Allocates memory for `len` elements and zeroes it.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// let numbers = ascendcl::memory::Pages::<u32>::zeroed(8)?;
    /// assert_eq!(numbers[..], [0; 8]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`](crate::error::Usage::ZeroSize), [`Usage::SizeOverflow`](crate::error::Usage::SizeOverflow), and
    /// [`Usage::Alignment`](crate::error::Usage::Alignment) for elements aligned to more than 4096 bytes.
    pub fn zeroed(len: usize) -> Result<Pages<T>> {
        let bytes = alloc::size::<T>(len, PAGE)?;
        let rounded = bytes.checked_next_multiple_of(PAGE);
        let rounded = rounded.filter(|&rounded| alloc::size::<u8>(rounded, PAGE).is_ok());
        let size = size_of::<T>();
        let pages = rounded.ok_or(Usage::SizeOverflow { len, size })? / PAGE;
        // INVARIANT: the pages have at least the bytes of the elements.
        Ok(Pages {
            pages: vec![Page([0; PAGE]); pages].into(),
            len,
            _elements: PhantomData,
        })
    }
}

impl<T: Plain> Deref for Pages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: room for `len` elements (invariant), at the alignment of a page, which `size` has compared with that of `T`.
        // All bytes are written, and each is a part of a `Plain` value.
        unsafe { slice::from_raw_parts(self.pages.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and the pages are borrowed exclusively. A value of `Plain` leaves no byte unwritten.
        unsafe { slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), self.len) }
    }
}

impl<T: Plain> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pages({:p}, {})", self.as_ptr(), self.len)
    }
}
