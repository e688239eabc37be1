//! Allocations with attributes, fills with words, copies of rows: the allowed arguments.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_emulator::{What, live, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("memory");

fn device_id(id: u32) -> aclrtMallocAttribute {
    aclrtMallocAttribute {
        attr: ACL_RT_MEM_ATTR_DEVICE_ID,
        value: aclrtMallocAttrValue { deviceId: id },
    }
}

/// Allocates with these attributes, on the device or on the host.
fn malloc_with(attributes: &mut [aclrtMallocAttribute], on_host: bool) -> aclError {
    let mut config = aclrtMallocConfig {
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len(),
    };
    let mut out = ptr::null_mut();
    let policy = ACL_MEM_MALLOC_HUGE_FIRST;
    let code = if on_host {
        call!(memory.aclrtMallocHostWithCfg(&mut out, 64, &mut config))
    } else {
        call!(memory.aclrtMallocWithCfg(&mut out, 64, policy, &mut config))
    };
    if code == 0 {
        check!(memory.aclrtFree(out));
    }
    code
}

#[test]
fn attributes_are_checked() {
    let _serial = start();
    let module = aclrtMallocAttribute {
        attr: ACL_RT_MEM_ATTR_MODULE_ID,
        value: aclrtMallocAttrValue { moduleId: 33 },
    };
    let address = aclrtMallocAttribute {
        attr: ACL_RT_MEM_ATTR_VA_FLAG,
        value: aclrtMallocAttrValue { vaFlag: 1 },
    };
    let unknown = aclrtMallocAttribute {
        attr: aclrtMallocAttrType(9),
        ..module
    };
    assert_eq!(malloc_with(&mut [], false), 0);
    assert_eq!(malloc_with(&mut [module, device_id(0)], false), 0);
    assert_eq!(malloc_with(&mut [device_id(1)], false), 107000);
    assert!(text().contains("the current device is 0"));
    let twice = &mut [device_id(1), device_id(0)];
    assert_eq!(malloc_with(twice, false), 0, "the last one counts");
    assert_eq!(malloc_with(&mut [address], false), 107000);
    assert_eq!(malloc_with(&mut [module, address], true), 0);
    for on_host in [false, true] {
        assert_eq!(malloc_with(&mut [unknown], on_host), 107000);
    }
}

#[test]
fn allocations_with_attributes_check_like_the_others() {
    let _serial = start();
    let (mut out, none) = (ptr::null_mut(), ptr::null_mut());
    let policy = aclrtMemMallocPolicy(ACL_MEM_MALLOC_HUGE_ONLY.0 | ACL_MEM_TYPE_HIGH_BAND_WIDTH.0);
    check!(
        100000,
        memory.aclrtMallocWithCfg(ptr::null_mut(), 64, policy, none)
    );
    check!(100000, memory.aclrtMallocWithCfg(&mut out, 0, policy, none));
    check!(
        100000,
        memory.aclrtMallocHostWithCfg(ptr::null_mut(), 64, none)
    );
    check!(100000, memory.aclrtMallocHostWithCfg(&mut out, 0, none));
    let mut config = aclrtMallocConfig {
        attrs: ptr::null_mut(),
        numAttrs: 1,
    };
    check!(
        100000,
        memory.aclrtMallocWithCfg(&mut out, 64, policy, &mut config)
    );
    check!(
        107000,
        memory.aclrtMallocHostWithCfg(&mut out, 64, &mut config)
    );
    check!(
        207001,
        memory.aclrtMallocWithCfg(&mut out, 1 << 40, policy, none)
    );
    check!(memory.aclrtMallocHostWithCfg(&mut out, 64, none));
    check!(memory.aclrtFreeHost(out));
    // There is no padding: byte 65 does not belong to the program.
    check!(memory.aclrtMallocWithCfg(&mut out, 64, policy, none));
    check!(memory.aclrtMemset(out, 96, 0, 64));
    check!(107000, memory.aclrtMemset(out, 96, 0, 65));
    check!(107000, memory.aclrtFreeHost(out));
    check!(memory.aclrtFree(out));
    check!(device.aclrtResetDevice(0));
    check!(
        107002,
        memory.aclrtMallocWithCfg(&mut out, 64, policy, none)
    );
    check!(107002, memory.aclrtMallocHostWithCfg(&mut out, 64, none));
}

#[test]
fn only_ordinary_pages_come_with_a_pad() {
    let _serial = start();
    for (policy, pad) in [
        (ACL_MEM_MALLOC_HUGE_FIRST, 32),
        (ACL_MEM_MALLOC_HUGE1G_ONLY, 0),
        (ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, 0),
    ] {
        let mut out = ptr::null_mut();
        check!(memory.aclrtMalloc(&mut out, 64, policy));
        check!(memory.aclrtMemset(out, 1 << 20, 0, 64 + pad));
        check!(107000, memory.aclrtMemset(out, 1 << 20, 0, 64 + pad + 1));
        check!(memory.aclrtFree(out));
    }
}

/// Returns the bytes of `count` equal words.
fn words(value: u32, count: usize) -> Vec<u8> {
    value.to_ne_bytes().repeat(count)
}

