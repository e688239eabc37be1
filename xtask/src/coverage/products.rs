//! The functions that products lack, from the table of the emulator.

use std::collections::BTreeMap;
use std::path::Path;

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
    pub(super) fn read(root: &Path) -> Result<Products, Error> {
        let text = text(&root.join(TABLE))?;
        let mut lines = text.lines().map(|line| {
            let mut cells = line.split(',').map(str::to_owned);
            (cells.next().unwrap_or_default(), cells.collect::<Vec<_>>())
        });
        let series = lines.next().map(|(_, series)| series);
        Ok(Products {
            series: series.unwrap_or_default(),
            cells: lines.collect(),
        })
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
    use crate::process::root;

    /// The products that lack the function, as the documentation of the typed item lists them.
    fn lacking(products: &Products, function: &str) -> String {
        let series = products.series.iter().enumerate();
        let lacking = series.filter(|(column, _)| !products.has(function, *column));
        let names: Vec<_> = lacking.map(|(_, name)| name.as_str()).collect();
        names.join(", ")
    }

    #[test]
    fn each_typed_item_names_the_products_that_lack_it() -> Result<(), Error> {
        let products = Products::read(&root())?;
        let typed = Sources::read(&root())?.typed;
        let paths = below(&root().join("src"))?;
        let texts: Vec<String> = paths.iter().flat_map(|path| text(path)).collect();
        let mut known = 0;
        for function in &typed {
            let lacking = lacking(&products, function);
            if lacking.is_empty() {
                continue;
            }
            known += 1;
            let alias = format!("#[doc(alias = \"{function}\")]");
            let says =
                format!("Products without the function, according to the manual: {lacking}.");
            let is_said = texts.iter().any(|text| {
                let before = text.split_once(&alias).map(|(before, _)| before);
                let lines = before.unwrap_or_default().lines().rev();
                let mut docs = lines.map(str::trim_start).take_while(|line| {
                    line.is_empty() || line.starts_with("///") || line.starts_with("#[")
                });
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
