//! Mixtures of experts.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{Floating, IndexElement};
use crate::op::indices::Indices;
use crate::op::parameter::{In, Ints};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::truth::Bool;

/// What [`moe_init_routing_v2`] counts for each expert (`expertTokensCountOrCumsumFlag` of
/// `aclnn_moe_init_routing_v2.h`).
///
/// ```
/// use ascendcl::op::ExpertTokens;
///
/// // Three experts with 2, 0 and 1 rows: 2, 2, 3, or 2, 0, 1.
/// let counted = [ExpertTokens::Cumsum, ExpertTokens::Count];
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum ExpertTokens {
    /// Its rows and those of the experts in front of it: where its rows end.
    Cumsum = 1,
    /// Its rows.
    Count = 2,
}

functions! {
    "A token is a row of a matrix. Rows of experts keep the order of their tokens.";
    /// Prepares the `k` experts of each row with the largest softmax of the last dimension
    /// (`aclnnMoeGatingTopKSoftmax`). A row that is `finished` gets the expert behind the last one.
    ///
    /// The outputs come back as a tuple: the values of the softmax, the experts, and for the choice `j` of row `i` the number
    /// `j * rows + i`. They have the shape of `x`, with `k` elements in the last dimension.
    #[doc(alias("aclnnMoeGatingTopKSoftmax", "aclnnMoeGatingTopKSoftmaxGetWorkspaceSize"))]
    MoeGatingTopKSoftmax<T: Floating>,
        moe_gating_top_k_softmax(x: dense T, finished: maybe Bool, k: attr i64, y: dense_out T, experts: dense_out i32, rows: dense_out i32)
        = aclnnMoeGatingTopKSoftmax, aclnnMoeGatingTopKSoftmaxGetWorkspaceSize, |op| check_gate(op, &x.dims, finished.map(|finished| &finished.dims), k, [&y.dims, &experts.dims, &rows.dims]);
    /// Prepares the tokens in the order of their experts, where each of them has gone, and how many rows each expert has
    /// (`aclnnMoeInitRoutingV2`), without dropping any.
    ///
    /// `x` is `[n, h]`, and `experts` has the experts of each token, `[n, k]`, compared with the number of experts. The first
    /// output has as many rows as the caller wants, up to `n * k`. The second one has `n * k` elements: the rows of the first
    /// token, then those of the next one. The third one has an element for each expert. The outputs come back as a tuple.
    ///
    /// The element `e` of the flattened `experts` belongs to the token `e / k` (manual and tests of the operator,
    /// ops-transformer 2026). Pages of earlier releases have another formula, `e % n`, which those tests do not follow.
    #[doc(alias("aclnnMoeInitRoutingV2", "aclnnMoeInitRoutingV2GetWorkspaceSize"))]
    MoeInitRoutingV2<T: Floating>,
        moe_init_routing_v2(
            x: dense T, experts: dense_index i32, active: (expanded.dims.size(0)) i64, capacity: (0) i64,
            expert_num: (tokens.dims.size(0)) i64, drop_pad_mode: (0) i64, counted: [ExpertTokens: counted as i64 => i64],
            before_capacity: (false) bool, expanded: dense_out T, rows: dense_out i32, tokens: dense_out i32,
            tokens_before_capacity: (None) Option<In<i32>>
        )
        = aclnnMoeInitRoutingV2, aclnnMoeInitRoutingV2GetWorkspaceSize, |op| tokens.dims.check_rank(op, 1).and_then(|()| experts.check_within(op, tokens.dims.size(0)))
            .and_then(|()| experts.tensor.dims.check_rank(op, 2)).and_then(|()| check_permuted(op, &x.dims, &experts.tensor.dims, &expanded.dims, &rows.dims))
            .and_then(|()| x.dims.check_filled(op, &tokens.dims).and(experts.tensor.dims.check_filled(op, &tokens.dims)));
    /// Prepares the tokens in the order of their experts, and where each of them has gone (`aclnnMoeTokenPermute`).
    ///
    /// `tokens` is `[n, h]`, and `indices` has the experts of each token, `[n, k]` or `[n]`. The first output has as many
    /// rows as the caller wants, up to `n * k`. The second one has `n * k` elements: the rows of the first token, then those
    /// of the next one. The outputs come back as a pair.
    #[doc(alias("aclnnMoeTokenPermute", "aclnnMoeTokenPermuteGetWorkspaceSize"))]
    MoeTokenPermute<T: Floating, I: IndexElement>,
        moe_token_permute(
            tokens: dense T, indices: dense I, count: (permuted.dims.size(0)) i64, padded: (false) bool, permuted: dense_out T,
            sorted: dense_out i32
        )
        = aclnnMoeTokenPermute, aclnnMoeTokenPermuteGetWorkspaceSize, |op| check_permuted(op, &tokens.dims, &indices.dims, &permuted.dims, &sorted.dims);
    /// Prepares the sums of the rows of each token, each times its probability (`aclnnMoeTokenUnpermute`).
    ///
    /// `sorted` are the indices of [`moe_token_permute`], compared with the number of rows of `permuted`. `probs` is
    /// `[n, k]`, and the output `[n, h]`; without probabilities `k` is 1.
    #[doc(alias("aclnnMoeTokenUnpermute", "aclnnMoeTokenUnpermuteGetWorkspaceSize"))]
    MoeTokenUnpermute<T: Floating>,
        moe_token_unpermute(
            permuted: dense T, sorted: dense_index i32, probs: maybe T, padded: (false) bool, shape: (None) Option<Ints>,
            out: dense_out T
        )
        = aclnnMoeTokenUnpermute, aclnnMoeTokenUnpermuteGetWorkspaceSize, |op| check_unpermuted(op, &permuted.dims, sorted, probs.map(|probs| &probs.dims), &out.dims);
    /// Prepares the sums of the rows of each token, each times its scale, and of `one` and `other` (`aclnnMoeFinalizeRoutingV2`).
    ///
    /// `rows` has for each choice the row of each token: the choice `j` of the token `i` stands at `j * n + i`, and was compared with
    /// the number of rows of `expanded`. `scales` is `[n, k]`, and the output `[n, h]`, as `one` and `other` are. A bias of experts is
    /// for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnMoeFinalizeRoutingV2", "aclnnMoeFinalizeRoutingV2GetWorkspaceSize"))]
    MoeFinalizeRoutingV2<T: Floating>,
        moe_finalize_routing_v2(
            expanded: dense T, rows: dense_index i32, one: maybe T, other: maybe T, bias: (None) Option<In<T>>, scales: maybe T,
            experts: (None) Option<In<i32>>, drop_pad_mode: (0) i64, out: dense_out T
        )
        = aclnnMoeFinalizeRoutingV2, aclnnMoeFinalizeRoutingV2GetWorkspaceSize, |op| check_unpermuted(op, &expanded.dims, rows, scales.map(|scales| &scales.dims), &out.dims).and_then(|()| [one.map(|one| &one.dims), other.map(|one| &one.dims)].into_iter().flatten().try_for_each(|added| added.check_beside(op, &expanded.dims, out.dims.sizes())));
    /// Prepares the same as [`moe_gating_top_k_softmax`] without the third output, or with `renorm` the softmax of the `k`
    /// largest numbers alone (`aclnnMoeGatingTopKSoftmaxV2`). The outputs come back as a tuple; the last one, of the softmax of
    /// all numbers, is `Some(out)`, or `()`: with `renorm` it has to be `()`.
    #[doc(alias("aclnnMoeGatingTopKSoftmaxV2", "aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize"))]
    MoeGatingTopKSoftmaxV2<T: Floating>,
        moe_gating_top_k_softmax_v2(x: dense T, finished: maybe Bool, k: attr i64, renorm: [bool: i64::from(renorm) => i64], gives_all: (all.shapes().count() == 1) bool, y: dense_out T, experts: dense_out i32, all: maybe_out f32)
        = aclnnMoeGatingTopKSoftmaxV2, aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize, |op| check_gate(op, &x.dims, finished.map(|finished| &finished.dims), k, [&y.dims, &experts.dims, &experts.dims]).and_then(|()| all.shapes().try_for_each(|all| check_all(op, renorm, &x.dims, all)));
}

