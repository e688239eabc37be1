//! Graphs: captures, and model instances of the runtime (`aclmdlRI*` of `acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the graph functions.
#[doc(hidden)]
#[macro_export]
macro_rules! graph_functions {
    ($callback:path) => {
        $callback! {
            area "graph", GraphTable;
            /// Queues a run of a model instance.
            fn aclmdlRIExecuteAsync(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Destroys a model instance.
            fn aclmdlRIDestroy(modelRI: aclmdlRI) -> aclError;
            /// Begins to capture a stream. Its tasks go into a model instance and do not run.
            fn aclmdlRICaptureBegin(stream: aclrtStream, mode: aclmdlRICaptureMode) -> aclError;
            /// Begins to capture a stream into an existing model instance.
            #[newer]
            fn aclmdlRICaptureToModelRIBegin(stream: aclrtStream, modelRI: aclmdlRI, mode: aclmdlRICaptureMode) -> aclError;
            /// Ends the capture and returns the model instance.
            fn aclmdlRICaptureEnd(stream: aclrtStream, modelRI: *mut aclmdlRI) -> aclError;
            /// Returns whether a stream is being captured, and the model instance of the capture.
            fn aclmdlRICaptureGetInfo(stream: aclrtStream, status: *mut aclmdlRICaptureStatus, modelRI: *mut aclmdlRI) -> aclError;
            /// Exchanges the calling thread's mode of capture.
            fn aclmdlRICaptureThreadExchangeMode(mode: *mut aclmdlRICaptureMode) -> aclError;
            /// Begins a group of captured tasks that can be changed together.
            fn aclmdlRICaptureTaskGrpBegin(stream: aclrtStream) -> aclError;
            /// Ends a group of captured tasks.
            fn aclmdlRICaptureTaskGrpEnd(stream: aclrtStream, handle: *mut aclrtTaskGrp) -> aclError;
            /// Begins to change a group of captured tasks.
            fn aclmdlRICaptureTaskUpdateBegin(stream: aclrtStream, handle: aclrtTaskGrp) -> aclError;
            /// Ends the change of a group of captured tasks.
            fn aclmdlRICaptureTaskUpdateEnd(stream: aclrtStream) -> aclError;
            /// Begins to build a model instance by hand.
            #[newer]
            fn aclmdlRIBuildBegin(modelRI: *mut aclmdlRI, flag: u32) -> aclError;
            /// Adds a persistent stream to a model instance.
            #[newer]
            fn aclmdlRIBindStream(modelRI: aclmdlRI, stream: aclrtStream, flag: u32) -> aclError;
            /// Marks the end of the tasks of a stream.
            #[newer]
            fn aclmdlRIEndTask(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Ends the building of a model instance.
            #[newer]
            fn aclmdlRIBuildEnd(modelRI: aclmdlRI, reserve: *mut c_void) -> aclError;
            /// Takes a stream from a model instance.
            #[newer]
            fn aclmdlRIUnbindStream(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
            /// Runs a model instance and waits; timeout in milliseconds.
            #[newer]
            fn aclmdlRIExecute(modelRI: aclmdlRI, timeout: i32) -> aclError;
            /// Stops a run of a model instance.
            #[newer]
            fn aclmdlRIAbort(modelRI: aclmdlRI) -> aclError;
            /// Makes changed tasks of a model instance take effect.
            #[newer]
            fn aclmdlRIUpdate(modelRI: aclmdlRI) -> aclError;
            /// Gives a model instance a name.
            #[newer]
            fn aclmdlRISetName(modelRI: aclmdlRI, name: *const c_char) -> aclError;
            /// Returns the name of a model instance.
            #[newer]
            fn aclmdlRIGetName(modelRI: aclmdlRI, maxLen: u32, name: *mut c_char) -> aclError;
            /// Returns the numeric id of a model instance.
            #[newer]
            fn aclmdlRIGetId(modelRI: aclmdlRI, modelRIId: *mut u32) -> aclError;
            /// Returns the streams of a model instance.
            #[newer]
            fn aclmdlRIGetStreams(modelRI: aclmdlRI, streams: *mut aclrtStream, numStreams: *mut u32) -> aclError;
            /// Returns the tasks of one stream of a model instance.
            #[newer]
            fn aclmdlRIGetTasksByStream(stream: aclrtStream, tasks: *mut aclmdlRITask, numTasks: *mut u32) -> aclError;
            /// Returns the kind of a task of a model instance.
            #[newer]
            fn aclmdlRITaskGetType(task: aclmdlRITask, type_: *mut aclmdlRITaskType) -> aclError;
            /// Returns the number of a task in its stream.
            #[newer]
            fn aclmdlRITaskGetSeqId(task: aclmdlRITask, id: *mut u32) -> aclError;
            /// Returns the parameters of a task of a model instance.
            #[newer]
            fn aclmdlRITaskGetParams(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError;
            /// Changes the parameters of a task of a model instance.
            #[newer]
            fn aclmdlRITaskSetParams(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError;
            /// Makes a task do nothing.
            #[newer]
            fn aclmdlRITaskDisable(task: aclmdlRITask) -> aclError;
            /// Returns an attribute of a kernel's task.
            #[newer]
            fn aclmdlRIKernelTaskGetAttribute(task: aclmdlRITask, attrId: aclrtLaunchKernelAttrId, attrValue: *mut aclrtLaunchKernelAttrValue) -> aclError;
            /// Registers a function that is called when a model instance is destroyed.
            #[newer]
            fn aclmdlRIDestroyRegisterCallback(modelRI: aclmdlRI, func: aclrtCallback, userData: *mut c_void) -> aclError;
            /// Removes a function of `aclmdlRIDestroyRegisterCallback`.
            #[newer]
            fn aclmdlRIDestroyUnregisterCallback(modelRI: aclmdlRI, func: aclrtCallback) -> aclError;
            /// Prints a model instance. Deprecated: `aclmdlRIDebugJsonPrint` replaces it.
            fn aclmdlRIDebugPrint(modelRI: aclmdlRI) -> aclError;
            /// Prints a model instance as JSON into a file.
            #[changed(1.17)]
            fn aclmdlRIDebugJsonPrint(modelRI: aclmdlRI, path: *const c_char, flags: u32) -> aclError;
            /// Creates a condition of a model instance.
            #[newer]
            fn aclmdlRICondHandleCreate(modelRI: aclmdlRI, defaultLaunchValue: u32, flag: aclmdlRICondHandleFlag, handle: *mut aclmdlRICondHandle) -> aclError;
            /// Returns the device address of a condition's value.
            #[newer]
            fn aclmdlRICondHandleGetCondPtr(handle: aclmdlRICondHandle, ptr: *mut *mut u64) -> aclError;
            /// Queues a task that depends on a condition.
            #[newer]
            fn aclmdlRIAddCondTask(params: aclmdlRICondTaskParams, stream: aclrtStream, flags: u32) -> aclError;
        }
    };
}
graph_functions!(define);
