//! Loads, sizes, options and unloading.

use std::ffi::{CString, c_char, c_void};
use std::path::PathBuf;
use std::ptr::{from_ref, null, null_mut};

use ascendcl_sys::*;

use crate::common::*;
use crate::engine::{DAMAGED, SUM, UNKNOWN, UNSUPPORTED, file, offline};
use crate::{load, start};

/// Writes a file and returns its path.
fn written(name: &str, content: &[u8]) -> CString {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    CString::new(path.to_str().unwrap()).unwrap()
}

#[test]
fn a_path_is_checked_before_the_place_for_the_id_and_the_content_after_it() {
    let _serial = start();
    let mut id = 7;
    check!(100000, model.aclmdlLoadFromFile(null(), &mut id));
    let missing = c"/nowhere/model.onnx".as_ptr();
    check!(145002, model.aclmdlLoadFromFile(missing, null_mut()));
    assert!(text().contains("/nowhere/model.onnx cannot be read: No such file"));
    check!(145002, model.aclmdlLoadFromFile(c"/tmp".as_ptr(), &mut id));
    assert!(text().contains("it is empty, or no file"));
    let empty = written("empty.onnx", &[]);
    check!(145002, model.aclmdlLoadFromFile(empty.as_ptr(), &mut id));
    let wrong = written("wrong.onnx", b"not a model");
    check!(100000, model.aclmdlLoadFromFile(wrong.as_ptr(), null_mut()));
    check!(145006, model.aclmdlLoadFromFile(wrong.as_ptr(), &mut id));
    assert!(text().contains("neither an ONNX file nor an offline model"));
    assert_eq!(id, 7);
}

#[test]
fn a_model_in_memory_is_checked_for_null_then_size_then_the_place_for_the_id() {
    let _serial = start();
    let (bytes, mut id) = (file(SUM), 0);
    let from = bytes.as_ptr().cast::<c_void>();
    check!(100000, model.aclmdlLoadFromMem(null(), 5, &mut id));
    check!(100000, model.aclmdlLoadFromMem(from, 0, &mut id));
    check!(
        100000,
        model.aclmdlLoadFromMem(from, bytes.len(), null_mut())
    );
    // A graph that is not complete.
    check!(
        145006,
        model.aclmdlLoadFromMem(from, bytes.len() - 1, &mut id)
    );
}

#[test]
fn an_offline_model_is_recognised_and_refused_with_what_to_do() {
    let _serial = start();
    let mut id = 0;
    let whole = offline(40);
    check!(
        207000,
        model.aclmdlLoadFromMem(whole.as_ptr().cast(), whole.len(), &mut id)
    );
    assert!(text().contains("atc has compiled for a card"));
    for part in [100, 256, 295] {
        check!(
            145006,
            model.aclmdlLoadFromMem(whole.as_ptr().cast(), part, &mut id)
        );
        assert!(text().contains("its length is not that of its header"));
    }
    let mut endless = vec![0xff; 300];
    endless[..4].copy_from_slice(b"IMOD");
    check!(
        145006,
        model.aclmdlLoadFromMem(endless.as_ptr().cast(), endless.len(), &mut id)
    );
}

#[test]
fn the_engine_gives_the_reason_for_a_file_that_it_does_not_run() {
    let _serial = start();
    let mut id = 0;
    for (model, code, reason) in [
        (UNSUPPORTED, 207000, "the operator Loop is missing"),
        (
            DAMAGED,
            145006,
            "the ONNX file is damaged: the graph ends too early",
        ),
        (UNKNOWN, 207000, "inputs of unknown shape"),
    ] {
        let bytes = file(model);
        check!(
            code,
            model.aclmdlLoadFromMem(bytes.as_ptr().cast(), bytes.len(), &mut id)
        );
        assert!(text().contains(reason), "{reason}");
    }
}

