//! The refusals of conditional tasks and of their branches.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::live;
use ascendcl_sys::*;
use common::capture::end;
use common::condition::*;
use common::*;

passes_while_watched!("condition_refusals");

/// Ends a capture with a mistake, which must fail with this code.
fn end_fails(code: aclError, stream: aclrtStream) {
    let mut instance = ptr::dangling_mut();
    check!(code, graph.aclmdlRICaptureEnd(stream, &mut instance));
    assert_eq!(instance, ptr::null_mut());
    assert_eq!(captured(stream), ptr::null_mut());
}

#[test]
fn a_condition_is_made_while_its_instance_is_captured() {
    let _serial = start();
    let (s, null) = (stream(), ptr::null_mut());
    let mut handle = null;
    let root = begin(s);
    check!(
        100000,
        graph.aclmdlRICondHandleCreate(null, 0, OWN, &mut handle)
    );
    check!(
        100000,
        graph.aclmdlRICondHandleCreate(root, 0, OWN, ptr::null_mut())
    );
    let unknown = aclmdlRICondHandleFlag(2);
    check!(
        107000,
        graph.aclmdlRICondHandleCreate(root, 0, unknown, &mut handle)
    );
    let handle = condition(root, 0, OWN);
    assert_ne!(condition(root, 0, OWN), handle);
    check!(
        100000,
        graph.aclmdlRICondHandleGetCondPtr(handle, ptr::null_mut())
    );
    let mut value = ptr::null_mut();
    check!(100000, graph.aclmdlRICondHandleGetCondPtr(null, &mut value));
    let [branch] = conditional(handle, IF, s);
    let mut other = null;
    check!(
        107000,
        graph.aclmdlRICondHandleCreate(branch, 0, OWN, &mut other)
    );
    fork(branch, stream(), || {});
    check!(
        107000,
        graph.aclmdlRICondHandleCreate(branch, 0, OWN, &mut other)
    );
    end(s);
    check!(
        107000,
        graph.aclmdlRICondHandleCreate(root, 0, OWN, &mut other)
    );
    assert!(text().contains("not being captured"));
    let mut built = null;
    check!(graph.aclmdlRIBuildBegin(&mut built, 0));
    check!(
        207000,
        graph.aclmdlRICondHandleCreate(built, 0, OWN, &mut other)
    );
    check!(graph.aclmdlRIDestroy(built));
    check!(graph.aclmdlRIDestroy(root));
    check!(
        107017,
        graph.aclmdlRICondHandleGetCondPtr(handle, &mut value)
    );
    assert!(text().contains("destroyed"));
    check!(
        107017,
        graph.aclmdlRICondHandleCreate(root, 0, OWN, &mut other)
    );
}

#[test]
fn a_conditional_task_says_what_is_wrong_with_it() {
    let _serial = start();
    let (s, other, null) = (stream(), stream(), ptr::null_mut());
    let root = begin(s);
    let handle = condition(root, 0, OWN);
    let mut branches = vec![ptr::null_mut(); 4097];
    let params = aclmdlRICondTaskParams {
        handle,
        type_: IF,
        size: 1,
        modelRIArray: branches.as_mut_ptr(),
    };
    let with = |change: fn(&mut aclmdlRICondTaskParams)| {
        let mut params = params;
        change(&mut params);
        params
    };
    check!(100000, graph.aclmdlRIAddCondTask(params, null, 0));
    check!(107000, graph.aclmdlRIAddCondTask(params, s, 1));
    let wrong: [fn(&mut aclmdlRICondTaskParams); 8] = [
        |params| params.type_ = aclmdlRICondTaskType(3),
        |params| params.size = 0,
        |params| params.handle = ptr::null_mut(),
        |params| params.modelRIArray = ptr::null_mut(),
        |params| params.size = 3,
        |params| (params.type_, params.size) = (WHILE, 2),
        |params| (params.type_, params.size) = (SWITCH, 4097),
        |params| (params.type_, params.size) = (SWITCH, u32::MAX),
    ];
    for change in wrong {
        check!(107000, graph.aclmdlRIAddCondTask(with(change), s, 0));
    }
    assert!(text().contains("4096"), "{}", text());
    check!(
        107017,
        graph.aclmdlRIAddCondTask(with(|params| params.handle = ptr::dangling_mut()), s, 0)
    );
    check!(107029, graph.aclmdlRIAddCondTask(params, other, 0));
    let root_of_other = begin(other);
    check!(107000, graph.aclmdlRIAddCondTask(params, other, 0));
    assert!(text().contains("belongs to"), "{}", text());
    assert_eq!(branches, vec![null; 4097]);
    // The refused calls did not use the condition.
    let [branch] = conditional(handle, IF, s);
    check!(107000, graph.aclmdlRIAddCondTask(params, s, 0));
    assert!(text().contains("already"), "{}", text());
    fork(branch, stream(), || {});
    assert_eq!((end(s), end(other)), (root, root_of_other));
    let unused = condition(begin(s), 0, OWN);
    end(s);
    let late = aclmdlRICondTaskParams {
        handle: unused,
        ..params
    };
    check!(107029, graph.aclmdlRIAddCondTask(late, s, 0));
    // A task group takes operators only.
    let grouped = aclmdlRICondTaskParams {
        handle: condition(begin(s), 0, OWN),
        ..params
    };
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(507009, graph.aclmdlRIAddCondTask(grouped, s, 0));
    let mut lost = ptr::null_mut();
    check!(507903, graph.aclmdlRICaptureEnd(s, &mut lost));
}

