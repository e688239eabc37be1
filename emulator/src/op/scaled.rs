//! The last step of a kernel for rows: numbers are multiplied by a factor and become elements next to each other. A chunk is
//! multiplied, converted and stored in registers.

use ascendcl_sys::aclDataType;

use super::number::Number;

/// Stores numbers, each times a factor, as elements next to each other. With `true`, elements at an aligned address bypass
/// the caches; the caller calls `finish_streaming` after the last ones.
///
/// # Safety
///
/// - As many elements as there are numbers are writable at the address.
/// - No other thread reads or writes these elements during the call.
/// - The function comes from [`Scaled::storer_of_products`] on this processor.
pub(super) type StoreProducts<W> = unsafe fn(&[W], W, *mut u8, bool);

/// A type of number whose products are stored in one step.
pub(super) trait Scaled: Number {
    /// Returns the function that stores products as elements of a data type. Returns `None` if the type of number has no
    /// such function for it, or the processor lacks the instructions.
    fn storer_of_products(_: aclDataType) -> Option<StoreProducts<Self>> {
        None
    }
}

impl Scaled for f64 {}

impl Scaled for f32 {
    #[cfg(target_arch = "x86_64")]
    fn storer_of_products(dtype: aclDataType) -> Option<StoreProducts<f32>> {
        use ascendcl_sys::{ACL_BF16, ACL_FLOAT, ACL_FLOAT16};
        let _ = super::machine::Avx2::detect()?;
        match dtype {
            ACL_FLOAT => Some(x86::store::<f32>),
            ACL_FLOAT16 => Some(x86::store::<half::f16>),
            ACL_BF16 => Some(x86::store::<half::bf16>),
            _ => None,
        }
    }
}

/// The functions for processors with vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::element::{CHUNK, Element};
    use super::super::machine::{Avx2, STREAM_ALIGN, stream};

    /// Stores numbers as elements of one type.
    ///
    /// # Safety
    ///
    /// - The contract of [`StoreProducts`](super::StoreProducts) holds.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn store<T: Element<Wide = f32>>(
        numbers: &[f32],
        factor: f32,
        to: *mut u8,
        bypasses: bool,
    ) {
        let Some(machine) = Avx2::detect() else {
            return;
        };
        let to = to.cast::<T>();
        let bypasses = bypasses && to.addr().is_multiple_of(STREAM_ALIGN);
        let (chunks, rest) = numbers.as_chunks::<CHUNK>();
        for (index, chunk) in chunks.iter().enumerate() {
            let elements = products::<T>(machine, chunk, factor);
            let place = to.wrapping_add(index * CHUNK);
            if bypasses {
                // SAFETY: the caller's contract. The first place is aligned, and the size of a chunk is a multiple of the
                // alignment, so all places are aligned.
                unsafe { stream(place, &elements) };
            } else {
                // SAFETY: the caller's contract.
                unsafe { place.cast::<[T; CHUNK]>().write_unaligned(elements) };
            }
        }
        let mut chunk = [0.0; CHUNK];
        for (one, number) in chunk.iter_mut().zip(rest) {
            *one = *number;
        }
        let first = numbers.len() - rest.len();
        let elements = products::<T>(machine, &chunk, factor);
        for (position, element) in (first..numbers.len()).zip(elements) {
            // SAFETY: the caller's contract.
            unsafe { to.wrapping_add(position).write_unaligned(element) };
        }
    }

    /// Multiplies and converts a chunk.
    #[inline(always)]
    fn products<T: Element<Wide = f32>>(
        machine: Avx2,
        chunk: &[f32; CHUNK],
        factor: f32,
    ) -> [T; CHUNK] {
        let mut products = [0.0; CHUNK];
        for (product, number) in products.iter_mut().zip(chunk) {
            *product = *number * factor;
        }
        T::narrow(machine, &products)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "a failed step is a failed test")]
    use ascendcl_sys::{ACL_BF16, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16};

    use super::super::machine::{STREAM_ALIGN, finish_streaming};
    use super::*;

    #[test]
    fn products_are_those_that_are_stored_in_two_steps() {
        const LENGTH: usize = 1000;
        const FACTOR: f32 = 0.37;
        let bits = |index: usize| (index as u32).wrapping_mul(0x9e37_79b9);
        let mut numbers: Vec<f32> = (0..LENGTH).map(|one| f32::from_bits(bits(one))).collect();
        numbers[..4].copy_from_slice(&[f32::NAN, f32::INFINITY, -0.0, 1e-40]);
        for (dtype, size) in [(ACL_FLOAT, 4), (ACL_FLOAT16, 2), (ACL_BF16, 2)] {
            let Some(store) = f32::storer_of_products(dtype) else {
                continue;
            };
            for len in [0, 1, 31, 32, 33, 64, LENGTH] {
                let numbers = &numbers[..len];
                let products: Vec<f32> = numbers.iter().map(|one| one * FACTOR).collect();
                let mut expected = vec![0u8; len * size];
                // SAFETY: the vector has room for the elements.
                unsafe { f32::store(dtype, &products, expected.as_mut_ptr(), size) };
                let mut room = vec![0xa5u8; (LENGTH + 16) * size + STREAM_ALIGN];
                for (shift, bypasses) in [(0, false), (0, true), (1, false), (1, true)] {
                    room.fill(0xa5);
                    let first = room.as_ptr().align_offset(STREAM_ALIGN) + shift;
                    // SAFETY: the room behind `first` is larger than the elements, and the processor was asked.
                    unsafe { store(numbers, FACTOR, room[first..].as_mut_ptr(), bypasses) };
                    finish_streaming();
                    let end = first + len * size;
                    let is_nan = |one: &[u8]| match dtype {
                        ACL_FLOAT => f32::from_ne_bytes([one[0], one[1], one[2], one[3]]).is_nan(),
                        ACL_FLOAT16 => half::f16::from_ne_bytes([one[0], one[1]]).is_nan(),
                        _ => half::bf16::from_ne_bytes([one[0], one[1]]).is_nan(),
                    };
                    for (got, expected) in room[first..end].chunks(size).zip(expected.chunks(size))
                    {
                        let is_same = got == expected || (is_nan(got) && is_nan(expected));
                        assert!(is_same, "{dtype:?}: {got:x?} instead of {expected:x?}");
                    }
                    let mut others = room[..first].iter().chain(&room[end..]);
                    assert!(others.all(|one| *one == 0xa5), "{dtype:?}, {len} elements");
                }
            }
        }
    }

    #[test]
    fn other_types_have_no_such_function() {
        assert!(f32::storer_of_products(ACL_DOUBLE).is_none());
        assert!(f64::storer_of_products(ACL_DOUBLE).is_none());
    }
}
