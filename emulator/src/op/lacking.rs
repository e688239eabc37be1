//! Element types that a product lacks.
//!
//! `bfloat16.csv` has a row for each operator whose page in the manual takes bfloat16 on some products only, with those of
//! the older products that do not take it. A row is for all operands of the operator, although some pages name a few of them
//! only: that the others take it there is an assumption that nobody needs. Operators without such a page take it everywhere.

use std::sync::LazyLock;

use ascendcl_sys::ACL_BF16;

use super::call::Operand;
use super::refusal::Refusal;
use crate::engine::engine;
use crate::product::Product;
use crate::sorted::SortedSet;

const TABLE: &str = include_str!("bfloat16.csv");

/// The operators without bfloat16 on the configured chip.
static WITHOUT: LazyLock<SortedSet<&'static str>> =
    LazyLock::new(|| without(&engine().config.soc_name));

fn without(chip: &str) -> SortedSet<&'static str> {
    let Some(product) = Product::of(chip) else {
        return SortedSet::new();
    };
    let rows = TABLE.lines().skip(1);
    let lacking = rows.filter_map(|row| {
        let (operator, products) = row.split_once(',')?;
        let mut products = products.split('/');
        products
            .any(|lacks| lacks == product.series())
            .then_some(operator)
    });
    lacking.collect()
}

/// Refuses an operand of bfloat16 where the product does not take it.
pub(super) fn check(operator: &str, operands: &[Operand]) -> Result<(), Refusal> {
    let mut halves = operands.iter().filter(|one| one.tensor.dtype == ACL_BF16);
    match halves.next() {
        Some(operand) if WITHOUT.contains(operator) => Err(Refusal::invalid(format_args!(
            "{} has the data type ACL_BF16, which {operator} does not take on {} (ASCENDCL_EMULATOR_SOC)",
            operand.name,
            engine().config.soc_name
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_products_lack_bfloat16_where_the_manual_says_so() {
        for (chip, operator, lacks) in [
            ("Ascend910A", "aclnnAdd", true),
            ("Ascend310P3", "aclnnAdd", false),
            ("Ascend310P3", "aclnnMatmul", true),
            ("Ascend310B4", "aclnnInplaceMul", true),
            ("Ascend910B1", "aclnnAdd", false),
            ("Ascend950PR_9599", "aclnnMatmul", false),
            ("Ascend910_9589", "aclnnMatmul", false),
            ("Ascend310", "aclnnMatmul", false),
        ] {
            assert_eq!(without(chip).contains(operator), lacks, "{chip} {operator}");
        }
    }

    #[test]
    fn rows_are_in_the_order_of_names_and_name_older_products() {
        let rows: Vec<&str> = TABLE.lines().skip(1).collect();
        assert!(rows.is_sorted());
        for row in rows {
            let products = row.split_once(',').map(|(_, products)| products.split('/'));
            let are_known = products.is_some_and(|mut products| {
                products.all(|product| ["310B", "310P", "910"].contains(&product))
            });
            assert!(are_known, "{row}");
        }
    }
}
