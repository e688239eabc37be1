//! The lines of an index, and the elements that it names.

use crate::op::call::Input;
use crate::op::moves::{Mover, NOWHERE, Named};
use crate::op::number::Whole;
use crate::op::rule::{at, put};
use crate::op::shape::Dims;
use crate::op::tensor::Tensor;
use crate::op::view::{Views, rows};
use crate::results::list_of;

/// A line of an index: the first offsets in two tensors, and the distances along the line.
type Line = ([usize; 2], [usize; 2]);

/// Calls a function for each line of an index with these numbers, with its offsets in a tensor, in which the index stands for the
/// position along `dim`, and in another one.
fn each_line(
    (index, indices): (&Input, &[Whole]),
    [tensor, other]: [&Tensor; 2],
    dim: usize,
    visit: &mut dyn FnMut(Line, &[Whole]),
) {
    let shape = &index.tensor.shape;
    let mut kept = list_of(tensor.strides.iter());
    put(&mut kept, dim, 0);
    let kept = Dims::new(kept).unwrap_or_default();
    let (starts, (count, along)) = rows(shape, &kept);
    let (others, (_, other_along)) = rows(shape, &other.strides);
    let lines = starts.zip(others).zip(indices.chunks(count.max(1)));
    for ((start, other), indices) in lines {
        visit(([start, other], [along, other_along]), indices);
    }
}

/// Returns the number of elements of a tensor along a dimension, and their distance.
fn dimension_of(tensor: &Tensor, dim: usize) -> (usize, usize) {
    let size = tensor.shape.as_slice().get(dim).copied().unwrap_or(1);
    (size, at(tensor.strides.as_slice(), dim))
}

/// Calls a function for each line of an index with these numbers, with two offsets for each position: of the element in
/// `tensors[0]` that the index names, or [`NOWHERE`], and of the element in `tensors[1]` at the position of the index.
pub(in crate::op::define) fn each_indexed(
    views: &Views<'_>,
    index: (&Input, &[Whole]),
    tensors: [&Tensor; 2],
    dim: usize,
    visit: &mut dyn FnMut(&[[usize; 2]]),
) {
    let (size, step) = dimension_of(tensors[0], dim);
    let mut places = Vec::new();
    each_line(index, tensors, dim, &mut |(starts, along), indices| {
        let ([mut own, mut to], [along, other_along]) = (starts, along);
        places.clear();
        for index in indices {
            // CAST: a negative index counts from the end, and another one outside of the dimension is no place.
            let (Whole(index), from_end) = (*index, if index.0 < 0 { size } else { 0 });
            let found = (index as usize).wrapping_add(from_end);
            places.push(if found < size {
                [own + found * step, to]
            } else {
                views.indexed(Whole(index), size);
                [NOWHERE, to]
            });
            (own, to) = (own + along, to + other_along);
        }
        visit(&places);
    });
}

/// Moves elements between the places that an index names in `tensors[0]` and its positions in `tensors[1]`. `reads` says whether
/// the first one is the source.
pub(super) fn move_named(
    views: &Views<'_>,
    index: (&Input, &[Whole]),
    tensors: [&Tensor; 2],
    dim: usize,
    (mover, reads): (&mut Mover<'_>, bool),
) {
    let (size, step) = dimension_of(tensors[0], dim);
    each_line(
        index,
        tensors,
        dim,
        &mut |(mut starts, mut along), indices| {
            let mut steps = [step, 0];
            if !reads {
                for pair in [&mut starts, &mut along, &mut steps] {
                    pair.reverse();
                }
            }
            let line = Named {
                starts,
                along,
                steps,
                size,
                reads,
            };
            mover.named(&line, indices, &mut |index| {
                views.indexed(index, size);
            });
        },
    );
}
