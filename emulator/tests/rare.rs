//! Functions that few programs call: their answers and their refusals.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("rare");

#[test]
fn devices_have_one_number() {
    let _serial = start();
    let mut id = -1;
    check!(device.aclrtGetLogicDevIdByUserDevId(1, &mut id));
    assert_eq!(id, 1);
    check!(device.aclrtGetPhyDevIdByLogicDevId(0, &mut id));
    assert_eq!(id, 0);
    check!(device.aclrtGetUserDevIdByPhyDevId(1, &mut id));
    assert_eq!(id, 1);
    check!(107001, device.aclrtGetPhyDevIdByUserDevId(2, &mut id));
    check!(
        100000,
        device.aclrtGetUserDevIdByLogicDevId(0, ptr::null_mut())
    );
    let mut status = ACL_RT_DEVICE_STATUS_END;
    check!(device.aclrtQueryDeviceStatus(0, &mut status));
    assert_eq!(status, ACL_RT_DEVICE_STATUS_NORMAL);
    let feature = ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV;
    check!(device.aclrtGetDeviceCapability(0, feature, &mut id));
    assert_eq!(id, ACL_DEV_FEATURE_SUPPORT);
    let unknown = aclrtDevFeatureType(99);
    check!(107000, device.aclrtGetDeviceCapability(0, unknown, &mut id));
    check!(device.aclrtDeviceGetBareTgid(&mut id));
    assert_eq!(id.cast_unsigned(), std::process::id());
}

#[test]
fn the_mode_of_overflow_is_kept() {
    let _serial = start();
    let mut mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    check!(device.aclrtGetDeviceSatMode(&mut mode));
    assert_eq!(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
    for chosen in [ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_SATURATION] {
        check!(device.aclrtSetDeviceSatMode(chosen));
        check!(device.aclrtGetDeviceSatMode(&mut mode));
        assert_eq!(mode, chosen);
    }
    check!(
        107000,
        device.aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF)
    );
}

#[test]
fn limits_of_streams_come_before_those_of_devices() {
    let _serial = start();
    let (s, cube) = (stream(), ACL_RT_DEV_RES_CUBE_CORE);
    let of_thread = || {
        let mut value = 0;
        check!(stream.aclrtGetResInCurrentThread(cube, &mut value));
        value
    };
    let of_stream = |stream| {
        let mut value = 0;
        check!(stream.aclrtGetStreamResLimit(stream, cube, &mut value));
        value
    };
    assert_eq!((of_thread(), of_stream(s)), (24, 24));
    check!(device.aclrtSetDeviceResLimit(0, cube, 12));
    assert_eq!((of_thread(), of_stream(s)), (12, 12));
    check!(stream.aclrtSetStreamResLimit(s, cube, 6));
    assert_eq!((of_thread(), of_stream(s)), (12, 6));
    check!(stream.aclrtUseStreamResInCurrentThread(s));
    assert_eq!(of_thread(), 6);
    check!(stream.aclrtUnuseStreamResInCurrentThread(s));
    assert_eq!(of_thread(), 12);
    check!(stream.aclrtResetStreamResLimit(s));
    check!(device.aclrtResetDeviceResLimit(0));
    assert_eq!((of_thread(), of_stream(s)), (24, 24));
    check!(107000, stream.aclrtSetStreamResLimit(s, cube, 25));
    check!(stream.aclrtSetStreamResLimit(s, cube, 0));
    assert_eq!(of_stream(s), 0);
    for wrong in [0, 25] {
        check!(107000, device.aclrtSetDeviceResLimit(0, cube, wrong));
    }
    let kind = aclrtDevResLimitType(9);
    check!(107000, stream.aclrtSetStreamResLimit(s, kind, 1));
    check!(107001, device.aclrtSetDeviceResLimit(9, cube, 1));
    // A later stream of the same slot does not inherit a limit.
    check!(stream.aclrtSetStreamResLimit(s, cube, 6));
    check!(stream.aclrtDestroyStream(s));
    assert_eq!(of_stream(stream()), 24);
}

