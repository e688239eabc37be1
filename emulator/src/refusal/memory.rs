//! Managed memory, buffers of queues, and functions of streams and hardware that the emulator does not have.

use std::ffi::c_void;

use ascendcl_sys::{
    aclrtBarrierTaskInfo, aclrtCmoType, aclrtCompareDataType, aclrtCondition, aclrtGroupAttr,
    aclrtGroupInfo, aclrtHacType, aclrtHostMemMapCapability, aclrtMbuf, aclrtMemManagedAdviseType,
    aclrtMemManagedLocation, aclrtMemManagedRangeAttribute, aclrtMemUsageInfo, aclrtStream,
};

use super::refuse;

const MANAGED: &str = "the emulator has no memory that the host and a device use at one address; use aclrtMallocHost and \
                       aclrtMalloc, and copy";
const BUFFERS: &str = "the emulator has no queues of a device, so it has no buffers for them";
const HARDWARE: &str = "the emulator has no such hardware";

refuse! {
    MANAGED;
    fn aclrtMemAllocManaged(ptr: *mut *mut c_void, size: u64, flag: u32) acl [ptr, flag] runtime [size];
    fn aclrtMemManagedAdvise(ptr: *const c_void, size: u64, advise: aclrtMemManagedAdviseType,
        location: aclrtMemManagedLocation) acl [ptr, size];
    fn aclrtMemManagedGetAttr(attribute: aclrtMemManagedRangeAttribute, ptr: *const c_void, size: usize,
        data: *mut c_void, dataSize: usize) acl [ptr, data, size];
    fn aclrtMemManagedGetAttrs(attributes: *mut aclrtMemManagedRangeAttribute, numAttributes: usize,
        ptr: *const c_void, size: usize, data: *mut *mut c_void, dataSizes: *mut usize)
        acl [ptr, attributes, data, dataSizes, size];
    fn aclrtMemManagedPrefetchAsync(ptr: *const c_void, size: usize, location: aclrtMemManagedLocation,
        flags: u32, stream: aclrtStream) acl [ptr, size];
    fn aclrtMemManagedPrefetchBatchAsync(ptrs: *mut *const c_void, sizes: *mut usize, count: usize,
        prefetchLocs: *mut aclrtMemManagedLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize,
        flags: u64, stream: aclrtStream) acl [ptrs, sizes, prefetchLocs, prefetchLocIdxs, count, numPrefetchLocs];
}

refuse! {
    BUFFERS;
    fn aclrtAllocBuf(buf: *mut aclrtMbuf, size: usize) acl [buf, size];
    fn aclrtFreeBuf(buf: aclrtMbuf) acl [buf];
    fn aclrtSetBufDataLen(buf: aclrtMbuf, len: usize) acl [buf];
    fn aclrtGetBufDataLen(buf: aclrtMbuf, len: *mut usize) acl [buf, len];
    fn aclrtGetBufData(buf: aclrtMbuf, dataPtr: *mut *mut c_void, size: *mut usize) acl [buf, dataPtr, size];
    fn aclrtGetBufUserData(buf: aclrtMbuf, dataPtr: *mut c_void, size: usize, offset: usize) acl [buf, dataPtr];
    fn aclrtSetBufUserData(buf: aclrtMbuf, dataPtr: *const c_void, size: usize, offset: usize) acl [buf, dataPtr];
    fn aclrtCopyBufRef(buf: aclrtMbuf, newBuf: *mut aclrtMbuf) acl [buf, newBuf];
    fn aclrtAppendBufChain(headBuf: aclrtMbuf, buf: aclrtMbuf) acl [headBuf, buf];
    fn aclrtGetBufChainNum(headBuf: aclrtMbuf, num: *mut u32) acl [headBuf, num];
    fn aclrtGetBufFromChain(headBuf: aclrtMbuf, index: u32, buf: *mut aclrtMbuf) acl [headBuf, buf];
}

refuse! {
    HARDWARE;
    fn aclrtCmoAsyncWithBarrier(src: *mut c_void, size: usize, cmoType: aclrtCmoType, barrierId: u32,
        stream: aclrtStream) acl [src];
    fn aclrtCmoWaitBarrier(taskInfo: *mut aclrtBarrierTaskInfo, stream: aclrtStream, flag: u32) acl [taskInfo];
    fn aclrtCmoGetDescSize(size: *mut usize) runtime [size];
    fn aclrtCmoSetDesc(cmoDesc: *mut c_void, src: *mut c_void, size: usize) runtime [cmoDesc, src, size];
    fn aclrtCmoAsyncWithDesc(cmoDesc: *mut c_void, cmoType: aclrtCmoType, stream: aclrtStream,
        reserve: *const c_void) runtime [cmoDesc];
    fn aclrtMemMapSelectedLink(virPtrDst: *mut c_void, size: usize, virPtrSrc: *mut c_void, linkIdx: u32)
        acl [virPtrDst, virPtrSrc, size];
    fn aclrtGetMemUsageInfo(deviceId: i32, memUsageInfo: *mut aclrtMemUsageInfo, inputNum: usize,
        outputNum: *mut usize) acl [memUsageInfo, outputNum];
    fn aclrtHostMemMapCapabilities(deviceId: u32, hacType: aclrtHacType,
        capabilities: *mut aclrtHostMemMapCapability) acl [capabilities];
    fn aclrtGetGroupCount(count: *mut u32) acl [count];
    fn aclrtDestroyGroupInfo(groupInfo: *mut aclrtGroupInfo) acl [groupInfo];
    fn aclrtGetAllGroupInfo(groupInfo: *mut aclrtGroupInfo) acl [groupInfo];
    fn aclrtGetGroupInfoDetail(groupInfo: *const aclrtGroupInfo, groupIndex: i32, attr: aclrtGroupAttr,
        attrValue: *mut c_void, valueLen: usize, paramRetSize: *mut usize) acl [groupInfo, attrValue, paramRetSize];
}

const SWITCHES: &str = "the manual does not say which stream goes on behind a switch; use aclrtSwitchLabelByIndex, or a \
                        conditional task";

refuse! {
    SWITCHES;
    fn aclrtSwitchStream(leftValue: *mut c_void, cond: aclrtCondition, rightValue: *mut c_void,
        dataType: aclrtCompareDataType, trueStream: aclrtStream, falseStream: aclrtStream, stream: aclrtStream)
        acl [leftValue, rightValue, trueStream, stream];
}
