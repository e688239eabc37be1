//! Process, error texts, data types (`acl/acl.h`, `acl/acl_base_rt.h`, `acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the runtime functions.
#[doc(hidden)]
#[macro_export]
macro_rules! runtime_functions {
    ($callback:path) => {
        $callback! {
            area "runtime", RuntimeTable;
            /// Initialises ACL for the process; the JSON file is optional.
            fn aclInit(configPath: *const c_char) -> aclError;
            /// Finalises ACL at once, however often it was initialised.
            fn aclFinalize() -> aclError;
            /// Drops one initialisation; the last one finalises. Gives the rest.
            [newer] fn aclFinalizeReference(refCount: *mut u64) -> aclError;
            /// The version of ACL: major, minor, patch (1.17.0 in CANN 9).
            fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) -> aclError;
            /// Whether the program runs on a host or on the device itself.
            fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError;
            /// The calling thread's latest error text, or null; reading clears it.
            fn aclGetRecentErrMsg() -> *const c_char;
            /// The calling thread's last error code, kept.
            fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError;
            /// The calling thread's last error code, cleared by reading.
            fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError;
            /// Bytes of one element of a data type.
            fn aclDataTypeSize(dataType: aclDataType) -> usize;
            /// A half-precision number as `f32`.
            fn aclFloat16ToFloat(value: aclFloat16) -> f32;
            /// A number rounded to half precision.
            fn aclFloatToFloat16(value: f32) -> aclFloat16;
            /// Pairs an address with a size; copies and owns nothing.
            fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut aclDataBuffer;
            /// Releases the pair, not the memory.
            fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError;
            /// Points the pair elsewhere.
            fn aclUpdateDataBuffer(dataBuffer: *mut aclDataBuffer, data: *mut c_void, size: usize) -> aclError;
            /// The address of the pair.
            fn aclGetDataBufferAddr(dataBuffer: *const aclDataBuffer) -> *mut c_void;
            /// Size, cut to 32 bits.
            fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32;
            /// The size of the pair.
            fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize;
            /// Registers a function for the time of initialisation; at once if that is over.
            [newer] fn aclInitCallbackRegister(type_: aclRegisterCallbackType, cbFunc: aclInitCallbackFunc, userData: *mut c_void) -> aclError;
            /// Removes such a function.
            [newer] fn aclInitCallbackUnRegister(type_: aclRegisterCallbackType, cbFunc: aclInitCallbackFunc) -> aclError;
            /// Registers a function for the time of finalising.
            [newer] fn aclFinalizeCallbackRegister(type_: aclRegisterCallbackType, cbFunc: aclFinalizeCallbackFunc, userData: *mut c_void) -> aclError;
            /// Removes such a function.
            [newer] fn aclFinalizeCallbackUnRegister(type_: aclRegisterCallbackType, cbFunc: aclFinalizeCallbackFunc) -> aclError;
            /// A parameter of the process.
            fn aclrtGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
            /// Sets a parameter of the process; 0 is the default of all.
            fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
            /// Limits the run time of operators, in seconds.
            fn aclrtSetOpExecuteTimeOut(timeout: u32) -> aclError;
            /// The same in milliseconds.
            fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> aclError;
            /// The same in microseconds; gives the limit that holds.
            [newer] fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64) -> aclError;
            /// The step in which that limit can be chosen, in microseconds.
            [newer] fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> aclError;
            /// The limit in milliseconds.
            [newer] fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> aclError;
            /// Sets the function that learns of failed tasks; there is one per process.
            fn aclrtSetExceptionInfoCallback(callback: aclrtExceptionInfoCallback) -> aclError;
            /// Adds a function that learns of failed tasks.
            [newer] fn aclrtExceptionInfoCallbackRegister(callback: aclrtExceptionInfoCallback) -> aclError;
            /// Removes such a function.
            [newer] fn aclrtExceptionInfoCallbackUnregister(callback: aclrtExceptionInfoCallback) -> aclError;
            /// The task that failed.
            fn aclrtGetTaskIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// The stream of the task that failed.
            fn aclrtGetStreamIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// The thread that submitted the task that failed.
            fn aclrtGetThreadIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// The device of the task that failed.
            fn aclrtGetDeviceIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Why the task failed.
            fn aclrtGetErrorCodeFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// The arguments of the kernel that failed.
            [newer] fn aclrtGetArgsFromExceptionInfo(info: *const aclrtExceptionInfo, devArgsPtr: *mut *mut c_void, devArgsLen: *mut u32) -> aclError;
            /// The kernel that failed.
            [newer] fn aclrtGetFuncHandleFromExceptionInfo(info: *const aclrtExceptionInfo, func: *mut aclrtFuncHandle) -> aclError;
            /// Queues a mark for the profiler.
            [newer] fn aclrtProfTrace(userdata: *mut c_void, length: i32, stream: aclrtStream) -> aclError;
            /// Whether programs for a chip run on this one.
            [newer] fn aclrtCheckArchCompatibility(socVersion: *const c_char, canCompatible: *mut i32) -> aclError;
            /// All properties that the installation has.
            fn aclGetCannAttributeList(cannAttrList: *mut *const aclCannAttr, num: *mut usize) -> aclError;
            /// A property of the installation.
            fn aclGetCannAttribute(cannAttr: aclCannAttr, value: *mut i32) -> aclError;
            /// The version of a package of CANN.
            fn aclsysGetCANNVersion(name: aclCANNPackageName, version: *mut aclCANNPackageVersion) -> aclError;
            /// The version of a package of CANN as text.
            [newer] fn aclsysGetVersionStr(pkgName: *mut c_char, versionStr: *mut c_char) -> aclError;
            /// The version of a package of CANN as a number that can be compared.
            [newer] fn aclsysGetVersionNum(pkgName: *mut c_char, versionNum: *mut i32) -> aclError;
            /// Locks the process for a snapshot.
            [newer] fn aclrtSnapShotProcessLock(pid: i32, reserve: *mut c_void) -> aclError;
            /// Unlocks it.
            [newer] fn aclrtSnapShotProcessUnlock(pid: i32, reserve: *mut c_void) -> aclError;
            /// Saves what the devices hold for the process.
            [newer] fn aclrtSnapShotProcessBackup(pid: i32, args: *mut aclrtSnapShotBackupArgs) -> aclError;
            /// Restores that.
            [newer] fn aclrtSnapShotProcessRestore(pid: i32, args: *mut aclrtSnapShotRestoreArgs) -> aclError;
            /// Registers a function for a stage of a snapshot.
            [newer] fn aclrtSnapShotCallbackRegister(stage: aclrtSnapShotStage, callback: aclrtSnapShotCallBack, args: *mut c_void) -> aclError;
            /// Removes such a function.
            [newer] fn aclrtSnapShotCallbackUnregister(stage: aclrtSnapShotStage, callback: aclrtSnapShotCallBack) -> aclError;
            /// Keeps a description of the operator that the thread launched last.
            [newer] fn aclrtCacheLastTaskOpInfo(infoPtr: *const c_void, infoSize: usize) -> aclError;
            /// Adds to that description.
            [newer] fn aclrtCacheLastTaskExtendInfo(extendInfoPtr: *const c_char, infoSize: usize) -> aclError;
            /// Begins to write down the arguments of operators.
            fn aclopStartDumpArgs(dumpType: u32, path: *const c_char) -> aclError;
            /// Ends that.
            fn aclopStopDumpArgs(dumpType: u32) -> aclError;
            /// Where dumps of a kind are written.
            [newer] fn acldumpGetPath(dumpType: acldumpType) -> *const c_char;
            /// Adds tensors to the dump of a failure.
            [newer] fn acldumpSaveExceptionInfo(fileName: *const c_char, userTag: *const c_char, tensors: *const acldumpTensorInfo, tensorCount: usize) -> aclError;
            /// Where dumps of failures are written.
            [newer] fn acldumpGetExceptionInfoPath(path: *mut c_char, maxLen: usize) -> aclError;
            /// Prepares dumps of models.
            fn aclmdlInitDump() -> aclError;
            /// Configures dumps of models from a JSON file.
            fn aclmdlSetDump(dumpCfgPath: *const c_char) -> aclError;
            /// Ends dumps of models.
            fn aclmdlFinalizeDump() -> aclError;
        }
    };
}
runtime_functions!(define);
