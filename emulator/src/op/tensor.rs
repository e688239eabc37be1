//! Tensors: descriptions of views of device memory (`aclnn/acl_meta.h`).

use core::ffi::c_void;
use core::ops::Range;

use ascendcl_sys::{
    ACL_FORMAT_HWCN, ACL_FORMAT_NC, ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL,
    ACL_FORMAT_ND, ACL_FORMAT_NDHWC, ACL_FORMAT_NHWC, ACL_INT4, ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclError, aclFormat, aclTensor, aclnnStatus,
};

use crate::check;
use crate::handles::registry::Registry;

use super::dtype::element_size;
use super::shape::{Dims, MAX_RANK, ascend, elements};
use crate::error::fail;

/// All tensors that exist.
pub(super) static TENSORS: Registry<Tensor> = Registry::new(0x54);

/// The largest number of elements that is accepted. More elements are not addressable in any data type (at most 16
/// bytes each).
const MAX_ELEMENTS: usize = isize::MAX as usize / 16;

/// The largest number of dimensions of a storage. In fractal formats a storage has more dimensions than the view.
const STORAGE_RANK: usize = 2 * MAX_RANK;

/// The most elements of a view that are compared one by one, which takes some milliseconds.
pub(super) const MOST_COMPARED: usize = 1 << 16;

/// A tensor: a view of a storage in device memory.
///
/// # Invariants
///
/// - `strides` has the rank of `shape`.
/// - The offset and the place of every element of the view fit into [`MAX_ELEMENTS`].
/// - The storage and the view have at most [`MAX_ELEMENTS`] elements each.
/// - A tensor of more than [`MAX_RANK`] dimensions has an empty `shape`; the first phases and the queries refuse it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tensor {
    /// The number of dimensions that the program announced.
    pub(super) rank: u64,
    pub(super) shape: Dims,
    pub(super) strides: Dims,
    pub(super) offset: usize,
    pub(super) dtype: aclDataType,
    pub(super) format: aclFormat,
    pub(super) address: usize,
}

impl Tensor {
    /// Returns the text for a tensor of more dimensions than operators take.
    pub(super) fn excess(&self) -> Option<String> {
        let rank = self.rank;
        let text = || format!("{rank} dimensions; at most {MAX_RANK} are possible");
        (rank > MAX_RANK as u64).then(text)
    }

    /// Returns the number of elements of the view.
    pub(super) fn elements(&self) -> usize {
        // INVARIANT: the product fits: no tensor exists for which it does not.
        self.shape.elements().unwrap_or(0)
    }

    /// Returns the number of elements of the storage from the first element of the view to the end of its last one.
    pub(super) fn extent(&self) -> usize {
        extent(&self.shape, &self.strides).unwrap_or(0)
    }

    /// Returns the bytes from the first element of the view to the end of its last one, if two numbers share a byte.
    pub(super) fn pairs(&self) -> Option<usize> {
        (self.dtype == ACL_INT4).then(|| self.extent().div_ceil(2))
    }

    /// Returns the strides of the view for a shape to which it is broadcast.
    pub(super) fn strides_in(&self, shape: &Dims) -> Dims {
        self.strides.stretched(&self.shape, shape)
    }

    /// Returns whether the elements of the view are contiguous and in order in memory.
    pub(super) fn is_contiguous(&self) -> bool {
        let plain = self.shape.contiguous_strides();
        let mut dims = self.shape.iter().zip(self.strides.iter()).zip(plain.iter());
        // The stride of a dimension with one position is never used.
        self.elements() == 0 || dims.all(|((size, stride), plain)| size == 1 || stride == plain)
    }

    /// Returns whether some positions of the view share an element.
    pub(super) fn repeats_elements(&self) -> bool {
        if self.is_contiguous() || self.shape.has_own_elements(&self.strides) {
            return false;
        }
        let elements = self.elements();
        if elements > self.extent() {
            return true;
        }
        // The strides alone do not tell it, as for rows of 3 elements at every second place.
        if elements > MOST_COMPARED {
            return false;
        }
        let mut offsets = Vec::from_iter(self.shape.offsets(self.strides));
        offsets.sort_unstable();
        offsets.windows(2).any(|two| two.first() == two.last())
    }

    /// Returns whether the view, with the `len` bytes from `address` to the end of its last element, has an element in a range
    /// of memory.
    pub(super) fn meets(&self, address: usize, len: usize, range: &Range<usize>) -> bool {
        let within =
            |start: usize, len: usize| start < range.end && range.start < start.saturating_add(len);
        if !within(address, len) {
            return false;
        }
        let Some(size) = element_size(self.dtype) else {
            return true;
        };
        let (length, counts, strides) = self.runs();
        let mut starts = counts.offsets(strides);
        starts.any(|start| within(address + start * size, length * size))
    }