/// Checks the shapes of a gate.
fn check_gate(
    operator: &'static str,
    x: &Dims,
    finished: Option<&Dims>,
    k: i64,
    outputs: [&Dims; 3],
) -> Result<()> {
    let axis = x.axis(operator, -1)?;
    let size = x.size(axis);
    if !(1..=size).contains(&k) {
        let wrong = Usage::Chosen {
            operator,
            k: usize::try_from(k).unwrap_or_default(),
            size: usize::try_from(size).unwrap_or_default(),
            axis,
        };
        return Err(wrong.into());
    }
    if let Some(finished) = finished {
        let rows = x.sizes().get(..axis).unwrap_or_default();
        finished.check_beside(operator, x, rows)?;
    }
    outputs
        .iter()
        .try_for_each(|output| output.check_resized(operator, x, axis, k))
}

/// Checks that the softmax of all numbers is one of each, which is computed without `renorm` alone.
fn check_all(operator: &'static str, renorm: bool, x: &Dims, all: &Dims) -> Result<()> {
    if renorm {
        let rule =
            "an output of the softmax of all numbers, which is computed without `renorm` alone";
        return Err(x.numbers(operator, all.sizes(), rule));
    }
    all.check_same(operator, x)
}

/// Checks the shapes of tokens and of their experts.
fn check_permuted(
    operator: &'static str,
    tokens: &Dims,
    indices: &Dims,
    permuted: &Dims,
    sorted: &Dims,
) -> Result<()> {
    tokens.check_rank(operator, 2)?;
    let (rows, width) = (tokens.size(0), tokens.size(1));
    let choices = indices.size(1);
    let expected = match indices.rank {
        1 => vec![rows],
        _ => vec![rows, choices],
    };
    indices.check_beside(operator, tokens, &expected)?;
    let total = rows.saturating_mul(choices);
    let count = permuted.size(0);
    let count = if (1..=total).contains(&count) {
        count
    } else {
        total
    };
    permuted.check_is(operator, tokens, &[count, width])?;
    sorted.check_is(operator, tokens, &[total])?;
    tokens.check_filled(operator, sorted)
}

/// Checks the shapes of tokens that go back to their places.
fn check_unpermuted<X>(
    operator: &'static str,
    permuted: &Dims,
    sorted: &Indices<'_, X, i32>,
    probs: Option<&Dims>,
    out: &Dims,
) -> Result<()> {
    permuted.check_rank(operator, 2)?;
    sorted.check_within(operator, permuted.size(0))?;
    out.check_rank(operator, 2)?;
    let rows = out.size(0);
    let choices = match probs {
        Some(probs) => {
            probs.check_beside(operator, permuted, &[rows, probs.size(1)])?;
            probs.size(1)
        }
        None => 1,
    };
    let total = rows.saturating_mul(choices);
    sorted
        .tensor
        .dims
        .check_beside(operator, permuted, &[total])?;
    out.check_is(operator, permuted, &[rows, permuted.size(1)])?;
    sorted.tensor.dims.check_filled(operator, out)
}
