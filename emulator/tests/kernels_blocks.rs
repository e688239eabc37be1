//! Kernels in Rust that run: blocks that fail or wait for each other, limits, and the life of a binary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr::null_mut;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ascendcl_emulator::kernel::{self, Declared, View, ViewMut};
use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::capture::{begin, end};
use common::kernel::*;
use common::*;

passes_while_watched!("kernels_blocks");

fn register() {
    register_counted();
    kernel::register(ascendcl_emulator::kernel!(panics(x: ViewMut<u32>) |block| {
        x.set(block.index(), 1);
        assert!(block.index() != 2, "two");
    }));
    kernel::register(
        ascendcl_emulator::kernel!(beyond(x: ViewMut<u32>, at: u64) |block| {
            let _ = block;
            x.set(at as usize, 1);
        }),
    );
    kernel::register(
        ascendcl_emulator::kernel!(sums(x: View<u32>, y: ViewMut<u32>) |block| {
            y.set(block.index(), x.get(block.index()));
            block.sync();
            let all = (0..block.count()).map(|i| y.get(i)).sum();
            block.sync();
            y.set(block.index(), all);
        }),
    );
    kernel::register(
        ascendcl_emulator::kernel!(leaves_one(x: View<u32>) |block| {
            let _ = x;
            if block.index() > 0 {
                block.sync();
            }
        }),
    );
    kernel::register(ascendcl_emulator::kernel!(spins(x: ViewMut<u32>) |block| {
        while x.get(block.index()) == 0 {}
    }));
    kernel::register(ascendcl_emulator::kernel!(sleeps(x: ViewMut<u32>) |block| {
        std::thread::sleep(Duration::from_millis(20));
        x.set(block.index(), 1);
    }));
}

