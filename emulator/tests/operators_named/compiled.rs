//! Operators that were compiled, in streams and under the checker.

use super::*;

#[test]
fn an_operator_is_queued_behind_the_work_of_its_stream() {
    let _serial = start_checked();
    let (x, y) = (
        Operand::new(ACL_INT32, &[4], &[1., 2., 3., 4.]),
        Operand::new(ACL_INT32, &[4], &[5.; 4]),
    );
    let out = Operand::room(ACL_INT32, &[4]);
    let stream = stream();
    let gate = Gate::close(stream);
    let mut call = Arrays::new("Add", &[&x, &y], &[&out], null_mut());
    assert_eq!(call.compile_and_execute(stream), 0, "{}", text());
    // Descriptions and data buffers are of no use to a queued operator.
    let (x, y) = (x, y);
    for operand in [&x, &y] {
        call!(model.aclDestroyTensorDesc(operand.desc));
        check!(runtime.aclDestroyDataBuffer(operand.buffer));
    }
    assert_eq!(query(stream), ACL_STREAM_STATUS_NOT_READY);
    gate.open();
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(out.values(), [6., 7., 8., 9.]);
    for operand in [x, y] {
        let tensor = operand.tensor.as_ref().unwrap();
        check!(op.aclDestroyTensor(tensor.handle));
        check!(memory.aclrtFree(tensor.memory));
        std::mem::forget(operand);
    }
    check!(stream.aclrtDestroyStream(stream));
    assert!(take_findings().is_empty());
}

#[test]
fn the_checker_sees_the_memory_of_an_operator() {
    let _serial = start_checked();
    let (x, y) = (
        Operand::new(ACL_FLOAT, &[4], &[1.; 4]),
        Operand::new(ACL_FLOAT, &[4], &[1.; 4]),
    );
    let out = Operand::room(ACL_FLOAT, &[4]);
    let (one, other) = (stream(), stream());
    let gate = Gate::close(one);
    let mut sum = Arrays::new("Add", &[&x, &y], &[&out], null_mut());
    assert_eq!(sum.compile_and_execute(one), 0, "{}", text());
    assert_eq!(sum.compile_and_execute(other), 0, "{}", text());
    gate.open();
    check!(stream.aclrtSynchronizeStream(one));
    check!(stream.aclrtSynchronizeStream(other));
    let found = take_findings();
    let race = found.iter().find(|one| one.mistake == Mistake::Unordered);
    assert!(
        race.is_some_and(|race| format!("{race}").contains("Add")),
        "{found:?}"
    );
    for stream in [one, other] {
        check!(stream.aclrtDestroyStream(stream));
    }
}

#[test]
fn only_what_was_compiled_runs() {
    let _serial = start_checked();
    let (x, y) = (
        Operand::new(ACL_FLOAT, &[5], &[1.; 5]),
        Operand::new(ACL_FLOAT, &[5], &[2.; 5]),
    );
    let out = Operand::room(ACL_FLOAT, &[5]);
    let mut sum = Arrays::new("Minimum", &[&x, &y], &[&out], null_mut());
    assert_eq!(sum.execute(null_mut()), ACL_ERROR_OP_NOT_FOUND);
    assert!(
        text().contains("no operator Minimum was compiled"),
        "{}",
        text()
    );
    assert_eq!(sum.compile(), 0, "{}", text());
    assert_eq!(sum.execute(null_mut()), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [1.; 5]);
    // Another shape, another type and another attribute are other operators.
    let six = |dtype| Operand::new(dtype, &[6], &[1.; 6]);
    let (x6, out6) = (six(ACL_FLOAT), six(ACL_FLOAT));
    let code = Arrays::new("Minimum", &[&x6, &x6], &[&out6], null_mut()).execute(null_mut());
    assert_eq!(code, ACL_ERROR_OP_NOT_FOUND);
    let attr = attributes(&[(c"_hint", Is::Whole(1))]);
    let code = Arrays::new("Minimum", &[&x, &y], &[&out], attr).execute(null_mut());
    assert_eq!(code, ACL_ERROR_OP_NOT_FOUND);
    call!(op.aclopDestroyAttr(attr));
}

#[test]
fn an_operator_for_a_range_of_sizes_runs_with_each_of_them() {
    let _serial = start_checked();
    let dynamic = desc(ACL_FLOAT, &[-1]);
    let mut range = [[2, 3]];
    check!(model.aclSetTensorShapeRange(dynamic, 1, range.as_mut_ptr()));
    let descs = [dynamic, dynamic];
    check!(op.aclopCompile(
        c"Sigmoid".as_ptr(),
        1,
        descs.as_ptr().cast(),
        1,
        descs.as_ptr().cast(),
        null(),
        ACL_ENGINE_SYS,
        ACL_COMPILE_SYS,
        null()
    ));
    for (size, code) in [(2, 0), (3, 0), (4, ACL_ERROR_OP_NOT_FOUND)] {
        let x = Operand::new(ACL_FLOAT, &[size], &vec![0.; size as usize]);
        let out = Operand::room(ACL_FLOAT, &[size]);
        let mut call = Arrays::new("Sigmoid", &[&x], &[&out], null_mut());
        assert_eq!(call.execute(null_mut()), code, "{size}: {}", text());
        check!(stream.aclrtSynchronizeStream(null_mut()));
        if code == 0 {
            assert_eq!(out.values(), vec![0.5; size as usize]);
        }
    }
    call!(model.aclDestroyTensorDesc(dynamic));
}

#[test]
fn an_operator_that_cannot_be_compiled_says_why() {
    let _serial = start_checked();
    let x = Operand::new(ACL_FLOAT, &[2], &[1.; 2]);
    let whole = Operand::new(ACL_INT32, &[2], &[1.; 2]);
    let out = Operand::room(ACL_FLOAT, &[2]);
    let long = Operand::room(ACL_FLOAT, &[3]);
    let refused =
        |name: &str, inputs: &[&Operand], out: &Operand, attr: &[(&CStr, Is<'_>)], words: &str| {
            let attr = attributes(attr);
            let code = Arrays::new(name, inputs, &[out], attr).compile();
            let said = text();
            assert_eq!(code, ACL_ERROR_GE_FAILURE, "{name}: {said}");
            assert!(said.contains(name) && said.contains(words), "{said}");
            call!(op.aclopDestroyAttr(attr));
        };
    refused(
        "Conv9",
        &[&x],
        &out,
        &[],
        "the emulator has no operator of this type; it has Abs,",
    );
    refused(
        "Add",
        &[&x],
        &out,
        &[],
        "there are 1 inputs and 1 outputs; it takes 2 to 2 and 1",
    );
    refused("Add", &[&x, &whole], &out, &[], "it takes one data type");
    refused("Relu", &[&x], &long, &[], "out");
    refused(
        "Relu",
        &[&x],
        &out,
        &[(c"axis", Is::Whole(1))],
        "the attribute axis is not modelled",
    );
    refused("Cast", &[&x], &whole, &[], "set it by aclopSetAttrInt");
    refused(
        "Muls",
        &[&x],
        &out,
        &[(c"value", Is::Whole(1))],
        "set it by aclopSetAttrFloat",
    );
    refused(
        "TransposeD",
        &[&x],
        &out,
        &[],
        "there is neither the attribute perm",
    );
    check!(model.aclSetTensorFormat(x.desc, ACL_FORMAT_FRACTAL_NZ));
    refused("Relu", &[&x], &out, &[], "ACL_FORMAT_FRACTAL_NZ");
}
