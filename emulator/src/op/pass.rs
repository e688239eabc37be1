//! A walk over operands of any data types. It computes each element of the result from the elements at the same
//! position.
//!
//! The walk loads a chunk of every operand before it stores the chunk of the result. So the result may be exactly one
//! of the operands.

use ascendcl_sys::{ACL_BOOL, ACL_DOUBLE, aclDataType};

use super::call::{Input, Output};
use super::dtype::{Kind, element_size, kind};
use super::formula::Formula;
use super::machine::{STREAM_FROM, aligned, finish_streaming};
use super::number::{CHUNK, Number as _, Whole};
use super::operands::Source;
use super::rule::at;
use super::scalar::Scalar;
use super::shape::{Dims, Loop, Nest};
use super::steps::{self, Computed, Lying, TENSORS};
use super::truths::{Table, look_up};
use super::unary::{Dense, Unary};
use super::view::Views;
use crate::results::list_of;
use crate::sync::cores::distribute;

/// The number of elements for which another thread is worth its start.
pub(super) const GRAIN: usize = 1 << 17;

/// The function for one chunk. It gets the numbers of each operand in the order of the parameters, and writes the
/// results.
pub type Chunked<W> = fn(&[[W; CHUNK]], &mut [W; CHUNK]);

/// The arithmetic of an operator in each kind of number.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    pub(super) f32: Chunked<f32>,
    pub(super) f64: Chunked<f64>,
    /// The arithmetic for integers. `None` for operators that divide: they compute integers as `f32`.
    pub(super) whole: Option<Chunked<Whole>>,
    /// The kernels of a function of one number, and its arithmetic for results of half precision.
    pub(super) unary: Option<Unary>,
    /// The arithmetic for all kinds of numbers, in place of the three above.
    pub(super) formula: Option<&'static Formula>,
}

impl Arithmetic {
    /// No arithmetic, for operators that take no such types.
    pub(super) const NONE: Self = Self {
        f32: |_, _| {},
        f64: |_, _| {},
        whole: None,
        unary: None,
        formula: None,
    };

    /// Whether integers are computed as such.
    fn has_whole(&self) -> bool {
        self.formula
            .map_or(self.whole.is_some(), |formula| !formula.is_real())
    }
}

/// How a walk computes a chunk. The operands are in the first registers, and the result is in the last one.
#[derive(Clone, Copy)]
enum Apply<W> {
    Chunked(Chunked<W>),
    Formula(&'static Formula),
}

impl<W: Computed> Apply<W> {
    /// Adds the registers behind those of the operands.
    fn prepare(self, registers: &mut Vec<[W; CHUNK]>) {
        match self {
            Self::Chunked(_) => registers.push([W::ZERO; CHUNK]),
            Self::Formula(formula) => steps::prepare(formula, registers),
        }
    }

    /// Computes the results, which are in `target` or in the last register. Only a formula has operands that lie elsewhere.
    #[inline]
    fn run(
        self,
        lying: &Lying<'_, W>,
        registers: &mut [[W; CHUNK]],
        target: Option<&mut [W; CHUNK]>,
    ) {
        match self {
            Self::Chunked(apply) => {
                if let Some((results, operands)) = registers.split_last_mut() {
                    apply(operands, target.unwrap_or(results));
                }
            }
            Self::Formula(formula) => W::compute(formula, lying, registers, target),
        }
    }
}

/// An operand of a walk.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lane {
    Tensor(Input),
    Constant(Scalar),
}

impl Lane {
    /// Returns the operand of a walk that this one is.
    pub(super) fn of(source: &Source) -> Self {
        match source {
            Source::Tensor(input) => Self::Tensor(*input),
            Source::Scalar(_, number) | Source::Number(number) => Self::Constant(*number),
        }
    }
}

