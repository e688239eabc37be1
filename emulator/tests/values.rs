//! Numbers in device memory that streams write and wait for, and reductions.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::{ptr, thread};

use ascendcl_sys::*;
use common::capture::{begin, end};
use common::condition::fill;
use common::*;

passes_while_watched!("values");

const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// Makes device memory with this number.
fn number(value: u64) -> *mut c_void {
    let memory = malloc(8);
    upload(memory, &value.to_le_bytes());
    memory
}

fn write(at: *mut c_void, value: u64, stream: aclrtStream) {
    check!(memory.aclrtValueWrite(at, value, 0, stream));
}

fn wait(at: *mut c_void, value: u64, flag: u32, stream: aclrtStream) {
    check!(memory.aclrtValueWait(at, value, flag, stream));
}

#[test]
fn a_stream_waits_for_what_another_one_writes() {
    let _serial = start();
    let (a, b, at, memory) = (stream(), stream(), number(0), malloc(64));
    for round in 1..=3u64 {
        fill(memory, 0, a);
        check!(stream.aclrtSynchronizeStream(a));
        wait(at, round, ACL_STREAM_WAIT_VALUE_GEQ, b);
        fill(memory, round as i32, b);
        // The wait has not ended.
        assert_eq!(query(b), ACL_STREAM_STATUS_NOT_READY);
        assert_eq!(download(memory, 1), [0]);
        write(at, round, a);
        check!(stream.aclrtSynchronizeStream(b));
        assert_eq!(download(memory, 1), [round as u8]);
    }
    // The write came first.
    write(at, 9, a);
    check!(stream.aclrtSynchronizeStream(a));
    wait(at, 9, ACL_STREAM_WAIT_VALUE_EQ, b);
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(download(at, 8), 9u64.to_le_bytes());
}

#[test]
fn a_copy_of_the_host_ends_a_wait_as_well() {
    let _serial = start();
    let (s, at) = (stream(), number(0));
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (context, address) = (context.addr(), at.addr());
    wait(at, 7, ACL_STREAM_WAIT_VALUE_EQ, s);
    let host = thread::spawn(move || {
        check!(context.aclrtSetCurrentContext(ptr::with_exposed_provenance_mut(context)));
        let at = ptr::with_exposed_provenance_mut::<c_void>(address);
        upload(at, &7u64.to_le_bytes());
    });
    check!(stream.aclrtSynchronizeStream(s));
    assert!(host.join().is_ok());
    assert_eq!(download(at, 1), [7]);
}

#[test]
fn each_flag_compares_in_its_way() {
    let _serial = start();
    let (s, minus_one) = (stream(), u64::MAX);
    for (flag, value, is, is_not) in [
        (ACL_STREAM_WAIT_VALUE_GEQ, 5, &[5, 6][..], &[4, 0][..]),
        // The comparison uses the signed difference, so that a counter may wrap around.
        (
            ACL_STREAM_WAIT_VALUE_GEQ,
            minus_one,
            &[minus_one, 0, 3],
            &[minus_one - 1],
        ),
        (ACL_STREAM_WAIT_VALUE_EQ, 5, &[5], &[4, 6, 0]),
        (ACL_STREAM_WAIT_VALUE_AND, 6, &[2, 4, 7], &[1, 8, 0]),
        (
            ACL_STREAM_WAIT_VALUE_NOR,
            1 << 63,
            &[0, 1],
            &[minus_one, minus_one >> 1],
        ),
    ] {
        for (numbers, ends) in [(is, true), (is_not, false)] {
            for &seen in numbers {
                let at = number(seen);
                wait(at, value, flag, s);
                let code = call!(stream.aclrtSynchronizeStreamWithTimeout(s, 1));
                let timed_out = code == 507046;
                assert!(code == 0 || timed_out, "{code}");
                // Queries end a wait that can end; a timeout does not show this reliably.
                if ends {
                    check!(stream.aclrtSynchronizeStream(s));
                } else {
                    assert!(timed_out, "flag {flag}: {seen} ended the wait for {value}");
                    check!(stream.aclrtStreamAbort(s));
                }
                check!(memory.aclrtFree(at));
            }
        }
    }
}

