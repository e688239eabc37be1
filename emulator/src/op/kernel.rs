//! Element-wise kernels: one [`Function`] over three strided views.
//!
//! This file does not depend on streams, tensors or devices, so the tests run on plain vectors.
//!
//! A step reads a chunk of both operands into registers before it stores the chunk of `out`. So `out` may be an
//! operand itself (same address, same strides), and vector code needs no proof that the three views are disjoint.
//! Addresses need no alignment, because C may build a view at any address.

use super::{
    element::{CHUNK, Element, Function},
    machine::{Machine, Portable, STREAM_ALIGN, STREAM_FROM, finish_streaming, stream},
    pass::GRAIN,
    shape::{Loop, Nest},
    source::{Source, chunk_at},
};
use crate::sync::cores::distribute;

/// The first elements of the three views.
#[derive(Debug)]
pub(super) struct Views<T> {
    /// The first result.
    pub(super) out: *mut T,
    /// The first operand.
    pub(super) left: *const T,
    /// The second operand.
    pub(super) right: *const T,
}

// SAFETY: the addresses are values; a function that reads or writes there is unsafe.
unsafe impl<T> Sync for Views<T> {}

/// Stores `function(left, right)` in each element of `out` that the nest visits. If `is_apart`, several threads may do
/// it.
///
/// # Safety
///
/// - For the whole call, every element of `left` and `right` that the nest visits is readable, and every such element
///   of `out` is writable.
/// - No other thread writes the operands, or reads or writes `out`, during the call.
/// - If `is_apart`, each operand shares no memory with `out`, or it is `out` itself, with the same strides.
pub(super) unsafe fn run<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    is_apart: bool,
) {
    let bytes = nest.elements().saturating_mul(size_of::<T>());
    // If the output is an operand, the lines of the results are in the cache already.
    let in_place = [views.left, views.right].contains(&views.out.cast_const());
    let streaming = bytes >= STREAM_FROM && !in_place;
    if !is_apart {
        // SAFETY: the caller's contract.
        return unsafe { part(nest, views, function, streaming) };
    }
    let longest = nest.longest();
    let grain = GRAIN / (nest.elements() / longest.count.max(1)).max(1);
    distribute(longest.count, grain, CHUNK, &|range| {
        let from = views.moved(longest, range.start);
        // SAFETY: the caller's contract; a part of the nest visits elements of the nest, and no thread reads the
        // elements that another one writes.
        unsafe { part(&nest.part(range.len()), &from, function, streaming) };
    });
}

/// Runs a walk on this thread, with the best instructions of the processor.
///
/// # Safety
///
/// - The contract of [`run`] holds.
unsafe fn part<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    streaming: bool,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = super::machine::Avx2::detect() {
        // SAFETY: the caller's contract, and `machine` proves that the processor has the features.
        return unsafe { walk_avx2(nest, views, function, streaming, machine) };
    }
    // SAFETY: the caller's contract.
    unsafe { walk(nest, views, function, streaming, Portable) }
}

/// [`walk`], compiled for wider vectors.
///
/// # Safety
///
/// - The contract of [`run`] holds.
/// - The processor has AVX2 and F16C; `machine` is the proof.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn walk_avx2<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    streaming: bool,
    machine: super::machine::Avx2,
) {
    // SAFETY: the caller's contract.
    unsafe { walk(nest, views, function, streaming, machine) }
}

/// Runs the inner loop at every position of the outer loops.
///
/// It is inlined, with all functions that it calls, into a function with `target_feature`: the features apply only to
/// the code of that function.
///
/// # Safety
///
/// - The contract of [`run`] holds.
#[inline(always)]
unsafe fn walk<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    streaming: bool,
    machine: impl Machine,
) {
    if nest.inner.count == 0 {
        return;
    }
    let mut positions = vec![0usize; nest.outer.len()];
    let mut at = Views { ..*views };
    loop {
        // SAFETY: the caller's contract; `at` is the position of the outer loops, so the inner loop visits elements
        // of the nest.
        unsafe { row(&nest.inner, &at, function, machine, streaming) };
        // This counts like an odometer: the innermost outer loop that has not ended takes a step, and the loops
        // inside it start again.
        let mut advanced = false;
        for (one, position) in nest.outer.iter().zip(&mut positions).rev() {
            *position += 1;
            if *position < one.count {
                at = at.moved(one, 1);
                advanced = true;
                break;
            }
            at = at.moved(one, (one.count - 1).wrapping_neg());
            *position = 0;
        }
        if !advanced {
            break;
        }
    }
    if streaming {
        finish_streaming();
    }
}

impl<T> Views<T> {
    /// Returns the views moved by `steps` steps of a loop. A negative number in two's complement moves them back.
    fn moved(&self, one: &Loop<2>, steps: usize) -> Self {
        // Wrapping arithmetic on addresses is safe, and the result is an element of the nest again.
        let bytes = |stride: usize| stride.wrapping_mul(steps).wrapping_mul(size_of::<T>());
        let [left, right] = one.inputs;
        Self {
            out: self.out.wrapping_byte_add(bytes(one.out)),
            left: self.left.wrapping_byte_add(bytes(left)),
            right: self.right.wrapping_byte_add(bytes(right)),
        }
    }
}

