//! The description of a model, from the content of its file.

use std::collections::BTreeSet;

use ascendcl_emulator::model::{Description, Dim, Port, Unreadable};

use crate::dtype::DType;
use crate::graph::{File, Value};

/// Describes a model.
pub(crate) fn describe(file: &File) -> Result<Description, Unreadable> {
    let graph = &file.graph;
    if graph.outputs.is_empty() {
        return Err(Unreadable::Damaged("its graph has no output".to_owned()));
    }
    // Older files list their weights as inputs, too.
    let known: BTreeSet<_> = graph.weights.iter().map(|weights| &weights.name).collect();
    let free = graph
        .inputs
        .iter()
        .filter(|input| !known.contains(&input.name));
    Ok(Description {
        inputs: free.map(port).collect::<Result<_, _>>()?,
        outputs: graph.outputs.iter().map(port).collect::<Result<_, _>>()?,
        weight_bytes: graph
            .weights
            .iter()
            .map(|weights| weights.bytes.len())
            .sum(),
        metadata: file.metadata.clone(),
    })
}

fn port(value: &Value) -> Result<Port, Unreadable> {
    let name = value.name.clone();
    let found = value.kind.and_then(DType::of);
    let data_type = found.and_then(DType::acl).ok_or_else(|| {
        let said = match (value.kind, found) {
            (_, Some(kind)) => format!("has elements of the ONNX type {}", kind.name()),
            (Some(number), None) => format!("has elements of the ONNX type {number}"),
            (None, None) => "is no tensor".to_owned(),
        };
        Unreadable::Unsupported(format!(
            "`{name}` {said}, which AscendCL does not have; convert it to float"
        ))
    })?;
    Ok(Port {
        name,
        data_type,
        shape: value.shape.clone(),
    })
}

/// Forgets the shapes of outputs with a dimension that no input tells. A run finds them, and exporters write wrong ones.
pub(crate) fn forget_unknown(description: &mut Description) {
    let named = |port: &Port| {
        let dims: Vec<_> = port.shape.iter().flatten().cloned().collect();
        dims.into_iter().filter(|dim| matches!(dim, Dim::Named(_)))
    };
    let told: Vec<Dim> = description.inputs.iter().flat_map(named).collect();
    for port in &mut description.outputs {
        if !named(port).all(|dim| dim != Dim::Named(String::new()) && told.contains(&dim)) {
            port.shape = None;
        }
    }
}

/// Returns whether a shape is the one that the file tells.
pub(crate) fn fits(told: &[Dim], shape: &[usize]) -> bool {
    let mut dims = told.iter().zip(shape);
    told.len() == shape.len()
        && dims.all(|(told, size)| match told {
            Dim::Fixed(expected) => expected == size,
            Dim::Named(_) => true,
        })
}
