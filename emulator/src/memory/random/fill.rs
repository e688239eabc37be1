//! The functions that fill memory with random numbers, by distribution and data type.

use ascendcl_sys::{
    ACL_BF16, ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK, ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS, ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
    ACL_UINT32, ACL_UINT64, aclDataType, aclrtRandomNumFuncType,
};
use half::{bf16, f16};

use super::distribution::{Normal, Number, Real, kept};
use super::generator::Words;

/// Stores a number of random numbers with these parameters. If the two parameters do not fit, all numbers are the
/// first parameter.
///
/// # Safety
///
/// - The memory is valid for writes of all results; a last partial byte of bits counts as a whole byte. It may be
///   unaligned.
type Fill = unsafe fn(*mut u8, usize, [u64; 2], &mut Words);

/// The implementation of one distribution for one data type. Parameters are passed as bits, and only the bits of the
/// data type count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// The bytes of a parameter.
    pub(super) parameter: usize,
    /// The bits of a result.
    pub(super) bits: usize,
    /// The check whether two parameters fit.
    pub(super) fits: fn([u64; 2]) -> bool,
    /// The function that makes the numbers.
    pub(super) fill: Fill,
}

impl Way {
    /// Returns the implementation for a function and a data type, if the function supports the type.
    pub(super) fn of(function: aclrtRandomNumFuncType, data: aclDataType) -> Option<Way> {
        let way = match function {
            ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK => match data {
                ACL_FLOAT => Way::dropout::<f32>(),
                ACL_FLOAT16 => Way::dropout::<f16>(),
                ACL_BF16 => Way::dropout::<bf16>(),
                _ => return None,
            },
            ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS => match data {
                ACL_FLOAT => Way::uniform::<f32>(),
                ACL_FLOAT16 => Way::uniform::<f16>(),
                ACL_BF16 => Way::uniform::<bf16>(),
                ACL_INT32 => Way::uniform::<i32>(),
                ACL_INT64 => Way::uniform::<i64>(),
                ACL_UINT32 => Way::uniform::<u32>(),
                ACL_UINT64 => Way::uniform::<u64>(),
                _ => return None,
            },
            ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS => match data {
                ACL_FLOAT => Way::normal::<f32>(normal::<f32>),
                ACL_FLOAT16 => Way::normal::<f16>(normal::<f16>),
                ACL_BF16 => Way::normal::<bf16>(normal::<bf16>),
                _ => return None,
            },
            ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS => match data {
                ACL_FLOAT => Way::normal::<f32>(truncated::<f32>),
                ACL_FLOAT16 => Way::normal::<f16>(truncated::<f16>),
                ACL_BF16 => Way::normal::<bf16>(truncated::<bf16>),
                _ => return None,
            },
            _ => return None,
        };
        Some(way)
    }

    /// Makes the implementation of a dropout with a ratio of this type.
    fn dropout<T: Real>() -> Way {
        Way {
            parameter: size_of::<T>(),
            bits: 1,
            fits: |_| true,
            fill: dropout::<T>,
        }
    }

    /// Makes the implementation of a uniform distribution of this type.
    fn uniform<T: Number>() -> Way {
        Way {
            parameter: size_of::<T>(),
            bits: 8 * size_of::<T>(),
            fits: |[min, max]| {
                let (min, max) = (T::from_parameter(min), T::from_parameter(max));
                T::is_range(min, max) || min == max
            },
            fill: uniform::<T>,
        }
    }

    /// Makes the implementation of a normal distribution of this type with the function `fill`.
    fn normal<T: Real>(fill: Fill) -> Way {
        Way {
            parameter: size_of::<T>(),
            bits: 8 * size_of::<T>(),
            fits: |_| true,
            fill,
        }
    }
}

/// # Safety
///
/// - The contract of [`Fill`] holds.
unsafe fn dropout<T: Real>(out: *mut u8, count: usize, [ratio, _]: [u64; 2], words: &mut Words) {
    let ratio = T::from_parameter(ratio).widen();
    let mut left = count;
    let byte = || {
        let byte = kept(words, ratio, left);
        left = left.saturating_sub(8);
        byte
    };
    // SAFETY: the caller's contract.
    unsafe { put(out, count.div_ceil(8), byte) };
}

/// # Safety
///
/// - The contract of [`Fill`] holds.
unsafe fn uniform<T: Number>(out: *mut u8, count: usize, [min, max]: [u64; 2], words: &mut Words) {
    let (min, max) = (T::from_parameter(min), T::from_parameter(max));
    let is_range = T::is_range(min, max);
    let number = || {
        if is_range {
            T::uniform(words, min, max)
        } else {
            min
        }
    };
    // SAFETY: the caller's contract.
    unsafe { put(out, count, number) };
}

/// # Safety
///
/// - The contract of [`Fill`] holds.
unsafe fn normal<T: Real>(out: *mut u8, count: usize, shape: [u64; 2], words: &mut Words) {
    let (mean, deviation) = mean_and_deviation::<T>(shape);
    let mut normal = Normal::default();
    let number = || normal.number(words, mean, deviation);
    // SAFETY: the caller's contract.
    unsafe { put(out, count, number) };
}

/// # Safety
///
/// - The contract of [`Fill`] holds.
unsafe fn truncated<T: Real>(out: *mut u8, count: usize, shape: [u64; 2], words: &mut Words) {
    let (mean, deviation) = mean_and_deviation::<T>(shape);
    let mut normal = Normal::default();
    let number = || normal.truncated(words, mean, deviation);
    // SAFETY: the caller's contract.
    unsafe { put(out, count, number) };
}

fn mean_and_deviation<T: Real>([mean, deviation]: [u64; 2]) -> (T, T) {
    (T::from_parameter(mean), T::from_parameter(deviation))
}

/// Stores contiguous elements.
///
/// # Safety
///
/// - `count` elements at `out` are valid for writes. They may be unaligned.
unsafe fn put<T>(out: *mut u8, count: usize, mut next: impl FnMut() -> T) {
    for index in 0..count {
        // SAFETY: inside of the range (the caller's contract).
        let place = unsafe { out.cast::<T>().add(index) };
        // SAFETY: inside of the range (the caller's contract).
        unsafe { place.write_unaligned(next()) };
    }
}
