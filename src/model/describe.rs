//! The description of a model: names, element types, shapes and sizes of its inputs and outputs.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use ascendcl_sys as sys;

use crate::error::{Error, ModelMismatch, Result, Usage};
use crate::raw::check;
use crate::release;

/// The description of an input or output of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    name: String,
    data_type: sys::aclDataType,
    format: sys::aclFormat,
    shape: Vec<i64>,
    bytes: usize,
}

impl TensorInfo {
    /// Returns the name (`aclmdlGetInputNameByIndex`, `aclmdlGetOutputNameByIndex`).
    #[doc(alias = "aclmdlGetInputNameByIndex")]
    #[doc(alias = "aclmdlGetOutputNameByIndex")]
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the element type (`aclmdlGetInputDataType`, `aclmdlGetOutputDataType`).
    #[doc(alias = "aclmdlGetInputDataType")]
    #[doc(alias = "aclmdlGetOutputDataType")]
    #[must_use]
    pub fn data_type(&self) -> sys::aclDataType {
        self.data_type
    }

    /// Returns the memory layout (`aclmdlGetInputFormat`, `aclmdlGetOutputFormat`).
    #[doc(alias = "aclmdlGetInputFormat")]
    #[doc(alias = "aclmdlGetOutputFormat")]
    #[must_use]
    pub fn format(&self) -> sys::aclFormat {
        self.format
    }

    /// Returns the shape (`aclmdlGetInputDims`, `aclmdlGetOutputDims`).
    #[doc(alias = "aclmdlGetInputDims")]
    #[doc(alias = "aclmdlGetOutputDims")]
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Returns the number of bytes that a run reads or writes (`aclmdlGetInputSizeByIndex`,
    /// `aclmdlGetOutputSizeByIndex`).
    #[doc(alias = "aclmdlGetInputSizeByIndex")]
    #[doc(alias = "aclmdlGetOutputSizeByIndex")]
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The names of the inputs whose content decides the sizes of a run (`ACL_DYNAMIC_TENSOR_NAME`,
/// `ACL_DYNAMIC_AIPP_NAME`). The second one can have a suffix.
const DECIDING: [&str; 2] = ["ascend_mbatch_shape_data", "ascend_dynamic_aipp_data"];

/// A description of C, destroyed when it is dropped.
struct Desc(*mut sys::aclmdlDesc);

impl Drop for Desc {
    fn drop(&mut self) {
        // SAFETY: this value owns the description.
        let code = unsafe { sys::aclmdlDestroyDesc(self.0) };
        release::status_in_drop("aclmdlDestroyDesc", code);
    }
}

/// The functions that describe one side of a model.
struct Side {
    name: unsafe fn(*const sys::aclmdlDesc, usize) -> *const c_char,
    data_type: unsafe fn(*const sys::aclmdlDesc, usize) -> sys::aclDataType,
    format: unsafe fn(*const sys::aclmdlDesc, usize) -> sys::aclFormat,
    bytes: unsafe fn(*mut sys::aclmdlDesc, usize) -> usize,
    dims: unsafe fn(*const sys::aclmdlDesc, usize, *mut sys::aclmdlIODims) -> sys::aclError,
    dims_name: &'static str,
}

const INPUTS: Side = Side {
    name: sys::aclmdlGetInputNameByIndex,
    data_type: sys::aclmdlGetInputDataType,
    format: sys::aclmdlGetInputFormat,
    bytes: sys::aclmdlGetInputSizeByIndex,
    dims: sys::aclmdlGetInputDims,
    dims_name: "aclmdlGetInputDims",
};

const OUTPUTS: Side = Side {
    name: sys::aclmdlGetOutputNameByIndex,
    data_type: sys::aclmdlGetOutputDataType,
    format: sys::aclmdlGetOutputFormat,
    bytes: sys::aclmdlGetOutputSizeByIndex,
    dims: sys::aclmdlGetOutputDims,
    dims_name: "aclmdlGetOutputDims",
};

/// Refuses a model whose runs have many sizes. A run then writes a part of its outputs only, and memory decides which.
pub(super) fn check_sizes(inputs: &[TensorInfo], outputs: &[TensorInfo]) -> Result<()> {
    let decides = |info: &TensorInfo| DECIDING.iter().any(|name| info.name.starts_with(name));
    let varies = |info: &TensorInfo| info.shape.iter().any(|dimension| *dimension < 0);
    let mut all = inputs.iter().chain(outputs);
    match all.find(|info| decides(info) || varies(info)) {
        None => Ok(()),
        Some(info) => Err(Usage::Model(ModelMismatch::Sizes {
            name: info.name.clone(),
        })
        .into()),
    }
}

/// Reads the inputs and the outputs of a loaded model.
pub(super) fn describe(id: u32) -> Result<(Vec<TensorInfo>, Vec<TensorInfo>)> {
    // SAFETY: takes nothing.
    let desc = unsafe { sys::aclmdlCreateDesc() };
    if desc.is_null() {
        return Err(Error::refused("aclmdlCreateDesc", sys::ACL_ERROR_BAD_ALLOC));
    }
    let desc = Desc(desc);
    // SAFETY: a live description.
    let code = unsafe { sys::aclmdlGetDesc(desc.0, id) };
    check("aclmdlGetDesc", code)?;
    // SAFETY: a live description.
    let inputs = unsafe { sys::aclmdlGetNumInputs(desc.0) };
    // SAFETY: a live description.
    let outputs = unsafe { sys::aclmdlGetNumOutputs(desc.0) };
    let all = |side: &Side, count| (0..count).map(|index| tensor(&desc, side, index)).collect();
    let inputs: Result<_> = all(&INPUTS, inputs);
    let outputs: Result<_> = all(&OUTPUTS, outputs);
    Ok((inputs?, outputs?))
}

/// Reads an input or output.
fn tensor(desc: &Desc, side: &Side, index: usize) -> Result<TensorInfo> {
    let mut dims = MaybeUninit::<sys::aclmdlIODims>::zeroed();
    // SAFETY: a live description, and `dims` is valid for a write.
    let code = unsafe { (side.dims)(desc.0, index, dims.as_mut_ptr()) };
    check(side.dims_name, code)?;
    // SAFETY: the structure has numbers only, and all its bytes were zeroed.
    let dims = unsafe { dims.assume_init() };
    // SAFETY: a live description.
    let name = unsafe { (side.name)(desc.0, index) };
    let name = if name.is_null() {
        String::new()
    } else {
        // SAFETY: a C string that lives as long as the description (GE, `aclmdlGetInputNameByIndex`).
        unsafe { CStr::from_ptr(name) }
            .to_string_lossy()
            .into_owned()
    };
    // SAFETY: a live description.
    let data_type = unsafe { (side.data_type)(desc.0, index) };
    // SAFETY: a live description.
    let format = unsafe { (side.format)(desc.0, index) };
    // SAFETY: a live description.
    let bytes = unsafe { (side.bytes)(desc.0, index) };
    let shape = dims.dims.get(..dims.dimCount).unwrap_or_default().to_vec();
    Ok(TensorInfo {
        name,
        data_type,
        format,
        shape,
        bytes,
    })
}
