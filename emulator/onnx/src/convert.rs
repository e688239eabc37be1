//! Arrays of AscendCL and of the engine. The engine has 32 bits for `int64` and `bool`.

use ascendcl_emulator::model::{Array, Dim, Output, Port};
use ascendcl_sys::{ACL_BOOL, ACL_FLOAT, ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8};
use rten::Value;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

/// Makes a value of the engine.
pub(crate) fn value(port: &Port, array: &Array<'_>) -> Result<Value, String> {
    let (shape, bytes) = (array.shape, array.bytes);
    Ok(match port.data_type {
        ACL_FLOAT => tensor(shape, numbers(bytes, f32::from_le_bytes)).into(),
        ACL_INT32 => tensor(shape, numbers(bytes, i32::from_le_bytes)).into(),
        ACL_INT8 => tensor(shape, numbers(bytes, i8::from_le_bytes)).into(),
        ACL_UINT8 => tensor(shape, bytes.to_vec()).into(),
        ACL_BOOL => tensor(
            shape,
            bytes.iter().map(|byte| i32::from(*byte != 0)).collect(),
        )
        .into(),
        ACL_INT64 => {
            let narrow = |number: i64| {
                let too_large = |_| {
                    format!(
                        "`{}` contains {number}, and the engine has 32 bits for it",
                        port.name
                    )
                };
                i32::try_from(number).map_err(too_large)
            };
            let all = numbers(bytes, i64::from_le_bytes).into_iter().map(narrow);
            tensor(shape, all.collect::<Result<Vec<_>, _>>()?).into()
        }
        other => return Err(format!("`{}` has elements of type {other:?}", port.name)),
    })
}

fn tensor<T>(shape: &[usize], elements: Vec<T>) -> Tensor<T> {
    Tensor::from_data(shape, elements)
}

fn numbers<T, const N: usize>(bytes: &[u8], from: fn([u8; N]) -> T) -> Vec<T> {
    let (chunks, _) = bytes.as_chunks();
    chunks.iter().map(|chunk| from(*chunk)).collect()
}

/// Returns whether a shape is the one that the file tells.
fn fits(told: &[Dim], shape: &[usize]) -> bool {
    let mut dims = told.iter().zip(shape);
    told.len() == shape.len()
        && dims.all(|(told, size)| match told {
            Dim::Fixed(expected) => expected == size,
            Dim::Named(_) => true,
        })
}

/// Makes an output with the element type of the description.
pub(crate) fn output(port: &Port, value: Value) -> Result<Output, String> {
    let shape = value.shape().to_vec();
    if let Some(told) = port.shape.as_ref().filter(|told| !fits(told, &shape)) {
        return Err(format!(
            "the engine has made `{}` with the shape {shape:?}, and the file says {told:?}",
            port.name
        ));
    }
    let bytes: Vec<u8> = match (port.data_type, value) {
        (ACL_FLOAT, Value::FloatTensor(all)) => {
            all.iter().flat_map(|one| one.to_le_bytes()).collect()
        }
        (ACL_INT32, Value::Int32Tensor(all)) => {
            all.iter().flat_map(|one| one.to_le_bytes()).collect()
        }
        (ACL_INT64, Value::Int32Tensor(all)) => all
            .iter()
            .flat_map(|one| i64::from(*one).to_le_bytes())
            .collect(),
        (ACL_BOOL, Value::Int32Tensor(all)) => all.iter().map(|one| u8::from(*one != 0)).collect(),
        (ACL_INT8, Value::Int8Tensor(all)) => {
            all.iter().flat_map(|one| one.to_le_bytes()).collect()
        }
        (ACL_UINT8, Value::UInt8Tensor(all)) => all.iter().copied().collect(),
        (expected, _) => {
            return Err(format!(
                "the engine has made another type of `{}` than {expected:?}",
                port.name
            ));
        }
    };
    Ok(Output { shape, bytes })
}
