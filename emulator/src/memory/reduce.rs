//! Reductions of one range into another (`acl/acl_rt.h`).
//!
//! The manual of the A2 products lists the data types. These are assumptions: whole numbers wrap around, numbers of
//! half precision are added in single precision and rounded once, and the codes of refused calls. The result of
//! `ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL` is not documented, so it is refused.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_BF16, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT16,
    ACL_INT32, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, aclDataType, aclError,
    aclrtReduceKind, aclrtStream,
};
use half::{bf16, f16};

use crate::check::{self, InPlace, Touch};
use crate::engine::kernel::{Mapped, Span, submit_kernel};
use crate::engine::submit;
use crate::error::fail;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::results::list_of;

/// Combines a number of elements of the second range into the first range.
type Combine = unsafe fn(*mut u8, *const u8, usize);

pub(crate) unsafe extern "C" fn aclrtReduceAsync(
    dst: *mut c_void,
    src: *const c_void,
    count: u64,
    kind: aclrtReduceKind,
    type_: aclDataType,
    stream: aclrtStream,
    reserve: *mut c_void,
) -> aclError {
    let call = "aclrtReduceAsync";
    attempt!(not_null(call, "dst", dst));
    attempt!(not_null(call, "src", src));
    if !reserve.is_null() {
        return invalid(call, format_args!("reserve is {reserve:p}; pass NULL"));
    }
    let checked = choose(call, kind, type_).and_then(|(size, combine)| {
        submit::find(call, stream)?;
        let len = elements(call, [dst.addr(), src.addr()], count, size)? * size;
        Ok((len, size, combine))
    });
    let (len, size, combine) = attempt!(checked);
    let span = |address, write| Span {
        address,
        len,
        write,
        dense: true,
        scratch: false,
    };
    let spans = vec![
        span(src.addr(), false),
        span(dst.addr(), false),
        span(dst.addr(), true),
    ];
    check::tell(call, &|checker, site| {
        let touches = list_of(spans.iter().map(Touch::from));
        checker.overlaps(&touches, InPlace::All, &site);
    });
    let kernel = move |mapped: &[Mapped]| {
        if let [from, _, to] = mapped {
            // SAFETY: both ranges have `len` bytes (the invariant of `Mapped`), which are `len / size` elements.
            unsafe { combine(to.pointer, from.pointer, len / size) };
        }
    };
    submit_kernel(stream, call, spans, Arc::new(kernel))
}

/// Returns the size of an element and the function that combines elements.
fn choose(
    call: &str,
    kind: aclrtReduceKind,
    of: aclDataType,
) -> Result<(usize, Combine), aclError> {
    /// Makes a function that combines elements. Narrow elements are computed in a wider type, all others in their own
    /// type.
    macro_rules! combine {
        ($T:ty, $sum:expr, $max:expr, $min:expr) => {
            match kind {
                ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM => each!($T, $sum),
                ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX => each!($T, $max),
                ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN => each!($T, $min),
                ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL => {
                    return Err(fail(
                        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        format_args!(
                            "{call} failed: kind {kind:?} is not modelled; pass the kind of a sum, a \
                             maximum or a minimum"
                        ),
                    ));
                }
                _ => {
                    return Err(invalid_below(call, format_args!(
                            "kind {kind:?} is none; pass the kind of a sum, a maximum or a \
                             minimum"
                        ),
                    ));
                }
            }
        };
    }
    macro_rules! each {
        ($T:ty, $combine:expr) => {
            (size_of::<$T>(), |to, from, count| {
                let (to, from) = (to.cast::<$T>(), from.cast::<$T>());
                let combine: fn($T, $T) -> $T = $combine;
                for index in 0..count {
                    let to = to.wrapping_add(index);
                    // SAFETY: this is an element of the range (the caller's contract).
                    let other = unsafe { from.wrapping_add(index).read_unaligned() };
                    // SAFETY: this is an element of the range (the caller's contract).
                    let own = unsafe { to.read_unaligned() };
                    // SAFETY: this is an element of the range (the caller's contract).
                    unsafe { to.write_unaligned(combine(own, other)) };
                }
            })
        };
    }
    macro_rules! narrow {
        ($T:ty) => {
            combine!(
                $T,
                |a, b| <$T>::from_f32(a.to_f32() + b.to_f32()),
                |a, b| <$T>::from_f32(a.to_f32().max(b.to_f32())),
                |a, b| <$T>::from_f32(a.to_f32().min(b.to_f32()))
            )
        };
    }
    macro_rules! whole {
        ($T:ty) => {
            combine!($T, <$T>::wrapping_add, <$T>::max, <$T>::min)
        };
    }
    Ok(match of {
        ACL_INT8 => whole!(i8),
        ACL_INT16 => whole!(i16),
        ACL_INT32 => whole!(i32),
        ACL_FLOAT16 => narrow!(f16),
        ACL_BF16 => narrow!(bf16),
        ACL_FLOAT => combine!(f32, |a, b| a + b, f32::max, f32::min),
        _ => {
            return Err(invalid(
                call,
                format_args!(
                    "type is {of:?}; pass ACL_INT8, ACL_INT16, ACL_INT32, ACL_FLOAT16, \
                     ACL_BF16 or ACL_FLOAT"
                ),
            ));
        }
    })
}

/// Returns the number of elements in `count` bytes. Zero bytes, partial elements and addresses that are not aligned
/// are refused.
fn elements(call: &str, addresses: [usize; 2], count: u64, size: usize) -> Result<usize, aclError> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let aligned = addresses.iter().all(|address| address.is_multiple_of(size));
    if count > 0 && count.is_multiple_of(size) && aligned {
        return Ok(count / size);
    }
    Err(invalid_below(
        call,
        format_args!(
            "count is {count}, the addresses are {addresses:#x?}; pass bytes of whole elements at \
             multiples of {size}"
        ),
    ))
}
