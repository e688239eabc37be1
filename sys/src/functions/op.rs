//! Operators: aclnn tensors, scalars, executors (`aclnn/acl_meta.h`), the operators themselves (`aclnnop/aclnn_*.h`), and
//! the older calls that name an operator by a text (`acl/acl_op.h`, `acl/acl_op_compiler.h`).
//!
//! An operator is one line of the list [`operators!`](crate::operators), which stands for both of its functions. The
//! first phase checks the arguments and makes an executor, the second queues what the executor prepared.
//!
//! The functions that compile operators by name are in a library of their own, which programs seldom link. So they have
//! the mark of newer functions.

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_int, c_void};

/// Calls `$callback!` with the operator functions: those of tensors and executors, and both phases of each operator.
#[doc(hidden)]
#[macro_export]
macro_rules! op_functions {
    (@phases $callback:path; $(
        $(# $attribute:tt)+ operator $launch:ident, $prepare:ident $parameters:tt in $header:literal;
    )*) => {
        $callback! {
            area "op", OpTable;
            /// Describes device memory as a tensor; null when the description is invalid.
            fn aclCreateTensor(viewDims: *const i64, viewDimsNum: u64, dataType: aclDataType, stride: *const i64, offset: i64, format: aclFormat, storageDims: *const i64, storageDimsNum: u64, tensorData: *mut c_void) -> *mut aclTensor;
            /// Releases the description, not the memory.
            fn aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
            /// Copies one host value into a scalar.
            fn aclCreateScalar(value: *mut c_void, dataType: aclDataType) -> *mut aclScalar;
            /// Releases a scalar.
            fn aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
            /// Copies whole numbers of the host into an array.
            fn aclCreateIntArray(value: *const i64, size: u64) -> *mut aclIntArray;
            /// Releases it.
            fn aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
            /// How many numbers it has.
            fn aclGetIntArraySize(array: *const aclIntArray, size: *mut u64) -> aclnnStatus;
            /// Copies numbers of the host into an array.
            fn aclCreateFloatArray(value: *const f32, size: u64) -> *mut aclFloatArray;
            /// Releases it.
            fn aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
            /// How many numbers it has.
            fn aclGetFloatArraySize(array: *const aclFloatArray, size: *mut u64) -> aclnnStatus;
            /// Copies truth values of the host into an array.
            fn aclCreateBoolArray(value: *const bool, size: u64) -> *mut aclBoolArray;
            /// Releases it.
            fn aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
            /// How many values it has.
            fn aclGetBoolArraySize(array: *const aclBoolArray, size: *mut u64) -> aclnnStatus;
            /// Makes a list of tensors, which owns them from then on.
            fn aclCreateTensorList(value: *const *const aclTensor, size: u64) -> *mut aclTensorList;
            /// Releases the list and every tensor in it.
            fn aclDestroyTensorList(array: *const aclTensorList) -> aclnnStatus;
            /// How many tensors it has.
            fn aclGetTensorListSize(tensorList: *const aclTensorList, size: *mut u64) -> aclnnStatus;
            /// Makes a list of scalars, which owns them from then on.
            fn aclCreateScalarList(value: *const *const aclScalar, size: u64) -> *mut aclScalarList;
            /// Releases the list and every scalar in it.
            fn aclDestroyScalarList(array: *const aclScalarList) -> aclnnStatus;
            /// How many scalars it has.
            fn aclGetScalarListSize(scalarList: *const aclScalarList, size: *mut u64) -> aclnnStatus;
            /// The shape of a tensor's view, in an array that becomes the caller's (`delete[]` of C++).
            fn aclGetViewShape(tensor: *const aclTensor, viewDims: *mut *mut i64, viewDimsNum: *mut u64) -> aclnnStatus;
            /// The strides of a tensor's view in elements, in an array that becomes the caller's (`delete[]` of C++).
            fn aclGetViewStrides(tensor: *const aclTensor, stridesValue: *mut *mut i64, stridesNum: *mut u64) -> aclnnStatus;
            /// The offset of a tensor's view in elements.
            fn aclGetViewOffset(tensor: *const aclTensor, offset: *mut i64) -> aclnnStatus;
            /// The format of a tensor.
            fn aclGetFormat(tensor: *const aclTensor, format: *mut aclFormat) -> aclnnStatus;
            /// The data type of a tensor.
            fn aclGetDataType(tensor: *const aclTensor, dataType: *mut aclDataType) -> aclnnStatus;
            /// Points a tensor at other memory.
            fn aclSetRawTensorAddr(tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// The memory of a tensor.
            fn aclGetRawTensorAddr(tensor: *const aclTensor, addr: *mut *mut c_void) -> aclnnStatus;
            /// Begins aclnn in a program that does not call `aclInit`.
            fn aclnnInit(configPath: *const c_char) -> aclnnStatus;
            /// Ends what `aclnnInit` began.
            fn aclnnFinalize() -> aclnnStatus;
            /// The number of elements that a weight of this shape takes in a fractal format, for half precision
            /// (`aclnnop/aclnn_trans_matmul_weight.h`).
            #[newer]
            fn aclnnCalculateMatmulWeightSize(tensorShape: *const aclIntArray, weightTensorSize: *mut u64) -> aclnnStatus;
            /// The number of elements that a weight of this shape and type takes in a fractal format
            /// (`aclnnop/aclnn_trans_matmul_weight.h`).
            #[newer]
            fn aclnnCalculateMatmulWeightSizeV2(tensorShape: *const aclIntArray, dataType: aclDataType, weightTensorSize: *mut u64) -> aclnnStatus;
            /// Makes an executor reusable; right after the first phase.
            fn aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// Releases a reusable executor.
            fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
            /// Points an input of an executor at other memory; `index` counts its inputs.
            fn aclSetInputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points an output of an executor at other memory; `index` counts its outputs.
            fn aclSetOutputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor of an executor at other memory; `index` counts its inputs and then its outputs.
            fn aclSetTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of inputs of an executor at other memory.
            fn aclSetDynamicInputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of outputs of an executor at other memory.
            fn aclSetDynamicOutputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// Points a tensor in a list of an executor at other memory.
            fn aclSetDynamicTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetInputTensorAddr` in older programs.
            #[newer]
            fn AclSetInputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetOutputTensorAddr` in older programs.
            #[newer]
            fn AclSetOutputTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetTensorAddr` in older programs.
            #[newer]
            fn AclSetTensorAddr(executor: *mut aclOpExecutor, index: usize, tensor: *mut aclTensor, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetDynamicInputTensorAddr` in older programs.
            #[newer]
            fn AclSetDynamicInputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetDynamicOutputTensorAddr` in older programs.
            #[newer]
            fn AclSetDynamicOutputTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// The name of `aclSetDynamicTensorAddr` in older programs.
            #[newer]
            fn AclSetDynamicTensorAddr(executor: *mut aclOpExecutor, irIndex: usize, relativeIndex: usize, tensors: *mut aclTensorList, addr: *mut c_void) -> aclnnStatus;
            /// Registers the folder with the single-operator models of the program; once per process.
            fn aclopSetModelDir(modelDir: *const c_char) -> aclError;
            /// Registers a single-operator model in memory.
            fn aclopLoad(model: *const c_void, modelSize: usize) -> aclError;
            /// Creates an empty set of attributes.
            fn aclopCreateAttr() -> *mut aclopAttr;
            /// Destroys a set of attributes.
            fn aclopDestroyAttr(attr: *const aclopAttr) -> ();
            /// Sets an attribute to a truth value.
            fn aclopSetAttrBool(attr: *mut aclopAttr, attrName: *const c_char, attrValue: u8) -> aclError;
            /// Sets an attribute to a whole number.
            fn aclopSetAttrInt(attr: *mut aclopAttr, attrName: *const c_char, attrValue: i64) -> aclError;
            /// Sets an attribute to a number.
            fn aclopSetAttrFloat(attr: *mut aclopAttr, attrName: *const c_char, attrValue: f32) -> aclError;
            /// Sets an attribute to a text.
            fn aclopSetAttrString(attr: *mut aclopAttr, attrName: *const c_char, attrValue: *const c_char) -> aclError;
            /// Sets an attribute to an element type.
            fn aclopSetAttrDataType(attr: *mut aclopAttr, attrName: *const c_char, attrValue: aclDataType) -> aclError;
            /// Sets an attribute to a list of element types.
            fn aclopSetAttrListDataType(attr: *mut aclopAttr, attrName: *const c_char, numValues: c_int, values: *const aclDataType) -> aclError;
            /// Sets an attribute to a list of truth values.
            fn aclopSetAttrListBool(attr: *mut aclopAttr, attrName: *const c_char, numValues: c_int, values: *const u8) -> aclError;
            /// Sets an attribute to a list of whole numbers.
            fn aclopSetAttrListInt(attr: *mut aclopAttr, attrName: *const c_char, numValues: c_int, values: *const i64) -> aclError;
            /// Sets an attribute to a list of numbers.
            fn aclopSetAttrListFloat(attr: *mut aclopAttr, attrName: *const c_char, numValues: c_int, values: *const f32) -> aclError;
            /// Sets an attribute to a list of texts.
            fn aclopSetAttrListString(attr: *mut aclopAttr, attrName: *const c_char, numValues: c_int, values: *mut *const c_char) -> aclError;
            /// Sets an attribute to a list of lists of whole numbers.
            fn aclopSetAttrListListInt(attr: *mut aclopAttr, attrName: *const c_char, numLists: c_int, numValues: *const c_int, values: *const *const i64) -> aclError;
            /// Queues an operator that was compiled, by its type, descriptions and attributes. Deprecated: `aclopExecuteV2` replaces it.
            fn aclopExecute(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, inputs: *const *const aclDataBuffer, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, outputs: *const *mut aclDataBuffer, attr: *const aclopAttr, stream: aclrtStream) -> aclError;
            /// Queues an operator that was compiled, and writes the shapes of its outputs to their descriptions.
            fn aclopExecuteV2(opType: *const c_char, numInputs: c_int, inputDesc: *mut *mut aclTensorDesc, inputs: *mut *mut aclDataBuffer, numOutputs: c_int, outputDesc: *mut *mut aclTensorDesc, outputs: *mut *mut aclDataBuffer, attr: *mut aclopAttr, stream: aclrtStream) -> aclError;
            /// Looks up an operator that was compiled, for many runs.
            fn aclopCreateHandle(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, opAttr: *const aclopAttr, handle: *mut *mut aclopHandle) -> aclError;
            /// Destroys the result of a look-up.
            fn aclopDestroyHandle(handle: *mut aclopHandle) -> ();
            /// Queues an operator that was looked up.
            fn aclopExecWithHandle(handle: *mut aclopHandle, numInputs: c_int, inputs: *const *const aclDataBuffer, numOutputs: c_int, outputs: *const *mut aclDataBuffer, stream: aclrtStream) -> aclError;
            /// Queues the operator `Cast`, which was compiled.
            fn aclopCast(srcDesc: *const aclTensorDesc, srcBuffer: *const aclDataBuffer, dstDesc: *const aclTensorDesc, dstBuffer: *mut aclDataBuffer, truncate: u8, stream: aclrtStream) -> aclError;
            /// Looks up the operator `Cast`, which was compiled, for many runs.
            fn aclopCreateHandleForCast(srcDesc: *mut aclTensorDesc, dstDesc: *mut aclTensorDesc, truncate: u8, handle: *mut *mut aclopHandle) -> aclError;
            /// Registers a kernel that a compile function chooses.
            fn aclopCreateKernel(opType: *const c_char, kernelId: *const c_char, kernelName: *const c_char, binData: *mut c_void, binSize: c_int, enginetype: aclopEngineType, deallocator: aclDataDeallocator) -> aclError;
            /// Registers the function that chooses the kernel of an operator.
            fn aclopRegisterCompileFunc(opType: *const c_char, func: aclopCompileFunc) -> aclError;
            /// Removes the function that chooses the kernel of an operator.
            fn aclopUnregisterCompileFunc(opType: *const c_char) -> aclError;
            /// Sets the arguments of a kernel; for the function that chooses it.
            fn aclopSetKernelArgs(kernelDesc: *mut aclopKernelDesc, kernelId: *const c_char, blockDim: u32, args: *const c_void, argSize: u32) -> aclError;
            /// Sets the sizes of the workspaces of a kernel; for the function that chooses it.
            fn aclopSetKernelWorkspaceSizes(kernelDesc: *mut aclopKernelDesc, numWorkspaces: c_int, workspaceSizes: *mut usize) -> aclError;
            /// Calls the function that chooses the kernel of an operator.
            fn aclopUpdateParams(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, attr: *const aclopAttr) -> aclError;
            /// Sets how many compiled operators are kept.
            fn aclopSetMaxOpQueueNum(maxOpNum: u64) -> aclError;
            /// Computes the shapes of the outputs of an operator.
            fn aclopInferShape(opType: *const c_char, numInputs: c_int, inputDesc: *mut *mut aclTensorDesc, inputs: *mut *mut aclDataBuffer, numOutputs: c_int, outputDesc: *mut *mut aclTensorDesc, attr: *mut aclopAttr) -> aclError;
            /// Compiles an operator for the shapes of its descriptions.
            #[newer]
            fn aclopCompile(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, attr: *const aclopAttr, engineType: aclopEngineType, compileFlag: aclopCompileType, opPath: *const c_char) -> aclError;
            /// Compiles an operator if need be, and queues it.
            #[newer]
            fn aclopCompileAndExecute(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, inputs: *const *const aclDataBuffer, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, outputs: *const *mut aclDataBuffer, attr: *const aclopAttr, engineType: aclopEngineType, compileFlag: aclopCompileType, opPath: *const c_char, stream: aclrtStream) -> aclError;
            /// Compiles an operator if need be, queues it, and writes the shapes of its outputs to their descriptions.
            #[newer]
            fn aclopCompileAndExecuteV2(opType: *const c_char, numInputs: c_int, inputDesc: *mut *mut aclTensorDesc, inputs: *mut *mut aclDataBuffer, numOutputs: c_int, outputDesc: *mut *mut aclTensorDesc, outputs: *mut *mut aclDataBuffer, attr: *mut aclopAttr, engineType: aclopEngineType, compileFlag: aclopCompileType, opPath: *const c_char, stream: aclrtStream) -> aclError;
            /// Sets an option of compiling operators.
            #[newer]
            fn aclSetCompileopt(opt: aclCompileOpt, value: *const c_char) -> aclError;
            /// Returns the bytes of the value of an option of compiling operators.
            #[newer]
            fn aclGetCompileoptSize(opt: aclCompileOpt) -> usize;
            /// Returns the value of an option of compiling operators.
            #[newer]
            fn aclGetCompileopt(opt: aclCompileOpt, value: *mut c_char, length: usize) -> aclError;
            /// Sets whether operators are compiled for ranges of shapes.
            #[newer]
            fn aclopSetCompileFlag(flag: aclOpCompileFlag) -> aclError;
            /// Compiles an operator and writes its graph to a file.
            #[newer]
            fn aclGenGraphAndDumpForOp(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc, inputs: *const *const aclDataBuffer, numOutputs: c_int, outputDesc: *const *const aclTensorDesc, outputs: *const *mut aclDataBuffer, attr: *const aclopAttr, engineType: aclopEngineType, graphDumpPath: *const c_char, graphDumpOpt: *const aclGraphDumpOption) -> aclError;
            /// Creates options of writing a graph.
            #[newer]
            fn aclCreateGraphDumpOpt() -> *mut aclGraphDumpOption;
            /// Destroys options of writing a graph.
            #[newer]
            fn aclDestroyGraphDumpOpt(graphDumpOpt: *const aclGraphDumpOption) -> aclError;
            $(
                $(# $attribute)+
                ///
                /// First phase: checks the arguments, asks for a workspace and makes an executor.
                #[doc = concat!("Declared in `aclnnop/", $header, "`.")]
                fn $prepare [first $parameters] -> aclnnStatus;
                $(# $attribute)+
                ///
                /// Second phase: queues what the executor prepared.
                #[doc = concat!("Declared in `aclnnop/", $header, "`.")]
                fn $launch(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, stream: aclrtStream) -> aclnnStatus;
            )*
        }
    };
    ($callback:path) => {
        $crate::operators! { $crate::op_functions, @phases $callback; }
    };
}

op_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use op_functions;
