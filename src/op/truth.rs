//! Truth values on the device.

use std::fmt;

use bytemuck::{Pod, Zeroable};

use crate::memory::fixed::FixedSize;
use crate::state::Sealed;

/// A truth value in device memory, one byte (`ACL_BOOL`): the element type of masks, and of what comparisons give.
///
/// A device can write any byte, and Rust's `bool` has two only. Zero is false here and each other byte is true, as in
/// CANN.
///
/// ```
/// use ascendcl::op::Bool;
///
/// let mask = [Bool::TRUE, false.into()];
/// assert_eq!(mask.map(bool::from), [true, false]);
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// True, as the byte 1.
    pub const TRUE: Bool = Bool(1);
    /// False, as the byte 0.
    pub const FALSE: Bool = Bool(0);

    /// Whether the value is true.
    ///
    /// ```
    /// use ascendcl::op::Bool;
    ///
    /// assert!(Bool::TRUE.get());
    /// assert!(!Bool::from(false).get());
    /// ```
    #[must_use]
    #[inline]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

// SAFETY: one byte of which all are zero is `FALSE`.
unsafe impl Zeroable for Bool {}
// SAFETY: a `u8` and nothing else (`repr(transparent)`), which is `Pod`; each byte is a value.
unsafe impl Pod for Bool {}

impl Sealed for Bool {}
#[diagnostic::do_not_recommend]
impl FixedSize for Bool {
    type Size = typenum::U1;
}

impl From<bool> for Bool {
    #[inline]
    fn from(value: bool) -> Bool {
        Bool(u8::from(value))
    }
}

impl From<Bool> for bool {
    #[inline]
    fn from(value: Bool) -> bool {
        value.get()
    }
}

impl PartialEq for Bool {
    fn eq(&self, other: &Bool) -> bool {
        self.get() == other.get()
    }
}
impl Eq for Bool {}

impl PartialEq<bool> for Bool {
    fn eq(&self, other: &bool) -> bool {
        self.get() == *other
    }
}

impl fmt::Debug for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::Bool;

    #[test]
    fn each_byte_is_a_truth_value() {
        for byte in 0..=u8::MAX {
            let value: Bool = bytemuck::cast(byte);
            assert_eq!(value, byte != 0, "{byte}");
            assert_eq!(value, Bool::from(bool::from(value)), "{byte}");
        }
        assert_eq!(format!("{:?}", [Bool::TRUE, Bool::FALSE]), "[true, false]");
    }
}
