//! Calls that choose another way for the bytes: memory that communication uses without a copy, and network cards. The emulator
//! has one way, so it refuses them.

use std::ffi::c_void;

use ascendcl_sys::{HcclComm, HcclCommSymWindow, HcclResult, aclrtDrvMemHandle};

use super::unsupported;
use crate::check;

/// Defines functions that fail for a reason.
macro_rules! refuse {
    ($reason:literal: $( fn $name:ident($($type:ty),*); )*) => { $(
        pub(crate) unsafe extern "C" fn $name($(_: $type),*) -> HcclResult {
            check::not_modelled(stringify!($name));
            unsupported(stringify!($name), format_args!($reason))
        }
    )* };
}

refuse! {
    "the emulator moves the memory of all ranks in one way, and registers no ranges for another one; leave the call out, and \
     the results are the same":
    fn HcclCommSetMemoryRange(HcclComm, *mut c_void, usize, usize, u64);
    fn HcclCommUnsetMemoryRange(HcclComm, *mut c_void);
    fn HcclCommActivateCommMemory(HcclComm, *mut c_void, usize, usize, aclrtDrvMemHandle, u64);
    fn HcclCommDeactivateCommMemory(HcclComm, *mut c_void);
    fn HcclCommRegister(HcclComm, *mut c_void, u64, *mut *mut c_void, u32);
    fn HcclCommDeregister(HcclComm, *mut c_void);
    fn HcclCommExchangeMem(HcclComm, *mut c_void, *mut u32, u32);
}

refuse! {
    "the ranks of the emulator have no network cards; leave the call out, and the results are the same":
    fn HcclCommWorkingDevNicSet(HcclComm, *mut u32, *mut bool, u32);
}

refuse! {
    "symmetric memory needs links that the emulated product does not have: the manual names Atlas A3 and Ascend 950; leave \
     the call out, and the results are the same":
    fn HcclCommSymWinRegister(HcclComm, *mut c_void, u64, *mut HcclCommSymWindow, u32);
    fn HcclCommSymWinDeregister(HcclCommSymWindow);
    fn HcclCommSymWinGet(HcclComm, *mut c_void, usize, *mut HcclCommSymWindow, *mut usize);
}
