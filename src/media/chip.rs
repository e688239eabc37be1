//! The chips, as the rules of pictures distinguish them.

use std::ffi::CStr;

use ascendcl_sys as sys;

/// A family of chips, by the rules of its media engine: strides, sizes and regions of pictures.
///
/// `aclrtGetSocName` gives the name of the chip. A name that is not known counts as a chip of the newest family that has
/// both interfaces, [`Chip::A3`].
///
/// ```
/// use ascendcl::media::Chip;
///
/// println!("{:?}", Chip::of_name("Ascend910B3")); // the name that `Acl::soc_name` returns
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Chip {
    /// Ascend 310.
    Ascend310,
    /// Ascend 910 of the first generation.
    Ascend910,
    /// Ascend 310P.
    Ascend310P,
    /// Ascend 310B.
    Ascend310B,
    /// Ascend 910B (Atlas A2).
    A2,
    /// Ascend 910_93 (Atlas A3).
    A3,
    /// Ascend 950.
    Ascend950,
}

impl Chip {
    /// Returns the family of a chip by its name (`aclrtGetSocName`), such as `Ascend910B1`.
    ///
    /// ```
    /// use ascendcl::media::Chip;
    ///
    /// assert_eq!(Chip::of_name("Ascend310P3"), Chip::of_name("Ascend310P1"));
    /// assert_ne!(Chip::of_name("Ascend310P3"), Chip::of_name("Ascend910B1"));
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Chip {
        let number = name.strip_prefix("Ascend").unwrap_or(name);
        let has_number = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
        if number.starts_with("310P") {
            Chip::Ascend310P
        } else if number.starts_with("310B") {
            Chip::Ascend310B
        } else if number.starts_with("310") {
            Chip::Ascend310
        } else if number.strip_prefix("910B").is_some_and(has_number) {
            Chip::A2
        } else if number.starts_with("910_") {
            Chip::A3
        } else if number.starts_with("950") {
            Chip::Ascend950
        } else if number.starts_with("910") {
            Chip::Ascend910
        } else {
            Chip::A3
        }
    }

    /// Returns the name of the family for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Chip::Ascend310 => "Ascend 310",
            Chip::Ascend910 => "Ascend 910",
            Chip::Ascend310P => "Ascend 310P",
            Chip::Ascend310B => "Ascend 310B",
            Chip::A2 => "Ascend 910B",
            Chip::A3 => "Ascend 910_93",
            Chip::Ascend950 => "Ascend 950",
        }
    }

    /// Asks the runtime for the name of the chip (`aclrtGetSocName`).
    pub(super) fn current() -> Chip {
        // SAFETY: takes nothing.
        let name = unsafe { sys::aclrtGetSocName() };
        if name.is_null() {
            // A backend without the function.
            let _ = sys::absent::take();
            return Chip::A3;
        }
        // SAFETY: a C string that lives as long as the runtime (`acl/acl_rt.h`).
        let name = unsafe { CStr::from_ptr(name) };
        Chip::of_name(&name.to_string_lossy())
    }

    /// Whether the rows of pictures begin at multiples of 16 pixels.
    pub(super) const fn aligns_rows(self) -> bool {
        matches!(self, Chip::Ascend310 | Chip::Ascend910 | Chip::Ascend310P)
    }

    /// Whether this is the first generation, whose pictures have an even number of rows in memory.
    pub(super) const fn is_first(self) -> bool {
        matches!(self, Chip::Ascend310 | Chip::Ascend910)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::Chip;

    #[test]
    fn names_of_chips_give_families() {
        for (name, chip) in [
            ("Ascend310", Chip::Ascend310),
            ("Ascend310P3", Chip::Ascend310P),
            ("Ascend310B1", Chip::Ascend310B),
            ("Ascend910A", Chip::Ascend910),
            ("Ascend910B", Chip::Ascend910),
            ("Ascend910ProB", Chip::Ascend910),
            ("Ascend910B1", Chip::A2),
            ("Ascend910_9391", Chip::A3),
            ("Ascend950PR_9599", Chip::Ascend950),
            ("Ascend1234", Chip::A3),
        ] {
            assert_eq!(Chip::of_name(name), chip, "{name}");
        }
    }
}