#[test]
fn ids_count_upward_and_a_load_that_fails_late_uses_one() {
    let _serial = start();
    let first = load(SUM);
    check!(model.aclmdlUnload(first));
    let second = load(SUM);
    assert_eq!(second, first + 1);
    let (bytes, mut id) = (file(UNSUPPORTED), 0);
    check!(
        207000,
        model.aclmdlLoadFromMem(bytes.as_ptr().cast(), bytes.len(), &mut id)
    );
    let third = load(SUM);
    assert_eq!(third, second + 2);
    check!(model.aclmdlUnload(second));
    check!(145003, model.aclmdlUnload(second));
    check!(model.aclmdlUnload(third));
    check!(145003, model.aclmdlUnload(0));
}

#[test]
fn a_load_needs_initialisation_and_then_a_context_and_an_unload_neither() {
    let _serial = start();
    let (bytes, mut id) = (file(SUM), 0);
    let from = bytes.as_ptr().cast::<c_void>();
    let loaded = load(SUM);
    check!(device.aclrtResetDevice(0));
    check!(107002, model.aclmdlLoadFromMem(from, bytes.len(), &mut id));
    check!(runtime.aclFinalize());
    check!(145001, model.aclmdlLoadFromMem(from, bytes.len(), &mut id));
    let (mut work, mut weights) = (0, 0);
    check!(
        145001,
        model.aclmdlQuerySizeFromMem(from, bytes.len(), &mut work, &mut weights)
    );
    check!(model.aclmdlUnload(loaded));
}

#[test]
fn sizes_are_those_that_a_load_wants() {
    let _serial = start();
    let path = written("sum.onnx", &file(SUM));
    let (mut work, mut weights, mut id) = (0, 0, 0);
    check!(
        100000,
        model.aclmdlQuerySize(null(), &mut work, &mut weights)
    );
    check!(
        145002,
        model.aclmdlQuerySize(c"/nowhere".as_ptr(), null_mut(), &mut weights)
    );
    check!(
        100000,
        model.aclmdlQuerySize(path.as_ptr(), null_mut(), &mut weights)
    );
    check!(
        100000,
        model.aclmdlQuerySize(path.as_ptr(), &mut work, null_mut())
    );
    check!(model.aclmdlQuerySize(path.as_ptr(), &mut work, &mut weights));
    assert_eq!((work, weights), (512, 1024));
    let wrong = b"not a model";
    check!(
        145000,
        model.aclmdlQuerySizeFromMem(wrong.as_ptr().cast(), wrong.len(), &mut work, &mut weights)
    );
    check!(
        100000,
        model.aclmdlQuerySizeFromMem(null(), 1, &mut work, &mut weights)
    );

    let (mut room, mut other) = (null_mut(), null_mut());
    check!(memory.aclrtMalloc(&mut room, work, ACL_MEM_MALLOC_HUGE_FIRST));
    check!(memory.aclrtMalloc(&mut other, weights, ACL_MEM_MALLOC_HUGE_FIRST));
    let path = path.as_ptr();
    check!(
        145000,
        model.aclmdlLoadFromFileWithMem(path, &mut id, room, work - 1, other, weights)
    );
    assert!(text().contains("workSize is 511, and the model needs 512 bytes"));
    check!(
        145000,
        model.aclmdlLoadFromFileWithMem(path, &mut id, room, work - 1, other, weights - 1)
    );
    assert!(text().contains("weightSize is 1023"));
    // A null pointer asks the runtime for memory, whatever the size.
    check!(model.aclmdlLoadFromFileWithMem(path, &mut id, null_mut(), 1, null_mut(), 1));
    check!(model.aclmdlUnload(id));
    let bytes = file(SUM);
    check!(model.aclmdlLoadFromMemWithMem(
        bytes.as_ptr().cast(),
        bytes.len(),
        &mut id,
        room,
        work,
        other,
        weights
    ));
    check!(model.aclmdlUnload(id));
    check!(memory.aclrtFree(room));
    check!(memory.aclrtFree(other));
}

/// Sets an option to a value.
fn set<T>(config: *mut aclmdlConfigHandle, attr: aclmdlConfigAttr, value: T) -> aclError {
    call!(model.aclmdlSetConfigOpt(config, attr, from_ref(&value).cast(), size_of::<T>()))
}

