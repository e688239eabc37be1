//! Runs: blocking, queued and with options; the order of checks, memory, contexts and failures.

use std::ptr::{from_ref, null, null_mut, without_provenance_mut};

use ascendcl_emulator::{Mistake, What, take_findings, take_violations};
use ascendcl_sys::*;

use crate::common::*;
use crate::engine::{FAILING, SUM, file};
use crate::{Set, load, start};

const ONES: [f32; 6] = [1.0; 6];
const NUMBERS: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
const SUMS: [f32; 6] = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

#[test]
fn a_blocking_run_computes_at_once() {
    let _serial = start();
    let (id, input, output) = (load(SUM), Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 6), SUMS);
    check!(model.aclmdlUnload(id));
    input.end();
    output.end();
}

#[test]
fn a_queued_run_reads_the_data_sets_during_the_call_only() {
    let _serial = start();
    let (id, input, mut output) = (load(SUM), Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    let stream = stream();
    check!(model.aclmdlExecuteAsync(id, input.set, output.set, stream));
    check!(runtime.aclUpdateDataBuffer(output.buffers[0], null_mut(), 0));
    check!(model.aclmdlDestroyDataset(output.set));
    output.set = call!(model.aclmdlCreateDataset());
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(output.read(0, 6), SUMS);
    check!(stream.aclrtDestroyStream(stream));
    check!(model.aclmdlUnload(id));
    input.end();
    output.end();
}

#[test]
fn an_output_in_the_memory_of_an_input_is_found_unless_it_is_that_input() {
    let _serial = start();
    let wide = [1.0; 9];
    let (id, input) = (load(SUM), Set::new(&[&wide, &ONES]));
    for (offset, is_wrong) in [(0, false), (12, true)] {
        let mut output = Set::new(&[]);
        output.add(input.memory[0].wrapping_byte_add(offset), 24);
        check!(runtime.aclUpdateDataBuffer(input.buffers[0], input.memory[0], 24));
        check!(model.aclmdlExecute(id, input.set, output.set));
        let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
        let expected = if is_wrong {
            vec![Mistake::Overlap]
        } else {
            vec![]
        };
        assert_eq!(found, expected);
        output.end();
    }
    check!(model.aclmdlUnload(id));
    input.end();
}

#[test]
fn a_model_is_not_unloaded_while_a_run_may_use_it() {
    let _serial = start();
    let (id, input, output) = (load(SUM), Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(model.aclmdlExecuteAsync(id, input.set, output.set, null_mut()));
    check!(model.aclmdlUnload(id));
    let findings = take_findings();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].mistake, Mistake::DestroyedInUse);
    assert_eq!(findings[0].calls[0].1.call, "aclmdlUnload");
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(output.read(0, 6), SUMS);
    input.end();
    output.end();
}

