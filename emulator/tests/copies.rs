//! Copies: their kinds, and the waits for queued ones. The schedule is lazy: a task runs only when a call waits for
//! it.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{EmulatorConfig, Schedule, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("copies");

fn start() -> Serial {
    start_with(EmulatorConfig::default().with_schedule(Schedule::Lazy))
}

/// Queues a fill of device memory and does not wait for it.
fn fill(memory: *mut c_void, value: u8, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(memory, 64, value.into(), 64, stream));
}

/// Makes device memory with this value.
fn filled(value: u8) -> *mut c_void {
    let memory = malloc(64);
    upload(memory, &[value; 64]);
    memory
}

#[test]
fn addresses_decide_what_a_copy_does_and_not_its_kind() {
    let _serial = start();
    let (near, far, s) = (malloc_host(64), malloc_host(64), stream());
    let kinds = [
        ACL_MEMCPY_HOST_TO_HOST,
        ACL_MEMCPY_HOST_TO_DEVICE,
        ACL_MEMCPY_DEVICE_TO_HOST,
        ACL_MEMCPY_DEVICE_TO_DEVICE,
        ACL_MEMCPY_DEFAULT,
    ];
    let (one, two) = (malloc(64), malloc(64));
    let ends = [(one, near), (near, one), (two, one), (far, near)];
    let mut value = 0;
    for kind in kinds {
        for (to, from) in ends {
            value += 1;
            check!(memory.aclrtMemset(from, 64, value, 64));
            check!(memory.aclrtMemcpy(to, 64, from, 64, kind));
            assert_eq!(download(to, 64), [value as u8; 64], "{kind:?}");
        }
        for (to, from) in ends {
            value += 1;
            check!(memory.aclrtMemset(from, 64, value, 64));
            if (to, from) == (far, near) {
                check!(207000, memory.aclrtMemcpyAsync(to, 64, from, 64, kind, s));
            } else {
                check!(memory.aclrtMemcpyAsync(to, 64, from, 64, kind, s));
                check!(stream.aclrtSynchronizeStream(s));
                assert_eq!(download(to, 64), [value as u8; 64], "{kind:?}");
            }
        }
    }
    check!(memory.aclrtFreeHost(near));
    check!(memory.aclrtFreeHost(far));
}

#[test]
fn nothing_to_copy_is_checked_by_nobody() {
    let _serial = start();
    let (to, from, kind) = (ptr::null_mut(), ptr::null(), ACL_MEMCPY_HOST_TO_DEVICE);
    check!(memory.aclrtMemcpy(to, 0, from, 0, kind));
    check!(memory.aclrtMemcpyAsync(to, 0, from, 0, kind, to));
    check!(memory.aclrtMemset(to, 0, 1, 0));
    check!(memory.aclrtMemsetAsync(to, 0, 1, 0, to));
    let memory = malloc(64);
    check!(100000, memory.aclrtMemcpyAsync(to, 1, memory, 1, kind, to));
    check!(
        100000,
        memory.aclrtMemcpyAsync(memory, 1, from, 1, kind, to)
    );
    check!(100000, memory.aclrtMemset(to, 1, 1, 1));
    check!(100000, memory.aclrtMemsetAsync(to, 1, 1, 1, to));
    let wrong = aclrtMemcpyKind(99);
    check!(
        100000,
        memory.aclrtMemcpyAsync(memory, 1, memory, 1, wrong, to)
    );
}

/// Host memory at the start of a page.
#[repr(align(4096))]
struct Page<const N: usize>([u8; N]);

/// Registers host memory.
fn register<const N: usize>(host: &mut Page<N>) -> *mut c_void {
    let (start, mut seen) = (host.0.as_mut_ptr().cast::<c_void>(), ptr::null_mut());
    let len = N as u64;
    check!(memory.aclrtHostRegister(start, len, ACL_HOST_REGISTER_MAPPED, &mut seen));
    assert_eq!(seen, start);
    start
}

#[test]
fn a_copy_with_registered_host_memory_goes_on_behind_the_call() {
    let _serial = start();
    let (memory, s) = (filled(5), stream());
    let mut bytes = Page([0; 128]);
    let host = register(&mut bytes);
    let byte = |offset| {
        // SAFETY: inside of the page, which no other code accesses meanwhile.
        unsafe { host.cast::<u8>().wrapping_add(offset).read_volatile() }
    };
    let (down, up) = (ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE);
    let second = host.wrapping_byte_add(64);
    let gate = Gate::close(s);
    check!(memory.aclrtMemcpyAsync(host, 64, memory, 64, down, s));
    check!(memory.aclrtMemcpyAsync(memory, 64, second, 64, up, s));
    assert_eq!((query(s), byte(0)), (ACL_STREAM_STATUS_NOT_READY, 0));
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!((byte(0), byte(63), byte(64)), (5, 5, 0));
    assert_eq!(download(memory, 64), [0; 64]);
    // A range that ends beyond the registered range fails when its turn comes, as with all memory.
    check!(memory.aclrtMemcpyAsync(memory, 65, second, 65, up, s));
    assert_ne!(call!(stream.aclrtSynchronizeStream(s)), 0);
    check!(memory.aclrtHostUnregister(host));
    fill(memory, 7, s);
    check!(memory.aclrtMemcpyAsync(host, 64, memory, 64, down, s));
    assert_eq!(
        (query(s), byte(0)),
        (ACL_STREAM_STATUS_COMPLETE, 7),
        "ordinary again"
    );
}