#[test]
fn words_fill_device_and_host_memory() {
    let _serial = start();
    let (device, host, s) = (malloc(64), malloc_host(64), stream());
    upload(device, &[0; 64]);
    check!(memory.aclrtMemsetD32(device, 64, 0x0102_0304, 3));
    assert_eq!(download(device, 12), words(0x0102_0304, 3));
    assert_eq!(download(device.wrapping_byte_add(12), 4), [0; 4]);
    check!(memory.aclrtMemsetD32Async(device.wrapping_byte_add(4), 60, 7, 15, s));
    check!(memory.aclrtMemsetD32Async(device, 64, 9, 1, ptr::null_mut()));
    check!(stream.aclrtSynchronizeStream(s));
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    assert_eq!(download(device, 64), [words(9, 1), words(7, 15)].concat());
    // Host memory is filled in the call, although the stream is blocked.
    let gate = Gate::close(s);
    check!(memory.aclrtMemsetD32Async(host, 64, 5, 16, s));
    assert_eq!(download(host, 64), words(5, 16));
    gate.open();
    check!(memory.aclrtMemsetD32(host, 64, 6, 16));
    assert_eq!(download(host, 64), words(6, 16));
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn words_have_a_place_of_their_size() {
    let _serial = start();
    let (device, s) = (malloc(64), stream());
    let (mut stack, null) = ([0u32; 4], ptr::null_mut());
    let stack: *mut c_void = stack.as_mut_ptr().cast();
    let both = |pointer: *mut c_void, room, count| {
        let code = call!(memory.aclrtMemsetD32(pointer, room, 0, count));
        assert_eq!(
            call!(memory.aclrtMemsetD32Async(pointer, room, 0, count, s)),
            code
        );
        code
    };
    assert_eq!(both(null, 0, 0), 0, "nothing to fill is checked by nobody");
    assert_eq!(both(null, 64, 1), 100000);
    assert_eq!(both(device.wrapping_byte_add(2), 62, 1), 100000);
    assert_eq!(both(device, 63, 16), 100000);
    assert_eq!(both(device, usize::MAX, usize::MAX / 4 + 1), 100000);
    assert_eq!(both(stack, 16, 4), 100000);
    check!(
        107017,
        memory.aclrtMemsetD32Async(device, 64, 0, 1, ptr::without_provenance_mut(0x10))
    );
    // A fill beyond the allocation fails at once without a stream, and at the next synchronise with a stream.
    check!(107000, memory.aclrtMemsetD32(device, 1 << 20, 0, 1 << 18));
    check!(memory.aclrtMemsetD32Async(device, 1 << 20, 0, 1 << 18, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    let violations: Vec<_> = take_violations()
        .into_iter()
        .map(|violation| (violation.call, violation.what))
        .collect();
    assert_eq!(
        violations,
        [("aclrtMemsetD32Async", What::MemoryOutOfBounds)]
    );
}

#[test]
fn copies_of_rows_have_kinds_and_limits() {
    let _serial = start();
    let (to, from, host, s) = (malloc(256), malloc(256), malloc_host(256), stream());
    let now =
        |width, height, kind| call!(memory.aclrtMemcpy2d(to, 16, from, 16, width, height, kind));
    let later = |width, height, kind| {
        call!(memory.aclrtMemcpy2dAsync(to, 16, from, 16, width, height, kind, s))
    };
    let d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
    assert_eq!((now(0, 4, d2d), later(4, 0, d2d)), (0, 0));
    assert_eq!((now(17, 1, d2d), later(17, 1, d2d)), (100000, 100000));
    assert_eq!((now(8, 4, d2d), later(8, 4, d2d)), (207000, 0));
    for kind in [ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE] {
        assert_eq!((now(8, 4, kind), later(8, 4, kind)), (100000, 100000));
    }
    let inner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
    assert_eq!((now(8, 4, inner), later(8, 4, inner)), (100000, 100000));
    assert_eq!(now(8, 4, ACL_MEMCPY_DEFAULT), 0);
    assert_eq!(later(8, 5 << 20, d2d), 0, "as many rows as there may be");
    check!(507001, stream.aclrtSynchronizeStream(s));
    let _ = take_violations();
    assert_eq!(later(8, (5 << 20) + 1, d2d), 107000);
    let wide = |width| {
        let h2d = ACL_MEMCPY_HOST_TO_DEVICE;
        call!(memory.aclrtMemcpy2dAsync(to, 1 << 23, host, 1 << 23, width, 1, h2d, s))
    };
    assert_eq!(wide(5_000_001), 107000);
    assert_eq!(wide(16), 0);
    check!(stream.aclrtSynchronizeStream(s));
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn memory_of_another_thread_is_counted_once() {
    let _serial = start();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            check!(device.aclrtSetDevice(0));
            for _ in 0..20_000 {
                let [one, two] = [malloc_host(64), malloc_host(64)];
                check!(memory.aclrtFreeHost(one));
                check!(memory.aclrtFreeHost(two));
            }
            check!(device.aclrtResetDevice(0));
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            let live = live();
            assert_eq!(live.device_blocks, 0, "host memory counts as device memory");
            assert!(live.host_blocks <= 2, "{live:?}");
        }
    });
    assert_eq!((live().device_blocks, live().host_blocks), (0, 0));
}
