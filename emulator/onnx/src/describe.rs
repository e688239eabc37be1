//! The description of a model, from the content of its file.

use std::collections::BTreeSet;

use ascendcl_emulator::model::{Description, Dim, Port, Unreadable};
use ascendcl_sys::{ACL_BOOL, ACL_FLOAT, ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8, aclDataType};
use rten_onnx::onnx::{
    DataLocation, DataType, GraphProto, ModelProto, TensorProto, ValueInfoProto,
};

/// Describes a model.
pub(crate) fn describe(model: &ModelProto) -> Result<Description, Unreadable> {
    let graph = model.graph.as_ref();
    let graph = graph.ok_or_else(|| Unreadable::Damaged("the file has no graph".to_owned()))?;
    if graph.output.is_empty() {
        return Err(Unreadable::Damaged("its graph has no output".to_owned()));
    }
    if graph
        .initializer
        .iter()
        .any(|weights| weights.data_location == Some(DataLocation::EXTERNAL))
    {
        return Err(Unreadable::Unsupported(
            "its weights are in another file; export the model with its weights inside".to_owned(),
        ));
    }
    Ok(Description {
        inputs: inputs(graph)?,
        outputs: graph.output.iter().map(port).collect::<Result<_, _>>()?,
        weight_bytes: graph.initializer.iter().map(bytes).sum(),
        metadata: metadata(model),
    })
}

/// Returns the names of all values, those of the graphs in branches and loops included.
pub(crate) fn values(model: &ModelProto) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    let mut open = Vec::from_iter(&model.graph);
    while let Some(graph) = open.pop() {
        let listed = [&graph.input, &graph.output].into_iter().flatten();
        let ports = listed.filter_map(|value| value.name.as_ref());
        let weights = graph.initializer.iter().filter_map(|one| one.name.as_ref());
        let made = graph.node.iter().flat_map(|node| &node.output);
        names.extend(
            ports
                .chain(weights)
                .chain(made)
                .map(|name| name.clone().into_bytes()),
        );
        let attributes = graph.node.iter().flat_map(|node| &node.attribute);
        open.extend(attributes.filter_map(|one| one.g.as_ref()));
    }
    names
}

/// Returns the inputs without those that the file has values for: older files list their weights as inputs, too.
fn inputs(graph: &GraphProto) -> Result<Vec<Port>, Unreadable> {
    let known: BTreeSet<_> = graph
        .initializer
        .iter()
        .map(|weights| &weights.name)
        .collect();
    let free = graph
        .input
        .iter()
        .filter(|input| !known.contains(&input.name));
    free.map(port).collect()
}

fn port(value: &ValueInfoProto) -> Result<Port, Unreadable> {
    let name = value.name.clone().unwrap_or_default();
    let tensor = value
        .r#type
        .as_ref()
        .and_then(|kind| kind.tensor_type.as_ref());
    let found = tensor.and_then(|tensor| tensor.elem_type);
    let data_type = found.and_then(element).ok_or_else(|| {
        Unreadable::Unsupported(format!(
            "`{name}` has elements of the ONNX type {found:?}; convert them to float"
        ))
    })?;
    let shape = tensor
        .and_then(|tensor| tensor.shape.as_ref())
        .map(|shape| {
            let dims = shape.dim.iter().map(|dim| match dim.dim_value {
                Some(number) if number >= 0 => Dim::Fixed(number as usize),
                _ => Dim::Named(dim.dim_param.clone().unwrap_or_default()),
            });
            dims.collect()
        });
    Ok(Port {
        name,
        data_type,
        shape,
    })
}

/// Returns the element type of AscendCL for one of ONNX.
fn element(of: DataType) -> Option<aclDataType> {
    Some(match of {
        DataType::FLOAT => ACL_FLOAT,
        DataType::INT64 => ACL_INT64,
        DataType::INT32 => ACL_INT32,
        DataType::INT8 => ACL_INT8,
        DataType::UINT8 => ACL_UINT8,
        DataType::BOOL => ACL_BOOL,
        _ => return None,
    })
}

/// Returns the bytes of weights.
fn bytes(weights: &TensorProto) -> usize {
    let size = match weights.data_type {
        Some(DataType::INT64 | DataType::DOUBLE | DataType::UINT64) => 8,
        Some(DataType::FLOAT16 | DataType::BFLOAT16 | DataType::INT16 | DataType::UINT16) => 2,
        Some(DataType::INT8 | DataType::UINT8 | DataType::BOOL) => 1,
        _ => 4,
    };
    let dims = weights
        .dims
        .iter()
        .map(|dim| usize::try_from(*dim).unwrap_or(0));
    dims.fold(size, usize::saturating_mul)
}

fn metadata(model: &ModelProto) -> Vec<(String, String)> {
    let entries = model.metadata_props.iter();
    let pairs = entries.map(|entry| {
        (
            entry.key.clone().unwrap_or_default(),
            entry.value.clone().unwrap_or_default(),
        )
    });
    pairs.collect()
}
