//! Access of devices to the memory of other devices (`acl/acl_rt.h`).
//!
//! Peer access has a direction: from the current device to the named device. On a card, copies between devices need
//! it. The production runtime over a simulated driver was observed not to check it. So the configuration chooses
//! whether [`reaches`] checks it.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_FEATURE_UNSUPPORTED, ACL_RT_DEVS_TOPOLOGY_HCCS, ACL_SUCCESS, aclError,
};

use crate::config::Peers;
use crate::engine::current::current;
use crate::engine::device::{Device, find, unknown};
use crate::engine::engine;
use crate::error::fail;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::space::{Location, is_device_range, space};

/// Returns two different devices by their ids.
fn pair(call: &str, one: i64, other: i64) -> Result<(&'static Device, u32), aclError> {
    if one == other {
        return Err(same_device(call, one));
    }
    let found = |id: i64| {
        let found = i32::try_from(id).ok().and_then(find);
        found.ok_or_else(|| unknown(call, id))
    };
    // The runtime checks the peer first too.
    let (peer, _) = found(other)?;
    let (_, device) = found(one)?;
    Ok((device, peer))
}

#[cold]
fn same_device(call: &str, id: i64) -> aclError {
    invalid(
        call,
        format_args!("device {id} is no peer of itself; name another device"),
    )
}

pub(crate) unsafe extern "C" fn aclrtDeviceCanAccessPeer(
    canAccessPeer: *mut i32,
    deviceId: i32,
    peerDeviceId: i32,
) -> aclError {
    let call = "aclrtDeviceCanAccessPeer";
    // This function returns 107000 for both mistakes; other functions return other codes for them.
    let refused = |what: std::fmt::Arguments<'_>| invalid_below(call, what);
    if canAccessPeer.is_null() {
        return refused(format_args!("canAccessPeer is NULL; pass a valid pointer"));
    }
    if deviceId < 0 {
        return refused(format_args!(
            "deviceId is {deviceId}; devices are numbered from 0"
        ));
    }
    attempt!(pair(call, deviceId.into(), peerDeviceId.into()));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { canAccessPeer.write(i32::from(engine().config.peers != Peers::None)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDeviceEnablePeerAccess(
    peerDeviceId: i32,
    flags: u32,
) -> aclError {
    let call = "aclrtDeviceEnablePeerAccess";
    if flags != 0 {
        return fail(
            ACL_ERROR_FEATURE_UNSUPPORTED,
            format_args!("{call} failed: flags is {flags}; it is reserved, pass 0"),
        );
    }
    change(call, peerDeviceId, |device, peer| {
        let mut held = device.lock();
        if !held.peers.contains(&peer) {
            held.peers.push(peer);
        }
    })
}

pub(crate) unsafe extern "C" fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> aclError {
    let call = "aclrtDeviceDisablePeerAccess";
    change(call, peerDeviceId, |device, peer| {
        device.lock().peers.retain(|enabled| *enabled != peer);
    })
}

/// Changes the list of peers that the current device may access.
fn change(call: &str, peer: i32, change: impl FnOnce(&Device, u32)) -> aclError {
    let found = current(call).and_then(|current| pair(call, current.device().into(), peer.into()));
    let (device, peer) = attempt!(found);
    change(device, peer);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDevicePeerAccessStatus(
    deviceId: i32,
    peerDeviceId: i32,
    status: *mut i32,
) -> aclError {
    let call = "aclrtDevicePeerAccessStatus";
    attempt!(not_null(call, "status", status));
    let (device, peer) = attempt!(pair(call, deviceId.into(), peerDeviceId.into()));
    let enabled = device.lock().peers.contains(&peer);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(i32::from(enabled)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetDevicesTopo(
    deviceId: u32,
    otherDeviceId: u32,
    value: *mut u64,
) -> aclError {
    let call = "aclrtGetDevicesTopo";
    attempt!(not_null(call, "value", value));
    attempt!(pair(call, deviceId.into(), otherDeviceId.into()));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(ACL_RT_DEVS_TOPOLOGY_HCCS) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemP2PMap(
    devPtr: *mut c_void,
    size: usize,
    dstDevId: i32,
    flags: u64,
) -> aclError {
    let call = "aclrtMemP2PMap";
    attempt!(not_null(call, "devPtr", devPtr));
    if size == 0 || flags != 0 {
        return invalid(
            call,
            format_args!(
                "size is {size}, flags is {flags:#x}; map at least one byte, with flags 0"
            ),
        );
    }
    let Some((destination, _)) = find(dstDevId) else {
        return unknown(call, i64::from(dstDevId));
    };
    let address = devPtr.addr();
    let Some(owner) = owner(address).filter(|_| is_device_range(address, size)) else {
        return invalid_below(
            call,
            format_args!("{address:#x} has no allocation of {size} bytes of device memory"),
        );
    };
    if owner == destination {
        return same_device(call, dstDevId.into());
    }
    if is_enabled(owner, destination) || is_enabled(destination, owner) {
        ACL_SUCCESS
    } else {
        refused(call, owner, destination)
    }
}

/// Returns the device whose memory contains an address.
fn owner(address: usize) -> Option<u32> {
    match space().locate(address) {
        Location::Device(heap, _) => Some(heap.index()),
        _ => None,
    }
}

/// Returns whether one device may access the memory of another.
fn is_enabled(from: u32, to: u32) -> bool {
    let device = engine().devices.get(from as usize);
    engine().config.peers != Peers::None
        && device.is_some_and(|device| device.lock().peers.contains(&to))
}

/// Checks that bytes may go from one address to another, if the configuration asks for this check.
#[inline(always)]
pub(crate) fn reaches(call: &str, from: usize, to: usize) -> Result<(), aclError> {
    if engine().config.peers == Peers::Open {
        return Ok(());
    }
    reaches_where_asked(call, from, to)
}

#[inline(never)]
fn reaches_where_asked(call: &str, from: usize, to: usize) -> Result<(), aclError> {
    match (owner(from), owner(to)) {
        (Some(from), Some(to)) => between(call, from, to),
        _ => Ok(()),
    }
}

/// Checks that the current device may access the memory at an address, if the configuration asks for this check.
#[inline]
pub(crate) fn device_reaches(call: &str, address: usize) -> Result<(), aclError> {
    if engine().config.peers == Peers::Open {
        return Ok(());
    }
    match owner(address) {
        Some(owner) => between(call, current(call)?.device(), owner),
        None => Ok(()),
    }
}

fn between(call: &str, from: u32, to: u32) -> Result<(), aclError> {
    if from == to || is_enabled(from, to) {
        Ok(())
    } else {
        Err(refused(call, from, to))
    }
}

#[cold]
fn refused(call: &str, from: u32, to: u32) -> aclError {
    invalid_below(
        call,
        format_args!(
            "device {from} has no access to device {to}; make {from} current and call \
             aclrtDeviceEnablePeerAccess({to}, 0)"
        ),
    )
}
