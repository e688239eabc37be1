//! Attention.

use std::ffi::CStr;

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Half};
use crate::op::parameter::{In, Ints, List, Text};
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::tensor::Tensor;
use crate::op::truth::Bool;

/// The order of the dimensions of queries, keys, values and results (`inputLayout`): batch, heads, positions, and the elements
/// of a head.
///
/// ```
/// use ascendcl::op::{AttentionLayout, InferAttentionOptions};
///
/// // 2 batches, 8 heads, 128 positions and 64 elements of a head: tensors of the shape `[2, 8, 128, 64]`.
/// let options = InferAttentionOptions::new(8, 0.125, AttentionLayout::Bnsd);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttentionLayout {
    /// `[batch, positions, heads * elements]`.
    Bsh,
    /// `[positions, batch, heads * elements]`, for training only.
    Sbh,
    /// `[batch, positions, heads, elements]`.
    Bsnd,
    /// `[batch, heads, positions, elements]`.
    Bnsd,
}

impl AttentionLayout {
    const fn text(self) -> &'static CStr {
        match self {
            AttentionLayout::Bsh => c"BSH",
            AttentionLayout::Sbh => c"SBH",
            AttentionLayout::Bsnd => c"BSND",
            AttentionLayout::Bnsd => c"BNSD",
        }
    }
}

/// Which keys a query sees (`sparseMode`; page "sparseMode" of ops-transformer, 2026).
///
/// Positions count among the queries and the keys of a batch that count. The modes but the default take a mask of the shape
/// `[2048, 2048]` that is true above the diagonal, for sequences of any length.
///
/// ```
/// use ascendcl::op::{AttentionLayout, FlashAttentionOptions, SparseMode};
///
/// // Each position sees those in front of it, and itself.
/// let causal = FlashAttentionOptions {
///     sparse_mode: SparseMode::LeftUpCausal,
///     ..FlashAttentionOptions::new(8, 0.125, AttentionLayout::Bnsd)
/// };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SparseMode {
    /// All keys but those that the mask hides.
    #[default]
    Default,
    /// Keys up to its own position, where the first query has the position of the first key.
    LeftUpCausal,
    /// Keys up to its own position, where the last query has the position of the last key.
    RightDownCausal,
    /// Keys around its own position, where the last query has the position of the last key. A query sees no key if both
    /// numbers together are negative.
    Band {
        /// How many positions in front of its own a query sees.
        pre_tokens: i64,
        /// How many positions behind its own a query sees.
        next_tokens: i64,
    },
}

/// More positions than a tensor has.
const ALL_TOKENS: i64 = 2_147_483_647;
/// The rows and columns of the mask of a mode that follows from positions.
const COMPRESSED: i64 = 2048;

impl SparseMode {
    const fn number(self) -> i64 {
        match self {
            SparseMode::Default => 0,
            SparseMode::LeftUpCausal => 2,
            SparseMode::RightDownCausal => 3,
            SparseMode::Band { .. } => 4,
        }
    }

    const fn pre_tokens(self) -> i64 {
        match self {
            SparseMode::Band { pre_tokens, .. } => pre_tokens,
            _ => ALL_TOKENS,
        }
    }

    const fn next_tokens(self) -> i64 {
        match self {
            SparseMode::Band { next_tokens, .. } => next_tokens,
            _ => ALL_TOKENS,
        }
    }
}

/// How exactly a card computes attention for inference (`innerPrecise`).
///
/// ```
/// use ascendcl::op::{AttentionLayout, InferAttentionOptions, InnerPrecise};
///
/// let exact = InferAttentionOptions {
///     inner_precise: InnerPrecise::HighPrecision,
///     ..InferAttentionOptions::new(8, 0.125, AttentionLayout::Bnsd)
/// };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(i64)]
pub enum InnerPrecise {
    /// Softmax in single precision.
    HighPrecision = 0,
    /// Softmax in the precision of the elements.
    #[default]
    HighPerformance = 1,
    /// [`InnerPrecise::HighPrecision`], and 0 for a query that sees no key.
    HighPrecisionRows = 2,
    /// [`InnerPrecise::HighPerformance`], and 0 for a query that sees no key.
    HighPerformanceRows = 3,
}

