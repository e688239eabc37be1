//! Memory, copies and fills (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the memory functions.
#[doc(hidden)]
#[macro_export]
macro_rules! memory_functions {
    ($callback:path) => {
        $callback! {
            area "memory", MemoryTable;
            /// Allocates device memory: 64-byte aligned start, size rounded up to 32 plus 32.
            fn aclrtMalloc(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// Allocates device memory: 64-byte aligned start, size rounded up to 32 (`aclrtMalloc` adds 32 bytes more).
            fn aclrtMallocAlign32(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// Allocates device memory that caches may hold.
            fn aclrtMallocCached(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// Allocates device memory with attributes; a policy may be or-ed with a kind of memory. The size is rounded up to 32.
            fn aclrtMallocWithCfg(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Frees device memory at once; does not wait for queued work.
            fn aclrtFree(devPtr: *mut c_void) -> aclError;
            /// Synchronises the current context, then frees device memory.
            #[newer]
            fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> aclError;
            /// Allocates page-locked host memory.
            fn aclrtMallocHost(hostPtr: *mut *mut c_void, size: usize) -> aclError;
            /// Allocates page-locked host memory with attributes.
            fn aclrtMallocHostWithCfg(ptr: *mut *mut c_void, size: u64, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Frees page-locked host memory at once.
            fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError;
            /// Synchronises the current context, then frees page-locked host memory.
            #[newer]
            fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> aclError;
            /// Copies and returns when the copy is done.
            fn aclrtMemcpy(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy on a stream.
            fn aclrtMemcpyAsync(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Fills host or device memory and returns when that is done.
            fn aclrtMemset(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize) -> aclError;
            /// Queues a fill on a stream.
            fn aclrtMemsetAsync(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize, stream: aclrtStream) -> aclError;
            /// Fills memory with 32-bit words and returns when that is done.
            #[newer]
            fn aclrtMemsetD32(ptr: *mut c_void, memSize: usize, value: u32, N: usize) -> aclError;
            /// Queues a fill of device memory with 32-bit words. Host memory is filled before the call returns.
            #[newer]
            fn aclrtMemsetD32Async(ptr: *mut c_void, memSize: usize, value: u32, N: usize, stream: aclrtStream) -> aclError;
            /// Copies a matrix with pitches and returns when the copy is done.
            fn aclrtMemcpy2d(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy of a matrix with pitches.
            fn aclrtMemcpy2dAsync(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Returns the free and total bytes of a kind of memory of the current device.
            fn aclrtGetMemInfo(attr: aclrtMemAttr, free: *mut usize, total: *mut usize) -> aclError;
            /// Returns the place and the device of an address.
            fn aclrtPointerGetAttributes(ptr: *const c_void, attributes: *mut aclrtPtrAttributes) -> aclError;
            /// Prepares the access of a peer device to device memory.
            #[newer]
            fn aclrtMemP2PMap(devPtr: *mut c_void, size: usize, dstDevId: i32, flags: u64) -> aclError;
            /// Reserves a range of device addresses.
            fn aclrtReserveMemAddress(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void, flags: u64) -> aclError;
            /// Releases a reserved range.
            fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError;
            /// Allocates physical memory without an address.
            fn aclrtMallocPhysical(handle: *mut aclrtDrvMemHandle, size: usize, prop: *const aclrtPhysicalMemProp, flags: u64) -> aclError;
            /// Releases physical memory once nothing maps it.
            fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError;
            /// Maps physical memory into a reserved range.
            fn aclrtMapMem(virPtr: *mut c_void, size: usize, offset: usize, handle: aclrtDrvMemHandle, flags: u64) -> aclError;
            /// Unmaps a range.
            fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError;
            /// Allocates device memory that the task scheduler reaches.
            fn aclrtMallocForTaskScheduler(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Writes the cache of a range back.
            fn aclrtMemFlush(devPtr: *mut c_void, size: usize) -> aclError;
            /// Drops the cache of a range.
            fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) -> aclError;
            /// Returns how much memory each component of the process uses.
            #[changed(1.17)]
            fn aclrtGetMemUsageInfo(deviceId: i32, memUsageInfo: *mut aclrtMemUsageInfo, inputNum: usize, outputNum: *mut usize) -> aclError;
            /// Checks whether addresses lie in memory of the given kinds.
            #[newer]
            fn aclrtCheckMemType(addrList: *mut *mut c_void, size: u32, memType: u32, checkResult: *mut u32, reserve: u32) -> aclError;
            /// Makes host memory reachable for the device and returns its address there.
            fn aclrtHostRegister(ptr: *mut c_void, size: u64, type_: aclrtHostRegisterType, devPtr: *mut *mut c_void) -> aclError;
            /// Makes host memory reachable for the device, or page-locked, or both.
            #[newer]
            fn aclrtHostRegisterV2(ptr: *mut c_void, size: u64, flag: u32) -> aclError;
            /// Returns the device's address of registered host memory.
            #[newer]
            fn aclrtHostGetDevicePointer(pHost: *mut c_void, pDevice: *mut *mut c_void, flag: u32) -> aclError;
            /// Ends the registration of host memory.
            fn aclrtHostUnregister(ptr: *mut c_void) -> aclError;
            /// Returns whether an engine reaches registered host memory.
            #[newer]
            fn aclrtHostMemMapCapabilities(deviceId: u32, hacType: aclrtHacType, capabilities: *mut aclrtHostMemMapCapability) -> aclError;
            /// Queues a copy, and refuses host memory that is not page-locked. Deprecated: `aclrtMemcpyAsync` replaces it.
            fn aclrtMemcpyAsyncWithCondition(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Returns the bytes of the description of a copy.
            fn aclrtGetMemcpyDescSize(kind: aclrtMemcpyKind, descSize: *mut usize) -> aclError;
            /// Writes the description of a copy into device memory.
            fn aclrtSetMemcpyDesc(desc: *mut c_void, kind: aclrtMemcpyKind, srcAddr: *mut c_void, dstAddr: *mut c_void, count: usize, config: *mut c_void) -> aclError;
            /// Queues the copy of a description that `aclrtSetMemcpyDesc` wrote.
            fn aclrtMemcpyAsyncWithDesc(desc: *mut c_void, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Queues a copy between addresses that stand in memory, plus offsets.
            #[newer]
            fn aclrtMemcpyAsyncWithOffset(dst: *mut *mut c_void, destMax: usize, dstDataOffset: usize, src: *mut *const c_void, count: usize, srcDataOffset: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Copies many ranges between host and device, all in one direction, and names the first range that failed.
            #[newer]
            fn aclrtMemcpyBatch(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize) -> aclError;
            /// Copies many ranges between host and device, all in one direction.
            #[newer]
            fn aclrtMemcpyBatchV2(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize) -> aclError;
            /// Queues copies of many ranges between host and device, and names the first range that was refused.
            #[newer]
            fn aclrtMemcpyBatchAsync(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize, stream: aclrtStream) -> aclError;
            /// Queues copies of many ranges between host and device.
            #[newer]
            fn aclrtMemcpyBatchAsyncV2(dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize, attrs: *mut aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, stream: aclrtStream) -> aclError;
            /// Queues a reduction of one range into another.
            #[newer]
            fn aclrtReduceAsync(dst: *mut c_void, src: *const c_void, count: u64, kind: aclrtReduceKind, type_: aclDataType, stream: aclrtStream, reserve: *mut c_void) -> aclError;
            /// Maps physical memory without any right of access.
            #[newer]
            fn aclrtMemMapNoAccess(virPtr: *mut c_void, size: usize, offset: usize, handle: aclrtDrvMemHandle, flags: u64) -> aclError;
            /// Reserves a range of device addresses without the operations of the interconnect.
            #[newer]
            fn aclrtReserveMemAddressNoUCMemory(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void, flags: u64) -> aclError;
            /// Exports physical memory to other processes.
            fn aclrtMemExportToShareableHandle(handle: aclrtDrvMemHandle, handleType: aclrtMemHandleType, flags: u64, shareableHandle: *mut u64) -> aclError;
            /// Exports physical memory to other processes, with a kind of handle.
            #[newer]
            fn aclrtMemExportToShareableHandleV2(handle: aclrtDrvMemHandle, flags: u64, shareType: aclrtMemSharedHandleType, shareableHandle: *mut c_void) -> aclError;
            /// Imports physical memory that another process exported.
            fn aclrtMemImportFromShareableHandle(shareableHandle: u64, deviceId: i32, handle: *mut aclrtDrvMemHandle) -> aclError;
            /// Imports physical memory that another process exported, with a kind of handle.
            #[newer]
            fn aclrtMemImportFromShareableHandleV2(shareableHandle: *mut c_void, shareType: aclrtMemSharedHandleType, flags: u64, handle: *mut aclrtDrvMemHandle) -> aclError;
            /// Names the processes that may import exported physical memory.
            fn aclrtMemSetPidToShareableHandle(shareableHandle: u64, pid: *mut i32, pidNum: usize) -> aclError;
            /// Names the processes that may import exported physical memory, with a kind of handle.
            #[newer]
            fn aclrtMemSetPidToShareableHandleV2(shareableHandle: *mut c_void, shareType: aclrtMemSharedHandleType, pid: *mut i32, pidNum: usize) -> aclError;
            /// Returns the unit of physical memory in bytes.
            fn aclrtMemGetAllocationGranularity(prop: *mut aclrtPhysicalMemProp, option: aclrtMemGranularityOptions, granularity: *mut usize) -> aclError;
            /// Sets the rights of access to mapped memory.
            #[newer]
            fn aclrtMemSetAccess(virPtr: *mut c_void, size: usize, desc: *mut aclrtMemAccessDesc, count: usize) -> aclError;
            /// Returns the rights of access to mapped memory.
            #[newer]
            fn aclrtMemGetAccess(virPtr: *mut c_void, location: *mut aclrtMemLocation, flag: *mut u64) -> aclError;
            /// Returns the handle of the physical memory behind an address. The handle is released once more.
            #[newer]
            fn aclrtMemRetainAllocationHandle(virPtr: *mut c_void, handle: *mut aclrtDrvMemHandle) -> aclError;
            /// Returns the properties that physical memory was allocated with.
            #[newer]
            fn aclrtMemGetAllocationPropertiesFromHandle(handle: aclrtDrvMemHandle, prop: *mut aclrtPhysicalMemProp) -> aclError;
            /// Returns start and size of the allocation around an address.
            #[newer]
            fn aclrtMemGetAddressRange(ptr: *mut c_void, pbase: *mut *mut c_void, psize: *mut usize) -> aclError;
            /// Maps memory through a chosen link.
            #[newer]
            fn aclrtMemMapSelectedLink(virPtrDst: *mut c_void, size: usize, virPtrSrc: *mut c_void, linkIdx: u32) -> aclError;
            /// Returns advises a link for physical memory.
            #[newer]
            fn aclrtMemMapSetLink(handle: aclrtDrvMemHandle, adviceLink: aclrtMemLinkType) -> aclError;
            /// Returns an attribute of a range of managed memory.
            #[newer]
            fn aclrtMemManagedGetAttr(attribute: aclrtMemManagedRangeAttribute, ptr: *const c_void, size: usize, data: *mut c_void, dataSize: usize) -> aclError;
            /// Returns several attributes of a range of managed memory.
            #[newer]
            fn aclrtMemManagedGetAttrs(attributes: *mut aclrtMemManagedRangeAttribute, numAttributes: usize, ptr: *const c_void, size: usize, data: *mut *mut c_void, dataSizes: *mut usize) -> aclError;
            /// Allocates memory that host and device share.
            #[newer]
            fn aclrtMemAllocManaged(ptr: *mut *mut c_void, size: u64, flag: u32) -> aclError;
            /// Returns advises the runtime on the use of a range of managed memory.
            #[newer]
            fn aclrtMemManagedAdvise(ptr: *const c_void, size: u64, advise: aclrtMemManagedAdviseType, location: aclrtMemManagedLocation) -> aclError;
            /// Queues the move of a range of managed memory to a device or to the host.
            #[newer]
            fn aclrtMemManagedPrefetchAsync(ptr: *const c_void, size: usize, location: aclrtMemManagedLocation, flags: u32, stream: aclrtStream) -> aclError;
            /// Queues the moves of several ranges of managed memory.
            #[newer]
            fn aclrtMemManagedPrefetchBatchAsync(ptrs: *mut *const c_void, sizes: *mut usize, count: usize, prefetchLocs: *mut aclrtMemManagedLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: u64, stream: aclrtStream) -> aclError;
            /// Exports device memory to other processes; the key needs 65 bytes.
            #[newer]
            fn aclrtIpcMemGetExportKey(devPtr: *mut c_void, size: usize, key: *mut c_char, len: usize, flags: u64) -> aclError;
            /// Ends the sharing of device memory. The importers end it first.
            #[newer]
            fn aclrtIpcMemClose(key: *const c_char) -> aclError;
            /// Imports device memory that another process exported.
            #[newer]
            fn aclrtIpcMemImportByKey(devPtr: *mut *mut c_void, key: *const c_char, flags: u64) -> aclError;
            /// Names the processes that may import exported device memory.
            #[newer]
            fn aclrtIpcMemSetImportPid(key: *const c_char, pid: *mut i32, num: usize) -> aclError;
            /// Sets an attribute of exported memory.
            #[newer]
            fn aclrtIpcMemSetAttr(key: *const c_char, type_: aclrtIpcMemAttrType, attr: u64) -> aclError;
            /// Names the processes of other servers that may import exported device memory.
            #[newer]
            fn aclrtIpcMemImportPidInterServer(key: *const c_char, serverPids: *mut aclrtServerPid, num: usize) -> aclError;
            /// Returns the device address of a variable of a kernel binary.
            #[newer]
            fn aclrtGetSymbolAddress(symbol: *const c_void, devPtr: *mut *mut c_void) -> aclError;
            /// Returns the bytes of a variable of a kernel binary.
            #[newer]
            fn aclrtGetSymbolSize(symbol: *const c_void, size: *mut usize) -> aclError;
            /// Copies from a variable of a kernel binary.
            #[newer]
            fn aclrtMemcpyFromSymbol(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize, offset: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy from a variable of a kernel binary.
            #[newer]
            fn aclrtMemcpyFromSymbolAsync(dst: *mut c_void, dstMax: usize, symbol: *const c_void, count: usize, offset: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Copies to a variable of a kernel binary.
            #[newer]
            fn aclrtMemcpyToSymbol(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy to a variable of a kernel binary.
            #[newer]
            fn aclrtMemcpyToSymbolAsync(symbol: *const c_void, src: *const c_void, count: usize, offset: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Queues an operation on the cache of a range.
            fn aclrtCmoAsync(src: *mut c_void, size: usize, cmoType: aclrtCmoType, stream: aclrtStream) -> aclError;
            /// Queues an operation on the cache of a range, with a barrier.
            #[newer]
            fn aclrtCmoAsyncWithBarrier(src: *mut c_void, size: usize, cmoType: aclrtCmoType, barrierId: u32, stream: aclrtStream) -> aclError;
            /// Makes the stream's later tasks wait for barriers of `aclrtCmoAsyncWithBarrier`.
            #[newer]
            fn aclrtCmoWaitBarrier(taskInfo: *mut aclrtBarrierTaskInfo, stream: aclrtStream, flag: u32) -> aclError;
            /// Returns the bytes of the description of a cache operation.
            #[newer]
            fn aclrtCmoGetDescSize(size: *mut usize) -> aclError;
            /// Writes the description of a cache operation into device memory.
            #[newer]
            fn aclrtCmoSetDesc(cmoDesc: *mut c_void, src: *mut c_void, size: usize) -> aclError;
            /// Queues the cache operation of a description that `aclrtCmoSetDesc` wrote.
            #[newer]
            fn aclrtCmoAsyncWithDesc(cmoDesc: *mut c_void, cmoType: aclrtCmoType, stream: aclrtStream, reserve: *const c_void) -> aclError;
            /// Queues writing a 64-bit number.
            #[newer]
            fn aclrtValueWrite(devAddr: *mut c_void, value: u64, flag: u32, stream: aclrtStream) -> aclError;
            /// Makes the stream's later tasks wait for a 64-bit number.
            #[newer]
            fn aclrtValueWait(devAddr: *mut c_void, value: u64, flag: u32, stream: aclrtStream) -> aclError;
            /// Creates the description of an allocator that the program implements.
            fn aclrtAllocatorCreateDesc() -> aclrtAllocatorDesc;
            /// Frees the description of an allocator.
            fn aclrtAllocatorDestroyDesc(allocatorDesc: aclrtAllocatorDesc) -> aclError;
            /// Stores the program's allocator object in the description of an allocator.
            fn aclrtAllocatorSetObjToDesc(allocatorDesc: aclrtAllocatorDesc, allocator: aclrtAllocator) -> aclError;
            /// Stores the function that allocates in the description of an allocator.
            fn aclrtAllocatorSetAllocFuncToDesc(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorAllocFunc) -> aclError;
            /// Stores the function that frees in the description of an allocator.
            fn aclrtAllocatorSetFreeFuncToDesc(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorFreeFunc) -> aclError;
            /// Stores the function that allocates near an address in the description of an allocator.
            fn aclrtAllocatorSetAllocAdviseFuncToDesc(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorAllocAdviseFunc) -> aclError;
            /// Stores the function that returns the address of a block in the description of an allocator.
            fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorGetAddrFromBlockFunc) -> aclError;
            /// Makes a stream use an allocator.
            fn aclrtAllocatorRegister(stream: aclrtStream, allocatorDesc: aclrtAllocatorDesc) -> aclError;
            /// Returns the allocator of a stream.
            #[newer]
            fn aclrtAllocatorGetByStream(stream: aclrtStream, allocatorDesc: *mut aclrtAllocatorDesc, allocator: *mut aclrtAllocator, allocFunc: *mut aclrtAllocatorAllocFunc, freeFunc: *mut aclrtAllocatorFreeFunc, allocAdviseFunc: *mut aclrtAllocatorAllocAdviseFunc, getAddrFromBlockFunc: *mut aclrtAllocatorGetAddrFromBlockFunc) -> aclError;
            /// Takes the allocator from a stream.
            fn aclrtAllocatorUnregister(stream: aclrtStream) -> aclError;
            /// Creates a pool that streams allocate from.
            #[newer]
            fn aclrtMemPoolCreate(memPool: *mut aclrtMemPool, poolProps: *const aclrtMemPoolProps) -> aclError;
            /// Destroys a pool.
            #[newer]
            fn aclrtMemPoolDestroy(memPool: aclrtMemPool) -> aclError;
            /// Sets an attribute of a pool.
            #[newer]
            fn aclrtMemPoolSetAttr(memPool: aclrtMemPool, attr: aclrtMemPoolAttr, value: *mut c_void) -> aclError;
            /// Returns an attribute of a pool.
            #[newer]
            fn aclrtMemPoolGetAttr(memPool: aclrtMemPool, attr: aclrtMemPoolAttr, value: *mut c_void) -> aclError;
            /// Allocates from a pool in the order of a stream.
            #[newer]
            fn aclrtMemPoolMallocAsync(ptr: *mut *mut c_void, size: usize, memPool: aclrtMemPool, stream: aclrtStream) -> aclError;
            /// Frees memory of a pool in the order of a stream.
            #[newer]
            fn aclrtMemPoolFreeAsync(ptr: *mut c_void, stream: aclrtStream) -> aclError;
            /// Gives unused memory of a pool back to the device.
            #[newer]
            fn aclrtMemPoolTrimTo(memPool: aclrtMemPool, minBytesToKeep: usize) -> aclError;
            /// Allocates a buffer of a queue.
            #[newer]
            fn aclrtAllocBuf(buf: *mut aclrtMbuf, size: usize) -> aclError;
            /// Frees a buffer of a queue.
            #[newer]
            fn aclrtFreeBuf(buf: aclrtMbuf) -> aclError;
            /// Returns the address and the bytes of a buffer of a queue.
            #[newer]
            fn aclrtGetBufData(buf: aclrtMbuf, dataPtr: *mut *mut c_void, size: *mut usize) -> aclError;
            /// Returns how many bytes of a buffer of a queue hold data.
            #[newer]
            fn aclrtGetBufDataLen(buf: aclrtMbuf, len: *mut usize) -> aclError;
            /// Stores how many bytes of a buffer of a queue hold data.
            #[newer]
            fn aclrtSetBufDataLen(buf: aclrtMbuf, len: usize) -> aclError;
            /// Reads the program's own bytes of a buffer of a queue.
            #[newer]
            fn aclrtGetBufUserData(buf: aclrtMbuf, dataPtr: *mut c_void, size: usize, offset: usize) -> aclError;
            /// Writes the program's own bytes of a buffer of a queue.
            #[newer]
            fn aclrtSetBufUserData(buf: aclrtMbuf, dataPtr: *const c_void, size: usize, offset: usize) -> aclError;
            /// Makes another reference to a buffer of a queue.
            #[newer]
            fn aclrtCopyBufRef(buf: aclrtMbuf, newBuf: *mut aclrtMbuf) -> aclError;
            /// Returns adds a buffer to a chain of buffers.
            #[newer]
            fn aclrtAppendBufChain(headBuf: aclrtMbuf, buf: aclrtMbuf) -> aclError;
            /// Returns how many buffers a chain of buffers has.
            #[newer]
            fn aclrtGetBufChainNum(headBuf: aclrtMbuf, num: *mut u32) -> aclError;
            /// Returns a buffer of a chain of buffers, by its index.
            #[newer]
            fn aclrtGetBufFromChain(headBuf: aclrtMbuf, index: u32, buf: *mut aclrtMbuf) -> aclError;
        }
    };
}
memory_functions!(define);
