//! Memory of the host that C uses until a task is over.

use std::fmt;
use std::ptr::NonNull;

/// A value on the heap whose address C has. It is no `Box`, because a `Box` promises that nothing else writes the value.
///
/// # Invariants
///
/// - The pointer comes from a leaked [`Box`], which nothing else frees.
pub(super) struct Lasting<T>(NonNull<T>);

impl<T> Lasting<T> {
    pub(super) fn new(value: T) -> Lasting<T> {
        Lasting(NonNull::from(Box::leak(Box::new(value))))
    }

    pub(super) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T> Lasting<Vec<T>> {
    /// Returns the address of the first element.
    pub(super) fn first(&self) -> *mut T {
        // SAFETY: a live list, which nothing else borrows: C has the addresses of the elements only.
        let list = unsafe { &mut *self.0.as_ptr() };
        list.as_mut_ptr()
    }
}

impl<T> Drop for Lasting<T> {
    fn drop(&mut self) {
        // SAFETY: a leaked box, which is freed once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T> fmt::Debug for Lasting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lasting({:p})", self.0)
    }
}