#[test]
fn a_block_that_fails_fails_the_task() {
    let _serial = start_lazy(register);
    let binary = load();
    let x = malloc_exact(64);
    let panics = Arguments::default().pointer(x);
    assert_eq!(panics.launch(function(binary, "panics"), 4, null_mut()), 0);
    failed(
        507015,
        What::KernelPanicked,
        "block 2 of panics: it panicked: two",
    );
    let beyond = function(binary, "beyond");
    let mut at = Arguments::default().pointer(x);
    at.bytes.extend(16_u64.to_ne_bytes());
    assert_eq!(at.launch(beyond, 1, null_mut()), 0);
    failed(
        507015,
        What::KernelOutOfBounds,
        "block 0 of beyond: it writes bytes 64 to 68 of parameter x",
    );
    at.bytes.truncate(8);
    at.bytes.extend(u64::MAX.to_ne_bytes());
    assert_eq!(at.launch(beyond, 1, null_mut()), 0);
    failed(507015, What::KernelOutOfBounds, "block 0 of beyond");
    // The stream goes on.
    at.bytes.truncate(8);
    at.bytes.extend(15_u64.to_ne_bytes());
    assert_eq!((at.launch(beyond, 1, null_mut()), wait()), (0, 0));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn what_the_program_has_declared_holds() {
    let _serial = start_lazy(register);
    let binary = load();
    let beyond = function(binary, "beyond");
    let x = malloc_exact(64);
    let mut at = Arguments::default().pointer(x);
    at.bytes.extend(3_u64.to_ne_bytes());
    // The lengths are those of one launch.
    assert!(kernel::wants_lengths());
    kernel::lengths(&[12]);
    assert_eq!(at.launch(beyond, 1, null_mut()), 0);
    failed(
        507015,
        What::KernelOutOfBounds,
        "bytes 12 to 16 of parameter x, which has 12 bytes",
    );
    assert_eq!((at.launch(beyond, 1, null_mut()), wait()), (0, 0));
    kernel::lengths(&[usize::MAX]);
    assert_eq!((at.launch(beyond, 1, null_mut()), wait()), (0, 0));
    kernel::lengths(&[65]);
    assert_eq!(at.launch(beyond, 1, null_mut()), 107000);
    assert!(text().contains("shall have 65 bytes"));
    let _ = take_violations();
    // A launch that is refused takes them, too.
    kernel::lengths(&[12]);
    assert_eq!(at.launch(beyond, 0, null_mut()), 107000);
    assert_eq!((at.launch(beyond, 1, null_mut()), wait()), (0, 0));
    kernel::declare(beyond, &[Declared::In, Declared::Value]);
    kernel::declare(null_mut(), &[Declared::In]);
    assert_eq!(at.launch(beyond, 1, null_mut()), 0);
    failed(
        507015,
        What::KernelWritesInput,
        "parameter x, which the program has declared for reading",
    );
    check!(model.aclrtBinaryUnLoad(binary));
    kernel::declare(beyond, &[Declared::In, Declared::Value]);
}

#[test]
fn blocks_meet_with_the_schedule_batch_only() {
    let _serial = start_lazy(register);
    let binary = load();
    let sums = function(binary, "sums");
    let (x, y) = (malloc(64), malloc_exact(64));
    upload(x, &[2_u32.to_ne_bytes(); 16].concat());
    upload(y, &[0; 64]);
    let arguments = Arguments::default().pointer(x).pointer(y);
    assert_eq!(
        arguments.launch_with(sums, 16, null_mut(), &mut [batch()]),
        0
    );
    assert_eq!(
        (wait(), download(y, 64)),
        (0, [32_u32.to_ne_bytes(); 16].concat())
    );
    assert_eq!(arguments.launch(sums, 16, null_mut()), 0);
    failed(
        507015,
        What::KernelRule,
        "ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1",
    );
    // One that stops releases the others, and so does one that returns.
    let short = Arguments::default()
        .pointer(x)
        .pointer(y.wrapping_byte_add(16));
    assert_eq!(short.launch_with(sums, 16, null_mut(), &mut [batch()]), 0);
    failed(
        507015,
        What::KernelOutOfBounds,
        "block 12 of sums: it writes bytes 48 to 52",
    );
    let leaves = function(binary, "leaves_one");
    let one = Arguments::default().pointer(x);
    assert_eq!(one.launch_with(leaves, 4, null_mut(), &mut [batch()]), 0);
    failed(
        507015,
        What::KernelRule,
        "another block has returned without this wait",
    );
    assert_eq!(
        one.launch_with(leaves, 49, null_mut(), &mut [batch()]),
        107000
    );
    assert!(text().contains("48 vector cores"));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn a_limit_ends_a_kernel_at_its_next_access() {
    let _serial = start_lazy(register);
    let binary = load();
    let x = malloc(64);
    upload(x, &[0; 64]);
    let one = Arguments::default().pointer(x);
    let micros = |low| aclrtLaunchKernelAttr {
        id: ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US,
        value: aclrtLaunchKernelAttrValue {
            timeoutUs: aclrtTimeoutUs {
                timeoutLow: low,
                timeoutHigh: 0,
            },
        },
    };
    let spins = function(binary, "spins");
    for attributes in [&mut [micros(5000)][..], &mut [micros(5000), batch()]] {
        assert_eq!(one.launch_with(spins, 2, null_mut(), attributes), 0);
        failed(507014, What::KernelLate, "the limit of the launch is over");
    }
    // One that makes no access is not stopped, and fails afterwards.
    let sleeps = function(binary, "sleeps");
    assert_eq!(
        one.launch_with(sleeps, 1, null_mut(), &mut [micros(1000)]),
        0
    );
    assert_eq!(wait(), 507014);
    let _ = take_violations();
    let seconds = aclrtLaunchKernelAttr {
        id: ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT,
        value: aclrtLaunchKernelAttrValue { timeout: 60 },
    };
    assert_eq!(one.launch_with(sleeps, 1, null_mut(), &mut [seconds]), 0);
    assert_eq!(wait(), 0);
    // 0 is no limit.
    assert_eq!(one.launch_with(sleeps, 1, null_mut(), &mut [micros(0)]), 0);
    assert_eq!(wait(), 0);
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn an_unloaded_binary_ends_its_functions_and_queued_launches() {
    let _serial = start_lazy(register);
    let (binary, other) = (load(), load());
    let nothing = function(binary, "nothing");
    let none = Arguments::default();
    assert_eq!(none.launch(nothing, 1, null_mut()), 0);
    check!(model.aclrtBinaryUnLoad(binary));
    failed(
        507015,
        What::BinaryUnloaded,
        "wait for the stream before aclrtBinaryUnLoad",
    );
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
    assert_eq!(none.launch(nothing, 1, null_mut()), 107017);
    assert!(text().contains("kernel function"));
    check!(107017, model.aclrtBinaryUnLoad(binary));
    check!(107017, model.aclrtFunctionGetParamCount(nothing, &mut 0));
    assert_eq!(
        (
            none.launch(function(other, "nothing"), 1, null_mut()),
            wait()
        ),
        (0, 0)
    );
    check!(model.aclrtBinaryUnLoad(other));
}

#[test]
fn a_binary_ends_with_its_device_and_runs_on_no_other() {
    let _serial = start_lazy(register);
    let binary = load();
    let nothing = function(binary, "nothing");
    check!(device.aclrtSetDevice(1));
    let elsewhere = malloc(64);
    assert_eq!(Arguments::default().launch(nothing, 1, null_mut()), 107000);
    assert!(text().contains("loaded on device 0"));
    check!(device.aclrtSetDevice(0));
    let x = Arguments::default().pointer(elsewhere);
    let panics = function(binary, "panics");
    assert_eq!(x.launch(panics, 1, null_mut()), 107000);
    assert!(text().contains("aclrtDeviceEnablePeerAccess"));
    check!(device.aclrtDeviceEnablePeerAccess(1, 0));
    assert_eq!((x.launch(panics, 1, null_mut()), wait()), (0, 0));
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtResetDeviceForce(0));
    check!(device.aclrtSetDevice(0));
    assert_eq!(Arguments::default().launch(nothing, 1, null_mut()), 107017);
    check!(107017, model.aclrtBinaryUnLoad(binary));
}

#[test]
fn a_captured_launch_runs_again_as_long_as_its_binary_is_loaded() {
    let _serial = start_lazy(register);
    let binary = load();
    let saxpy = function(binary, "saxpy");
    let stream = stream();
    let (x, y) = (floats(&[1.0; 8]), floats(&[0.0; 8]));
    let arguments = Arguments::default().pointer(x).pointer(y).f32(1.0).u32(8);
    begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    assert_eq!(arguments.launch(saxpy, 2, stream), 0);
    let graph = end(stream);
    let (mut own, mut task, mut number) = (null_mut(), null_mut(), 1);
    check!(graph.aclmdlRIGetStreams(graph, &mut own, &mut number));
    check!(graph.aclmdlRIGetTasksByStream(own, &mut task, &mut number));
    let mut kind = aclmdlRITaskType(99);
    check!(graph.aclmdlRITaskGetType(task, &mut kind));
    assert_eq!(kind, ACL_MODEL_RI_TASK_KERNEL);
    for round in 1..4 {
        check!(graph.aclmdlRIExecuteAsync(graph, stream));
        check!(stream.aclrtSynchronizeStream(stream));
        assert_eq!(numbers(y, 8), vec![round as f32; 8]);
    }
    check!(model.aclrtBinaryUnLoad(binary));
    check!(graph.aclmdlRIExecuteAsync(graph, stream));
    check!(507015, stream.aclrtSynchronizeStream(stream));
    assert_eq!(numbers(y, 8), vec![3.0; 8]);
    let all = violated();
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].0, What::BinaryUnloaded);
    check!(graph.aclmdlRIDestroy(graph));
    check!(stream.aclrtDestroyStream(stream));
}

