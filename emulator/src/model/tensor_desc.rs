//! Tensor descriptions: an element type, a shape and a memory layout (`acl/acl_base_mdl.h`).

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

use ascendcl_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, ACL_MEMTYPE_DEVICE, aclDataType, aclError, aclFormat,
    aclMemType, aclTensorDesc,
};

use crate::object_calls::{Objects, invalid, not_null, status, write};
use crate::runtime;

/// The number of dimensions of a shape whose rank is not known (`ACL_UNKNOWN_RANK`).
const UNKNOWN_RANK: usize = 0xffff_ffff_ffff_fffe;
/// A tensor description.
#[derive(Debug, Clone)]
pub(crate) struct TensorDesc {
    pub(crate) data_type: aclDataType,
    /// The memory layout that the shape has.
    pub(crate) format: aclFormat,
    /// The shape; a negative number is a size that is not known.
    pub(crate) shape: Vec<i64>,
    /// The smallest and the largest value of each dimension; empty if they were not set.
    pub(crate) ranges: Vec<[i64; 2]>,
    /// The memory layout of the elements, if it was set.
    pub(crate) storage: aclFormat,
    /// The elements, if they are known when an operator is compiled.
    pub(crate) constant: Option<Arc<[u8]>>,
    pub(crate) placement: aclMemType,
    /// The name, which the program may hold a pointer to until it sets another one.
    pub(crate) name: CString,
}

/// The first dimension of a shape of unknown rank.
pub(crate) const OF_UNKNOWN_RANK: i64 = -2;

pub(crate) static TENSOR_DESCS: Objects<TensorDesc> = Objects::new("aclTensorDesc", 0x64);

pub(crate) unsafe extern "C" fn aclCreateTensorDesc(
    dataType: aclDataType,
    numDims: c_int,
    dims: *const i64,
    format: aclFormat,
) -> *mut aclTensorDesc {
    let call = "aclCreateTensorDesc";
    let Ok(rank) = usize::try_from(numDims) else {
        invalid(
            call,
            format_args!("numDims is {numDims}; pass the number of dimensions"),
        );
        return std::ptr::null_mut();
    };
    let shape = if rank == 0 {
        Vec::new()
    } else if not_null(call, "dims", dims).is_err() {
        return std::ptr::null_mut();
    } else {
        // SAFETY: not null; the caller's contract: `numDims` numbers.
        unsafe { std::slice::from_raw_parts(dims, rank) }.to_vec()
    };
    TENSOR_DESCS.create(
        call,
        TensorDesc {
            data_type: dataType,
            format,
            shape,
            ranges: Vec::new(),
            storage: ACL_FORMAT_UNDEFINED,
            constant: None,
            placement: ACL_MEMTYPE_DEVICE,
            name: CString::default(),
        },
    )
}

pub(crate) unsafe extern "C" fn aclDestroyTensorDesc(desc: *const aclTensorDesc) {
    if !desc.is_null() {
        TENSOR_DESCS.destroy("aclDestroyTensorDesc", "desc", desc);
    }
}

/// Reads a description; `otherwise` is the answer for a null or invalid handle.
pub(super) fn read<R>(
    call: &str,
    desc: *const aclTensorDesc,
    otherwise: R,
    work: &mut dyn FnMut(&TensorDesc) -> R,
) -> R {
    TENSOR_DESCS
        .with(call, "desc", desc, &mut |desc| work(desc))
        .unwrap_or(otherwise)
}

pub(crate) unsafe extern "C" fn aclGetTensorDescType(desc: *const aclTensorDesc) -> aclDataType {
    read(
        "aclGetTensorDescType",
        desc,
        ACL_DT_UNDEFINED,
        &mut |desc| desc.data_type,
    )
}

pub(crate) unsafe extern "C" fn aclGetTensorDescFormat(desc: *const aclTensorDesc) -> aclFormat {
    read(
        "aclGetTensorDescFormat",
        desc,
        ACL_FORMAT_UNDEFINED,
        &mut |desc| desc.format,
    )
}

