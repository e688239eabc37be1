//! Kernels, which are programs for AI cores, and variables of kernels.

use std::ffi::{c_char, c_void};

#[cfg(not(feature = "kernels"))]
use ascendcl_sys::{
    aclrtArgsHandle, aclrtBinary, aclrtBinaryLoadOptions, aclrtFuncAttribute, aclrtParamHandle,
};
use ascendcl_sys::{
    aclrtBinHandle, aclrtExceptionInfo, aclrtFuncHandle, aclrtLaunchKernelCfg, aclrtMemcpyKind,
    aclrtOpExceptionCallback, aclrtPlaceHolderInfo, aclrtStream, aclrtTaskUpdateInfo, dim3,
};

use super::refuse;

pub(super) const KERNELS: &str = "kernels are programs for AI cores, which the emulator does not have; it runs those of a \
                                  program that calls aclrtLaunchKernelWithHostArgs, so use that, or a card";

/// The reason for functions about code and variables of a device.
const CODE: &str = "the emulator has no code, variables or symbols of kernels on a device: load a shared object of the kernels \
                    (aclrtBinaryLoadFromFile), look each one up by its name (aclrtBinaryGetFunction), and pass memory as an \
                    argument";

refuse! {
    CODE;
    fn aclrtBinaryGetFunctionByEntry(binHandle: aclrtBinHandle, funcEntry: u64, funcHandle: *mut aclrtFuncHandle)
        acl [binHandle, funcHandle];
    fn aclrtBinaryGetDevAddress(binHandle: aclrtBinHandle, binAddr: *mut *mut c_void, binSize: *mut usize)
        acl [binHandle];
    fn aclrtBinarySetExceptionCallback(binHandle: aclrtBinHandle, callback: aclrtOpExceptionCallback,
        userData: *mut c_void) acl [binHandle, callback];
    fn aclrtBinaryGetGlobal(binHandle: aclrtBinHandle, name: *const c_char, dptr: *mut *mut c_void,
        size: *mut usize) acl [binHandle, name];
    fn aclrtRegisterCpuFunc(handle: aclrtBinHandle, funcName: *const c_char, kernelName: *const c_char,
        funcHandle: *mut aclrtFuncHandle) acl [handle, funcName, kernelName, funcHandle];
    fn aclrtGetFuncBySymbol(symbol: *const c_void, funcHandle: *mut aclrtFuncHandle) acl [symbol, funcHandle];
    fn aclrtGetFunctionAddr(funcHandle: aclrtFuncHandle, aicAddr: *mut *mut c_void, aivAddr: *mut *mut c_void)
        acl [funcHandle, aicAddr, aivAddr];
    fn aclrtGetFunctionSize(funcHandle: aclrtFuncHandle, aicSize: *mut usize, aivSize: *mut usize)
        runtime [funcHandle];
    fn aclrtFunctionGetAvailDynUbufPerBlock(func: *mut c_void, flags: u32, dynamicUbufSize: *mut usize)
        acl [func, dynamicUbufSize];
    fn aclrtLaunchSIMTKernelWithArgsArray(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize,
        stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) acl [func];
    fn aclrtLaunchSIMTKernelWithHostArgs(func: *mut c_void, gridDim: dim3, blockDim: dim3, dynUbufSize: usize,
        stream: aclrtStream, cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize,
        placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) acl [func, hostArgs, argsSize];
    fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) runtime [addr];
    fn aclrtGetSymbolAddress(symbol: *const c_void, devPtr: *mut *mut c_void) acl [symbol, devPtr];
    fn aclrtGetSymbolSize(symbol: *const c_void, size: *mut usize) acl [symbol, size];
    fn aclrtMemcpyFromSymbol(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize,
        offset: usize, kind: aclrtMemcpyKind) acl [symbol, dst];
    fn aclrtMemcpyFromSymbolAsync(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize,
        offset: usize, kind: aclrtMemcpyKind, stream: aclrtStream) acl [symbol, dst];
    fn aclrtMemcpyToSymbol(symbol: *const c_void, src: *const c_void, count: usize, offset: usize,
        kind: aclrtMemcpyKind) acl [symbol, src];
    fn aclrtMemcpyToSymbolAsync(symbol: *const c_void, src: *const c_void, count: usize, offset: usize,
        kind: aclrtMemcpyKind, stream: aclrtStream) acl [symbol, src];
    fn aclrtGetArgsFromExceptionInfo(info: *const aclrtExceptionInfo, devArgsPtr: *mut *mut c_void,
        devArgsLen: *mut u32) acl [devArgsPtr, devArgsLen];
    fn aclrtGetFuncHandleFromExceptionInfo(info: *const aclrtExceptionInfo, func: *mut aclrtFuncHandle) acl [func];
    fn aclrtTaskUpdateAsync(taskStream: aclrtStream, taskId: u32, info: *mut aclrtTaskUpdateInfo,
        execStream: aclrtStream) acl [info];
    fn aclrtPersistentTaskClean(stream: aclrtStream);
    fn aclrtCacheLastTaskOpInfo(infoPtr: *const c_void, infoSize: usize) acl [infoPtr, infoSize];
    fn aclrtCacheLastTaskExtendInfo(extendInfoPtr: *const c_char, infoSize: usize) runtime [extendInfoPtr, infoSize];
}