/// The attributes of [`flash_attention_score`], as C names them. [`FlashAttentionOptions::new`] has the defaults.
///
/// ```
/// use ascendcl::op::{AttentionLayout, FlashAttentionOptions, SparseMode};
///
/// let options = FlashAttentionOptions {
///     sparse_mode: SparseMode::Band { pre_tokens: 256, next_tokens: 0 }, // the last 256 positions
///     ..FlashAttentionOptions::new(8, 0.125, AttentionLayout::Bsh)
/// };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlashAttentionOptions {
    /// The factor of the products of queries and keys, often `1 / sqrt(elements of a head)`.
    pub scale_value: f64,
    /// The number of heads of the queries.
    pub head_num: i64,
    /// The order of the dimensions.
    pub input_layout: AttentionLayout,
    /// Which keys a query sees.
    pub sparse_mode: SparseMode,
}

impl FlashAttentionOptions {
    /// Attention to all keys.
    ///
    /// ```
    /// use ascendcl::op::{AttentionLayout, FlashAttentionOptions, SparseMode};
    ///
    /// let options = FlashAttentionOptions::new(8, 1.0 / 64_f64.sqrt(), AttentionLayout::Bsnd); // 8 heads of 64 elements
    /// assert_eq!(options.sparse_mode, SparseMode::Default);
    /// ```
    #[must_use]
    pub const fn new(head_num: i64, scale_value: f64, input_layout: AttentionLayout) -> Self {
        FlashAttentionOptions {
            scale_value,
            head_num,
            input_layout,
            sparse_mode: SparseMode::Default,
        }
    }
}

/// The attributes of attention for inference, as C names them. [`InferAttentionOptions::new`] has the defaults.
///
/// ```
/// use ascendcl::op::{AttentionLayout, InferAttentionOptions};
///
/// // Two batches whose caches have 17 and 40 keys.
/// let options = InferAttentionOptions {
///     num_key_value_heads: 2, // for eight heads of queries
///     actual_seq_lengths_kv: Some(&[17, 40]),
///     ..InferAttentionOptions::new(8, 0.125, AttentionLayout::Bnsd)
/// };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InferAttentionOptions<'a> {
    /// The number of heads of the queries.
    pub num_heads: i64,
    /// The factor of the products of queries and keys, often `1 / sqrt(elements of a head)`.
    pub scale_value: f64,
    /// The order of the dimensions; not [`AttentionLayout::Sbh`].
    pub input_layout: AttentionLayout,
    /// The number of heads of keys and values, of which that of the queries is a multiple; 0 stands for as many.
    pub num_key_value_heads: i64,
    /// Which keys a query sees.
    pub sparse_mode: SparseMode,
    /// How exactly the card computes.
    pub inner_precise: InnerPrecise,
    /// The number of queries of each batch, where the rest does not count.
    pub actual_seq_lengths: Option<&'a [i64]>,
    /// The number of keys of each batch, where the rest does not count: a cache that is not yet full.
    pub actual_seq_lengths_kv: Option<&'a [i64]>,
}

impl InferAttentionOptions<'_> {
    /// Attention to all keys, of which there are as many heads as of queries.
    ///
    /// ```
    /// use ascendcl::op::{AttentionLayout, InferAttentionOptions};
    ///
    /// let options = InferAttentionOptions::new(8, 1.0 / 64_f64.sqrt(), AttentionLayout::Bnsd); // 8 heads of 64 elements
    /// assert_eq!(options.actual_seq_lengths, None);
    /// ```
    #[must_use]
    pub const fn new(num_heads: i64, scale_value: f64, input_layout: AttentionLayout) -> Self {
        InferAttentionOptions {
            num_heads,
            scale_value,
            input_layout,
            num_key_value_heads: 0,
            sparse_mode: SparseMode::Default,
            inner_precise: InnerPrecise::HighPerformance,
            actual_seq_lengths: None,
            actual_seq_lengths_kv: None,
        }
    }
}

