//! The operands of a call: their descriptions, and their data buffers.

use std::ffi::c_int;

use ascendcl_sys::{
    ACL_ERROR_GE_PARAM_INVALID, ACL_FORMAT_ND, ACL_FORMAT_UNDEFINED, ACL_MEMTYPE_DEVICE,
    aclDataBuffer, aclError, aclTensorDesc,
};

use crate::model::{TENSOR_DESCS, TensorDesc};
use crate::object_calls::{invalid, not_null, refused};
use crate::op::dtype::element_size;
use crate::op::refusal::Refusal;
use crate::op::shape::{Dims, MAX_RANK};
use crate::op::tensor::Tensor;
use crate::results::{every, every_some};
use crate::runtime::DataBuffer;

/// The granule of the sizes of data buffers.
const GRANULE: usize = 32;

/// The address of an operand whose memory is not known yet.
const SOMEWHERE: usize = 0x1000;

/// Refuses a negative number of operands.
pub(super) fn counted(call: &str, name: &str, count: c_int) -> Result<usize, aclError> {
    usize::try_from(count)
        .map_err(|_| invalid(call, format_args!("{name} is {count}; pass 0 or more")))
}

/// Copies an array of handles, and refuses null.
///
/// # Safety
///
/// - `first` is null or valid for reads of `count` handles.
pub(super) unsafe fn handles<T>(
    call: &str,
    name: &str,
    first: *const *const T,
    count: usize,
) -> Result<Vec<*const T>, aclError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    not_null(call, name, first)?;
    // SAFETY: not null; the caller's contract.
    let handles = unsafe { std::slice::from_raw_parts(first, count) }.to_vec();
    for (index, handle) in handles.iter().enumerate() {
        not_null(call, &format!("{name}[{index}]"), *handle)?;
    }
    Ok(handles)
}

/// Copies the descriptions of an array.
///
/// # Safety
///
/// - As for [`handles`].
pub(super) unsafe fn descriptions(
    call: &str,
    name: &str,
    first: *const *const aclTensorDesc,
    count: usize,
) -> Result<Vec<TensorDesc>, aclError> {
    // SAFETY: the caller's contract.
    let handles = unsafe { handles(call, name, first, count) }?;
    let copied = handles
        .into_iter()
        .map(|handle| TENSOR_DESCS.get(call, name, handle));
    every(copied)
}

/// Copies the data buffers of an array.
///
/// # Safety
///
/// - As for [`handles`].
pub(super) unsafe fn buffers(
    call: &str,
    name: &str,
    first: *const *const aclDataBuffer,
    count: usize,
) -> Result<Vec<DataBuffer>, aclError> {
    // SAFETY: the caller's contract.
    let handles = unsafe { handles(call, name, first, count) }?;
    let copied = handles.into_iter().map(|handle| {
        DataBuffer::find(call, handle.addr()).ok_or(ascendcl_sys::ACL_ERROR_INVALID_PARAM)
    });
    every(copied)
}

/// Refuses data buffers that have bytes and no memory.
pub(super) fn check_memory(call: &str, name: &str, buffers: &[DataBuffer]) -> Result<(), aclError> {
    let lacks = |buffer: &DataBuffer| buffer.data == 0 && buffer.size > 0;
    match buffers.iter().position(lacks) {
        None => Ok(()),
        Some(index) => Err(invalid(
            call,
            format_args!("the data of {name}[{index}] is NULL, and its size is not 0"),
        )),
    }
}

/// Returns whether there are outputs, and all of them have no elements.
pub(super) fn are_empty(outputs: &[TensorDesc]) -> bool {
    let mut all = outputs.iter();
    !outputs.is_empty() && all.all(|desc| desc.shape.contains(&0))
}

