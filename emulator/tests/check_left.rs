//! What a program leaves to its end or to a reset: objects of each kind, and messages that nobody receives.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::EXIT_STATUS;
use ascendcl_sys::{
    ACL_MEM_MALLOC_HUGE_FIRST, ACL_MODEL_RI_CAPTURE_MODE_RELAXED, Api, HCCL_DATA_TYPE_INT8,
    HcclComm,
};
use common::programs::*;

const PROGRAMS: [(&str, Program); 3] = [
    ("leaks objects", |api| {
        leaves_objects(api);
        let (mut device, mut comm) = (0, ptr::null_mut());
        // SAFETY: arrays of one device and one communicator.
        let code = unsafe { (api.collective.HcclCommInitAll)(1, &mut device, &mut comm) };
        assert_eq!(code.0, 0);
        // SAFETY: takes no argument.
        assert_eq!(unsafe { (api.runtime.aclFinalize)() }, 0);
    }),
    ("sends to nobody", sends_to_nobody),
    ("leaves a graph to the reset", |api| {
        leaves_objects(api);
        let (mut device, mut comm) = (1, ptr::null_mut());
        // SAFETY: arrays of one device and one communicator.
        let code = unsafe { (api.collective.HcclCommInitAll)(1, &mut device, &mut comm) };
        assert_eq!(code.0, 0);
        // SAFETY: takes a number.
        assert_eq!(unsafe { (api.device.aclrtResetDeviceForce)(1) }, 0);
        // SAFETY: takes a number.
        assert_eq!(unsafe { (api.device.aclrtResetDevice)(0) }, 0);
    }),
];

/// Runs the program of a child process.
#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

/// A program whose first rank sends twice, and whose second rank receives once.
fn sends_to_nobody(api: &Api) {
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);
    let mut comms = [ptr::null_mut(); 2];
    // SAFETY: an array of two communicators, and null for the devices 0 and 1.
    let code =
        unsafe { (api.collective.HcclCommInitAll)(2, [0, 1].as_mut_ptr(), comms.as_mut_ptr()) };
    assert_eq!(code.0, 0);
    let comms = comms.map(|comm: HcclComm| comm.addr());
    let message = |rank: u32| {
        let comm = ptr::without_provenance_mut(comms[rank as usize]);
        // SAFETY: takes a number.
        assert_eq!(unsafe { (api.device.aclrtSetDevice)(rank as i32) }, 0);
        let (mut memory, mut stream) = (ptr::null_mut(), ptr::null_mut());
        let policy = ACL_MEM_MALLOC_HUGE_FIRST;
        // SAFETY: valid for a write.
        let code = unsafe { (api.memory.aclrtMalloc)(&mut memory, 64, policy) };
        assert_eq!(code, 0);
        // SAFETY: valid for a write.
        assert_eq!(unsafe { (api.stream.aclrtCreateStream)(&mut stream) }, 0);
        let kind = HCCL_DATA_TYPE_INT8;
        let move_once = || {
            let code = if rank == 0 {
                // SAFETY: 64 bytes of the device, and handles of the rank.
                unsafe { (api.collective.HcclSend)(memory, 64, kind, 1, comm, stream) }
            } else {
                // SAFETY: 64 bytes of the device, and handles of the rank.
                unsafe { (api.collective.HcclRecv)(memory, 64, kind, 0, comm, stream) }
            };
            assert_eq!(code.0, 0);
        };
        // SAFETY: 64 bytes of the device.
        let code = unsafe { (api.memory.aclrtMemset)(memory, 64, 1, 64) };
        assert_eq!(code, 0);
        move_once();
        // SAFETY: a stream.
        assert_eq!(unsafe { (api.stream.aclrtSynchronizeStream)(stream) }, 0);
        if rank == 0 {
            move_once();
        }
    };
    std::thread::scope(|threads| {
        for rank in 0..2 {
            let message = &message;
            threads.spawn(move || message(rank));
        }
    });
}

/// Makes one object of each kind that is no memory and no stream.
fn leaves_objects(api: &Api) {
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);
    let mut made = [ptr::null_mut(); 3];
    let [stream, label, notify] = &mut made;
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (api.stream.aclrtCreateStream)(stream) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (api.stream.aclrtCreateLabel)(label) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (api.event.aclrtCreateNotify)(notify, 0) }, 0);
    let mut list = ptr::null_mut();
    // SAFETY: an array of one label.
    let code = unsafe { (api.stream.aclrtCreateLabelList)(label, 1, &mut list) };
    assert_eq!(code, 0);
    // SAFETY: the address is not followed.
    let buffer = unsafe { (api.runtime.aclCreateDataBuffer)(ptr::null_mut(), 0) };
    assert!(!buffer.is_null());
    // SAFETY: no preconditions.
    assert!(!unsafe { (api.model.aclmdlCreateDataset)() }.is_null());
    let (mode, mut graph) = (ACL_MODEL_RI_CAPTURE_MODE_RELAXED, ptr::null_mut());
    // SAFETY: a stream.
    let code = unsafe { (api.graph.aclmdlRICaptureBegin)(*stream, mode) };
    assert_eq!(code, 0);
    // SAFETY: the same stream, and valid for a write.
    let code = unsafe { (api.graph.aclmdlRICaptureEnd)(*stream, &mut graph) };
    assert_eq!(code, 0);
    // SAFETY: the stream is not used again.
    assert_eq!(unsafe { (api.stream.aclrtDestroyStream)(*stream) }, 0);
}

#[test]
fn objects_that_are_left_have_their_names() {
    let output = run("leaks objects", &[("ASCENDCL_EMULATOR_CHECK", "leaks")]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{text}");
    for (kind, call) in [
        ("label", "aclrtCreateLabel"),
        ("list of labels", "aclrtCreateLabelList"),
        ("notify", "aclrtCreateNotify"),
        ("aclDataBuffer", "aclCreateDataBuffer"),
        ("aclmdlDataset", "aclmdlCreateDataset"),
        ("model instance", "aclmdlRICaptureBegin"),
        ("communicator", "HcclCommInitAll"),
    ] {
        let left = text
            .lines()
            .any(|line| line.contains(&format!("  {kind} 0x")) && line.contains("was never"));
        assert!(left, "{kind}: {text}");
        let created = format!("created: {call}, call ");
        assert!(text.contains(&created), "{created}: {text}");
    }
    // The device is left as well.
    assert!(text.contains("ascendcl-emulator: 8 findings"), "{text}");
}

#[test]
fn a_message_that_nobody_receives_is_found_at_the_end() {
    let variables = [
        ("ASCENDCL_EMULATOR_CHECK", "1"),
        ("ASCENDCL_EMULATOR_DEVICES", "2"),
    ];
    let output = run("sends to nobody", &variables);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{text}");
    for part in [
        "[rank-missing]",
        "the process ends, and rank 1 has not made the other part of HcclSend",
        "used: HcclSend, call 7 of thread",
        "ascendcl-emulator: 1 finding\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn a_graph_that_is_left_to_the_reset_is_found() {
    let variables = [("ASCENDCL_EMULATOR_CHECK", "left-to-reset")];
    let output = run("leaves a graph to the reset", &variables);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{text}");
    assert!(text.contains("  model instance 0x"), "{text}");
    // Communicators end with their device.
    assert!(text.contains("  communicator 0x"), "{text}");
    assert!(
        text.contains("was never destroyed, and ends with aclrtResetDevice"),
        "{text}"
    );
}
