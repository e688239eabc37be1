//! Element-wise kernels: one [`Function`] over three strided views.
//!
//! Nothing here knows of streams, tensors or devices, so everything is tested on plain vectors.
//!
//! A step reads a chunk of both operands into registers before it stores the chunk of `out`. So
//! `out` may be an operand itself (same address, same strides), and no proof that the three are
//! apart is needed for vector code. Addresses need no alignment: C may build a view anywhere.

use super::{
    element::{CHUNK, Element, Function},
    machine::{Machine, Portable, STREAM_ALIGN, finish_streaming, stream},
    shape::{Loop, Nest},
    source::{Source, chunk_at},
};

/// Bytes of results from which on they go past the caches. Measured where a cache of 32 MiB is
/// shared: sums of 64 MiB then take three quarters of the time, and smaller results are better kept.
const STREAM_FROM: usize = 16 << 20;

/// The first elements of the three views.
#[derive(Debug)]
pub(super) struct Views<T> {
    /// Where the results go.
    pub(super) out: *mut T,
    /// The first operand.
    pub(super) left: *const T,
    /// The second operand.
    pub(super) right: *const T,
}

/// Stores `function(left, right)` in each element of `out` that the nest visits.
///
/// # Safety
///
/// - Every element of `left` and `right` that the nest visits is readable, every element of `out`
///   writable, for the whole call.
/// - Nobody else writes the operands or touches `out` meanwhile.
pub(super) unsafe fn run<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = super::machine::Avx2::detect() {
        // SAFETY: the caller's contract, and the processor was asked.
        return unsafe { walk_avx2(nest, views, function, machine) };
    }
    // SAFETY: the caller's contract.
    unsafe { walk(nest, views, function, Portable) }
}

/// [`walk`], compiled for wider vectors.
///
/// # Safety
///
/// As for [`run`]. The processor has the features, of which `machine` is the evidence.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn walk_avx2<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    machine: super::machine::Avx2,
) {
    // SAFETY: the caller's contract.
    unsafe { walk(nest, views, function, machine) }
}

/// Runs the inner loop at every position of the outer loops.
///
/// Inlined with all below it into a function that names the processor's features, for that is the
/// code they apply to.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn walk<T: Element>(
    nest: &Nest<2>,
    views: &Views<T>,
    function: Function<T::Wide>,
    machine: impl Machine,
) {
    if nest.inner.count == 0 {
        return;
    }
    let bytes = nest.elements().saturating_mul(size_of::<T>());
    // In place, the lines of the results are in the cache already.
    let in_place = [views.left, views.right].contains(&views.out.cast_const());
    let streaming = bytes >= STREAM_FROM && !in_place;
    let mut positions = vec![0usize; nest.outer.len()];
    let mut at = Views { ..*views };
    loop {
        // SAFETY: the caller's contract; `at` is where the outer loops stand, so the inner loop
        // visits elements of the nest.
        unsafe { row(&nest.inner, &at, function, machine, streaming) };
        // The odometer: the innermost outer loop that has not ended takes a step, those inside it
        // start again.
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
    /// These views `steps` steps of a loop further; a negative number in two's complement goes back.
    fn moved(&self, one: &Loop<2>, steps: usize) -> Self {
        // Wrapping arithmetic on addresses is safe, and it ends on an element of the nest again.
        let bytes = |stride: usize| stride.wrapping_mul(steps).wrapping_mul(size_of::<T>());
        let [left, right] = one.inputs;
        Self {
            out: self.out.wrapping_byte_add(bytes(one.out)),
            left: self.left.wrapping_byte_add(bytes(left)),
            right: self.right.wrapping_byte_add(bytes(right)),
        }
    }
}

/// One run of the inner loop.
///
/// # Safety
///
/// As for [`run`], for `inner.count` elements from where the views point.
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

/// `count` elements, a multiple of [`CHUNK`], where all three views are without gaps.
///
/// # Safety
///
/// As for [`run`], for `count` elements from where the views point.
#[inline(always)]
unsafe fn dense<T: Element>(
    count: usize,
    out: Results<T>,
    at: &Views<T>,
    function: Function<T::Wide>,
    machine: impl Machine,
) {
    // Each way to store has a loop of its own.
    if out.streaming {
        for first in (0..count).step_by(CHUNK) {
            // SAFETY: the caller's contract: this is a whole chunk.
            let results = unsafe { results_at(first, at, function, machine) };
            // SAFETY: the caller's contract. The first place is aligned, and the bytes of a chunk are a
            // multiple of the alignment, so all are.
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

/// The results of a whole chunk without gaps. A function and not a closure, because a closure would be
/// compiled without the features of its surroundings where it is not inlined.
///
/// # Safety
///
/// The operands are readable for the chunk at `first`.
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

/// Where results go.
#[derive(Clone, Copy)]
struct Results<T> {
    first: *mut T,
    /// Elements from one to the next.
    step: usize,
    /// Past the caches; then `first` is aligned for that.
    streaming: bool,
}

impl<T: Element> Results<T> {
    /// Stores the first `len` of the results from position `first` on.
    ///
    /// # Safety
    ///
    /// The places are writable.
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
    /// The places are writable.
    #[inline(always)]
    unsafe fn put_chunk(self, first: usize, results: &[T; CHUNK]) {
        let place = self.first.wrapping_add(first);
        if self.streaming {
            // SAFETY: the caller's contract. The first place is aligned, and the bytes of a chunk are a
            // multiple of the alignment, so all are.
            unsafe { stream(place, results) };
        } else {
            // SAFETY: the caller's contract.
            unsafe { place.cast::<[T; CHUNK]>().write_unaligned(*results) };
        }
    }
}
