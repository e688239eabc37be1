//! What the checker reports about kernels of the program.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Once;

use ascendcl_emulator::kernel::{self, Declared, View, ViewMut};
use ascendcl_emulator::{Check, EmulatorConfig, Finding, Mistake, Schedule, take_findings};
use ascendcl_sys::*;
use common::capture::{begin, end, fork};
use common::kernel::*;
use common::*;

/// Starts a test with the checker. Queued work runs when the test waits.
fn start_kernels() -> Serial {
    static ONCE: Once = Once::new();
    let config = EmulatorConfig::default().with_check(Check::Collect);
    let serial = start_with(config.with_schedule(Schedule::Lazy));
    ONCE.call_once(|| {
        // y[i] += x[i] for the elements from..to, each block every `count`th.
        kernel::register(ascendcl_emulator::kernel!(
            adds(x: View<u32>, y: ViewMut<u32>, from: u32, to: u32) |block| {
                for i in (from as usize..to as usize).skip(block.index()).step_by(block.count()) {
                    y.set(i, x.get(i).wrapping_add(y.get(i)));
                }
            }
        ));
        // y[i] = 1 for the elements from..to, each block a part.
        kernel::register(ascendcl_emulator::kernel!(
            ones(y: ViewMut<u32>, from: u32, to: u32) |block| {
                for i in block.part((to - from) as usize) {
                    y.set(from as usize + i, 1);
                }
            }
        ));
        // Each block reads what its neighbour has written, behind a barrier or not.
        kernel::register(ascendcl_emulator::kernel!(
            shifts(y: ViewMut<u32>, waits: u32) |block| {
                y.set(block.index(), block.index() as u32);
                if waits > 0 {
                    block.sync();
                }
                let next = y.get((block.index() + 1) % block.count());
                if waits > 1 {
                    block.sync();
                }
                y.set(block.index(), next);
            }
        ));
        kernel::register(ascendcl_emulator::kernel!(
            counts(y: ViewMut<u32>) |block| {
                let _ = block;
                y.set(0, y.get(0) + 1);
            }
        ));
        kernel::register(ascendcl_emulator::kernel!(
            sums(y: ViewMut<f32>, reads: u32) |block| {
                y.add(0, 1.5);
                if block.index() < reads as usize {
                    let _ = y.get(0);
                }
            }
        ));
    });
    serial
}

/// Returns the only finding, which is this mistake, has these words, and names a launch first.
fn one(mistake: Mistake, words: &str) -> Finding {
    let mut all = take_findings();
    assert_eq!(all.len(), 1, "{all:?}");
    let finding = all.remove(0);
    assert_eq!(finding.mistake, mistake, "{finding}");
    assert!(finding.text.contains(words), "{finding}");
    finding
}

/// Asserts that a finding names a launch of this file.
fn is_launched(finding: &Finding) {
    let (part, call) = &finding.calls[0];
    assert_eq!(
        (*part, &*call.call),
        ("launched", "aclrtLaunchKernelWithHostArgs")
    );
    assert!(
        !has_lines()
            || call
                .frames
                .iter()
                .any(|frame| frame.contains("check_kernels.rs")),
        "{finding}"
    );
}

fn none() {
    assert_eq!(take_findings(), []);
}

/// Fills memory with a number, without a stream.
fn filled(bytes: usize) -> *mut c_void {
    let memory = malloc(bytes);
    check!(memory.aclrtMemset(memory, bytes, 0, bytes));
    memory
}

fn adds(x: *mut c_void, y: *mut c_void, from: u32, to: u32) -> Arguments {
    Arguments::default().pointer(x).pointer(y).u32(from).u32(to)
}

fn ones(y: *mut c_void, from: u32, to: u32) -> Arguments {
    Arguments::default().pointer(y).u32(from).u32(to)
}