/// A walk over the operands and the result of an operator.
pub(super) struct Pass {
    arithmetic: Arithmetic,
    lanes: Vec<Lane>,
    nest: Nest<TENSORS>,
    /// The type to which operands and results are rounded on the way.
    through: aclDataType,
    is_double: bool,
    is_whole: bool,
    /// Whether each result is the operand, which the type of the output rounds.
    is_conversion: bool,
    /// The kernel for elements next to each other.
    dense: Option<Dense>,
    /// The results for truth values next to each other, if all tensors have them.
    table: Option<Table>,
    out: Output,
    /// The place of the first result, in bytes from the first element of the output.
    start: usize,
}

impl Pass {
    /// Makes a walk over the shape of `target`. This is a part of the output `out`, and it begins `start` elements
    /// behind the first element of `out`. Returns `None` for more tensors than [`TENSORS`].
    pub(super) fn new(
        arithmetic: Arithmetic,
        lanes: Vec<Lane>,
        through: aclDataType,
        out: Output,
        (target, strides): (&Dims, &Dims),
        start: usize,
    ) -> Option<Self> {
        let tensors = lanes.iter().filter_map(|lane| match lane {
            Lane::Tensor(input) => Some(input.tensor),
            Lane::Constant(_) => None,
        });
        let tensors = list_of(tensors);
        let is_other = |formula: &Formula| formula.operands() > lanes.len();
        if tensors.len() > TENSORS || arithmetic.formula.is_some_and(is_other) {
            return None;
        }
        let one = Dims::default();
        let mut operands = [(&one, &one); TENSORS];
        for (operand, tensor) in operands.iter_mut().zip(&tensors) {
            *operand = (&tensor.shape, &tensor.strides);
        }
        let of_tensors = tensors.iter().map(|tensor| tensor.dtype);
        let mut types = list_of(of_tensors.chain([through]));
        let is_whole = |dtype: &aclDataType| kind(*dtype) < Some(Kind::Floating);
        let is_whole = types.iter().all(is_whole) && arithmetic.has_whole();
        types.push(out.tensor.dtype);
        let nest = Nest::new(target, strides, operands);
        let is_dense = nest.inner.out == 1 && nest.inner.inputs.first() == Some(&1);
        let is_of_one_type = types.iter().all(|one| *one == through);
        let is_copy = arithmetic.formula.is_some_and(Formula::is_copy);
        // A type on the way that is one of both ends changes no number.
        let is_conversion = match tensors.as_slice() {
            [tensor] => is_copy && [tensor.dtype, out.tensor.dtype].contains(&through),
            _ => false,
        };
        let copier = match is_copy && is_dense && is_of_one_type {
            true => copier(through),
            false => None,
        };
        let unary = arithmetic.unary;
        let unary = unary.filter(|_| is_dense && is_of_one_type && lanes.len() == 1);
        let are_truths = is_dense && is_whole && through == ACL_BOOL && is_of_one_type;
        let is_dense = nest
            .inner
            .inputs
            .iter()
            .take(tensors.len())
            .all(|step| *step == 1);
        let table = (are_truths && is_dense).then(|| table_of(&arithmetic, lanes.len()));
        Some(Self {
            table: table.filter(|_| lanes.len() == tensors.len()).flatten(),
            is_double: types.contains(&ACL_DOUBLE),
            is_whole,
            is_conversion,
            start: start * element_size(out.tensor.dtype).unwrap_or(0),
            dense: unary.and_then(|unary| unary.dense(through)).or(copier),
            nest,
            arithmetic,
            lanes,
            through,
            out,
        })
    }

    /// Computes the results.
    pub(super) fn run(&self, views: &Views<'_>) {
        let arithmetic = &self.arithmetic;
        if self.dense.is_some() || self.table.is_some() {
            self.walk_rows(views, None, &|nest, at| {
                // SAFETY: the views reach the extents of the operands, and a nest stays inside of them.
                at.each(nest, &mut |at| unsafe {
                    self.plain_row(nest.inner.count, at)
                });
            });
        } else if self.is_whole {
            self.walk(views, arithmetic.whole);
        } else if self.is_double {
            self.walk(views, Some(arithmetic.f64));
        } else {
            let short = arithmetic
                .unary
                .and_then(|unary| unary.chunked(self.through));
            if let Some(short) = short {
                return self.walk_by(views, Apply::Chunked(short));
            }
            self.walk(views, Some(arithmetic.f32));
        }
    }