#[test]
fn host_memory_is_registered_once() {
    let _serial = start();
    let mut host = vec![0u8; 3 * 4096];
    let start = host.as_mut_ptr();
    let start = start
        .wrapping_add(start.align_offset(4096))
        .cast::<c_void>();
    let (kind, mut out) = (ACL_HOST_REGISTER_MAPPED, ptr::null_mut());
    // A card takes whole pages only, from the first one on.
    let odd = start.wrapping_byte_add(64);
    check!(107000, memory.aclrtHostRegister(odd, 64, kind, &mut out));
    assert!(text().contains("4096"), "{}", text());
    check!(memory.aclrtHostRegister(start, 4096, kind, &mut out));
    assert_eq!(out, start);
    check!(
        507910,
        memory.aclrtHostRegister(start, 4096, kind, &mut out)
    );
    let inside = start.wrapping_byte_add(4000);
    check!(
        507910,
        memory.aclrtHostRegister(inside, 200, kind, &mut out)
    );
    let behind = start.wrapping_byte_add(4096);
    check!(memory.aclrtHostRegister(behind, 4096, kind, &mut out));
    check!(507911, memory.aclrtHostUnregister(inside));
    check!(memory.aclrtHostUnregister(start));
    check!(507911, memory.aclrtHostUnregister(start));
    check!(memory.aclrtHostUnregister(behind));
    check!(100000, memory.aclrtHostRegister(start, 0, kind, &mut out));
    check!(
        100000,
        memory.aclrtHostRegister(ptr::null_mut(), 1, kind, &mut out)
    );
    check!(
        207000,
        memory.aclrtHostRegister(start, 1, aclrtHostRegisterType(1), &mut out)
    );
}

#[test]
fn memory_for_the_task_scheduler_is_device_memory() {
    let _serial = start();
    let (mut out, policy, none) = (ptr::null_mut(), ACL_MEM_MALLOC_HUGE_FIRST, ptr::null_mut());
    check!(memory.aclrtMallocForTaskScheduler(&mut out, 64, policy, none));
    upload(out, &[1; 64]);
    check!(memory.aclrtFree(out));
    check!(
        100000,
        memory.aclrtMallocForTaskScheduler(&mut out, 0, policy, none)
    );
}

/// Returns the attributes of a copy from host memory to device 0.
fn upwards() -> aclrtMemcpyBatchAttr {
    let (device, host) = (ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST);
    aclrtMemcpyBatchAttr {
        dstLoc: aclrtMemLocation {
            id: 0,
            type_: device,
        },
        srcLoc: aclrtMemLocation { id: 0, type_: host },
        rsv: [0; 16],
    }
}

/// Copies eight bytes from each host address to each device address, and the second part in the other direction.
fn batch(
    ends: [(*mut c_void, *mut c_void, usize); 3],
    stream: Option<aclrtStream>,
) -> (aclError, usize) {
    let down = aclrtMemcpyBatchAttr {
        dstLoc: upwards().srcLoc,
        srcLoc: upwards().dstLoc,
        rsv: [0; 16],
    };
    let mut to = ends.map(|(to, ..)| to);
    let mut from = ends.map(|(_, from, _)| from);
    let (mut sizes, mut room) = (ends.map(|(.., size)| size), [8; 3]);
    let (mut attributes, mut starts, mut failed) = ([upwards(), down], [0, 2], usize::MAX);
    let (to, from) = (to.as_mut_ptr(), from.as_mut_ptr());
    let (room, sizes) = (room.as_mut_ptr(), sizes.as_mut_ptr());
    let (attributes, starts) = (attributes.as_mut_ptr(), starts.as_mut_ptr());
    let code = match stream {
        None => call!(memory.aclrtMemcpyBatch(
            to,
            room,
            from,
            sizes,
            3,
            attributes,
            starts,
            2,
            &mut failed
        )),
        Some(s) => call!(memory.aclrtMemcpyBatchAsync(
            to,
            room,
            from,
            sizes,
            3,
            attributes,
            starts,
            2,
            &mut failed,
            s
        )),
    };
    (code, failed)
}

