//! Tensors of any data type with their values, and runs of operators with both phases.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use half::{bf16, f16};

use super::{download, malloc, upload, workspace};

/// A tensor in device memory.
pub(crate) struct Tensor {
    pub(crate) handle: *mut aclTensor,
    pub(crate) memory: *mut c_void,
    dtype: aclDataType,
    storage: usize,
}

/// Makes a contiguous tensor.
pub(crate) fn tensor(dtype: aclDataType, shape: &[i64], values: &[f64]) -> Tensor {
    view(dtype, shape, None, 0, values)
}

/// Makes a tensor for results, full of sevens.
pub(crate) fn room(dtype: aclDataType, shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    tensor(dtype, shape, &vec![7.0; usize::try_from(count).unwrap()])
}

/// Makes a view of a storage with these values.
pub(crate) fn view(
    dtype: aclDataType,
    shape: &[i64],
    strides: Option<&[i64]>,
    offset: i64,
    storage: &[f64],
) -> Tensor {
    let bytes: Vec<u8> = storage
        .iter()
        .flat_map(|value| encode(dtype, *value))
        .collect();
    let memory = malloc(bytes.len().max(1));
    upload(memory, &bytes);
    let handle = describe(dtype, shape, strides, offset, storage.len(), memory);
    Tensor {
        handle,
        memory,
        dtype,
        storage: storage.len(),
    }
}

/// Makes another view of the memory of a tensor.
pub(crate) fn again(
    of: &Tensor,
    shape: &[i64],
    strides: Option<&[i64]>,
    offset: i64,
) -> *mut aclTensor {
    describe(of.dtype, shape, strides, offset, of.storage, of.memory)
}

fn describe(
    dtype: aclDataType,
    shape: &[i64],
    strides: Option<&[i64]>,
    offset: i64,
    storage: usize,
    memory: *mut c_void,
) -> *mut aclTensor {
    let storage = [storage as i64];
    let handle = call!(op.aclCreateTensor(
        shape.as_ptr(),
        shape.len() as u64,
        dtype,
        strides.map_or(ptr::null(), <[i64]>::as_ptr),
        offset,
        ACL_FORMAT_ND,
        storage.as_ptr(),
        1,
        memory,
    ));
    assert!(!handle.is_null(), "{}", super::text());
    handle
}

impl Tensor {
    /// Returns all values of its storage.
    pub(crate) fn values(&self) -> Vec<f64> {
        let size = encode(self.dtype, 0.0).len();
        let bytes = download(self.memory, self.storage * size);
        bytes
            .chunks(size)
            .map(|bytes| decode(self.dtype, bytes))
            .collect()
    }
}

/// Makes a scalar of a data type.
pub(crate) fn scalar(dtype: aclDataType, value: f64) -> *mut aclScalar {
    let mut bytes = encode(dtype, value);
    let scalar = call!(op.aclCreateScalar(bytes.as_mut_ptr().cast(), dtype));
    assert!(!scalar.is_null());
    scalar
}

/// Makes an array of whole numbers.
pub(crate) fn ints(values: &[i64]) -> *mut aclIntArray {
    call!(op.aclCreateIntArray(values.as_ptr(), values.len() as u64))
}

/// Makes a list of tensors.
pub(crate) fn list(tensors: &[&Tensor]) -> *mut aclTensorList {
    let handles: Vec<_> = tensors
        .iter()
        .map(|tensor| tensor.handle.cast_const())
        .collect();
    call!(op.aclCreateTensorList(handles.as_ptr(), handles.len() as u64))
}

/// Runs both phases of an operator with the workspace that it needs. Returns the code of the first phase.
#[macro_export]
macro_rules! run {
    ($launch:ident, $prepare:ident($($arg:expr),* $(,)?)) => {{
        let (mut size, mut executor) = (u64::MAX, std::ptr::null_mut());
        let code = call!(op.$prepare($($arg,)* &mut size, &mut executor));
        if code == 0 {
            $crate::common::tensor::finish(ascendcl_emulator::API.op.$launch, size, executor);
        }
        code
    }};
}

/// Asserts that a first phase refuses with this code, and that the text contains these words.
#[macro_export]
macro_rules! refuses {
    ($code:expr, $words:literal, $prepare:ident($($arg:expr),* $(,)?)) => {{
        let (mut size, mut executor) = (u64::MAX, std::ptr::null_mut());
        let code = call!(op.$prepare($($arg,)* &mut size, &mut executor));
        let said = text();
        assert_eq!((code, size, executor.is_null()), ($code, u64::MAX, true), "{said}");
        assert!(said.contains($words), "{said}");
    }};
}

/// Runs the second phase and waits for the result.
pub(crate) fn finish(launch: aclnnLaunch, size: u64, executor: *mut aclOpExecutor) {
    let workspace = workspace(size);
    // SAFETY: the executor of the first phase, and a workspace of the size that the first phase returned.
    let code = unsafe { launch(workspace, size, executor, ptr::null_mut()) };
    assert_eq!(code, 0, "{}", super::text());
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    if size > 0 {
        check!(memory.aclrtFree(workspace));
    }
}

/// Asserts that numbers are these, NaN included.
#[track_caller]
pub(crate) fn assert_same(got: &[f64], expected: &[f64]) {
    let same = |(one, other): (&f64, &f64)| one == other || (one.is_nan() && other.is_nan());
    assert!(
        got.len() == expected.len() && got.iter().zip(expected).all(same),
        "{got:?} is not {expected:?}"
    );
}

/// Returns the bytes of an element.
pub(crate) fn encode(dtype: aclDataType, value: f64) -> Vec<u8> {
    // CAST: the tests use values that the data type has, or expect that they are cut.
    match dtype {
        ACL_FLOAT => (value as f32).to_le_bytes().to_vec(),
        ACL_DOUBLE => value.to_le_bytes().to_vec(),
        ACL_FLOAT16 => f16::from_f64(value).to_bits().to_le_bytes().to_vec(),
        ACL_BF16 => bf16::from_f64(value).to_bits().to_le_bytes().to_vec(),
        ACL_INT8 => (value as i8).to_le_bytes().to_vec(),
        ACL_INT16 => (value as i16).to_le_bytes().to_vec(),
        ACL_INT32 => (value as i32).to_le_bytes().to_vec(),
        ACL_INT64 => (value as i64).to_le_bytes().to_vec(),
        ACL_UINT8 | ACL_BOOL => vec![value as u8],
        ACL_UINT16 => (value as u16).to_le_bytes().to_vec(),
        ACL_UINT32 => (value as u32).to_le_bytes().to_vec(),
        ACL_UINT64 => (value as u64).to_le_bytes().to_vec(),
        _ => vec![0; 8],
    }
}

fn decode(dtype: aclDataType, bytes: &[u8]) -> f64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let whole = u64::from_le_bytes(wide);
    // CAST: the bytes behind those of the element are 0.
    match dtype {
        ACL_FLOAT => f32::from_bits(whole as u32).into(),
        ACL_DOUBLE => f64::from_bits(whole),
        ACL_FLOAT16 => f16::from_bits(whole as u16).to_f64(),
        ACL_BF16 => bf16::from_bits(whole as u16).to_f64(),
        ACL_INT8 => (whole as i8).into(),
        ACL_INT16 => (whole as i16).into(),
        ACL_INT32 => (whole as i32).into(),
        ACL_INT64 => whole as i64 as f64,
        _ => whole as f64,
    }
}