#[test]
fn a_correct_launch_has_no_finding() {
    let _serial = start_kernels();
    let binary = load();
    let (add, one, shift) = (
        function(binary, "adds"),
        function(binary, "ones"),
        function(binary, "shifts"),
    );
    let (x, y, z) = (filled(400), filled(400), malloc(400));
    assert_eq!(adds(x, y, 0, 100).launch(add, 7, null_mut()), 0);
    // What a launch may write counts as written for the tasks behind it.
    assert_eq!(ones(z, 0, 100).launch(one, 7, null_mut()), 0);
    assert_eq!(adds(z, y, 0, 100).launch(add, 3, null_mut()), 0);
    assert_eq!(copy_async(x, z, 400, null_mut()), 0);
    assert_eq!(wait(), 0);
    let shifts = Arguments::default().pointer(y).u32(2);
    assert_eq!(shifts.launch_with(shift, 8, null_mut(), &mut [batch()]), 0);
    assert_eq!(wait(), 0);
    // A kernel that writes a part of fresh memory, and reads that part.
    let fresh = malloc(400);
    kernel::register(ascendcl_emulator::kernel!(own(y: ViewMut<u32>) |block| {
        y.set(block.index(), 1);
        let _ = y.get(block.index());
    }));
    let own = function(binary, "own");
    assert_eq!(
        (
            Arguments::default()
                .pointer(fresh)
                .launch(own, 4, null_mut()),
            wait()
        ),
        (0, 0)
    );
    check!(model.aclrtBinaryUnLoad(binary));
    for memory in [x, y, z, fresh] {
        check!(memory.aclrtFree(memory));
    }
    none();
}

