//! The element types and the numbers of dimensions of values, as far as the file and the operators tell them.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::dtype::DType;
use crate::graph::{Attribute, Graph, Node};

/// What is known about a value before a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Known {
    pub(crate) kind: Option<DType>,
    pub(crate) rank: Option<usize>,
}

/// The values of a graph by their names.
pub(crate) type All = HashMap<String, Known, FxBuildHasher>;

/// Returns what the file tells about the values of a graph.
pub(crate) fn told(graph: &Graph) -> All {
    let mut all = All::default();
    for value in graph
        .values
        .iter()
        .chain(&graph.outputs)
        .chain(&graph.inputs)
    {
        let kind = value.kind.and_then(DType::of);
        let rank = value.shape.as_ref().map(Vec::len);
        all.insert(value.name.clone(), Known { kind, rank });
    }
    for weights in &graph.weights {
        let known = Known {
            kind: DType::of(weights.kind),
            rank: Some(weights.shape.len()),
        };
        all.insert(weights.name.clone(), known);
    }
    all
}

/// Enters the outputs of a node. `constant` returns the whole numbers of a constant operand.
pub(crate) fn enter(all: &mut All, node: &Node, constant: &dyn Fn(&str) -> Option<Vec<i64>>) {
    let of = |index: usize| {
        let found = node.inputs.get(index).and_then(|name| all.get(name));
        found.copied().unwrap_or_default()
    };
    let rank = rank(node, &of, constant);
    let mut found = Vec::new();
    for (place, name) in node.outputs.iter().enumerate() {
        let kind = kind(node, place, &of);
        let rank = rank.filter(|_| place == 0 || !matches!(node.op.as_str(), "LSTM" | "GRU"));
        found.push((name.clone(), Known { kind, rank }));
    }
    for (name, new) in found {
        let old = all.entry(name).or_default();
        // What the operator says is certain; the file only repeats it.
        old.kind = new.kind.or(old.kind);
        old.rank = new.rank.or(old.rank);
    }
}

fn whole(node: &Node, name: &str) -> Option<i64> {
    match node.attributes.get(name) {
        Some(Attribute::Whole(one)) => Some(*one),
        _ => None,
    }
}

fn kind(node: &Node, place: usize, of: &impl Fn(usize) -> Known) -> Option<DType> {
    match (node.op.as_str(), place) {
        _ if !node.domain.is_empty() => (node.op == "MatMulNBits").then(|| of(0).kind)?,
        ("Shape" | "Size" | "ArgMax" | "ArgMin" | "NonZero" | "NonMaxSuppression", _)
        | ("TopK" | "MaxPool" | "Unique", 1..) => Some(DType::I64),
        (
            "Equal" | "Less" | "LessOrEqual" | "Greater" | "GreaterOrEqual" | "And" | "Or" | "Xor"
            | "Not" | "IsNaN" | "IsInf",
            _,
        )
        | ("Dropout", 1) => Some(DType::Bool),
        ("Cast" | "BitCast", _) => whole(node, "to").and_then(DType::of),
        ("CastLike" | "Where" | "DequantizeLinear", _) => of(1).kind,
        ("OneHot", _) => of(2).kind,
        ("QuantizeLinear", _) if node.inputs.len() < 3 => Some(
            whole(node, "output_dtype")
                .and_then(DType::of)
                .unwrap_or(DType::U8),
        ),
        ("QuantizeLinear", _) => of(2).kind,
        ("QLinearConv" | "QLinearMatMul", _) => of(7).kind,
        ("ConvInteger" | "MatMulInteger", _) => Some(DType::I32),
        ("DynamicQuantizeLinear", 1) => Some(DType::F32),
        ("DynamicQuantizeLinear", _) => Some(DType::U8),
        ("ConstantOfShape", _) => match node.attributes.get("value") {
            Some(Attribute::Tensor(value)) => DType::of(value.kind),
            _ => Some(DType::F32),
        },
        ("LayerNormalization" | "BatchNormalization", 1..) => None,
        ("EyeLike", _) if whole(node, "dtype").is_some() => {
            whole(node, "dtype").and_then(DType::of)
        }
        // The results of these are told by the file alone.
        (
            "If" | "Loop" | "Scan" | "Constant" | "SequenceAt" | "SequenceConstruct"
            | "SequenceEmpty" | "SequenceErase" | "SequenceInsert" | "SequenceLength"
            | "SplitToSequence" | "ConcatFromSequence" | "Optional" | "OptionalGetElement"
            | "OptionalHasElement" | "HannWindow" | "HammingWindow" | "BlackmanWindow"
            | "MelWeightMatrix",
            _,
        ) => None,
        _ => of(0).kind,
    }
}

fn rank(
    node: &Node,
    of: &impl Fn(usize) -> Known,
    constant: &dyn Fn(&str) -> Option<Vec<i64>>,
) -> Option<usize> {
    let first = of(0).rank;
    let listed = |index: usize, name: &str| match node.attributes.get(name) {
        Some(Attribute::Wholes(all)) => Some(all.clone()),
        _ => node.inputs.get(index).and_then(|name| constant(name)),
    };
    if !node.domain.is_empty() {
        return None;
    }
    match node.op.as_str() {
        "Add" | "Sub" | "Mul" | "Div" | "Pow" | "Max" | "Min" | "Sum" | "Mean" | "Where"
        | "PRelu" | "Equal" | "Less" | "Greater" | "And" | "Or" => {
            let ranks: Option<Vec<_>> = (0..node.inputs.len()).map(|at| of(at).rank).collect();
            ranks?.into_iter().max()
        }
        "MatMul" => match (first?, of(1).rank?) {
            (a, b) if a > 1 && b > 1 => Some(a.max(b)),
            _ => None,
        },
        "Gemm" | "Flatten" => Some(2),
        "Reshape" => Some(listed(1, "shape")?.len()),
        "Expand" => Some(first?.max(listed(1, "shape")?.len())),
        "Unsqueeze" => Some(first? + listed(1, "axes")?.len()),
        "Squeeze" => first?.checked_sub(listed(1, "axes")?.len()),
        "Gather" => (first? + of(1).rank?).checked_sub(1),
        "ReduceMean" | "ReduceSum" | "ReduceMax" | "ReduceMin" | "ReduceL2" | "ReduceSumSquare" => {
            if whole(node, "keepdims") == Some(0) {
                first?.checked_sub(listed(1, "axes")?.len())
            } else {
                first
            }
        }
        "LSTM" | "GRU" => Some(4),
        "Conv"
        | "ConvTranspose"
        | "MaxPool"
        | "AveragePool"
        | "GlobalAveragePool"
        | "GlobalMaxPool"
        | "Relu"
        | "Sigmoid"
        | "Tanh"
        | "Exp"
        | "Log"
        | "Sqrt"
        | "Erf"
        | "Elu"
        | "LeakyRelu"
        | "HardSigmoid"
        | "HardSwish"
        | "Gelu"
        | "Softplus"
        | "Neg"
        | "Abs"
        | "Reciprocal"
        | "Floor"
        | "Ceil"
        | "Clip"
        | "Softmax"
        | "LogSoftmax"
        | "BatchNormalization"
        | "InstanceNormalization"
        | "LayerNormalization"
        | "Transpose"
        | "Slice"
        | "Split"
        | "Concat"
        | "Pad"
        | "Identity"
        | "DepthToSpace"
        | "Resize"
        | "Cast"
        | "Dropout"
        | "Sin"
        | "Cos"
        | "Tile"
        | "DequantizeLinear"
        | "QuantizeLinear"
        | "TopK" => first,
        _ => None,
    }
}
