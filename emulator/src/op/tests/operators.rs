//! Both phases of the operators, and their executors.

use crate::handles::registry::Fate;
use core::ptr::{null, null_mut, without_provenance_mut};

use ascendcl_sys::{status::*, structs::*, types::*};

use super::{
    super::executor::{EXECUTORS, Executor},
    *,
};
use crate::engine::kernel::Mapped;
use crate::op::view::Views;

#[test]
fn first_phase_refuses_null() {
    let (t, one) = (tensor(&[4]), scalar(1_f32, ACL_FLOAT));
    assert_eq!(prepare_add(null(), t, one, t).status, NULLPTR);
    assert_eq!(prepare_add(t, null(), one, t).status, NULLPTR);
    assert_eq!(prepare_add(t, t, null(), t).status, NULLPTR);
    assert_eq!(prepare_add(t, t, one, null_mut()).status, NULLPTR);
    assert_eq!(prepare_mul(t, null(), t).status, NULLPTR);
    let (mut workspace, mut executor) = (0, null_mut());
    // SAFETY: null or a place that may be written.
    let status =
        unsafe { (OPERATORS.aclnnMulGetWorkspaceSize)(t, t, t, null_mut(), &mut executor) };
    assert_eq!(status, NULLPTR);
    // SAFETY: a place that may be written or null.
    let status =
        unsafe { (OPERATORS.aclnnMulGetWorkspaceSize)(t, t, t, &mut workspace, null_mut()) };
    assert_eq!(status, NULLPTR);
    assert!(executor.is_null());
    let nowhere = create(&Wanted {
        address: 0,
        ..plain(&[4])
    });
    // The address may be set until the second phase.
    assert_eq!(prepare_mul(nowhere, t, t).status, 0);
    assert_eq!(prepare_mul(t, t, nowhere).status, 0);
}

#[test]
fn first_phase_refuses_handles_of_another_kind() {
    let (t, one) = (tensor(&[4]), scalar(1_f32, ACL_FLOAT));
    let gone = tensor(&[4]);
    destroy(gone);
    let garbage = without_provenance_mut(0xdead_beef);
    assert_eq!(prepare_add(gone, t, one, t).status, INVALID);
    assert_eq!(prepare_add(t, garbage, one, t).status, INVALID);
    assert_eq!(prepare_add(t, t, one, garbage).status, INVALID);
    assert_eq!(prepare_add(t, t, t.cast::<aclScalar>(), t).status, INVALID);
    assert_eq!(
        prepare_add(one.cast::<aclTensor>(), t, one, t).status,
        INVALID
    );
}

#[test]
fn first_phase_compares_data_types() {
    let of = |dtype| {
        create(&Wanted {
            dtype,
            ..plain(&[4])
        })
    };
    let (float, half, int) = (of(ACL_FLOAT), of(ACL_FLOAT16), of(ACL_INT32));
    // A promoted result may be cast to another type of its kind, or of a higher kind.
    assert_eq!(prepare_mul(float, half, half).status, 0);
    assert_eq!(prepare_mul(int, half, half).status, 0);
    assert_eq!(prepare_mul(int, int, float).status, 0);
    assert_eq!(prepare_mul(float, float, int).status, INVALID);
    assert_eq!(prepare_mul(int, half, int).status, INVALID);
    assert_eq!(prepare_mul(int, int, of(ACL_BOOL)).status, INVALID);
    for dtype in dtype::REAL {
        let t = of(*dtype);
        assert_eq!(prepare_mul(t, t, t).status, 0, "{dtype:?}");
    }
    for dtype in [ACL_UINT16, ACL_UINT64, ACL_COMPLEX64, ACL_INT4, ACL_STRING] {
        let t = of(dtype);
        assert_eq!(prepare_mul(t, t, t).status, INVALID, "{dtype:?}");
    }
}

