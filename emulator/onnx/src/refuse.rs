//! Operators that the engine computes wrongly, without a word: a model that uses one is refused, with its name.

use std::collections::BTreeMap;

use ascendcl_emulator::model::Unreadable;
use rten_onnx::onnx::{DataType, GraphProto, ModelProto, NodeProto, TensorProto};

use crate::first::is_first;

/// Refuses a model with an operator that the engine computes wrongly.
pub(crate) fn refuse(model: &ModelProto) -> Result<(), Unreadable> {
    model
        .graph
        .iter()
        .try_for_each(|graph| refuse_graph(graph, true))
}

fn refuse_graph(graph: &GraphProto, is_main: bool) -> Result<(), Unreadable> {
    let values = Values::of(graph);
    for node in &graph.node {
        let kind = node.op_type.as_deref().unwrap_or_default();
        if let Some(why) = wrong(kind, node, &values, is_main) {
            let unnamed = || node.output.first();
            let name = node
                .name
                .as_ref()
                .filter(|name| !name.is_empty())
                .or_else(unnamed);
            let name = name.map_or("", String::as_str);
            let text = format!("{kind} `{name}`: the engine computes {why}");
            return Err(Unreadable::Unsupported(text));
        }
        for inner in node.attribute.iter().filter_map(|one| one.g.as_ref()) {
            refuse_graph(inner, false)?;
        }
    }
    Ok(())
}

/// Returns what is wrong with the results of a node.
fn wrong(kind: &str, node: &NodeProto, values: &Values<'_>, is_main: bool) -> Option<&'static str> {
    let pads = text(node, "auto_pad");
    match kind {
        "Sign" => Some("1 for 0"),
        "ArgMax" | "ArgMin" if is_first(node) && !is_main => {
            Some("the last of equal elements in the graph of a branch or loop")
        }
        "ConvTranspose" if pads.starts_with("SAME") => Some("it without the padding of `auto_pad`"),
        _ if pads == "SAME_LOWER" => Some("`auto_pad` SAME_LOWER as SAME_UPPER"),
        "NonMaxSuppression" => {
            Some("one limit for all classes, and boxes with flipped corners as empty ones")
        }
        "DynamicQuantizeLinear" => Some("numbers beside the nearest one"),
        "QuantizeLinear" if !values.is_single(node, 1) && !has(node, "axis") => {
            Some("scales along the last axis, where the second one is meant without `axis`")
        }
        "MatMul"
            if values.rank(node, 1) == Some(1)
                && values.rank(node, 0).is_none_or(|rank| rank > 2) =>
        {
            Some("the product of several matrices and a vector with a dimension too many")
        }
        "ReduceMax" | "ReduceMin" if values.has_infinite => {
            Some("the largest finite number for a row of infinite ones")
        }
        "Resize" => wrong_size(node, values),
        _ => None,
    }
}

/// Returns what is wrong with the results of a `Resize`.
fn wrong_size(node: &NodeProto, values: &Values<'_>) -> Option<&'static str> {
    if text(node, "mode") == "cubic" {
        return Some("the mode `cubic` as `linear`");
    }
    let is_given = |index: usize| node.input.get(index).is_some_and(|name| !name.is_empty());
    let scales = is_given(2).then(|| values.floats(node, 2));
    let is_aligned = text(node, "coordinate_transformation_mode") == "align_corners";
    match scales {
        // No scales, or an empty list of them: sizes.
        None => is_aligned.then_some("not a number for an output of one element"),
        Some(Some(scales)) if scales.is_empty() => {
            is_aligned.then_some("not a number for an output of one element")
        }
        Some(Some(scales))
            if scales
                .iter()
                .all(|scale| *scale >= 1.0 && scale.fract() == 0.0) =>
        {
            None
        }
        Some(_) => Some("the ratio of the sizes for scales that are no whole numbers"),
    }
}

/// Returns whether a node has an attribute.
fn has(node: &NodeProto, name: &str) -> bool {
    let mut all = node.attribute.iter();
    all.any(|one| one.name.as_deref() == Some(name))
}

/// Returns a text among the attributes of a node.
fn text<'a>(node: &'a NodeProto, name: &str) -> &'a str {
    let mut all = node.attribute.iter();
    let found = all.find(|one| one.name.as_deref() == Some(name));
    found.and_then(|one| one.s.as_deref()).unwrap_or_default()
}

