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
            #[newer]
            fn aclFinalizeReference(refCount: *mut u64) -> aclError;
            /// Returns the version of ACL: major, minor, patch (1.17.0 in CANN 9). Deprecated: `aclsysGetVersionNum` replaces it.
            fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) -> aclError;
            /// Returns whether the program runs on a host or on the device itself.
            fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError;
            /// Returns the calling thread's latest error text, or null; reading clears it.
            fn aclGetRecentErrMsg() -> *const c_char;
            /// Returns the calling thread's last error code and keeps it.
            fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError;
            /// Returns the calling thread's last error code and clears it.
            fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError;
            /// Returns the bytes of one element of a data type.
            fn aclDataTypeSize(dataType: aclDataType) -> usize;
            /// Converts a half-precision number to `f32`.
            fn aclFloat16ToFloat(value: aclFloat16) -> f32;
            /// Rounds a number to half precision.
            fn aclFloatToFloat16(value: f32) -> aclFloat16;
            /// Creates a data buffer: an address with a size. It does not own the memory.
            fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut aclDataBuffer;
            /// Frees a data buffer. The memory stays.
            fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError;
            /// Stores another address and size in a data buffer.
            fn aclUpdateDataBuffer(dataBuffer: *mut aclDataBuffer, data: *mut c_void, size: usize) -> aclError;
            /// Returns the address of a data buffer.
            fn aclGetDataBufferAddr(dataBuffer: *const aclDataBuffer) -> *mut c_void;
            /// Returns the size of a data buffer, cut to 32 bits. Deprecated: `aclGetDataBufferSizeV2` replaces it.
            fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32;
            /// Returns the size of a data buffer.
            fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize;
            /// Registers a function for the time of initialisation; at once if that is over.
            #[newer]
            fn aclInitCallbackRegister(type_: aclRegisterCallbackType, cbFunc: aclInitCallbackFunc, userData: *mut c_void) -> aclError;
            /// Removes a function of `aclInitCallbackRegister`.
            #[newer]
            fn aclInitCallbackUnRegister(type_: aclRegisterCallbackType, cbFunc: aclInitCallbackFunc) -> aclError;
            /// Registers a function for the time of finalising.
            #[newer]
            fn aclFinalizeCallbackRegister(type_: aclRegisterCallbackType, cbFunc: aclFinalizeCallbackFunc, userData: *mut c_void) -> aclError;
            /// Removes a function of `aclFinalizeCallbackRegister`.
            #[newer]
            fn aclFinalizeCallbackUnRegister(type_: aclRegisterCallbackType, cbFunc: aclFinalizeCallbackFunc) -> aclError;
            /// Returns a parameter of the process.
            fn aclrtGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
            /// Sets a parameter of the process; 0 is the default of all.
            fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
            /// Limits the run time of operators, in seconds.
            fn aclrtSetOpExecuteTimeOut(timeout: u32) -> aclError;
            /// Limits the run time of operators, in milliseconds.
            fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> aclError;
            /// Limits the run time of operators, in microseconds, and returns the limit in force.
            #[newer]
            fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64) -> aclError;
            /// Returns the step of the limits on the run time of operators, in microseconds.
            #[newer]
            fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> aclError;
            /// Returns the limit on the run time of operators, in milliseconds.
            #[newer]
            fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> aclError;
            /// Sets the function that is called when a task fails; there is one per process. Deprecated: `aclrtBinarySetExceptionCallback` replaces it.
            fn aclrtSetExceptionInfoCallback(callback: aclrtExceptionInfoCallback) -> aclError;
            /// Returns adds a function that is called when a task fails.
            #[newer]
            fn aclrtExceptionInfoCallbackRegister(callback: aclrtExceptionInfoCallback) -> aclError;
            /// Removes a function of `aclrtExceptionInfoCallbackRegister`.
            #[newer]
            fn aclrtExceptionInfoCallbackUnregister(callback: aclrtExceptionInfoCallback) -> aclError;
            /// Returns the task that failed.
            fn aclrtGetTaskIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Returns the stream of the task that failed.
            fn aclrtGetStreamIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Returns the thread that submitted the task that failed.
            fn aclrtGetThreadIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Returns the device of the task that failed.
            fn aclrtGetDeviceIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Returns the status code of the task that failed.
            fn aclrtGetErrorCodeFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
            /// Returns the arguments of the kernel that failed.
            #[newer]
            fn aclrtGetArgsFromExceptionInfo(info: *const aclrtExceptionInfo, devArgsPtr: *mut *mut c_void, devArgsLen: *mut u32) -> aclError;
            /// Returns the kernel that failed.
            #[newer]
            fn aclrtGetFuncHandleFromExceptionInfo(info: *const aclrtExceptionInfo, func: *mut aclrtFuncHandle) -> aclError;
            /// Queues a mark for the profiler.
            #[newer]
            fn aclrtProfTrace(userdata: *mut c_void, length: i32, stream: aclrtStream) -> aclError;
            /// Returns whether programs for a chip run on this one.
            #[newer]
            fn aclrtCheckArchCompatibility(socVersion: *const c_char, canCompatible: *mut i32) -> aclError;
            /// Returns all properties that the installation has.
            fn aclGetCannAttributeList(cannAttrList: *mut *const aclCannAttr, num: *mut usize) -> aclError;
            /// Returns a property of the installation.
            fn aclGetCannAttribute(cannAttr: aclCannAttr, value: *mut i32) -> aclError;
            /// Returns the version of a package of CANN. Deprecated: `aclsysGetVersionStr` replaces it.
            fn aclsysGetCANNVersion(name: aclCANNPackageName, version: *mut aclCANNPackageVersion) -> aclError;
            /// Returns the version of a package of CANN as text.
            #[newer]
            fn aclsysGetVersionStr(pkgName: *mut c_char, versionStr: *mut c_char) -> aclError;
            /// Returns the version of a package of CANN as a number that can be compared.
            #[newer]
            fn aclsysGetVersionNum(pkgName: *mut c_char, versionNum: *mut i32) -> aclError;
            /// Locks the process for a snapshot.
            #[newer]
            fn aclrtSnapShotProcessLock(pid: i32, reserve: *mut c_void) -> aclError;
            /// Unlocks a process that `aclrtSnapShotProcessLock` locked.
            #[newer]
            fn aclrtSnapShotProcessUnlock(pid: i32, reserve: *mut c_void) -> aclError;
            /// Saves the process's state on the devices.
            #[newer]
            fn aclrtSnapShotProcessBackup(pid: i32, args: *mut aclrtSnapShotBackupArgs) -> aclError;
            /// Restores the process's state on the devices.
            #[newer]
            fn aclrtSnapShotProcessRestore(pid: i32, args: *mut aclrtSnapShotRestoreArgs) -> aclError;
            /// Registers a function for a stage of a snapshot.
            #[newer]
            fn aclrtSnapShotCallbackRegister(stage: aclrtSnapShotStage, callback: aclrtSnapShotCallBack, args: *mut c_void) -> aclError;
            /// Removes a function of `aclrtSnapShotCallbackRegister`.
            #[newer]
            fn aclrtSnapShotCallbackUnregister(stage: aclrtSnapShotStage, callback: aclrtSnapShotCallBack) -> aclError;
            /// Keeps a description of the operator that the thread launched last.
            #[newer]
            fn aclrtCacheLastTaskOpInfo(infoPtr: *const c_void, infoSize: usize) -> aclError;
            /// Returns adds to that description.
            #[newer]
            fn aclrtCacheLastTaskExtendInfo(extendInfoPtr: *const c_char, infoSize: usize) -> aclError;
            /// Begins to record the arguments of operators.
            fn aclopStartDumpArgs(dumpType: u32, path: *const c_char) -> aclError;
            /// Ends the record of operators' arguments.
            fn aclopStopDumpArgs(dumpType: u32) -> aclError;
            /// Returns the folder for dumps of a kind.
            #[newer]
            fn acldumpGetPath(dumpType: acldumpType) -> *const c_char;
            /// Adds tensors to the dump of a failure.
            #[newer]
            fn acldumpSaveExceptionInfo(fileName: *const c_char, userTag: *const c_char, tensors: *const acldumpTensorInfo, tensorCount: usize) -> aclError;
            /// Returns the folder for dumps of failures.
            #[newer]
            fn acldumpGetExceptionInfoPath(path: *mut c_char, maxLen: usize) -> aclError;
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