#[test]
fn the_default_stream_and_options_serve_too() {
    let _serial = start();
    let (id, other) = (load(SUM), load(SUM));
    let (input, output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(model.aclmdlExecuteAsync(id, input.set, output.set, null_mut()));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(output.read(0, 6), SUMS);
    check!(
        100000,
        model.aclmdlExecuteV2(999, null(), null_mut(), null_mut(), null())
    );
    assert!(text().contains("handle is NULL"));
    let config = call!(model.aclmdlCreateExecConfigHandle());
    let (limit, wrong) = (1000_i32, -2_i32);
    let set = |attr, value: &i32, size| {
        call!(model.aclmdlSetExecConfigOpt(config, attr, from_ref(value).cast(), size))
    };
    assert_eq!(set(ACL_MDL_STREAM_SYNC_TIMEOUT, &limit, 4), 0);
    assert_eq!(set(ACL_MDL_EVENT_SYNC_TIMEOUT, &limit, 4), 0);
    assert_eq!(set(ACL_MDL_STREAM_SYNC_TIMEOUT, &limit, 8), 100000);
    assert_eq!(set(ACL_MDL_STREAM_SYNC_TIMEOUT, &wrong, 4), 100000);
    assert_eq!(set(ACL_MDL_WORK_SIZET, &limit, 4), 100000);
    let stream = stream();
    for on in [null_mut(), stream] {
        check!(model.aclmdlExecuteV2(other, input.set, output.set, on, config));
        assert_eq!(output.read(0, 6), SUMS);
    }
    check!(stream.aclrtDestroyStream(stream));
    check!(model.aclmdlDestroyExecConfigHandle(config));
    check!(100000, model.aclmdlDestroyExecConfigHandle(null()));
    check!(model.aclmdlUnload(id));
    check!(model.aclmdlUnload(other));
    input.end();
    output.end();
}

#[test]
fn a_wait_of_a_run_can_reach_its_limit() {
    let _serial = start();
    let (id, input, output) = (load(SUM), Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    let config = call!(model.aclmdlCreateExecConfigHandle());
    let limit = 1_i32;
    check!(model.aclmdlSetExecConfigOpt(
        config,
        ACL_MDL_STREAM_SYNC_TIMEOUT,
        from_ref(&limit).cast(),
        4
    ));
    let (stream, other, mut event) = (stream(), stream(), null_mut());
    check!(event.aclrtCreateNotify(&mut event, 0));
    check!(event.aclrtWaitAndResetNotify(event, stream, 0));
    check!(
        507046,
        model.aclmdlExecuteV2(id, input.set, output.set, stream, config)
    );
    check!(event.aclrtRecordNotify(event, other));
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(output.read(0, 6), SUMS);
    check!(event.aclrtDestroyNotify(event));
    check!(stream.aclrtDestroyStream(stream));
    check!(stream.aclrtDestroyStream(other));
    check!(model.aclmdlDestroyExecConfigHandle(config));
    check!(model.aclmdlUnload(id));
    input.end();
    output.end();
}

#[test]
fn checks_come_in_the_order_of_the_sources() {
    let _serial = start();
    let id = load(SUM);
    let (input, output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    let (few, small) = (Set::new(&[&NUMBERS]), Set::new(&[&NUMBERS, &ONES]));
    // Null arguments, then destroyed buffers, then initialisation, then the id.
    check!(100000, model.aclmdlExecute(999, null(), output.set));
    check!(100000, model.aclmdlExecute(999, input.set, null_mut()));
    let gone = call!(runtime.aclCreateDataBuffer(null_mut(), 0));
    let with_gone = call!(model.aclmdlCreateDataset());
    check!(model.aclmdlAddDatasetBuffer(with_gone, gone));
    check!(runtime.aclDestroyDataBuffer(gone));
    check!(100000, model.aclmdlExecute(999, with_gone, output.set));
    check!(runtime.aclFinalize());
    check!(145001, model.aclmdlExecute(999, input.set, output.set));
    check!(runtime.aclInit(null()));
    check!(145003, model.aclmdlExecute(999, few.set, output.set));
    // The number of buffers, then their sizes, then the context.
    check!(500002, model.aclmdlExecute(id, few.set, output.set));
    assert!(text().contains("the data set has 1 buffers, and the model has 2 inputs"));
    check!(500002, model.aclmdlExecute(id, input.set, input.set));
    assert!(text().contains("the model has 1 outputs"));
    let mut other = null_mut();
    check!(context.aclrtCreateContext(&mut other, 0));
    check!(runtime.aclUpdateDataBuffer(small.buffers[0], small.memory[0], 0));
    check!(107004, model.aclmdlExecute(id, input.set, output.set));
    check!(
        107004,
        model.aclmdlExecuteAsync(id, input.set, output.set, null_mut())
    );
    check!(context.aclrtDestroyContext(other));
    check!(device.aclrtSetDevice(0));
    // A refused run has not decided the mode.
    check!(model.aclmdlExecute(id, input.set, output.set));
    check!(
        500002,
        model.aclmdlExecuteAsync(id, few.set, output.set, null_mut())
    );
    assert!(text().contains("the model has run in the other way"));
    check!(model.aclmdlExecute(id, input.set, output.set));
    check!(model.aclmdlDestroyDataset(with_gone));
    check!(model.aclmdlUnload(id));
    check!(145003, model.aclmdlExecute(id, input.set, output.set));
    [input, output, few, small].into_iter().for_each(Set::end);
}

#[test]
fn a_buffer_may_lack_64_bytes_and_the_run_then_leaves_it() {
    let _serial = start();
    let id = load(SUM);
    let (input, output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(runtime.aclUpdateDataBuffer(input.buffers[0], input.memory[0], 0));
    // 0 + 64 is enough for 24 bytes, and the memory behind the buffer is real.
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(0, 6), SUMS);
    // At the end of an allocation it is not.
    let end = input.memory[0].wrapping_byte_add(96);
    check!(runtime.aclUpdateDataBuffer(input.buffers[0], end, 8));
    check!(507001, model.aclmdlExecute(id, input.set, output.set));
    let seen: Vec<_> = take_violations()
        .iter()
        .map(|one| (one.call, one.what))
        .collect();
    assert_eq!(seen, [("aclmdlExecute", What::MemoryOutOfBounds)]);
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
    let _ = take_findings();
}

#[test]
fn host_memory_is_no_operand() {
    let _serial = start();
    let id = load(SUM);
    let (mut input, output) = (Set::new(&[&NUMBERS]), Set::new(&[&ONES]));
    let host = [0_f32; 6];
    input.add(without_provenance_mut(host.as_ptr().addr()), 24);
    let stream = stream();
    check!(model.aclmdlExecuteAsync(id, input.set, output.set, stream));
    check!(507001, stream.aclrtSynchronizeStream(stream));
    assert_eq!(take_violations().len(), 1);
    check!(stream.aclrtDestroyStream(stream));
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
    let _ = take_findings();
}

#[test]
fn a_failure_of_the_engine_is_one_of_the_run() {
    let _serial = start();
    let (id, queued) = (load(FAILING), load(FAILING));
    let (input, output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(507011, model.aclmdlExecute(id, input.set, output.set));
    // A program in C reads the reason in the text of the failed call, and in that of the failed wait.
    let reason = "the newest is aclmdlExecute: model failed: a value is out of its range";
    assert!(text().contains(reason), "{}", text());
    let violation = take_violations().pop().unwrap();
    assert_eq!(
        (violation.what, violation.text.as_str()),
        (What::ModelFailed, "a value is out of its range")
    );
    let stream = stream();
    check!(model.aclmdlExecuteAsync(queued, input.set, output.set, stream));
    check!(507011, stream.aclrtSynchronizeStream(stream));
    assert!(text().contains("model failed: a value is out of its range"));
    assert_eq!(take_violations().len(), 1);
    check!(stream.aclrtDestroyStream(stream));
    check!(model.aclmdlUnload(id));
    check!(model.aclmdlUnload(queued));
    [input, output].into_iter().for_each(Set::end);
}

#[test]
fn an_output_without_memory_is_allocated_by_a_blocking_run_and_freed_by_the_program() {
    let _serial = start();
    let id = load(SUM);
    let (input, mut output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[]));
    output.add(null_mut(), 0);
    // Without a model nobody knows the size.
    check!(100000, model.aclmdlExecute(999, input.set, output.set));
    check!(model.aclmdlExecute(id, input.set, output.set));
    let memory = call!(runtime.aclGetDataBufferAddr(output.buffers[0]));
    assert_eq!(call!(runtime.aclGetDataBufferSizeV2(output.buffers[0])), 24);
    output.memory.push(memory);
    assert_eq!(output.read(0, 6), SUMS);
    [input, output].into_iter().for_each(Set::end);
    check!(model.aclmdlUnload(id));
}

#[test]
fn memory_that_the_program_gave_must_live_as_long_as_the_model() {
    let _serial = start();
    let (bytes, mut id, mut work, mut weights) = (file(SUM), 0, null_mut(), null_mut());
    check!(memory.aclrtMalloc(&mut work, 512, ACL_MEM_MALLOC_HUGE_FIRST));
    check!(memory.aclrtMalloc(&mut weights, 1024, ACL_MEM_MALLOC_HUGE_FIRST));
    check!(model.aclmdlLoadFromMemWithMem(
        bytes.as_ptr().cast(),
        bytes.len(),
        &mut id,
        work,
        512,
        weights,
        1024
    ));
    let (input, output) = (Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(model.aclmdlExecute(id, input.set, output.set));
    check!(memory.aclrtFree(weights));
    let _ = take_findings();
    check!(507001, model.aclmdlExecute(id, input.set, output.set));
    assert!(
        take_findings()
            .iter()
            .any(|found| found.mistake == Mistake::UsedAfterFree)
    );
    let _ = take_violations();
    check!(model.aclmdlUnload(id));
    check!(memory.aclrtFree(work));
    [input, output].into_iter().for_each(Set::end);
}

#[test]
fn the_stream_of_another_context_is_refused() {
    let _serial = start();
    let mut other = null_mut();
    check!(context.aclrtCreateContext(&mut other, 0));
    let foreign = stream();
    check!(device.aclrtSetDevice(0));
    let (id, input, output) = (load(SUM), Set::new(&[&NUMBERS, &ONES]), Set::new(&[&ONES]));
    check!(
        107003,
        model.aclmdlExecuteAsync(id, input.set, output.set, foreign)
    );
    check!(context.aclrtDestroyContext(other));
    check!(device.aclrtSetDevice(0));
    check!(model.aclmdlUnload(id));
    [input, output].into_iter().for_each(Set::end);
}
