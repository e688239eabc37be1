//! The codes of both phases, and the order of the checks.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::{null, null_mut, without_provenance_mut};

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

#[test]
fn a_first_phase_looks_for_null_then_handles_then_types_then_shapes_then_memory() {
    let _serial = start_checked();
    let (t, two) = (room(ACL_FLOAT, &[4]).handle, room(ACL_FLOAT, &[2]).handle);
    let (ints, truth) = (room(ACL_INT32, &[4]).handle, room(ACL_BOOL, &[4]).handle);
    let gone = room(ACL_FLOAT, &[4]).handle;
    check!(op.aclDestroyTensor(gone));
    let alpha = scalar(ACL_FLOAT, 1.0);
    let (mut size, mut executor) = (0, null_mut());

    // The pointers for the results are checked before the operands.
    check!(
        161001,
        op.aclnnAddGetWorkspaceSize(null(), gone, alpha, two, null_mut(), &mut executor)
    );
    assert!(text().contains("workspaceSize is null"));
    check!(
        161001,
        op.aclnnAddGetWorkspaceSize(null(), gone, alpha, two, &mut size, null_mut())
    );
    assert!(text().contains("executor is null"));
    // Null parameters are checked before handles.
    refuses!(
        161001,
        "self is null",
        aclnnAddGetWorkspaceSize(null(), gone, null(), two)
    );
    refuses!(
        161001,
        "alpha is null",
        aclnnAddGetWorkspaceSize(gone, gone, null(), two)
    );
    refuses!(
        161001,
        "out is null",
        aclnnAddGetWorkspaceSize(gone, gone, alpha, null_mut())
    );
    // Handles are checked before data types, in the order of the parameters.
    refuses!(
        161002,
        "self, 0x",
        aclnnAddGetWorkspaceSize(gone, truth, alpha, ints)
    );
    refuses!(
        161002,
        "is not a tensor",
        aclnnAddGetWorkspaceSize(alpha.cast(), truth, alpha, ints)
    );
    refuses!(
        161002,
        "is not a scalar",
        aclnnAddGetWorkspaceSize(truth, truth, t.cast(), ints)
    );
    // Data types are checked before shapes, that of the result before that of the scalar.
    refuses!(
        161002,
        "self ACL_FLOAT, other ACL_FLOAT, out ACL_INT32",
        aclnnAddGetWorkspaceSize(t, two, alpha, ints)
    );
    refuses!(
        161002,
        "alpha of ACL_FLOAT cannot be converted to ACL_INT32",
        aclnnAddGetWorkspaceSize(ints, ints, alpha, two)
    );
    refuses!(
        161002,
        "self [4] and other [2] do not give out [4]",
        aclnnAddGetWorkspaceSize(t, two, alpha, t)
    );
    // Memory is checked last.
    let at = |address: *mut c_void, shape: i64| {
        let shape = [shape];
        call!(op.aclCreateTensor(
            shape.as_ptr(),
            1,
            ACL_FLOAT,
            null(),
            0,
            ACL_FORMAT_ND,
            shape.as_ptr(),
            1,
            address
        ))
    };
    let (nowhere, empty) = (at(null_mut(), 4), at(null_mut(), 0));
    refuses!(
        161002,
        "do not give out [2]",
        aclnnAddGetWorkspaceSize(nowhere, t, alpha, two)
    );
    // Memory of a tensor without elements is not checked.
    assert_eq!(
        run!(
            aclnnAdd,
            aclnnAddGetWorkspaceSize(empty, empty, alpha, empty)
        ),
        0
    );
    let none = room(ACL_COMPLEX64, &[4]).handle;
    refuses!(
        161002,
        "self has the data type ACL_COMPLEX64",
        aclnnDivGetWorkspaceSize(none, none, none)
    );
    assert_eq!(take_findings(), []);
}

