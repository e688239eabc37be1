//! Ranges of virtual addresses that communication uses without a copy. The emulator has no such path, so it refuses them.

use std::ffi::c_void;

use ascendcl_sys::{HcclComm, HcclResult, aclrtDrvMemHandle};

use super::unsupported;
use crate::check;

/// Defines functions that fail for this reason.
macro_rules! refuse {
    ($( fn $name:ident($($type:ty),*); )*) => { $(
        pub(crate) unsafe extern "C" fn $name($(_: $type),*) -> HcclResult {
            check::not_modelled(stringify!($name));
            unsupported(
                stringify!($name),
                format_args!(
                    "the emulator moves the memory of all ranks in one way, and registers no ranges for another one; leave \
                     the call out, and the results are the same"
                ),
            )
        }
    )* };
}

refuse! {
    fn HcclCommSetMemoryRange(HcclComm, *mut c_void, usize, usize, u64);
    fn HcclCommUnsetMemoryRange(HcclComm, *mut c_void);
    fn HcclCommActivateCommMemory(HcclComm, *mut c_void, usize, usize, aclrtDrvMemHandle, u64);
    fn HcclCommDeactivateCommMemory(HcclComm, *mut c_void);
}
