//! What the device runs: kernels, and model instances (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the model functions.
#[doc(hidden)]
#[macro_export]
macro_rules! model_functions {
    ($callback:path) => {
        $callback! {
            area "model", ModelTable;
            /// Queues a run of a model instance.
            fn aclmdlRIExecuteAsync(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Destroys a model instance.
            fn aclmdlRIDestroy(modelRI: aclmdlRI) -> aclError;
            /// Describes a kernel binary in host memory.
            fn aclrtCreateBinary(data: *const c_void, dataLen: usize) -> aclrtBinary;
            /// Releases the description.
            fn aclrtDestroyBinary(binary: aclrtBinary) -> aclError;
            /// Loads a kernel binary.
            fn aclrtBinaryLoad(binary: aclrtBinary, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Loads a kernel binary from a file.
            fn aclrtBinaryLoadFromFile(binPath: *const c_char, options: *mut aclrtBinaryLoadOptions, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Loads a kernel binary from host memory.
            [newer] fn aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Unloads it.
            fn aclrtBinaryUnLoad(binHandle: aclrtBinHandle) -> aclError;
            /// Sets the function that learns of its failed kernels.
            [newer] fn aclrtBinarySetExceptionCallback(binHandle: aclrtBinHandle, callback: aclrtOpExceptionCallback, userData: *mut c_void) -> aclError;
            /// Where it lies on the device.
            [newer] fn aclrtBinaryGetDevAddress(binHandle: aclrtBinHandle, binAddr: *mut *mut c_void, binSize: *mut usize) -> aclError;
            /// A kernel of it by name.
            fn aclrtBinaryGetFunction(binHandle: aclrtBinHandle, kernelName: *const c_char, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// A kernel of it by entry.
            fn aclrtBinaryGetFunctionByEntry(binHandle: aclrtBinHandle, funcEntry: u64, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// A variable of it by name.
            [newer] fn aclrtBinaryGetGlobal(binHandle: aclrtBinHandle, name: *const c_char, dptr: *mut *mut c_void, size: *mut usize) -> aclError;
            /// The kernel of a symbol.
            [newer] fn aclrtGetFuncBySymbol(symbol: *const c_void, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Registers a kernel for the device's own CPU.
            [newer] fn aclrtRegisterCpuFunc(handle: aclrtBinHandle, funcName: *const c_char, kernelName: *const c_char, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Where a kernel lies on the device.
            fn aclrtGetFunctionAddr(funcHandle: aclrtFuncHandle, aicAddr: *mut *mut c_void, aivAddr: *mut *mut c_void) -> aclError;
            /// Bytes of a kernel.
            [newer] fn aclrtGetFunctionSize(funcHandle: aclrtFuncHandle, aicSize: *mut usize, aivSize: *mut usize) -> aclError;
            /// The name of a kernel.
            [newer] fn aclrtGetFunctionName(funcHandle: aclrtFuncHandle, maxLen: u32, name: *mut c_char) -> aclError;
            /// An attribute of a kernel.
            [newer] fn aclrtGetFunctionAttribute(funcHandle: aclrtFuncHandle, attrType: aclrtFuncAttribute, attrValue: *mut i64) -> aclError;
            /// The binary of a kernel.
            [newer] fn aclrtFunctionGetBinary(funcHandle: aclrtFuncHandle, binHandle: *mut aclrtBinHandle) -> aclError;
            /// How many parameters a kernel has.
            [newer] fn aclrtFunctionGetParamCount(func: *const c_void, paramCount: *mut usize) -> aclError;
            /// Place and size of a parameter.
            [newer] fn aclrtFunctionGetParamInfo(func: *const c_void, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> aclError;
            /// How much of the unified buffer a block may take.
            [newer] fn aclrtFunctionGetAvailDynUbufPerBlock(func: *mut c_void, flags: u32, dynamicUbufSize: *mut usize) -> aclError;
            /// Bytes of a list of arguments.
            fn aclrtKernelArgsGetHandleMemSize(funcHandle: aclrtFuncHandle, memSize: *mut usize) -> aclError;
            /// Bytes that the arguments need.
            fn aclrtKernelArgsGetMemSize(funcHandle: aclrtFuncHandle, userArgsSize: usize, actualArgsSize: *mut usize) -> aclError;
            /// Begins a list of arguments.
            fn aclrtKernelArgsInit(funcHandle: aclrtFuncHandle, argsHandle: *mut aclrtArgsHandle) -> aclError;
            /// The same in memory of the program.
            fn aclrtKernelArgsInitByUserMem(funcHandle: aclrtFuncHandle, argsHandle: aclrtArgsHandle, userHostMem: *mut c_void, actualArgsSize: usize) -> aclError;
            /// Adds an argument.
            fn aclrtKernelArgsAppend(argsHandle: aclrtArgsHandle, param: *mut c_void, paramSize: usize, paramHandle: *mut aclrtParamHandle) -> aclError;
            /// Adds an argument that is written later.
            fn aclrtKernelArgsAppendPlaceHolder(argsHandle: aclrtArgsHandle, paramHandle: *mut aclrtParamHandle) -> aclError;
            /// Where to write it.
            fn aclrtKernelArgsGetPlaceHolderBuffer(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle, dataSize: usize, bufferAddr: *mut *mut c_void) -> aclError;
            /// Changes an argument.
            fn aclrtKernelArgsParaUpdate(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle, param: *mut c_void, paramSize: usize) -> aclError;
            /// Ends the list.
            fn aclrtKernelArgsFinalize(argsHandle: aclrtArgsHandle) -> aclError;
            /// Queues a kernel with arguments in device memory.
            fn aclrtLaunchKernel(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, stream: aclrtStream) -> aclError;
            /// The same with attributes.
            [newer] fn aclrtLaunchKernelV2(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, cfg: *mut aclrtLaunchKernelCfg, stream: aclrtStream) -> aclError;
            /// Queues a kernel with a list of arguments.
            fn aclrtLaunchKernelWithConfig(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, argsHandle: aclrtArgsHandle, reserve: *mut c_void) -> aclError;
            /// Queues a kernel with arguments in host memory.
            [newer] fn aclrtLaunchKernelWithHostArgs(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) -> aclError;
            /// Queues a kernel with an array of arguments.
            [newer] fn aclrtLaunchKernelWithArgsArray(func: *mut c_void, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) -> aclError;
            /// Queues a kernel of threads with an array of arguments.
            [newer] fn aclrtLaunchSIMTKernelWithArgsArray(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) -> aclError;
            /// Queues a kernel of threads with arguments in host memory.
            [newer] fn aclrtLaunchSIMTKernelWithHostArgs(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) -> aclError;
            /// Queues the making of random numbers.
            [newer] fn aclrtRandomNumAsync(taskInfo: *const aclrtRandomNumTaskInfo, stream: aclrtStream, reserve: *mut c_void) -> aclError;
            /// Begins to capture a stream: its tasks go into a model instance instead of running.
            fn aclmdlRICaptureBegin(stream: aclrtStream, mode: aclmdlRICaptureMode) -> aclError;
            /// The same into a model instance that exists.
            [newer] fn aclmdlRICaptureToModelRIBegin(stream: aclrtStream, modelRI: aclmdlRI, mode: aclmdlRICaptureMode) -> aclError;
            /// Ends the capture; gives the model instance.
            fn aclmdlRICaptureEnd(stream: aclrtStream, modelRI: *mut aclmdlRI) -> aclError;
            /// Whether a stream is being captured, and into what.
            fn aclmdlRICaptureGetInfo(stream: aclrtStream, status: *mut aclmdlRICaptureStatus, modelRI: *mut aclmdlRI) -> aclError;
            /// Exchanges the calling thread's mode of capture.
            fn aclmdlRICaptureThreadExchangeMode(mode: *mut aclmdlRICaptureMode) -> aclError;
            /// Begins a group of tasks that can be changed together.
            fn aclmdlRICaptureTaskGrpBegin(stream: aclrtStream) -> aclError;
            /// Ends it.
            fn aclmdlRICaptureTaskGrpEnd(stream: aclrtStream, handle: *mut aclrtTaskGrp) -> aclError;
            /// Begins to change such a group.
            fn aclmdlRICaptureTaskUpdateBegin(stream: aclrtStream, handle: aclrtTaskGrp) -> aclError;
            /// Ends that.
            fn aclmdlRICaptureTaskUpdateEnd(stream: aclrtStream) -> aclError;
            /// Begins to build a model instance by hand.
            [newer] fn aclmdlRIBuildBegin(modelRI: *mut aclmdlRI, flag: u32) -> aclError;
            /// Gives it a persistent stream.
            [newer] fn aclmdlRIBindStream(modelRI: aclmdlRI, stream: aclrtStream, flag: u32) -> aclError;
            /// Marks the end of the tasks of a stream.
            [newer] fn aclmdlRIEndTask(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Ends the building.
            [newer] fn aclmdlRIBuildEnd(modelRI: aclmdlRI, reserve: *mut c_void) -> aclError;
            /// Takes a stream from it.
            [newer] fn aclmdlRIUnbindStream(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Runs a model instance and waits; timeout in milliseconds.
            [newer] fn aclmdlRIExecute(modelRI: aclmdlRI, timeout: i32) -> aclError;
            /// Stops a run.
            [newer] fn aclmdlRIAbort(modelRI: aclmdlRI) -> aclError;
            /// Makes changed tasks take effect.
            [newer] fn aclmdlRIUpdate(modelRI: aclmdlRI) -> aclError;
            /// Names a model instance.
            [newer] fn aclmdlRISetName(modelRI: aclmdlRI, name: *const c_char) -> aclError;
            /// Its name.
            [newer] fn aclmdlRIGetName(modelRI: aclmdlRI, maxLen: u32, name: *mut c_char) -> aclError;
            /// Its numeric id.
            [newer] fn aclmdlRIGetId(modelRI: aclmdlRI, modelRIId: *mut u32) -> aclError;
            /// Its streams.
            [newer] fn aclmdlRIGetStreams(modelRI: aclmdlRI, streams: *mut aclrtStream, numStreams: *mut u32) -> aclError;
            /// The tasks of a stream of it.
            [newer] fn aclmdlRIGetTasksByStream(stream: aclrtStream, tasks: *mut aclmdlRITask, numTasks: *mut u32) -> aclError;
            /// The kind of a task.
            [newer] fn aclmdlRITaskGetType(task: aclmdlRITask, type_: *mut aclmdlRITaskType) -> aclError;
            /// The number of a task in its stream.
            [newer] fn aclmdlRITaskGetSeqId(task: aclmdlRITask, id: *mut u32) -> aclError;
            /// The parameters of a task.
            [newer] fn aclmdlRITaskGetParams(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError;
            /// Changes them.
            [newer] fn aclmdlRITaskSetParams(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError;
            /// Makes a task do nothing.
            [newer] fn aclmdlRITaskDisable(task: aclmdlRITask) -> aclError;
            /// An attribute of a kernel's task.
            [newer] fn aclmdlRIKernelTaskGetAttribute(task: aclmdlRITask, attrId: aclrtLaunchKernelAttrId, attrValue: *mut aclrtLaunchKernelAttrValue) -> aclError;
            /// Registers a function for the end of a model instance.
            [newer] fn aclmdlRIDestroyRegisterCallback(modelRI: aclmdlRI, func: aclrtCallback, userData: *mut c_void) -> aclError;
            /// Removes it.
            [newer] fn aclmdlRIDestroyUnregisterCallback(modelRI: aclmdlRI, func: aclrtCallback) -> aclError;
            /// Prints a model instance.
            fn aclmdlRIDebugPrint(modelRI: aclmdlRI) -> aclError;
            /// Prints it as JSON into a file.
            [newer] fn aclmdlRIDebugJsonPrint(modelRI: aclmdlRI, path: *const c_char, flags: u32) -> aclError;
            /// Makes a condition of a model instance.
            [newer] fn aclmdlRICondHandleCreate(modelRI: aclmdlRI, defaultLaunchValue: u32, flag: aclmdlRICondHandleFlag, handle: *mut aclmdlRICondHandle) -> aclError;
            /// Where its value lies on the device.
            [newer] fn aclmdlRICondHandleGetCondPtr(handle: aclmdlRICondHandle, ptr: *mut *mut u64) -> aclError;
            /// Queues a task that depends on it.
            [newer] fn aclmdlRIAddCondTask(params: aclmdlRICondTaskParams, stream: aclrtStream, flags: u32) -> aclError;
        }
    };
}
model_functions!(define);
