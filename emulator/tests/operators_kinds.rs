//! Every kind of parameter that an operator can have, and as many parameters as the longest operator of CANN has.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use ascendcl_emulator::operator::{self, Call, Input, Plan, Refusal};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Writes the first element of each tensor that it reads, and each number, to `out`, one behind the other. The other
/// outputs get the number of their parameter.
fn every(call: &Call) -> Result<Plan, Refusal> {
    let mut inputs = vec![call.input("one")?, call.input("no_const")?];
    inputs.extend(call.optional_input("maybe")?);
    inputs.extend(call.inputs("list")?);
    inputs.extend(call.sparse_inputs("sparse")?.into_iter().flatten());
    inputs.extend([call.input("changed")?, call.input("const_changed")?]);
    inputs.extend(call.optional_input("maybe_changed")?);
    inputs.extend(call.inputs("changed_list")?);
    let nothing = [
        call.optional_input("null_tensor")?.map_or(0, |_| 1),
        call.inputs("null_list")?.len(),
        call.optional_scalar("null_scalar")?.map_or(0, |_| 1),
        call.scalars("null_scalars")?.len(),
        call.ints("null_ints")?.len(),
        call.floats("null_floats")?.len(),
        call.bools("null_bools")?.len(),
        call.text("null_text")?.map_or(0, str::len),
        call.optional_output("null_out")?.map_or(0, |_| 1),
        call.optional_output("null_const_out")?.map_or(0, |_| 1),
        call.outputs("null_outs")?.len(),
    ];
    if nothing != [0; 11] {
        return Err(Refusal::invalid(format_args!("nothing is {nothing:?}")));
    }
    let texts = (call.text("text")?, call.text("mut_text")?);
    if texts != (Some("BSND"), Some("half")) {
        return Err(Refusal::invalid(format_args!("the texts are {texts:?}")));
    }
    if call.dtype("dtype")? != ACL_FLOAT16 || call.dtype("dtype_number")? != ACL_INT8 {
        return Err(Refusal::invalid("the data types are others"));
    }
    let mut numbers = vec![call.scalar("scalar")?.to_f64()];
    numbers.extend(call.scalars("scalars")?.iter().map(|one| one.to_f64()));
    numbers.extend(call.ints("ints")?.iter().map(|one| *one as f64));
    numbers.extend(call.floats("floats")?.iter().map(|one| f64::from(*one)));
    numbers.extend(call.bools("bools")?.iter().map(|one| f64::from(*one)));
    for name in ["i8", "i32", "int", "i64", "u64"] {
        numbers.push(call.whole(name)? as f64);
    }
    numbers.extend([call.floating("f32")?, call.floating("f64")?]);
    numbers.push(f64::from(call.flag("flag")?));
    let out = call.output("out")?;
    if out.elements() != inputs.len() + numbers.len() {
        return Err(Refusal::invalid(format_args!(
            "out has {} elements, and there are {} tensors and {} numbers",
            out.elements(),
            inputs.len(),
            numbers.len()
        )));
    }
    let mut outputs = vec![call.output("const_out")?];
    outputs.extend(call.optional_output("maybe_out")?);
    outputs.extend([call.output("changed")?, call.output("const_changed")?]);
    outputs.extend(call.optional_output("maybe_changed")?);
    outputs.extend(call.outputs("outs")?);
    outputs.extend(call.outputs("const_outs")?);
    outputs.extend(call.outputs("changed_list")?);
    call.plan(move |views| {
        let first = |input: &Input| views.input(input).get::<f64>(0);
        let seen = inputs.iter().map(first).chain(numbers.iter().copied());
        let mut to = views.output(&out);
        for (index, number) in seen.enumerate() {
            to.set(index, number);
        }
        for (index, output) in outputs.iter().enumerate() {
            views.output(output).set(0, 100.0 + index as f64);
        }
    })
}

type Every = unsafe extern "C" fn(
    *const aclTensor,
    *mut aclTensor,
    *const aclTensor,
    *const aclTensor,
    *const aclTensorList,
    *const aclTensorList,
    *const aclTensorList,
    *const aclScalar,
    *const aclScalar,
    *const aclScalarList,
    *const aclScalarList,
    *const aclIntArray,
    *const aclIntArray,
    *const aclFloatArray,
    *const aclFloatArray,
    *const aclBoolArray,
    *const aclBoolArray,
    *const c_char,
    *mut c_char,
    *const c_char,
    i8,
    i32,
    i32,
    i64,
    u64,
    f32,
    f64,
    bool,
    aclDataType,
    i32,
    *mut aclTensor,
    *const aclTensor,
    *mut aclTensor,
    *mut aclTensor,
    *const aclTensor,
    *mut aclTensor,
    *const aclTensor,
    *mut aclTensor,
    *mut aclTensorList,
    *const aclTensorList,
    *mut aclTensorList,
    *const aclTensorList,
    *mut u64,
    *mut *mut aclOpExecutor,
) -> aclnnStatus;

