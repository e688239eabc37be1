//! Attributes, descriptions, options and folders, and what is refused.

use super::*;

#[test]
fn attributes_are_checked_when_they_are_set() {
    let _serial = start_checked();
    let attr = call!(op.aclopCreateAttr());
    let name = c"n".as_ptr();
    check!(100000, op.aclopSetAttrInt(null_mut(), name, 1));
    check!(100000, op.aclopSetAttrInt(attr, null(), 1));
    check!(100000, op.aclopSetAttrString(attr, name, null()));
    check!(100000, op.aclopSetAttrListInt(attr, name, -1, null()));
    check!(100000, op.aclopSetAttrListInt(attr, name, 1, null()));
    check!(op.aclopSetAttrListInt(attr, name, 0, null()));
    check!(op.aclopSetAttrListBool(attr, name, 2, [0, 1].as_ptr()));
    check!(op.aclopSetAttrListFloat(attr, name, 1, [0.5].as_ptr()));
    check!(op.aclopSetAttrDataType(attr, name, ACL_FLOAT));
    check!(op.aclopSetAttrListDataType(attr, name, 1, [ACL_FLOAT].as_ptr()));
    let mut texts = [name, null()];
    check!(op.aclopSetAttrListString(attr, name, 1, texts.as_mut_ptr()));
    check!(
        100000,
        op.aclopSetAttrListString(attr, name, 2, texts.as_mut_ptr())
    );
    let (counts, list) = ([2, 1], [1, 2]);
    let lists = [list.as_ptr(), list.as_ptr()];
    check!(op.aclopSetAttrListListInt(attr, name, 2, counts.as_ptr(), lists.as_ptr()));
    call!(op.aclopDestroyAttr(attr));
    call!(op.aclopDestroyAttr(null()));
    check!(100000, op.aclopSetAttrInt(attr, name, 1));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::UsedAfterDestroy);
}

#[test]
fn descriptions_change_as_their_setters_say() {
    let _serial = start_checked();
    let x = desc(ACL_FLOAT, &[2, 3]);
    assert_eq!(call!(model.aclGetTensorDescDim(x, 1)), 3);
    assert_eq!(call!(model.aclGetTensorDescDim(x, 2)), -1);
    let mut range = [0; 2];
    check!(
        100000,
        model.aclGetTensorDescDimRange(x, 0, 2, range.as_mut_ptr())
    );
    let mut ranges = [[1, 9], [2, 8]];
    check!(model.aclSetTensorShapeRange(x, 2, ranges.as_mut_ptr()));
    check!(
        100000,
        model.aclGetTensorDescDimRange(x, 1, 1, range.as_mut_ptr())
    );
    check!(model.aclGetTensorDescDimRange(x, 1, 2, range.as_mut_ptr()));
    assert_eq!(range, [2, 8]);
    let name = |desc| {
        let name = call!(model.aclGetTensorDescName(desc));
        // SAFETY: a C string that lives as long as the name.
        unsafe { CStr::from_ptr(name) }
    };
    assert_eq!(name(x), c"");
    call!(model.aclSetTensorDescName(x, c"x".as_ptr()));
    assert_eq!(name(x), c"x");
    call!(model.aclSetTensorDescName(x, null()));
    assert_eq!(name(x), c"");
    assert_eq!(name(null_mut()), c"");
    check!(model.aclSetTensorOriginShape(x, 1, [5].as_ptr()));
    assert_eq!(call!(model.aclGetTensorDescElementCount(x)), 5);
    check!(model.aclSetTensorOriginFormat(x, ACL_FORMAT_NCHW));
    assert_eq!(call!(model.aclGetTensorDescFormat(x)), ACL_FORMAT_NCHW);
    // The storage does not change what a program asks for.
    check!(model.aclSetTensorShape(x, 1, [7].as_ptr()));
    check!(model.aclSetTensorStorageShape(x, 1, [7].as_ptr()));
    check!(model.aclSetTensorStorageFormat(x, ACL_FORMAT_NC1HWC0));
    assert_eq!(call!(model.aclGetTensorDescElementCount(x)), 5);
    assert_eq!(call!(model.aclGetTensorDescFormat(x)), ACL_FORMAT_NCHW);
    check!(100000, model.aclSetTensorShape(x, 1, null()));
    check!(100000, model.aclSetTensorShape(null_mut(), 1, null()));
    check!(model.aclSetTensorFormat(null_mut(), ACL_FORMAT_ND));
    check!(100000, model.aclSetTensorDynamicInput(x, null()));
    check!(model.aclSetTensorDynamicInput(x, c"x".as_ptr()));
    check!(model.aclSetTensorValueRange(x, 0, null_mut()));
    let mut word = 1_i32;
    let word = (&raw mut word).cast();
    check!(100000, model.aclSetTensorConst(x, null_mut(), 4));
    check!(100000, model.aclSetTensorConst(x, word, 0));
    check!(model.aclSetTensorConst(x, word, 4));
    assert_eq!(call!(model.aclGetTensorDescByIndex(x, 0)), x);
    assert!(call!(model.aclGetTensorDescByIndex(x, 1)).is_null());
    assert!(call!(model.aclGetTensorDescAddress(x)).is_null());
    call!(model.aclDestroyTensorDesc(x));
}

