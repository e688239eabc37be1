//! The description of a model: names, element types, shapes and sizes of its inputs and outputs.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use ascendcl_sys as sys;

use crate::error::{Error, ModelMismatch, Result, Usage};
use crate::model::gear::GEAR_INPUT;
use crate::raw::check;
use crate::release;

/// The description of an input or output of a model.
///
/// ```
/// use ascendcl::model::TensorInfo;
///
/// fn print(tensor: &TensorInfo) {
///     println!("{}: {:?}, {} bytes", tensor.name(), tensor.shape(), tensor.bytes());
/// }
/// ```
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
    ///
    /// ```
    /// use ascendcl::Npu;
    /// use ascendcl::model::{Blocking, Model};
    ///
    /// fn print(model: &Model<'_, '_, Npu<0>, Blocking>) {
    ///     for input in model.inputs() {
    ///         println!("an input has the name `{}`", input.name());
    ///     }
    /// }
    /// ```
    #[doc(alias = "aclmdlGetInputNameByIndex")]
    #[doc(alias = "aclmdlGetOutputNameByIndex")]
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the element type (`aclmdlGetInputDataType`, `aclmdlGetOutputDataType`).
    ///
    /// ```
    /// use ascendcl::model::TensorInfo;
    /// use ascendcl::sys;
    ///
    /// fn has_floats(tensor: &TensorInfo) -> bool {
    ///     tensor.data_type() == sys::ACL_FLOAT
    /// }
    /// ```
    #[doc(alias = "aclmdlGetInputDataType")]
    #[doc(alias = "aclmdlGetOutputDataType")]
    #[must_use]
    pub fn data_type(&self) -> sys::aclDataType {
        self.data_type
    }

    /// Returns the memory layout (`aclmdlGetInputFormat`, `aclmdlGetOutputFormat`).
    ///
    /// ```
    /// use ascendcl::model::TensorInfo;
    /// use ascendcl::sys;
    ///
    /// fn has_channels_last(tensor: &TensorInfo) -> bool {
    ///     tensor.format() == sys::ACL_FORMAT_NHWC
    /// }
    /// ```
    #[doc(alias = "aclmdlGetInputFormat")]
    #[doc(alias = "aclmdlGetOutputFormat")]
    #[must_use]
    pub fn format(&self) -> sys::aclFormat {
        self.format
    }

    /// Returns the shape (`aclmdlGetInputDims`, `aclmdlGetOutputDims`).
    ///
    /// ```
    /// use ascendcl::model::TensorInfo;
    ///
    /// fn batch_size(input: &TensorInfo) -> Option<i64> {
    ///     input.shape().first().copied()
    /// }
    /// ```
    #[doc(alias = "aclmdlGetInputDims")]
    #[doc(alias = "aclmdlGetOutputDims")]
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Returns the number of bytes that a run reads or writes (`aclmdlGetInputSizeByIndex`,
    /// `aclmdlGetOutputSizeByIndex`).
    ///
    /// ```
    /// use ascendcl::model::TensorInfo;
    /// use ascendcl::{Current, DeviceBuf, Npu, Result};
    ///
    /// /// Allocates memory for an input of 32-bit numbers.
    /// fn input<'dev>(current: Current<'_, 'dev, Npu<0>>, tensor: &TensorInfo) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
    ///     current.memset(current.malloc(tensor.bytes() / 4)?, 0)
    /// }
    /// ```
    #[doc(alias = "aclmdlGetInputSizeByIndex")]
    #[doc(alias = "aclmdlGetOutputSizeByIndex")]
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl TensorInfo {
    /// Returns the description of the same input or output with another shape.
    pub(super) fn with_shape(&self, shape: Vec<i64>) -> Result<TensorInfo> {
        // SAFETY: takes a number.
        let unit = unsafe { sys::aclDataTypeSize(self.data_type) };
        let bytes = shape.iter().try_fold(unit, |bytes, dimension| {
            bytes.checked_mul(usize::try_from(*dimension).ok()?)
        });
        let bytes = bytes.filter(|bytes| *bytes <= self.bytes);
        let bytes = bytes.ok_or_else(|| {
            Usage::Model(ModelMismatch::Sizes {
                name: self.name.clone(),
            })
        })?;
        Ok(TensorInfo {
            shape,
            bytes,
            ..self.clone()
        })
    }
}

/// The names of the inputs whose content decides the sizes of a run (`ACL_DYNAMIC_TENSOR_NAME`,
/// `ACL_DYNAMIC_AIPP_NAME`). The second one can have a suffix.
const DECIDING: [&str; 2] = [GEAR_INPUT, "ascend_dynamic_aipp_data"];

/// A description of C, destroyed when it is dropped.
///
/// # Invariants
///
/// - The description is live.
#[derive(Debug)]
pub struct Desc(*mut sys::aclmdlDesc);

impl Desc {
    /// Makes the description of a loaded model.
    pub(super) fn new(id: u32) -> Result<Desc> {
        // SAFETY: takes nothing.
        let desc = unsafe { sys::aclmdlCreateDesc() };
        if desc.is_null() {
            return Err(Error::refused("aclmdlCreateDesc", sys::ACL_ERROR_BAD_ALLOC));
        }
        // INVARIANT: made now, and destroyed by the drop.
        let desc = Desc(desc);
        // SAFETY: a live description.
        let code = unsafe { sys::aclmdlGetDesc(desc.0, id) };
        check("aclmdlGetDesc", code)?;
        Ok(desc)
    }

    pub(super) fn as_raw(&self) -> *mut sys::aclmdlDesc {
        self.0
    }

    /// Returns the shape of an output with the gear that was set last.
    pub(super) fn current_shape(&self, index: usize) -> Result<Vec<i64>> {
        shape(
            self,
            sys::aclmdlGetCurOutputDims,
            index,
            "aclmdlGetCurOutputDims",
        )
    }
}

impl Drop for Desc {
    fn drop(&mut self) {
        // SAFETY: this value owns the description.
        let code = unsafe { sys::aclmdlDestroyDesc(self.0) };
        release::status_in_drop("aclmdlDestroyDesc", code);
    }
}

/// A function that writes the shape of an input or output.
type ShapeOf = unsafe fn(*const sys::aclmdlDesc, usize, *mut sys::aclmdlIODims) -> sys::aclError;

/// The functions that describe one side of a model.
struct Side {
    name: unsafe fn(*const sys::aclmdlDesc, usize) -> *const c_char,
    data_type: unsafe fn(*const sys::aclmdlDesc, usize) -> sys::aclDataType,
    format: unsafe fn(*const sys::aclmdlDesc, usize) -> sys::aclFormat,
    bytes: unsafe fn(*mut sys::aclmdlDesc, usize) -> usize,
    dims: ShapeOf,
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

/// Refuses inputs and outputs whose sizes differ from run to run: memory decides how much a run reads and writes.
pub(super) fn check_sizes<'a>(mut all: impl Iterator<Item = &'a TensorInfo>) -> Result<()> {
    let decides = |info: &TensorInfo| DECIDING.iter().any(|name| info.name.starts_with(name));
    let varies = |info: &TensorInfo| info.shape.iter().any(|dimension| *dimension < 0);
    match all.find(|info| decides(info) || varies(info)) {
        None => Ok(()),
        Some(info) => Err(Usage::Model(ModelMismatch::Sizes {
            name: info.name.clone(),
        })
        .into()),
    }
}

/// Reads the inputs and the outputs of a loaded model.
pub(super) fn describe(desc: &Desc) -> Result<(Vec<TensorInfo>, Vec<TensorInfo>)> {
    // SAFETY: a live description.
    let inputs = unsafe { sys::aclmdlGetNumInputs(desc.0) };
    // SAFETY: a live description.
    let outputs = unsafe { sys::aclmdlGetNumOutputs(desc.0) };
    let all = |side: &Side, count| (0..count).map(|index| tensor(desc, side, index)).collect();
    let inputs: Result<_> = all(&INPUTS, inputs);
    let outputs: Result<_> = all(&OUTPUTS, outputs);
    Ok((inputs?, outputs?))
}

/// Reads the shape of an input or output by a function with this name.
fn shape(desc: &Desc, of: ShapeOf, index: usize, call: &'static str) -> Result<Vec<i64>> {
    let mut dims = MaybeUninit::<sys::aclmdlIODims>::zeroed();
    // SAFETY: a live description, and `dims` is valid for a write.
    let code = unsafe { of(desc.0, index, dims.as_mut_ptr()) };
    check(call, code)?;
    // SAFETY: the structure has numbers only, and all its bytes were zeroed.
    let dims = unsafe { dims.assume_init() };
    Ok(dims.dims.get(..dims.dimCount).unwrap_or_default().to_vec())
}

/// Reads an input or output.
fn tensor(desc: &Desc, side: &Side, index: usize) -> Result<TensorInfo> {
    let shape = shape(desc, side.dims, index, side.dims_name)?;
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
    Ok(TensorInfo {
        name,
        data_type,
        format,
        shape,
        bytes,
    })
}
