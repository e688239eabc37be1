//! The functions that products lack, from the table of the emulator.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::files::text;

const TABLE: &str = "emulator/src/product.csv";

/// The table: a row for each function that a product lacks.
#[derive(Debug, Default)]
pub(super) struct Products {
    /// The series of chips, in the order of the columns.
    pub(super) series: Vec<String>,
    cells: BTreeMap<String, Vec<String>>,
}

impl Products {
    pub(super) fn read() -> Result<Products, Error> {
        let text = text(TABLE)?;
        let mut lines = text.lines().map(|line| {
            let mut cells = line.split(',').map(str::to_owned);
            (cells.next().unwrap_or_default(), cells.collect::<Vec<_>>())
        });
        let (_, series) = lines.next().unwrap_or_default();
        let cells = lines.collect();
        Ok(Products { series, cells })
    }

    /// Whether the manual says that the product of a column has the function.
    pub(super) fn has(&self, function: &str, column: usize) -> bool {
        let cells = self.cells.get(function);
        cells.is_none_or(|cells| cells.get(column).is_some_and(|cell| cell == "1"))
    }
}

#[cfg(test)]
mod tests {
    use super::Products;
    use crate::coverage::sources::Sources;
    use crate::error::Error;
    use crate::files::{below, text};

    #[test]
    fn each_typed_item_names_the_products_that_lack_it() -> Result<(), Error> {
        let products = Products::read()?;
        let texts: Vec<String> = below("src")?.iter().flat_map(text).collect();
        let mut known = 0;
        for function in &Sources::read()?.typed {
            // As the documentation of the typed item lists them.
            let series = products.series.iter().enumerate();
            let lacking = series.filter(|(column, _)| !products.has(function, *column));
            let lacking: Vec<_> = lacking.map(|(_, name)| name.as_str()).collect();
            if lacking.is_empty() {
                continue;
            }
            known += 1;
            let alias = format!("#[doc(alias = \"{function}\")]");
            let says = format!(
                "Products without the function, according to the manual: {}.",
                lacking.join(", ")
            );
            let is_said = texts.iter().any(|text| {
                let before = text.split_once(&alias).map(|(before, _)| before);
                let lines = before.unwrap_or_default().lines().rev();
                let is_doc = |line: &&str| {
                    line.is_empty() || line.starts_with("///") || line.starts_with("#[")
                };
                let mut docs = lines.map(str::trim_start).take_while(is_doc);
                docs.any(|line| line.contains(&says))
            });
            assert!(
                is_said,
                "{function}: the documentation does not say: {says}"
            );
        }
        assert!(known >= 7, "{known} functions");
        Ok(())
    }
}