#[test]
fn an_access_beyond_an_argument_names_the_launch_the_block_and_the_bytes() {
    let _serial = start_kernels();
    let binary = load();
    let (x, y) = (filled(400), filled(404));
    // The padding of the allocation is no memory of the program.
    assert_eq!(
        adds(x, y, 99, 101).launch(function(binary, "adds"), 2, null_mut()),
        0
    );
    assert_eq!(wait(), 507015);
    let found = one(
        Mistake::KernelOutOfBounds,
        "block 1 of adds: it reads bytes 400 to 404 of parameter x, whose allocation ends after 400 bytes",
    );
    assert_eq!(found.calls[0].0, "used");
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn memory_that_nothing_wrote_is_found_when_a_block_reads_it() {
    let _serial = start_kernels();
    let binary = load();
    let (x, y) = (malloc(400), filled(400));
    check!(memory.aclrtMemset(x, 400, 1, 40));
    let add = function(binary, "adds");
    assert_eq!(
        (adds(x, y, 0, 10).launch(add, 2, null_mut()), wait()),
        (0, 0)
    );
    none();
    assert_eq!(
        (adds(x, y, 5, 15).launch(add, 2, null_mut()), wait()),
        (0, 0)
    );
    let finding = one(
        Mistake::Uninitialised,
        "block 1 of adds reads byte 40 of parameter x, which was never written",
    );
    is_launched(&finding);
    // A write of another block behind a barrier is a write; the fresh memory is read behind it.
    let fresh = malloc(32);
    let shift = function(binary, "shifts");
    let shifts = Arguments::default().pointer(fresh).u32(2);
    assert_eq!(shifts.launch_with(shift, 8, null_mut(), &mut [batch()]), 0);
    assert_eq!(wait(), 0);
    none();
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn blocks_that_use_one_byte_are_found() {
    let _serial = start_kernels();
    let binary = load();
    let y = filled(400);
    let count = function(binary, "counts");
    let pointer = Arguments::default().pointer(y);
    assert_eq!((pointer.launch(count, 1, null_mut()), wait()), (0, 0));
    none();
    for blocks in [2, 40] {
        assert_eq!((pointer.launch(count, blocks, null_mut()), wait()), (0, 0));
        let finding = one(
            Mistake::BlocksUnordered,
            "use byte 0 of parameter y, between the same barriers",
        );
        is_launched(&finding);
    }
    let shift = function(binary, "shifts");
    for (waits, found) in [(0, true), (1, true), (2, false)] {
        let shifts = pointer.clone().u32(waits);
        assert_eq!(shifts.launch_with(shift, 4, null_mut(), &mut [batch()]), 0);
        assert_eq!(wait(), 0);
        if found {
            let finding = one(Mistake::BlocksUnordered, "of shifts use byte");
            assert!(finding.text.contains("writes it, and block"), "{finding}");
        } else {
            none();
        }
    }
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn blocks_may_add_to_one_element_and_nothing_else_may_use_it() {
    let _serial = start_kernels();
    let binary = load();
    let sums = function(binary, "sums");
    let y = filled(4);
    let arguments = |reads| Arguments::default().pointer(y).u32(reads);
    assert_eq!((arguments(0).launch(sums, 8, null_mut()), wait()), (0, 0));
    assert_eq!(numbers(y, 1), [12.0]);
    none();
    assert_eq!((arguments(1).launch(sums, 8, null_mut()), wait()), (0, 0));
    let _ = one(Mistake::BlocksUnordered, "use byte 0 of parameter y");
    // It reads what was there.
    let fresh = malloc(4);
    let arguments = Arguments::default().pointer(fresh).u32(0);
    assert_eq!((arguments.launch(sums, 2, null_mut()), wait()), (0, 0));
    let _ = one(
        Mistake::Uninitialised,
        "of sums reads byte 0 of parameter y",
    );
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn what_the_program_has_declared_is_compared_with_the_kernel() {
    let _serial = start_kernels();
    let binary = load();
    let one_of = function(binary, "ones");
    let y = malloc(400);
    kernel::declare(one_of, &[Declared::Out, Declared::Value, Declared::Value]);
    kernel::lengths(&[400]);
    assert_eq!(
        (ones(y, 0, 100).launch(one_of, 3, null_mut()), wait()),
        (0, 0)
    );
    none();
    for (from, to, byte) in [(0, 99, 396), (1, 100, 0), (7, 50, 0)] {
        kernel::lengths(&[400]);
        assert_eq!(
            (ones(y, from, to).launch(one_of, 3, null_mut()), wait()),
            (0, 0)
        );
        let words = format!("ones leaves byte {byte} of parameter y unwritten, of 400 bytes");
        is_launched(&one(Mistake::OutputUnwritten, &words));
    }
    // Without lengths nobody knows what the whole is.
    assert_eq!(
        (ones(y, 0, 10).launch(one_of, 3, null_mut()), wait()),
        (0, 0)
    );
    none();
    kernel::declare(one_of, &[Declared::In, Declared::Value, Declared::Value]);
    assert_eq!(
        (ones(y, 0, 10).launch(one_of, 1, null_mut()), wait()),
        (0, 507015)
    );
    let _ = one(
        Mistake::InputWritten,
        "block 0 of ones: it writes bytes 0 to 4 of parameter y",
    );
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn plain_pointers_of_c_are_seen_by_their_results() {
    const SOURCE: &str = r"
static const struct ascendcl_parameter two[] = {{0, 8, 2}, {8, 8, 2}};
struct plain { uint8_t *x, *y; };
static int half(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    const struct plain *a = arguments;
    for (int i = 0; i < 32; i++) a->y[i] = a->x[i];
    return 0;
}
const struct ascendcl_kernel half__ascendcl = {1, 2, two, half};
static int turned(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    const struct plain *a = arguments;
    for (int i = 0; i < 64; i++) a->y[i] = a->x[i];
    a->x[5] = 7;
    return 0;
}
const struct ascendcl_kernel turned__ascendcl = {1, 2, two, turned};
";
    let _serial = start_kernels();
    let path = compile(&format!("plain-{}.so", std::process::id()), SOURCE, SHARED);
    let (code, binary) = load_file(&path);
    assert_eq!(code, 0, "{}", text());
    let (x, y) = (filled(64), malloc(64));
    let arguments = Arguments::default().pointer(x).pointer(y);
    for (name, mistake, words) in [
        (
            "half",
            Mistake::OutputUnwritten,
            "half leaves byte 32 of parameter 1 unwritten",
        ),
        (
            "turned",
            Mistake::InputWritten,
            "turned writes parameter 0, which is for reading, through a plain pointer",
        ),
    ] {
        let function = function(binary, name);
        // Nobody has declared anything.
        assert_eq!((arguments.launch(function, 1, null_mut()), wait()), (0, 0));
        none();
        check!(memory.aclrtMemset(x, 64, 0, 64));
        kernel::declare(function, &[Declared::In, Declared::Out]);
        kernel::lengths(&[64, 64]);
        assert_eq!((arguments.launch(function, 1, null_mut()), wait()), (0, 0));
        is_launched(&one(mistake, words));
    }
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn wrong_arguments_are_found_at_the_launch() {
    let _serial = start_kernels();
    let binary = load();
    let add = function(binary, "adds");
    let y = filled(400);
    let mut local = [0_u32; 100];
    let freed = filled(400);
    check!(memory.aclrtFree(freed));
    assert_eq!(
        adds(local.as_mut_ptr().cast(), y, 0, 1).launch(add, 1, null_mut()),
        107000
    );
    let _ = one(Mistake::KernelArguments, "parameter x is 0x");
    assert_eq!(ones(y, 0, 1).launch(add, 1, null_mut()), 107000);
    let _ = one(
        Mistake::KernelArguments,
        "adds has 4 parameters in 24 bytes",
    );
    assert_eq!(adds(freed, y, 0, 1).launch(add, 1, null_mut()), 107000);
    let _ = one(Mistake::UsedAfterFree, "that were freed");
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn a_binary_that_is_unloaded_too_early_is_found() {
    let _serial = start_kernels();
    let binary = load();
    let one_of = function(binary, "ones");
    let y = malloc(400);
    assert_eq!(ones(y, 0, 1).launch(one_of, 1, null_mut()), 0);
    check!(model.aclrtBinaryUnLoad(binary));
    let found = one(
        Mistake::DestroyedInUse,
        "aclrtBinaryUnLoad was given kernel binary",
    );
    let parts: Vec<_> = found.calls.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, ["destroyed", "in use", "created"]);
    assert_eq!(wait(), 507015);
    none();
    assert_eq!(ones(y, 0, 1).launch(one_of, 1, null_mut()), 107017);
    let found = one(Mistake::UsedAfterDestroy, "kernel function 0x");
    assert_eq!(found.calls[1].1.call, "aclrtBinaryUnLoad");
    check!(107017, model.aclrtBinaryUnLoad(binary));
    let _ = one(Mistake::UsedAfterDestroy, "kernel binary 0x");
}

#[test]
fn streams_that_use_the_same_bytes_are_found_and_no_others() {
    let _serial = start_kernels();
    let binary = load();
    let (add, one_of) = (function(binary, "adds"), function(binary, "ones"));
    let (a, b) = (stream(), stream());
    let (x, y) = (filled(400), filled(400));
    let both = || {
        check!(stream.aclrtSynchronizeStream(a));
        check!(stream.aclrtSynchronizeStream(b));
    };
    // Both read x, and write different parts of y.
    assert_eq!(adds(x, y, 0, 50).launch(add, 2, a), 0);
    assert_eq!(adds(x, y, 50, 100).launch(add, 2, b), 0);
    both();
    none();
    // Both write one element.
    assert_eq!(adds(x, y, 0, 50).launch(add, 2, a), 0);
    assert_eq!(adds(x, y, 49, 100).launch(add, 2, b), 0);
    both();
    let found = one(Mistake::Unordered, "writes 4 bytes at");
    assert_eq!(found.calls.len(), 3, "{found}");
    // A copy of the other stream, before the launch and behind it.
    let (to, from) = (filled(400), filled(400));
    assert_eq!(copy_async(x, from, 40, b), 0);
    assert_eq!(adds(x, y, 0, 50).launch(add, 2, a), 0);
    both();
    let _ = one(Mistake::Unordered, "may still write");
    assert_eq!(ones(y, 0, 50).launch(one_of, 2, a), 0);
    assert_eq!(copy_async(to, y, 40, b), 0);
    both();
    let _ = one(Mistake::Unordered, "may still");
    // Bytes that the launch does not use.
    assert_eq!(ones(y, 0, 50).launch(one_of, 2, a), 0);
    let rest = y.wrapping_byte_add(200);
    assert_eq!(copy_async(to, rest, 200, b), 0);
    both();
    none();
    // An event orders them.
    let event = event();
    assert_eq!(ones(y, 0, 50).launch(one_of, 2, a), 0);
    fork(event, a, b);
    assert_eq!(adds(y, to, 0, 50).launch(add, 2, b), 0);
    check!(stream.aclrtSynchronizeStream(b));
    check!(stream.aclrtSynchronizeStream(a));
    none();
    check!(event.aclrtDestroyEvent(event));
    check!(stream.aclrtDestroyStream(a));
    check!(stream.aclrtDestroyStream(b));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn a_host_that_does_not_wait_is_found() {
    let _serial = start_kernels();
    let binary = load();
    let one_of = function(binary, "ones");
    let y = filled(400);
    let s = stream();
    assert_eq!(ones(y, 0, 50).launch(one_of, 2, s), 0);
    let _ = download(y, 400);
    check!(stream.aclrtSynchronizeStream(s));
    let found = one(Mistake::NotSynchronised, "aclrtMemcpy reads 200 bytes at");
    assert_eq!(found.calls[1].1.call, "aclrtLaunchKernelWithHostArgs");
    assert_eq!(ones(y, 0, 50).launch(one_of, 2, s), 0);
    let _ = download(y.wrapping_byte_add(200), 200);
    check!(stream.aclrtSynchronizeStream(s));
    let _ = download(y, 400);
    none();
    // Memory stays in use whatever the launch does with it.
    assert_eq!(ones(y, 0, 0).launch(one_of, 2, s), 0);
    check!(memory.aclrtFree(y));
    let _ = one(Mistake::FreedInUse, "may still write them");
    let _ = call!(stream.aclrtSynchronizeStream(s));
    let _ = take_findings();
    check!(stream.aclrtDestroyStream(s));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn declared_launches_are_certain_when_they_are_queued() {
    let _serial = start_kernels();
    let binary = load();
    let add = function(binary, "adds");
    kernel::declare(
        add,
        &[
            Declared::In,
            Declared::InOut,
            Declared::Value,
            Declared::Value,
        ],
    );
    let (a, b) = (stream(), stream());
    let (x, y, z) = (filled(400), filled(800), malloc(400));
    let launch = |x, y, stream| {
        kernel::lengths(&[400, 400]);
        assert_eq!(adds(x, y, 0, 100).launch(add, 2, stream), 0);
    };
    launch(x, y, a);
    launch(x, y.wrapping_byte_add(400), b);
    none();
    launch(x, y.wrapping_byte_add(200), b);
    let all = take_findings();
    assert!(
        !all.is_empty() && all.iter().all(|one| one.mistake == Mistake::Unordered),
        "{all:?}"
    );
    check!(stream.aclrtSynchronizeStream(a));
    check!(stream.aclrtSynchronizeStream(b));
    none();
    launch(z, y, a);
    let _ = one(Mistake::Uninitialised, "were never written");
    check!(stream.aclrtSynchronizeStream(a));
    check!(stream.aclrtDestroyStream(a));
    check!(stream.aclrtDestroyStream(b));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn launches_of_a_graph_are_checked_in_each_run() {
    let _serial = start_kernels();
    let binary = load();
    let add = function(binary, "adds");
    let (a, b) = (stream(), stream());
    let (x, y) = (malloc(400), filled(400));
    begin(a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    assert_eq!(adds(x, y, 0, 50).launch(add, 2, a), 0);
    let graph = end(a);
    none();
    check!(graph.aclmdlRIExecuteAsync(graph, a));
    check!(stream.aclrtSynchronizeStream(a));
    is_launched(&one(
        Mistake::Uninitialised,
        "of adds reads byte 0 of parameter x",
    ));
    check!(memory.aclrtMemset(x, 400, 0, 400));
    check!(graph.aclmdlRIExecuteAsync(graph, a));
    assert_eq!(copy_async(x, y, 40, b), 0);
    check!(stream.aclrtSynchronizeStream(b));
    check!(stream.aclrtSynchronizeStream(a));
    let all = take_findings();
    assert!(
        !all.is_empty() && all.iter().all(|one| one.mistake == Mistake::Unordered),
        "{all:?}"
    );
    check!(graph.aclmdlRIExecuteAsync(graph, a));
    check!(model.aclrtBinaryUnLoad(binary));
    let _ = one(Mistake::DestroyedInUse, "kernel binary");
    let _ = call!(stream.aclrtSynchronizeStream(a));
    check!(graph.aclmdlRIDestroy(graph));
    check!(stream.aclrtDestroyStream(a));
    check!(stream.aclrtDestroyStream(b));
    none();
}

/// What an output had before is not what the kernel reads on a card, where the output may be fresh.
#[test]
fn an_output_is_not_read_before_it_is_written() {
    let _serial = start_kernels();
    let (binary, x, y) = (load(), malloc_exact(64), malloc_exact(64));
    upload(x, &[1; 64]);
    upload(y, &[1; 64]);
    let adds = function(binary, "adds");
    let arguments = Arguments::default().pointer(x).pointer(y).u32(0).u32(16);
    let values = [Declared::Value, Declared::Value];
    for (declared, finds) in [(Declared::InOut, false), (Declared::Out, true)] {
        kernel::declare(adds, &[&[Declared::In, declared], &values[..]].concat());
        kernel::lengths(&[64, 64]);
        assert_eq!((arguments.launch(adds, 2, null_mut()), wait()), (0, 0));
        if finds {
            let words = "of adds reads byte 0 of parameter y, which was never written";
            is_launched(&one(Mistake::Uninitialised, words));
        } else {
            none();
        }
    }
    check!(model.aclrtBinaryUnLoad(binary));
}
