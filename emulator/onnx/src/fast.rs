//! The engine rten: which operators it computes right, and a part of a graph as a model of it.

use std::collections::BTreeSet;

use rten::{DataType, Model, NodeId, Value, ValueOrView};
use rten_tensor::Tensor as Array;
use rten_tensor::prelude::*;

use crate::dtype::DType;
use crate::graph::{Attribute, Node};
use crate::infer::All;
use crate::own::call::common;
use crate::tensor::{Data, Tensor, count};
use crate::wire::{put, put_float, put_int};

/// Operators that the engine computes right for operands of the type `float`, under the conditions of [`is_right`].
const FLOAT: &[&str] = &[
    "Abs",
    "Add",
    "AveragePool",
    "BatchNormalization",
    "Ceil",
    "Clip",
    "Concat",
    "Conv",
    "ConvTranspose",
    "Cos",
    "DepthToSpace",
    "Div",
    "Einsum",
    "Elu",
    "Erf",
    "Exp",
    "Expand",
    "Flatten",
    "Floor",
    "GRU",
    "Gather",
    "Gelu",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "InstanceNormalization",
    "LSTM",
    "LayerNormalization",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "MatMul",
    "MaxPool",
    "Mul",
    "Neg",
    "PRelu",
    "Pad",
    "Pow",
    "ReduceL2",
    "ReduceMean",
    "ReduceSum",
    "ReduceSumSquare",
    "Reciprocal",
    "Relu",
    "Reshape",
    "Resize",
    "Sigmoid",
    "Sin",
    "Slice",
    "Softmax",
    "Softplus",
    "Split",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Tanh",
    "Tile",
    "Transpose",
    "Unsqueeze",
    "Where",
];

/// The same for operands of the types `uint8` and `int8`.
const QUANTIZED: &[&str] = &["ConvInteger", "DequantizeLinear", "MatMulInteger"];

/// The most that a number of a window is here: the engine makes memory for padding and steps of any size.
const WINDOW: u64 = 1 << 12;

/// Returns whether an operand has the sizes of the result, for which the engine makes memory without a comparison. Such a node
/// is a part of its own, so that the shape of its operand is known before it runs ([`fits`]).
pub(crate) fn takes_sizes(node: &Node) -> bool {
    matches!(node.op.as_str(), "Expand" | "Pad" | "Resize" | "Tile")
}

/// Returns the place of the operand that has the sizes.
pub(crate) fn place_of_sizes(node: &Node) -> usize {
    if node.op == "Resize" { 3 } else { 1 }
}

/// Returns whether memory holds the result of a node that takes sizes, for an operand of this shape.
pub(crate) fn fits(node: &Node, shape: &[usize], sizes: &[i64]) -> bool {
    let sizes: Vec<usize> = sizes
        .iter()
        .map(|one| usize::try_from(*one).unwrap_or(0))
        .collect();
    let pairs = || shape.iter().zip(&sizes);
    let result: Vec<usize> = match node.op.as_str() {
        "Expand" => return common(&[shape, &sizes]).is_ok(),
        "Tile" => pairs().map(|(dim, by)| dim.saturating_mul(*by)).collect(),
        "Pad" => {
            let behind = sizes.iter().skip(shape.len());
            let both = pairs().zip(behind);
            both.map(|((dim, before), behind)| dim.saturating_add(*before).saturating_add(*behind))
                .collect()
        }
        _ => sizes,
    };
    count(&result).is_ok()
}

