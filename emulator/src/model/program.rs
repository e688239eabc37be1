//! Programs: models with their inputs and outputs as AscendCL describes them, gears included.
//!
//! A model whose shapes are all known has one row of shapes. A model with gears has a row for each gear, and one input
//! more, whose memory holds the gear of a run.

use std::ffi::CString;
use std::sync::Arc;

use ascendcl_sys::{ACL_FORMAT_NCHW, ACL_FORMAT_ND, ACL_INT32, aclDataType, aclFormat};

use super::gears::{Gears, values};
use super::network::{Array, Description, Dim, Network, Port};
use crate::results::{every, every_some, list_of};
use crate::runtime;

/// The name of the input that holds the gear (`ACL_DYNAMIC_TENSOR_NAME`).
pub(super) const GEAR_INPUT: &str = "ascend_mbatch_shape_data";

/// An input or output as AscendCL describes it.
#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) name: CString,
    pub(super) data_type: aclDataType,
    pub(super) format: aclFormat,
    /// The shape; -1 is a dimension of an input that the gear decides.
    pub(super) shape: Vec<i64>,
    /// The bytes for the largest gear.
    pub(super) bytes: usize,
}

impl Tensor {
    /// Returns the bytes of an element.
    pub(super) fn unit(&self) -> usize {
        // SAFETY: takes a number.
        unsafe { runtime::aclDataTypeSize(self.data_type) }
    }
}

/// The shapes of one gear.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) inputs: Vec<Vec<usize>>,
    pub(super) outputs: Vec<Vec<usize>>,
}

/// A model that can run.
pub(super) struct Program {
    pub(super) network: Arc<dyn Network>,
    /// The inputs, the one for the gear last.
    pub(super) inputs: Vec<Tensor>,
    pub(super) outputs: Vec<Tensor>,
    pub(super) gears: Option<Gears>,
    /// The shapes of each gear; of a model without gears there is one.
    pub(super) shapes: Vec<Shapes>,
    pub(super) work_bytes: usize,
    pub(super) weight_bytes: usize,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish_non_exhaustive()
    }
}

impl Program {
    /// Makes a program of a network. The error is a sentence with the reason.
    pub(super) fn new(network: Arc<dyn Network>) -> Result<Arc<Program>, String> {
        let description = network.description();
        let unknown = unknown(description)?;
        let gears = Gears::read(&description.metadata, &unknown)?;
        let rows = gears.as_ref().map_or(vec![Vec::new()], Gears::rows);
        if gears.is_none() && unknown.iter().any(|dims| !dims.is_empty()) {
            return Err(
                "the model has inputs of unknown shape; give them by `--input_shape=name:1,3,224,224` in a file `.onnx.atc` beside \
                 it or by `ModelFile::input_shape`, or gears by the metadata `dynamic_batch_size`, `dynamic_image_size` or \
                 `dynamic_dims` with the values of the option of atc"
                    .to_owned(),
            );
        }
        let shapes = every(rows.iter().map(|row| shapes(network.as_ref(), row)))?;
        let mut inputs = Vec::new();
        for (index, port) in description.inputs.iter().enumerate() {
            let dims = port.shape.as_deref().unwrap_or_default().iter();
            let shape = dims.map(|dim| match dim {
                Dim::Fixed(number) => *number as i64,
                Dim::Named(_) => -1,
            });
            let (bytes, _) = largest(port, &shapes, &|row| row.inputs.get(index))?;
            inputs.push(tensor(port, list_of(shape), bytes)?);
        }
        if let Some(gears) = &gears {
            let count = gears.numbers();
            inputs.push(Tensor {
                name: CString::new(GEAR_INPUT).unwrap_or_default(),
                data_type: ACL_INT32,
                format: ACL_FORMAT_ND,
                shape: vec![count as i64],
                bytes: 4 * count,
            });
        }
        let mut outputs = Vec::new();
        for (index, port) in description.outputs.iter().enumerate() {
            let (bytes, shape) = largest(port, &shapes, &|row| row.outputs.get(index))?;
            outputs.push(tensor(port, shape, bytes)?);
        }
        let bytes = |tensors: &[Tensor]| {
            tensors
                .iter()
                .map(|one| one.bytes)
                .fold(0, usize::saturating_add)
        };
        // A card reports what its kernels need beside inputs and outputs. Here it is room for one copy of these.
        let work_bytes = bytes(&inputs)
            .saturating_add(bytes(&outputs))
            .next_multiple_of(512);
        let weight_bytes = description.weight_bytes.next_multiple_of(512);
        Ok(Arc::new(Program {
            inputs,
            outputs,
            gears,
            shapes,
            work_bytes,
            weight_bytes,
            network,
        }))
    }
}