functions! {
    "Where a mask is true, a query does not see the key. The emulator computes in double precision.";
    /// Prepares `softmax(scale_value * query * key + real_shift) * value` with the figures that training needs
    /// (`aclnnFlashAttentionScore`), without dropout.
    ///
    /// All tensors have the dimensions of `input_layout`; keys and values may have fewer heads, of which those of the
    /// queries are a multiple. `real_shift` has the shape `[batch or 1, heads, queries, keys]`. `atten_mask` has
    /// `[queries, keys]`, or `[batch or 1, heads or 1, queries, keys]`; the other modes of [`SparseMode`] than the default
    /// one take one of `[2048, 2048]`, true above the diagonal. The outputs come back as a tuple: the largest score of each
    /// query and the sum of its exponentials, each eight times, as `[batch, heads, queries, 8]`, and the result with the
    /// shape of the queries.
    #[doc(alias("aclnnFlashAttentionScore", "aclnnFlashAttentionScoreGetWorkspaceSize"))]
    FlashAttentionScore<T: Floating>,
        flash_attention_score(
            query: in T, key: in T, value: in T, real_shift: maybe T, drop_mask: (None) Option<In<u8>>,
            padding_mask: (None) Option<In<T>>, atten_mask: maybe Bool, prefix: (None) Option<Ints>,
            options: [&FlashAttentionOptions: options.scale_value => f64], keep_prob: (1.0) f64,
            pre_tokens: (options.sparse_mode.pre_tokens()) i64, next_tokens: (options.sparse_mode.next_tokens()) i64,
            head_num: (options.head_num) i64, input_layout: (options.input_layout.text()) Text, inner_precise: (0) i64,
            sparse_mode: (options.sparse_mode.number()) i64, softmax_max: out f32, softmax_sum: out f32,
            softmax_out: (None) Option<In<T>>, attention_out: out T
        )
        = aclnnFlashAttentionScore, aclnnFlashAttentionScoreGetWorkspaceSize, |op| Attention::trained(op, options, [&query.dims, &key.dims, &value.dims])
            .and_then(|attention| attention.check_scores(real_shift.map(|shift| &shift.dims), atten_mask.map(|mask| &mask.dims), options.sparse_mode)
                .and(attention.check_out(&attention_out.dims)).and(attention.check_figures(&[&softmax_max.dims, &softmax_sum.dims], 8)));
    /// Prepares attention of a whole prompt (`aclnnPromptFlashAttentionV3`):
    /// `softmax(scale_value * query * key + pse_shift) * value`.
    ///
    /// All tensors have the dimensions of `input_layout`. `pse_shift` has the shape `[batch or 1, heads, queries, keys]`.
    /// `atten_mask` has `[queries, keys]`, or `[batch or 1, heads or 1, queries, keys]`; the other modes of [`SparseMode`]
    /// than the default one take one of `[2048, 2048]`, true above the diagonal. Quantized elements are for
    /// [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnPromptFlashAttentionV3", "aclnnPromptFlashAttentionV3GetWorkspaceSize"))]
    PromptFlashAttentionV3<T: Half>,
        prompt_flash_attention_v3(
            query: dense T, key: dense T, value: dense T, pse_shift: maybe T, atten_mask: maybe Bool,
            options: [&InferAttentionOptions<'_>: options.actual_seq_lengths => Option<Ints>],
            actual_seq_lengths_kv: (options.actual_seq_lengths_kv) Option<Ints>, deq_scale1: (None) Option<In<u64>>,
            quant_scale1: (None) Option<In<f32>>, deq_scale2: (None) Option<In<u64>>, quant_scale2: (None) Option<In<f32>>,
            quant_offset2: (None) Option<In<f32>>, num_heads: (options.num_heads) i64, scale_value: (options.scale_value) f64,
            pre_tokens: (options.sparse_mode.pre_tokens()) i64, next_tokens: (options.sparse_mode.next_tokens()) i64,
            input_layout: (options.input_layout.text()) Text, num_key_value_heads: (options.num_key_value_heads) i64,
            sparse_mode: (options.sparse_mode.number()) i64, inner_precise: (options.inner_precise as i64) i64,
            attention_out: dense_out T
        )
        = aclnnPromptFlashAttentionV3, aclnnPromptFlashAttentionV3GetWorkspaceSize, |op| Attention::inferred(op, options, [&query.dims, &key.dims, &value.dims])
            .and_then(|attention| attention.check_scores(pse_shift.map(|shift| &shift.dims), atten_mask.map(|mask| &mask.dims), options.sparse_mode)
                .and(attention.check_out(&attention_out.dims)));
    /// Prepares attention of one query to all keys (`aclnnIncreFlashAttentionV4`):
    /// `softmax(scale_value * query * key + pse_shift) * value`.
    ///
    /// All tensors have the dimensions of `input_layout`, and the queries have one position. `pse_shift` has the shape
    /// `[batch or 1, heads, 1, keys]`, and `atten_mask` has `[batch, keys]`. `sparse_mode` and `actual_seq_lengths` have
    /// their defaults. Quantized and paged keys are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnIncreFlashAttentionV4", "aclnnIncreFlashAttentionV4GetWorkspaceSize"))]
    IncreFlashAttentionV4<T: Half>,
        incre_flash_attention_v4(
            query: dense T, key: [&Tensor<'b, X, T>: &[key] => List<T>], value: [&Tensor<'b, X, T>: &[value] => List<T>],
            pse_shift: maybe T, atten_mask: maybe Bool,
            options: [&InferAttentionOptions<'_>: options.actual_seq_lengths_kv => Option<Ints>],
            dequant_scale1: (None) Option<In<u64>>, quant_scale1: (None) Option<In<f32>>,
            dequant_scale2: (None) Option<In<u64>>, quant_scale2: (None) Option<In<f32>>,
            quant_offset2: (None) Option<In<f32>>, antiquant_scale: (None) Option<In<T>>,
            antiquant_offset: (None) Option<In<T>>, block_table: (None) Option<In<i32>>,
            kv_padding_size: (None) Option<In<i64>>, num_heads: (options.num_heads) i64,
            scale_value: (options.scale_value) f64, input_layout: (options.input_layout.text()) Text,
            num_key_value_heads: (options.num_key_value_heads) i64, block_size: (0) i64,
            inner_precise: (options.inner_precise as i64) i64, attention_out: dense_out T
        )
        = aclnnIncreFlashAttentionV4, aclnnIncreFlashAttentionV4GetWorkspaceSize, |op| Attention::inferred(op, options, [&query.dims, &key.dims, &value.dims])
            .and_then(|attention| attention.check_one_query(pse_shift.map(|shift| &shift.dims), atten_mask.map(|mask| &mask.dims), options)
                .and(attention.check_out(&attention_out.dims)));
    /// Prepares attention of a prompt, or of one query to all keys (`aclnnFusedInferAttentionScoreV2`):
    /// `softmax(scale_value * query * key + pse_shift) * value`.
    ///
    /// All tensors have the dimensions of `input_layout`. `pse_shift` has the shape `[batch or 1, heads, queries, keys]`.
    /// `atten_mask` has `[queries, keys]`, or `[batch or 1, heads or 1, queries, keys]`; the other modes of [`SparseMode`]
    /// than the default one take one of `[2048, 2048]`, true above the diagonal. Quantized and paged keys and the
    /// logarithms of the sums are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV2GetWorkspaceSize"))]
    FusedInferAttentionScoreV2<T: Half>,
        fused_infer_attention_score_v2(
            query: dense T, key: [&Tensor<'b, X, T>: &[key] => List<T>], value: [&Tensor<'b, X, T>: &[value] => List<T>],
            pse_shift: maybe T, atten_mask: maybe Bool,
            options: [&InferAttentionOptions<'_>: options.actual_seq_lengths => Option<Ints>],
            actual_seq_lengths_kv: (options.actual_seq_lengths_kv) Option<Ints>, deq_scale1: (None) Option<In<u64>>,
            quant_scale1: (None) Option<In<f32>>, deq_scale2: (None) Option<In<u64>>, quant_scale2: (None) Option<In<f32>>,
            quant_offset2: (None) Option<In<f32>>, antiquant_scale: (None) Option<In<T>>,
            antiquant_offset: (None) Option<In<T>>, block_table: (None) Option<In<i32>>,
            query_padding_size: (None) Option<In<i64>>, kv_padding_size: (None) Option<In<i64>>,
            key_antiquant_scale: (None) Option<In<T>>, key_antiquant_offset: (None) Option<In<T>>,
            value_antiquant_scale: (None) Option<In<T>>, value_antiquant_offset: (None) Option<In<T>>,
            key_shared_prefix: (None) Option<In<T>>, value_shared_prefix: (None) Option<In<T>>,
            actual_shared_prefix_len: (None) Option<Ints>, num_heads: (options.num_heads) i64,
            scale_value: (options.scale_value) f64, pre_tokens: (options.sparse_mode.pre_tokens()) i64,
            next_tokens: (options.sparse_mode.next_tokens()) i64, input_layout: (options.input_layout.text()) Text,
            num_key_value_heads: (options.num_key_value_heads) i64, sparse_mode: (options.sparse_mode.number()) i64,
            inner_precise: (options.inner_precise as i64) i64, block_size: (0) i64, antiquant_mode: (0) i64,
            softmax_lse_flag: (false) bool, key_antiquant_mode: (0) i64, value_antiquant_mode: (0) i64,
            attention_out: dense_out T, softmax_lse: (None) Option<In<f32>>
        )
        = aclnnFusedInferAttentionScoreV2, aclnnFusedInferAttentionScoreV2GetWorkspaceSize, |op| Attention::inferred(op, options, [&query.dims, &key.dims, &value.dims])
            .and_then(|attention| attention.check_scores(pse_shift.map(|shift| &shift.dims), atten_mask.map(|mask| &mask.dims), options.sparse_mode)
                .and(attention.check_out(&attention_out.dims)));
    /// Prepares attention of a prompt, or of one query to all keys (`aclnnFusedInferAttentionScoreV3`):
    /// `softmax(scale_value * query * key + pse_shift) * value`.
    ///
    /// All tensors have the dimensions of `input_layout`. `pse_shift` has the shape `[batch or 1, heads, queries, keys]`.
    /// `atten_mask` has `[queries, keys]`, or `[batch or 1, heads or 1, queries, keys]`; the other modes of [`SparseMode`]
    /// than the default one take one of `[2048, 2048]`, true above the diagonal. Quantized and paged keys, rotated parts and
    /// the logarithms of the sums are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnFusedInferAttentionScoreV3", "aclnnFusedInferAttentionScoreV3GetWorkspaceSize"))]
    FusedInferAttentionScoreV3<T: Half>,
        fused_infer_attention_score_v3(
            query: dense T, key: [&Tensor<'b, X, T>: &[key] => List<T>], value: [&Tensor<'b, X, T>: &[value] => List<T>],
            pse_shift: maybe T, atten_mask: maybe Bool,
            options: [&InferAttentionOptions<'_>: options.actual_seq_lengths => Option<Ints>],
            actual_seq_lengths_kv: (options.actual_seq_lengths_kv) Option<Ints>, deq_scale1: (None) Option<In<u64>>,
            quant_scale1: (None) Option<In<f32>>, deq_scale2: (None) Option<In<u64>>, quant_scale2: (None) Option<In<f32>>,
            quant_offset2: (None) Option<In<f32>>, antiquant_scale: (None) Option<In<T>>,
            antiquant_offset: (None) Option<In<T>>, block_table: (None) Option<In<i32>>,
            query_padding_size: (None) Option<In<i64>>, kv_padding_size: (None) Option<In<i64>>,
            key_antiquant_scale: (None) Option<In<T>>, key_antiquant_offset: (None) Option<In<T>>,
            value_antiquant_scale: (None) Option<In<T>>, value_antiquant_offset: (None) Option<In<T>>,
            key_shared_prefix: (None) Option<In<T>>, value_shared_prefix: (None) Option<In<T>>,
            actual_shared_prefix_len: (None) Option<Ints>, query_rope: (None) Option<In<T>>, key_rope: (None) Option<In<T>>,
            key_rope_antiquant_scale: (None) Option<In<T>>, num_heads: (options.num_heads) i64,
            scale_value: (options.scale_value) f64, pre_tokens: (options.sparse_mode.pre_tokens()) i64,
            next_tokens: (options.sparse_mode.next_tokens()) i64, input_layout: (options.input_layout.text()) Text,
            num_key_value_heads: (options.num_key_value_heads) i64, sparse_mode: (options.sparse_mode.number()) i64,
            inner_precise: (options.inner_precise as i64) i64, block_size: (0) i64, antiquant_mode: (0) i64,
            softmax_lse_flag: (false) bool, key_antiquant_mode: (0) i64, value_antiquant_mode: (0) i64,
            attention_out: dense_out T, softmax_lse: (None) Option<In<f32>>
        )
        = aclnnFusedInferAttentionScoreV3, aclnnFusedInferAttentionScoreV3GetWorkspaceSize, |op| Attention::inferred(op, options, [&query.dims, &key.dims, &value.dims])
            .and_then(|attention| attention.check_scores(pse_shift.map(|shift| &shift.dims), atten_mask.map(|mask| &mask.dims), options.sparse_mode)
                .and(attention.check_out(&attention_out.dims)));
}

/// The sizes of a tensor of heads: batches, heads, positions, and the elements of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Heads {
    batches: i64,
    heads: i64,
    positions: i64,
    width: i64,
}

impl Heads {
    /// Reads the sizes from a shape. Layouts without a dimension for the heads need their number.
    fn new(
        operator: &'static str,
        dims: &Dims,
        layout: AttentionLayout,
        heads: i64,
    ) -> Result<Heads> {
        let (rank, [batches, found, positions, width]) = match layout {
            AttentionLayout::Bsh => (3, [dims.size(0), heads, dims.size(1), dims.size(2)]),
            AttentionLayout::Sbh => (3, [dims.size(1), heads, dims.size(0), dims.size(2)]),
            AttentionLayout::Bsnd => (4, [dims.size(0), dims.size(2), dims.size(1), dims.size(3)]),
            AttentionLayout::Bnsd => (4, [dims.size(0), dims.size(1), dims.size(2), dims.size(3)]),
        };
        dims.check_rank(operator, rank)?;
        let parts = if rank == 3 { heads } else { 1 };
        if heads < 1 || found != heads || width % parts != 0 {
            let rule = "the dimension of the heads has this number of them, or the last dimension has a part for each";
            return Err(dims.numbers(operator, &[heads], rule));
        }
        Ok(Heads {
            batches,
            heads,
            positions,
            width: width / parts,
        })
    }

    /// The shape with these sizes.
    fn shape(self, layout: AttentionLayout) -> Vec<i64> {
        let Heads {
            batches,
            heads,
            positions,
            width,
        } = self;
        match layout {
            AttentionLayout::Bsh => vec![batches, positions, heads * width],
            AttentionLayout::Sbh => vec![positions, batches, heads * width],
            AttentionLayout::Bsnd => vec![batches, positions, heads, width],
            AttentionLayout::Bnsd => vec![batches, heads, positions, width],
        }
    }
}

/// Queries, keys and values that go together.
struct Attention<'a> {
    operator: &'static str,
    layout: AttentionLayout,
    query: (&'a Dims, Heads),
    key: &'a Dims,
    value: &'a Dims,
    /// The number of keys.
    keys: i64,
    /// The elements of a head of the values.
    width: i64,
}

impl<'a> Attention<'a> {
    fn new(
        operator: &'static str,
        layout: AttentionLayout,
        [heads, of_keys]: [i64; 2],
        [query, key, value]: [&'a Dims; 3],
    ) -> Result<Attention<'a>> {
        let of_query = Heads::new(operator, query, layout, heads)?;
        let of_key = Heads::new(operator, key, layout, of_keys)?;
        let of_value = Heads::new(operator, value, layout, of_keys)?;
        if heads % of_keys != 0 {
            let rule = "the heads of the queries are a multiple of those of the keys";
            return Err(query.numbers(operator, &[heads, of_keys], rule));
        }
        let expected = Heads {
            batches: of_query.batches,
            width: of_query.width,
            ..of_key
        };
        key.check_beside(operator, query, &expected.shape(layout))?;
        let expected = Heads {
            width: of_value.width,
            ..of_key
        };
        value.check_beside(operator, key, &expected.shape(layout))?;
        Ok(Attention {
            operator,
            layout,
            query: (query, of_query),
            key,
            value,
            keys: of_key.positions,
            width: of_value.width,
        })
    }

    /// Checks the operands of training. The number of heads of the keys follows from their width.
    fn trained(
        operator: &'static str,
        options: &FlashAttentionOptions,
        tensors: [&'a Dims; 3],
    ) -> Result<Attention<'a>> {
        let (layout, heads) = (options.input_layout, options.head_num);
        let [query, key, _] = tensors;
        let of_query = Heads::new(operator, query, layout, heads)?;
        let of_keys = match layout {
            AttentionLayout::Bsnd => key.size(2),
            AttentionLayout::Bnsd => key.size(1),
            AttentionLayout::Bsh | AttentionLayout::Sbh => {
                key.size(2).checked_div(of_query.width).unwrap_or(heads)
            }
        };
        Attention::new(operator, layout, [heads, of_keys], tensors)
    }

    /// Checks the operands of inference, and the numbers of queries and keys that count.
    fn inferred(
        operator: &'static str,
        options: &InferAttentionOptions<'_>,
        tensors: [&'a Dims; 3],
    ) -> Result<Attention<'a>> {
        let (layout, heads) = (options.input_layout, options.num_heads);
        let [query, key, _] = tensors;
        if layout == AttentionLayout::Sbh {
            let rule = "the layout Sbh is for training; inference takes Bsh, Bsnd and Bnsd";
            return Err(query.numbers(operator, query.sizes(), rule));
        }
        let of_keys = match options.num_key_value_heads {
            0 => heads,
            given => given,
        };
        let attention = Attention::new(operator, layout, [heads, of_keys], tensors)?;
        let Heads {
            batches, positions, ..
        } = attention.query.1;
        for (dims, lengths, most) in [
            (query, options.actual_seq_lengths, positions),
            (key, options.actual_seq_lengths_kv, attention.keys),
        ] {
            let Some(lengths) = lengths else { continue };
            let fits = |length: i64| {
                (0..=most).contains(&length) && i64::try_from(lengths.len()) == Ok(batches)
            };
            let rule = "there is a number for each batch, up to the number of positions";
            dims.check_numbers(operator, lengths, fits, rule)?;
            if lengths.is_empty() && batches > 0 {
                return Err(dims.numbers(operator, lengths, rule));
            }
        }
        Ok(attention)
    }

    /// Checks what has a number for each score: the shift and the mask.
    fn check_scores(
        &self,
        shift: Option<&Dims>,
        mask: Option<&Dims>,
        mode: SparseMode,
    ) -> Result<()> {
        let (query, heads) = self.query;
        let scores = [heads.positions, self.keys];
        // A dimension of the batches, or of the heads, may have one element for all.
        let one_or = |dims: &Dims, dim: usize, whole: i64| match dims.size(dim) {
            1 => 1,
            _ => whole,
        };
        if let Some(shift) = shift {
            let batches = one_or(shift, 0, heads.batches);
            let expected = [batches, heads.heads, scores[0], scores[1]];
            shift.check_beside(self.operator, query, &expected)?;
        }
        if mode != SparseMode::Default {
            return match mask {
                Some(mask) => mask.check_beside(self.operator, query, &[COMPRESSED; 2]),
                None => {
                    let rule =
                        "this sparse mode takes a mask of these sizes, true above the diagonal";
                    Err(query.numbers(self.operator, &[COMPRESSED; 2], rule))
                }
            };
        }
        match mask {
            Some(mask) if mask.rank == 2 => mask.check_beside(self.operator, query, &scores),
            Some(mask) => {
                let (batches, each) =
                    (one_or(mask, 0, heads.batches), one_or(mask, 1, heads.heads));
                mask.check_beside(self.operator, query, &[batches, each, scores[0], scores[1]])
            }
            None => Ok(()),
        }
    }

    /// Checks attention of one query.
    fn check_one_query(
        &self,
        shift: Option<&Dims>,
        mask: Option<&Dims>,
        options: &InferAttentionOptions<'_>,
    ) -> Result<()> {
        let (query, heads) = self.query;
        let is_default = options.sparse_mode == SparseMode::Default;
        if heads.positions != 1 || !is_default || options.actual_seq_lengths.is_some() {
            let rule = "there is one query, which sees all keys: sparse_mode and actual_seq_lengths have their defaults";
            return Err(query.numbers(self.operator, &[heads.positions], rule));
        }
        self.check_scores(shift, None, SparseMode::Default)?;
        mask.map_or(Ok(()), |mask| {
            mask.check_beside(self.operator, query, &[heads.batches, self.keys])
        })
    }

    /// Checks that the result has the layout of the queries, and heads as wide as those of the values.
    fn check_out(&self, out: &Dims) -> Result<()> {
        let (query, heads) = self.query;
        let expected = Heads {
            width: self.width,
            ..heads
        };
        out.check_is(self.operator, query, &expected.shape(self.layout))?;
        self.check_filled(out)
    }

    /// Checks figures of each query, so many times.
    fn check_figures(&self, figures: &[&Dims], times: i64) -> Result<()> {
        let (query, heads) = self.query;
        let expected = [heads.batches, heads.heads, heads.positions, times];
        figures.iter().try_for_each(|figure| {
            figure.check_is(self.operator, query, &expected)?;
            self.check_filled(figure)
        })
    }

    /// Checks that queries, keys and values have elements if the output has some.
    fn check_filled(&self, out: &Dims) -> Result<()> {
        let (query, _) = self.query;
        let mut operands = [query, self.key, self.value].into_iter();
        operands.try_for_each(|operand| operand.check_filled(self.operator, out))
    }
}
