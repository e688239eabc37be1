//! Creating and destroying tensors and scalars.

use core::ptr::{null, null_mut, without_provenance};

use ascendcl_sys::{structs::*, types::*};

use super::{
    super::{aclCreateScalar, aclCreateTensor, aclDestroyScalar, scalar::SCALARS},
    *,
};

#[test]
fn a_tensor_is_destroyed_once() {
    let tensor = tensor(&[2, 3]);
    assert_eq!(destroy(tensor), 0);
    assert_eq!(destroy(tensor), INVALID);
    assert_eq!(destroy(null()), 0);
    assert_eq!(destroy(without_provenance(0x1234)), INVALID);
}

#[test]
fn descriptions_that_are_possible() {
    let view = [2, 3];
    for wanted in [
        plain(&[]),
        plain(&[0]),
        plain(&[1; 8]),
        Wanted {
            strides: Some(&[1, 2]),
            ..plain(&view)
        },
        Wanted {
            strides: Some(&[0, 0]),
            storage: &[1],
            ..plain(&view)
        },
        Wanted {
            strides: Some(&[10, 3]),
            offset: 3,
            storage: &[20],
            ..plain(&view)
        },
        Wanted {
            view: &[4, 0],
            offset: 5,
            storage: &[5],
            ..plain(&view)
        },
        // CANN does not compare a view with the storage.
        Wanted {
            strides: Some(&[4, 1]),
            ..plain(&view)
        },
        Wanted {
            offset: 1,
            ..plain(&view)
        },
        Wanted {
            storage: &[5],
            ..plain(&view)
        },
        Wanted {
            storage: &[],
            ..plain(&view)
        },
        Wanted {
            view: &[0],
            offset: 6,
            storage: &[5],
            ..plain(&view)
        },
        Wanted {
            format: ACL_FORMAT_FRACTAL_NZ,
            storage: &[1, 1, 1, 6, 1],
            ..plain(&view)
        },
        Wanted {
            address: 0,
            ..plain(&view)
        },
        Wanted {
            dtype: ACL_COMPLEX64,
            ..plain(&view)
        },
    ] {
        let tensor = create(&wanted);
        assert!(!tensor.is_null(), "{:?} {:?}", wanted.view, wanted.strides);
        assert_eq!(destroy(tensor), 0);
    }
}

#[test]
fn descriptions_that_are_refused() {
    let view = [2, 3];
    let huge = [i64::MAX, 2];
    for wanted in [
        plain(&[-1]),
        plain(&huge),
        plain(&[i64::MAX]),
        Wanted {
            strides: Some(&[3, -1]),
            ..plain(&view)
        },
        Wanted {
            strides: Some(&[i64::MAX, 1]),
            ..plain(&view)
        },
        Wanted {
            strides: Some(&[0, 0]),
            storage: &huge,
            ..plain(&huge)
        },
        Wanted {
            offset: -1,
            ..plain(&view)
        },
        Wanted {
            offset: i64::MAX,
            ..plain(&view)
        },
        Wanted {
            storage: &[-6],
            ..plain(&view)
        },
        Wanted {
            dtype: ACL_DT_UNDEFINED,
            ..plain(&view)
        },
        Wanted {
            dtype: aclDataType(99),
            ..plain(&view)
        },
        Wanted {
            dtype: aclDataType(5),
            ..plain(&view)
        },
    ] {
        assert!(
            create(&wanted).is_null(),
            "{:?} {:?}",
            wanted.view,
            wanted.strides
        );
    }
}

#[test]
fn null_arrays_with_a_length_are_refused() {
    for (view, count, storage, storage_count, fine) in [
        (false, 1, true, 1, false),
        (true, 1, false, 1, false),
        (false, 0, false, 0, true),
        (false, u64::MAX, true, 1, false),
        (true, 1, true, u64::MAX, false),
    ] {
        let one = [1_i64];
        let at = |present: bool| if present { one.as_ptr() } else { null() };
        // SAFETY: each array is null, or its length is 1, or its length is so large that it is refused before it is
        // read.
        let tensor = unsafe {
            aclCreateTensor(
                at(view),
                count,
                ACL_FLOAT,
                null(),
                0,
                ACL_FORMAT_ND,
                at(storage),
                storage_count,
                null_mut(),
            )
        };
        assert_eq!(!tensor.is_null(), fine);
    }
}

fn destroy_scalar(scalar: *const aclScalar) -> aclnnStatus {
    // SAFETY: any value is allowed.
    unsafe { aclDestroyScalar(scalar) }
}

#[test]
fn scalars_of_every_real_type() {
    let cases = [
        (scalar(1.5_f32, ACL_FLOAT), 1.5, 1),
        (scalar(-2.5_f64, ACL_DOUBLE), -2.5, -2),
        (scalar(half::f16::from_f32(0.5), ACL_FLOAT16), 0.5, 0),
        (scalar(half::bf16::from_f32(3.0), ACL_BF16), 3.0, 3),
        (scalar(-3_i8, ACL_INT8), -3.0, -3_i64),
        (scalar(300_i16, ACL_INT16), 300.0, 300),
        (scalar(-70_000_i32, ACL_INT32), -70_000.0, -70_000),
        (
            scalar(1_i64 << 40, ACL_INT64),
            (1_i64 << 40) as f32,
            1 << 40,
        ),
        (scalar(255_u8, ACL_UINT8), 255.0, 255),
        (scalar(65_535_u16, ACL_UINT16), 65_535.0, 65_535),
        (scalar(u32::MAX, ACL_UINT32), u32::MAX as f32, 0xffff_ffff),
        (scalar(u64::MAX, ACL_UINT64), u64::MAX as f32, -1),
        (scalar(7_u8, ACL_BOOL), 1.0, 1),
    ];
    for (handle, float, integer) in cases {
        let value = SCALARS.get(handle.addr()).unwrap();
        assert_eq!(value.to_f32(), float);
        assert_eq!(value.to_whole().0, integer);
        assert_eq!(destroy_scalar(handle), 0);
        assert_eq!(destroy_scalar(handle), INVALID);
    }
    assert!(scalar(0_u64, ACL_COMPLEX64).is_null());
    assert!(scalar(0_u64, aclDataType(1000)).is_null());
    // SAFETY: null is refused before it is read.
    assert!(unsafe { aclCreateScalar(null_mut(), ACL_FLOAT) }.is_null());
    assert_eq!(destroy_scalar(null()), 0);
}