/// Returns the places of the unknown dimensions of each input.
fn unknown(description: &Description) -> Result<Vec<Vec<usize>>, String> {
    let of = |port: &Port| {
        let shape = port.shape.as_ref();
        let shape = shape.ok_or_else(|| format!("the input `{}` has no shape", port.name))?;
        let is_unknown = |(_, dim): &(usize, &Dim)| matches!(dim, Dim::Named(_));
        Ok(list_of(
            shape
                .iter()
                .enumerate()
                .filter(is_unknown)
                .map(|(place, _)| place),
        ))
    };
    every(description.inputs.iter().map(of))
}

/// Returns the shapes of a gear: `row` has a number for each unknown dimension of the inputs.
fn shapes(network: &dyn Network, row: &[u64]) -> Result<Shapes, String> {
    let description = network.description();
    let (mut next, mut names) = (row.iter(), Vec::new());
    let mut inputs = Vec::new();
    for port in &description.inputs {
        let mut shape = Vec::new();
        for dim in port.shape.iter().flatten() {
            shape.push(match dim {
                Dim::Fixed(number) => *number,
                Dim::Named(name) => {
                    let number = values(next.next().copied())?;
                    names.push((name.as_str(), number));
                    number
                }
            });
        }
        inputs.push(shape);
    }
    let known = |dim: &Dim| match dim {
        Dim::Fixed(number) => Some(*number),
        Dim::Named(name) => {
            let found = names
                .iter()
                .find(|(known, _)| known == name && !known.is_empty());
            found.map(|(_, number)| *number)
        }
    };
    let outputs = description.outputs.iter();
    let outputs = outputs.map(|port| every_some(port.shape.as_ref()?.iter().map(known)));
    let outputs = match every_some(outputs) {
        Some(outputs) => outputs,
        None => found_by_a_run(network, &inputs)?,
    };
    Ok(Shapes { inputs, outputs })
}

/// Returns the shapes of the outputs of a run with zeros, for a file that does not have them.
fn found_by_a_run(network: &dyn Network, inputs: &[Vec<usize>]) -> Result<Vec<Vec<usize>>, String> {
    let ports = network.description().inputs.iter();
    let zeros = ports
        .zip(inputs)
        .map(|(port, shape)| Ok::<_, String>(vec![0; bytes_of(port, shape)?]));
    let zeros = every(zeros)?;
    let arrays = list_of(
        inputs
            .iter()
            .zip(&zeros)
            .map(|(shape, bytes)| Array { shape, bytes }),
    );
    let outputs = network.run(&arrays)?;
    Ok(list_of(outputs.into_iter().map(|output| output.shape)))
}

/// Returns the bytes of a tensor with this shape.
fn bytes_of(port: &Port, shape: &[usize]) -> Result<usize, String> {
    // SAFETY: takes a number.
    let size = unsafe { runtime::aclDataTypeSize(port.data_type) };
    if size == 0 {
        return Err(format!(
            "`{}` has elements of type {:?}, which the emulator does not have",
            port.name, port.data_type
        ));
    }
    shape
        .iter()
        .try_fold(size, |bytes, number| bytes.checked_mul(*number))
        .ok_or_else(|| {
            format!(
                "`{}` with the shape {shape:?} does not fit the memory",
                port.name
            )
        })
}

/// Returns the bytes and the shape of an input or output for the largest gear.
fn largest(
    port: &Port,
    rows: &[Shapes],
    of: &dyn Fn(&Shapes) -> Option<&Vec<usize>>,
) -> Result<(usize, Vec<i64>), String> {
    let (mut most, mut found) = (0, Vec::new());
    for row in rows {
        let Some(shape) = of(row) else { continue };
        let bytes = bytes_of(port, shape)?;
        if bytes >= most {
            most = bytes;
            found.clear();
            for number in shape {
                found.push(*number as i64);
            }
        }
    }
    Ok((most, found))
}

/// Describes an input or output.
fn tensor(port: &Port, shape: Vec<i64>, bytes: usize) -> Result<Tensor, String> {
    let name = CString::new(port.name.as_str());
    Ok(Tensor {
        name: name.map_err(|_| format!("the name {:?} contains a NUL", port.name))?,
        data_type: port.data_type,
        format: if shape.len() == 4 {
            ACL_FORMAT_NCHW
        } else {
            ACL_FORMAT_ND
        },
        shape,
        bytes,
    })
}
