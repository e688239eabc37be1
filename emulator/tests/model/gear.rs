//! Gears: setting, the order of checks, and runs with them.

use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ascendcl_emulator::{What, take_findings, take_violations};
use ascendcl_sys::*;

use crate::engine::{BATCH, DIMS, IMAGE, SUM};
use crate::{Set, describe, load, start};

/// The memory of an input for gears of so many numbers.
fn gear(numbers: usize) -> Vec<f32> {
    vec![0.0; numbers]
}

fn dims(shape: &[i64]) -> aclmdlIODims {
    // SAFETY: the structure has numbers only.
    let mut dims: aclmdlIODims = unsafe { MaybeUninit::zeroed().assume_init() };
    dims.dimCount = shape.len();
    dims.dims[..shape.len()].copy_from_slice(shape);
    dims
}

/// Returns the shape of the first output for the gear that was set last.
fn current_output(desc: *mut aclmdlDesc) -> Vec<i64> {
    let mut found = dims(&[]);
    check!(model.aclmdlGetCurOutputDims(desc, 0, &mut found));
    found.dims[..found.dimCount].to_vec()
}

#[test]
fn a_batch_size_is_checked_then_written_and_then_decides_the_run() {
    let _serial = start();
    let (id, plain) = (load(BATCH), load(SUM));
    let desc = describe(id);
    let input = Set::new(&[&[1.0; 16], &gear(1)]);
    let output = Set::new(&[&[0.0; 16]]);
    check!(
        100000,
        model.aclmdlSetDynamicBatchSize(id, null_mut(), 1, 2)
    );
    check!(100000, model.aclmdlSetDynamicBatchSize(id, input.set, 1, 0));
    check!(100000, model.aclmdlSetDynamicBatchSize(id, input.set, 2, 2));
    check!(runtime.aclUpdateDataBuffer(input.buffers[1], null_mut(), 4));
    check!(100000, model.aclmdlSetDynamicBatchSize(id, input.set, 1, 2));
    check!(runtime.aclUpdateDataBuffer(input.buffers[1], input.memory[1], 3));
    check!(
        145012,
        model.aclmdlSetDynamicBatchSize(999, input.set, 1, 2)
    );
    check!(runtime.aclUpdateDataBuffer(input.buffers[1], input.memory[1], 4));
    check!(
        145003,
        model.aclmdlSetDynamicBatchSize(999, input.set, 1, 2)
    );
    check!(145013, model.aclmdlSetDynamicBatchSize(id, input.set, 1, 3));
    check!(
        145013,
        model.aclmdlSetDynamicBatchSize(plain, input.set, 1, 2)
    );
    check!(
        145013,
        model.aclmdlSetDynamicHWSize(plain, input.set, 0, 2, 2)
    );
    assert_eq!(
        current_output(desc),
        [4, 4],
        "the largest gear before one is set"
    );
    check!(model.aclmdlSetDynamicBatchSize(id, input.set, 1, 2));
    assert_eq!(current_output(desc), [2, 4]);
    check!(model.aclmdlExecute(id, input.set, output.set));
    let mut expected = vec![2.0; 8];
    expected.resize(16, 0.0);
    assert_eq!(output.read(0, 16), expected);
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
    check!(model.aclmdlUnload(plain));
    [input, output].into_iter().for_each(Set::end);
}

#[test]
fn a_gear_of_eight_bytes_is_written_where_there_is_room_and_sizes_are_not_compared() {
    let _serial = start();
    let id = load(BATCH);
    let input = Set::new(&[&[1.0; 4], &gear(2)]);
    let output = Set::new(&[&[0.0; 4]]);
    check!(model.aclmdlSetDynamicBatchSize(id, input.set, 1, 1));
    assert_eq!(
        input
            .read(1, 2)
            .iter()
            .map(|half| half.to_bits())
            .collect::<Vec<_>>(),
        [1, 0]
    );
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 4), [2.0; 4]);
    // The buffers are too small for this gear, and nobody compares them with it.
    check!(model.aclmdlSetDynamicBatchSize(id, input.set, 1, 4));
    check!(507011, model.aclmdlExecute(id, input.set, output.set));
    assert!(
        take_violations()[0]
            .text
            .contains("smaller than the 64 bytes of the gear")
    );
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
}

