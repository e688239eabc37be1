//! Products of many pairs of matrices at once.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{BiasOf, Element, Floating};
use crate::op::groups::Groups;
use crate::op::parameter::{In, List};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::tensor::Tensor;

functions! {
    "An element of a bias is added to each element of a column of the product. The factors are contiguous.";
    /// Prepares the product of each matrix of `x` by the matrix of `weight` at its place (`aclnnGroupedMatmulV4`, its
    /// `groupType` -1).
    ///
    /// The lists have equally many tensors: `[m, k]` and `[k, n]`, a bias `[n]` and an output `[m, n]`, where each pair has
    /// sizes of its own. The outputs come back as a list. A card takes up to 128 pairs.
    #[doc(alias("aclnnGroupedMatmulV4", "aclnnGroupedMatmulV4GetWorkspaceSize"))]
    GroupedMatmulV4<T: Floating, U: BiasOf<T>>,
        grouped_matmul_v4(
            x: dense_list T, weight: dense_list T, bias: maybe_list U, scale: (None) Option<List<f32>>,
            offset: (None) Option<List<f32>>, antiquant_scale: (None) Option<List<T>>, antiquant_offset: (None) Option<List<T>>,
            per_token_scale: (None) Option<List<f32>>, group_list: (None) Option<In<i64>>,
            activation_input: (None) Option<List<T>>, activation_quant_scale: (None) Option<List<T>>,
            activation_quant_offset: (None) Option<List<T>>, split_item: (0) i64, group_type: (-1) i64,
            group_list_type: (0) i64, act_type: (0) i64, out: out_list T, activation_feature: (None) Option<List<T>>,
            dyn_quant_scale: (None) Option<List<T>>
        )
        = aclnnGroupedMatmulV4, aclnnGroupedMatmulV4GetWorkspaceSize, |op| check_pairs(op, x, weight, bias, &out.shapes().collect::<Vec<_>>());
    /// Prepares the product of each group of rows of `x` by the matrix of `weight` at its place (`aclnnGroupedMatmulV4`, its
    /// `groupType` 0).
    ///
    /// `x` is `[m, k]`, `weight` is `[groups, k, n]`, a bias `[groups, n]`, and the output `[m, n]`, which comes back as an
    /// array of one. The groups have all rows of `x` together ([`Tensor::groups`](crate::op::Tensor::groups)): C would
    /// leave the others unwritten.
    #[doc(alias("aclnnGroupedMatmulV4", "aclnnGroupedMatmulV4GetWorkspaceSize"))]
    GroupedMatmulV4OfRows<T: Floating, U: BiasOf<T>>,
        grouped_matmul_v4_of_rows(
            x: [&Tensor<'b, X, T>: &[x] => List<T>], weight: [&Tensor<'b, X, T>: &[weight] => List<T>],
            bias: [Option<&Tensor<'b, X, U>>: bias.as_ref().map(std::slice::from_ref) => Option<List<U>>],
            scale: (None) Option<List<f32>>, offset: (None) Option<List<f32>>, antiquant_scale: (None) Option<List<T>>,
            antiquant_offset: (None) Option<List<T>>, per_token_scale: (None) Option<List<f32>>, groups: groups,
            activation_input: (None) Option<List<T>>, activation_quant_scale: (None) Option<List<T>>,
            activation_quant_offset: (None) Option<List<T>>, split_item: (3) i64, group_type: (0) i64,
            group_list_type: (groups.list as i64) i64, act_type: (0) i64, out: one_out T,
            activation_feature: (None) Option<List<T>>, dyn_quant_scale: (None) Option<List<T>>
        )
        = aclnnGroupedMatmulV4, aclnnGroupedMatmulV4GetWorkspaceSize, |op| check_rows(op, &x.dims, &weight.dims, bias.map(|bias| &bias.dims), groups, &out.dims);
}

/// Checks the shapes of pairs.
fn check_pairs<X, T, U: Element>(
    operator: &'static str,
    x: &[&Tensor<'_, X, T>],
    weights: &[&Tensor<'_, X, T>],
    biases: Option<&[&Tensor<'_, X, U>]>,
    outputs: &[&Dims],
) -> Result<()> {
    let Some(first) = x.first() else {
        return Err(Usage::EmptyList { operator }.into());
    };
    let lists = [weights.len(), outputs.len()];
    let others = biases.map(<[_]>::len);
    if lists.into_iter().chain(others).any(|len| len != x.len()) {
        let numbers: Vec<_> = [x.len()].into_iter().chain(lists).chain(others).collect();
        let numbers: Vec<_> = numbers.iter().map(|len| len.cast_signed() as i64).collect();
        let rule = "the lists of factors, outputs and biases have equally many tensors";
        return Err(first.dims.numbers(operator, &numbers, rule));
    }
    for ((x, weight), out) in x.iter().zip(weights).zip(outputs) {
        out.check_matrices(operator, &x.dims, &weight.dims, 2)?;
    }
    let biases = biases.unwrap_or_default().iter().zip(weights);
    biases
        .map(|(bias, weight)| (&bias.dims, &weight.dims))
        .try_for_each(|(bias, weight)| bias.check_beside(operator, weight, &[weight.size(1)]))
}

/// Checks the shapes of the groups of a matrix.
fn check_rows<X>(
    operator: &'static str,
    x: &Dims,
    weight: &Dims,
    bias: Option<&Dims>,
    groups: &Groups<'_, X>,
    out: &Dims,
) -> Result<()> {
    x.check_rank(operator, 2)?;
    let [count, columns] = [weight.size(0), weight.size(2)];
    weight.check_beside(operator, x, &[count, x.size(1), columns])?;
    if let Some(bias) = bias {
        bias.check_beside(operator, weight, &[count, columns])?;
    }
    groups.check_cover(operator, weight, count, x.size(0))?;
    out.check_is(operator, x, &[x.size(0), columns])?;
    x.check_filled(operator, out)?;
    weight.check_filled(operator, out)
}
