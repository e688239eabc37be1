//! The references of the measurement: a bare ring, and loops at the limit of the memory.

use std::ptr;

/// A bare queue of copies: no handles, no threads, no errors.
pub(crate) struct Ring {
    slots: Box<[Record]>,
    head: usize,
    tail: usize,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Record {
    to: *mut u8,
    from: *const u8,
    count: usize,
}

impl Ring {
    pub(crate) fn new() -> Ring {
        let record = Record {
            to: ptr::null_mut(),
            from: ptr::null(),
            count: 0,
        };
        Ring {
            slots: vec![record; 1024].into(),
            head: 0,
            tail: 0,
        }
    }

    /// Queues a copy. Not inlined, because a call of a C function is not inlined either.
    #[inline(never)]
    pub(crate) fn push(&mut self, to: *mut u8, from: *const u8, count: usize) {
        if self.tail - self.head == self.slots.len() {
            self.drain();
        }
        if let Some(slot) = self.slots.get_mut(self.tail % 1024) {
            *slot = Record { to, from, count };
        }
        self.tail += 1;
    }

    /// Makes all queued copies.
    #[inline(never)]
    pub(crate) fn drain(&mut self) {
        while self.head != self.tail {
            if let Some(Record { to, from, count }) = self.slots.get(self.head % 1024) {
                // SAFETY: the benchmark queues ranges of vectors that it keeps, which do not overlap.
                unsafe { to.copy_from_nonoverlapping(*from, *count) };
            }
            self.head += 1;
        }
    }
}

/// Copies with the fastest stores: bypassing the caches, if the processor can.
pub(crate) fn copy(to: &mut [f32], from: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx") {
        // SAFETY: the check above found AVX.
        unsafe { copy_avx(to, from) };
        return;
    }
    to.copy_from_slice(from);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn copy_avx(to: &mut [f32], from: &[f32]) {
    use std::arch::x86_64::{_mm_sfence, _mm256_loadu_ps, _mm256_stream_ps};
    let (to, _) = to.as_chunks_mut::<8>();
    for (to, from) in to.iter_mut().zip(from.as_chunks::<8>().0) {
        // SAFETY: eight floats.
        let floats = unsafe { _mm256_loadu_ps(from.as_ptr()) };
        // SAFETY: eight floats; `large.rs` takes whole pages.
        unsafe { _mm256_stream_ps(to.as_mut_ptr(), floats) };
    }
    _mm_sfence();
}

/// Computes `to = left + right` with the fastest stores: bypassing the caches, if the processor can.
pub(crate) fn add(to: &mut [f32], left: &[f32], right: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx") {
        // SAFETY: the check above found AVX.
        unsafe { add_avx(to, left, right) };
        return;
    }
    for ((to, left), right) in to.iter_mut().zip(left).zip(right) {
        *to = left + right;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
fn add_avx(to: &mut [f32], left: &[f32], right: &[f32]) {
    use std::arch::x86_64::{_mm_sfence, _mm256_add_ps, _mm256_loadu_ps, _mm256_stream_ps};
    let (to, _) = to.as_chunks_mut::<8>();
    let sources = left.as_chunks::<8>().0.iter().zip(right.as_chunks::<8>().0);
    for (to, (left, right)) in to.iter_mut().zip(sources) {
        // SAFETY: eight floats.
        let left = unsafe { _mm256_loadu_ps(left.as_ptr()) };
        // SAFETY: eight floats.
        let right = unsafe { _mm256_loadu_ps(right.as_ptr()) };
        let sum = _mm256_add_ps(left, right);
        // SAFETY: eight floats; `large.rs` takes whole pages.
        unsafe { _mm256_stream_ps(to.as_mut_ptr(), sum) };
    }
    _mm_sfence();
}