#[test]
fn a_run_without_a_gear_takes_what_the_memory_holds() {
    let _serial = start();
    let id = load(BATCH);
    let input = Set::new(&[&[1.0; 16], &gear(1)]);
    let output = Set::new(&[&[0.0; 16]]);
    let small = Set::new(&[&[0.0; 4]]);
    check!(500002, model.aclmdlExecute(id, small.set, output.set));
    check!(runtime.aclUpdateDataBuffer(small.buffers[0], null_mut(), 0));
    check!(507011, model.aclmdlExecute(id, input.set, output.set));
    let violation = take_violations().pop().unwrap();
    assert_eq!(violation.what, What::ModelFailed);
    assert!(
        violation.text.contains("holds [0], which is no gear"),
        "{violation}"
    );
    check!(memory.aclrtMemset(input.memory[1], 4, 0, 4));
    check!(memory.aclrtMemset(input.memory[1], 1, 4, 1));
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 16), [2.0; 16]);
    check!(model.aclmdlUnload(id));
    [input, output, small].into_iter().for_each(Set::end);
    let _ = take_findings();
}

#[test]
fn sizes_of_pictures_are_two_numbers() {
    let _serial = start();
    let id = load(IMAGE);
    let desc = describe(id);
    let input = Set::new(&[&[1.0; 20], &gear(2)]);
    let output = Set::new(&[&[0.0; 20]]);
    check!(100000, model.aclmdlSetDynamicHWSize(id, input.set, 1, 0, 3));
    check!(100000, model.aclmdlSetDynamicHWSize(id, input.set, 1, 2, 0));
    check!(runtime.aclUpdateDataBuffer(input.buffers[1], input.memory[1], 7));
    check!(145012, model.aclmdlSetDynamicHWSize(id, input.set, 1, 2, 3));
    check!(runtime.aclUpdateDataBuffer(input.buffers[1], input.memory[1], 8));
    check!(145013, model.aclmdlSetDynamicHWSize(id, input.set, 1, 3, 2));
    check!(145013, model.aclmdlSetDynamicBatchSize(id, input.set, 1, 2));
    check!(model.aclmdlSetDynamicHWSize(id, input.set, 1, 2, 3));
    // The file has no shape of the output; a run of the engine has found it.
    assert_eq!(current_output(desc), [1, 1, 2, 3]);
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 7), [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
}

#[test]
fn dimensions_are_those_of_all_inputs() {
    let _serial = start();
    let id = load(DIMS);
    let input = Set::new(&[&[1.0; 4], &[1.0; 5], &gear(2)]);
    let output = Set::new(&[&[0.0; 4]]);
    let set =
        |id, shape: &[i64]| call!(model.aclmdlSetInputDynamicDims(id, input.set, 2, &dims(shape)));
    check!(
        100000,
        model.aclmdlSetInputDynamicDims(id, null_mut(), 2, &dims(&[1, 2, 1, 3]))
    );
    check!(
        100000,
        model.aclmdlSetInputDynamicDims(id, input.set, 2, null())
    );
    check!(
        100000,
        model.aclmdlSetInputDynamicDims(id, input.set, 3, &dims(&[1, 2, 1, 3]))
    );
    assert_eq!(set(id, &[]), 100000);
    assert_eq!(set(999, &[1]), 145003);
    assert_eq!(set(id, &[1, 2, 1]), 145012);
    assert_eq!(set(id, &[1, 9, 1, 3]), 145012);
    assert_eq!(set(id, &[1, 2, 1, 5]), 145013);
    check!(runtime.aclUpdateDataBuffer(input.buffers[2], input.memory[2], 7));
    assert_eq!(set(id, &[1, 2, 1, 5]), 145013);
    assert_eq!(set(id, &[2, 2, 1, 5]), 145012);
    check!(runtime.aclUpdateDataBuffer(input.buffers[2], input.memory[2], 8));
    assert_eq!(set(id, &[2, 2, 1, 5]), 0);
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 4), [2.0; 4]);
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
}