/// Returns whether the engine computes a node, and computes it right.
pub(crate) fn is_right(node: &Node, known: &All, version: i64) -> bool {
    let of = |index: usize| {
        let found = node.inputs.get(index).and_then(|name| known.get(name));
        found.copied().unwrap_or_default()
    };
    if node.domain == "com.microsoft" && node.op == "MatMulNBits" {
        return of(0).kind == Some(DType::F32);
    }
    let op = node.op.as_str();
    let is_listed = if QUANTIZED.contains(&op) {
        matches!(of(0).kind, Some(DType::U8 | DType::I8))
    } else {
        let data = usize::from(op == "Where");
        FLOAT.contains(&op) && of(data).kind == Some(DType::F32)
    };
    let held = |index: usize| {
        let is_missing = node.inputs.get(index).is_none_or(String::is_empty);
        let kinds = [
            DType::F32,
            DType::I64,
            DType::I32,
            DType::Bool,
            DType::U8,
            DType::I8,
        ];
        is_missing || of(index).kind.is_some_and(|kind| kinds.contains(&kind))
    };
    if !node.domain.is_empty() || !is_listed || !(0..node.inputs.len()).all(held) {
        return false;
    }
    let whole = |name: &str, otherwise: i64| match node.attributes.get(name) {
        Some(Attribute::Whole(one)) => *one,
        _ => otherwise,
    };
    let text = |name: &str| match node.attributes.get(name) {
        Some(Attribute::Text(text)) => text.as_str(),
        _ => "",
    };
    let auto = text("auto_pad");
    if !matches!(auto, "" | "NOTSET" | "VALID" | "SAME_UPPER") {
        return false;
    }
    let windows = [
        "dilations",
        "kernel_shape",
        "output_padding",
        "pads",
        "strides",
    ];
    let is_small = |name: &&str| match node.attributes.get(*name) {
        Some(Attribute::Wholes(all)) => all.iter().all(|one| one.unsigned_abs() <= WINDOW),
        _ => true,
    };
    if !windows.iter().all(is_small) {
        return false;
    }
    let has = |name: &str| node.attributes.contains_key(name);
    match op {
        "ConvTranspose" => auto != "SAME_UPPER" && !has("output_shape"),
        "AveragePool" => {
            whole("ceil_mode", 0) == 0 && !has("dilations") && !auto.starts_with("SAME")
        }
        "MaxPool" => node.outputs.len() == 1 && whole("ceil_mode", 0) == 0 && !has("dilations"),
        "BatchNormalization" => node.outputs.len() == 1 && whole("training_mode", 0) == 0,
        "LayerNormalization" => node.outputs.len() == 1,
        // The engine gives a product with a vector a dimension too many.
        "MatMul" => {
            let is_matrix = |index: usize| of(index).rank.is_some_and(|rank| rank > 1);
            is_matrix(0) && is_matrix(1)
        }
        // Before version 13 the dimensions from the axis on count as one.
        "Softmax" | "LogSoftmax" => {
            let last = of(0).rank.map(|rank| rank as i64 - 1);
            version >= 13 || last == Some(whole("axis", 1)) || whole("axis", 1) == -1
        }
        // With attributes in the place of operands.
        "Clip" | "Pad" => version >= 11 && text("mode") != "wrap" && node.inputs.len() < 4,
        "Resize" => version >= 11 && is_plain_resize(node, &text),
        "Slice" => version >= 10,
        "LSTM" | "GRU" => {
            let unusual = ["activations", "clip", "layout", "input_forget"];
            !unusual.iter().any(|name| has(name)) && node.inputs.len() < 5
                || !unusual.iter().any(|name| has(name))
                    && node.inputs.get(4).is_none_or(String::is_empty)
                    && node.inputs.get(7).is_none_or(String::is_empty)
        }
        "Squeeze" | "Unsqueeze" | "Split" | "ReduceSum" => version >= 13,
        "ReduceMean" | "ReduceL2" | "ReduceSumSquare" => !has("noop_with_empty_axes"),
        "DequantizeLinear" => of(1).rank == Some(0) && !has("block_size") && !has("output_dtype"),
        "Gemm" => of(2).rank.is_none_or(|rank| rank <= 2),
        "MatMulInteger" => (2..4).all(|at| of(at).rank.is_none_or(|rank| rank == 0)),
        _ => true,
    }
}

/// Returns whether a `Resize` repeats elements, or takes the mean of two between centres, to given sizes.
fn is_plain_resize<'a>(node: &Node, text: &impl Fn(&str) -> &'a str) -> bool {
    let names = [
        "antialias",
        "axes",
        "exclude_outside",
        "keep_aspect_ratio_policy",
    ];
    let has_sizes = node.inputs.get(3).is_some_and(|name| !name.is_empty());
    let ways = matches!(
        (
            text("mode"),
            text("coordinate_transformation_mode"),
            text("nearest_mode")
        ),
        ("" | "nearest", "asymmetric", "floor")
            | ("linear", "" | "half_pixel" | "pytorch_half_pixel", _)
    );
    has_sizes && ways && !names.iter().any(|name| node.attributes.contains_key(*name))
}

