//! Softmax and normalization of one row in single precision, with sums in double precision.

use core::sync::atomic::{AtomicU64, Ordering};

use super::number::Number;
use super::single;
use super::wide::wide;

/// The number of sums that are made at the same time. They are added at the end.
const LANES: usize = 16;

/// Returns the sum in double precision of a function of all numbers. It is inlined into code for wide vectors.
#[inline(always)]
fn sum<T: Copy + Default + Into<f64>>(row: &[f32], function: impl Fn(f32) -> T) -> f64 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        // All functions come before all sums: each loop becomes vectors of its type.
        let mut results = [T::default(); LANES];
        for (result, one) in results.iter_mut().zip(chunk) {
            *result = function(*one);
        }
        for (sum, result) in sums.iter_mut().zip(results) {
            *sum += result.into();
        }
    }
    for (sum, one) in sums.iter_mut().zip(rest) {
        *sum += function(*one).into();
    }
    sums.iter().sum()
}

/// Returns the largest number, or NaN if there is one.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut most = [f32::NEG_INFINITY; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (most, one) in most.iter_mut().zip(chunk) {
            *most = one.larger(*most);
        }
    }
    let others = rest.iter().chain(&most);
    others.fold(f32::NEG_INFINITY, |most, one| most.larger(*one))
}

wide! {
    /// Replaces numbers by their softmax.
    pub(super) fn softmaxes(row: &mut [f32]) {
        let most = largest(row);
        for one in &mut *row {
            *one = single::exp(*one - most);
        }
        let factor = 1.0 / sum(row, f64::from);
        for one in row {
            // CAST: rounded to the type of the result.
            *one = (f64::from(*one) * factor) as f32;
        }
    }

    /// Replaces numbers by the logarithms of their softmax.
    pub(super) fn softmax_logarithms(row: &mut [f32]) {
        let most = largest(row);
        let logarithm = sum(row, |one| single::exp(one - most)).ln();
        for one in row {
            // CAST: rounded to the type of the result.
            *one = (f64::from(*one) - f64::from(most) - logarithm) as f32;
        }
    }

    /// Normalizes a row by its mean and variance, multiplies it by weights, adds a bias, and returns the mean and the
    /// reciprocal deviation. Without weights or bias the slice is empty.
    pub(super) fn layer(row: &mut [f32], epsilon: f64, weight: &[f32], bias: &[f32]) -> (f64, f64) {
        // CAST: a number of elements, which is exact.
        let count = row.len() as f64;
        let mean = sum(row, f64::from) / count;
        let variance = sum(row, |one| (f64::from(one) - mean) * (f64::from(one) - mean)) / count;
        let deviation = 1.0 / (variance + epsilon).sqrt();
        let scaled = |one: f32| (f64::from(one) - mean) * deviation;
        affine_row(row, scaled, weight, bias);
        (mean, deviation)
    }

    /// Divides a row by the root of its mean square, multiplies it by weights, and returns the factor.
    pub(super) fn root(row: &mut [f32], epsilon: f64, weight: &[f32]) -> f64 {
        // CAST: a number of elements, which is exact.
        let mean = sum(row, |one| f64::from(one) * f64::from(one)) / row.len() as f64;
        let factor = 1.0 / (mean + epsilon).sqrt();
        affine_row(row, |one| f64::from(one) * factor, weight, &[]);
        factor
    }
}

/// Replaces numbers by a function of them, times a weight, plus a bias. An empty slice stands for none.
#[inline(always)]
fn affine_row(row: &mut [f32], function: impl Fn(f32) -> f64, weight: &[f32], bias: &[f32]) {
    // CAST: rounded to the type of the result.
    match (weight, bias) {
        ([], []) => {
            for one in row {
                *one = function(*one) as f32;
            }
        }
        (weight, []) => {
            for (one, weight) in row.iter_mut().zip(weight) {
                *one = (function(*one) * f64::from(*weight)) as f32;
            }
        }
        ([], bias) => {
            for (one, bias) in row.iter_mut().zip(bias) {
                *one = (function(*one) + f64::from(*bias)) as f32;
            }
        }
        (weight, bias) => {
            for ((one, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                *one = (function(*one) * f64::from(*weight) + f64::from(*bias)) as f32;
            }
        }
    }
}

/// Numbers that the threads of a kernel store, one for each row.
pub(super) struct Numbers(Vec<AtomicU64>);

impl Numbers {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn set(&self, index: usize, number: f64) {
        if let Some(place) = self.0.get(index) {
            // The kernel reads it after the end of all threads.
            place.store(number.to_bits(), Ordering::Relaxed);
        }
    }

    pub(super) fn into_vec(self) -> Vec<f64> {
        let bits = self.0.into_iter().map(AtomicU64::into_inner);
        bits.map(f64::from_bits).collect()
    }
}