#[test]
fn options_of_compiling_are_kept() {
    let _serial = start_checked();
    check!(100000, op.aclSetCompileopt(ACL_PRECISION_MODE, null()));
    let value = c"must_keep_origin_dtype".as_ptr();
    check!(
        ACL_ERROR_FEATURE_UNSUPPORTED,
        op.aclSetCompileopt(ACL_AUTO_TUNE_MODE, value)
    );
    check!(
        ACL_ERROR_INTERNAL_ERROR,
        op.aclSetCompileopt(aclCompileOpt(17), value)
    );
    assert_eq!(call!(op.aclGetCompileoptSize(ACL_PRECISION_MODE)), 0);
    check!(op.aclSetCompileopt(ACL_PRECISION_MODE, value));
    assert_eq!(call!(op.aclGetCompileoptSize(ACL_PRECISION_MODE)), 23);
    assert_eq!(call!(op.aclGetCompileoptSize(ACL_OP_JIT_COMPILE)), 256);
    let mut room = [b'x' as _; 8];
    let to = room.as_mut_ptr();
    check!(
        ACL_ERROR_API_NOT_SUPPORT,
        op.aclGetCompileopt(ACL_PRECISION_MODE, to, 8)
    );
    check!(
        100000,
        op.aclGetCompileopt(ACL_OP_JIT_COMPILE, null_mut(), 8)
    );
    check!(
        ACL_ERROR_FAILURE,
        op.aclGetCompileopt(ACL_OP_JIT_COMPILE, to, 7)
    );
    check!(op.aclGetCompileopt(ACL_OP_JIT_COMPILE, to, 8));
    // SAFETY: a C string was written.
    assert_eq!(unsafe { CStr::from_ptr(to) }, c"disable");
    check!(op.aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ));
    check!(100000, op.aclopSetMaxOpQueueNum(0));
    check!(op.aclopSetMaxOpQueueNum(20000));
    let dump = call!(op.aclCreateGraphDumpOpt());
    check!(op.aclDestroyGraphDumpOpt(dump));
    check!(100000, op.aclDestroyGraphDumpOpt(null()));
}

#[test]
fn a_folder_has_the_operators_of_its_json_files() {
    let _serial = start_checked();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("operators_named");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("below")).unwrap();
    let path = CString::new(folder.to_str().unwrap()).unwrap();
    let set = || call!(op.aclopSetModelDir(path.as_ptr()));
    check!(100000, op.aclopSetModelDir(null()));
    check!(
        ACL_ERROR_READ_MODEL_FAILURE,
        op.aclopSetModelDir(c"/nowhere/at/all".as_ptr())
    );
    // Models of a card alone are of no use.
    std::fs::write(folder.join("0_Add.om"), b"IMOD").unwrap();
    assert_eq!(set(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert!(text().contains("put the JSON file that atc --singleop compiles into this folder"));
    let file = folder.join("below/ops.json");
    std::fs::write(&file, "[{\"input_desc\": []}]").unwrap();
    assert_eq!(set(), ACL_ERROR_READ_MODEL_FAILURE);
    assert!(
        text().contains("ops.json: an operator has no name in `op`"),
        "{}",
        text()
    );
    // A parser of JSON takes as much of the stack as a text is deep.
    std::fs::write(&file, "[".repeat(20_000)).unwrap();
    assert_eq!(set(), ACL_ERROR_READ_MODEL_FAILURE);
    assert!(text().contains("ops.json: it nests more than 32 deep"));
    let long = std::fs::File::create(&file).unwrap();
    long.set_len((64 << 20) + 1).unwrap();
    assert_eq!(set(), ACL_ERROR_READ_MODEL_FAILURE);
    assert!(text().contains("ops.json: it has more than 67108864 bytes"));
    let operand = |ty: &str| format!("{{\"format\":\"ND\",\"shape\":[3],\"type\":\"{ty}\"}}");
    let json = format!(
        "[{{\"op\":\"Cast\",\"input_desc\":[{}],\"output_desc\":[{}],\
         \"attr\":[{{\"name\":\"dst_type\",\"type\":\"int\",\"value\":1}}]}}]",
        operand("float"),
        operand("float16")
    );
    std::fs::write(&file, json).unwrap();
    assert_eq!(set(), 0, "{}", text());
    assert_eq!(set(), ACL_ERROR_REPEAT_INITIALIZE);
    let x = Operand::new(ACL_FLOAT, &[3], &[1., 2., 3.]);
    let out = Operand::room(ACL_FLOAT16, &[3]);
    let attr = attributes(&[(c"dst_type", Is::Whole(1))]);
    let mut cast = Arrays::new("Cast", &[&x], &[&out], attr);
    assert_eq!(cast.execute(null_mut()), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [1., 2., 3.]);
    call!(op.aclopDestroyAttr(attr));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_the_emulator_does_not_have_is_refused_with_a_text() {
    let _serial = start_checked();
    let (handle, name) = (without_provenance_mut(1), c"Add".as_ptr());
    check!(100000, op.aclopLoad(null(), 4));
    check!(100000, op.aclopLoad(name.cast(), 0));
    let not_supported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    check!(not_supported, op.aclopLoad(name.cast(), 3));
    assert!(text().contains("call aclopCompile instead"));
    check!(not_supported, op.aclopRegisterCompileFunc(name, None));
    check!(not_supported, op.aclopUnregisterCompileFunc(name));
    assert!(text().contains("kernels are programs for AI cores"));
    check!(
        not_supported,
        op.aclopSetKernelArgs(handle, name, 1, null(), 0)
    );
    let none = null_mut();
    check!(
        not_supported,
        op.aclopInferShape(name, 0, none, null_mut(), 0, null_mut(), null_mut())
    );
    assert!(text().contains("the compiler of operators does this"));
}