#[test]
fn a_tensor_of_nine_dimensions_is_made_and_refused_by_the_first_phases() {
    let _serial = start_checked();
    let t = room(ACL_FLOAT, &[4]);
    let shape = [1i64, 1, 1, 1, 1, 1, 1, 1, 4];
    let make = || {
        call!(op.aclCreateTensor(
            shape.as_ptr(),
            9,
            ACL_FLOAT,
            null(),
            0,
            ACL_FORMAT_ND,
            shape.as_ptr(),
            9,
            t.memory.cast()
        ))
    };
    let (nine, of_list) = (make(), make());
    assert!(!nine.is_null() && !of_list.is_null());
    let (t, alpha) = (t.handle, scalar(ACL_FLOAT, 1.0));
    refuses!(
        161002,
        "self has 9 dimensions; at most 8 are possible",
        aclnnAddGetWorkspaceSize(nine, t, alpha, t)
    );
    refuses!(
        161002,
        "out has 9 dimensions",
        aclnnMulGetWorkspaceSize(t, t, nine)
    );
    refuses!(
        161002,
        "self has 9 dimensions",
        aclnnSoftmaxGetWorkspaceSize(nine, 0, nine)
    );
    refuses!(
        161002,
        "selfRef has 9 dimensions",
        aclnnInplaceZeroGetWorkspaceSize(nine)
    );
    let list = [of_list.cast_const()];
    let list = call!(op.aclCreateTensorList(list.as_ptr(), 1));
    refuses!(
        161002,
        "tensors has 9 dimensions",
        aclnnCatGetWorkspaceSize(list, 0, t)
    );
    let (mut dims, mut count) = (null_mut(), 0);
    check!(161002, op.aclGetViewShape(nine, &mut dims, &mut count));
    check!(161002, op.aclGetViewStrides(nine, &mut dims, &mut count));
    check!(op.aclDestroyTensorList(list));
    check!(op.aclDestroyTensor(nine));
    check!(161002, op.aclDestroyTensor(nine));
    assert_eq!(take_findings().len(), 1, "destroyed twice");
}

// Programs fill fresh memory so, and it is no mistake: nothing reads what was there.
#[test]
fn memory_that_is_overwritten_in_place_may_be_fresh() {
    let _serial = start_checked();
    let fresh = || {
        let mut memory = null_mut();
        check!(memory.aclrtMalloc(&mut memory, 16, ACL_MEM_MALLOC_HUGE_FIRST));
        let shape = [4i64];
        call!(op.aclCreateTensor(
            shape.as_ptr(),
            1,
            ACL_FLOAT,
            null(),
            0,
            ACL_FORMAT_ND,
            shape.as_ptr(),
            1,
            memory
        ))
    };
    let (zeros, ones, twos, copies) = (fresh(), fresh(), fresh(), fresh());
    let two = scalar(ACL_FLOAT, 2.0);
    assert_eq!(
        run!(aclnnInplaceZero, aclnnInplaceZeroGetWorkspaceSize(zeros)),
        0
    );
    assert_eq!(
        run!(aclnnInplaceOne, aclnnInplaceOneGetWorkspaceSize(ones)),
        0
    );
    assert_eq!(
        run!(
            aclnnInplaceFillScalar,
            aclnnInplaceFillScalarGetWorkspaceSize(twos, two)
        ),
        0
    );
    assert_eq!(
        run!(
            aclnnInplaceCopy,
            aclnnInplaceCopyGetWorkspaceSize(copies, twos)
        ),
        0
    );
    assert_eq!(take_findings(), []);
    // The others read it, and what a copy copies is read.
    let (changed, source) = (fresh(), fresh());
    assert_eq!(
        run!(
            aclnnInplaceMuls,
            aclnnInplaceMulsGetWorkspaceSize(changed, two)
        ),
        0
    );
    assert_eq!(
        run!(
            aclnnInplaceCopy,
            aclnnInplaceCopyGetWorkspaceSize(zeros, source)
        ),
        0
    );
    let found: Vec<Mistake> = take_findings().iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::Uninitialised; 2]);
}

