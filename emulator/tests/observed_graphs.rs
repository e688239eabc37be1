//! Graphs as the production runtime answers: return codes and values that its documents do not have or that differ.

#[macro_use]
mod common;

use std::ffi::{c_char, c_void};
use std::ptr;

use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::capture::{begin, end, fill};
use common::operator::multiply;
use common::*;

passes_while_watched!("observed_graphs");

const MODES: [aclmdlRICaptureMode; 3] = [
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
    RELAXED,
];
const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

unsafe extern "C" fn count(calls: *mut c_void) {
    // SAFETY: each test passes a pointer to a number that outlives the calls.
    let calls = unsafe { &mut *calls.cast::<u32>() };
    *calls += 1;
}

#[test]
fn only_a_graph_that_was_built_by_hand_is_executed_with_a_timeout() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    begin(s, RELAXED);
    assert_eq!(fill(memory, 7, s), 0);
    let captured = end(s);
    for timeout in [-1, 0, -2, 1000] {
        check!(107000, graph.aclmdlRIExecute(captured, timeout));
    }
    check!(107000, graph.aclmdlRIExecute(captured, 1000));
    assert!(text().contains("ACL Graph mode is not supported"));
    check!(100000, graph.aclmdlRIExecute(ptr::null_mut(), -1));
    for stream in [s, ptr::null_mut()] {
        check!(graph.aclmdlRIExecuteAsync(captured, stream));
        check!(stream.aclrtSynchronizeStream(stream));
    }
    check!(graph.aclmdlRIAbort(captured));
    check!(graph.aclmdlRIDestroy(captured));
    let (mut bound, mut built) = (ptr::null_mut(), ptr::null_mut());
    check!(stream.aclrtCreateStreamWithConfig(&mut bound, 0, ACL_STREAM_PERSISTENT));
    check!(graph.aclmdlRIBuildBegin(&mut built, 0));
    check!(graph.aclmdlRIBindStream(built, bound, 0));
    assert_eq!(fill(memory, 9, bound), 0);
    check!(graph.aclmdlRIEndTask(built, bound));
    check!(graph.aclmdlRIBuildEnd(built, ptr::null_mut()));
    for timeout in [-1, 1000] {
        check!(graph.aclmdlRIExecute(built, timeout));
    }
    assert_eq!(download(memory, 1), [9]);
    check!(graph.aclmdlRIAbort(built));
    check!(graph.aclmdlRIUnbindStream(built, bound));
    check!(graph.aclmdlRIDestroy(built));
}

