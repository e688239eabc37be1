//! One walk over operands of any data types: each element of a result from those that belong to it.
//!
//! A chunk of every operand is loaded before the chunk of the result is stored. So the result may be exactly one of the
//! operands.

use ascendcl_sys::{ACL_DOUBLE, aclDataType};

use super::call::{Input, Output};
use super::dtype::{Kind, element_size, kind};
use super::number::{CHUNK, Number, Whole};
use super::scalar::Scalar;
use super::shape::{Dims, Loop, Nest};
use super::view::Views;

/// Tensors that a walk reads at most.
pub(super) const TENSORS: usize = 4;

/// What happens to a chunk: the numbers of each operand in the order of the parameters, and the results.
pub type Chunked<W> = fn(&[[W; CHUNK]], &mut [W; CHUNK]);

/// The same arithmetic in each kind of number.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    pub(super) f32: Chunked<f32>,
    pub(super) f64: Chunked<f64>,
    /// None for what divides: integers are computed as `f32` then.
    pub(super) whole: Option<Chunked<Whole>>,
}

/// A number of a walk.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lane {
    Tensor(Input),
    Constant(Scalar),
}

/// A walk.
pub(super) struct Pass {
    arithmetic: Arithmetic,
    lanes: Vec<Lane>,
    nest: Nest<TENSORS>,
    /// The type that operands and results pass through.
    through: aclDataType,
    is_double: bool,
    is_whole: bool,
    out: Output,
    /// Where the first result goes, in bytes from the first element of the output.
    start: usize,
}

impl Pass {
    /// A walk over the shape of `target`, a part of the output `out` that begins `start` elements behind its first
    /// one. `None` for more tensors than [`TENSORS`].
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
        let tensors: Vec<_> = tensors.collect();
        if tensors.len() > TENSORS {
            return None;
        }
        let one = Dims::default();
        let operands = core::array::from_fn(|index| {
            let tensor = tensors.get(index);
            tensor.map_or((&one, &one), |tensor| (&tensor.shape, &tensor.strides))
        });
        let of_tensors = tensors.iter().map(|tensor| tensor.dtype);
        let types: Vec<_> = of_tensors.chain([through, out.tensor.dtype]).collect();
        let is_whole = |dtype: &aclDataType| kind(*dtype) < Some(Kind::Floating);
        Some(Self {
            is_double: types.contains(&ACL_DOUBLE),
            is_whole: types.iter().all(is_whole) && arithmetic.whole.is_some(),
            start: start * element_size(out.tensor.dtype).unwrap_or(0),
            nest: Nest::new(target, strides, operands),
            arithmetic,
            lanes,
            through,
            out,
        })
    }

    /// Computes.
    pub(super) fn run(&self, views: &Views<'_>) {
        match (self.arithmetic.whole, self.is_whole, self.is_double) {
            (Some(whole), true, _) => self.walk(views, whole),
            (_, _, true) => self.walk(views, self.arithmetic.f64),
            (_, _, false) => self.walk(views, self.arithmetic.f32),
        }
    }

    fn walk<W: Number>(&self, views: &Views<'_>, apply: Chunked<W>) {
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
                    tensors.push(Operand {
                        lane,
                        place: first,
                        dtype: input.tensor.dtype,
                        size: element_size(input.tensor.dtype).unwrap_or(0),
                    });
                }
            }
        }
        let mut at = Places {
            out: out.wrapping_add(self.start),
            tensors,
        };
        let mut positions = vec![0usize; self.nest.outer.len()];
        loop {
            // SAFETY: the views reach the extents of the operands, and a nest stays inside of them.
            unsafe { self.row(&mut at, &mut chunks, apply) };
            let mut is_over = true;
            for (one, position) in self.nest.outer.iter().zip(&mut positions).rev() {
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

    /// One run of the inner loop.
    ///
    /// # Safety
    ///
    /// - The elements that the inner loop visits from where the places are may be read and written.
    unsafe fn row<W: Number>(&self, at: &mut Places, chunks: &mut [[W; CHUNK]], apply: Chunked<W>) {
        let inner = &self.nest.inner;
        let (out_type, step) = (self.out.tensor.dtype, inner.out * self.out_size());
        let mut results = [W::ZERO; CHUNK];
        for first in (0..inner.count).step_by(CHUNK) {
            let len = CHUNK.min(inner.count - first);
            for (operand, step) in at.tensors.iter().zip(inner.inputs) {
                let Some(chunk) = chunks
                    .get_mut(operand.lane)
                    .and_then(|one| one.get_mut(..len))
                else {
                    continue;
                };
                let step = step * operand.size;
                let from = operand.place.wrapping_add(first * step);
                // SAFETY: the caller's contract: `first + len` is at most the count of the loop.
                unsafe { W::load(operand.dtype, from, step, chunk) };
                if operand.dtype != self.through {
                    W::quantise(self.through, chunk);
                }
            }
            apply(chunks, &mut results);
            let Some(results) = results.get_mut(..len) else {
                continue;
            };
            if out_type != self.through {
                W::quantise(self.through, results);
            }
            let to = at.out.wrapping_add(first * step);
            // SAFETY: as above.
            unsafe { W::store(out_type, results, to, step) };
        }
    }
}

/// A tensor where the outer loops stand.
struct Operand {
    lane: usize,
    place: *const u8,
    dtype: aclDataType,
    size: usize,
}

/// Where the outer loops stand.
struct Places {
    out: *mut u8,
    tensors: Vec<Operand>,
}

impl Places {
    /// Goes on by `steps` steps of a loop; a negative number in two's complement goes back.
    fn move_by(&mut self, one: &Loop<TENSORS>, out_size: usize, steps: usize) {
        // Wrapping arithmetic on addresses is safe, and it ends on an element of the nest again.
        let bytes = |step: usize, size: usize| step.wrapping_mul(steps).wrapping_mul(size);
        self.out = self.out.wrapping_add(bytes(one.out, out_size));
        for (operand, step) in self.tensors.iter_mut().zip(one.inputs) {
            operand.place = operand.place.wrapping_add(bytes(step, operand.size));
        }
    }
}
