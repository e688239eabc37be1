//! The kernels on views of every kind and every data type.

use half::f16;

use super::{
    super::{
        element::{Arithmetic, CHUNK, Function},
        kernel::{Views, run},
        shape::{Nest, broadcast},
    },
    oracle::{Sample, View, check_all, check_shapes, dims, mix},
};

/// Runs the body once for each data type.
macro_rules! for_each_type {
    ($($(#[$doc:meta])* fn $name:ident<$T:ident>() $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;
            fn body<$T: Sample>() $body
            #[test]
            fn f32() { body::<f32>(); }
            #[test]
            fn f16() { body::<half::f16>(); }
            #[test]
            fn bf16() { body::<half::bf16>(); }
            #[test]
            fn i32() { body::<i32>(); }
            #[test]
            fn i64() { body::<i64>(); }
        }
    )*};
}

for_each_type! {
    fn same_shapes_of_every_length_around_chunks<T>() {
        for len in (0..=3 * CHUNK + 1).chain([1000, 4099]) {
            check_shapes::<T>(&[len], &[len], len as u64);
        }
    }

    fn one_value_against_many_on_both_sides<T>() {
        for len in [0, 1, 5, CHUNK, CHUNK + 1, 777] {
            check_shapes::<T>(&[len], &[1], 1);
            check_shapes::<T>(&[1], &[len], 2);
            check_shapes::<T>(&[len], &[], 3);
            check_shapes::<T>(&[], &[len], 4);
            check_shapes::<T>(&[len, 2], &[1, 1], 5);
        }
    }

    fn ranks_from_none_to_eight<T>() {
        let shape = [2, 3, 1, 2, 3, 2, 1, 5];
        for rank in 0..=8 {
            check_shapes::<T>(&shape[8 - rank..], &shape[8 - rank..], rank as u64);
            check_shapes::<T>(&shape, &shape[8 - rank..], rank as u64);
            check_shapes::<T>(&shape[8 - rank..], &shape, rank as u64);
        }
    }

    fn every_mask_of_repeated_dimensions<T>() {
        let shape = [2, 3, 2, 4];
        let masked = |mask: usize| -> Vec<usize> {
            shape.iter().enumerate().map(|(i, d)| if mask >> i & 1 == 1 { 1 } else { *d }).collect()
        };
        for left in 0..16 {
            for right in 0..16 {
                check_shapes::<T>(&masked(left), &masked(right), (left * 16 + right) as u64);
            }
        }
    }

    fn rows_and_columns<T>() {
        for (rows, columns) in [(3, 70), (70, 3), (33, 33), (1, 100), (100, 1)] {
            check_shapes::<T>(&[rows, columns], &[columns], 1);
            check_shapes::<T>(&[columns], &[rows, columns], 2);
            check_shapes::<T>(&[rows, columns], &[rows, 1], 3);
            check_shapes::<T>(&[rows, 1], &[1, columns], 4);
        }
    }

    fn nothing_to_compute_leaves_memory_alone<T>() {
        check_shapes::<T>(&[0], &[0], 1);
        check_shapes::<T>(&[3, 0, 2], &[2], 2);
        check_shapes::<T>(&[1, 4], &[0, 1], 3);
        check_shapes::<T>(&[0, 0, 0, 0, 0, 0, 0, 0], &[], 4);
    }

    fn transposed_views<T>() {
        for (rows, columns) in [(2, 3), (40, 35), (1, 9)] {
            let shape = [rows, columns];
            let transposed = || View::<T>::new(&shape, &[1, rows], 0, 7);
            let plain = || View::<T>::plain(&shape, 8);
            let alpha = T::sample(9).wide();
            check_all(&transposed(), &plain(), &plain(), alpha);
            check_all(&plain(), &transposed(), &plain(), alpha);
            check_all(&plain(), &plain(), &transposed(), alpha);
            check_all(&transposed(), &transposed(), &transposed(), alpha);
        }
    }

    fn gaps_and_offsets<T>() {
        let shape = [3, 2, 37];
        let gaps = View::<T>::new(&shape, &[400, 150, 3], 5, 1);
        let every_second = View::<T>::new(&shape, &[200, 80, 2], 1, 2);
        let padded_rows = View::<T>::new(&shape, &[80, 40, 1], 11, 3);
        let alpha = T::sample(4).wide();
        for left in [&gaps, &every_second, &padded_rows] {
            for right in [&gaps, &every_second, &padded_rows] {
                for out in [&gaps, &every_second, &padded_rows] {
                    check_all(left, right, out, alpha);
                }
            }
        }
    }

    fn views_that_repeat_by_stride_zero<T>() {
        let out = View::<T>::plain(&[4, 50], 1);
        let row = View::<T>::new(&[4, 50], &[0, 1], 3, 2);
        let column = View::<T>::new(&[4, 50], &[1, 0], 2, 3);
        let value = View::<T>::new(&[4, 50], &[0, 0], 1, 4);
        for left in [&row, &column, &value] {
            for right in [&row, &column, &value] {
                check_all(left, right, &out, T::sample(5).wide());
            }
        }
    }

    fn permuted_dimensions_of_random_shapes<T>() {
        for seed in 0..120_u64 {
            let pick = |salt: u64, below: u64| (mix(seed * 1000 + salt) % below) as usize;
            let rank = pick(0, 6);
            let shape: Vec<usize> = (0..rank).map(|i| 1 + pick(10 + i as u64, 5)).collect();
            let view = |salt: u64, may_repeat: bool| {
                // A random order of the dimensions in memory, with random gaps between them.
                let mut order: Vec<usize> = (0..rank).collect();
                order.sort_by_key(|i| mix(seed * 77 + salt * 13 + *i as u64));
                let mut own = shape.clone();
                if may_repeat {
                    for (i, size) in own.iter_mut().enumerate() {
                        if pick(salt * 100 + i as u64, 3) == 0 {
                            *size = 1;
                        }
                    }
                }
                let (mut strides, mut step) = (vec![0; rank], 1 + pick(salt, 3));
                for i in order {
                    strides[i] = step;
                    step = step * own[i] + pick(salt + 50, 2);
                }
                let drop = if may_repeat && own.first() == Some(&1) { 1 } else { 0 };
                View::<T>::new(&own[drop..], &strides[drop..], pick(salt + 60, 4), seed + salt)
            };
            let (left, right, mut out) = (view(1, true), view(2, true), view(3, false));
            let shape = broadcast(&dims(&left.shape), &dims(&right.shape)).unwrap();
            if shape.as_slice() != out.shape {
                out = View::plain(shape.as_slice(), seed + 3);
            }
            check_all(&left, &right, &out, T::sample(seed).wide());
        }
    }

    fn in_place_on_either_side<T>() {
        for (len, step) in [(5, 1), (CHUNK * 4 + 3, 1), (100, 3)] {
            let data: Vec<T> = (0..(len * step) as u64).map(T::sample).collect();
            let other: Vec<T> = (0..(len * step) as u64).map(|i| T::sample(i + 999)).collect();
            let (shape, strides) = (dims(&[len]), dims(&[step]));
            let nest = Nest::new(&shape, &strides, [(&shape, &strides); 2]);
            for side in [true, false] {
                let mut memory = data.clone();
                let out = memory.as_mut_ptr();
                let (left, right) = if side {
                    (out.cast_const(), other.as_ptr())
                } else {
                    (other.as_ptr(), out.cast_const())
                };
                // SAFETY: both vectors contain every element, and no other thread uses them.
                unsafe { run(&nest, &Views { out, left, right }, Function::Sum, true) };
                for i in 0..len {
                    let (a, b) = (data[i * step].wide(), other[i * step].wide());
                    assert!(memory[i * step].same(T::rounded(a.plus(b))), "{i}");
                }
            }
        }
    }

    fn addresses_without_alignment<T>() {
        let (len, size) = (CHUNK + 7, size_of::<T>());
        let values: Vec<T> = (0..len as u64).map(T::sample).collect();
        let mut bytes = vec![0_u8; (len + 1) * size];
        let inside = bytes.as_mut_ptr().wrapping_add(1).cast::<T>();
        for (i, value) in values.iter().enumerate() {
            // SAFETY: element `i` ends before the last byte of the vector.
            unsafe { inside.wrapping_add(i).write_unaligned(*value) };
        }
        let (shape, strides) = (dims(&[len]), dims(&[1]));
        let nest = Nest::new(&shape, &strides, [(&shape, &strides); 2]);
        let views = Views { out: inside, left: inside.cast_const(), right: inside.cast_const() };
        // SAFETY: the vector contains every element, and no other thread uses it.
        unsafe { run(&nest, &views, Function::Product, false) };
        for (i, value) in values.iter().enumerate() {
            // SAFETY: element `i` ends before the last byte of the vector.
            let got = unsafe { inside.wrapping_add(i).read_unaligned() };
            assert!(got.same(T::rounded(value.wide().times(value.wide()))), "{i}");
        }
    }
}

