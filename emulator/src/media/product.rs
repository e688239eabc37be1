//! The products whose media engines differ, by the name of the chip.

use crate::engine::engine;

/// A family of chips with the same media engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    /// Ascend 310.
    A310,
    /// Ascend 910.
    A910,
    /// Ascend 310P.
    A310P,
    /// Ascend 310B.
    A310B,
    /// Ascend 910B and 910_93, of the series Atlas A2 and A3.
    A910B,
    /// Ascend 950.
    A950,
}

/// Returns the product of the configured chip.
pub(super) fn product() -> Product {
    Product::of(&engine().config.soc_name)
}

impl Product {
    fn of(chip: &str) -> Product {
        let known = [
            ("Ascend310P", Product::A310P),
            ("Ascend310B", Product::A310B),
            ("Ascend310", Product::A310),
            ("Ascend910B", Product::A910B),
            ("Ascend910_93", Product::A910B),
            ("Ascend910", Product::A910),
            ("Ascend950", Product::A950),
        ];
        let found = known.iter().find(|(start, _)| chip.starts_with(start));
        found.map_or(Product::A910B, |(_, product)| *product)
    }

    /// Whether the chip has the oldest engine, which has the fewest functions.
    pub(super) fn is_oldest(self) -> bool {
        matches!(self, Product::A310 | Product::A910)
    }

    /// Whether the chip has the first generation of functions.
    pub(super) fn has_first(self) -> bool {
        self != Product::A950
    }

    /// Whether the chip has the second generation of functions.
    pub(super) fn has_second(self) -> bool {
        !self.is_oldest()
    }

    /// Whether rows and buffers of pictures have to be aligned.
    pub(super) fn is_aligned(self) -> bool {
        self.is_oldest() || self == Product::A310P
    }

    /// The smallest number of bytes of a row.
    pub(super) fn least_stride(self) -> u32 {
        if self.is_aligned() { 32 } else { 10 }
    }

    /// The greatest size of the output of picture processing.
    pub(super) fn greatest_output(self) -> (u32, u32) {
        if self.is_aligned() {
            (4096, 4096)
        } else {
            (4096, 8192)
        }
    }

    /// The unit of the bytes of a row of a decoded JPEG.
    pub(super) fn decoded_unit(self) -> u32 {
        if self.is_oldest() { 128 } else { 64 }
    }

    /// The greatest number of an interpolation of the first generation that a setter accepts.
    pub(super) fn last_interpolation(self) -> u32 {
        match self {
            Product::A310 | Product::A910 => 4,
            Product::A310P => 2,
            Product::A310B | Product::A910B | Product::A950 => 5,
        }
    }

    /// The number of channels for picture processing that a program may number.
    pub(super) fn channels(self) -> i32 {
        if self == Product::A310B { 128 } else { 256 }
    }
}

#[cfg(test)]
mod tests {
    use super::Product;

    #[test]
    fn chips_have_products() {
        for (chip, product) in [
            ("Ascend310", Product::A310),
            ("Ascend310P3", Product::A310P),
            ("Ascend310B4", Product::A310B),
            ("Ascend910ProA", Product::A910),
            ("Ascend910B1", Product::A910B),
            ("Ascend910_9362", Product::A910B),
            ("Ascend950PR", Product::A950),
            ("another", Product::A910B),
        ] {
            assert_eq!(Product::of(chip), product, "{chip}");
        }
    }
}
