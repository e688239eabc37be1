//! The products, and the functions that the manual says they lack.
//!
//! `product.csv` has a row for each function that one of the products lacks: `1` is supported, `0` is not, and `o` is not
//! supported according to the manual. The emulator has the functions of `o` all the same, because headers and libraries of
//! releases for this product have them; that they work on a card is an assumption.

/// A series of chips whose manual lists the supported functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// 950.
    Ascend950,
    /// 910_93.
    A3,
    /// 910B.
    A2,
    /// 310B.
    Ascend310B,
    /// 310P.
    Ascend310P,
    /// 910.
    Ascend910,
}

/// The table, from the lists of supported products in the manual of CANN 8.5.
const TABLE: &str = include_str!("product.csv");

impl Product {
    /// Returns the product of a chip, as `aclrtGetSocName` names it. Other chips have no table.
    pub(crate) fn of(chip: &str) -> Option<Product> {
        let known = [
            ("Ascend950", Product::Ascend950),
            // Older names of the same chips.
            ("Ascend910_95", Product::Ascend950),
            ("Ascend910_93", Product::A3),
            ("Ascend910B", Product::A2),
            ("Ascend310B", Product::Ascend310B),
            ("Ascend310P", Product::Ascend310P),
            ("Ascend910", Product::Ascend910),
        ];
        let found = known.iter().find(|(start, _)| chip.starts_with(start));
        found.map(|(_, product)| *product)
    }

    /// The chips, for the text of a wrong name.
    pub(crate) const CHIPS: &str = "a chip of one of the series Ascend950, Ascend910_93, Ascend910B, Ascend910, Ascend310B, Ascend310P and Ascend310, such \
         as Ascend910B1";

    /// Returns whether there is a chip of this name, or could be one of its series.
    pub(crate) fn is_chip(name: &str) -> bool {
        Product::of(name).is_some() || name.starts_with("Ascend310")
    }

    /// Returns the name of the series: the word of its column.
    pub(crate) fn series(self) -> &'static str {
        match self {
            Product::Ascend950 => "950",
            Product::A3 => "A3",
            Product::A2 => "A2",
            Product::Ascend310B => "310B",
            Product::Ascend310P => "310P",
            Product::Ascend910 => "910",
        }
    }

    /// Returns the functions that it lacks.
    pub(crate) fn lacking(self) -> Vec<&'static str> {
        let mut rows = TABLE.lines().map(|line| line.split(','));
        let mut words = rows.next().into_iter().flatten();
        let column = words.position(|word| word == self.series());
        rows.filter_map(|mut row| {
            let mut cells = row.clone();
            let is_lacking = cells.nth(column?) == Some("0");
            row.next().filter(|_| is_lacking)
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_product_has_a_column_and_lacks_what_the_manual_says() {
        for (chip, lacks, has) in [
            ("Ascend910B1", "aclrtCntNotifyCreate", "aclrtMemsetD32"),
            ("Ascend910_9392", "aclrtCntNotifyCreate", "aclrtMemsetD32"),
            (
                "Ascend910_9589",
                "aclrtMemMapSelectedLink",
                "aclrtCntNotifyCreate",
            ),
            ("Ascend310B4", "aclmdlRICaptureBegin", "aclrtMalloc"),
            ("Ascend310P3", "aclrtCmoWaitBarrier", "aclrtCreateGroupInfo"),
            ("Ascend910A", "aclmdlRICaptureBegin", "aclrtMalloc"),
            (
                "Ascend950",
                "aclrtMemMapSelectedLink",
                "aclrtCntNotifyCreate",
            ),
        ] {
            let lacking = Product::of(chip).map(Product::lacking);
            let lacking = lacking.unwrap_or_default();
            assert!(lacking.contains(&lacks), "{chip}: {lacks}");
            assert!(!lacking.contains(&has), "{chip}: {has}");
        }
        assert_eq!(Product::of("Ascend310"), None);
    }

    #[test]
    fn each_row_has_a_cell_for_each_product() {
        let rows: Vec<&str> = TABLE.lines().skip(1).collect();
        assert!(rows.is_sorted(), "the rows are in the order of names");
        for row in rows {
            let mut cells = row.split(',').skip(1);
            assert!(
                cells.clone().count() == 6 && cells.all(|cell| ["1", "0", "o"].contains(&cell)),
                "{row}"
            );
        }
    }
}