/// What a graph tells about its values.
struct Values<'a> {
    known: BTreeMap<&'a str, &'a TensorProto>,
    ranks: BTreeMap<&'a str, usize>,
    /// Whether a constant has an infinite number.
    has_infinite: bool,
}

impl<'a> Values<'a> {
    fn of(graph: &'a GraphProto) -> Self {
        let constants = graph.node.iter().filter_map(|node| {
            let value = node.attribute.iter().find_map(|one| one.t.as_ref());
            let is_constant = node.op_type.as_deref() == Some("Constant");
            Some((
                node.output.first()?.as_str(),
                value.filter(|_| is_constant)?,
            ))
        });
        let weights = graph.initializer.iter();
        let weights = weights.filter_map(|one| Some((one.name.as_deref()?, one)));
        let known: BTreeMap<_, _> = constants.chain(weights).collect();
        let listed = [&graph.input, &graph.output, &graph.value_info];
        let ranks = listed.into_iter().flatten().filter_map(|value| {
            let tensor = value.r#type.as_ref()?.tensor_type.as_ref()?;
            Some((value.name.as_deref()?, tensor.shape.as_ref()?.dim.len()))
        });
        let constants = known.iter().map(|(name, value)| (*name, value.dims.len()));
        let ranks = ranks.chain(constants).collect();
        let mut all = known.values().filter_map(|one| floats(one));
        let has_infinite = all.any(|numbers| numbers.iter().any(|number| number.is_infinite()));
        Values {
            known,
            ranks,
            has_infinite,
        }
    }

    /// Returns the number of dimensions of an operand, if the file tells it.
    fn rank(&self, node: &NodeProto, index: usize) -> Option<usize> {
        self.ranks.get(node.input.get(index)?.as_str()).copied()
    }

    /// Returns whether an operand is one number.
    fn is_single(&self, node: &NodeProto, index: usize) -> bool {
        self.rank(node, index) == Some(0)
    }

    /// Returns the numbers of an operand, if it is a constant.
    fn floats(&self, node: &NodeProto, index: usize) -> Option<Vec<f32>> {
        floats(self.known.get(node.input.get(index)?.as_str())?)
    }
}