#[test]
fn the_default_stream_works_while_another_one_is_captured() {
    let _serial = start();
    let (s, memory, host) = (stream(), malloc(64), malloc_host(64));
    let (event, null) = (event_ex(ACL_EVENT_SYNC), ptr::null_mut());
    let mut calls = 0_u32;
    for mode in MODES {
        begin(s, mode);
        assert_eq!(fill(memory, 1, null), 0);
        check!(memory.aclrtMemcpyAsync(memory, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, null));
        assert_eq!(copy_async(memory, memory, 64, null), 0);
        let data = ptr::from_mut(&mut calls).cast();
        check!(callback.aclrtLaunchHostFunc(null, Some(count), data));
        check!(memory.aclrtValueWrite(memory, 1, 0, null));
        check!(event.aclrtRecordEvent(event, null));
        check!(event.aclrtStreamWaitEvent(null, event));
        check!(stream.aclrtSynchronizeStream(null));
        check!(graph.aclmdlRIDestroy(end(s)));
    }
    assert_eq!((calls, download(memory, 1)), (3, vec![1]));
    check!(event.aclrtDestroyEvent(event));
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn a_task_group_takes_neither_events_nor_copies() {
    let _serial = start();
    let (s, memory, event) = (stream(), malloc(64), event_ex(ACL_EVENT_SYNC));
    let submit: [(&str, &dyn Fn() -> aclError); 4] = [
        ("record", &|| call!(event.aclrtRecordEvent(event, s))),
        ("fill", &|| fill(memory, 0, s)),
        ("copy", &|| copy_async(memory, memory, 64, s)),
        ("number", &|| call!(memory.aclrtValueWrite(memory, 1, 0, s))),
    ];
    for (what, submit) in submit {
        let (mut group, mut instance) = (ptr::null_mut(), ptr::null_mut());
        begin(s, RELAXED);
        check!(graph.aclmdlRICaptureTaskGrpBegin(s));
        assert_eq!(submit(), 507009, "{what}");
        // The group stays broken, also for an operator.
        assert_eq!(multiply(memory, memory, memory, s), 507009, "{what}");
        check!(507009, graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
        check!(507903, graph.aclmdlRICaptureEnd(s, &mut instance));
        assert!(instance.is_null() && group.is_null(), "{what}");
        // The runtime crashes in a copy and in a fill.
        let crashes: Vec<_> = take_violations()
            .into_iter()
            .map(|found| found.what)
            .collect();
        let expected = if ["fill", "copy"].contains(&what) {
            vec![What::RuntimeCrash]
        } else {
            vec![]
        };
        assert_eq!(crashes, expected, "{what}");
    }
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn arguments_of_graphs_have_the_codes_of_the_layer_that_checks_them() {
    let _serial = start();
    let (s, other, null) = (stream(), stream(), ptr::null_mut());
    let mut instance = null;
    // The capture comes before the place for its graph.
    check!(107029, graph.aclmdlRICaptureEnd(s, ptr::null_mut()));
    begin(s, RELAXED);
    check!(107000, graph.aclmdlRICaptureEnd(s, ptr::null_mut()));
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    let (mut streams, mut number) = ([null; 2], 2);
    check!(
        107000,
        graph.aclmdlRIGetStreams(instance, streams.as_mut_ptr(), ptr::null_mut())
    );
    check!(
        107000,
        graph.aclmdlRIGetStreams(null, streams.as_mut_ptr(), &mut number)
    );
    check!(graph.aclmdlRIGetStreams(instance, streams.as_mut_ptr(), &mut number));
    assert_eq!(number, 1);
    for foreign in [null, s, other] {
        number = 32;
        check!(
            107000,
            graph.aclmdlRIGetTasksByStream(foreign, ptr::null_mut(), &mut number)
        );
        assert_eq!(number, 32);
    }
    let [own, _] = streams;
    check!(
        107000,
        graph.aclmdlRIGetTasksByStream(own, ptr::null_mut(), ptr::null_mut())
    );
    check!(107000, graph.aclmdlRIAbort(null));
    check!(107000, graph.aclmdlRIUpdate(null));
    check!(207000, graph.aclmdlRIUpdate(instance));
    // A path is not checked, except for its length.
    let print = |of, path: *const c_char| call!(graph.aclmdlRIDebugJsonPrint(of, path, 2));
    assert_eq!(print(instance, c"/nonexistent/graph.json".as_ptr()), 0);
    assert_eq!(print(instance, c"".as_ptr()), 107000);
    assert_eq!(print(instance, ptr::null()), 100000);
    assert_eq!(print(null, c"graph.json".as_ptr()), 100000);
    check!(100000, graph.aclmdlRIDebugPrint(null));
    check!(graph.aclmdlRIDebugPrint(instance));
    // NULL is the default stream, which is never bound.
    let mut built = null;
    check!(graph.aclmdlRIBuildBegin(&mut built, 0));
    check!(207000, graph.aclmdlRIBindStream(built, null, 0));
    check!(507000, graph.aclmdlRIEndTask(built, null));
    check!(107005, graph.aclmdlRIUnbindStream(built, null));
    check!(100000, stream.aclrtActiveStream(s, null));
    check!(graph.aclmdlRIDestroy(built));
    check!(graph.aclmdlRIDestroy(instance));
    let unbound = || call!(graph.aclmdlRICaptureThreadExchangeMode(&mut RELAXED.clone()));
    assert_eq!(std::thread::spawn(unbound).join().ok(), Some(107002));
}

#[test]
fn tasks_of_a_graph_have_numbers_and_no_parameters() {
    let _serial = start();
    let (s, memory, null) = (stream(), malloc(64), ptr::null_mut());
    begin(s, RELAXED);
    for _ in 0..2 {
        assert_eq!(fill(memory, 1, s), 0);
    }
    let instance = end(s);
    let (mut own, mut tasks, mut number) = (null, [null; 2], 1);
    check!(graph.aclmdlRIGetStreams(instance, &mut own, &mut number));
    number = 2;
    check!(graph.aclmdlRIGetTasksByStream(own, tasks.as_mut_ptr(), &mut number));
    // SAFETY: all fields are numbers and pointers, which may be 0.
    let mut params: aclmdlRITaskParams = unsafe { std::mem::zeroed() };
    let (mut id, mut kind) = (99, aclmdlRITaskType(9));
    // SAFETY: all fields are numbers.
    let mut value: aclrtLaunchKernelAttrValue = unsafe { std::mem::zeroed() };
    let attribute = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
    for (place, task) in tasks.into_iter().enumerate() {
        check!(graph.aclmdlRITaskGetSeqId(task, &mut id));
        assert_eq!(id as usize, place);
        check!(207000, graph.aclmdlRITaskGetParams(task, &mut params));
        check!(207000, graph.aclmdlRITaskSetParams(task, &mut params));
        check!(207000, graph.aclmdlRITaskDisable(task));
        check!(
            107000,
            graph.aclmdlRIKernelTaskGetAttribute(task, attribute, &mut value)
        );
        check!(107000, graph.aclmdlRITaskGetSeqId(task, ptr::null_mut()));
        check!(107000, graph.aclmdlRITaskGetType(task, ptr::null_mut()));
        check!(107000, graph.aclmdlRITaskGetParams(task, ptr::null_mut()));
        check!(107000, graph.aclmdlRITaskSetParams(task, ptr::null_mut()));
    }
    check!(107000, graph.aclmdlRITaskGetSeqId(null, &mut id));
    check!(107000, graph.aclmdlRITaskGetType(null, &mut kind));
    check!(107000, graph.aclmdlRITaskGetParams(null, &mut params));
    check!(107000, graph.aclmdlRITaskSetParams(null, &mut params));
    check!(107000, graph.aclmdlRITaskDisable(null));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn the_program_learns_of_the_end_of_a_graph() {
    let _serial = start();
    let (s, null, mut calls) = (stream(), ptr::null_mut(), 0_u32);
    begin(s, RELAXED);
    let instance = end(s);
    let data = ptr::from_mut(&mut calls).cast();
    let add = |of, function| call!(graph.aclmdlRIDestroyRegisterCallback(of, function, data));
    let remove = |of, function| call!(graph.aclmdlRIDestroyUnregisterCallback(of, function));
    assert_eq!(
        (add(instance, None), add(null, Some(count))),
        (107000, 107000)
    );
    assert_eq!(remove(instance, Some(count)), 107000);
    assert_eq!(
        (add(instance, Some(count)), add(instance, Some(count))),
        (0, 107000)
    );
    assert_eq!(
        (remove(instance, None), remove(null, Some(count))),
        (107000, 107000)
    );
    assert_eq!(
        (remove(instance, Some(count)), remove(instance, Some(count))),
        (0, 107000)
    );
    assert_eq!(add(instance, Some(count)), 0);
    check!(graph.aclmdlRIDestroy(instance));
    assert_eq!(calls, 1);
}

#[test]
fn a_callback_that_does_not_block_is_captured() {
    let _serial = start();
    let (s, mut calls) = (stream(), 0_u32);
    let data: *mut c_void = ptr::from_mut(&mut calls).cast();
    // SAFETY: no preconditions.
    let own = unsafe { libc::pthread_self() };
    check!(callback.aclrtSubscribeReport(own, s));
    begin(s, RELAXED);
    check!(callback.aclrtLaunchCallback(Some(count), data, ACL_CALLBACK_NO_BLOCK, s));
    // The runtime crashes in this call.
    check!(
        207000,
        callback.aclrtLaunchCallback(Some(count), data, ACL_CALLBACK_BLOCK, s)
    );
    let crashes = take_violations();
    assert!(crashes.iter().all(|found| found.what == What::RuntimeCrash) && crashes.len() == 1);
    let instance = end(s);
    for _ in 0..2 {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(callback.aclrtProcessReport(-1));
        check!(stream.aclrtSynchronizeStream(s));
    }
    assert_eq!(calls, 2);
    check!(callback.aclrtUnSubscribeReport(own, s));
    check!(graph.aclmdlRIDestroy(instance));
}