/// A part of a graph that the engine runs.
pub(crate) struct Part {
    model: Model,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// The inputs and the outputs in the model.
    ids: [Vec<NodeId>; 2],
}

/// An operand that is the same in each run.
pub(crate) struct Fixed<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: DType,
    pub(crate) shape: &'a [usize],
    pub(crate) bytes: &'a [u8],
}

impl Part {
    /// Makes a model of these nodes.
    pub(crate) fn new(
        nodes: &[&Node],
        fixed: &[Fixed<'_>],
        inputs: &BTreeSet<&str>,
        outputs: &BTreeSet<&str>,
        (known, version): (&All, i64),
    ) -> Result<Part, String> {
        let mut graph = Vec::new();
        for node in nodes {
            put(&mut graph, 1, &encode(node));
        }
        put(&mut graph, 2, b"part");
        for one in fixed {
            put(
                &mut graph,
                5,
                &encode_fixed(one.name, one.kind, one.shape, one.bytes),
            );
        }
        for (field, names) in [(11, inputs), (12, outputs)] {
            for name in names {
                let kind = known.get(*name).and_then(|known| known.kind);
                put(&mut graph, field, &port(name, kind.unwrap_or(DType::F32)));
            }
        }
        let mut import = Vec::new();
        put_int(&mut import, 2, version);
        let mut contrib = Vec::new();
        put(&mut contrib, 1, b"com.microsoft");
        put_int(&mut contrib, 2, 1);
        let mut file = Vec::new();
        put_int(&mut file, 1, 8);
        put(&mut file, 8, &import);
        put(&mut file, 8, &contrib);
        put(&mut file, 7, &graph);
        let model = Model::load(file).map_err(|error| error.to_string())?;
        let ids = |names: &BTreeSet<&str>| -> Option<Vec<NodeId>> {
            names.iter().map(|name| model.find_node(name)).collect()
        };
        let missing = "a value is missing in the part";
        let ids = [ids(inputs).ok_or(missing)?, ids(outputs).ok_or(missing)?];
        let [inputs, outputs] =
            [inputs, outputs].map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Ok(Part {
            model,
            inputs,
            outputs,
            ids,
        })
    }
}

impl crate::plan::Part for Part {
    fn inputs(&self) -> &[String] {
        &self.inputs
    }

    fn outputs(&self) -> &[String] {
        &self.outputs
    }

