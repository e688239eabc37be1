//! A walk over operands of any data types. It computes each element of the result from the elements at the same
//! position.
//!
//! The walk loads a chunk of every operand before it stores the chunk of the result. So the result may be exactly one
//! of the operands.

use ascendcl_sys::{ACL_BOOL, ACL_DOUBLE, aclDataType};

use super::call::{Input, Output};
use super::dtype::{Kind, element_size, kind};
use super::formula::Formula;
use super::machine::{STREAM_FROM, finish_streaming};
use super::number::{CHUNK, Load, Number as _, Whole};
use super::operands::Source;
use super::scalar::Scalar;
use super::shape::{Dims, Loop, Nest};
use super::steps::{self, Computed};
use super::truths::{Table, look_up};
use super::unary::{Dense, Unary};
use super::view::Views;
use crate::results::list_of;
use crate::sync::cores::distribute;

/// The largest number of tensors that a walk reads.
pub(super) const TENSORS: usize = 6;

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

    #[inline]
    fn run(self, registers: &mut [[W; CHUNK]]) {
        match self {
            Self::Chunked(apply) => {
                if let Some((results, operands)) = registers.split_last_mut() {
                    apply(operands, results);
                }
            }
            Self::Formula(formula) => W::compute(formula, registers),
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
        let operands = core::array::from_fn(|index| {
            let tensor = tensors.get(index);
            tensor.map_or((&one, &one), |tensor| (&tensor.shape, &tensor.strides))
        });
        let of_tensors = tensors.iter().map(|tensor| tensor.dtype);
        let mut types = list_of(of_tensors.chain([through]));
        let is_whole = |dtype: &aclDataType| kind(*dtype) < Some(Kind::Floating);
        let is_whole = types.iter().all(is_whole) && arithmetic.has_whole();
        types.push(out.tensor.dtype);
        let nest = Nest::new(target, strides, operands);
        let is_dense = nest.inner.out == 1 && nest.inner.inputs.first() == Some(&1);
        let is_of_one_type = types.iter().all(|one| *one == through);
        let is_copy =
            is_dense && is_of_one_type && arithmetic.formula.is_some_and(Formula::is_copy);
        let copier = if is_copy { copier(through) } else { None };
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
        if self.is_whole {
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
        let Some(out) = views.pointer(self.out.slot) else {
            return;
        };
        let mut chunks = Vec::with_capacity(self.lanes.len());
        let mut tensors = Vec::with_capacity(TENSORS);
        for (lane, scalar) in self.lanes.iter().enumerate() {
            match scalar {
                Lane::Constant(scalar) => chunks.push([W::of(*scalar); CHUNK]),
                Lane::Tensor(input) => {
                    let Some(first) = views.pointer(input.slot) else {
                        return;
                    };
                    chunks.push([W::ZERO; CHUNK]);
                    let dtype = input.tensor.dtype;
                    let size = element_size(dtype).unwrap_or(0);
                    let step = self.nest.inner.inputs.get(tensors.len()).unwrap_or(&0) * size;
                    tensors.push(Operand {
                        lane,
                        place: first,
                        size,
                        step,
                        load: W::loader(dtype, step),
                        is_cast: dtype != self.through,
                    });
                }
            }
        }
        apply.prepare(&mut chunks);
        let bytes = self.nest.elements().saturating_mul(self.out_size());
        // If the output is an operand, the lines of the results are in the cache already.
        let is_in_place = tensors.iter().any(|one| one.place == out.cast_const());
        let at = Places {
            out: out.wrapping_add(self.start),
            tensors,
            bypasses: bytes >= STREAM_FROM && !is_in_place,
        };
        let inputs = self.lanes.iter().filter_map(|lane| match lane {
            Lane::Tensor(input) => Some(input.slot),
            Lane::Constant(_) => None,
        });
        if !views.is_apart(self.out.slot, &list_of(inputs)) {
            // SAFETY: the views reach the extents of the operands, and a nest stays inside of them.
            return unsafe { self.part(&self.nest, at, &mut chunks, apply) };
        }
        let longest = self.nest.longest();
        let steps = longest.count.max(1);
        let grain = GRAIN / (self.nest.elements() / steps).max(1);
        distribute(longest.count, grain, CHUNK, &|range| {
            let mut at = at.clone();
            at.move_by(longest, self.out_size(), range.start);
            let nest = self.nest.part(range.len());
            // SAFETY: the views reach the extents of the operands, and a part of a nest stays inside of them. Other
            // threads write other elements of the output, and no elements that this part reads: `is_apart`.
            unsafe { self.part(&nest, at, &mut chunks.clone(), apply) };
        });
    }

    /// Runs a part of the walk.
    ///
    /// # Safety
    ///
    /// - All elements that the nest visits, beginning at the places `at`, may be read and written.
    unsafe fn part<W: Computed>(
        &self,
        nest: &Nest<TENSORS>,
        mut at: Places<W>,
        chunks: &mut [[W; CHUNK]],
        apply: Apply<W>,
    ) {
        let mut positions = vec![0usize; nest.outer.len()];
        loop {
            // SAFETY: the caller's contract.
            unsafe { self.row(&nest.inner, &at, chunks, apply) };
            let mut is_over = true;
            for (one, position) in nest.outer.iter().zip(&mut positions).rev() {
                *position += 1;
                if *position < one.count {
                    at.move_by(one, self.out_size(), 1);
                    is_over = false;
                    break;
                }
                at.move_by(one, self.out_size(), (one.count - 1).wrapping_neg());
                *position = 0;
            }
            if is_over {
                break;
            }
        }
    }

    fn out_size(&self) -> usize {
        element_size(self.out.tensor.dtype).unwrap_or(0)
    }

    /// Runs the inner loop once.
    ///
    /// # Safety
    ///
    /// - The inner loop may read and write all elements that it visits, beginning at the places `at`.
    unsafe fn row<W: Computed>(
        &self,
        inner: &Loop<TENSORS>,
        at: &Places<W>,
        chunks: &mut [[W; CHUNK]],
        apply: Apply<W>,
    ) {
        if let (Some(dense), [operand]) = (self.dense, at.tensors.as_slice()) {
            // SAFETY: the caller's contract. The elements of both tensors are next to each other, `is_apart` or the one
            // thread excludes other writes, and the kernel is there for this processor.
            unsafe { dense(operand.place, at.out, inner.count, at.bypasses) };
            if at.bypasses {
                finish_streaming();
            }
            return;
        }
        if let (Some(table), Some(first), Some(last)) =
            (self.table, at.tensors.first(), at.tensors.last())
        {
            // SAFETY: as above: the elements of all tensors are bytes next to each other.
            return unsafe { look_up([first.place, last.place], at.out, inner.count, table) };
        }
        let (out_type, step) = (self.out.tensor.dtype, inner.out * self.out_size());
        let store = W::storer(out_type, step);
        for first in (0..inner.count).step_by(CHUNK) {
            let len = CHUNK.min(inner.count - first);
            for operand in &at.tensors {
                let Some(chunk) = chunks
                    .get_mut(operand.lane)
                    .and_then(|one| one.get_mut(..len))
                else {
                    continue;
                };
                let from = operand.place.wrapping_add(first * operand.step);
                // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
                unsafe { (operand.load)(from, operand.step, chunk) };
                if operand.is_cast {
                    W::quantise(self.through, chunk);
                }
            }
            apply.run(chunks);
            let results = chunks.last_mut().and_then(|last| last.get_mut(..len));
            let Some(results) = results else {
                continue;
            };
            if out_type != self.through {
                W::quantise(self.through, results);
            }
            let to = at.out.wrapping_add(first * step);
            // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
            unsafe { store(results, to, step) };
        }
    }
}

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
    apply.run(&mut registers);
    let mut table = Table::default();
    for (one, result) in table.iter_mut().zip(registers.last()?) {
        *one = result.is_true().into();
    }
    (operands <= 2).then_some(table)
}