#[test]
fn a_batch_copies_what_its_attributes_say_and_names_what_it_cannot() {
    let _serial = start();
    let (one, two, host) = (malloc(8), malloc(8), malloc_host(32));
    let at = |offset| host.wrapping_byte_add(offset);
    let s = stream();
    for stream in [None, Some(s)] {
        upload(
            host,
            &[
                1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0,
            ],
        );
        let ends = [(one, at(0), 8), (two, at(8), 8), (at(16), two, 8)];
        assert_eq!(batch(ends, stream), (0, usize::MAX), "{}", text());
        check!(stream.aclrtSynchronizeStream(s));
        assert_eq!(
            (download(one, 8), download(at(16), 8)),
            (vec![1; 8], vec![2; 8])
        );
    }
    let good = (one, at(0), 8);
    for (ends, failed) in [
        ([good, (two, at(8), 0), good], 1),
        ([good, (two, ptr::null_mut(), 8), good], 1),
        ([good, (at(8), two, 8), good], 1),
        ([(one, two, 8), good, good], 0),
        ([good, good, good], 2),
    ] {
        assert_eq!(batch(ends, None), (107000, failed));
    }
    let too_large = [good, (two, at(8), 9), good];
    assert_eq!(batch(too_large, None), (100000, usize::MAX));
    let (mut pointer, mut size, mut failed) = (one, 8, 0);
    let none = ptr::null_mut();
    check!(
        100000,
        memory.aclrtMemcpyBatch(
            &mut pointer,
            &mut size,
            &mut pointer,
            &mut size,
            1,
            ptr::null_mut(),
            none,
            1,
            &mut failed
        )
    );
    let (mut attribute, mut start) = (upwards(), 0);
    check!(
        107000,
        memory.aclrtMemcpyBatch(
            &mut pointer,
            &mut size,
            &mut pointer,
            &mut size,
            1,
            &mut attribute,
            &mut start,
            2,
            &mut failed
        )
    );
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn parameters_are_kept_by_process_and_by_context() {
    let _serial = start();
    let mut value = -1;
    check!(runtime.aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &mut value));
    assert_eq!(value, 0);
    check!(runtime.aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    check!(runtime.aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &mut value));
    assert_eq!(value, 1);
    check!(100000, runtime.aclrtSetSysParamOpt(aclSysParamOpt(77), 1));
    check!(
        100000,
        runtime.aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, ptr::null_mut())
    );
    // A context has only its own parameters, not those of the process.
    check!(
        107021,
        context.aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &mut value)
    );
    check!(context.aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 1));
    check!(context.aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &mut value));
    assert_eq!(value, 1);
    let mut other = ptr::null_mut();
    check!(context.aclrtCreateContext(&mut other, 0));
    check!(
        107021,
        context.aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &mut value)
    );
    check!(context.aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 0));
    check!(context.aclrtDestroyContext(other));
    check!(
        107002,
        context.aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1)
    );
    check!(context.aclrtCreateContext(&mut other, 0));
    check!(
        107021,
        context.aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &mut value)
    );
    check!(context.aclrtDestroyContext(other));
}

#[test]
fn a_stream_keeps_its_switch_for_overflow() {
    let _serial = start();
    let (one, mut flag) = (stream(), 7);
    check!(stream.aclrtGetStreamOverflowSwitch(one, &mut flag));
    assert_eq!(flag, 0);
    check!(stream.aclrtSetStreamOverflowSwitch(one, 1));
    check!(stream.aclrtGetStreamOverflowSwitch(one, &mut flag));
    assert_eq!(flag, 1);
    check!(stream.aclrtGetStreamOverflowSwitch(ptr::null_mut(), &mut flag));
    assert_eq!(flag, 0);
    check!(107000, stream.aclrtSetStreamOverflowSwitch(one, 2));
    check!(
        100000,
        stream.aclrtGetStreamOverflowSwitch(one, ptr::null_mut())
    );
    check!(stream.aclrtDestroyStream(one));
    check!(107017, stream.aclrtSetStreamOverflowSwitch(one, 1));
}

#[test]
fn a_device_is_idle_and_healthy() {
    let _serial = start();
    let mut rate = aclrtUtilizationInfo {
        cubeUtilization: 7,
        vectorUtilization: 7,
        aicpuUtilization: 7,
        memoryUtilization: 7,
        utilizationExtend: ptr::null_mut(),
    };
    check!(device.aclrtGetDeviceUtilizationRate(1, &mut rate));
    let cores = [
        rate.cubeUtilization,
        rate.vectorUtilization,
        rate.aicpuUtilization,
    ];
    assert_eq!((cores, rate.memoryUtilization), ([0; 3], -1));
    check!(107001, device.aclrtGetDeviceUtilizationRate(2, &mut rate));
    check!(
        100000,
        device.aclrtGetDeviceUtilizationRate(0, ptr::null_mut())
    );
    rate.utilizationExtend = ptr::dangling_mut();
    check!(100000, device.aclrtGetDeviceUtilizationRate(0, &mut rate));
    // SAFETY: all fields are numbers, which may be 0.
    let mut info: aclrtErrorInfo = unsafe { std::mem::zeroed() };
    (info.tryRepair, info.hasDetail) = (7, 7);
    info.errorType = ACL_RT_ERROR_OTHERS;
    check!(device.aclrtGetErrorVerbose(0, &mut info));
    assert_eq!((info.tryRepair, info.hasDetail), (0, 0));
    assert_eq!(info.errorType, ACL_RT_NO_ERROR);
    check!(107001, device.aclrtGetErrorVerbose(-1, &mut info));
    check!(100000, device.aclrtGetErrorVerbose(0, ptr::null_mut()));
}