    /// Returns the elements of the view as runs of elements that lie one behind the other: the length of a run, and the
    /// shape and the strides of the places where one begins. Elements that are repeated count once in a run, and memory of
    /// others may lie between two runs.
    pub(super) fn runs(&self) -> (usize, Dims, Dims) {
        let mut dims = Vec::from_iter(self.strides.iter().zip(self.shape.iter()));
        ascend(&mut dims);
        let (mut length, mut counts, mut strides) = (1, Vec::new(), Vec::new());
        for (stride, count) in dims {
            if stride <= length {
                // The copies of what lies there so far leave no gap between them.
                length += stride * (count - 1);
            } else if count > 1 {
                counts.push(count);
                strides.push(stride);
            }
        }
        // There are at most as many dimensions as before.
        let dims = |values: Vec<usize>| Dims::new(values).unwrap_or_default();
        (length, dims(counts), dims(strides))
    }

    /// Returns whether the dimensions have the same order as in memory. Only the fractal formats have another order.
    pub(super) fn has_plain_format(&self) -> bool {
        matches!(
            self.format,
            ACL_FORMAT_ND
                | ACL_FORMAT_NCHW
                | ACL_FORMAT_NHWC
                | ACL_FORMAT_HWCN
                | ACL_FORMAT_NCDHW
                | ACL_FORMAT_NDHWC
                | ACL_FORMAT_NC
                | ACL_FORMAT_NCL
        )
    }
}

/// Returns the number of elements from the first to the end of the last one of a view; `None` on overflow.
fn extent(shape: &Dims, strides: &Dims) -> Option<usize> {
    if shape.iter().any(|size| size == 0) {
        return Some(0);
    }
    let mut last = 0usize;
    for (size, stride) in shape.iter().zip(strides.iter()) {
        last = last.checked_add((size - 1).checked_mul(stride)?)?;
    }
    last.checked_add(1)
}

/// Describes device memory as a tensor.
///
/// Null `stride` means a contiguous view, as in CANN. `tensorData` is not checked before an operator uses it. The
/// function returns null, with a text for `aclGetRecentErrMsg`, for: a null array that should have elements, a
/// negative dimension, stride or offset, a view that is too large, an undefined data type. CANN accepts the first three
/// and fails later. A view may leave the storage, as in CANN: each operator checks the memory that it reaches. A tensor
/// of more than 8 dimensions is made, as in CANN, and each operator refuses it with 161002.
/// The storage of a view without elements may be negative: programs compute it from the strides and the last element.
///
/// # Safety
///
/// - `viewDims` is null or points to `viewDimsNum` values, and so is `stride`.
/// - `storageDims` is null or points to `storageDimsNum` values.
pub unsafe extern "C" fn aclCreateTensor(
    viewDims: *const i64,
    viewDimsNum: u64,
    dataType: aclDataType,
    stride: *const i64,
    offset: i64,
    format: aclFormat,
    storageDims: *const i64,
    storageDimsNum: u64,
    tensorData: *mut c_void,
) -> *mut aclTensor {
    let is_excess = viewDimsNum > MAX_RANK as u64 && !viewDims.is_null();
    let (viewDimsNum, rank) = (if is_excess { 0 } else { viewDimsNum }, viewDimsNum);
    // SAFETY: the caller's contract.
    let shape = unsafe { read_sizes("viewDims", viewDims, viewDimsNum, MAX_RANK) };
    let strides = if stride.is_null() {
        Ok(None)
    } else {
        // SAFETY: the caller's contract.
        unsafe { read_sizes("stride", stride, viewDimsNum, MAX_RANK) }.map(Some)
    };
    // SAFETY: the caller's contract.
    let storage = unsafe { read_sizes("storageDims", storageDims, storageDimsNum, STORAGE_RANK) };
    let view = || {
        let (shape, strides, offset) = if is_excess {
            (Dims::default(), Dims::default(), 0)
        } else {
            let shape = shape?;
            let storage = storage.or_else(|refusal| match refusal {
                Refusal(ACLNN_ERR_PARAM_INVALID, _) if shape.contains(&0) => Ok(Vec::new()),
                refusal => Err(refusal),
            })?;
            check_view(&shape, strides?.as_deref(), offset, &storage)?
        };
        check_type(dataType)?;
        Ok(Tensor {
            rank,
            shape,
            strides,
            offset,
            dtype: dataType,
            format,
            address: tensorData.addr(),
        })
    };
    match view() {
        Ok(tensor) => match TENSORS.insert(tensor) {
            Some(handle) => {
                check::tell("aclCreateTensor", &|checker, site| {
                    checker.created(handle, check::TENSOR, site);
                });
                core::ptr::without_provenance_mut(handle)
            }
            None => core::ptr::null_mut(),
        },
        Err(Refusal(code, text)) => {
            fail(code, format_args!("aclCreateTensor: {text}"));
            core::ptr::null_mut()
        }
    }
}