#[test]
fn first_phase_converts_alpha() {
    let of = |dtype| {
        create(&Wanted {
            dtype,
            ..plain(&[4])
        })
    };
    let (float, int, long) = (of(ACL_FLOAT), of(ACL_INT32), of(ACL_INT64));
    let status = |t: *mut aclTensor, alpha| prepare_add(t, t, alpha, t).status;
    assert_eq!(status(float, scalar(2_i32, ACL_INT32)), 0);
    assert_eq!(status(float, scalar(2_f64, ACL_DOUBLE)), 0);
    assert_eq!(status(int, scalar(2_i64, ACL_INT64)), 0);
    // The type of the scalar is allowed, so the scalar is cut to its lower bits.
    assert_eq!(status(int, scalar(1_i64 << 40, ACL_INT64)), 0);
    assert_eq!(status(long, scalar(1_i64 << 40, ACL_INT64)), 0);
    assert_eq!(status(int, scalar(1_f32, ACL_FLOAT)), INVALID);
    assert_eq!(status(long, scalar(u64::MAX, ACL_UINT64)), 0);
    let truth = of(ACL_BOOL);
    assert_eq!(status(truth, scalar(1_i32, ACL_INT32)), 0);
    assert_eq!(status(truth, scalar(1_f32, ACL_FLOAT)), INVALID);
}