#[test]
fn every_kind_reaches_a_definition() {
    let _serial = start();
    // SAFETY: the caller below passes these parameters, and the definition writes its outputs, which have one element.
    unsafe {
        operator::register(ascendcl_emulator::operator!(aclnnEvery(
            one: tensor,
            no_const: mut_tensor,
            maybe: optional_tensor,
            null_tensor: optional_tensor,
            list: tensor_list,
            null_list: optional_tensor_list,
            sparse: sparse_tensor_list,
            scalar: scalar,
            null_scalar: optional_scalar,
            scalars: scalar_list,
            null_scalars: optional_scalar_list,
            ints: int_array,
            null_ints: optional_int_array,
            floats: float_array,
            null_floats: optional_float_array,
            bools: bool_array,
            null_bools: optional_bool_array,
            text: text,
            mut_text: mut_text,
            null_text: text,
            i8: i8,
            i32: i32,
            int: c_int,
            i64: i64,
            u64: u64,
            f32: f32,
            f64: f64,
            flag: bool,
            dtype: aclDataType,
            dtype_number: i32,
            out: out_tensor,
            const_out: const_out_tensor,
            maybe_out: optional_out_tensor,
            null_out: optional_out_tensor,
            null_const_out: optional_const_out_tensor,
            changed: inout_tensor,
            const_changed: const_inout_tensor,
            maybe_changed: optional_inout_tensor,
            outs: out_tensor_list,
            const_outs: const_out_tensor_list,
            null_outs: optional_out_tensor_list,
            changed_list: const_inout_tensor_list,
        ) = every))
    };
    let found = operator::find(c"aclnnEvery").unwrap();
    // SAFETY: the operator above has this signature.
    let prepare = unsafe { core::mem::transmute::<*mut c_void, Every>(found.prepare.as_ptr()) };
    let one = |value: f64| tensor(ACL_FLOAT, &[1], &[value]);
    let inputs = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(one);
    let changed = [7.0, 8.0, 9.0, 9.5].map(one);
    let outputs: [Tensor; 5] = [0.0; 5].map(one);
    let (list_of, sparse) = (list(&[&inputs[3], &inputs[4]]), {
        let handles = [null(), inputs[5].handle.cast_const()];
        call!(op.aclCreateTensorList(handles.as_ptr(), 2))
    });
    let scalars = [11.0, 12.0].map(|value| scalar(ACL_FLOAT, value).cast_const());
    let scalars = call!(op.aclCreateScalarList(scalars.as_ptr(), 2));
    let floats = call!(op.aclCreateFloatArray([14.5].as_ptr(), 1));
    let bools = call!(op.aclCreateBoolArray([true, false].as_ptr(), 2));
    let out = room(ACL_DOUBLE, &[25]);
    let (mut size, mut executor) = (0, null_mut());
    let mut first = |sparse: *const aclTensorList| {
        let (size, executor) = (&raw mut size, &raw mut executor);
        // SAFETY: objects that exist or null, texts that end in NUL, and places for the answers.
        let code = unsafe {
            prepare(
                inputs[0].handle,
                inputs[1].handle,
                inputs[2].handle,
                null(),
                list_of,
                null(),
                sparse,
                scalar(ACL_FLOAT, 10.0),
                null(),
                scalars,
                null(),
                ints(&[13]),
                null(),
                floats,
                null(),
                bools,
                null(),
                c"BSND".as_ptr(),
                c"half".as_ptr().cast_mut(),
                null(),
                -16,
                -17,
                -18,
                -19,
                20,
                21.5,
                22.25,
                true,
                ACL_FLOAT16,
                2,
                out.handle,
                outputs[0].handle,
                outputs[1].handle,
                null_mut(),
                null(),
                changed[0].handle,
                changed[1].handle,
                changed[2].handle,
                list(&[&outputs[2], &outputs[3]]),
                list(&[&outputs[4]]),
                null_mut(),
                list(&[&changed[3]]),
                size,
                executor,
            )
        };
        (code, size, executor)
    };
    let (code, size, executor) = first(sparse);
    assert_eq!(code, 0, "{}", text());
    // SAFETY: the first phase has written it.
    let size = unsafe { size.read() };
    // SAFETY: the first phase has written it.
    let executor = unsafe { executor.read() };
    finish(found.launch, size, executor);
    let seen = [
        1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 9.5, 10.0, 11.0, 12.0, 13.0, 14.5, 1.0, 0.0,
        -16.0, -17.0, -18.0, -19.0, 20.0, 21.5, 22.25, 1.0,
    ];
    assert_same(&out.values(), &seen);
    let written = [
        &outputs[0],
        &outputs[1],
        &changed[0],
        &changed[1],
        &changed[2],
    ];
    let written = written.into_iter().chain(&outputs[2..]);
    let written = written.chain(&changed[3..]);
    let written: Vec<f64> = written.flat_map(Tensor::values).collect();
    assert_same(
        &written,
        &[
            100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0,
        ],
    );
    // A list that no header allows to be null.
    assert_eq!(first(null()).0, 161001);
    assert!(text().contains("aclnnEveryGetWorkspaceSize: sparse is null"));
}

#[test]
fn a_null_element_is_refused_in_a_list_that_is_not_sparse() {
    let _serial = start();
    let x = room(ACL_FLOAT, &[1]);
    let handles = [x.handle.cast_const(), null()];
    let list = call!(op.aclCreateTensorList(handles.as_ptr(), 2));
    let out = room(ACL_FLOAT, &[1]);
    refuses!(
        161001,
        "tensors[1] is null",
        aclnnCatGetWorkspaceSize(list, 0, out.handle)
    );
}