/// Returns the numbers of a tensor of single precision.
fn floats(tensor: &TensorProto) -> Option<Vec<f32>> {
    if tensor.data_type != Some(DataType::FLOAT) {
        return None;
    }
    let Some(raw) = &tensor.raw_data else {
        return Some(tensor.float_data.clone());
    };
    let raw = raw.borrow();
    let (numbers, _) = raw.as_chunks();
    Some(
        numbers
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rten_onnx::onnx::{
        AttributeProto, Dimension, TensorShapeProto, TypeProto, TypeProtoTensor, ValueInfoProto,
    };

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn node(kind: &str, inputs: &[&str], attributes: &[(&str, &str)]) -> NodeProto {
        let attributes = attributes.iter().map(|(name, value)| AttributeProto {
            name: Some((*name).to_owned()),
            s: Some((*value).to_owned()),
            ..AttributeProto::default()
        });
        NodeProto {
            op_type: Some(kind.to_owned()),
            input: texts(inputs),
            output: texts(&["y"]),
            attribute: attributes.collect(),
            ..NodeProto::default()
        }
    }

    fn value(name: &str, rank: usize) -> ValueInfoProto {
        let shape = TensorShapeProto {
            dim: vec![Dimension::default(); rank],
        };
        let tensor = TypeProtoTensor {
            shape: Some(shape),
            ..TypeProtoTensor::default()
        };
        ValueInfoProto {
            name: Some(name.to_owned()),
            r#type: Some(TypeProto {
                tensor_type: Some(tensor),
                ..TypeProto::default()
            }),
        }
    }

    fn constant(name: &str, numbers: &[f32]) -> TensorProto {
        TensorProto {
            name: Some(name.to_owned()),
            data_type: Some(DataType::FLOAT),
            dims: vec![numbers.len() as i64],
            float_data: numbers.to_vec(),
            ..TensorProto::default()
        }
    }

    /// A graph with values of every rank, and constants.
    fn graph(node: NodeProto) -> GraphProto {
        GraphProto {
            node: vec![node],
            input: ["number", "vector", "matrix", "matrices"]
                .iter()
                .enumerate()
                .map(|(rank, name)| value(name, rank))
                .collect(),
            initializer: vec![
                constant("twice", &[1.0, 1.0, 2.0, 2.0]),
                constant("less", &[1.0, 1.0, 0.6, 2.0]),
                constant("none", &[]),
            ],
            ..GraphProto::default()
        }
    }

    fn said(graph: GraphProto) -> Option<String> {
        let model = ModelProto {
            graph: Some(graph),
            ..ModelProto::default()
        };
        refuse(&model).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_computed_wrongly_is_refused_and_its_neighbour_is_not() {
        let aligned = ("coordinate_transformation_mode", "align_corners");
        for (wrong, right) in [
            (
                node("Sign", &["vector"], &[]),
                node("Abs", &["vector"], &[]),
            ),
            (
                node("ConvTranspose", &["x", "w"], &[("auto_pad", "SAME_UPPER")]),
                node("ConvTranspose", &["x", "w"], &[("auto_pad", "VALID")]),
            ),
            (
                node("MaxPool", &["x"], &[("auto_pad", "SAME_LOWER")]),
                node("MaxPool", &["x"], &[("auto_pad", "SAME_UPPER")]),
            ),
            (
                node("NonMaxSuppression", &["b", "s"], &[]),
                node("TopK", &["b", "s"], &[]),
            ),
            (
                node("DynamicQuantizeLinear", &["vector"], &[]),
                node("DequantizeLinear", &["vector", "vector"], &[]),
            ),
            (
                node("QuantizeLinear", &["matrix", "vector"], &[]),
                node("QuantizeLinear", &["matrix", "vector"], &[("axis", "")]),
            ),
            (
                node("MatMul", &["matrices", "vector"], &[]),
                node("MatMul", &["matrix", "vector"], &[]),
            ),
            (
                node("Resize", &["x", "", "twice"], &[("mode", "cubic")]),
                node("Resize", &["x", "", "twice"], &[("mode", "linear")]),
            ),
            (
                node("Resize", &["x", "", "less"], &[("mode", "nearest")]),
                node(
                    "Resize",
                    &["x", "", "none", "sizes"],
                    &[("mode", "nearest")],
                ),
            ),
            (
                node("Resize", &["x", "", "vector"], &[]),
                node("Resize", &["x", "", "", "sizes"], &[]),
            ),
            (
                node("Resize", &["x", "", "", "sizes"], &[aligned]),
                node("Resize", &["x", "", "twice"], &[aligned]),
            ),
        ] {
            let text = said(graph(wrong.clone())).unwrap_or_default();
            let kind = wrong.op_type.as_deref().unwrap_or_default();
            assert!(
                text.contains(&format!("{kind} `y`: the engine computes")),
                "{wrong:?}: {text}"
            );
            assert_eq!(said(graph(right.clone())), None, "{right:?}");
        }
    }

    #[test]
    fn graphs_in_attributes_and_infinite_constants_count() {
        let branch = |inner: NodeProto| {
            let mut node = node("If", &["number"], &[("then_branch", "")]);
            for attribute in &mut node.attribute {
                attribute.g = Some(graph(inner.clone()));
            }
            said(graph(node))
        };
        assert!(branch(node("Sign", &["vector"], &[])).is_some());
        assert!(branch(node("ArgMax", &["vector"], &[])).is_some());
        assert_eq!(branch(node("Abs", &["vector"], &[])), None);
        assert_eq!(said(graph(node("ArgMax", &["vector"], &[]))), None);
        let mut most = graph(node("ReduceMax", &["vector"], &[]));
        assert_eq!(said(most.clone()), None);
        most.initializer
            .push(constant("mask", &[0.0, f32::NEG_INFINITY]));
        assert!(said(most).is_some_and(|text| text.contains("ReduceMax `y`")));
    }
}