/// Refuses data buffers that are too small for their descriptions. The sizes of both are rounded up, so a few bytes may
/// lack. A constant has its elements in its description.
pub(super) fn check_sizes(
    call: &str,
    name: &str,
    descs: &[TensorDesc],
    buffers: &[DataBuffer],
) -> Result<(), aclError> {
    for (index, (desc, buffer)) in descs.iter().zip(buffers).enumerate() {
        let needed = desc.bytes();
        let is_short = buffer.size.div_ceil(GRANULE) < needed.div_ceil(GRANULE);
        if is_short && desc.constant.is_none() && !desc.is_left_out() {
            return Err(refused(
                call,
                ACL_ERROR_GE_PARAM_INVALID,
                format_args!(
                    "{name}[{index}] has {} bytes, and its description needs {needed}",
                    buffer.size
                ),
            ));
        }
    }
    Ok(())
}

/// An operand: its description, and its address if it has memory.
#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub(super) desc: TensorDesc,
    pub(super) address: usize,
}

impl Operand {
    /// The operand of an operator that is compiled, which has no memory yet.
    pub(super) fn unplaced(desc: &TensorDesc) -> Self {
        let (desc, address) = (desc.clone(), SOMEWHERE);
        Self { desc, address }
    }

    /// The operand of an operator that is queued.
    pub(super) fn placed((desc, buffer): (&TensorDesc, &DataBuffer)) -> Self {
        let (desc, address) = (desc.clone(), buffer.data);
        Self { desc, address }
    }

    /// Returns the operand as a contiguous tensor.
    pub(super) fn tensor(&self, name: &str) -> Result<Tensor, Refusal> {
        let TensorDesc {
            data_type,
            shape,
            storage,
            placement,
            ..
        } = &self.desc;
        if *placement != ACL_MEMTYPE_DEVICE {
            return Err(Refusal::invalid(format_args!(
                "{name} is in host memory, which the emulator takes as a constant only; call aclSetTensorConst"
            )));
        }
        let sizes = shape.iter().map(|size| usize::try_from(*size).ok());
        let sizes = every_some(sizes);
        let dims = sizes.and_then(Dims::new);
        let fits = |dims: &Dims| {
            let bytes = dims.elements()?.checked_mul(16)?;
            (bytes <= isize::MAX as usize).then_some(())
        };
        let Some(dims) = dims.filter(|dims| fits(dims).is_some()) else {
            return Err(Refusal::invalid(format_args!(
                "{name} has the shape {shape:?}; an operator takes known sizes, and at most {MAX_RANK} of them"
            )));
        };
        let own = match self.desc.format {
            ACL_FORMAT_UNDEFINED => ACL_FORMAT_ND,
            format => format,
        };
        let format = match *storage {
            ACL_FORMAT_UNDEFINED => own,
            storage => storage,
        };
        // INVARIANT: the strides are those of the shape, and the storage is the view.
        Ok(Tensor {
            rank: dims.rank() as u64,
            shape: dims,
            strides: dims.contiguous_strides(),
            offset: 0,
            dtype: *data_type,
            format,
            address: self.address,
        })
    }

    /// Returns the whole numbers of a constant.
    pub(super) fn constant(&self, name: &str) -> Result<Vec<i64>, Refusal> {
        let Some(bytes) = &self.desc.constant else {
            return Err(Refusal::invalid(format_args!(
                "{name} is no constant; pass its elements by aclSetTensorConst"
            )));
        };
        let size = element_size(self.desc.data_type).unwrap_or(0);
        let number = |bytes: &[u8]| match *bytes {
            [a, b, c, d] => Some(i32::from_le_bytes([a, b, c, d]).into()),
            [a, b, c, d, e, f, g, h] => Some(i64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => None,
        };
        let whole = matches!(
            self.desc.data_type,
            ascendcl_sys::ACL_INT32 | ascendcl_sys::ACL_INT64
        );
        let numbers = bytes.chunks_exact(size.max(1)).map(number);
        let numbers = whole.then(|| every_some(numbers)).flatten();
        numbers.ok_or_else(|| {
            Refusal::invalid(format_args!(
                "{name} has the data type {:?}; it is ACL_INT32 or ACL_INT64",
                self.desc.data_type
            ))
        })
    }
}