#[test]
fn memory_that_is_freed_under_a_queued_launch_fails_the_task() {
    let _serial = start_lazy(register);
    if std::env::var_os("ASCENDCL_TEST_WATCHED").is_some() {
        // With the checker the task may be over before the free.
        return;
    }
    let binary = load();
    let x = malloc(64);
    let one = Arguments::default().pointer(x);
    assert_eq!(one.launch(function(binary, "panics"), 1, null_mut()), 0);
    check!(memory.aclrtFree(x));
    failed(507001, What::MemoryUsedAfterFree, "freed");
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn a_kernel_that_is_registered_again_replaces_the_one_before() {
    let _serial = start_lazy(register);
    kernel::register(
        ascendcl_emulator::kernel!(twice(x: ViewMut<u32>) |block| x.set(block.index(), 1)),
    );
    let binary = load();
    let first = function(binary, "twice");
    kernel::register(
        ascendcl_emulator::kernel!(twice(x: ViewMut<u32>) |block| x.set(block.index(), 2)),
    );
    let second = load();
    let x = malloc(4);
    let one = Arguments::default().pointer(x);
    for (function, value) in [(function(second, "twice"), 2), (first, 1)] {
        assert_eq!((one.launch(function, 1, null_mut()), wait()), (0, 0));
        assert_eq!(download(x, 4), [value, 0, 0, 0]);
    }
    check!(model.aclrtBinaryUnLoad(binary));
    check!(model.aclrtBinaryUnLoad(second));
}