#[test]
fn lists_are_refused_for_null_and_for_what_is_gone() {
    let _serial = start_checked();
    let out = room(ACL_FLOAT, &[4]).handle;
    let with_null = [null::<aclTensor>(), out.cast_const()];
    let with_null = call!(op.aclCreateTensorList(with_null.as_ptr(), 2));
    refuses!(
        161001,
        "tensors[0] is null",
        aclnnCatGetWorkspaceSize(with_null, 0, out)
    );
    let member = room(ACL_FLOAT, &[4]);
    let with_gone = list(&[&member]);
    check!(op.aclDestroyTensor(member.handle));
    refuses!(
        161002,
        "is not a tensor, or was destroyed",
        aclnnCatGetWorkspaceSize(with_gone, 0, out)
    );
    let list = list(&[&room(ACL_FLOAT, &[4])]);
    check!(op.aclDestroyTensorList(list));
    refuses!(
        161002,
        "is not a list of tensors",
        aclnnCatGetWorkspaceSize(list, 0, out)
    );
    let array = ints(&[0]);
    check!(op.aclDestroyIntArray(array));
    let sum = |dims: *const aclIntArray| {
        refuses!(
            161002,
            "is not an array of whole numbers",
            aclnnReduceSumGetWorkspaceSize(out, dims, true, ACL_FLOAT, out)
        );
    };
    sum(array);
    sum(list.cast());
    let _ = take_findings();
}

#[test]
fn an_executor_belongs_to_the_operator_that_made_it() {
    let _serial = start_checked();
    let t = room(ACL_FLOAT, &[4]).handle;
    let alpha = scalar(ACL_FLOAT, 1.0);
    let prepare = || {
        let (mut size, mut executor) = (u64::MAX, null_mut());
        check!(op.aclnnInplaceAddGetWorkspaceSize(t, t, alpha, &mut size, &mut executor));
        (size, executor)
    };
    let (size, executor) = prepare();
    // An operator with the same arithmetic is still another operator.
    check!(
        161002,
        op.aclnnAdd(workspace(size), size, executor, null_mut())
    );
    assert!(text().contains("is an executor of aclnnInplaceAdd"));
    check!(op.aclnnInplaceAdd(workspace(size), size, executor, null_mut()));
    check!(
        161002,
        op.aclnnInplaceAdd(workspace(size), size, executor, null_mut())
    );
    check!(
        161001,
        op.aclnnInplaceAdd(null_mut(), 0, null_mut(), null_mut())
    );
    // A failed second phase ends its executor; without a second phase the executor stays.
    let (_, executor) = prepare();
    check!(
        161001,
        op.aclnnInplaceAdd(null_mut(), 8, executor, null_mut())
    );
    check!(
        161002,
        op.aclnnInplaceAdd(null_mut(), 0, executor, null_mut())
    );
    let (_, executor) = prepare();
    check!(op.aclDestroyAclOpExecutor(executor));
    check!(561000, op.aclDestroyAclOpExecutor(executor));
    check!(561000, op.aclSetAclOpExecutorRepeatable(executor));
    check!(561103, op.aclDestroyAclOpExecutor(null_mut()));
    check!(561103, op.aclSetAclOpExecutorRepeatable(null_mut()));
    // A repeatable executor stays until it is destroyed.
    let (size, executor) = prepare();
    check!(op.aclSetAclOpExecutorRepeatable(executor));
    for _ in 0..2 {
        check!(op.aclnnInplaceAdd(workspace(size), size, executor, null_mut()));
    }
    check!(op.aclDestroyAclOpExecutor(executor));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    // A library of a card would follow these handles: of an executor that has run, twice, and of a destroyed one.
    let found = take_findings()
        .into_iter()
        .map(|one| (one.mistake, one.times));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            (Mistake::UsedAfterDestroy, 2),
            (Mistake::DestroyedTwice, 1),
            (Mistake::UsedAfterDestroy, 1),
        ]
    );
}

#[test]
fn memory_that_is_no_device_memory_is_refused_in_the_second_phase() {
    let _serial = start_checked();
    let shape = [4i64];
    let address = without_provenance_mut(0x1000);
    let far = call!(op.aclCreateTensor(
        shape.as_ptr(),
        1,
        ACL_FLOAT,
        null(),
        0,
        ACL_FORMAT_ND,
        shape.as_ptr(),
        1,
        address
    ));
    let t = room(ACL_FLOAT, &[4]).handle;
    let (mut size, mut executor) = (0, null_mut());
    check!(op.aclnnReluGetWorkspaceSize(far, t, &mut size, &mut executor));
    let code = call!(op.aclnnRelu(workspace(size), size, executor, null_mut()));
    assert_eq!(code, ACL_ERROR_RT_PARAM_INVALID);
    assert!(text().contains("it reads 16 bytes at 0x1000"));
}