impl TensorDesc {
    /// Returns whether the rank or a dimension is not known.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.shape.iter().any(|dim| *dim < 0)
    }

    /// Returns whether it stands for an optional input that the call leaves out.
    pub(crate) fn is_left_out(&self) -> bool {
        self.data_type == ACL_DT_UNDEFINED && self.format == ACL_FORMAT_UNDEFINED
    }

    /// Returns the number of elements: 0 if a dimension is not known, or if the number does not fit.
    fn elements(&self) -> usize {
        let product = self.shape.iter().try_fold(1_usize, |product, dim| {
            product.checked_mul(usize::try_from(*dim).ok()?)
        });
        product.unwrap_or(0)
    }

    /// Returns the bytes of the elements.
    pub(crate) fn bytes(&self) -> usize {
        // SAFETY: takes a number.
        let size = unsafe { runtime::aclDataTypeSize(self.data_type) };
        self.elements().saturating_mul(size)
    }
}

pub(crate) unsafe extern "C" fn aclGetTensorDescElementCount(desc: *const aclTensorDesc) -> usize {
    read(
        "aclGetTensorDescElementCount",
        desc,
        0,
        &mut TensorDesc::elements,
    )
}

pub(crate) unsafe extern "C" fn aclGetTensorDescSize(desc: *const aclTensorDesc) -> usize {
    read("aclGetTensorDescSize", desc, 0, &mut TensorDesc::bytes)
}

pub(crate) unsafe extern "C" fn aclGetTensorDescNumDims(desc: *const aclTensorDesc) -> usize {
    read(
        "aclGetTensorDescNumDims",
        desc,
        0,
        &mut |desc| match desc.shape.first() {
            Some(&OF_UNKNOWN_RANK) => UNKNOWN_RANK,
            _ => desc.shape.len(),
        },
    )
}

pub(crate) unsafe extern "C" fn aclGetTensorDescDimV2(
    desc: *const aclTensorDesc,
    index: usize,
    dimSize: *mut i64,
) -> aclError {
    let call = "aclGetTensorDescDimV2";
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dimSize", dimSize)?;
        let found = TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
            desc.shape.get(index).copied()
        })?;
        let Some(dim) = found else {
            return Err(invalid(
                call,
                format_args!("index {index} is not below the number of dimensions"),
            ));
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(dimSize, dim) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclGetTensorDescDim(
    desc: *const aclTensorDesc,
    index: usize,
) -> i64 {
    let call = "aclGetTensorDescDim";
    let found = TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
        desc.shape.get(index).copied()
    });
    match found {
        Ok(Some(dim)) => dim,
        Ok(None) => {
            invalid(
                call,
                format_args!("index {index} is not below the number of dimensions"),
            );
            -1
        }
        Err(_) => -1,
    }
}

pub(crate) unsafe extern "C" fn aclGetTensorDescDimRange(
    desc: *const aclTensorDesc,
    index: usize,
    dimRangeNum: usize,
    dimRange: *mut i64,
) -> aclError {
    let call = "aclGetTensorDescDimRange";
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dimRange", dimRange)?;
        let found = TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
            desc.ranges.get(index).copied()
        })?;
        let Some(range) = found else {
            return Err(invalid(
                call,
                format_args!("index {index} is not below the number of ranges; set them first"),
            ));
        };
        if dimRangeNum < range.len() {
            return Err(invalid(
                call,
                format_args!("dimRangeNum is {dimRangeNum}; a range has 2 numbers"),
            ));
        }
        // SAFETY: not null; the caller's contract: room for `dimRangeNum` numbers.
        unsafe { write(dimRange.cast(), range) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclGetTensorDescName(desc: *mut aclTensorDesc) -> *const c_char {
    // The text lives until the name changes or the description is destroyed, as in CANN.
    read("aclGetTensorDescName", desc, c"".as_ptr(), &mut |desc| {
        desc.name.as_ptr()
    })
}

/// Returns the description itself for index 0. CANN counts in an array that `aclmdlCreateAndGetOpDesc` has made, and the
/// emulator has no such array.
pub(crate) unsafe extern "C" fn aclGetTensorDescByIndex(
    desc: *mut aclTensorDesc,
    index: usize,
) -> *mut aclTensorDesc {
    let call = "aclGetTensorDescByIndex";
    if TENSOR_DESCS.check(call, "desc", desc).is_err() {
        return std::ptr::null_mut();
    }
    if index == 0 {
        return desc;
    }
    invalid(
        call,
        format_args!(
            "index is {index}, and the description is no array; index 0 is the description"
        ),
    );
    std::ptr::null_mut()
}

/// Returns null: only the descriptions of operators of a model have an address.
pub(crate) unsafe extern "C" fn aclGetTensorDescAddress(desc: *const aclTensorDesc) -> *mut c_void {
    read(
        "aclGetTensorDescAddress",
        desc,
        std::ptr::null_mut(),
        &mut |_| std::ptr::null_mut(),
    )
}
