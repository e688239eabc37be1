//! Tensor descriptions: an element type, a shape and a memory layout (`acl/acl_base_mdl.h`).

use std::ffi::c_int;

use ascendcl_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, aclDataType, aclError, aclFormat, aclTensorDesc,
};

use crate::answer::{Objects, invalid, not_null, status, write};
use crate::runtime;

/// The number of dimensions of a shape whose rank is not known (`ACL_UNKNOWN_RANK`).
const UNKNOWN_RANK: usize = 0xffff_ffff_ffff_fffe;
/// The first dimension of such a shape.
const OF_UNKNOWN_RANK: i64 = -2;

/// A tensor description.
#[derive(Debug, Clone)]
pub(super) struct TensorDesc {
    data_type: aclDataType,
    format: aclFormat,
    pub(super) shape: Vec<i64>,
}

pub(super) static TENSOR_DESCS: Objects<TensorDesc> = Objects::new("aclTensorDesc", 0x64);

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
        },
    )
}

pub(crate) unsafe extern "C" fn aclDestroyTensorDesc(desc: *const aclTensorDesc) {
    if !desc.is_null() {
        TENSOR_DESCS.destroy("aclDestroyTensorDesc", "desc", desc);
    }
}

/// Reads a description; `otherwise` is the answer for a null or invalid handle.
fn read<R>(
    call: &str,
    desc: *const aclTensorDesc,
    otherwise: R,
    work: impl FnOnce(&TensorDesc) -> R,
) -> R {
    TENSOR_DESCS
        .with(call, "desc", desc, |desc| work(desc))
        .unwrap_or(otherwise)
}

pub(crate) unsafe extern "C" fn aclGetTensorDescType(desc: *const aclTensorDesc) -> aclDataType {
    read("aclGetTensorDescType", desc, ACL_DT_UNDEFINED, |desc| {
        desc.data_type
    })
}

pub(crate) unsafe extern "C" fn aclGetTensorDescFormat(desc: *const aclTensorDesc) -> aclFormat {
    read(
        "aclGetTensorDescFormat",
        desc,
        ACL_FORMAT_UNDEFINED,
        |desc| desc.format,
    )
}

impl TensorDesc {
    /// Returns the number of elements: 0 if a dimension is not known, or if the number does not fit.
    fn elements(&self) -> usize {
        let product = self.shape.iter().try_fold(1_usize, |product, dim| {
            product.checked_mul(usize::try_from(*dim).ok()?)
        });
        product.unwrap_or(0)
    }
}

pub(crate) unsafe extern "C" fn aclGetTensorDescElementCount(desc: *const aclTensorDesc) -> usize {
    read(
        "aclGetTensorDescElementCount",
        desc,
        0,
        TensorDesc::elements,
    )
}

pub(crate) unsafe extern "C" fn aclGetTensorDescSize(desc: *const aclTensorDesc) -> usize {
    read("aclGetTensorDescSize", desc, 0, |desc| {
        // SAFETY: takes a number.
        let size = unsafe { runtime::aclDataTypeSize(desc.data_type) };
        desc.elements().saturating_mul(size)
    })
}

pub(crate) unsafe extern "C" fn aclGetTensorDescNumDims(desc: *const aclTensorDesc) -> usize {
    read("aclGetTensorDescNumDims", desc, 0, |desc| {
        match desc.shape.first() {
            Some(&OF_UNKNOWN_RANK) => UNKNOWN_RANK,
            _ => desc.shape.len(),
        }
    })
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
        let found = TENSOR_DESCS.with(call, "desc", desc, |desc| desc.shape.get(index).copied())?;
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