#[test]
fn the_properties_of_the_chip_are_told() {
    let _serial = start();
    let (mut list, mut count, mut value) = (ptr::null(), 0, -1);
    check!(runtime.aclGetCannAttributeList(&mut list, &mut count));
    assert_eq!(count, 3);
    for index in 0..count {
        // SAFETY: the list has `num` values and lives as long as the process.
        let attribute = unsafe { list.wrapping_add(index).read() };
        value = -1;
        check!(runtime.aclGetCannAttribute(attribute, &mut value));
        assert_eq!(value, 1, "{attribute:?}");
    }
    check!(
        100000,
        runtime.aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &mut value)
    );
    check!(
        100000,
        runtime.aclGetCannAttribute(ACL_CANN_ATTR_BF16, ptr::null_mut())
    );
    check!(
        100000,
        runtime.aclGetCannAttributeList(ptr::null_mut(), &mut count)
    );
    check!(
        100000,
        runtime.aclGetCannAttributeList(&mut list, ptr::null_mut())
    );
    for (chip, runs) in [(c"Ascend910B3", 1), (c"Ascend310P3", 0), (c"", 0)] {
        check!(runtime.aclrtCheckArchCompatibility(chip.as_ptr(), &mut value));
        assert_eq!(value, runs, "{chip:?}");
    }
    check!(
        107000,
        runtime.aclrtCheckArchCompatibility(ptr::null(), &mut value)
    );
}

#[test]
fn a_stream_is_created_with_a_set_of_attributes() {
    let _serial = start();
    let set = call!(stream.aclrtCreateStreamConfigHandle());
    let (priority, flag, mut made) = (3u32, 2usize, ptr::null_mut());
    let none = ptr::null_mut();
    let value = ptr::from_ref(&priority).cast::<c_void>();
    let of = ACL_RT_STREAM_PRIORITY;
    check!(stream.aclrtSetStreamConfigOpt(set, of, value, 4));
    let flags = ptr::from_ref(&flag).cast();
    check!(stream.aclrtSetStreamConfigOpt(set, ACL_RT_STREAM_FLAG, flags, 8));
    check!(100000, stream.aclrtSetStreamConfigOpt(set, of, value, 8));
    check!(
        100000,
        stream.aclrtSetStreamConfigOpt(set, of, ptr::null(), 4)
    );
    let unknown = aclrtStreamConfigAttr(9);
    check!(
        100000,
        stream.aclrtSetStreamConfigOpt(set, unknown, value, 0)
    );
    check!(100000, stream.aclrtSetStreamConfigOpt(none, of, value, 4));
    check!(stream.aclrtCreateStreamV2(&mut made, set));
    let (mut priority, mut flags) = (0, 0);
    check!(stream.aclrtStreamGetPriority(made, &mut priority));
    check!(stream.aclrtStreamGetFlags(made, &mut flags));
    assert_eq!((priority, flags), (3, 2));
    check!(100000, stream.aclrtCreateStreamV2(ptr::null_mut(), set));
    check!(100000, stream.aclrtCreateStreamV2(&mut made, ptr::null()));
    check!(stream.aclrtDestroyStreamConfigHandle(set));
    check!(100000, stream.aclrtDestroyStreamConfigHandle(set));
    check!(100000, stream.aclrtCreateStreamV2(&mut made, set));
    check!(stream.aclrtDestroyStream(made));
}

#[test]
fn registered_memory_has_an_address_on_the_device() {
    let _serial = start();
    let mut here = [0u8; 64];
    let host = here.as_mut_ptr().cast::<c_void>();
    let (inside, mut device) = (host.wrapping_byte_add(63), ptr::null_mut());
    let mapped = ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED;
    check!(
        100000,
        memory.aclrtHostRegisterV2(ptr::null_mut(), 64, mapped)
    );
    check!(100000, memory.aclrtHostRegisterV2(host, 0, mapped));
    check!(107000, memory.aclrtHostRegisterV2(host, 64, 0));
    check!(107000, memory.aclrtHostRegisterV2(host, 64, 1));
    let unknown = ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    check!(
        unknown,
        memory.aclrtHostGetDevicePointer(host, &mut device, 0)
    );
    check!(memory.aclrtHostRegisterV2(host, 64, mapped));
    let twice = ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    check!(twice, memory.aclrtHostRegisterV2(host, 64, mapped));
    check!(memory.aclrtHostGetDevicePointer(inside, &mut device, 0));
    assert_eq!(device, inside);
    let behind = host.wrapping_byte_add(64);
    check!(
        unknown,
        memory.aclrtHostGetDevicePointer(behind, &mut device, 0)
    );
    check!(
        100000,
        memory.aclrtHostGetDevicePointer(host, &mut device, 1)
    );
    check!(
        100000,
        memory.aclrtHostGetDevicePointer(host, ptr::null_mut(), 0)
    );
    check!(memory.aclrtHostUnregister(host));
    check!(
        unknown,
        memory.aclrtHostGetDevicePointer(host, &mut device, 0)
    );
}