    /// Computes the results by the formula, or by `chunked` if there is none.
    fn walk<W: Computed>(&self, views: &Views<'_>, chunked: Option<Chunked<W>>) {
        let formula = self.arithmetic.formula.map(Apply::Formula);
        if let Some(apply) = formula.or(chunked.map(Apply::Chunked)) {
            self.walk_by(views, apply);
        }
    }

    fn walk_by<W: Computed>(&self, views: &Views<'_>, apply: Apply<W>) {
        let mut chunks = Vec::with_capacity(self.lanes.len());
        for lane in &self.lanes {
            chunks.push(match lane {
                Lane::Constant(scalar) => [W::of(*scalar); CHUNK],
                Lane::Tensor(_) => [W::ZERO; CHUNK],
            });
        }
        apply.prepare(&mut chunks);
        self.walk_rows(views, Some(W::OWN), &|nest, at| {
            // Registers begin with a line of the cache. There is one more, so that there are enough elements behind it.
            let mut memory = vec![W::ZERO; (chunks.len() + 1) * CHUNK];
            let memory = aligned(&mut memory, chunks.len() * CHUNK);
            memory.copy_from_slice(chunks.as_flattened());
            let registers = memory.as_chunks_mut().0;
            // SAFETY: the views reach the extents of the operands, and a nest stays inside of them.
            at.each(nest, &mut |at| unsafe {
                self.row(&nest.inner, at, registers, apply)
            });
        });
    }

    /// Calls a function with parts of the walk and the places where they begin, on several threads if there are many elements.
    /// A part stays inside of the operands, and no other thread uses its results. `own` is the type of numbers next to each other
    /// that are read and written where they lie.
    fn walk_rows(&self, views: &Views<'_>, own: Option<aclDataType>, run: Run<'_>) {
        let Some(out) = views.pointer(self.out.slot) else {
            return;
        };
        let lies = |dtype: aclDataType, step: usize| {
            own == Some(dtype) && dtype == self.through && element_size(dtype) == Some(step)
        };
        let (mut tensors, mut inputs) = (Vec::with_capacity(TENSORS), Vec::new());
        // If the output is an operand, the lines of the results are in the cache already.
        let mut is_in_place = false;
        for (lane, operand) in self.lanes.iter().enumerate() {
            let Lane::Tensor(input) = operand else {
                continue;
            };
            let Some(place) = views.pointer(input.slot) else {
                return;
            };
            let dtype = input.tensor.dtype;
            let size = element_size(dtype).unwrap_or(0);
            let step = at(&self.nest.inner.inputs, tensors.len()) * size;
            is_in_place |= place == out;
            inputs.push(input.slot);
            tensors.push(Operand {
                lane,
                place,
                size,
                step,
                dtype,
                lies: lies(dtype, step),
            });
        }
        let bytes = self.nest.elements().saturating_mul(self.out_size());
        let step = self.nest.inner.out * self.out_size();
        let at = Places {
            out: out.wrapping_add(self.start),
            out_size: self.out_size(),
            tensors,
            bypasses: bytes >= STREAM_FROM && !is_in_place,
            is_direct: lies(self.out.tensor.dtype, step) && views.is_alone(self.out.slot, &inputs),
        };
        if !views.is_apart(self.out.slot, &inputs) {
            return run(&self.nest, at);
        }
        let longest = self.nest.longest();
        let steps = longest.count.max(1);
        let grain = GRAIN / (self.nest.elements() / steps).max(1);
        distribute(longest.count, grain, CHUNK, &|range| {
            let mut at = at.clone();
            at.move_by(longest, range.start);
            // A part of a nest stays inside of the operands. Other threads write other elements of the output, and no elements
            // that this part reads: `is_apart`.
            run(&self.nest.part(range.len()), at);
        });
    }

    fn out_size(&self) -> usize {
        element_size(self.out.tensor.dtype).unwrap_or(0)
    }

