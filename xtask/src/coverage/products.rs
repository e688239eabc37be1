//! Whether the documentation names the products that lack a function, as the table of the emulator does.

use super::sources::Sources;
use crate::error::Error;
use crate::files::{below, text};

/// A row for each function that a product lacks: its name, and a cell for each series of chips.
const TABLE: &str = "emulator/src/product.csv";

#[test]
fn each_typed_item_names_the_products_that_lack_it() -> Result<(), Error> {
    let table = text(TABLE)?;
    let mut rows = table
        .lines()
        .map(|line| line.split_once(',').unwrap_or((line, "")));
    let (_, series) = rows.next().unwrap_or_default();
    let typed = Sources::read()?.typed;
    let texts: Vec<String> = below("src")?.iter().flat_map(text).collect();
    let mut known = 0;
    for (function, cells) in rows.filter(|(function, _)| typed.contains(*function)) {
        // As the documentation of the typed item lists them.
        let lacking = series.split(',').zip(cells.split(','));
        let lacking = lacking.filter(|(_, cell)| *cell != "1");
        let lacking: Vec<_> = lacking.map(|(name, _)| name).collect();
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
            let is_doc =
                |line: &&str| line.is_empty() || line.starts_with("///") || line.starts_with("#[");
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
