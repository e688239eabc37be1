//! Kernels in Ascend C, built by the compiler of this machine with the header of the emulator: their results, and what stops
//! the wrong ones.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr::null_mut;

use ascendcl_emulator::What;
use ascendcl_sys::*;
use common::kernel::*;
use common::*;

passes_while_watched!("kernels_ascend_c");

/// Looks up a kernel of a source.
fn kernel(source: &str, name: &str) -> aclrtFuncHandle {
    let (code, binary) = load_file(&ascend_c(source));
    assert_eq!(code, 0, "{}", text());
    function(binary, name)
}

fn wave(count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| ((i * 37) % 101) as f32 / 8.0 - 5.0)
        .collect()
}

#[test]
fn tiles_of_queues_add_up() {
    let _serial = start();
    let numbers_of = wave(4096);
    let (x, y, z) = (floats(&numbers_of), floats(&numbers_of), malloc(4 * 4096));
    let add = kernel("add", "add");
    let arguments = Arguments::default()
        .pointer(x)
        .pointer(y)
        .pointer(z)
        .u32(4096);
    assert_eq!(arguments.launch(add, 8, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0, "{}", text());
    let expected: Vec<f32> = numbers_of.iter().map(|x| x + x).collect();
    assert_eq!(numbers(z, 4096), expected);
}

#[test]
fn the_first_kernel_of_the_guide_computes() {
    let _serial = start();
    let (x, y) = (floats(&wave(1024)), floats(&[1.0; 1024]));
    let saxpy = kernel("saxpy", "saxpy");
    let arguments = Arguments::default().pointer(x).pointer(y);
    let arguments = arguments.f32(2.0).u32(1024);
    assert_eq!(arguments.launch(saxpy, 8, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0, "{}", text());
    let expected: Vec<f32> = wave(1024).iter().map(|x| 2.0 * x + 1.0).collect();
    assert_eq!(numbers(y, 1024), expected);
}

#[test]
fn a_softmax_of_rows_adds_up_to_one() {
    let _serial = start();
    let (rows, columns) = (6, 77);
    let numbers_of = wave(rows * columns);
    let (x, y) = (floats(&numbers_of), malloc(4 * rows * columns));
    let softmax = kernel("softmax", "softmax");
    let arguments = Arguments::default().pointer(x).pointer(y);
    let arguments = arguments.u32(rows as u32).u32(columns as u32);
    assert_eq!(arguments.launch(softmax, 4, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0, "{}", text());
    for (row, from) in numbers(y, rows * columns)
        .chunks(columns)
        .zip(numbers_of.chunks(columns))
    {
        let sum: f32 = from.iter().map(|x| x.exp()).sum();
        let near = |(y, x): (&f32, &f32)| (y - x.exp() / sum).abs() < 1e-6;
        assert!(row.iter().zip(from).all(near), "{row:?}");
    }
}

#[test]
fn blocks_of_a_batch_meet() {
    let _serial = start();
    let (x, parts, result) = (floats(&[0.5; 512]), malloc(4 * 8 * 8), malloc(4));
    let sum = kernel("sum", "sum");
    let arguments = Arguments::default()
        .pointer(x)
        .pointer(parts)
        .pointer(result)
        .u32(512);
    assert_eq!(
        arguments.launch_with(sum, 8, null_mut(), &mut [batch()]),
        0,
        "{}",
        text()
    );
    assert_eq!(wait(), 0, "{}", text());
    assert_eq!(numbers(result, 1), [256.0]);
    // Without the schedule, blocks that wait for each other may wait for ever on a card.
    assert_eq!(arguments.launch(sum, 8, null_mut()), 0, "{}", text());
    failed(
        ACL_ERROR_RT_AICORE_EXCEPTION,
        What::KernelRule,
        "ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE",
    );
}

#[test]
fn blocks_add_to_one_place() {
    let _serial = start();
    let (x, total) = (floats(&[0.25; 8 * 24]), floats(&[1.0; 8]));
    let columns = kernel("atomic", "columns");
    let arguments = Arguments::default().pointer(x).pointer(total).u32(24);
    assert_eq!(arguments.launch(columns, 6, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0, "{}", text());
    assert_eq!(numbers(total, 8), [7.0; 8]);
}

#[test]
fn plain_pointers_and_instructions_compute() {
    let _serial = start();
    let (x, y) = (floats(&wave(100)), floats(&[1.0; 100]));
    let saxpy = kernel("plain", "saxpy");
    let arguments = Arguments::default().pointer(x).pointer(y).f32(2.0).u32(100);
    assert_eq!(arguments.launch(saxpy, 3, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0, "{}", text());
    let expected: Vec<f32> = wave(100).iter().map(|x| 2.0 * x + 1.0).collect();
    assert_eq!(numbers(y, 100), expected);
    // Each instruction of the header against a loop, in the kernel itself.
    let done = floats(&[0.0; 8]);
    let instructions = kernel("instructions", "instructions");
    let arguments = Arguments::default().pointer(done);
    assert_eq!(
        arguments.launch(instructions, 1, null_mut()),
        0,
        "{}",
        text()
    );
    assert_eq!(wait(), 0, "{}", text());
    assert_eq!(download(done, 4), 1_u32.to_ne_bytes());
}

#[test]
fn each_mistake_stops_its_block_with_a_text() {
    let _serial = start();
    let (code, binary) = load_file(&ascend_c("mistakes"));
    assert_eq!(code, 0, "{}", text());
    let mistakes = [
        (
            "beyond",
            What::KernelOutOfBounds,
            "bytes 256 to 260 of parameter 0",
        ),
        ("fresh", What::KernelRule, "nothing wrote src"),
        (
            "half_fresh",
            What::KernelRule,
            "byte 128 of the 256 of src was never written",
        ),
        (
            "keeping",
            What::KernelRule,
            "a tensor of 32 bytes is not freed",
        ),
        (
            "third_buffer",
            What::KernelRule,
            "all 2 buffers of the queue are in use",
        ),
        ("empty_queue", What::KernelRule, "DeQue of an empty queue"),
        ("freed", What::KernelRule, "dst was freed"),
        (
            "large",
            What::KernelRule,
            "131072 of the 196608 bytes of the unified buffer",
        ),
        (
            "odd_copy",
            What::KernelRule,
            "no multiple of 32: use DataCopyPad",
        ),
        ("misaligned", What::KernelRule, "must at a multiple of 32"),
        (
            "beyond_local",
            What::KernelRule,
            "dst needs 68 bytes, and its tensor has 64",
        ),
        ("wide_mask", What::KernelRule, "a mask of 128 lanes"),
        ("waiting", What::KernelRule, "WaitFlag"),
        ("asserting", What::KernelRule, "n == 0"),
        ("throwing", What::KernelRule, "threw an exception"),
        ("null_pointer", What::KernelRule, "SIGSEGV at address 0"),
        (
            "wild_pointer",
            What::KernelRule,
            "SIGSEGV at address 0x12345678",
        ),
        ("aborting", What::KernelRule, "SIGABRT"),
    ];
    for (name, what, words) in mistakes {
        let (x, y) = (malloc_exact(256), malloc_exact(256));
        upload(x, &[0; 256]);
        let arguments = Arguments::default().pointer(x).pointer(y).u32(64);
        let mistake = function(binary, name);
        assert_eq!(
            arguments.launch(mistake, 1, null_mut()),
            0,
            "{name}: {}",
            text()
        );
        assert_eq!(wait(), ACL_ERROR_RT_AICORE_EXCEPTION, "{name}: {}", text());
        let all = violated();
        assert!(
            all.len() == 1 && all[0].0 == what && all[0].1.contains(words),
            "{name}: {all:?}"
        );
        assert!(all[0].1.contains(name), "{name}: {all:?}");
        assert_eq!(wait(), 0, "{name}");
    }
}