#[test]
fn what_cannot_be_waited_for_is_refused() {
    let _serial = start();
    let (s, at) = (stream(), malloc(16));
    let mut here = 0u64;
    let host = ptr::from_mut(&mut here).cast::<c_void>();
    check!(100000, memory.aclrtValueWrite(ptr::null_mut(), 1, 0, s));
    check!(100000, memory.aclrtValueWait(ptr::null_mut(), 1, 0, s));
    check!(107000, memory.aclrtValueWrite(at, 1, 1, s));
    check!(107000, memory.aclrtValueWait(at, 1, 4, s));
    check!(107000, memory.aclrtValueWrite(host, 1, 0, s));
    check!(stream.aclrtDestroyStream(s));
    check!(107017, memory.aclrtValueWrite(host, 1, 0, s));
    let s = stream();
    // A task fails if its memory was freed when its turn comes.
    check!(memory.aclrtValueWrite(at.wrapping_byte_add(1 << 30), 1, 0, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    let _ = ascendcl_emulator::take_violations();
}

#[test]
fn a_captured_write_lets_a_stream_outside_go_on() {
    let _serial = start();
    let (graph, outside, at) = (stream(), stream(), number(0));
    let (from, to, last) = (malloc(64), malloc(64), malloc(64));
    begin(graph, RELAXED);
    assert_eq!(copy_async(to, from, 64, graph), 0);
    write(at, 1, graph);
    let instance = end(graph);
    for value in [3, 7] {
        upload(from, &[value; 64]);
        upload(at, &0u64.to_le_bytes());
        wait(at, 1, ACL_STREAM_WAIT_VALUE_EQ, outside);
        assert_eq!(copy_async(last, to, 64, outside), 0);
        check!(graph.aclmdlRIExecuteAsync(instance, graph));
        check!(stream.aclrtSynchronizeStream(outside));
        assert_eq!(download(last, 1), [value]);
        check!(stream.aclrtSynchronizeStream(graph));
    }
    check!(graph.aclmdlRIDestroy(instance));
    begin(graph, RELAXED);
    wait(at, 5, ACL_STREAM_WAIT_VALUE_EQ, graph);
    fill(to, 5, graph);
    let instance = end(graph);
    check!(graph.aclmdlRIExecuteAsync(instance, graph));
    write(at, 5, outside);
    check!(stream.aclrtSynchronizeStream(graph));
    assert_eq!(download(to, 1), [5]);
    check!(graph.aclmdlRIDestroy(instance));
}

/// Reduces one array into another and returns the result.
fn reduce<const N: usize, T: Copy>(
    kind: aclrtReduceKind,
    of: aclDataType,
    own: [T; N],
    other: [T; N],
) -> [T; N] {
    let (s, len) = (stream(), size_of::<[T; N]>());
    let (to, from) = (malloc(len), malloc(len));
    let (h2d, d2h) = (ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST);
    check!(memory.aclrtMemcpy(to, len, own.as_ptr().cast(), len, h2d));
    check!(memory.aclrtMemcpy(from, len, other.as_ptr().cast(), len, h2d));
    let none = ptr::null_mut();
    check!(memory.aclrtReduceAsync(to, from, len as u64, kind, of, s, none));
    check!(stream.aclrtSynchronizeStream(s));
    let mut result = own;
    check!(memory.aclrtMemcpy(result.as_mut_ptr().cast(), len, to, len, d2h));
    check!(stream.aclrtDestroyStream(s));
    result
}

const SUM: aclrtReduceKind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
const MAX: aclrtReduceKind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
const MIN: aclrtReduceKind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;

#[test]
fn ranges_are_reduced_by_their_type() {
    let _serial = start();
    assert_eq!(
        reduce(SUM, ACL_FLOAT, [1.5f32, -2.0], [2.0, 5.0]),
        [3.5, 3.0]
    );
    assert_eq!(
        reduce(MAX, ACL_FLOAT, [1.5f32, -2.0], [2.0, -5.0]),
        [2.0, -2.0]
    );
    assert_eq!(reduce(MIN, ACL_INT32, [7, -7, 0], [3, 3, 3]), [3, -7, 0]);
    assert_eq!(reduce(SUM, ACL_INT32, [i32::MAX], [1]), [i32::MIN]);
    assert_eq!(reduce(SUM, ACL_INT16, [1i16; 33], [2; 33]), [3; 33]);
    assert_eq!(reduce(MAX, ACL_INT8, [-1i8, 5], [-2, 9]), [-1, 9]);
    // The sum of 1 and 2 is 3, in half precision and in bfloat16.
    assert_eq!(reduce(SUM, ACL_FLOAT16, [0x3c00u16], [0x4000]), [0x4200]);
    assert_eq!(reduce(SUM, ACL_BF16, [0x3f80u16], [0x4000]), [0x4040]);
    assert_eq!(reduce(MIN, ACL_FLOAT16, [0x3c00u16], [0x4000]), [0x3c00]);
}

#[test]
fn reductions_that_cannot_be_are_refused() {
    let _serial = start();
    let (s, to, from, none) = (stream(), malloc(64), malloc(64), ptr::null_mut());
    let of = ACL_FLOAT;
    check!(
        100000,
        memory.aclrtReduceAsync(none, from, 64, SUM, of, s, none)
    );
    check!(
        100000,
        memory.aclrtReduceAsync(to, none, 64, SUM, of, s, none)
    );
    check!(
        100000,
        memory.aclrtReduceAsync(to, from, 64, SUM, of, s, to)
    );
    check!(
        100000,
        memory.aclrtReduceAsync(to, from, 64, SUM, ACL_INT64, s, none)
    );
    let unknown = aclrtReduceKind(99);
    check!(
        107000,
        memory.aclrtReduceAsync(to, from, 64, unknown, of, s, none)
    );
    let equal = ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL;
    check!(
        207000,
        memory.aclrtReduceAsync(to, from, 64, equal, of, s, none)
    );
    check!(
        107000,
        memory.aclrtReduceAsync(to, from, 0, SUM, of, s, none)
    );
    check!(
        107000,
        memory.aclrtReduceAsync(to, from, 62, SUM, of, s, none)
    );
    let odd = to.wrapping_byte_add(2);
    check!(
        107000,
        memory.aclrtReduceAsync(odd, from, 4, SUM, of, s, none)
    );
    check!(stream.aclrtDestroyStream(s));
    check!(
        107017,
        memory.aclrtReduceAsync(to, from, 0, SUM, of, s, none)
    );
}

#[test]
fn numbers_lie_at_any_address_of_a_device_and_not_on_the_host() {
    let _serial = start();
    let (s, memory, host) = (stream(), malloc(64), malloc_host(64));
    for shift in 0..10 {
        upload(memory, &[0xff; 32]);
        let at = memory.wrapping_byte_add(shift);
        check!(memory.aclrtValueWrite(at, 7, 0, s));
        check!(memory.aclrtValueWait(at, 7, ACL_STREAM_WAIT_VALUE_EQ, s));
        check!(stream.aclrtSynchronizeStream(s));
        let mut expected = vec![0xff; 32];
        expected.splice(shift..shift + 8, 7_u64.to_ne_bytes());
        assert_eq!(download(memory, 32), expected, "{shift}");
    }
    check!(107000, memory.aclrtValueWrite(host, 7, 0, s));
    check!(107000, memory.aclrtValueWait(host, 7, 1, s));
    check!(memory.aclrtFreeHost(host));
}