    /// Runs the inner loop once, for which there is a kernel of its own.
    ///
    /// # Safety
    ///
    /// - So many elements of all operands and of the output are at the places `at`, and the walk may use them.
    unsafe fn plain_row(&self, count: usize, at: &Places) {
        let (Some(first), Some(last)) = (at.tensors.first(), at.tensors.last()) else {
            return;
        };
        if let Some(dense) = self.dense {
            // SAFETY: the caller's contract. The elements of both tensors are next to each other, `is_apart` or the one
            // thread excludes other writes, and the kernel is there for this processor.
            unsafe { dense(first.place, at.out, count, at.bypasses) };
            if at.bypasses {
                finish_streaming();
            }
        } else if let Some(table) = self.table {
            // SAFETY: as above: the elements of all tensors are bytes next to each other.
            unsafe { look_up([first.place, last.place], at.out, count, table) };
        }
    }

    /// Runs the inner loop once.
    ///
    /// # Safety
    ///
    /// - The inner loop may read and write all elements that it visits, beginning at the places `at`.
    unsafe fn row<W: Computed>(
        &self,
        inner: &Loop<TENSORS>,
        at: &Places,
        chunks: &mut [[W; CHUNK]],
        apply: Apply<W>,
    ) {
        let (out_type, step) = (self.out.tensor.dtype, inner.out * at.out_size);
        let is_formula = matches!(apply, Apply::Formula(_));
        let store = W::storer(out_type, step);
        for first in (0..inner.count).step_by(CHUNK) {
            let len = CHUNK.min(inner.count - first);
            let to = at.out.wrapping_add(first * step);
            let whole = to.cast::<[W; CHUNK]>();
            let target = if at.is_direct && len == CHUNK && whole.is_aligned() {
                // SAFETY: the caller's contract: the loop may write a whole chunk here, and its elements are numbers next to each
                // other. `is_direct` says that no operand has this memory.
                Some(unsafe { &mut *whole })
            } else {
                None
            };
            if let (true, [operand]) = (self.is_conversion, at.tensors.as_slice()) {
                let from = operand.place.wrapping_add(first * operand.step);
                let load = |to: &mut [W]| {
                    // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
                    unsafe { W::load(operand.dtype, from, operand.step, to) };
                };
                if let Some(target) = target {
                    load(target);
                } else if let Some(chunk) = chunks.last_mut().and_then(|one| one.get_mut(..len)) {
                    load(chunk);
                    // SAFETY: as above.
                    unsafe { store(chunk, to, step) };
                }
                continue;
            }
            let mut lying = [None; TENSORS];
            for operand in &at.tensors {
                let Operand { lane, step, .. } = *operand;
                let from = operand.place.wrapping_add(first * step);
                let whole = from.cast::<[W; CHUNK]>();
                if let Some(place) = lying.get_mut(lane)
                    && is_formula
                    && operand.lies
                    && len == CHUNK
                    && whole.is_aligned()
                {
                    // SAFETY: the caller's contract: the loop may read a whole chunk here, and its elements are numbers next to
                    // each other, of which any bits are one. Nothing writes there while the reference exists: the results go to
                    // other memory, or to a register until the reference is gone.
                    *place = Some(unsafe { &*whole });
                    continue;
                }
                // An element that is repeated stays in its register.
                if step == 0 && first > 0 {
                    continue;
                }
                let count = if step == 0 { 1 } else { len };
                let Some(chunk) = chunks.get_mut(lane) else {
                    continue;
                };
                let Some((chunk, behind)) = chunk.split_at_mut_checked(count) else {
                    continue;
                };
                // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
                unsafe { W::load(operand.dtype, from, step, chunk) };
                if operand.dtype != self.through {
                    W::quantise(self.through, chunk);
                }
                if let (0, Some(one)) = (step, chunk.first()) {
                    behind.fill(*one);
                }
            }
            if let Some(target) = target {
                apply.run(&lying, chunks, Some(target));
                continue;
            }
            apply.run(&lying, chunks, None);
            let Some(results) = chunks.last_mut() else {
                continue;
            };
            let Some(results) = results.get_mut(..len) else {
                continue;
            };
            if out_type != self.through {
                W::quantise(self.through, results);
            }
            // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
            unsafe { store(results, to, step) };
        }
    }
}

