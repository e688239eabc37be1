//! Arrays, lists and their elements, and the queries of tensors.

use core::ptr::{null, null_mut, without_provenance};

use super::*;

/// Returns the number of values according to a size function.
fn size<T>(
    ask: unsafe extern "C" fn(*const T, *mut u64) -> aclnnStatus,
    of: *const T,
) -> Result<u64, aclnnStatus> {
    let mut size = u64::MAX;
    // SAFETY: valid for a write.
    match unsafe { ask(of, &mut size) } {
        0 => Ok(size),
        code => Err(code),
    }
}

fn list_of(tensors: &[*mut aclTensor]) -> *mut aclTensorList {
    let first: *const *mut aclTensor = tensors.as_ptr();
    // SAFETY: the length is that of the slice.
    unsafe { aclCreateTensorList(first.cast(), tensors.len() as u64) }
}

/// Creates and destroys one array of each kind, with the values and without values.
macro_rules! check_array {
    ($values:expr, $create:ident, $destroy:ident, $size:ident) => {{
        let values = $values;
        // SAFETY: the length is that of the array.
        let array = unsafe { $create(values.as_ptr(), values.len() as u64) };
        assert_eq!(size($size, array), Ok(values.len() as u64));
        // SAFETY: nothing is read.
        let empty = unsafe { $create(null(), 0) };
        assert_eq!(size($size, empty), Ok(0));
        // SAFETY: null is refused before it is read.
        assert!(unsafe { $create(null(), 1) }.is_null());
        assert_eq!(size($size, null()), Err(NULLPTR));
        // SAFETY: null is refused.
        assert_eq!(unsafe { $size(array, null_mut()) }, NULLPTR);
        for (handle, code) in [(array, 0), (empty, 0), (null_mut(), 0), (array, INVALID)] {
            // SAFETY: any value is allowed.
            assert_eq!(unsafe { $destroy(handle) }, code);
        }
        assert_eq!(size($size, array), Err(INVALID));
    }};
}

#[test]
fn arrays_copy_their_values_and_go_once() {
    check_array!(
        [3i64, -1],
        aclCreateIntArray,
        aclDestroyIntArray,
        aclGetIntArraySize
    );
    check_array!(
        [1.5f32],
        aclCreateFloatArray,
        aclDestroyFloatArray,
        aclGetFloatArraySize
    );
    check_array!(
        [true; 5],
        aclCreateBoolArray,
        aclDestroyBoolArray,
        aclGetBoolArraySize
    );
}

#[test]
fn a_list_destroys_its_tensors() {
    let tensors = [tensor(&[2]), null_mut(), tensor(&[3])];
    let list = list_of(&tensors);
    assert_eq!(size(aclGetTensorListSize, list), Ok(3));
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyTensorList(list) }, 0);
    assert_eq!(destroy(tensors[0]), INVALID);
    assert_eq!(destroy(tensors[2]), INVALID);
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyTensorList(list) }, INVALID);
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyTensorList(null()) }, 0);
}

#[test]
fn a_tensor_that_was_destroyed_by_itself_is_told_and_the_others_go() {
    let tensors = [tensor(&[2]), tensor(&[3])];
    let list = list_of(&tensors);
    assert_eq!(destroy(tensors[0]), 0);
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyTensorList(list) }, INVALID);
    assert_eq!(destroy(tensors[1]), INVALID);
    assert_eq!(size(aclGetTensorListSize, list), Err(INVALID));
}

#[test]
fn a_list_takes_live_elements_of_its_kind_only() {
    let gone = tensor(&[1]);
    assert_eq!(destroy(gone), 0);
    assert!(list_of(&[gone]).is_null());
    let number = scalar(1.0f32, ACL_FLOAT);
    assert!(list_of(&[number.cast()]).is_null());
    let scalars: [*const aclScalar; 1] = [number];
    // SAFETY: the length is that of the array.
    let list = unsafe { aclCreateScalarList(scalars.as_ptr(), 1) };
    assert_eq!(size(aclGetScalarListSize, list), Ok(1));
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyScalarList(list) }, 0);
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclDestroyScalar(number) }, INVALID);
}

#[test]
fn a_tensor_tells_what_it_was_made_of() {
    let made = create(&Wanted {
        strides: Some(&[10, 3]),
        offset: 3,
        storage: &[20],
        dtype: ACL_INT64,
        format: ACL_FORMAT_NCHW,
        ..plain(&[2, 3])
    });
    for (ask, wanted) in [
        (
            aclGetViewShape as unsafe extern "C" fn(_, _, _) -> _,
            [2, 3],
        ),
        (aclGetViewStrides, [10, 3]),
    ] {
        let (mut values, mut count) = (null_mut(), 0);
        // SAFETY: both are valid for a write.
        let code = unsafe { ask(made.cast_const(), &mut values, &mut count) };
        assert_eq!(code, 0);
        assert_eq!(count, 2);
        // SAFETY: the array has two values.
        assert_eq!(unsafe { values.cast::<[i64; 2]>().read() }, wanted);
        // SAFETY: the test owns the array and does not use it again.
        unsafe { libc::free(values.cast()) };
        // SAFETY: null is refused.
        let code = unsafe { ask(made.cast_const(), null_mut(), &mut count) };
        assert_eq!(code, NULLPTR);
    }
    let (mut offset, mut format, mut dtype) = (0, ACL_FORMAT_ND, ACL_FLOAT);
    let mut address = null_mut();
    // SAFETY: valid for a write.
    assert_eq!(unsafe { aclGetViewOffset(made, &mut offset) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { aclGetFormat(made, &mut format) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { aclGetDataType(made, &mut dtype) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { aclGetRawTensorAddr(made, &mut address) }, 0);
    assert_eq!((offset, format, dtype), (3, ACL_FORMAT_NCHW, ACL_INT64));
    assert_eq!(address.addr(), SOMEWHERE);
    // SAFETY: null is refused.
    assert_eq!(unsafe { aclGetDataType(null(), &mut dtype) }, NULLPTR);
    // SAFETY: any value is allowed.
    let odd = unsafe { aclGetDataType(without_provenance(0x1234), &mut dtype) };
    assert_eq!(odd, INVALID);
    assert_eq!(destroy(made), 0);
    // SAFETY: a handle is looked up.
    assert_eq!(unsafe { aclGetDataType(made, &mut dtype) }, INVALID);
}

#[test]
fn aclnn_begins_and_ends_without_a_file() {
    // SAFETY: any value is allowed.
    assert_eq!(unsafe { aclnnInit(null()) }, 0);
    // SAFETY: no preconditions.
    assert_eq!(unsafe { aclnnFinalize() }, 0);
}