#[test]
fn results_past_the_caches() {
    // 17 MiB of results, aligned and not, with a partial chunk at the end of each row.
    let (rows, columns, pitch) = (1000, 4460, 4464);
    let (shape, row_shape) = (dims(&[rows, columns]), dims(&[columns]));
    let (strides, one) = (dims(&[pitch, 1]), dims(&[1]));
    let left: Vec<i32> = (0..(rows * pitch) as i32).collect();
    let right: Vec<i32> = (0..columns as i32)
        .map(|i| i.wrapping_mul(1_000_003))
        .collect();
    let nest = Nest::new(&shape, &strides, [(&shape, &strides), (&row_shape, &one)]);
    for offset in [0, 1] {
        let mut out = vec![-7; rows * pitch + offset];
        let views = Views {
            out: out.as_mut_ptr().wrapping_add(offset),
            left: left.as_ptr(),
            right: right.as_ptr(),
        };
        // SAFETY: the vectors contain every element of the views, and no other thread uses them.
        unsafe { run(&nest, &views, Function::Sum, false) };
        assert!(out[..offset].iter().all(|value| *value == -7));
        for (out, left) in out[offset..].chunks(pitch).zip(left.chunks(pitch)) {
            let sums = left.iter().zip(&right).map(|(a, b)| a.wrapping_add(*b));
            assert!(out[..columns].iter().copied().eq(sums));
            assert!(out[columns..].iter().all(|value| *value == -7));
        }
    }
}