/// A function for a part of a walk, and the places where it begins.
type Run<'a> = &'a (dyn Fn(&Nest<TENSORS>, Places) + Sync);

/// Returns the kernel that copies elements of a data type. A truth value may be any byte and becomes 0 or 1, so it is not copied.
fn copier(dtype: aclDataType) -> Option<Dense> {
    match element_size(dtype)? {
        _ if dtype == ACL_BOOL => None,
        1 => Some(copy::<u8>),
        2 => Some(copy::<u16>),
        4 => Some(copy::<u32>),
        8 => Some(copy::<u64>),
        _ => None,
    }
}

/// Copies elements next to each other.
///
/// # Safety
///
/// - The contract of [`Dense`] holds.
unsafe fn copy<T>(from: *const u8, to: *mut u8, count: usize, _: bool) {
    // SAFETY: the caller's contract.
    unsafe { to.copy_from(from, count * size_of::<T>()) };
}

/// Returns the results of an arithmetic for each pair of truth values; `None` for more operands than two.
fn table_of(arithmetic: &Arithmetic, operands: usize) -> Option<Table> {
    let formula = arithmetic.formula.map(Apply::Formula);
    let apply = formula.or(arithmetic.whole.map(Apply::Chunked))?;
    let mut registers = vec![[Whole(0); CHUNK]; operands];
    for (position, register) in registers.iter_mut().enumerate() {
        for (index, one) in register.iter_mut().enumerate() {
            *one = Whole::truth(index >> position & 1 == 1);
        }
    }
    apply.prepare(&mut registers);
    apply.run(&[None; TENSORS], &mut registers, None);
    let mut table = Table::default();
    for (one, result) in table.iter_mut().zip(registers.last()?) {
        *one = result.is_true().into();
    }
    (operands <= 2).then_some(table)
}

/// A tensor with its place at the current position of the outer loops.
#[derive(Clone, Copy)]
struct Operand {
    lane: usize,
    place: *const u8,
    /// The bytes of an element, and of a step of the inner loop.
    size: usize,
    step: usize,
    dtype: aclDataType,
    /// Whether the elements are numbers next to each other.
    lies: bool,
}

/// The places of all tensors at the current position of the outer loops.
#[derive(Clone)]
struct Places {
    out: *mut u8,
    /// The bytes of an element of the output.
    out_size: usize,
    tensors: Vec<Operand>,
    /// Whether results may bypass the caches.
    bypasses: bool,
    /// Whether results are numbers next to each other, in memory that no operand has.
    is_direct: bool,
}

// SAFETY: the addresses are values; a function that reads or writes there is unsafe.
unsafe impl Sync for Places {}

impl Places {
    /// Moves the places by `steps` steps of a loop. A negative number in two's complement moves them back.
    fn move_by(&mut self, one: &Loop<TENSORS>, steps: usize) {
        // Wrapping arithmetic on addresses is safe, and the result is an element of the nest again.
        let bytes = |step: usize, size: usize| step.wrapping_mul(steps).wrapping_mul(size);
        self.out = self.out.wrapping_add(bytes(one.out, self.out_size));
        for (operand, step) in self.tensors.iter_mut().zip(one.inputs) {
            operand.place = operand.place.wrapping_add(bytes(step, operand.size));
        }
    }

    /// Calls a function with the places of each run of the inner loop.
    fn each(mut self, nest: &Nest<TENSORS>, visit: &mut dyn FnMut(&Self)) {
        let mut positions = vec![0usize; nest.outer.len()];
        loop {
            visit(&self);
            let mut is_over = true;
            for (one, position) in nest.outer.iter().zip(&mut positions).rev() {
                *position += 1;
                if *position < one.count {
                    self.move_by(one, 1);
                    is_over = false;
                    break;
                }
                self.move_by(one, (one.count - 1).wrapping_neg());
                *position = 0;
            }
            if is_over {
                break;
            }
        }
    }
}