/// The reason for functions that run kernels, in an emulator without them.
#[cfg(not(feature = "kernels"))]
const ABSENT: &str = "this emulator was built without the feature `kernels`; turn it on (of `ascendcl`, or of \
                      `ascendcl-emulator`), or use the operators that it has";

#[cfg(not(feature = "kernels"))]
refuse! {
    ABSENT;
    fn aclrtBinaryLoadFromFile(binPath: *const c_char, options: *mut aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle) acl [binPath, binHandle];
    fn aclrtBinaryLoadFromData(data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle) acl [data, binHandle];
    fn aclrtBinaryLoad(binary: aclrtBinary, binHandle: *mut aclrtBinHandle) acl [binary, binHandle];
    fn aclrtDestroyBinary(binary: aclrtBinary) acl [binary];
    fn aclrtBinaryUnLoad(binHandle: aclrtBinHandle) acl [binHandle];
    fn aclrtBinaryGetFunction(binHandle: aclrtBinHandle, kernelName: *const c_char,
        funcHandle: *mut aclrtFuncHandle) acl [binHandle, kernelName, funcHandle];
    fn aclrtFunctionGetBinary(funcHandle: aclrtFuncHandle, binHandle: *mut aclrtBinHandle)
        runtime [funcHandle, binHandle];
    fn aclrtGetFunctionName(funcHandle: aclrtFuncHandle, maxLen: u32, name: *mut c_char) acl [name];
    fn aclrtGetFunctionAttribute(funcHandle: aclrtFuncHandle, attrType: aclrtFuncAttribute, attrValue: *mut i64)
        acl [funcHandle, attrValue];
    fn aclrtFunctionGetParamCount(func: *const c_void, paramCount: *mut usize) acl [func, paramCount];
    fn aclrtFunctionGetParamInfo(func: *const c_void, paramIndex: usize, paramOffset: *mut usize,
        paramSize: *mut usize) acl [func];
    fn aclrtKernelArgsInit(funcHandle: aclrtFuncHandle, argsHandle: *mut aclrtArgsHandle)
        acl [funcHandle, argsHandle];
    fn aclrtKernelArgsInitByUserMem(funcHandle: aclrtFuncHandle, argsHandle: aclrtArgsHandle,
        userHostMem: *mut c_void, actualArgsSize: usize) acl [funcHandle, argsHandle, userHostMem, actualArgsSize];
    fn aclrtKernelArgsGetMemSize(funcHandle: aclrtFuncHandle, userArgsSize: usize, actualArgsSize: *mut usize)
        acl [funcHandle, actualArgsSize];
    fn aclrtKernelArgsGetHandleMemSize(funcHandle: aclrtFuncHandle, memSize: *mut usize) acl [funcHandle, memSize];
    fn aclrtKernelArgsAppend(argsHandle: aclrtArgsHandle, param: *mut c_void, paramSize: usize,
        paramHandle: *mut aclrtParamHandle) acl [argsHandle, param, paramSize, paramHandle];
    fn aclrtKernelArgsAppendPlaceHolder(argsHandle: aclrtArgsHandle, paramHandle: *mut aclrtParamHandle)
        acl [argsHandle, paramHandle];
    fn aclrtKernelArgsGetPlaceHolderBuffer(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle,
        dataSize: usize, bufferAddr: *mut *mut c_void) acl [argsHandle, paramHandle, dataSize, bufferAddr];
    fn aclrtKernelArgsParaUpdate(argsHandle: aclrtArgsHandle, paramHandle: aclrtParamHandle, param: *mut c_void,
        paramSize: usize) acl [argsHandle, paramHandle, param, paramSize];
    fn aclrtKernelArgsFinalize(argsHandle: aclrtArgsHandle) acl [argsHandle];
    fn aclrtLaunchKernel(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void, argsSize: usize,
        stream: aclrtStream) acl [funcHandle, argsData];
    fn aclrtLaunchKernelV2(funcHandle: aclrtFuncHandle, numBlocks: u32, argsData: *const c_void,
        argsSize: usize, cfg: *mut aclrtLaunchKernelCfg, stream: aclrtStream) acl [funcHandle, argsData];
    fn aclrtLaunchKernelWithConfig(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg, argsHandle: aclrtArgsHandle, reserve: *mut c_void)
        acl [funcHandle, numBlocks, argsHandle];
    fn aclrtLaunchKernelWithHostArgs(funcHandle: aclrtFuncHandle, numBlocks: u32, stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg, hostArgs: *mut c_void, argsSize: usize,
        placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize) acl [funcHandle, hostArgs];
    fn aclrtLaunchKernelWithArgsArray(func: *mut c_void, numBlocks: u32, stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg, args: *mut *mut c_void) acl [func, numBlocks];
}