/// Runs the inner loop once.
///
/// # Safety
///
/// - The contract of [`run`] holds for `inner.count` elements from the pointers of the views.
#[inline(always)]
unsafe fn row<T: Element>(
    inner: &Loop<2>,
    at: &Views<T>,
    function: Function<T::Wide>,
    machine: impl Machine,
    streaming: bool,
) {
    let out = Results {
        first: at.out,
        step: inner.out,
        streaming: streaming && at.out.addr().is_multiple_of(STREAM_ALIGN),
    };
    let mut done = 0;
    let [left, right] = inner.inputs;
    if (inner.out, left, right) == (1, 1, 1) {
        done = inner.count - inner.count % CHUNK;
        // SAFETY: the caller's contract; these are whole chunks.
        unsafe { dense(done, out, at, function, machine) };
    }
    // SAFETY: the caller's contract; there is at least one element.
    let left = unsafe { Source::new(at.left, left, machine) };
    // SAFETY: the caller's contract.
    let right = unsafe { Source::new(at.right, right, machine) };
    for first in (done..inner.count).step_by(CHUNK) {
        let len = CHUNK.min(inner.count - first);
        // SAFETY: the caller's contract: `first + len` is at most `inner.count`.
        let a = unsafe { left.part(first, len, machine) };
        // SAFETY: the caller's contract.
        let b = unsafe { right.part(first, len, machine) };
        let results = T::narrow(machine, &function.apply(&a, &b));
        // SAFETY: the caller's contract.
        unsafe { out.put(first, len, &results) };
    }
}

/// Computes `count` contiguous elements of all three views; `count` is a multiple of [`CHUNK`].
///
/// # Safety
///
/// - The contract of [`run`] holds for `count` elements from the pointers of the views.
#[inline(always)]
unsafe fn dense<T: Element>(
    count: usize,
    out: Results<T>,
    at: &Views<T>,
    function: Function<T::Wide>,
    machine: impl Machine,
) {
    // Both kinds of stores have a loop of their own.
    if out.streaming {
        for first in (0..count).step_by(CHUNK) {
            // SAFETY: the caller's contract: this is a whole chunk.
            let results = unsafe { results_at(first, at, function, machine) };
            // SAFETY: the caller's contract. The first place is aligned, and the size of a chunk is a
            // multiple of the alignment, so all places are aligned.
            unsafe { stream(out.first.wrapping_add(first), &results) };
        }
    } else {
        for first in (0..count).step_by(CHUNK) {
            // SAFETY: the caller's contract: this is a whole chunk.
            let results = unsafe { results_at(first, at, function, machine) };
            let place = out.first.wrapping_add(first).cast::<[T; CHUNK]>();
            // SAFETY: the caller's contract.
            unsafe { place.write_unaligned(results) };
        }
    }
}

/// Computes the results of a whole contiguous chunk. This is a function and not a closure: a closure that is not
/// inlined is compiled without the `target_feature` of the function around it.
///
/// # Safety
///
/// - The operands are readable for the chunk at `first`.
#[inline(always)]
unsafe fn results_at<T: Element>(
    first: usize,
    at: &Views<T>,
    function: Function<T::Wide>,
    machine: impl Machine,
) -> [T; CHUNK] {
    // SAFETY: the caller's contract.
    let a = unsafe { chunk_at(at.left.wrapping_add(first)) };
    // SAFETY: the caller's contract.
    let b = unsafe { chunk_at(at.right.wrapping_add(first)) };
    let (a, b) = (T::widen(machine, &a), T::widen(machine, &b));
    T::narrow(machine, &function.apply(&a, &b))
}

/// The place of the results.
#[derive(Clone, Copy)]
struct Results<T> {
    first: *mut T,
    /// The distance of two results, in elements.
    step: usize,
    /// Whether the stores bypass the caches; `first` is aligned for them in that case.
    streaming: bool,
}

impl<T: Element> Results<T> {
    /// Stores the first `len` of the results from position `first` on.
    ///
    /// # Safety
    ///
    /// - The places of these results are writable.
    #[inline(always)]
    unsafe fn put(self, first: usize, len: usize, results: &[T; CHUNK]) {
        if self.step == 1 && len == CHUNK {
            // SAFETY: the caller's contract.
            return unsafe { self.put_chunk(first, results) };
        }
        for (position, result) in (first..).zip(results.iter().take(len)) {
            let place = self.first.wrapping_add(position.wrapping_mul(self.step));
            // SAFETY: the caller's contract: `position` is below `first + len`.
            unsafe { place.write_unaligned(*result) };
        }
    }

    /// Stores a chunk of results next to each other; `first` is a multiple of [`CHUNK`].
    ///
    /// # Safety
    ///
    /// - The places of these results are writable.
    #[inline(always)]
    unsafe fn put_chunk(self, first: usize, results: &[T; CHUNK]) {
        let place = self.first.wrapping_add(first);
        if self.streaming {
            // SAFETY: the caller's contract. The first place is aligned, and the size of a chunk is a
            // multiple of the alignment, so all places are aligned.
            unsafe { stream(place, results) };
        } else {
            // SAFETY: the caller's contract.
            unsafe { place.cast::<[T; CHUNK]>().write_unaligned(*results) };
        }
    }
}