#[test]
fn options_are_checked_when_they_are_set_and_again_by_the_load() {
    let _serial = start();
    let (bytes, path) = (file(SUM), written("config.onnx", &file(SUM)));
    let mut id = 0;
    check!(100000, model.aclmdlLoadWithConfig(null(), &mut id));
    check!(100000, model.aclmdlDestroyConfigHandle(null_mut()));
    let config = call!(model.aclmdlCreateConfigHandle());
    let one = 1_usize;
    check!(
        100000,
        model.aclmdlSetConfigOpt(null_mut(), ACL_MDL_PRIORITY_INT32, from_ref(&one).cast(), 4)
    );
    check!(
        100000,
        model.aclmdlSetConfigOpt(config, ACL_MDL_PRIORITY_INT32, null(), 4)
    );
    for (code, answer) in [
        (100000, set(config, ACL_MDL_PRIORITY_INT32, 8_i32)),
        (100000, set(config, ACL_MDL_PRIORITY_INT32, 1_u64)),
        (0, set(config, ACL_MDL_PRIORITY_INT32, 7_i32)),
        (100000, set(config, ACL_MDL_LOAD_TYPE_SIZET, 7_usize)),
        (100000, set(config, ACL_MDL_PATH_PTR, null::<c_char>())),
        (100000, set(config, ACL_MDL_MEM_ADDR_PTR, null::<c_void>())),
        (100000, set(config, ACL_MDL_WORKSPACE_MEM_OPTIMIZE, 2_usize)),
        (100000, set(config, ACL_MDL_KERNEL_PTR, 1_usize)),
        (100000, set(config, aclmdlConfigAttr(0xffff), 1_usize)),
    ] {
        assert_eq!(answer, code, "{}", text());
    }
    // Neither a file nor memory comes before the place for the id, and that before the way to load.
    check!(100000, model.aclmdlLoadWithConfig(config, null_mut()));
    assert!(text().contains("neither a file nor a model in memory"));
    assert_eq!(set(config, ACL_MDL_MEM_ADDR_PTR, bytes.as_ptr()), 0);
    assert_eq!(set(config, ACL_MDL_MEM_SIZET, bytes.len()), 0);
    check!(100000, model.aclmdlLoadWithConfig(config, null_mut()));
    assert!(text().contains("modelId is NULL"));
    check!(100000, model.aclmdlLoadWithConfig(config, &mut id));
    assert!(text().contains("ACL_MDL_LOAD_TYPE_SIZET is not set"));
    assert_eq!(
        set(config, ACL_MDL_LOAD_TYPE_SIZET, ACL_MDL_LOAD_FROM_MEM),
        0
    );
    check!(model.aclmdlLoadWithConfig(config, &mut id));
    check!(model.aclmdlUnload(id));
    assert_eq!(
        set(
            config,
            ACL_MDL_LOAD_TYPE_SIZET,
            ACL_MDL_LOAD_FROM_FILE_WITH_MEM
        ),
        0
    );
    check!(100000, model.aclmdlLoadWithConfig(config, &mut id));
    assert_eq!(set(config, ACL_MDL_PATH_PTR, path.as_ptr()), 0);
    assert_eq!(set(config, ACL_MDL_WORKSPACE_ADDR_PTR, 64_usize), 0);
    assert_eq!(set(config, ACL_MDL_WORKSPACE_SIZET, 1_usize), 0);
    check!(145000, model.aclmdlLoadWithConfig(config, &mut id));
    assert_eq!(set(config, ACL_MDL_WORKSPACE_ADDR_PTR, 0_usize), 0);
    assert_eq!(set(config, ACL_MDL_WEIGHT_SIZET, 1_usize), 0);
    check!(model.aclmdlLoadWithConfig(config, &mut id));
    check!(model.aclmdlUnload(id));
    check!(model.aclmdlDestroyConfigHandle(config));
    check!(100000, model.aclmdlLoadWithConfig(config, &mut id));
}
