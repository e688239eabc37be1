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
            /// The name of the chip; null when the runtime cannot tell.
            fn aclrtGetSocName() -> *const c_char;
            /// The number of devices.
            fn aclrtGetDeviceCount(count: *mut u32) -> aclError;
            /// Chooses the calling thread's device and retains its default context and stream.
            fn aclrtSetDevice(deviceId: i32) -> aclError;
            /// Drops one reference of the device; the last one tears its default context down.
            fn aclrtResetDevice(deviceId: i32) -> aclError;
            /// Tears the device down whatever its reference count is.
            fn aclrtResetDeviceForce(deviceId: i32) -> aclError;
            /// The calling thread's device.
            fn aclrtGetDevice(deviceId: *mut i32) -> aclError;
            /// Blocks until every stream of the current context is idle.
            fn aclrtSynchronizeDevice() -> aclError;
            /// The same with a timeout in milliseconds, -1 for none.
            fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> aclError;
            /// An attribute of a device.
            fn aclrtGetDeviceInfo(deviceId: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError;
            /// A capability of a device.
            fn aclGetDeviceCapability(deviceId: u32, deviceInfo: aclDeviceInfo, value: *mut i64) -> aclError;
            /// Whether two devices can exchange data.
            fn aclrtDeviceCanAccessPeer(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32) -> aclError;
            /// Enables access of the current device to a peer, in this direction only.
            fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) -> aclError;
            /// Disables that direction.
            fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> aclError;
            /// Whether access of a device to a peer is enabled.
            fn aclrtDevicePeerAccessStatus(deviceId: i32, peerDeviceId: i32, status: *mut i32) -> aclError;
            /// How two devices are connected: one of the `ACL_RT_DEVS_TOPOLOGY_*`.
            fn aclrtGetDevicesTopo(deviceId: u32, otherDeviceId: u32, value: *mut u64) -> aclError;
            /// The lowest and the highest stream priority (7 and 0).
            fn aclrtDeviceGetStreamPriorityRange(leastPriority: *mut i32, greatestPriority: *mut i32) -> aclError;
            /// Queues a copy of the 64-byte overflow status to device memory.
            fn aclrtGetOverflowStatus(outputAddr: *mut c_void, outputSize: usize, stream: aclrtStream) -> aclError;
            /// Queues the clearing of the overflow status.
            fn aclrtResetOverflowStatus(stream: aclrtStream) -> aclError;
            /// The address that hardware synchronisation of kernels uses.
            fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) -> aclError;
        }
    };
}
device_functions!(define);
