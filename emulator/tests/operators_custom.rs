//! Custom operators: programs find them by name and run them like those of the list.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ptr::null_mut;

use ascendcl_emulator::operator::{self, Call, Plan, Refusal};
use ascendcl_emulator::{elementwise, take_findings, take_violations};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// The first phase of an operator with two tensors, a number and an output.
type Axpy = unsafe extern "C" fn(
    *const aclTensor,
    *const aclTensor,
    f64,
    *mut aclTensor,
    *mut u64,
    *mut *mut aclOpExecutor,
) -> aclnnStatus;

#[test]
fn an_operator_is_found_by_name_and_runs() {
    let _serial = start_checked();
    assert!(operator::find(c"aclnnAxpy").is_none());
    // SAFETY: the callers below pass these parameters, and the definition writes its outputs.
    unsafe {
        operator::register(ascendcl_emulator::operator!(
            aclnnAxpy(x: tensor, y: tensor, a: f64, out: out_tensor) = elementwise!(|x, y, a| a * x + y)
        ))
    };
    // This is the lookup that programs use when the emulator is the installed backend.
    let found = (ascendcl_emulator::API.find_operator)(c"aclnnAxpy").unwrap();
    // SAFETY: the operator above has this signature.
    let prepare =
        unsafe { core::mem::transmute::<*mut core::ffi::c_void, Axpy>(found.prepare.as_ptr()) };

    let x = tensor(ACL_FLOAT, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let y = tensor(ACL_FLOAT16, &[2], &[10.0, 20.0]);
    let out = room(ACL_FLOAT, &[2, 2]);
    let (mut size, mut executor) = (0, null_mut());
    // SAFETY: tensors that exist, and places for the answers.
    let code = unsafe {
        prepare(
            x.handle,
            y.handle,
            0.5,
            out.handle,
            &mut size,
            &mut executor,
        )
    };
    assert_eq!(code, 0, "{}", text());
    // The second phase of another operator is refused.
    check!(
        161002,
        op.aclnnAdd(workspace(size), size, executor, null_mut())
    );
    assert!(text().contains("is an executor of aclnnAxpy"));
    finish(found.launch, size, executor);
    assert_same(&out.values(), &[10.5, 21.0, 11.5, 22.0]);
    // SAFETY: tensors that exist, and places for the answers; null is refused.
    let code = unsafe {
        prepare(
            null_mut(),
            y.handle,
            0.5,
            out.handle,
            &mut size,
            &mut executor,
        )
    };
    assert_eq!(code, 161001);
    assert!(text().contains("aclnnAxpyGetWorkspaceSize: x is null"));
    assert_eq!(take_findings(), []);
}

#[test]
fn programs_find_the_operators_of_the_list_too() {
    let _serial = start_checked();
    assert!(operator(c"aclnnMul").is_none(), "nothing is installed");
    ascendcl_emulator::install().unwrap();
    let found = operator(c"aclnnMul").unwrap();
    let table = OpTable::installed();
    assert_eq!(
        found.prepare,
        table.find(c"aclnnMulGetWorkspaceSize").unwrap()
    );
    for name in [
        c"aclnnNowhere",
        c"aclInit",
        c"aclnnMulGetWorkspaceSize",
        c"",
    ] {
        assert!(operator(name).is_none(), "{name:?}");
    }
    // An operator that the program registered comes first.
    // SAFETY: the callers below pass these parameters, and the definition writes its outputs.
    unsafe {
        operator::register(ascendcl_emulator::operator!(
            aclnnMul(x: tensor, out: out_tensor) = elementwise!(|x| x * x)
        ))
    };
    assert_ne!(operator(c"aclnnMul").unwrap().prepare, found.prepare);
}

/// Returns the rows of `x` in the order of `rows`, scaled by the factors if there are any; `count` gets the number of
/// rows.
fn rows(call: &Call) -> Result<Plan, Refusal> {
    let (x, scale) = (call.input("x")?, call.optional_input("scale")?);
    let (out, count) = (call.output("out")?, call.output("count")?);
    let rows = call.ints("rows")?.to_vec();
    let [height, width] = *x.shape() else {
        return Err(Refusal::invalid("x is no matrix"));
    };
    if rows
        .iter()
        .any(|row| usize::try_from(*row).is_ok_and(|row| row >= height))
    {
        return Err(Refusal::new(561002, "a row is outside of x"));
    }
    if out.shape() != [rows.len(), width] {
        return Err(Refusal::invalid("out has another shape"));
    }
    call.plan(move |views| {
        let (from, mut to) = (views.input(&x), views.output(&out));
        let scale = scale.map(|scale| views.input(&scale));
        for (place, row) in rows.iter().enumerate() {
            for column in 0..width {
                let element: f64 = from.get(*row as usize * width + column);
                let factor = scale.as_ref().map_or(1.0, |scale| scale.get(place));
                to.set(place * width + column, element * factor);
            }
        }
        views.output(&count).set(0, rows.len() as f64);
    })
}

/// The first phase of `rows`.
type Rows = unsafe extern "C" fn(
    *const aclTensor,
    *const aclIntArray,
    *const aclTensor,
    *mut aclTensor,
    *mut aclTensor,
    *mut u64,
    *mut *mut aclOpExecutor,
) -> aclnnStatus;

#[test]
fn an_operator_has_shapes_codes_and_optional_tensors_of_its_own() {
    let _serial = start_checked();
    // SAFETY: the callers below pass these parameters, and the definition writes its outputs.
    unsafe {
        operator::register(ascendcl_emulator::operator!(aclnnRows(
        x: tensor,
        rows: int_array,
        scale: optional_tensor,
        out: out_tensor,
        count: out_tensor,
    ) = rows))
    };
    let found = operator::find(c"aclnnRows").unwrap();
    // SAFETY: the operator above has this signature.
    let prepare =
        unsafe { core::mem::transmute::<*mut core::ffi::c_void, Rows>(found.prepare.as_ptr()) };
    let (mut size, mut executor) = (0, null_mut());
    let x = tensor(ACL_INT8, &[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let scale = tensor(ACL_FLOAT, &[2], &[0.5, 2.0]);
    let (out, count) = (room(ACL_FLOAT, &[2, 2]), room(ACL_INT64, &[]));
    let mut first = |rows: &[i64], scale: *const aclTensor, out: &Tensor| {
        let rows = ints(rows);
        let (size, executor) = (&raw mut size, &raw mut executor);
        // SAFETY: tensors that exist or null, and places for the answers.
        let code = unsafe {
            prepare(
                x.handle,
                rows,
                scale,
                out.handle,
                count.handle,
                size,
                executor,
            )
        };
        // SAFETY: the place is valid for a read, whether or not the first phase wrote it.
        (code, unsafe { executor.read() })
    };

    // The operator needs no workspace, and the checker asks for its least one.
    let (code, executor) = first(&[2, 0], core::ptr::null(), &out);
    assert_eq!(code, 0, "{}", text());
    finish(found.launch, 32, executor);
    assert_same(&out.values(), &[5.0, 6.0, 1.0, 2.0]);
    assert_same(&count.values(), &[2.0]);
    let (_, executor) = first(&[2, 0], scale.handle, &out);
    finish(found.launch, 32, executor);
    assert_same(&out.values(), &[2.5, 3.0, 2.0, 4.0]);
    assert_eq!(first(&[3, 0], scale.handle, &out).0, 561002);
    assert!(text().contains("aclnnRowsGetWorkspaceSize: a row is outside of x"));
    assert_eq!(first(&[1], scale.handle, &out).0, 161002);
    assert_eq!(take_findings(), []);
}

#[test]
fn the_newest_of_a_name_is_found_and_a_wrong_name_of_a_parameter_is_told() {
    let _serial = start_checked();
    // SAFETY: the callers below pass these parameters, and the definition writes its outputs.
    unsafe {
        operator::register(
            ascendcl_emulator::operator!(aclnnTwice(x: tensor, out: out_tensor) = |call: &Call| {
                call.input("there_is_none").map(|_| call.nothing())
            }),
        )
    };
    let before = operator::find(c"aclnnTwice").unwrap();
    type First = unsafe extern "C" fn(
        *const aclTensor,
        *mut aclTensor,
        *mut u64,
        *mut *mut aclOpExecutor,
    ) -> i32;
    let first = |found: Operator| {
        // SAFETY: both operators have this signature.
        let prepare = unsafe {
            core::mem::transmute::<*mut core::ffi::c_void, First>(found.prepare.as_ptr())
        };
        let (mut size, mut executor) = (0, null_mut());
        let t = room(ACL_FLOAT, &[1]);
        // SAFETY: a tensor that exists, and places for the answers.
        unsafe { prepare(t.handle, t.handle, &mut size, &mut executor) }
    };
    assert_eq!(first(before), 561000);
    assert!(text().contains("no parameter there_is_none that is a tensor to read"));
    // SAFETY: the callers below pass these parameters, and the definition writes its outputs.
    unsafe {
        operator::register(ascendcl_emulator::operator!(
            aclnnTwice(x: tensor, out: out_tensor) = elementwise!(|x| x + x)
        ))
    };
    assert_eq!(first(operator::find(c"aclnnTwice").unwrap()), 0);
    assert_eq!(first(before), 561000, "who found it keeps it");
}

#[test]
fn a_definition_that_panics_is_a_refusal() {
    let _serial = start_checked();
    let broken = ascendcl_emulator::operator!(
        aclnnBroken(x: tensor) = |call: &Call| -> Result<Plan, Refusal> {
            Err(call.input("x").map(|_| ()).unwrap_err())
        }
    );
    // SAFETY: the caller below passes this parameter; there is no output.
    unsafe { operator::register(broken) };
    type First =
        unsafe extern "C" fn(*const aclTensor, *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus;
    let found = operator::find(c"aclnnBroken").unwrap();
    // SAFETY: the operator above has this signature.
    let prepare =
        unsafe { core::mem::transmute::<*mut core::ffi::c_void, First>(found.prepare.as_ptr()) };
    let (mut size, mut executor) = (0, null_mut());
    let x = room(ACL_FLOAT, &[1]);
    // SAFETY: a tensor that exists, and places for the answers.
    let code = unsafe { prepare(x.handle, &mut size, &mut executor) };
    assert_eq!((code, executor), (561000, null_mut()));
    assert!(
        text().contains("aclnnBrokenGetWorkspaceSize: the definition of the operator panicked")
    );
}

#[test]
fn a_kernel_that_panics_fails_its_task_and_is_not_the_emulators_fault() {
    let _serial = start_checked();
    let broken = ascendcl_emulator::operator!(
        aclnnBrokenKernel(out: out_tensor) = |call: &Call| -> Result<Plan, Refusal> {
            let out = call.output("out")?;
            call.plan(move |views| {
                let mut out = views.output(&out);
                out.set(0, f64::from(u8::try_from(out.shape().len() + 255).unwrap()));
            })
        }
    );
    // SAFETY: the caller below passes this parameter; the task fails.
    unsafe { operator::register(broken) };
    type First =
        unsafe extern "C" fn(*mut aclTensor, *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus;
    let found = operator::find(c"aclnnBrokenKernel").unwrap();
    // SAFETY: the operator above has this signature.
    let prepare =
        unsafe { core::mem::transmute::<*mut core::ffi::c_void, First>(found.prepare.as_ptr()) };
    let (mut size, mut executor) = (0, null_mut());
    let out = room(ACL_FLOAT, &[1]);
    // SAFETY: a tensor that exists, and places for the answers.
    let code = unsafe { prepare(out.handle, &mut size, &mut executor) };
    assert_eq!(code, 0, "{}", text());
    // SAFETY: the executor of the first phase, and the workspace that it asked for.
    let code = unsafe { (found.launch)(workspace(size), size, executor, null_mut()) };
    assert_eq!(code, 0, "{}", text());
    check!(
        ACL_ERROR_RT_AICORE_EXCEPTION,
        stream.aclrtSynchronizeStream(null_mut())
    );
    let [violation] = &take_violations()[..] else {
        unreachable!("one kernel panicked");
    };
    assert_eq!(
        violation.to_string(),
        "aclnnBrokenKernel: kernel panicked: the kernel has a defect: that of the program, if it registered this operator"
    );
}
