//! The reference implementation for the kernels, which uses only index arithmetic.

use half::{bf16, f16};

use super::super::{
    element::{Arithmetic, Element, Function},
    kernel::{Views, run},
    shape::{Dims, Nest, broadcast},
};

/// A view of a vector.
#[derive(Debug, Clone)]
pub(super) struct View<T> {
    pub(super) data: Vec<T>,
    pub(super) shape: Vec<usize>,
    pub(super) strides: Vec<usize>,
    pub(super) offset: usize,
}

/// A data type for the tests: values, and an equality that treats all NaN as equal.
pub(super) trait Sample: Element + std::fmt::Debug {
    fn sample(seed: u64) -> Self;
    fn wide(self) -> Self::Wide;
    fn rounded(wide: Self::Wide) -> Self;
    fn same(self, other: Self) -> bool;
}

/// A pseudo-random number.
pub(super) fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

macro_rules! sample_float {
    ($($ty:ident, $bits:ty, $wide:expr, $round:expr;)*) => {$(
        impl Sample for $ty {
            fn sample(seed: u64) -> Self {
                // Sometimes any bits: infinities, NaN, subnormal numbers, negative zero.
                match mix(seed) % 8 {
                    0 => Self::from_bits(mix(seed ^ 1) as $bits),
                    1 => $round(-0.0_f32),
                    _ => $round((mix(seed ^ 2) as i16) as f32 / 64.0),
                }
            }
            fn wide(self) -> f32 {
                $wide(self)
            }
            fn rounded(wide: f32) -> Self {
                $round(wide)
            }
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}
sample_float! {
    f32, u32, |value: f32| value, |value: f32| value;
    f16, u16, |value: f16| value.to_f32(), f16::from_f32;
    bf16, u16, |value: bf16| value.to_f32(), bf16::from_f32;
}

macro_rules! sample_int {
    ($($ty:ident)*) => {$(
        impl Sample for $ty {
            fn sample(seed: u64) -> Self {
                mix(seed) as $ty
            }
            fn wide(self) -> $ty {
                self
            }
            fn rounded(wide: $ty) -> Self {
                wide
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}
sample_int!(i32 i64);

impl<T: Sample> View<T> {
    pub(super) fn new(shape: &[usize], strides: &[usize], offset: usize, seed: u64) -> Self {
        let last: usize = shape
            .iter()
            .zip(strides)
            .map(|(d, s)| d.max(&1).saturating_sub(1) * s)
            .sum();
        Self {
            data: (0..(offset + last + 3) as u64)
                .map(|i| T::sample(seed * 7919 + i))
                .collect(),
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            offset,
        }
    }

    pub(super) fn plain(shape: &[usize], seed: u64) -> Self {
        Self::new(shape, dims(shape).contiguous_strides().as_slice(), 0, seed)
    }

    /// Returns the place of the element for `index` of a broadcast shape.
    pub(super) fn place(&self, index: &[usize]) -> usize {
        let skip = index.len() - self.shape.len();
        let steps = index[skip..].iter().zip(&self.shape).zip(&self.strides);
        self.offset
            + steps
                .map(|((i, d), s)| if *d == 1 { 0 } else { i * s })
                .sum::<usize>()
    }
}

pub(super) fn dims(values: &[usize]) -> Dims {
    Dims::new(values.iter().copied()).unwrap()
}

/// Calls `visit` with every index of a shape.
pub(super) fn each_index(shape: &[usize], mut visit: impl FnMut(&[usize])) {
    let total: usize = shape.iter().product();
    for number in 0..total {
        let (mut rest, mut index) = (number, vec![0; shape.len()]);
        for (slot, size) in index.iter_mut().zip(shape).rev() {
            *slot = rest % size;
            rest /= size;
        }
        visit(&index);
    }
}

/// Runs a kernel with the output `out` and compares all of `out`, also the gaps between its elements.
pub(super) fn check<T: Sample>(
    left: &View<T>,
    right: &View<T>,
    out: &View<T>,
    f: Function<T::Wide>,
) {
    let shape = broadcast(&dims(&left.shape), &dims(&right.shape)).unwrap();
    assert_eq!(shape.as_slice(), out.shape);
    let mut expected = out.data.clone();
    each_index(&out.shape, |index| {
        let (a, b) = (left.data[left.place(index)], right.data[right.place(index)]);
        let (a, b) = (a.wide(), b.wide());
        expected[out.place(index)] = T::rounded(match f {
            Function::Sum => a.plus(b),
            Function::ScaledSum(factor) => a.plus(factor.times(b)),
            Function::Product => a.times(b),
            Function::Scaled(factor) => a.times(factor),
        });
    });
    let mut got = out.data.clone();
    let nest = Nest::new(
        &shape,
        &dims(&out.strides),
        [
            (&dims(&left.shape), &dims(&left.strides)),
            (&dims(&right.shape), &dims(&right.strides)),
        ],
    );
    let views = Views {
        out: got.as_mut_ptr().wrapping_add(out.offset),
        left: left.data.as_ptr().wrapping_add(left.offset),
        right: right.data.as_ptr().wrapping_add(right.offset),
    };
    // SAFETY: the vectors contain every element of the views, and no other thread uses them.
    unsafe { run(&nest, &views, f, false) };
    for (place, (got, expected)) in got.iter().zip(&expected).enumerate() {
        assert!(
            got.same(*expected),
            "{got:?} is not {expected:?} at {place} of {:?} {:?} <- {:?} {:?}, {:?} {:?}",
            out.shape,
            out.strides,
            left.shape,
            left.strides,
            right.shape,
            right.strides
        );
    }
}

pub(super) fn check_all<T: Sample>(left: &View<T>, right: &View<T>, out: &View<T>, alpha: T::Wide) {
    check(left, right, out, Function::Sum);
    check(left, right, out, Function::ScaledSum(alpha));
    check(left, right, out, Function::Scaled(alpha));
    check(left, right, out, Function::Product);
}

pub(super) fn check_shapes<T: Sample>(left: &[usize], right: &[usize], seed: u64) {
    let shape = broadcast(&dims(left), &dims(right)).unwrap();
    check_all(
        &View::<T>::plain(left, seed),
        &View::plain(right, seed + 1),
        &View::plain(shape.as_slice(), seed + 2),
        T::sample(seed + 3).wide(),
    );
}
