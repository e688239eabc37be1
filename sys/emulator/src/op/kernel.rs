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
    source::{Dense, Repeated, Source, Strided},
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
pub(super) unsafe fn run<T, F>(nest: &Nest, views: &Views<T>, function: F)
where
    T: Element,
    F: Function<T::Wide>,
{
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
unsafe fn walk_avx2<T, F>(nest: &Nest, views: &Views<T>, function: F, machine: super::machine::Avx2)
where
    T: Element,
    F: Function<T::Wide>,
{
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
unsafe fn walk<T, F>(nest: &Nest, views: &Views<T>, function: F, machine: impl Machine)
where
    T: Element,
    F: Function<T::Wide>,
{
    if nest.inner.count == 0 {
        return;
    }
    let results = nest.outer.iter().map(|one| one.count);
    let bytes = results.fold(nest.inner.count * size_of::<T>(), usize::saturating_mul);
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
    fn moved(&self, one: &Loop, steps: usize) -> Self {
        // Wrapping arithmetic on addresses is safe, and it ends on an element of the nest again.
        let bytes = |stride: usize| stride.wrapping_mul(steps).wrapping_mul(size_of::<T>());
        Self {
            out: self.out.wrapping_byte_add(bytes(one.out)),
            left: self.left.wrapping_byte_add(bytes(one.left)),
            right: self.right.wrapping_byte_add(bytes(one.right)),
        }
    }
}

/// One run of the inner loop.
///
/// # Safety
///
/// As for [`run`], for `inner.count` elements from where the views point.
#[inline(always)]
unsafe fn row<T, F>(
    inner: &Loop,
    at: &Views<T>,
    function: F,
    machine: impl Machine,
    streaming: bool,
) where
    T: Element,
    F: Function<T::Wide>,
{
    let out = Results {
        first: at.out,
        count: inner.count,
        streaming: streaming && at.out.addr().is_multiple_of(STREAM_ALIGN),
    };
    let (left, right) = (Dense(at.left, machine), Dense(at.right, machine));
    match (inner.out, inner.left, inner.right) {
        // SAFETY: the caller's contract; steps of one element are what `Dense` takes.
        (1, 1, 1) => unsafe { sweep(out, left, right, function, machine) },
        (1, 1, 0) => {
            // SAFETY: the caller's contract; the one element is visited.
            let right = unsafe { Repeated::load(at.right, machine) };
            // SAFETY: as above, and a repeated value reads nothing any more.
            unsafe { sweep(out, left, right, function, machine) }
        }
        (1, 0, 1) => {
            // SAFETY: the caller's contract; the one element is visited.
            let left = unsafe { Repeated::load(at.left, machine) };
            // SAFETY: as above, and a repeated value reads nothing any more.
            unsafe { sweep(out, left, right, function, machine) }
        }
        (step, left, right) => {
            let left = Strided(at.left, left, machine);
            let right = Strided(at.right, right, machine);
            // SAFETY: the caller's contract, with the steps of the loop.
            unsafe { scatter(inner.count, (at.out, step), left, right, function, machine) }
        }
    }
}

/// Where results go that lie next to each other.
#[derive(Clone, Copy)]
struct Results<T> {
    first: *mut T,
    count: usize,
    /// Past the caches; then `first` is aligned for that.
    streaming: bool,
}

/// The function on every pair of a chunk.
#[inline(always)]
fn compute<T, F>(
    left: &[T::Wide; CHUNK],
    right: &[T::Wide; CHUNK],
    function: F,
    machine: impl Machine,
) -> [T; CHUNK]
where
    T: Element,
    F: Function<T::Wide>,
{
    let mut results = [T::Wide::default(); CHUNK];
    for ((result, left), right) in results.iter_mut().zip(left).zip(right) {
        *result = function.apply(*left, *right);
    }
    T::narrow(machine, &results)
}

/// Results next to each other.
///
/// # Safety
///
/// The operands are readable and `out` is writable for `out.count` elements.
#[inline(always)]
unsafe fn sweep<T, F>(
    out: Results<T>,
    left: impl Source<T>,
    right: impl Source<T>,
    function: F,
    machine: impl Machine,
) where
    T: Element,
    F: Function<T::Wide>,
{
    let whole = out.count - out.count % CHUNK;
    if out.streaming {
        for first in (0..whole).step_by(CHUNK) {
            // SAFETY: the caller's contract: this is a whole chunk.
            let results = unsafe { results_of(first, left, right, function, machine) };
            // SAFETY: the caller's contract. The first place is aligned, and the bytes of a chunk
            // are a multiple of the alignment, so all are.
            unsafe { stream(out.first.wrapping_add(first), &results) };
        }
    } else {
        for first in (0..whole).step_by(CHUNK) {
            // SAFETY: the caller's contract: this is a whole chunk.
            let results = unsafe { results_of(first, left, right, function, machine) };
            let place = out.first.wrapping_add(first).cast::<[T; CHUNK]>();
            // SAFETY: the caller's contract.
            unsafe { place.write_unaligned(results) };
        }
    }
    let rest = out.count - whole;
    // SAFETY: the caller's contract: these are the elements behind the last whole chunk.
    unsafe { partial(whole, rest, (out.first, 1), left, right, function, machine) };
}

/// The results of a whole chunk. A function and not a closure, because a closure would be compiled
/// without the features of its surroundings where it is not inlined.
///
/// # Safety
///
/// The operands are readable for the chunk at `first`.
#[inline(always)]
unsafe fn results_of<T, F>(
    first: usize,
    left: impl Source<T>,
    right: impl Source<T>,
    function: F,
    machine: impl Machine,
) -> [T; CHUNK]
where
    T: Element,
    F: Function<T::Wide>,
{
    // SAFETY: the caller's contract.
    let a = unsafe { left.chunk(first) };
    // SAFETY: the caller's contract.
    let b = unsafe { right.chunk(first) };
    compute::<T, F>(&a, &b, function, machine)
}

/// `count` results `step` elements apart.
///
/// # Safety
///
/// The operands are readable for `count` elements, and so many places of `out` are writable.
#[inline(always)]
unsafe fn scatter<T, F>(
    count: usize,
    out: (*mut T, usize),
    left: impl Source<T>,
    right: impl Source<T>,
    function: F,
    machine: impl Machine,
) where
    T: Element,
    F: Function<T::Wide>,
{
    for first in (0..count).step_by(CHUNK) {
        let len = CHUNK.min(count - first);
        // SAFETY: the caller's contract: `first + len` is at most `count`.
        unsafe { partial(first, len, out, left, right, function, machine) };
    }
}

/// The results of the positions `first .. first + len`, which are at most a chunk.
///
/// # Safety
///
/// The operands are readable and the places of `out` are writable at these positions.
#[inline(always)]
unsafe fn partial<T, F>(
    first: usize,
    len: usize,
    (out, step): (*mut T, usize),
    left: impl Source<T>,
    right: impl Source<T>,
    function: F,
    machine: impl Machine,
) where
    T: Element,
    F: Function<T::Wide>,
{
    if len == 0 {
        return;
    }
    // SAFETY: the caller's contract.
    let a = unsafe { left.part(first, len) };
    // SAFETY: the caller's contract.
    let b = unsafe { right.part(first, len) };
    let results = compute::<T, F>(&a, &b, function, machine);
    for (position, result) in (first..).zip(results.into_iter().take(len)) {
        let place = out.wrapping_add(position.wrapping_mul(step));
        // SAFETY: the caller's contract: `position` is below `first + len`.
        unsafe { place.write_unaligned(result) };
    }
}