/// A tensor with its place at the current position of the outer loops.
#[derive(Clone)]
struct Operand<W> {
    lane: usize,
    place: *const u8,
    /// The bytes of an element, and of a step of the inner loop.
    size: usize,
    step: usize,
    load: Load<W>,
    /// Whether the elements have another type than the arithmetic.
    is_cast: bool,
}

/// The places of all tensors at the current position of the outer loops.
#[derive(Clone)]
struct Places<W> {
    out: *mut u8,
    tensors: Vec<Operand<W>>,
    /// Whether results may bypass the caches.
    bypasses: bool,
}

// SAFETY: the addresses are values; a function that reads or writes there is unsafe.
unsafe impl<W> Sync for Places<W> {}

impl<W> Places<W> {
    /// Moves the places by `steps` steps of a loop. A negative number in two's complement moves them back.
    fn move_by(&mut self, one: &Loop<TENSORS>, out_size: usize, steps: usize) {
        // Wrapping arithmetic on addresses is safe, and the result is an element of the nest again.
        let bytes = |step: usize, size: usize| step.wrapping_mul(steps).wrapping_mul(size);
        self.out = self.out.wrapping_add(bytes(one.out, out_size));
        for (operand, step) in self.tensors.iter_mut().zip(one.inputs) {
            operand.place = operand.place.wrapping_add(bytes(step, operand.size));
        }
    }
}
