//! Devices (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the device functions.
#[doc(hidden)]
#[macro_export]
macro_rules! device_functions {
    ($callback:path) => {
        $callback! {
            area "device", DeviceTable;
            /// Returns the name of the chip; null when the runtime cannot tell.
            fn aclrtGetSocName() -> *const c_char;
            /// Returns the number of devices.
            fn aclrtGetDeviceCount(count: *mut u32) -> aclError;
            /// Chooses the calling thread's device and retains its default context and stream.
            fn aclrtSetDevice(deviceId: i32) -> aclError;
            /// Drops one reference of the device; the last one tears its default context down.
            fn aclrtResetDevice(deviceId: i32) -> aclError;
            /// Tears the device down. Its reference count does not matter.
            fn aclrtResetDeviceForce(deviceId: i32) -> aclError;
            /// Returns the calling thread's device.
            fn aclrtGetDevice(deviceId: *mut i32) -> aclError;
            /// Blocks until every stream of the current context is idle.
            fn aclrtSynchronizeDevice() -> aclError;
            /// Blocks until every stream of the current context is idle, for at most a number of milliseconds; -1 waits without a limit.
            fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> aclError;
            /// Returns an attribute of a device.
            #[newer]
            fn aclrtGetDeviceInfo(deviceId: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError;
            /// Returns a capability of a device.
            fn aclGetDeviceCapability(deviceId: u32, deviceInfo: aclDeviceInfo, value: *mut i64) -> aclError;
            /// Returns whether two devices can exchange data.
            fn aclrtDeviceCanAccessPeer(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32) -> aclError;
            /// Enables access of the current device to a peer, in this direction only.
            fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) -> aclError;
            /// Disables access of the current device to a peer, in this direction only.
            fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> aclError;
            /// Returns whether access of a device to a peer is enabled.
            #[newer]
            fn aclrtDevicePeerAccessStatus(deviceId: i32, peerDeviceId: i32, status: *mut i32) -> aclError;
            /// Returns how two devices are connected: one of the `ACL_RT_DEVS_TOPOLOGY_*`.
            #[newer]
            fn aclrtGetDevicesTopo(deviceId: u32, otherDeviceId: u32, value: *mut u64) -> aclError;
            /// Returns the lowest and the highest stream priority (7 and 0).
            #[newer]
            fn aclrtDeviceGetStreamPriorityRange(leastPriority: *mut i32, greatestPriority: *mut i32) -> aclError;
            /// Queues a copy of the 64-byte overflow status to device memory.
            fn aclrtGetOverflowStatus(outputAddr: *mut c_void, outputSize: usize, stream: aclrtStream) -> aclError;
            /// Queues the clearing of the overflow status.
            fn aclrtResetOverflowStatus(stream: aclrtStream) -> aclError;
            /// Returns the address that hardware synchronisation of kernels uses.
            #[newer]
            fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) -> aclError;
            /// Returns the cores of a device that the process may use.
            #[newer]
            fn aclrtGetDeviceResLimit(deviceId: i32, type_: aclrtDevResLimitType, value: *mut u32) -> aclError;
            /// Limits the cores of a device that the process may use. It is called after `aclrtSetDevice` and before the first operator.
            #[newer]
            fn aclrtSetDeviceResLimit(deviceId: i32, type_: aclrtDevResLimitType, value: u32) -> aclError;
            /// Removes the limit of the cores of a device.
            #[newer]
            fn aclrtResetDeviceResLimit(deviceId: i32) -> aclError;
            /// Chooses a task scheduler of the device.
            fn aclrtSetTsDevice(tsId: aclrtTsId) -> aclError;
            /// Returns how busy the cores of a device are, in percent, or -1 for cores that the device does not report.
            fn aclrtGetDeviceUtilizationRate(deviceId: i32, utilizationInfo: *mut aclrtUtilizationInfo) -> aclError;
            /// Chooses how floating-point results overflow: saturated or infinite. The choice holds for streams that are created later.
            fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError;
            /// Returns how floating-point results overflow: saturated or infinite.
            fn aclrtGetDeviceSatMode(mode: *mut aclrtFloatOverflowMode) -> aclError;
            /// Returns whether a device is healthy.
            fn aclrtQueryDeviceStatus(deviceId: i32, deviceStatus: *mut aclrtDeviceStatus) -> aclError;
            /// Returns the process id that other processes know this one by.
            fn aclrtDeviceGetBareTgid(pid: *mut i32) -> aclError;
            /// Returns whether a device has a feature.
            #[newer]
            fn aclrtGetDeviceCapability(deviceId: i32, devFeatureType: aclrtDevFeatureType, value: *mut i32) -> aclError;
            /// Returns the unique number of a device.
            #[newer]
            fn aclrtDeviceGetUuid(deviceId: i32, uuid: *mut aclrtUuid) -> aclError;
            /// Sets a size of a device, such as that of the stack. It is called before the device is set.
            #[newer]
            fn aclrtDeviceSetLimit(limit: aclrtDeviceLimit, value: usize) -> aclError;
            /// Returns a size of a device, such as that of the stack.
            #[newer]
            fn aclrtDeviceGetLimit(limit: aclrtDeviceLimit, value: *mut usize) -> aclError;
            /// Returns the place of a device on the PCI bus. The text needs 13 bytes.
            #[newer]
            fn aclrtDeviceGetPCIBusId(deviceId: i32, pciBusId: *mut c_char, len: i32) -> aclError;
            /// Returns the device at a place of the PCI bus.
            #[newer]
            fn aclrtDeviceGetByPCIBusId(pciBusId: *const c_char, deviceId: *mut i32) -> aclError;
            /// Returns the atomic operations that a device and the host can do on each other's memory.
            #[newer]
            fn aclrtDeviceGetHostAtomicCapabilities(capabilities: *mut u32, operations: *const aclrtAtomicOperation, count: u32, deviceId: i32) -> aclError;
            /// Returns the atomic operations that two devices can do on each other's memory.
            #[newer]
            fn aclrtDeviceGetP2PAtomicCapabilities(capabilities: *mut u32, operations: *const aclrtAtomicOperation, count: u32, srcDeviceId: i32, dstDeviceId: i32) -> aclError;
            /// Returns the number of a device in the process, for the user's number.
            #[newer]
            fn aclrtGetLogicDevIdByUserDevId(userDevid: i32, logicDevId: *mut i32) -> aclError;
            /// Returns the user's number of a device, for its number in the process.
            #[newer]
            fn aclrtGetUserDevIdByLogicDevId(logicDevId: i32, userDevid: *mut i32) -> aclError;
            /// Returns the user's number of a device, for its number in the machine. The name says the opposite.
            #[newer]
            fn aclrtGetLogicDevIdByPhyDevId(phyDevId: i32, logicDevId: *mut i32) -> aclError;
            /// Returns a device's number in the machine, for the user's number. The name says the opposite.
            #[newer]
            fn aclrtGetPhyDevIdByLogicDevId(logicDevId: i32, phyDevId: *mut i32) -> aclError;
            /// Returns the user's number of a device, for its number in the machine.
            #[newer]
            fn aclrtGetUserDevIdByPhyDevId(phyDevId: i32, userDevId: *mut i32) -> aclError;
            /// Returns a device's number in the machine, for the user's number.
            #[newer]
            fn aclrtGetPhyDevIdByUserDevId(userDevId: i32, phyDevId: *mut i32) -> aclError;
            /// Registers a function for setting and resetting devices.
            #[newer]
            fn aclrtRegDeviceStateCallback(regName: *const c_char, callback: aclrtDeviceStateCallback, args: *mut c_void) -> aclError;
            /// Chooses a group of cores. It works only where the program runs on the device itself.
            fn aclrtSetGroup(groupId: i32) -> aclError;
            /// Returns how many groups of cores the context sees.
            fn aclrtGetGroupCount(count: *mut u32) -> aclError;
            /// Allocates a structure for the attributes of all groups of cores.
            fn aclrtCreateGroupInfo() -> *mut aclrtGroupInfo;
            /// Frees a structure of `aclrtCreateGroupInfo`.
            fn aclrtDestroyGroupInfo(groupInfo: *mut aclrtGroupInfo) -> aclError;
            /// Fills a structure of `aclrtCreateGroupInfo`.
            fn aclrtGetAllGroupInfo(groupInfo: *mut aclrtGroupInfo) -> aclError;
            /// Reads an attribute of a group of cores from a filled structure.
            fn aclrtGetGroupInfoDetail(groupInfo: *const aclrtGroupInfo, groupIndex: i32, attr: aclrtGroupAttr, attrValue: *mut c_void, valueLen: usize, paramRetSize: *mut usize) -> aclError;
            /// Returns the memory faults that a device found and cannot correct.
            fn aclrtGetMemUceInfo(deviceId: i32, memUceInfoArray: *mut aclrtMemUceInfo, arraySize: usize, retSize: *mut usize) -> aclError;
            /// Repairs memory faults that `aclrtGetMemUceInfo` returned.
            fn aclrtMemUceRepair(deviceId: i32, memUceInfoArray: *mut aclrtMemUceInfo, arraySize: usize) -> aclError;
            /// Stops and drops all tasks of a device; timeout in milliseconds.
            fn aclrtDeviceTaskAbort(deviceId: i32, timeout: u32) -> aclError;
            /// Registers a function for that.
            #[newer]
            fn aclrtSetDeviceTaskAbortCallback(regName: *const c_char, callback: aclrtDeviceTaskAbortCallback, args: *mut c_void) -> aclError;
            /// Returns the details of a device's fault.
            #[newer]
            fn aclrtGetErrorVerbose(deviceId: i32, errorInfo: *mut aclrtErrorInfo) -> aclError;
            /// Repairs a fault that `aclrtGetErrorVerbose` returned.
            #[newer]
            fn aclrtRepairError(deviceId: i32, errorInfo: *const aclrtErrorInfo) -> aclError;
            /// Queues a copy of the overflow status of floating-point results.
            #[newer]
            fn aclrtGetFloatOverflowStatus(outputAddr: *mut c_void, outputSize: u64, stream: aclrtStream) -> aclError;
            /// Queues the clearing of the overflow status of floating-point results.
            #[newer]
            fn aclrtResetFloatOverflowStatus(stream: aclrtStream) -> aclError;
            /// Queues a copy of the overflow status of floating-point results, with a mode of checking.
            #[newer]
            fn aclrtNpuGetFloatOverFlowStatus(outputAddr: *mut c_void, outputSize: u64, checkMode: u32, stream: aclrtStream) -> aclError;
            /// Queues the clearing of the overflow status of floating-point results, with a mode of checking.
            #[newer]
            fn aclrtNpuClearFloatOverFlowStatus(checkMode: u32, stream: aclrtStream) -> aclError;
            /// Writes the second-level cache back.
            #[newer]
            fn aclrtDeviceL2CacheFlush(rsv: *mut c_void) -> aclError;
            /// Restarts collective work after a fault.
            #[newer]
            fn aclRecoverAllHcclTasks(deviceId: i32) -> aclError;
        }
    };
}
device_functions!(define);
