//! The products, as far as HCCL differs between them.

use std::ffi::CStr;

use ascendcl_sys as sys;

use crate::error::{CollectiveMismatch, Result};

/// A family of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Ascend 310P.
    Ascend310P,
    /// Ascend 910 of the first generation.
    Ascend910,
    /// Ascend 910B (Atlas A2) and 910_93 (Atlas A3).
    A2,
    /// Ascend 950.
    Ascend950,
    /// A product that this crate does not know: HCCL itself refuses what the product lacks.
    Other,
}

impl Product {
    /// Returns the family of a product by the name of its chip (`aclrtGetSocName`), such as `Ascend910B1`.
    fn of_name(name: &str) -> Product {
        let number = name.strip_prefix("Ascend").unwrap_or(name);
        let has_number = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
        if number.starts_with("310P") {
            Product::Ascend310P
        } else if number.strip_prefix("910B").is_some_and(has_number) || number.starts_with("910_")
        {
            Product::A2
        } else if number.starts_with("910") {
            Product::Ascend910
        } else if number.starts_with("950") {
            Product::Ascend950
        } else {
            Product::Other
        }
    }

    /// Asks the runtime for the name of the chip (`aclrtGetSocName`).
    pub(super) fn current() -> Product {
        // SAFETY: takes nothing.
        let name = unsafe { sys::aclrtGetSocName() };
        if name.is_null() {
            // A backend without the function.
            let _ = sys::absent::take();
            return Product::Other;
        }
        // SAFETY: a C string that lives as long as the runtime (`acl/acl_rt.h`).
        let name = unsafe { CStr::from_ptr(name) };
        Product::of_name(&name.to_string_lossy())
    }

    /// Returns the name of the family for messages.
    fn name(self) -> &'static str {
        match self {
            Product::Ascend310P => "Ascend 310P",
            Product::Ascend910 => "Ascend 910",
            Product::A2 => "Ascend 910B and 910_93",
            Product::Ascend950 => "Ascend 950",
            Product::Other => "this product",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of products, for instance those that lack a function.
#[derive(Debug, Clone, Copy)]
pub struct Products(u8);

impl Products {
    pub(super) const NONE: Products = Products(0);
    /// 310P has no broadcast, no reduction to a root, no scatter, and no messages between two ranks (manual of HCCL). Its
    /// library returns success for some of them and does nothing (published source).
    pub(super) const P310: Products = Products(Product::Ascend310P.bit());
    /// 910 has no operations with lengths of their own for each rank, except that of all ranks with all (manual of HCCL).
    pub(super) const P910: Products = Products(Product::Ascend910.bit());
    /// Only 950 reduces 64-bit numbers without a sign and of double precision (manual of HCCL).
    pub(super) const BEFORE_950: Products =
        Products(Product::Ascend310P.bit() | Product::Ascend910.bit() | Product::A2.bit());

    pub(super) const fn and(self, other: Products) -> Products {
        Products(self.0 | other.0)
    }

    pub(super) const fn has(self, product: Product) -> bool {
        self.0 & product.bit() != 0
    }
}

/// Returns the error for a call that a product lacks, with these elements or at all.
#[cold]
pub(super) fn lacking(call: &'static str, product: Product) -> Result<()> {
    Err(CollectiveMismatch::Product {
        call,
        product: product.name(),
    }
    .into())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Product, Products};

    #[test]
    fn names_of_chips_give_products() {
        for (name, product) in [
            ("Ascend310P3", Product::Ascend310P),
            ("Ascend310B1", Product::Other),
            ("Ascend910A", Product::Ascend910),
            ("Ascend910B", Product::Ascend910),
            ("Ascend910ProB", Product::Ascend910),
            ("Ascend910B1", Product::A2),
            ("Ascend910_9391", Product::A2),
            ("Ascend950PR_9599", Product::Ascend950),
            ("Ascend1234", Product::Other),
        ] {
            assert_eq!(Product::of_name(name), product, "{name}");
        }
    }

    #[test]
    fn an_unknown_product_lacks_nothing() {
        let all = Products::BEFORE_950.and(Products::P310).and(Products::P910);
        assert!(!all.has(Product::Other));
        assert!(!all.has(Product::Ascend950));
        assert!(all.has(Product::A2));
        assert!(!Products::NONE.has(Product::Ascend310P));
    }
}
