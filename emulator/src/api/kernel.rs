//! The functions of kernels, which are in the table of models. Without the feature `kernels` the emulator refuses them.

use ascendcl_sys::ModelTable;

#[cfg(feature = "kernels")]
use crate::kernel;
#[cfg(not(feature = "kernels"))]
use crate::refusal as kernel;

/// The table of models with these functions alone.
pub(super) const MODEL: ModelTable = table!(ModelTable {
    kernel {
        aclrtBinaryLoadFromFile, aclrtBinaryLoadFromData, aclrtBinaryLoad, aclrtDestroyBinary, aclrtBinaryUnLoad,
        aclrtBinaryGetFunction, aclrtFunctionGetBinary, aclrtGetFunctionName, aclrtGetFunctionAttribute,
        aclrtFunctionGetParamCount, aclrtFunctionGetParamInfo, aclrtKernelArgsInit, aclrtKernelArgsInitByUserMem,
        aclrtKernelArgsGetMemSize, aclrtKernelArgsGetHandleMemSize, aclrtKernelArgsAppend,
        aclrtKernelArgsAppendPlaceHolder, aclrtKernelArgsGetPlaceHolderBuffer, aclrtKernelArgsParaUpdate,
        aclrtKernelArgsFinalize, aclrtLaunchKernel, aclrtLaunchKernelV2, aclrtLaunchKernelWithConfig,
        aclrtLaunchKernelWithHostArgs, aclrtLaunchKernelWithArgsArray,
    }
    ..START
});

/// The function that has no code to refuse with.
#[cfg(feature = "kernels")]
const START: ModelTable = table!(ModelTable {
    kernel {
        aclrtCreateBinary,
    }
    ..ModelTable::ABSENT
});
#[cfg(not(feature = "kernels"))]
const START: ModelTable = ModelTable::ABSENT;