/// Runs a kernel on one pair of floats.
fn pair(a: f32, b: f32, f: Function<f32>) -> f32 {
    let shape = dims(&[]);
    let nest = Nest::new(&shape, &shape, [(&shape, &shape); 2]);
    let mut out = [0.0_f32];
    let views = Views {
        out: out.as_mut_ptr(),
        left: &a,
        right: &b,
    };
    // SAFETY: three values of their own.
    unsafe { run(&nest, &views, f, false) };
    out[0]
}

#[test]
fn floats_behave_as_ieee_says() {
    assert_eq!(
        pair(-0.0, -0.0, Function::Sum).to_bits(),
        (-0.0_f32).to_bits()
    );
    assert_eq!(pair(0.0, -0.0, Function::Sum).to_bits(), 0);
    assert_eq!(
        pair(-0.0, 5.0, Function::Product).to_bits(),
        (-0.0_f32).to_bits()
    );
    assert!(pair(f32::INFINITY, f32::NEG_INFINITY, Function::Sum).is_nan());
    assert!(pair(f32::INFINITY, 0.0, Function::Product).is_nan());
    assert!(pair(f32::NAN, 1.0, Function::Sum).is_nan());
    assert_eq!(pair(f32::MAX, f32::MAX, Function::Sum), f32::INFINITY);
    assert_eq!(
        pair(f32::MIN_POSITIVE, 0.5, Function::Product),
        f32::MIN_POSITIVE * 0.5
    );
    assert!(pair(1.0, f32::INFINITY, Function::ScaledSum(0.0)).is_nan());
}

#[test]
fn a_scaled_sum_rounds_twice() {
    // The square of 1 + 2^-12 needs 25 bits; with only one rounding the sum would keep the last bit.
    let a = 1.0 + f32::EPSILON * 2048.0;
    let exact = f32::mul_add(a, a, -1.0);
    assert_ne!(pair(-1.0, a, Function::ScaledSum(a)), exact);
    assert_eq!(pair(-1.0, a, Function::ScaledSum(a)), a * a - 1.0);
}

#[test]
fn half_sums_are_rounded_once() {
    // 2048 + 1 + 1: with a rounding to f16 after each step, each 1 would be lost.
    let (a, b) = (f16::from_f32(2048.0), f16::from_f32(1.0));
    let shape = dims(&[]);
    let nest = Nest::new(&shape, &shape, [(&shape, &shape); 2]);
    let mut out = [f16::ZERO];
    let views = Views {
        out: out.as_mut_ptr(),
        left: &a,
        right: &b,
    };
    // SAFETY: three values of their own.
    unsafe { run(&nest, &views, Function::ScaledSum(2.0), false) };
    assert_eq!(out[0], f16::from_f32(2050.0));
}