#[test]
fn first_phase_compares_shapes_and_formats() {
    type Case = (&'static [i64], &'static [i64], &'static [i64], aclnnStatus);
    let shapes: [Case; 7] = [
        (&[2, 3], &[3], &[2, 3], 0),
        (&[2, 1], &[3], &[2, 3], 0),
        (&[], &[], &[], 0),
        (&[0, 3], &[3], &[0, 3], 0),
        (&[2, 3], &[2], &[2, 3], INVALID),
        (&[2, 3], &[3], &[3, 2], INVALID),
        (&[1, 3], &[3], &[3], INVALID),
    ];
    for (left, right, out, status) in shapes {
        let got = prepare_mul(tensor(left), tensor(right), tensor(out));
        assert_eq!(got.status, status, "{left:?} {right:?} {out:?}");
    }
    let t = tensor(&[4]);
    let fractal = create(&Wanted {
        format: ACL_FORMAT_FRACTAL_NZ,
        ..plain(&[4])
    });
    let image = create(&Wanted {
        format: ACL_FORMAT_NCHW,
        ..plain(&[4])
    });
    let repeated = create(&Wanted {
        strides: Some(&[0]),
        ..plain(&[4])
    });
    assert_eq!(prepare_mul(t, fractal, t).status, INVALID);
    assert_eq!(prepare_mul(t, image, t).status, 0);
    assert_eq!(prepare_mul(t, repeated, t).status, 0);
    assert_eq!(prepare_mul(t, t, repeated).status, INVALID);
}

#[test]
fn workspace_is_asked_for_what_is_not_plain() {
    let plain_tensor = tensor(&[10, 3]);
    assert_eq!(
        prepare_mul(plain_tensor, plain_tensor, plain_tensor).workspace,
        0
    );
    // A repeated row of 12 bytes, rounded up.
    assert_eq!(
        prepare_mul(plain_tensor, tensor(&[3]), plain_tensor).workspace,
        32
    );
    let gaps = || {
        create(&Wanted {
            strides: Some(&[1, 10]),
            ..plain(&[10, 3])
        })
    };
    assert_eq!(
        prepare_mul(gaps(), plain_tensor, plain_tensor).workspace,
        128
    );
    assert_eq!(
        prepare_mul(gaps(), tensor(&[3]), gaps()).workspace,
        128 + 32 + 128
    );
    assert_eq!(
        prepare_mul(tensor(&[0, 3]), tensor(&[3]), tensor(&[0, 3])).workspace,
        0
    );
}

#[test]
fn second_phase_checks_executor_and_workspace() {
    let (full, row) = (tensor(&[10, 3]), tensor(&[3]));
    let prepare = || {
        let prepared = prepare_mul(full, row, full);
        assert_eq!((prepared.status, prepared.workspace), (0, 32));
        prepared.executor
    };
    // SAFETY: every call is refused, so no memory is touched.
    let mul = |workspace, size, executor| unsafe {
        (OPERATORS.aclnnMul)(workspace, size, executor, null_mut())
    };
    let somewhere = without_provenance_mut(SOMEWHERE);

    assert_eq!(mul(null_mut(), 0, null_mut()), NULLPTR);
    assert_eq!(mul(null_mut(), 0, without_provenance_mut(77)), INVALID);
    // Each failure of the operator's own second phase ends the executor.
    for (workspace, size, status) in [
        (somewhere, 31, INVALID),
        (null_mut(), 0, INVALID),
        (null_mut(), 32, NULLPTR),
        (somewhere, 32, INVALID),
    ] {
        let executor = prepare();
        assert_eq!(mul(workspace, size, executor), status);
        assert_eq!(mul(workspace, size, executor), INVALID);
        assert_eq!(repeatable(executor), ACLNN_ERR_INNER);
    }
    // A failure of another operator's second phase does not end it.
    let executor = prepare();
    assert_eq!(add(somewhere, 32, executor), INVALID);
    assert_eq!(repeatable(executor), 0);
    assert_eq!(mul(null_mut(), 0, executor), INVALID);
    assert_eq!(mul(null_mut(), 0, executor), INVALID);
    assert_eq!(release(executor), 0);
    assert_eq!(mul(null_mut(), 0, executor), INVALID);
}

#[test]
fn executors_are_destroyed_while_no_second_phase_has_used_them_up() {
    let t = tensor(&[4]);
    assert_eq!(release(null_mut()), ACLNN_ERR_INNER_NULLPTR);
    assert_eq!(repeatable(null_mut()), ACLNN_ERR_INNER_NULLPTR);
    let never_launched = prepare_mul(t, t, t).executor;
    assert_eq!(release(never_launched), 0);
    assert_eq!(release(never_launched), ACLNN_ERR_INNER);
    let executor = prepare_mul(t, t, t).executor;
    assert_eq!(repeatable(executor), 0);
    assert_eq!(repeatable(executor), 0);
    assert_eq!(release(executor), 0);
    assert_eq!(release(executor), ACLNN_ERR_INNER);
    assert_eq!(repeatable(executor), ACLNN_ERR_INNER);
    assert_eq!(release(t.cast()), ACLNN_ERR_INNER);
}

#[test]
fn a_plan_survives_its_tensors_and_computes() {
    let left: Vec<f32> = (0..6_u8).map(f32::from).collect();
    let (right, mut out) = ([10.0_f32, 20.0, 30.0], [0.0_f32; 6]);
    let at = |address, view| {
        create(&Wanted {
            address,
            ..plain(view)
        })
    };
    let tensors = [
        at(left.as_ptr().addr(), &[2, 3]),
        at(right.as_ptr().addr(), &[3]),
        at(out.as_mut_ptr().addr(), &[2, 3]),
    ];
    let alpha = scalar(0.5_f32, ACL_FLOAT);
    let prepared = prepare_add(tensors[0], tensors[1], alpha, tensors[2]);
    assert_eq!(prepared.status, 0);
    for tensor in tensors {
        assert_eq!(destroy(tensor), 0);
    }
    let plan = EXECUTORS
        .visit(prepared.executor.addr(), &mut |one: &mut Executor| {
            (Fate::Remove, one.plan())
        })
        .unwrap();
    let lengths: Vec<_> = plan.extents.iter().map(|extent| extent.len).collect();
    assert_eq!(lengths, [24, 12, 24]);
    let mapped = [
        (left.as_ptr().cast_mut(), 24),
        (right.as_ptr().cast_mut(), 12),
        (out.as_mut_ptr(), 24),
    ]
    .map(|(pointer, len)| Mapped {
        pointer: pointer.cast(),
        len,
    });
    // SAFETY: the arrays are those the tensors described.
    let views = unsafe { Views::new(&plan, &mapped) }.unwrap();
    (plan.work)(&views);
    assert_eq!(out, [5.0, 11.0, 17.0, 8.0, 14.0, 20.0]);
    // SAFETY: the arrays are those the tensors described; too few are refused.
    assert!(unsafe { Views::new(&plan, &mapped[..2]) }.is_none());
}
