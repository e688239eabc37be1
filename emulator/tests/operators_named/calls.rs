//! Codes and the order of checks.

use super::*;

/// Calls `aclopExecuteV2` with these arguments.
macro_rules! execute {
    ($code:expr, $name:expr, $ins:expr, $in_descs:expr, $in_buffers:expr, $outs:expr, $out_descs:expr, $out_buffers:expr) => {
        check!(
            $code,
            op.aclopExecuteV2(
                $name,
                $ins,
                $in_descs,
                $in_buffers,
                $outs,
                $out_descs,
                $out_buffers,
                null_mut(),
                null_mut()
            )
        )
    };
}

#[test]
fn a_call_checks_its_arguments_in_order() {
    let _serial = start_checked();
    let x = Operand::new(ACL_FLOAT, &[64], &[1.; 64]);
    let out = Operand::room(ACL_FLOAT, &[64]);
    let name = c"Neg".as_ptr();
    let (mut in_descs, mut ins) = ([x.desc], [x.buffer]);
    let (mut out_descs, mut outs) = ([out.desc], [out.buffer]);
    let (a, b) = (in_descs.as_mut_ptr(), ins.as_mut_ptr());
    let (c, d) = (out_descs.as_mut_ptr(), outs.as_mut_ptr());
    execute!(100000, null(), -1, null_mut(), b, 1, c, d);
    assert!(text().contains("opType is NULL"));
    execute!(100000, name, -1, null_mut(), b, -1, c, d);
    assert!(text().contains("numInputs is -1"));
    execute!(100000, name, 1, null_mut(), b, -1, c, d);
    assert!(text().contains("numOutputs is -1"));
    execute!(100000, name, 1, null_mut(), b, 1, null_mut(), d);
    assert!(text().contains("inputDesc is NULL"));
    let mut none = [null_mut()];
    execute!(100000, name, 1, none.as_mut_ptr(), b, 1, null_mut(), d);
    assert!(text().contains("inputDesc[0] is NULL"));
    execute!(100000, name, 1, a, null_mut(), 1, null_mut(), d);
    assert!(text().contains("outputDesc is NULL"));
    execute!(100000, name, 1, a, null_mut(), 1, c, d);
    assert!(text().contains("inputs is NULL"));
    execute!(100000, name, 1, a, b, 1, c, null_mut());
    assert!(text().contains("outputs is NULL"));
    // A buffer with bytes and no memory.
    let tensor = x.tensor.as_ref().unwrap().memory;
    check!(runtime.aclUpdateDataBuffer(x.buffer, null_mut(), 4));
    execute!(100000, name, 1, a, b, 1, c, d);
    assert!(text().contains("the data of inputs[0] is NULL"));
    check!(runtime.aclUpdateDataBuffer(x.buffer, tensor, 256));
    execute!(ACL_ERROR_OP_NOT_FOUND, name, 1, a, b, 1, c, d);
    assert_eq!(Arrays::new("Neg", &[&x], &[&out], null_mut()).compile(), 0);
    // Sizes count in steps of 32 bytes.
    check!(runtime.aclUpdateDataBuffer(x.buffer, tensor, 225));
    execute!(0, name, 1, a, b, 1, c, d);
    check!(runtime.aclUpdateDataBuffer(x.buffer, tensor, 224));
    execute!(ACL_ERROR_GE_PARAM_INVALID, name, 1, a, b, 1, c, d);
    assert!(text().contains("inputs[0] has 224 bytes, and its description needs 256"));
    check!(runtime.aclUpdateDataBuffer(x.buffer, tensor, 256));
    // Without elements there is nothing to do, and nothing is looked at.
    let nothing = desc(ACL_FLOAT, &[0]);
    let mut empty = [nothing];
    execute!(
        0,
        c"Nothing".as_ptr(),
        1,
        a,
        null_mut(),
        1,
        empty.as_mut_ptr(),
        null_mut()
    );
    call!(model.aclDestroyTensorDesc(nothing));
    // A description that was destroyed.
    let mut gone = [nothing];
    execute!(100000, name, 1, gone.as_mut_ptr(), b, 1, c, d);
    let found = take_findings();
    assert!(
        found
            .iter()
            .any(|one| one.mistake == Mistake::UsedAfterDestroy),
        "{found:?}"
    );
    // Memory of the host.
    let mut word = [0_u8; 256];
    check!(runtime.aclUpdateDataBuffer(x.buffer, word.as_mut_ptr().cast(), 256));
    execute!(ACL_ERROR_RT_PARAM_INVALID, name, 1, a, b, 1, c, d);
    assert!(
        text().contains("Neg failed: it reads 256 bytes"),
        "{}",
        text()
    );
    check!(stream.aclrtSynchronizeStream(null_mut()));
}