/// Releases the description, not the memory. An executor has its own copy, so the program may call this between the
/// two phases of an operator. Null is allowed. Returns 161002 for a handle of no live tensor.
///
/// # Safety
///
/// None: any value is allowed, because handles are looked up and never dereferenced.
pub unsafe extern "C" fn aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus {
    // CANN accepts null too (published source of opbase).
    if tensor.is_null() {
        return 0;
    }
    let call = "aclDestroyTensor";
    if TENSORS.remove(tensor.addr()) {
        check::tell(call, &|checker, site| {
            checker.destroyed(tensor.addr(), &site);
        });
        return 0;
    }
    check::tell(call, &|checker, site| {
        checker.stale(check::TENSOR, tensor.addr(), site);
    });
    fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!(
            "aclDestroyTensor: {:#x} is not a tensor, or was destroyed already",
            tensor.addr()
        ),
    )
}

/// The code and the text of a tensor that cannot be created.
#[derive(Debug)]
struct Refusal(aclError, String);

/// Makes an error for wrong parameters.
fn invalid(text: String) -> Refusal {
    Refusal(ACLNN_ERR_PARAM_INVALID, text)
}

/// Copies an array of sizes that C passed.
///
/// # Safety
///
/// - `values` is null or points to `count` values.
unsafe fn read_sizes(
    name: &str,
    values: *const i64,
    count: u64,
    limit: usize,
) -> Result<Vec<usize>, Refusal> {
    let count = match usize::try_from(count) {
        Ok(count) if count <= limit => count,
        _ => {
            return Err(invalid(format!(
                "{name} has {count} values, at most {limit} are possible"
            )));
        }
    };
    if count > 0 && values.is_null() {
        let text = format!("{name} is null, but {count} values are announced");
        return Err(Refusal(ACLNN_ERR_PARAM_NULLPTR, text));
    }
    let mut sizes = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: the caller's contract; the pointer is not null, since there is a value.
        let value = unsafe { values.wrapping_add(index).read_unaligned() };
        let negative = |_| invalid(format!("{name}[{index}] is negative: {value}"));
        sizes.push(usize::try_from(value).map_err(negative)?);
    }
    Ok(sizes)
}

/// Checks the numbers of a view, and returns its shape, strides and offset. The storage only has to be possible: CANN
/// does not compare the view with it, and programs announce storages without the offset.
fn check_view(
    shape: &[usize],
    strides: Option<&[usize]>,
    offset: i64,
    storage: &[usize],
) -> Result<(Dims, Dims, usize), Refusal> {
    let Ok(offset) = usize::try_from(offset) else {
        return Err(invalid(format!("the offset is negative: {offset}")));
    };
    let too_large = || {
        invalid(format!(
            "view {shape:?} of storage {storage:?} is too large"
        ))
    };
    let fits = |count: Option<usize>| count.filter(|&count| count <= MAX_ELEMENTS);
    let dims = Dims::new(shape.iter().copied()).ok_or_else(too_large)?;
    fits(dims.elements()).ok_or_else(too_large)?;
    fits(elements(storage.iter().copied())).ok_or_else(too_large)?;
    let strides = match strides {
        Some(strides) => Dims::new(strides.iter().copied()).ok_or_else(too_large)?,
        None => dims.contiguous_strides(),
    };
    // INVARIANT: this checks that the offset and the places of all elements fit, and that nothing overflows.
    let end = extent(&dims, &strides).and_then(|extent| extent.checked_add(offset));
    if fits(end).is_none() {
        return Err(invalid(format!(
            "view {dims} with strides {strides} and offset {offset} is too large"
        )));
    }
    Ok((dims, strides, offset))
}

/// Checks that `aclDataType` has this value.
fn check_type(dtype: aclDataType) -> Result<(), Refusal> {
    match dtype.0 {
        0..=4 | 6..=13 | 16 | 17 | 27 | 29 | 30 | 33..=41 => Ok(()),
        _ => Err(invalid(format!("{dtype:?} is not a data type of a tensor"))),
    }
}
