//! The operators by their names, with the attributes that each reads.

use super::call::{Call, Many, One, Value};
use super::math::{self, binary, compare, map, map_both, test, variadic};
use super::recurrent::{Cell, network};
use super::{
    attention, control, conv, deform, index, layout, linear, norm, pool, quantize, random, reduce,
    resize, signal, train,
};
use crate::graph::Node;

/// How an operator is computed.
enum Run {
    One(fn(&Call<'_>) -> One),
    Many(fn(&Call<'_>) -> Many),
    Values(fn(&Call<'_>) -> Result<Vec<Value>, String>),
}
use Run::{Many as M, One as O, Values as V};

/// The name of an operator, its attributes, and its computation.
type Entry = (&'static str, &'static str, Run);

const WINDOW: &str = "auto_pad dilations kernel_shape pads strides group ceil_mode";
const REDUCE: &str = "axes keepdims noop_with_empty_axes";
const RANDOM: &str = "dtype high low mean scale seed shape";
const RECURRENT: &str = "activation_alpha activation_beta activations clip direction hidden_size layout \
                         linear_before_reset input_forget";

const OPERATORS: &[Entry] = &[
    ("Abs", "", O(|call| map_both(call, f64::abs, i128::abs))),
    ("Acos", "", O(|call| map(call, f64::acos))),
    ("Acosh", "", O(|call| map(call, f64::acosh))),
    (
        "Add",
        "",
        O(|call| binary(call, |a, b| a + b, |a, b| a + b)),
    ),
    ("AffineGrid", "align_corners", O(resize::affine)),
    (
        "And",
        "",
        O(|call| compare(call, |a, b| a != 0.0 && b != 0.0, |a, b| a != 0 && b != 0)),
    ),
    (
        "ArgMax",
        "axis keepdims select_last_index",
        O(|call| reduce::position(call, true)),
    ),
    (
        "ArgMin",
        "axis keepdims select_last_index",
        O(|call| reduce::position(call, false)),
    ),
    ("Asin", "", O(|call| map(call, f64::asin))),
    ("Asinh", "", O(|call| map(call, f64::asinh))),
    ("Atan", "", O(|call| map(call, f64::atan))),
    ("Atanh", "", O(|call| map(call, f64::atanh))),
    (
        "Attention",
        "is_causal kv_num_heads q_num_heads qk_matmul_output_mode scale softcap softmax_precision left_window_size \
         right_window_size",
        M(attention::attention),
    ),
    (
        "AveragePool",
        "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides",
        O(pool::average),
    ),
    (
        "BatchNormalization",
        "epsilon momentum training_mode",
        M(norm::batch),
    ),
    ("Bernoulli", RANDOM, O(random::bernoulli)),
    ("BitCast", "to", O(math::bit_cast)),
    ("BitShift", "direction", O(math::shift)),
    (
        "BitwiseAnd",
        "",
        O(|call| binary(call, |a, _| a, |a, b| a & b)),
    ),
    ("BitwiseNot", "", O(|call| map_both(call, |a| a, |a| !a))),
    (
        "BitwiseOr",
        "",
        O(|call| binary(call, |a, _| a, |a, b| a | b)),
    ),
    (
        "BitwiseXor",
        "",
        O(|call| binary(call, |a, _| a, |a, b| a ^ b)),
    ),
    (
        "BlackmanWindow",
        "output_datatype periodic",
        O(|call| signal::window(call, signal::BLACKMAN)),
    ),
    ("Cast", "to saturate", O(math::cast)),
    ("CastLike", "saturate", O(math::cast_like)),
    ("CausalConvWithState", "activation", M(conv::causal)),
    ("Ceil", "", O(|call| map(call, f64::ceil))),
    ("Celu", "alpha", O(math::celu)),
    ("CenterCropPad", "axes", O(layout::center)),
    ("Clip", "min max", O(math::clip)),
    ("Col2Im", "dilations pads strides", O(conv::columns)),
    ("Compress", "axis", O(layout::compress)),
    ("Concat", "axis", O(layout::concat)),
    (
        "ConcatFromSequence",
        "axis new_axis",
        O(control::concat_from_sequence),
    ),
    (
        "Constant",
        "value value_float value_floats value_int value_ints value_string value_strings",
        V(layout::constant),
    ),
    ("ConstantOfShape", "value", O(layout::constant_of_shape)),
    ("Conv", WINDOW, O(conv::conv)),
    ("ConvInteger", WINDOW, O(quantize::integer_convolution)),
    (
        "ConvTranspose",
        "auto_pad dilations group kernel_shape output_padding output_shape pads strides",
        O(conv::transpose),
    ),
    ("Cos", "", O(|call| map(call, f64::cos))),
    ("Cosh", "", O(|call| map(call, f64::cosh))),
    (
        "CumProd",
        "exclusive reverse",
        O(|call| reduce::running(call, false)),
    ),
    (
        "CumSum",
        "exclusive reverse",
        O(|call| reduce::running(call, true)),
    ),
    ("DFT", "axis inverse onesided", O(signal::dft)),
    (
        "DeformConv",
        "dilations group kernel_shape offset_group pads strides",
        O(deform::conv),
    ),
    (
        "DepthToSpace",
        "blocksize mode",
        O(|call| layout::depth_and_space(call, false)),
    ),
    (
        "DequantizeLinear",
        "axis block_size output_dtype",
        O(quantize::dequantize),
    ),
    ("Det", "", O(linear::determinant)),
    ("Div", "", O(math::divide)),
    ("Dropout", "ratio seed", M(norm::dropout)),
    ("DynamicQuantizeLinear", "", M(quantize::dynamic)),
    ("Einsum", "equation", O(linear::einsum)),
    ("Elu", "alpha", O(math::elu)),
    (
        "Equal",
        "",
        O(|call| compare(call, |a, b| a == b, |a, b| a == b)),
    ),
    ("Erf", "", O(|call| map(call, math::erf))),
    ("Exp", "", O(|call| map(call, f64::exp))),
    ("Expand", "", O(layout::expand)),
    ("EyeLike", "dtype k", O(layout::eye)),
    ("Flatten", "axis", O(layout::flatten)),
    ("Floor", "", O(|call| map(call, f64::floor))),
    ("GRU", RECURRENT, M(|call| network(call, Cell::Gated))),
    ("Gather", "axis", O(index::gather)),
    ("GatherElements", "axis", O(index::gather_elements)),
    ("GatherND", "batch_dims", O(index::gather_nd)),
    ("Gelu", "approximate", O(math::gelu)),
    ("Gemm", "alpha beta transA transB", O(linear::gemm)),
    (
        "GlobalAveragePool",
        "",
        O(|call| pool::global(call, pool::mean_of)),
    ),
    (
        "GlobalMaxPool",
        "",
        O(|call| pool::global(call, pool::most_of)),
    ),
    (
        "Greater",
        "",
        O(|call| compare(call, |a, b| a > b, |a, b| a > b)),
    ),
    (
        "GreaterOrEqual",
        "",
        O(|call| compare(call, |a, b| a >= b, |a, b| a >= b)),
    ),
    (
        "GridSample",
        "align_corners mode padding_mode",
        O(resize::sample),
    ),
    (
        "GroupNormalization",
        "epsilon num_groups stash_type",
        O(norm::group),
    ),
    (
        "HammingWindow",
        "output_datatype periodic",
        O(|call| signal::window(call, signal::HAMMING)),
    ),
    (
        "HannWindow",
        "output_datatype periodic",
        O(|call| signal::window(call, signal::HANN)),
    ),
    ("HardSigmoid", "alpha beta", O(math::hard_sigmoid)),
    (
        "HardSwish",
        "",
        O(|call| map(call, |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0))),
    ),
    ("Hardmax", "axis", O(reduce::hardmax)),
    (
        "Identity",
        "",
        V(|call| Ok(call.inputs.first().cloned().flatten().into_iter().collect())),
    ),
    ("If", "else_branch then_branch", V(control::branch)),
    ("InstanceNormalization", "epsilon", O(norm::instance)),
    ("IsInf", "detect_negative detect_positive", O(math::is_inf)),
    ("IsNaN", "", O(|call| test(call, f64::is_nan))),
    ("LRN", "alpha beta bias size", O(norm::local_response)),
    ("LSTM", RECURRENT, M(|call| network(call, Cell::Long))),
    (
        "LayerNormalization",
        "axis epsilon stash_type",
        M(norm::layer),
    ),
    (
        "LeakyRelu",
        "alpha",
        O(|call| {
            let alpha = call.float("alpha", 0.01);
            map(call, |x| if x < 0.0 { alpha * x } else { x })
        }),
    ),
    (
        "Less",
        "",
        O(|call| compare(call, |a, b| a < b, |a, b| a < b)),
    ),
    (
        "LessOrEqual",
        "",
        O(|call| compare(call, |a, b| a <= b, |a, b| a <= b)),
    ),
    (
        "LinearAttention",
        "chunk_size kv_num_heads q_num_heads scale update_rule",
        M(attention::linear),
    ),
    ("Log", "", O(|call| map(call, f64::ln))),
    ("LogSoftmax", "axis", O(|call| reduce::softmax(call, true))),
    ("Loop", "body", V(control::repeat)),
    ("LpNormalization", "axis p", O(norm::length)),
    (
        "LpPool",
        "auto_pad ceil_mode dilations kernel_shape p pads strides",
        O(pool::norm),
    ),
    ("MatMul", "", O(linear::matmul)),
    ("MatMulInteger", "", O(linear::matmul_integer)),
    ("Max", "", O(|call| variadic(call, math::larger, i128::max))),
    (
        "MaxPool",
        "auto_pad ceil_mode dilations kernel_shape pads storage_order strides",
        M(pool::max),
    ),
    ("MaxUnpool", "kernel_shape pads strides", O(pool::unpool)),
    ("Mean", "", O(math::mean)),
    ("MeanVarianceNormalization", "axes", O(norm::mean_variance)),
    ("MelWeightMatrix", "output_datatype", O(signal::mel)),
    (
        "Min",
        "",
        O(|call| variadic(call, math::smaller, i128::min)),
    ),
    (
        "Mish",
        "",
        O(|call| map(call, |x| x * math::softplus(x).tanh())),
    ),
    ("Mod", "fmod", O(math::modulo)),
    (
        "Mul",
        "",
        O(|call| binary(call, |a, b| a * b, i128::wrapping_mul)),
    ),
    ("Neg", "", O(|call| map_both(call, |a| -a, |a| -a))),
    (
        "NegativeLogLikelihoodLoss",
        "ignore_index reduction",
        O(train::negative_log_likelihood),
    ),
    ("NonMaxSuppression", "center_point_box", O(index::suppress)),
    ("NonZero", "", O(layout::non_zero)),
    (
        "Not",
        "",
        O(|call| map_both(call, |a| a, |a| i128::from(a == 0))),
    ),
    ("OneHot", "axis", O(layout::one_hot)),
    ("Optional", "type", V(control::optional)),
    ("OptionalGetElement", "", V(control::optional)),
    ("OptionalHasElement", "", V(control::optional)),
    (
        "Or",
        "",
        O(|call| compare(call, |a, b| a != 0.0 || b != 0.0, |a, b| a != 0 || b != 0)),
    ),
    ("PRelu", "", O(index::slopes)),
    ("Pad", "mode pads value", O(layout::pad)),
    ("Pow", "", O(math::power)),
    ("QLinearConv", WINDOW, O(quantize::convolution)),
    ("QLinearMatMul", "", O(linear::quantized_matmul)),
    (
        "QuantizeLinear",
        "axis block_size output_dtype precision saturate",
        O(quantize::quantize),
    ),
    (
        "RMSNormalization",
        "axis epsilon stash_type",
        O(norm::root_mean_square),
    ),
    ("RNN", RECURRENT, M(|call| network(call, Cell::Simple))),
    ("RandomNormal", RANDOM, O(random::normal)),
    ("RandomNormalLike", RANDOM, O(random::normal)),
    ("RandomUniform", RANDOM, O(random::uniform)),
    ("RandomUniformLike", RANDOM, O(random::uniform)),
    ("Range", "", O(layout::range)),
    ("Reciprocal", "", O(|call| map(call, f64::recip))),
    ("ReduceL1", REDUCE, O(reduce::sum_of_sizes)),
    ("ReduceL2", REDUCE, O(reduce::length)),
    ("ReduceLogSum", REDUCE, O(reduce::log_sum)),
    ("ReduceLogSumExp", REDUCE, O(reduce::log_sum_exp)),
    ("ReduceMax", REDUCE, O(reduce::largest)),
    ("ReduceMean", REDUCE, O(reduce::mean)),
    ("ReduceMin", REDUCE, O(reduce::smallest)),
    ("ReduceProd", REDUCE, O(reduce::product)),
    ("ReduceSum", REDUCE, O(reduce::sum)),
    ("ReduceSumSquare", REDUCE, O(reduce::sum_of_squares)),
    (
        "Relu",
        "",
        O(|call| map_both(call, |x| if x < 0.0 { 0.0 } else { x }, |x| x.max(0))),
    ),
    ("Reshape", "allowzero shape", O(layout::reshape)),
    (
        "Resize",
        "antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value \
         keep_aspect_ratio_policy mode nearest_mode",
        O(resize::resize),
    ),
    (
        "ReverseSequence",
        "batch_axis time_axis",
        O(layout::reverse_sequence),
    ),
    (
        "RoiAlign",
        "coordinate_transformation_mode mode output_height output_width sampling_ratio spatial_scale",
        O(resize::regions),
    ),
    (
        "RotaryEmbedding",
        "interleaved num_heads rotary_embedding_dim",
        O(attention::rotary),
    ),
    ("Round", "", O(|call| map(call, f64::round_ties_even))),
    ("STFT", "onesided", O(signal::stft)),
    (
        "Scan",
        "body num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions",
        V(control::scan),
    ),
    ("Scatter", "axis", O(index::scatter_elements)),
    (
        "ScatterElements",
        "axis reduction",
        O(index::scatter_elements),
    ),
    ("ScatterND", "reduction", O(index::scatter_nd)),
    ("Selu", "alpha gamma", O(math::selu)),
    ("SequenceAt", "", V(control::sequence)),
    ("SequenceConstruct", "", V(control::sequence)),
    ("SequenceEmpty", "dtype", V(control::sequence)),
    ("SequenceErase", "", V(control::sequence)),
    ("SequenceInsert", "", V(control::sequence)),
    ("SequenceLength", "", V(control::sequence)),
    ("Shape", "end start", O(layout::shape)),
    ("Shrink", "bias lambd", O(math::shrink)),
    ("Sigmoid", "", O(|call| map(call, math::sigmoid))),
    ("Sign", "", O(math::sign)),
    ("Sin", "", O(|call| map(call, f64::sin))),
    ("Sinh", "", O(|call| map(call, f64::sinh))),
    ("Size", "", O(layout::size)),
    ("Slice", "axes ends starts", O(layout::slice)),
    ("Softmax", "axis", O(|call| reduce::softmax(call, false))),
    (
        "SoftmaxCrossEntropyLoss",
        "ignore_index reduction",
        M(train::cross_entropy),
    ),
    ("Softplus", "", O(|call| map(call, math::softplus))),
    ("Softsign", "", O(|call| map(call, |x| x / (1.0 + x.abs())))),
    (
        "SpaceToDepth",
        "blocksize mode",
        O(|call| layout::depth_and_space(call, true)),
    ),
    ("Split", "axis num_outputs split", M(layout::split)),
    (
        "SplitToSequence",
        "axis keepdims",
        V(control::split_to_sequence),
    ),
    ("Sqrt", "", O(|call| map(call, f64::sqrt))),
    ("Squeeze", "axes", O(layout::squeeze)),
    (
        "Sub",
        "",
        O(|call| binary(call, |a, b| a - b, |a, b| a - b)),
    ),
    (
        "Sum",
        "",
        O(|call| variadic(call, |a, b| a + b, |a, b| a + b)),
    ),
    ("SwiGLU", "alpha", O(math::swiglu)),
    ("Swish", "alpha", O(attention::swish)),
    ("Tan", "", O(|call| map(call, f64::tan))),
    ("Tanh", "", O(|call| map(call, f64::tanh))),
    ("TensorScatter", "axis mode", O(index::tensor_scatter)),
    (
        "TfIdfVectorizer",
        "max_gram_length max_skip_count min_gram_length mode ngram_counts ngram_indexes pool_int64s weights",
        O(index::count_sequences),
    ),
    (
        "ThresholdedRelu",
        "alpha",
        O(|call| {
            let alpha = call.float("alpha", 1.0);
            map(call, |x| if x > alpha { x } else { 0.0 })
        }),
    ),
    ("Tile", "", O(layout::tile)),
    ("TopK", "axis k largest sorted", M(reduce::top)),
    ("Transpose", "perm", O(layout::transpose)),
    ("Trilu", "upper", O(layout::triangle)),
    ("Unique", "axis sorted", M(index::unique)),
    ("Unsqueeze", "axes", O(layout::unsqueeze)),
    ("Upsample", "mode scales", O(resize::upsample)),
    ("Where", "", O(math::choose)),
    (
        "Xor",
        "",
        O(|call| {
            compare(
                call,
                |a, b| (a != 0.0) != (b != 0.0),
                |a, b| (a != 0) != (b != 0),
            )
        }),
    ),
    ("ai.onnx.ml.ArrayFeatureExtractor", "", O(index::features)),
    ("ai.onnx.ml.Binarizer", "threshold", O(train::binarizer)),
    (
        "ai.onnx.preview.FlexAttention",
        "prob_mod scale score_mod softmax_precision",
        O(attention::flexible),
    ),
    (
        "ai.onnx.preview.training.Adagrad",
        "decay_factor epsilon norm_coefficient",
        M(train::adagrad),
    ),
    (
        "ai.onnx.preview.training.Adam",
        "alpha beta epsilon norm_coefficient norm_coefficient_post",
        M(train::adam),
    ),
    (
        "ai.onnx.preview.training.Momentum",
        "alpha beta mode norm_coefficient",
        M(train::momentum),
    ),
];

fn find(node: &Node) -> Option<&'static Entry> {
    let mut all = OPERATORS.iter();
    if node.domain.is_empty() {
        return all.find(|(name, ..)| *name == node.op);
    }
    all.find(|(name, ..)| {
        let rest = name.strip_prefix(node.domain.as_str());
        rest.and_then(|rest| rest.strip_prefix('.')) == Some(node.op.as_str())
    })
}

/// Computes the outputs of a node.
pub(crate) fn compute(call: &Call<'_>) -> Result<Vec<Value>, String> {
    match find(call.node) {
        Some((.., O(run))) => Ok(vec![run(call)?.into()]),
        Some((.., M(run))) => Ok(run(call)?.into_iter().map(Value::from).collect()),
        Some((.., V(run))) => run(call),
        None => Err("this engine does not have it".to_owned()),
    }
}

/// Returns why a node cannot be computed, from its name and its attributes.
pub(crate) fn refuse(node: &Node, version: i64) -> Option<String> {
    let Some((_, known, _)) = find(node) else {
        let domain = if node.domain.is_empty() {
            "ONNX"
        } else {
            &node.domain
        };
        return Some(format!(
            "this engine has no such operator of {domain}; export the model without it, or write it out by other operators"
        ));
    };
    if node.op == "Scan" && version < 9 {
        return Some(
            "this engine does not know its version 8; convert the model to version 9 or newer"
                .to_owned(),
        );
    }
    // An attribute of the first versions of ONNX that told where memory may be used again.
    let mut names = node
        .attributes
        .keys()
        .filter(|name| *name != "consumed_inputs");
    let unknown = names.find(|name| !known.split_whitespace().any(|one| one == *name))?;
    Some(format!(
        "this engine does not know its attribute `{unknown}`; export the model without it, or write the operator out by \
         others"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_once() {
        let names: Vec<_> = OPERATORS.iter().map(|(name, ..)| *name).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert!(names.windows(2).all(|two| two.first() != two.last()));
    }

    #[test]
    fn an_unknown_operator_or_attribute_is_refused_by_name() {
        let mut node = Node {
            op: "Relu".to_owned(),
            ..Node::default()
        };
        assert_eq!(refuse(&node, 20), None);
        node.attributes
            .insert("slope".to_owned(), crate::graph::Attribute::Whole(1));
        assert!(refuse(&node, 20).is_some_and(|why| why.contains("attribute `slope`")));
        node.op = "Relux".to_owned();
        assert!(refuse(&node, 20).is_some_and(|why| why.contains("no such operator")));
    }
}
