//! The operator area as C sees it: handles, refusals and their codes.
//!
//! Streams and device memory belong to other modules. So no test queues a kernel here, except for calls that are
//! refused; plans run directly on plain vectors.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

mod handles;
mod kernel;
mod lists;
mod operators;
mod oracle;

use core::ffi::c_void;
use core::ptr::{null, null_mut, without_provenance_mut};

use ascendcl_sys::{status::*, structs::*, types::*};

use super::*;

pub(super) const NULLPTR: aclnnStatus = ACLNN_ERR_PARAM_NULLPTR;
pub(super) const INVALID: aclnnStatus = ACLNN_ERR_PARAM_INVALID;
/// An address that no test dereferences.
pub(super) const SOMEWHERE: usize = 0x10_0000;

/// The arguments for a tensor, with default values.
pub(super) struct Wanted<'a> {
    pub(super) view: &'a [i64],
    pub(super) strides: Option<&'a [i64]>,
    pub(super) offset: i64,
    pub(super) storage: &'a [i64],
    pub(super) dtype: aclDataType,
    pub(super) format: aclFormat,
    pub(super) address: usize,
}

pub(super) fn plain(view: &[i64]) -> Wanted<'_> {
    Wanted {
        view,
        strides: None,
        offset: 0,
        storage: view,
        dtype: ACL_FLOAT,
        format: ACL_FORMAT_ND,
        address: SOMEWHERE,
    }
}

pub(super) fn create(wanted: &Wanted<'_>) -> *mut aclTensor {
    // SAFETY: the lengths are those of the slices.
    unsafe {
        aclCreateTensor(
            wanted.view.as_ptr(),
            wanted.view.len() as u64,
            wanted.dtype,
            wanted.strides.map_or(null(), <[i64]>::as_ptr),
            wanted.offset,
            wanted.format,
            wanted.storage.as_ptr(),
            wanted.storage.len() as u64,
            without_provenance_mut(wanted.address),
        )
    }
}

pub(super) fn tensor(view: &[i64]) -> *mut aclTensor {
    let tensor = create(&plain(view));
    assert!(!tensor.is_null(), "{view:?}");
    tensor
}

pub(super) fn destroy(tensor: *const aclTensor) -> aclnnStatus {
    // SAFETY: any value is allowed.
    unsafe { aclDestroyTensor(tensor) }
}

pub(super) fn scalar<T>(mut value: T, dtype: aclDataType) -> *mut aclScalar {
    // SAFETY: the tests pass the type of the value.
    unsafe { aclCreateScalar((&raw mut value).cast(), dtype) }
}

pub(super) struct Prepared {
    pub(super) status: aclnnStatus,
    pub(super) workspace: u64,
    pub(super) executor: *mut aclOpExecutor,
}

pub(super) fn prepare_add(
    left: *const aclTensor,
    right: *const aclTensor,
    alpha: *const aclScalar,
    out: *mut aclTensor,
) -> Prepared {
    let (mut workspace, mut executor) = (u64::MAX, null_mut());
    // SAFETY: both places may be written.
    let status = unsafe {
        (OPERATORS.aclnnAddGetWorkspaceSize)(left, right, alpha, out, &mut workspace, &mut executor)
    };
    Prepared {
        status,
        workspace,
        executor,
    }
}

pub(super) fn prepare_mul(
    left: *const aclTensor,
    right: *const aclTensor,
    out: *mut aclTensor,
) -> Prepared {
    let (mut workspace, mut executor) = (u64::MAX, null_mut());
    // SAFETY: both places may be written.
    let status = unsafe {
        (OPERATORS.aclnnMulGetWorkspaceSize)(left, right, out, &mut workspace, &mut executor)
    };
    Prepared {
        status,
        workspace,
        executor,
    }
}

/// Calls the second phase of a sum, for calls that are refused before a task is queued.
pub(super) fn add(workspace: *mut c_void, size: u64, executor: *mut aclOpExecutor) -> aclnnStatus {
    // SAFETY: the call is refused, so no memory is touched.
    unsafe { (OPERATORS.aclnnAdd)(workspace, size, executor, null_mut()) }
}

pub(super) fn repeatable(executor: *mut aclOpExecutor) -> aclnnStatus {
    // SAFETY: any value is allowed.
    unsafe { aclSetAclOpExecutorRepeatable(executor) }
}

pub(super) fn release(executor: *mut aclOpExecutor) -> aclnnStatus {
    // SAFETY: any value is allowed.
    unsafe { aclDestroyAclOpExecutor(executor) }
}
