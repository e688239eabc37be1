//! Scalars: host values with a data type (`aclnn/acl_meta.h`).

use core::ffi::c_void;

use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT16, ACL_INT32,
    ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclScalar, aclnnStatus,
};
use half::{bf16, f16};

use crate::check;
use crate::error::fail;
use crate::handles::registry::Registry;

use super::dtype::{Kind, kind};
use super::number::{Number, Whole};

/// All scalars that exist. Streams have the letter S.
pub(super) static SCALARS: Registry<Scalar> = Registry::new(0x41);

/// The value of a scalar, with its data type.
#[derive(Debug, Clone, Copy)]
pub struct Scalar {
    dtype: aclDataType,
    value: Value,
}

/// The value, in the widest type of its kind.
#[derive(Debug, Clone, Copy)]
enum Value {
    Floating(f64),
    // It is wide enough for signed and unsigned 64 bits.
    Integer(i128),
}

impl Scalar {
    /// Returns the data type.
    #[must_use]
    pub fn dtype(self) -> aclDataType {
        self.dtype
    }

    /// Returns the value for an operator that computes in single precision.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        // CAST: to the nearest float; a factor that is too large becomes infinite.
        match self.value {
            Value::Floating(value) => value as f32,
            Value::Integer(value) => value as f32,
        }
    }

    /// Returns the value for an operator that computes in double precision.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        // CAST: to the nearest.
        match self.value {
            Value::Floating(value) => value,
            Value::Integer(value) => value as f64,
        }
    }

    /// Returns the value for an operator on integers: the lower 64 bits of the value without its fraction.
    #[must_use]
    pub fn to_whole(self) -> Whole {
        // CAST: the conversion of the arithmetic modulo 2^64.
        match self.value {
            Value::Floating(value) => Whole(value as i64),
            Value::Integer(value) => Whole(value as i64),
        }
    }

    /// Returns whether a data type has numbers as large as the value.
    pub(super) fn fits(self, dtype: aclDataType) -> bool {
        let (least, most) = match dtype {
            ACL_FLOAT16 => (f64::from(f16::MIN), f64::from(f16::MAX)),
            ACL_BF16 => (f64::from(bf16::MIN), f64::from(bf16::MAX)),
            ACL_FLOAT => (f64::from(f32::MIN), f64::from(f32::MAX)),
            ACL_INT8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
            ACL_INT16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
            ACL_INT32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
            ACL_UINT8 => (0.0, f64::from(u8::MAX)),
            ACL_UINT16 => (0.0, f64::from(u16::MAX)),
            ACL_UINT32 => (0.0, f64::from(u32::MAX)),
            ACL_BOOL => (0.0, 1.0),
            // A scalar has at most 64 bits.
            _ => return true,
        };
        let value = self.to_f64();
        !value.is_finite() || (least..=most).contains(&value)
    }

    /// Returns the bits of the value as an element of a data type.
    pub(super) fn bits(self, dtype: aclDataType) -> u64 {
        let mut bytes = [0; 8];
        if kind(dtype) == Some(Kind::Floating) {
            // SAFETY: an element has at most eight bytes.
            unsafe { f64::store(dtype, &[self.to_f64()], bytes.as_mut_ptr(), 0) };
        } else {
            // SAFETY: an element has at most eight bytes.
            unsafe { Whole::store(dtype, &[self.to_whole()], bytes.as_mut_ptr(), 0) };
        }
        u64::from_le_bytes(bytes)
    }

    /// Makes a scalar from a whole number that C passes by value.
    pub(super) fn whole(value: i64) -> Self {
        Self {
            dtype: ACL_INT64,
            value: Value::Integer(value.into()),
        }
    }

    /// Makes a scalar from a floating-point number that C passes by value.
    pub(super) fn floating(value: f64) -> Self {
        Self {
            dtype: ACL_DOUBLE,
            value: Value::Floating(value),
        }
    }
}

/// Copies one host value into a scalar.
///
/// Returns null, with a text for `aclGetRecentErrMsg`, for a null value and for a data type that is not a real number
/// (complex, string, narrower than a byte).
///
/// # Safety
///
/// - `value` is null or points to a value of `dataType`.
pub unsafe extern "C" fn aclCreateScalar(
    value: *mut c_void,
    dataType: aclDataType,
) -> *mut aclScalar {
    if value.is_null() {
        fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("aclCreateScalar: the value is null"),
        );
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's contract.
    let Some(value) = (unsafe { read(value, dataType) }) else {
        fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!("aclCreateScalar: scalars of {dataType:?} are not modelled"),
        );
        return core::ptr::null_mut();
    };
    match SCALARS.insert(Scalar {
        dtype: dataType,
        value,
    }) {
        Some(handle) => {
            check::tell("aclCreateScalar", &|checker, site| {
                checker.created(handle, check::SCALAR, site);
            });
            core::ptr::without_provenance_mut(handle)
        }
        None => core::ptr::null_mut(),
    }
}

/// Releases a scalar. Null is allowed. Returns 161002 for a handle of no live scalar.
///
/// # Safety
///
/// None: any value is allowed, because handles are looked up and never dereferenced.
pub unsafe extern "C" fn aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus {
    // CANN accepts null too (published source of opbase).
    if scalar.is_null() {
        return 0;
    }
    let call = "aclDestroyScalar";
    if SCALARS.remove(scalar.addr()) {
        check::tell(call, &|checker, site| {
            checker.destroyed(scalar.addr(), &site);
        });
        return 0;
    }
    check::tell(call, &|checker, site| {
        checker.stale(check::SCALAR, scalar.addr(), site);
    });
    fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!(
            "aclDestroyScalar: {:#x} is not a scalar, or was destroyed already",
            scalar.addr()
        ),
    )
}

/// Reads a value by its data type; `None` if the type is not a real number.
///
/// # Safety
///
/// - `value` points to a value of `dtype`.
unsafe fn read(value: *const c_void, dtype: aclDataType) -> Option<Value> {
    /// Reads one of the types below: floats through `f64`, integers through `i128`, both lossless.
    macro_rules! read_as {
        ($ty:ty, $kind:ident) => {{
            // SAFETY: the caller's contract; any bits are a value of these types.
            let value = unsafe { value.cast::<$ty>().read_unaligned() };
            Value::$kind(value.into())
        }};
    }
    Some(match dtype {
        ACL_FLOAT => read_as!(f32, Floating),
        ACL_FLOAT16 => read_as!(f16, Floating),
        ACL_BF16 => read_as!(bf16, Floating),
        ACL_DOUBLE => read_as!(f64, Floating),
        ACL_INT8 => read_as!(i8, Integer),
        ACL_INT16 => read_as!(i16, Integer),
        ACL_INT32 => read_as!(i32, Integer),
        ACL_INT64 => read_as!(i64, Integer),
        ACL_UINT8 => read_as!(u8, Integer),
        ACL_UINT16 => read_as!(u16, Integer),
        ACL_UINT32 => read_as!(u32, Integer),
        ACL_UINT64 => read_as!(u64, Integer),
        ACL_BOOL => {
            // Read as a byte, since C may have stored other values than 0 and 1.
            // SAFETY: the caller's contract.
            let byte = unsafe { value.cast::<u8>().read_unaligned() };
            Value::Integer(i128::from(byte != 0))
        }
        _ => return None,
    })
}