#[test]
fn compiling_checks_its_flag_before_the_name() {
    let _serial = start_checked();
    let x = desc(ACL_FLOAT, &[2]);
    let descs = [x];
    let compile = |count, name, flag, path| {
        call!(op.aclopCompile(
            name,
            count,
            descs.as_ptr().cast(),
            1,
            descs.as_ptr().cast(),
            null(),
            ACL_ENGINE_SYS,
            flag,
            path
        ))
    };
    let wrong = aclopCompileType(2);
    assert_eq!(compile(-1, null(), wrong, null()), 100000);
    assert_eq!(compile(1, null(), wrong, null()), ACL_ERROR_API_NOT_SUPPORT);
    assert_eq!(compile(1, null(), ACL_COMPILE_SYS, null()), 100000);
    let abs = c"Abs".as_ptr();
    assert_eq!(compile(1, abs, ACL_COMPILE_UNREGISTERED, null()), 100000);
    assert!(text().contains("opPath is NULL"));
    let file = c"abs.py".as_ptr();
    assert_eq!(
        compile(1, abs, ACL_COMPILE_UNREGISTERED, file),
        ACL_ERROR_FEATURE_UNSUPPORTED
    );
    check!(model.aclSetTensorPlaceMent(x, ACL_MEMTYPE_HOST));
    assert_eq!(
        compile(1, abs, ACL_COMPILE_SYS, null()),
        ACL_ERROR_API_NOT_SUPPORT
    );
    assert!(text().contains("an operand is in host memory"));
    call!(model.aclDestroyTensorDesc(x));
}

#[test]
fn a_handle_runs_its_operator_while_its_descriptions_exist() {
    let _serial = start_checked();
    let x = Operand::new(ACL_FLOAT, &[3], &[1., 2., 3.]);
    let out = Operand::room(ACL_FLOAT, &[3]);
    let (descs, outs) = ([x.desc.cast_const()], [out.desc.cast_const()]);
    let create = |handle| {
        let (name, ins, outs) = (c"Neg".as_ptr(), descs.as_ptr(), outs.as_ptr());
        call!(op.aclopCreateHandle(name, 1, ins, 1, outs, null(), handle))
    };
    let mut handle = null_mut();
    assert_eq!(create(null_mut()), 100000);
    assert_eq!(create(&mut handle), ACL_ERROR_OP_NOT_FOUND);
    assert_eq!(Arrays::new("Neg", &[&x], &[&out], null_mut()).compile(), 0);
    assert_eq!(create(&mut handle), 0, "{}", text());
    let (ins, outs) = ([x.buffer.cast_const(); 2], [out.buffer; 2]);
    let run = |handle, read, written| {
        let (ins, outs) = (ins.as_ptr(), outs.as_ptr());
        call!(op.aclopExecWithHandle(handle, read, ins, written, outs, null_mut()))
    };
    assert_eq!(run(null_mut(), -1, 1), 100000);
    assert!(text().contains("handle is NULL"));
    assert_eq!(run(handle, -1, 1), 100000);
    assert_eq!(run(handle, 2, 2), ACL_ERROR_OP_INPUT_NOT_MATCH);
    assert_eq!(run(handle, 1, 2), ACL_ERROR_OP_OUTPUT_NOT_MATCH);
    assert_eq!(run(handle, 1, 1), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [-1., -2., -3.]);
    assert!(take_findings().is_empty());
    // CANN keeps the pointer of a description.
    call!(model.aclDestroyTensorDesc(x.desc));
    assert_eq!(run(handle, 1, 1), 100000);
    let found = take_findings();
    assert!(
        found
            .iter()
            .any(|one| one.mistake == Mistake::UsedAfterDestroy),
        "{found:?}"
    );
    call!(op.aclopDestroyHandle(handle));
    call!(op.aclopDestroyHandle(null_mut()));
    check!(runtime.aclDestroyDataBuffer(x.buffer));
    let tensor = x.tensor.as_ref().unwrap();
    check!(op.aclDestroyTensor(tensor.handle));
    check!(memory.aclrtFree(tensor.memory));
    std::mem::forget(x);
}

#[test]
fn a_conversion_has_calls_of_its_own() {
    let _serial = start_checked();
    let x = Operand::new(ACL_FLOAT, &[3], &[1.5, -2.5, 300.]);
    let out = Operand::room(ACL_INT64, &[3]);
    let cast = |from, to| {
        let (x, y, stream) = (x.buffer.cast_const(), out.buffer, null_mut());
        call!(op.aclopCast(from, x, to, y, 0, stream))
    };
    assert_eq!(cast(null_mut(), null_mut()), 100000);
    assert!(text().contains("dstDesc is NULL"));
    assert_eq!(cast(x.desc, out.desc), ACL_ERROR_OP_NOT_FOUND);
    let attr = attributes(&[(c"dst_type", Is::Whole(ACL_INT64.0.into()))]);
    assert_eq!(
        Arrays::new("Cast", &[&x], &[&out], attr).compile(),
        0,
        "{}",
        text()
    );
    assert_eq!(cast(x.desc, out.desc), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [1., -2., 300.]);
    let mut handle = null_mut();
    check!(op.aclopCreateHandleForCast(x.desc, out.desc, 0, &mut handle));
    call!(op.aclopDestroyHandle(handle));
    call!(op.aclopDestroyAttr(attr));
}