#[test]
fn a_branch_is_captured_once_and_runs_and_ends_with_its_root() {
    let _serial = start();
    let (s, inner, other) = (stream(), stream(), stream());
    let root = begin(s);
    let handle = condition(root, 1, DEFAULT);
    let [one, two] = conditional(handle, IF, s);
    let begins =
        |stream, instance| call!(graph.aclmdlRICaptureToModelRIBegin(stream, instance, RELAXED));
    assert_eq!(begins(ptr::null_mut(), one), 100000);
    assert_eq!(begins(inner, ptr::null_mut()), 100000);
    assert_eq!(begins(inner, root), 107000);
    assert!(text().contains("no branch"), "{}", text());
    let wrong = aclmdlRICaptureMode(3);
    check!(
        107000,
        graph.aclmdlRICaptureToModelRIBegin(inner, one, wrong)
    );
    assert_eq!(begins(s, one), 107027, "{}", text());
    // The branch is empty, is being captured, or is complete.
    for step in 0..3 {
        check!(207000, graph.aclmdlRIExecuteAsync(one, other));
        check!(207000, graph.aclmdlRIExecute(one, -1));
        assert!(text().contains("run that one"), "{}", text());
        check!(207000, graph.aclmdlRIDestroy(one));
        assert!(text().contains("destroy that one"), "{}", text());
        match step {
            0 => assert_eq!(begins(inner, one), 0),
            1 => {
                assert_eq!(begins(other, one), 107000);
                assert_eq!(end(inner), one);
            }
            _ => assert_eq!(begins(other, one), 107000),
        }
    }
    fork(two, inner, || {});
    assert_eq!(end(s), root);
    run(root, s);
    check!(207000, graph.aclmdlRIDestroy(one));
    check!(graph.aclmdlRIDestroy(root));
    check!(107017, graph.aclmdlRIDestroy(one));
    assert_eq!(begins(inner, two), 107017);
}

#[test]
fn a_capture_ends_when_all_of_its_branches_have() {
    let _serial = start();
    let (s, inner, other) = (stream(), stream(), stream());
    // The capture of the branch was not begun, or was begun.
    for begun in [false, true] {
        let handle = condition(begin(s), 1, DEFAULT);
        let [one, two] = conditional(handle, IF, s);
        fork(one, inner, || {});
        if begun {
            check!(graph.aclmdlRICaptureToModelRIBegin(inner, two, RELAXED));
        }
        end_fails(107046, s);
        assert!(text().contains("branch"), "{}", text());
        // Everything ended with the capture.
        assert_eq!(captured(inner), ptr::null_mut());
        check!(
            107017,
            graph.aclmdlRICaptureToModelRIBegin(inner, two, RELAXED)
        );
        assert_eq!(live().device_blocks, 0, "{begun}");
    }
    // A branch whose capture fails can be captured again; its old tasks are dropped.
    let (memory, event) = (zeroed(), event_ex(ACL_EVENT_SYNC));
    let root = begin(s);
    let [branch] = conditional(condition(root, 1, DEFAULT), IF, s);
    check!(graph.aclmdlRICaptureToModelRIBegin(inner, branch, RELAXED));
    let [lost] = conditional(condition(branch, 1, DEFAULT), IF, inner);
    end_fails(107046, inner);
    check!(107017, graph.aclmdlRIExecuteAsync(lost, inner));
    check!(graph.aclmdlRICaptureToModelRIBegin(inner, branch, RELAXED));
    fill(memory, 1, inner);
    check!(event.aclrtRecordEvent(event, inner));
    check!(event.aclrtStreamWaitEvent(other, event));
    end_fails(107025, inner);
    assert_eq!(live().device_blocks, 2, "the condition and the memory");
    fork(branch, inner, || {
        check!(memory.aclrtMemsetAsync(memory, 64, 2, 1, inner));
    });
    assert_eq!(end(s), root);
    run(root, s);
    assert_eq!(download(memory, 2), [2, 0]);
    check!(graph.aclmdlRIDestroy(root));
    assert_eq!(live().device_blocks, 1);
    check!(event.aclrtDestroyEvent(event));
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

#[test]
fn a_branch_takes_no_part_of_the_program() {
    let _serial = start();
    let (s, inner) = (stream(), stream());
    let external = event_with(ACL_EVENT_EXTERNAL);
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, 0));
    let root = begin(s);
    let [branch] = conditional(condition(root, 1, DEFAULT), IF, s);
    fork(branch, inner, || {
        let null = ptr::null_mut();
        check!(
            207000,
            callback.aclrtLaunchHostFunc(inner, Some(nothing), null)
        );
        assert!(text().contains("beside the conditional task"), "{}", text());
        check!(207000, event.aclrtRecordEvent(external, inner));
        check!(207000, event.aclrtStreamWaitEvent(inner, external));
        check!(207000, event.aclrtResetEvent(external, inner));
        check!(207000, event.aclrtRecordNotify(notify, inner));
        check!(207000, event.aclrtWaitAndResetNotify(notify, inner, 0));
    });
    check!(callback.aclrtLaunchHostFunc(s, Some(nothing), ptr::null_mut()));
    assert_eq!(end(s), root);
    run(root, s);
    check!(graph.aclmdlRIDestroy(root));
    check!(event.aclrtDestroyNotify(notify));
    check!(event.aclrtDestroyEvent(external));
}