/// Returns the findings about the memory of a tensor, while an operator that reads or writes it waits behind a gate.
fn found_with(of: usize, mistake: impl FnOnce(*mut c_void)) -> Vec<Mistake> {
    let tensors = [
        room(ACL_FLOAT, &[4]),
        room(ACL_FLOAT, &[2]),
        room(ACL_INT64, &[2]),
    ];
    let [input, values, indices] = tensors.each_ref().map(|tensor| tensor.handle);
    let (mut size, mut executor) = (0, null_mut());
    check!(op.aclnnTopkGetWorkspaceSize(
        input,
        2,
        0,
        true,
        true,
        values,
        indices,
        &mut size,
        &mut executor
    ));
    let s = stream();
    let gate = Gate::close(s);
    check!(op.aclnnTopk(workspace(size), size, executor, s));
    mistake(tensors[of].memory);
    gate.open();
    let _ = call!(stream.aclrtSynchronizeStream(s));
    let findings = take_findings();
    findings.iter().map(|finding| finding.mistake).collect()
}

#[test]
fn the_checker_sees_every_operand() {
    let _serial = start_checked();
    for operand in 0..3 {
        let freed = found_with(operand, |memory| check!(memory.aclrtFree(memory)));
        assert_eq!(freed, [Mistake::FreedInUse], "operand {operand}");
        let other = stream();
        let unordered = found_with(operand, |memory| {
            check!(memory.aclrtMemsetAsync(memory, 8, 0, 8, other));
        });
        assert_eq!(unordered, [Mistake::Unordered], "operand {operand}");
    }
    // Reading an operand is no mistake; reading the result is.
    let (other, to) = (stream(), malloc(8));
    let read = |operand| {
        found_with(operand, |memory| {
            assert_eq!(copy_async(to, memory, 8, other), 0)
        })
    };
    assert_eq!(read(0), []);
    assert_eq!(read(1), [Mistake::Unordered]);
    assert_eq!(read(2), [Mistake::Unordered]);
}

#[test]
fn a_tensor_that_was_refused_is_named_with_its_reason() {
    let _serial = start_checked();
    let shape = [-4i64];
    let refused = call!(op.aclCreateTensor(
        shape.as_ptr(),
        1,
        ACL_FLOAT,
        null(),
        0,
        ACL_FORMAT_ND,
        shape.as_ptr(),
        1,
        null_mut()
    ));
    assert!(refused.is_null());
    let out = room(ACL_FLOAT, &[4]).handle;
    let (mut size, mut executor) = (0, null_mut());
    let mut prepare =
        |input| call!(op.aclnnReluGetWorkspaceSize(input, out, &mut size, &mut executor));
    assert_eq!(prepare(refused), 161001);
    let words = "self is null; aclCreateTensor: viewDims[0] is negative: -4";
    assert!(text().contains(words), "{}", text());
    // The reason is that of the latest failure only.
    assert_eq!(prepare(refused), 161001);
    assert!(text().ends_with("self is null"), "{}", text());
}

#[test]
fn the_storage_of_a_view_without_elements_may_be_negative() {
    let _serial = start_checked();
    let create = |shape: [i64; 2]| {
        let (strides, storage) = ([128i64, 1], [-127i64]);
        call!(op.aclCreateTensor(
            shape.as_ptr(),
            2,
            ACL_FLOAT,
            strides.as_ptr(),
            0,
            ACL_FORMAT_ND,
            storage.as_ptr(),
            1,
            null_mut()
        ))
    };
    let (empty, out) = (create([0, 128]), create([0, 128]));
    let (mut size, mut executor) = (0, null_mut());
    let code = call!(op.aclnnReluGetWorkspaceSize(empty, out, &mut size, &mut executor));
    assert_eq!(code, 0, "{}", text());
    assert!(create([1, 128]).is_null());
    let words = "storageDims[0] is negative: -127";
    assert!(text().contains(words), "{}", text());
    for tensor in [empty, out] {
        assert_eq!(call!(op.aclDestroyTensor(tensor)), 0);
    }
}
