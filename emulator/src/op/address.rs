//! New addresses for the tensors of an executor (`aclnn/acl_meta.h`).
//!
//! The order of the checks is that of CANN (published source of opbase): null for the tensor or the list returns 561103,
//! a place behind the end of a list 161002; then the tensor has the new address, and only then null for the executor
//! returns 561103. CANN compares the number of the tensor with nothing for its own operators, and neither does the
//! emulator. A handle of no live tensor or list returns 161002, and one of no live executor 561000.

use core::ffi::c_void;

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
    aclOpExecutor, aclTensor, aclTensorList, aclnnStatus,
};

use super::executor::{EXECUTORS, null, stale};
use super::list::TENSOR_LISTS;
use super::tensor::TENSORS;
use crate::error::fail;
use crate::handles::registry::Fate;

/// Stores an address in a tensor.
fn store(call: &str, tensor: usize, address: *mut c_void) -> aclnnStatus {
    let stored = TENSORS.visit(tensor, &mut |tensor| {
        tensor.address = address.addr();
        (Fate::Keep, ())
    });
    match stored {
        Some(()) => 0,
        None => fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!("{call}: {tensor:#x} is not a tensor, or was destroyed"),
        ),
    }
}

/// Stores an address in a tensor, and checks that the executor exists.
fn set(
    call: &str,
    executor: *mut aclOpExecutor,
    tensor: usize,
    address: *mut c_void,
) -> aclnnStatus {
    let stored = store(call, tensor, address);
    if stored != 0 {
        return stored;
    }
    if executor.is_null() {
        return null(call);
    }
    // The executor may run once only. Its second phase reads the address, too.
    match EXECUTORS.visit(executor.addr(), &mut |_| (Fate::Keep, ())) {
        Some(()) => 0,
        None => stale(ACLNN_ERR_INNER, call, executor),
    }
}

/// Returns 561103 for null (published source of opbase) and sets the error text.
fn no_tensor(call: &str) -> aclnnStatus {
    fail(
        ACLNN_ERR_INNER_NULLPTR,
        format_args!("{call}: the tensor is null"),
    )
}

/// Points a tensor at other memory. Null for the tensor returns 161001. An executor reads the address in its second phase.
///
/// # Safety
///
/// None: any value is allowed, because handles are looked up and never dereferenced.
pub unsafe extern "C" fn aclSetRawTensorAddr(
    tensor: *mut aclTensor,
    addr: *mut c_void,
) -> aclnnStatus {
    let call = "aclSetRawTensorAddr";
    if tensor.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{call}: the tensor is null"),
        );
    }
    store(call, tensor.addr(), addr)
}

/// Defines the calls for a tensor and those for an element of a list.
macro_rules! setters {
    ($( $(#[$doc:meta])* $name:ident, $(#[$of_list:meta])* $dynamic:ident; )*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// None: any value is allowed, because handles are looked up and never dereferenced.
        pub unsafe extern "C" fn $name(
            executor: *mut aclOpExecutor,
            _index: usize,
            tensor: *mut aclTensor,
            addr: *mut c_void,
        ) -> aclnnStatus {
            let call = stringify!($name);
            if tensor.is_null() {
                return no_tensor(call);
            }
            set(call, executor, tensor.addr(), addr)
        }

        $(#[$of_list])*
        ///
        /// # Safety
        ///
        /// None: any value is allowed, because handles are looked up and never dereferenced.
        pub unsafe extern "C" fn $dynamic(
            executor: *mut aclOpExecutor,
            _irIndex: usize,
            relativeIndex: usize,
            tensors: *mut aclTensorList,
            addr: *mut c_void,
        ) -> aclnnStatus {
            let call = stringify!($dynamic);
            if tensors.is_null() {
                return no_tensor(call);
            }
            let found = TENSOR_LISTS.visit(tensors.addr(), &mut |list| {
                (Fate::Keep, list.get(relativeIndex).copied())
            });
            match found {
                Some(Some(tensor)) => set(call, executor, tensor, addr),
                Some(None) => fail(
                    ACLNN_ERR_PARAM_INVALID,
                    format_args!("{call}: the list has no tensor with the number {relativeIndex}"),
                ),
                None => fail(
                    ACLNN_ERR_PARAM_INVALID,
                    format_args!("{call}: {:#x} is not a list of tensors, or was destroyed", tensors.addr()),
                ),
            }
        }
    )* };
}

setters! {
    /// Gives an input of an executor another address.
    aclSetInputTensorAddr,
    /// Gives an input in a list of an executor another address.
    aclSetDynamicInputTensorAddr;
    /// Gives an output of an executor another address.
    aclSetOutputTensorAddr,
    /// Gives an output in a list of an executor another address.
    aclSetDynamicOutputTensorAddr;
    /// Gives a tensor of an executor another address.
    aclSetTensorAddr,
    /// Gives a tensor in a list of an executor another address.
    aclSetDynamicTensorAddr;
}
