//! Work for a device: models (`acl/acl_mdl.h`, `acl/acl_base_mdl.h`) and kernels (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_int, c_void};

/// Calls `$callback!` with the model functions.
#[doc(hidden)]
#[macro_export]
macro_rules! model_functions {
    ($callback:path) => {
        $callback! {
            area "model", ModelTable;
            /// Loads a model from a file, with memory of the runtime.
            fn aclmdlLoadFromFile(modelPath: *const c_char, modelId: *mut u32) -> aclError;
            /// Loads a model from a file, with work memory and weight memory of the program.
            fn aclmdlLoadFromFileWithMem(modelPath: *const c_char, modelId: *mut u32, workPtr: *mut c_void, workSize: usize, weightPtr: *mut c_void, weightSize: usize) -> aclError;
            /// Loads a model from memory, with memory of the runtime.
            fn aclmdlLoadFromMem(model: *const c_void, modelSize: usize, modelId: *mut u32) -> aclError;
            /// Loads a model from memory, with work memory and weight memory of the program.
            fn aclmdlLoadFromMemWithMem(model: *const c_void, modelSize: usize, modelId: *mut u32, workPtr: *mut c_void, workSize: usize, weightPtr: *mut c_void, weightSize: usize) -> aclError;
            /// Creates options of loading a model.
            fn aclmdlCreateConfigHandle() -> *mut aclmdlConfigHandle;
            /// Destroys options of loading a model.
            fn aclmdlDestroyConfigHandle(handle: *mut aclmdlConfigHandle) -> aclError;
            /// Sets an option of loading a model.
            fn aclmdlSetConfigOpt(handle: *mut aclmdlConfigHandle, attr: aclmdlConfigAttr, attrValue: *const c_void, valueSize: usize) -> aclError;
            /// Loads a model as the options say.
            fn aclmdlLoadWithConfig(handle: *const aclmdlConfigHandle, modelId: *mut u32) -> aclError;
            /// Returns the bytes of work memory and weight memory that the model in a file needs.
            fn aclmdlQuerySize(fileName: *const c_char, workSize: *mut usize, weightSize: *mut usize) -> aclError;
            /// Returns the bytes of work memory and weight memory that a model in memory needs.
            fn aclmdlQuerySizeFromMem(model: *const c_void, modelSize: usize, workSize: *mut usize, weightSize: *mut usize) -> aclError;
            /// Unloads a model.
            fn aclmdlUnload(modelId: u32) -> aclError;
            /// Creates an empty description of a model.
            fn aclmdlCreateDesc() -> *mut aclmdlDesc;
            /// Destroys the description of a model, and the names that it returned.
            fn aclmdlDestroyDesc(modelDesc: *mut aclmdlDesc) -> aclError;
            /// Fills a description for a loaded model.
            fn aclmdlGetDesc(modelDesc: *mut aclmdlDesc, modelId: u32) -> aclError;
            /// Fills a description for the model in a file.
            fn aclmdlGetDescFromFile(modelDesc: *mut aclmdlDesc, modelPath: *const c_char) -> aclError;
            /// Fills a description for a model in memory.
            fn aclmdlGetDescFromMem(modelDesc: *mut aclmdlDesc, model: *const c_void, modelSize: usize) -> aclError;
            /// Returns the number of inputs of a model.
            fn aclmdlGetNumInputs(modelDesc: *mut aclmdlDesc) -> usize;
            /// Returns the number of outputs of a model.
            fn aclmdlGetNumOutputs(modelDesc: *mut aclmdlDesc) -> usize;
            /// Returns the bytes of an input.
            fn aclmdlGetInputSizeByIndex(modelDesc: *mut aclmdlDesc, index: usize) -> usize;
            /// Returns the bytes of an output.
            fn aclmdlGetOutputSizeByIndex(modelDesc: *mut aclmdlDesc, index: usize) -> usize;
            /// Returns the shape and the name of an input.
            fn aclmdlGetInputDims(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError;
            /// Returns the shape and the name of an input, which can have static preprocessing.
            fn aclmdlGetInputDimsV2(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError;
            /// Returns the smallest and the largest value of each dimension of an input.
            fn aclmdlGetInputDimsRange(modelDesc: *const aclmdlDesc, index: usize, dimsRange: *mut aclmdlIODimsRange) -> aclError;
            /// Returns the shape and the name of an output.
            fn aclmdlGetOutputDims(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError;
            /// Returns the shape of an output for the gear that was set last.
            fn aclmdlGetCurOutputDims(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError;
            /// Returns the name of an input.
            fn aclmdlGetInputNameByIndex(modelDesc: *const aclmdlDesc, index: usize) -> *const c_char;
            /// Returns the name of an output.
            fn aclmdlGetOutputNameByIndex(modelDesc: *const aclmdlDesc, index: usize) -> *const c_char;
            /// Returns the full name of an input or output whose name was too long for its structure.
            fn aclmdlGetTensorRealName(modelDesc: *const aclmdlDesc, name: *const c_char) -> *const c_char;
            /// Returns the position of the input with a name.
            fn aclmdlGetInputIndexByName(modelDesc: *const aclmdlDesc, name: *const c_char, index: *mut usize) -> aclError;
            /// Returns the position of the output with a name.
            fn aclmdlGetOutputIndexByName(modelDesc: *const aclmdlDesc, name: *const c_char, index: *mut usize) -> aclError;
            /// Returns the memory layout of an input.
            fn aclmdlGetInputFormat(modelDesc: *const aclmdlDesc, index: usize) -> aclFormat;
            /// Returns the memory layout of an output.
            fn aclmdlGetOutputFormat(modelDesc: *const aclmdlDesc, index: usize) -> aclFormat;
            /// Returns the element type of an input.
            fn aclmdlGetInputDataType(modelDesc: *const aclmdlDesc, index: usize) -> aclDataType;
            /// Returns the element type of an output.
            fn aclmdlGetOutputDataType(modelDesc: *const aclmdlDesc, index: usize) -> aclDataType;
            /// Returns an attribute of an operator of a model.
            fn aclmdlGetOpAttr(modelDesc: *mut aclmdlDesc, opName: *const c_char, attr: *const c_char) -> *const c_char;
            /// Returns the batch sizes that a model was compiled for.
            fn aclmdlGetDynamicBatch(modelDesc: *const aclmdlDesc, batch: *mut aclmdlBatch) -> aclError;
            /// Returns the sizes of pictures that a model was compiled for.
            fn aclmdlGetDynamicHW(modelDesc: *const aclmdlDesc, index: usize, hw: *mut aclmdlHW) -> aclError;
            /// Returns the number of shapes that a model was compiled for.
            fn aclmdlGetInputDynamicGearCount(modelDesc: *const aclmdlDesc, index: usize, gearCount: *mut usize) -> aclError;
            /// Returns the shapes that a model was compiled for.
            fn aclmdlGetInputDynamicDims(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims, gearCount: usize) -> aclError;
            /// Creates an empty list of data buffers.
            fn aclmdlCreateDataset() -> *mut aclmdlDataset;
            /// Destroys a list of data buffers, and neither the buffers nor their memory.
            fn aclmdlDestroyDataset(dataset: *const aclmdlDataset) -> aclError;
            /// Adds a data buffer to the end of a list.
            fn aclmdlAddDatasetBuffer(dataset: *mut aclmdlDataset, dataBuffer: *mut aclDataBuffer) -> aclError;
            /// Returns the number of data buffers in a list.
            fn aclmdlGetDatasetNumBuffers(dataset: *const aclmdlDataset) -> usize;
            /// Returns a data buffer of a list, which the program still has to destroy.
            fn aclmdlGetDatasetBuffer(dataset: *const aclmdlDataset, index: usize) -> *mut aclDataBuffer;
            /// Copies a tensor description to a position of a list.
            fn aclmdlSetDatasetTensorDesc(dataset: *mut aclmdlDataset, tensorDesc: *mut aclTensorDesc, index: usize) -> aclError;
            /// Returns the tensor description at a position of a list, which owns it.
            fn aclmdlGetDatasetTensorDesc(dataset: *const aclmdlDataset, index: usize) -> *mut aclTensorDesc;
            /// Writes the batch size of the next runs into the input for gears.
            fn aclmdlSetDynamicBatchSize(modelId: u32, dataset: *mut aclmdlDataset, index: usize, batchSize: u64) -> aclError;
            /// Writes the size of pictures of the next runs into the input for gears.
            fn aclmdlSetDynamicHWSize(modelId: u32, dataset: *mut aclmdlDataset, index: usize, height: u64, width: u64) -> aclError;
            /// Writes the shape of the next runs into the input for gears.
            fn aclmdlSetInputDynamicDims(modelId: u32, dataset: *mut aclmdlDataset, index: usize, dims: *const aclmdlIODims) -> aclError;
            /// Runs a model and waits for its end.
            fn aclmdlExecute(modelId: u32, input: *const aclmdlDataset, output: *mut aclmdlDataset) -> aclError;
            /// Queues a run of a model.
            fn aclmdlExecuteAsync(modelId: u32, input: *const aclmdlDataset, output: *mut aclmdlDataset, stream: aclrtStream) -> aclError;
            /// Runs a model on a stream and waits for its end.
            fn aclmdlExecuteV2(modelId: u32, input: *const aclmdlDataset, output: *mut aclmdlDataset, stream: aclrtStream, handle: *const aclmdlExecConfigHandle) -> aclError;
            /// Creates options of a run.
            fn aclmdlCreateExecConfigHandle() -> *mut aclmdlExecConfigHandle;
            /// Destroys options of a run.
            fn aclmdlDestroyExecConfigHandle(handle: *const aclmdlExecConfigHandle) -> aclError;
            /// Sets an option of a run.
            fn aclmdlSetExecConfigOpt(handle: *mut aclmdlExecConfigHandle, attr: aclmdlExecConfigAttr, attrValue: *const c_void, valueSize: usize) -> aclError;
            /// Creates a tensor description: an element type, a shape and a memory layout.
            fn aclCreateTensorDesc(dataType: aclDataType, numDims: i32, dims: *const i64, format: aclFormat) -> *mut aclTensorDesc;
            /// Destroys a tensor description.
            fn aclDestroyTensorDesc(desc: *const aclTensorDesc) -> ();
            /// Returns the element type of a tensor description.
            fn aclGetTensorDescType(desc: *const aclTensorDesc) -> aclDataType;
            /// Returns the memory layout of a tensor description.
            fn aclGetTensorDescFormat(desc: *const aclTensorDesc) -> aclFormat;
            /// Returns the bytes of the tensor of a description.
            fn aclGetTensorDescSize(desc: *const aclTensorDesc) -> usize;
            /// Returns the number of elements of the tensor of a description.
            fn aclGetTensorDescElementCount(desc: *const aclTensorDesc) -> usize;
            /// Returns the number of dimensions of a tensor description.
            fn aclGetTensorDescNumDims(desc: *const aclTensorDesc) -> usize;
            /// Returns a dimension of a tensor description.
            fn aclGetTensorDescDimV2(desc: *const aclTensorDesc, index: usize, dimSize: *mut i64) -> aclError;
            /// Returns a dimension of a tensor description, or -1. Deprecated: `aclGetTensorDescDimV2` replaces it.
            fn aclGetTensorDescDim(desc: *const aclTensorDesc, index: usize) -> i64;
            /// Returns the smallest and the largest value of a dimension of a tensor description.
            fn aclGetTensorDescDimRange(desc: *const aclTensorDesc, index: usize, dimRangeNum: usize, dimRange: *mut i64) -> aclError;
            /// Sets the smallest and the largest value of each dimension of a tensor description.
            fn aclSetTensorShapeRange(desc: *mut aclTensorDesc, dimsCount: usize, dimsRange: *mut [i64; ACL_TENSOR_SHAPE_RANGE_NUM]) -> aclError;
            /// Sets the smallest and the largest value of each element of a tensor description.
            fn aclSetTensorValueRange(desc: *mut aclTensorDesc, valueCount: usize, valueRange: *mut [i64; ACL_TENSOR_VALUE_RANGE_NUM]) -> aclError;
            /// Sets the name of a tensor description.
            fn aclSetTensorDescName(desc: *mut aclTensorDesc, name: *const c_char) -> ();
            /// Returns the name of a tensor description.
            fn aclGetTensorDescName(desc: *mut aclTensorDesc) -> *const c_char;
            /// Creates a description of the same tensor in another memory layout.
            fn aclTransTensorDescFormat(srcDesc: *const aclTensorDesc, dstFormat: aclFormat, dstDesc: *mut *mut aclTensorDesc) -> aclError;
            /// Sets the memory layout of the storage of a tensor. Deprecated: `aclSetTensorFormat` replaces it.
            fn aclSetTensorStorageFormat(desc: *mut aclTensorDesc, format: aclFormat) -> aclError;
            /// Sets the shape of the storage of a tensor. Deprecated: `aclSetTensorShape` replaces it.
            fn aclSetTensorStorageShape(desc: *mut aclTensorDesc, numDims: c_int, dims: *const i64) -> aclError;
            /// Sets the memory layout of the storage of a tensor.
            fn aclSetTensorFormat(desc: *mut aclTensorDesc, format: aclFormat) -> aclError;
            /// Sets the shape of the storage of a tensor.
            fn aclSetTensorShape(desc: *mut aclTensorDesc, numDims: c_int, dims: *const i64) -> aclError;
            /// Sets the memory layout of a tensor.
            fn aclSetTensorOriginFormat(desc: *mut aclTensorDesc, format: aclFormat) -> aclError;
            /// Sets the shape of a tensor.
            fn aclSetTensorOriginShape(desc: *mut aclTensorDesc, numDims: c_int, dims: *const i64) -> aclError;
            /// Returns a description of an array of them.
            fn aclGetTensorDescByIndex(desc: *mut aclTensorDesc, index: usize) -> *mut aclTensorDesc;
            /// Returns the memory of a tensor that a description of an operator of a model names.
            fn aclGetTensorDescAddress(desc: *const aclTensorDesc) -> *mut c_void;
            /// Makes a tensor one of a group of inputs of an operator.
            fn aclSetTensorDynamicInput(desc: *mut aclTensorDesc, dynamicInputName: *const c_char) -> aclError;
            /// Copies the elements of a tensor into its description: they are known when the operator is compiled.
            fn aclSetTensorConst(desc: *mut aclTensorDesc, dataBuffer: *mut c_void, length: usize) -> aclError;
            /// Sets whether the elements of a tensor are in host memory.
            fn aclSetTensorPlaceMent(desc: *mut aclTensorDesc, memType: aclMemType) -> aclError;
            /// Creates parameters of the preprocessing of pictures for a batch.
            fn aclmdlCreateAIPP(batchSize: u64) -> *mut aclmdlAIPP;
            /// Destroys parameters of preprocessing.
            fn aclmdlDestroyAIPP(aippParmsSet: *const aclmdlAIPP) -> aclError;
            /// Returns the bytes of the parameters of preprocessing for a batch.
            fn aclmdlGetAippDataSize(batchSize: u64, size: *mut usize) -> aclError;
            /// Sets the pixel format of the pictures.
            fn aclmdlSetAIPPInputFormat(aippParmsSet: *mut aclmdlAIPP, inputFormat: aclAippInputFormat) -> aclError;
            /// Sets the conversion of colours.
            fn aclmdlSetAIPPCscParams(aippParmsSet: *mut aclmdlAIPP, cscSwitch: i8, cscMatrixR0C0: i16, cscMatrixR0C1: i16, cscMatrixR0C2: i16, cscMatrixR1C0: i16, cscMatrixR1C1: i16, cscMatrixR1C2: i16, cscMatrixR2C0: i16, cscMatrixR2C1: i16, cscMatrixR2C2: i16, cscOutputBiasR0: u8, cscOutputBiasR1: u8, cscOutputBiasR2: u8, cscInputBiasR0: u8, cscInputBiasR1: u8, cscInputBiasR2: u8) -> aclError;
            /// Sets whether red and blue, or U and V, change places.
            fn aclmdlSetAIPPRbuvSwapSwitch(aippParmsSet: *mut aclmdlAIPP, rbuvSwapSwitch: i8) -> aclError;
            /// Sets whether the alpha channel goes from the front to the end.
            fn aclmdlSetAIPPAxSwapSwitch(aippParmsSet: *mut aclmdlAIPP, axSwapSwitch: i8) -> aclError;
            /// Sets the size of the pictures.
            fn aclmdlSetAIPPSrcImageSize(aippParmsSet: *mut aclmdlAIPP, srcImageSizeW: i32, srcImageSizeH: i32) -> aclError;
            /// Sets the scaling of a picture.
            fn aclmdlSetAIPPScfParams(aippParmsSet: *mut aclmdlAIPP, scfSwitch: i8, scfInputSizeW: i32, scfInputSizeH: i32, scfOutputSizeW: i32, scfOutputSizeH: i32, batchIndex: u64) -> aclError;
            /// Sets the part of a picture that is used.
            fn aclmdlSetAIPPCropParams(aippParmsSet: *mut aclmdlAIPP, cropSwitch: i8, cropStartPosW: i32, cropStartPosH: i32, cropSizeW: i32, cropSizeH: i32, batchIndex: u64) -> aclError;
            /// Sets the border around a picture.
            fn aclmdlSetAIPPPaddingParams(aippParmsSet: *mut aclmdlAIPP, paddingSwitch: i8, paddingSizeTop: i32, paddingSizeBottom: i32, paddingSizeLeft: i32, paddingSizeRight: i32, batchIndex: u64) -> aclError;
            /// Sets the mean of each channel, which is subtracted first.
            fn aclmdlSetAIPPDtcPixelMean(aippParmsSet: *mut aclmdlAIPP, dtcPixelMeanChn0: i16, dtcPixelMeanChn1: i16, dtcPixelMeanChn2: i16, dtcPixelMeanChn3: i16, batchIndex: u64) -> aclError;
            /// Sets the minimum of each channel, which is subtracted second.
            fn aclmdlSetAIPPDtcPixelMin(aippParmsSet: *mut aclmdlAIPP, dtcPixelMinChn0: f32, dtcPixelMinChn1: f32, dtcPixelMinChn2: f32, dtcPixelMinChn3: f32, batchIndex: u64) -> aclError;
            /// Sets the factor of each channel.
            fn aclmdlSetAIPPPixelVarReci(aippParmsSet: *mut aclmdlAIPP, dtcPixelVarReciChn0: f32, dtcPixelVarReciChn1: f32, dtcPixelVarReciChn2: f32, dtcPixelVarReciChn3: f32, batchIndex: u64) -> aclError;
            /// Writes the parameters of preprocessing into the input of a model for them.
            fn aclmdlSetInputAIPP(modelId: u32, dataset: *mut aclmdlDataset, index: usize, aippParmsSet: *const aclmdlAIPP) -> aclError;
            /// Writes the parameters of preprocessing for the input of a model that has the pictures.
            fn aclmdlSetAIPPByInputIndex(modelId: u32, dataset: *mut aclmdlDataset, index: usize, aippParmsSet: *const aclmdlAIPP) -> aclError;
            /// Returns the kind of preprocessing of an input of a model.
            fn aclmdlGetAippType(modelId: u32, index: usize, type_: *mut aclmdlInputAippType, dynamicAttachedDataIndex: *mut usize) -> aclError;
            /// Returns the preprocessing that an input of a model was compiled with.
            fn aclmdlGetFirstAippInfo(modelId: u32, index: usize, aippInfo: *mut aclAippInfo) -> aclError;
            /// Describes a kernel binary in host memory.
            fn aclrtCreateBinary(data: *const c_void, dataLen: usize) -> aclrtBinary;
            /// Frees the description of a kernel binary.
            fn aclrtDestroyBinary(binary: aclrtBinary) -> aclError;
            /// Loads a kernel binary.
            fn aclrtBinaryLoad(binary: aclrtBinary, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Loads a kernel binary from a file.
            fn aclrtBinaryLoadFromFile(binPath: *const c_char, options: *mut aclrtBinaryLoadOptions, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Loads a kernel binary from host memory.
            #[newer]
            fn aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Unloads a kernel binary.
            fn aclrtBinaryUnLoad(binHandle: aclrtBinHandle) -> aclError;
            /// Sets the function that is called when a kernel of a binary fails.
            #[newer]
            fn aclrtBinarySetExceptionCallback(binHandle: aclrtBinHandle, callback: aclrtOpExceptionCallback, userData: *mut c_void) -> aclError;
            /// Returns the device address of a kernel binary.
            #[newer]
            fn aclrtBinaryGetDevAddress(binHandle: aclrtBinHandle, binAddr: *mut *mut c_void, binSize: *mut usize) -> aclError;
            /// Returns a kernel of a binary by its name.
            fn aclrtBinaryGetFunction(binHandle: aclrtBinHandle, kernelName: *const c_char, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Returns a kernel of a binary by its entry.
            fn aclrtBinaryGetFunctionByEntry(binHandle: aclrtBinHandle, funcEntry: u64, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Returns a variable of a kernel binary by its name.
            #[newer]
            fn aclrtBinaryGetGlobal(binHandle: aclrtBinHandle, name: *const c_char, dptr: *mut *mut c_void, size: *mut usize) -> aclError;
            /// Returns the kernel of a symbol.
            #[newer]
            fn aclrtGetFuncBySymbol(symbol: *const c_void, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Registers a kernel for the device's own CPU.
            #[newer]
            fn aclrtRegisterCpuFunc(handle: aclrtBinHandle, funcName: *const c_char, kernelName: *const c_char, funcHandle: *mut aclrtFuncHandle) -> aclError;
            /// Returns the device address of a kernel.
            fn aclrtGetFunctionAddr(funcHandle: aclrtFuncHandle, aicAddr: *mut *mut c_void, aivAddr: *mut *mut c_void) -> aclError;
            /// Returns the bytes of a kernel.
            #[newer]
            fn aclrtGetFunctionSize(funcHandle: aclrtFuncHandle, aicSize: *mut usize, aivSize: *mut usize) -> aclError;
            /// Returns the name of a kernel.
            #[newer]
            fn aclrtGetFunctionName(funcHandle: aclrtFuncHandle, maxLen: u32, name: *mut c_char) -> aclError;
            /// Returns an attribute of a kernel.
            #[newer]
            fn aclrtGetFunctionAttribute(funcHandle: aclrtFuncHandle, attrType: aclrtFuncAttribute, attrValue: *mut i64) -> aclError;
            /// Returns the binary of a kernel.
            #[newer]
            fn aclrtFunctionGetBinary(funcHandle: aclrtFuncHandle, binHandle: *mut aclrtBinHandle) -> aclError;
            /// Returns how many parameters a kernel has.
            #[newer]
            fn aclrtFunctionGetParamCount(func: *const c_void, paramCount: *mut usize) -> aclError;
            /// Returns the place and the size of a kernel's parameter.
            #[newer]
            fn aclrtFunctionGetParamInfo(func: *const c_void, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize) -> aclError;
            /// Returns how many bytes of the unified buffer a block may take.
            #[newer]
            fn aclrtFunctionGetAvailDynUbufPerBlock(func: *mut c_void, flags: u32, dynamicUbufSize: *mut usize) -> aclError;
            /// Returns the bytes of the handle of an argument list.
            fn aclrtKernelArgsGetHandleMemSize(funcHandle: aclrtFuncHandle, memSize: *mut usize) -> aclError;
            /// Returns the bytes that the arguments of a list need.
            fn aclrtKernelArgsGetMemSize(funcHandle: aclrtFuncHandle, userArgsSize: usize, actualArgsSize: *mut usize) -> aclError;
            /// Begins an argument list of a kernel.
            fn aclrtKernelArgsInit(funcHandle: aclrtFuncHandle, argsHandle: *mut aclrtArgsHandle) -> aclError;
            /// Begins an argument list of a kernel, in memory of the program.
            fn aclrtKernelArgsInitByUserMem(funcHandle: aclrtFuncHandle, argsHandle: aclrtArgsHandle, userHostMem: *mut c_void, actualArgsSize: usize) -> aclError;
            /// Returns adds an argument to an argument list.
            fn aclrtKernelArgsAppend(argsHandle: aclrtArgsHandle, param: *mut c_void, paramSize: usize, paramHandle: *mut aclrtParamHandle) -> aclError;
            /// Returns adds an argument whose bytes are written later.
            fn aclrtKernelArgsAppendPlaceHolder(argsHandle: aclrtArgsHandle, paramHandle: *mut aclrtParamHandle) -> aclError;
            /// Returns where the bytes of a later argument are written.
            fn aclrtKernelArgsGetPlaceHolderBuffer(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle, dataSize: usize, bufferAddr: *mut *mut c_void) -> aclError;
            /// Changes an argument of an argument list.
            fn aclrtKernelArgsParaUpdate(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle, param: *mut c_void, paramSize: usize) -> aclError;
            /// Ends an argument list.
            fn aclrtKernelArgsFinalize(argsHandle: aclrtArgsHandle) -> aclError;
            /// Queues a kernel with arguments in device memory.
            fn aclrtLaunchKernel(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, stream: aclrtStream) -> aclError;
            /// Queues a kernel with arguments in device memory and with attributes.
            #[newer]
            fn aclrtLaunchKernelV2(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize, cfg: *mut aclrtLaunchKernelCfg, stream: aclrtStream) -> aclError;
            /// Queues a kernel with a list of arguments.
            fn aclrtLaunchKernelWithConfig(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, argsHandle: aclrtArgsHandle, reserve: *mut c_void) -> aclError;
            /// Queues a kernel with arguments in host memory.
            #[newer]
            fn aclrtLaunchKernelWithHostArgs(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) -> aclError;
            /// Queues a kernel with an array of arguments.
            #[newer]
            fn aclrtLaunchKernelWithArgsArray(func: *mut c_void, numBlocks: u32, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) -> aclError;
            /// Queues a kernel of threads with an array of arguments.
            #[newer]
            fn aclrtLaunchSIMTKernelWithArgsArray(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) -> aclError;
            /// Queues a kernel of threads with arguments in host memory.
            #[newer]
            fn aclrtLaunchSIMTKernelWithHostArgs(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize, stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) -> aclError;
            /// Queues the making of random numbers.
            #[newer]
            fn aclrtRandomNumAsync(taskInfo: *const aclrtRandomNumTaskInfo, stream: aclrtStream, reserve: *mut c_void) -> aclError;
        }
    };
}
model_functions!(define);
