//! Labels: positions in a bound stream to which a run jumps.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("labels");

fn label() -> aclrtLabel {
    let mut label = ptr::null_mut();
    check!(stream.aclrtCreateLabel(&mut label));
    label
}

fn list<const N: usize>(mut labels: [aclrtLabel; N]) -> aclrtLabelList {
    let mut list = ptr::null_mut();
    check!(stream.aclrtCreateLabelList(labels.as_mut_ptr(), N, &mut list));
    list
}

/// Returns a persistent stream that is bound to a new instance.
fn bound() -> (aclrtStream, aclmdlRI) {
    let (mut s, mut instance) = (ptr::null_mut(), ptr::null_mut());
    check!(stream.aclrtCreateStreamWithConfig(&mut s, 0, ACL_STREAM_PERSISTENT));
    check!(graph.aclmdlRIBuildBegin(&mut instance, 0));
    let head = ACL_MODEL_STREAM_FLAG_HEAD;
    check!(graph.aclmdlRIBindStream(instance, s, head));
    (s, instance)
}

/// Fills one byte.
fn fill(memory: *mut c_void, at: usize, s: aclrtStream) {
    check!(memory.aclrtMemsetAsync(memory.wrapping_byte_add(at), 1, 1, 1, s));
}

#[test]
fn a_run_leaves_out_what_stands_before_the_chosen_label() {
    let _serial = start();
    let ((s, instance), memory, index) = (bound(), malloc(8), malloc(4));
    let labels = [label(), label(), label()];
    let list = list(labels);
    fill(memory, 0, s);
    check!(stream.aclrtSwitchLabelByIndex(index, 3, list, s));
    fill(memory, 1, s);
    check!(stream.aclrtSetLabel(labels[0], s));
    fill(memory, 2, s);
    check!(stream.aclrtSetLabel(labels[1], s));
    fill(memory, 3, s);
    // The order of the list counts, not the order of the positions.
    check!(stream.aclrtSetLabel(labels[2], s));
    fill(memory, 4, s);
    check!(graph.aclmdlRIEndTask(instance, s));
    check!(graph.aclmdlRIBuildEnd(instance, ptr::null_mut()));
    let runs = stream();
    for (chosen, filled) in [
        (0u32, [1, 0, 1, 1, 1]),
        (1, [1, 0, 0, 1, 1]),
        (2, [1, 0, 0, 0, 1]),
        // A number that is too large selects the last label.
        (9, [1, 0, 0, 0, 1]),
        (0, [1, 0, 1, 1, 1]),
    ] {
        upload(memory, &[0; 8]);
        upload(index, &chosen.to_le_bytes());
        check!(graph.aclmdlRIExecuteAsync(instance, runs));
        check!(stream.aclrtSynchronizeStream(runs));
        assert_eq!(download(memory, 5), filled, "{chosen}");
    }
    check!(graph.aclmdlRIUnbindStream(instance, s));
    check!(graph.aclmdlRIDestroy(instance));
    check!(stream.aclrtDestroyLabelList(list));
    for label in labels {
        check!(stream.aclrtDestroyLabel(label));
    }
    check!(107017, stream.aclrtDestroyLabel(labels[0]));
    check!(107017, stream.aclrtDestroyLabelList(list));
}

#[test]
fn a_jump_that_is_not_modelled_ends_the_building() {
    let _serial = start();
    // A backward jump, and a jump to a label that is not set.
    for is_set in [true, false] {
        let ((s, instance), index, one) = (bound(), malloc(4), label());
        let list = list([one]);
        if is_set {
            check!(stream.aclrtSetLabel(one, s));
        }
        check!(stream.aclrtSwitchLabelByIndex(index, 1, list, s));
        check!(graph.aclmdlRIEndTask(instance, s));
        check!(207000, graph.aclmdlRIBuildEnd(instance, ptr::null_mut()));
        check!(graph.aclmdlRIUnbindStream(instance, s));
        check!(graph.aclmdlRIDestroy(instance));
        check!(stream.aclrtDestroyLabelList(list));
        check!(stream.aclrtDestroyLabel(one));
    }
}

#[test]
fn labels_are_used_in_their_order() {
    let _serial = start();
    let ((s, instance), usual, index, none) = (bound(), stream(), malloc(4), ptr::null_mut());
    let (one, other) = (label(), label());
    let mut made = ptr::null_mut();
    check!(100000, stream.aclrtCreateLabel(ptr::null_mut()));
    check!(100000, stream.aclrtDestroyLabel(none));
    check!(100000, stream.aclrtDestroyLabelList(none));
    check!(100000, stream.aclrtSetLabel(none, s));
    check!(100000, stream.aclrtSetLabel(one, none));
    check!(
        100000,
        stream.aclrtCreateLabelList(ptr::null_mut(), 1, &mut made)
    );
    check!(
        107000,
        stream.aclrtCreateLabelList([one].as_mut_ptr(), 0, &mut made)
    );
    // A label cannot be set before its list exists, and not twice.
    check!(507000, stream.aclrtSetLabel(one, s));
    let list = list([one]);
    check!(
        507000,
        stream.aclrtCreateLabelList([other, one].as_mut_ptr(), 2, &mut made)
    );
    // Refused calls do not use a label.
    let second = self::list([other]);
    check!(107005, stream.aclrtSetLabel(one, usual));
    check!(stream.aclrtSetLabel(one, s));
    check!(507000, stream.aclrtSetLabel(one, s));
    check!(100000, stream.aclrtSwitchLabelByIndex(none, 1, list, s));
    check!(100000, stream.aclrtSwitchLabelByIndex(index, 1, none, s));
    check!(100000, stream.aclrtSwitchLabelByIndex(index, 1, list, none));
    check!(107000, stream.aclrtSwitchLabelByIndex(index, 2, list, s));
    check!(
        107005,
        stream.aclrtSwitchLabelByIndex(index, 1, list, usual)
    );
    let mut here = 0u32;
    let host = ptr::from_mut(&mut here).cast();
    check!(107000, stream.aclrtSwitchLabelByIndex(host, 1, list, s));
    check!(stream.aclrtDestroyLabelList(list));
    check!(107017, stream.aclrtSwitchLabelByIndex(index, 1, list, s));
    check!(stream.aclrtDestroyLabelList(second));
    for label in [one, other] {
        check!(stream.aclrtDestroyLabel(label));
    }
    check!(graph.aclmdlRIUnbindStream(instance, s));
    check!(graph.aclmdlRIDestroy(instance));
}
