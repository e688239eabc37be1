//! `ArgMax` and `ArgMin`: the engine returns the last of equal elements, and ONNX wants the first one. The engine's `TopK`
//! has the order of ONNX, so these nodes become a `TopK` of one element.

use rten_onnx::onnx::{ModelProto, NodeProto};

use crate::wire::{File, put, put_int};

/// Returns whether a node takes the position of the largest or the smallest element, the first one of equal elements.
pub(crate) fn is_first(node: &NodeProto) -> bool {
    matches!(node.op_type.as_deref(), Some("ArgMax" | "ArgMin"))
        && attribute(node, "select_last_index", 0) == 0
}

/// Replaces the nodes of the graph.
pub(crate) fn replace(mut file: File, model: &ModelProto) -> Vec<u8> {
    let mut fields = Vec::new();
    let nodes = model.graph.iter().flat_map(|graph| &graph.node);
    for (number, node) in nodes.enumerate() {
        if let (true, [from], [to]) = (is_first(node), &node.input[..], &node.output[..]) {
            file.remove_node(number);
            append(&mut fields, node, from, to);
        }
    }
    file.with_fields(&fields)
}

/// Appends the fields of a graph that compute what `node` does.
fn append(fields: &mut Vec<u8>, node: &NodeProto, from: &str, to: &str) {
    let axis = attribute(node, "axis", 0);
    let is_largest = node.op_type.as_deref() == Some("ArgMax");
    let keeps = attribute(node, "keepdims", 1) != 0;
    let [one, axes, kept] =
        ["one", "axes", "kept"].map(|what| format!("{to}/first of equals/{what}"));
    put(fields, 5, &whole(&one, 1));
    let found = if keeps { to } else { &kept };
    let mut topk = operator("TopK", &[from, &one], &["", found]);
    for (name, value) in [
        ("axis", axis),
        ("largest", is_largest.into()),
        ("sorted", 1),
    ] {
        put(&mut topk, 5, &whole_attribute(name, value));
    }
    put(fields, 1, &topk);
    if !keeps {
        put(fields, 5, &whole(&axes, axis));
        put(fields, 1, &operator("Squeeze", &[&kept, &axes], &[to]));
    }
}

/// Returns a whole number among the attributes of a node.
pub(crate) fn attribute(node: &NodeProto, name: &str, otherwise: i64) -> i64 {
    let mut all = node.attribute.iter();
    let found = all.find(|one| one.name.as_deref() == Some(name));
    found.and_then(|one| one.i).unwrap_or(otherwise)
}

/// Makes a node.
fn operator(kind: &str, inputs: &[&str], outputs: &[&str]) -> Vec<u8> {
    let mut node = Vec::new();
    for (field, names) in [(1, inputs), (2, outputs), (4, &[kind][..])] {
        for name in names {
            put(&mut node, field, name.as_bytes());
        }
    }
    node
}

/// Makes an attribute with a whole number.
fn whole_attribute(name: &str, value: i64) -> Vec<u8> {
    const INT: i64 = 2;
    let mut attribute = Vec::new();
    put(&mut attribute, 1, name.as_bytes());
    put_int(&mut attribute, 3, value);
    put_int(&mut attribute, 20, INT);
    attribute
}

/// Makes a tensor of one whole number.
fn whole(name: &str, value: i64) -> Vec<u8> {
    const INT64: i64 = 7;
    let mut tensor = Vec::new();
    put_int(&mut tensor, 1, 1);
    put_int(&mut tensor, 2, INT64);
    put(&mut tensor, 8, name.as_bytes());
    put(&mut tensor, 9, &value.to_le_bytes());
    tensor
}