    fn run(&self, inputs: &[&Value]) -> Result<Vec<Value>, String> {
        let [ids, outputs] = &self.ids;
        let values = inputs.iter().map(|value| ValueOrView::from(*value));
        let ids = ids.iter().copied().zip(values);
        let run = self.model.run(ids.collect(), outputs, None);
        run.map_err(|error| error.to_string())
    }
}

fn encode(node: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (field, names) in [(1, &node.inputs), (2, &node.outputs)] {
        for name in names {
            put(&mut bytes, field, name.as_bytes());
        }
    }
    // Without its name: the engine has one list of names for operators and values.
    put(&mut bytes, 4, node.op.as_bytes());
    put(&mut bytes, 7, node.domain.as_bytes());
    for (name, value) in &node.attributes {
        let mut one = Vec::new();
        put(&mut one, 1, name.as_bytes());
        let kind = match value {
            Attribute::Float(value) => {
                put_float(&mut one, 2, *value);
                1
            }
            Attribute::Whole(value) => {
                put_int(&mut one, 3, *value);
                2
            }
            Attribute::Text(value) => {
                put(&mut one, 4, value.as_bytes());
                3
            }
            Attribute::Floats(all) => {
                all.iter().for_each(|value| put_float(&mut one, 7, *value));
                6
            }
            Attribute::Wholes(all) => {
                all.iter().for_each(|value| put_int(&mut one, 8, *value));
                7
            }
            Attribute::Texts(all) => {
                all.iter()
                    .for_each(|value| put(&mut one, 9, value.as_bytes()));
                8
            }
            Attribute::Tensor(_) | Attribute::Graph(_) | Attribute::Other => continue,
        };
        put_int(&mut one, 20, kind);
        put(&mut bytes, 5, &one);
    }
    bytes
}

fn encode_fixed(name: &str, kind: DType, shape: &[usize], content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for dim in shape {
        put_int(&mut bytes, 1, *dim as i64);
    }
    put_int(&mut bytes, 2, kind.number());
    put(&mut bytes, 8, name.as_bytes());
    put(&mut bytes, 9, content);
    bytes
}

fn port(name: &str, kind: DType) -> Vec<u8> {
    let (mut bytes, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
    put_int(&mut inner, 1, kind.number());
    put(&mut outer, 1, &inner);
    put(&mut bytes, 1, name.as_bytes());
    put(&mut bytes, 2, &outer);
    bytes
}

/// Makes a value of the engine. Whole numbers beyond its 32 bits have none.
pub(crate) fn value(tensor: &Tensor) -> Option<Value> {
    fn all<T>(shape: &[usize], data: Vec<T>) -> Array<T> {
        Array::from_data(shape, data)
    }
    let shape = &tensor.shape[..];
    Some(match (tensor.kind, &tensor.data) {
        // CAST: exact, because it was rounded.
        (DType::F32, Data::Float(data)) => {
            all(shape, data.iter().map(|one| *one as f32).collect()).into()
        }
        (DType::I64 | DType::I32 | DType::Bool, Data::Whole(data)) => {
            let data: Option<Vec<i32>> = data.iter().map(|one| i32::try_from(*one).ok()).collect();
            all(shape, data?).into()
        }
        (DType::U8, Data::Whole(data)) => {
            let data: Option<Vec<u8>> = data.iter().map(|one| u8::try_from(*one).ok()).collect();
            all(shape, data?).into()
        }
        (DType::I8, Data::Whole(data)) => {
            let data: Option<Vec<i8>> = data.iter().map(|one| i8::try_from(*one).ok()).collect();
            all(shape, data?).into()
        }
        _ => return None,
    })
}

/// Makes a value of the engine from the bytes of `float`.
pub(crate) fn float_value(shape: &[usize], bytes: &[u8]) -> Value {
    let (fours, _) = bytes.as_chunks();
    let data: Vec<f32> = fours.iter().map(|four| f32::from_le_bytes(*four)).collect();
    Array::from_data(shape, data).into()
}

/// Makes an array of a value of the engine.
pub(crate) fn tensor(kind: DType, value: &Value) -> Option<Tensor> {
    let shape = value.shape().to_vec();
    Some(match value {
        Value::FloatTensor(all) => Tensor::float(
            DType::F32,
            &shape,
            all.iter().map(|one| f64::from(*one)).collect(),
        ),
        Value::Int32Tensor(all) => Tensor::whole(
            kind,
            &shape,
            all.iter().map(|one| i128::from(*one)).collect(),
        ),
        Value::UInt8Tensor(all) => Tensor::whole(
            DType::U8,
            &shape,
            all.iter().map(|one| i128::from(*one)).collect(),
        ),
        Value::Int8Tensor(all) => Tensor::whole(
            DType::I8,
            &shape,
            all.iter().map(|one| i128::from(*one)).collect(),
        ),
        _ => return None,
    })
}

/// Returns the shape and the bytes of a value of the type `float`, if it is one.
pub(crate) fn float_bytes(value: &Value) -> Option<(Vec<usize>, Vec<u8>)> {
    let Value::FloatTensor(all) = value else {
        return None;
    };
    let bytes = match all.data() {
        Some(data) => data.iter().flat_map(|one| one.to_le_bytes()).collect(),
        None => all.iter().flat_map(|one| one.to_le_bytes()).collect(),
    };
    Some((all.shape().to_vec(), bytes))
}

/// Returns whether a value has elements of this type.
pub(crate) fn has_kind(value: &Value, kind: DType) -> bool {
    let held = match value {
        Value::FloatTensor(_) => DataType::Float,
        Value::Int32Tensor(_) => DataType::Int32,
        Value::UInt8Tensor(_) => DataType::UInt8,
        Value::Int8Tensor(_) => DataType::Int8,
        _ => return false,
    };
    match kind {
        DType::F32 => held == DataType::Float,
        DType::I64 | DType::I32 | DType::Bool => held == DataType::Int32,
        DType::U8 => held == DataType::UInt8,
        DType::I8 => held == DataType::Int8,
        _ => false,
    }
}