/// Returns the location of an address according to the runtime.
fn location(pointer: *const c_void) -> aclrtMemLocationType {
    let mut attributes = aclrtPtrAttributes {
        location: aclrtMemLocation {
            id: 9,
            type_: ACL_MEM_LOCATION_TYPE_DEVICE,
        },
        pageSize: 0,
        rsv: [0; 4],
    };
    check!(memory.aclrtPointerGetAttributes(pointer, &mut attributes));
    attributes.location.type_
}

#[test]
fn registered_host_memory_is_called_host_memory_as_long_as_it_is() {
    let _serial = start();
    let mut bytes = Page([0; 128]);
    let host = register(&mut bytes);
    let last = host.wrapping_byte_add(127);
    let both = || (location(host), location(last));
    let known = ACL_MEM_LOCATION_TYPE_HOST;
    assert_eq!(both(), (known, known));
    check!(memory.aclrtHostUnregister(host));
    let ordinary = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    assert_eq!(both(), (ordinary, ordinary));
}

#[test]
fn memory_that_was_unregistered_is_left_alone() {
    let _serial = start();
    let (memory, s) = (filled(5), stream());
    let mut bytes = Page([1; 64]);
    let host = register(&mut bytes);
    let gate = Gate::close(s);
    check!(memory.aclrtMemcpyAsync(host, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    check!(memory.aclrtHostUnregister(host));
    gate.open();
    assert_ne!(call!(stream.aclrtSynchronizeStream(s)), 0);
    assert_eq!(bytes.0, [1; 64]);
    let _ = take_violations();
}

/// Returns a page of host memory, and the page behind it, which is unmapped.
fn page_and_hole() -> (*mut c_void, *mut c_void) {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the call maps new pages and does not affect existing memory.
    let page = unsafe { libc::mmap(ptr::null_mut(), 2 * PAGE, access, flags, -1, 0) };
    assert_ne!(page, libc::MAP_FAILED);
    let hole = page.wrapping_byte_add(PAGE);
    // SAFETY: the second of the two pages, not used since.
    assert_eq!(unsafe { libc::munmap(hole, PAGE) }, 0);
    (page, hole)
}

const PAGE: usize = 4096;

#[test]
fn a_host_address_without_memory_is_refused() {
    let _serial = start();
    let (memory, s) = (filled(5), stream());
    let (up, down) = (ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST);
    let (page, hole) = page_and_hole();
    // Both ends of a range are checked.
    let half = hole.wrapping_byte_sub(32);
    let [small, large] = [0x1000, usize::MAX - 5].map(ptr::without_provenance_mut);
    for nowhere in [hole, half, small, large] {
        check!(107000, memory.aclrtMemcpy(memory, 64, nowhere, 64, up));
        check!(107000, memory.aclrtMemcpy(nowhere, 64, memory, 64, down));
        check!(107000, memory.aclrtMemset(nowhere, 64, 1, 64));
        check!(
            107000,
            memory.aclrtMemcpyAsync(memory, 64, nowhere, 64, up, s)
        );
        check!(
            107000,
            memory.aclrtMemcpyAsync(nowhere, 64, memory, 64, down, s)
        );
        let buffered = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
        check!(
            107000,
            memory.aclrtMemcpyAsync(memory, 64, nowhere, 64, buffered, s)
        );
        check!(
            107000,
            memory.aclrtMemcpy2d(memory, 16, nowhere, 16, 16, 4, up)
        );
    }
    assert!(text().contains("no memory"), "{}", text());
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [5; 64]);
    check!(memory.aclrtMemcpy(page, PAGE, memory, 64, down));
}

#[test]
fn a_copy_with_ordinary_host_memory_waits_for_its_stream() {
    let _serial = start();
    let (one, other, s, other_s) = (filled(0), filled(0), stream(), stream());
    let mut host = [9_u8; 64];
    let pageable = host.as_mut_ptr().cast::<c_void>();
    fill(one, 1, s);
    fill(other, 2, other_s);
    check!(memory.aclrtMemcpyAsync(pageable, 64, one, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    assert_eq!(host, [1; 64]);
    assert_eq!(query(s), ACL_STREAM_STATUS_COMPLETE);
    assert_eq!(
        download(other, 64),
        [0; 64],
        "other streams are not waited for"
    );

    host.fill(3);
    let pageable = host.as_mut_ptr().cast::<c_void>();
    fill(other, 2, s);
    check!(memory.aclrtMemcpyAsync(one, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    assert_eq!(
        (download(one, 64), download(other, 64)),
        (vec![3; 64], vec![2; 64])
    );
    let mut second = [0_u8; 64];
    let second = second.as_mut_ptr().cast();
    check!(
        207000,
        memory.aclrtMemcpyAsync(second, 64, pageable, 64, ACL_MEMCPY_HOST_TO_HOST, s)
    );
    check!(stream.aclrtSynchronizeStream(other_s));
}

#[test]
fn a_copy_without_a_stream_waits_for_none() {
    let _serial = start();
    let (one, s) = (filled(0), stream());
    fill(one, 1, s);
    fill(one, 2, ptr::null_mut());
    assert_eq!(download(one, 64), [0; 64]);
    check!(memory.aclrtMemset(one, 64, 3, 64));
    assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    assert_eq!(download(one, 64), [3; 64]);
    check!(device.aclrtSynchronizeDevice());
}

#[test]
fn null_is_the_default_stream_and_stands_for_no_other() {
    let _serial = start();
    let (null, s) = (ptr::null_mut(), stream());
    let (one, two, three, event) = (filled(0), filled(0), filled(0), event_ex(ACL_EVENT_SYNC));
    let mut default = ptr::null_mut();
    check!(context.aclrtCtxGetCurrentDefaultStream(&mut default));
    fill(one, 1, s);
    check!(event.aclrtRecordEvent(event, s));
    fill(three, 3, s);
    fill(two, 2, null);
    check!(event.aclrtStreamWaitEvent(null, event));
    assert_eq!(copy_async(two, one, 64, null), 0);
    assert_eq!(
        (query(null), query(default)),
        (ACL_STREAM_STATUS_NOT_READY, ACL_STREAM_STATUS_NOT_READY)
    );
    check!(stream.aclrtSynchronizeStream(null));
    assert_eq!(query(default), ACL_STREAM_STATUS_COMPLETE);
    assert_eq!(download(two, 64), [1; 64]);
    assert_eq!(download(three, 64), [0; 64], "only what it waits for");

    check!(event.aclrtRecordEvent(event, null));
    check!(event.aclrtSynchronizeEvent(event));
    assert_eq!(query(null), ACL_STREAM_STATUS_COMPLETE);
    check!(stream.aclrtSynchronizeStream(s));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn some_releases_wait_and_some_do_not() {
    let _serial = start();
    let (seen, freed, s) = (filled(0), filled(0), stream());
    fill(seen, 1, s);
    check!(memory.aclrtFree(freed));
    check!(runtime.aclFinalize());
    check!(event.aclrtDestroyEvent(event()));
    assert_eq!(download(seen, 64), [0; 64]);
    assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    check!(memory.aclrtFreeWithDevSync(filled(0)));
    assert_eq!(download(seen, 64), [1; 64]);
    fill(seen, 2, s);
    check!(stream.aclrtDestroyStream(s));
    assert_eq!(download(seen, 64), [2; 64]);
    let s = stream();
    fill(seen, 3, s);
    check!(stream.aclrtDestroyStreamForce(s));
    assert_eq!(download(seen, 64), [3; 64]);
    assert_eq!(take_violations(), []);
}

#[test]
fn a_copy_with_a_description_reads_it_when_its_turn_comes() {
    let _serial = start();
    let (from, to, s) = (malloc(64), malloc(64), stream());
    let (kind, mut size) = (ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, 0);
    check!(memory.aclrtGetMemcpyDescSize(kind, &mut size));
    let none = ptr::null_mut();
    let [desc, other] = [malloc(size), malloc(size)];
    upload(from, &[1; 64]);
    check!(memory.aclrtMemset(to, 64, 0, 64));
    check!(memory.aclrtSetMemcpyDesc(desc, kind, from, to, 32, none));
    check!(memory.aclrtMemcpyAsyncWithDesc(desc, kind, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 64), [[1; 32], [0; 32]].concat());

    // An earlier task of the stream changes the description.
    let behind = to.wrapping_byte_add(32);
    check!(memory.aclrtSetMemcpyDesc(other, kind, from, behind, 32, none));
    let d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
    check!(memory.aclrtMemcpyAsync(desc, size, other, size, d2d, s));
    check!(memory.aclrtMemcpyAsyncWithDesc(desc, kind, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 64), [1; 64]);

    check!(100000, memory.aclrtGetMemcpyDescSize(kind, ptr::null_mut()));
    check!(207000, memory.aclrtGetMemcpyDescSize(d2d, &mut size));
    for (desc, from, to, count, config) in [
        (none, from, to, 32, none),
        (desc, none, to, 32, none),
        (desc, from, none, 32, none),
        (desc, from, to, 0, none),
        (desc, from, to, 32, from),
    ] {
        check!(
            100000,
            memory.aclrtSetMemcpyDesc(desc, kind, from, to, count, config)
        );
    }
    let host = malloc_host(size);
    check!(
        107000,
        memory.aclrtSetMemcpyDesc(host, kind, from, to, 32, none)
    );
    check!(
        207000,
        memory.aclrtSetMemcpyDesc(desc, d2d, from, to, 32, none)
    );
    check!(100000, memory.aclrtMemcpyAsyncWithDesc(none, kind, s));
    check!(100000, memory.aclrtMemcpyAsyncWithDesc(desc, kind, none));
    check!(107000, memory.aclrtMemcpyAsyncWithDesc(host, kind, s));
    check!(207000, memory.aclrtMemcpyAsyncWithDesc(desc, d2d, s));
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn a_copy_with_offsets_follows_base_addresses_in_device_memory() {
    let _serial = start();
    let (from, to, s) = (malloc(64), malloc(64), stream());
    let (to_base, from_base) = (malloc(8), malloc(8));
    upload(from, &(0..64).collect::<Vec<u8>>());
    check!(memory.aclrtMemset(to, 64, 0xee, 64));
    upload(to_base, &to.addr().to_ne_bytes());
    upload(from_base, &from.addr().to_ne_bytes());
    let (to_at, from_at) = (to_base.cast(), from_base.cast());
    let kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
    check!(memory.aclrtMemcpyAsyncWithOffset(to_at, 64, 20, from_at, 24, 12, kind, s));
    check!(stream.aclrtSynchronizeStream(s));
    let copied: Vec<u8> = (12..36).collect();
    let kept = [0xee; 64];
    let expected = [&kept[..20], &copied, &kept[44..]].concat();
    assert_eq!(download(to, 64), expected);

    let none = ptr::null_mut();
    let d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
    let host = malloc_host(8);
    for (code, to, room, from, kind) in [
        (107000, none, 64, from_at, kind),
        (107000, to_at, 64, ptr::null_mut(), kind),
        (107000, to_at, 43, from_at, kind),
        (107000, to_at.wrapping_byte_add(4), 64, from_at, kind),
        (107000, host.cast(), 64, from_at, kind),
        (107000, to_at, 64, from_at, d2d),
    ] {
        check!(
            code,
            memory.aclrtMemcpyAsyncWithOffset(to, room, 20, from, 24, 12, kind, s)
        );
    }
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn an_indirect_copy_without_a_destination_fails_its_stream() {
    let _serial = start();
    let (from, base, s) = (malloc(64), malloc(16), stream());
    check!(memory.aclrtMemset(from, 64, 1, 64));
    // The base of the destination is no address of device memory.
    upload(base, &[[0; 8], from.addr().to_ne_bytes()].concat());
    let (to_at, from_at) = (base.cast(), base.wrapping_byte_add(8).cast());
    let kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
    check!(memory.aclrtMemcpyAsyncWithOffset(to_at, 64, 0, from_at, 8, 0, kind, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    // This memory was never written as a description.
    check!(memory.aclrtMemcpyAsyncWithDesc(from, kind, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    // A copy within a device does not lead to another one.
    check!(device.aclrtSetDevice(1));
    let elsewhere = malloc(64);
    check!(device.aclrtSetDevice(0));
    upload(base, &elsewhere.addr().to_ne_bytes());
    check!(memory.aclrtMemcpyAsyncWithOffset(to_at, 64, 0, from_at, 8, 0, kind, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(take_violations().len(), 3);
    check!(device.aclrtResetDevice(1));
}

#[test]
fn each_run_of_a_graph_reads_the_description_anew() {
    let _serial = start();
    let (one, two, to, s) = (filled(1), filled(2), filled(0), stream());
    let (kind, none) = (ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, ptr::null_mut());
    let desc = malloc(64);
    check!(memory.aclrtSetMemcpyDesc(desc, kind, one, to, 64, none));
    capture::begin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    check!(memory.aclrtMemcpyAsyncWithDesc(desc, kind, s));
    let instance = capture::end(s);
    assert_eq!(download(to, 64), [0; 64]);
    for (from, value) in [(one, 1), (two, 2)] {
        check!(memory.aclrtSetMemcpyDesc(desc, kind, from, to, 64, none));
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(stream.aclrtSynchronizeStream(s));
        assert_eq!(download(to, 64), [value; 64]);
    }
    check!(graph.aclmdlRIDestroy(instance));
}
