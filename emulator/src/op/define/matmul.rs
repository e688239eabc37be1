//! Products of matrices and vectors.

use super::definitions;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, promote, types};
use crate::op::elementwise::Elementwise;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::product::{Factor, Matrix, MatrixMut, STREAMS, dots, multiply_matrices};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined};
use crate::op::shape::{Dims, broadcast};
use crate::op::short_rows::products_of;
use crate::op::sums::add_scaled;
use crate::op::view::{View, ViewMut, Views, rows};

definitions! {
    aclnnMatmul = |call: &Call| product_of(call, ["self", "mat2"], [1..=RANK, 1..=RANK]);
    aclnnMm = |call: &Call| product_of(call, ["self", "mat2"], [2..=2, 2..=2]);
    aclnnBatchMatMul = |call: &Call| product_of(call, ["self", "mat2"], [3..=3, 3..=3]);
    aclnnMv = |call: &Call| product_of(call, ["self", "vec"], [2..=2, 1..=1]);
    aclnnAddmm, aclnnInplaceAddmm = |call: &Call| sum_of(call, ["mat1", "mat2"], 2);
    aclnnBaddbmm, aclnnInplaceBaddbmm = |call: &Call| sum_of(call, ["batch1", "batch2"], 3);
    aclnnGer = outer;
    aclnnTriangularSolve = solve;
}

/// The number of rows of the right factor that are read at a time.
const BLOCK: usize = 256;

/// The same for the product with a vector, which uses each element once: the elements stay in the caches.
const SHORT: usize = 32;

/// The largest number of dimensions of a factor.
const RANK: usize = 6;

/// The product of matrices. The last two dimensions of both factors are the matrices. The other dimensions are
/// broadcast, and there is one product for each position of them. A factor of rank 1 is a row or a column, and the
/// product lacks that dimension.
///
/// The elements are added in single precision. The modes 1 to 3 of `cubeMathType` allow a card to drop precision; the
/// emulator does not drop it.
fn product_of(
    call: &Call,
    names: [&str; 2],
    ranks: [core::ops::RangeInclusive<usize>; 2],
) -> Result<Plan, Refusal> {
    planned(call, names, ranks, |_, _| Ok(None))
}

/// `beta * self + alpha * product`, where `self` is broadcast. If `beta` is 0, `self` is not read.
fn sum_of(call: &Call, names: [&str; 2], rank: usize) -> Result<Plan, Refusal> {
    planned(call, names, [rank..=rank, rank..=rank], |call, out| {
        let input = call.input("self").of(SINGLE)?;
        if broadcast(&input.tensor.shape, &out.tensor.shape) != Some(out.tensor.shape) {
            return Err(Refusal::invalid(format_args!(
                "self {:?} does not go to {:?} by broadcasting",
                input.shape(),
                out.shape()
            )));
        }
        let (beta, alpha) = (
            call.scalar("beta")?.to_f32(),
            call.scalar("alpha")?.to_f32(),
        );
        Ok(Some(Added { input, beta, alpha }))
    })
}

/// A tensor that is added to a product, and both factors.
struct Added {
    input: Input,
    beta: f32,
    alpha: f32,
}

fn planned(
    call: &Call,
    names: [&str; 2],
    ranks: [core::ops::RangeInclusive<usize>; 2],
    added: impl Fn(&Call, &Output) -> Result<Option<Added>, Refusal>,
) -> Result<Plan, Refusal> {
    let [left, right] = names;
    let (left, right) = (call.input(left).of(SINGLE), call.input(right).of(SINGLE));
    let (left, right) = (left?, right?);
    let (out, mode) = (call.output("out").of(SINGLE)?, call.whole("cubeMathType")?);
    check_types(&left, &right)?;
    let added = added(call, &out)?;
    if !(0..=4).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "cubeMathType is {mode}; it is 0 to 4"
        )));
    }
    let [of_left, of_right] = ranks;
    let (left, right) = (left.ranked(of_left)?, right.ranked(of_right)?);
    let product = Product {
        added,
        ..product(&left, &right, &out)?
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| product.run(views))
}

pub(super) fn check_types(left: &Input, right: &Input) -> Result<(), Refusal> {
    let (one, other) = (left.dtype(), right.dtype());
    // Also bfloat16 with another type: the published source looks at each type and at the promoted one.
    if promote(one, other).is_none() {
        return Err(Refusal::invalid(format_args!(
            "the data types do not go together: {} {one:?}, {} {other:?}",
            left.name, right.name
        )));
    }
    Ok(())
}

/// A factor or the product as matrices: the shape and the strides of the other dimensions, and the two strides of a
/// matrix.
#[derive(Debug, Clone, Copy)]
struct Matrices {
    shape: Dims,
    strides: Dims,
    row: usize,
    column: usize,
}

/// A checked product of matrices.
struct Product {
    factors: [(Input, Matrices); 2],
    out: (Output, Matrices),
    /// The number of rows of the left factor, their length, and the number of columns of the right factor.
    sizes: [usize; 3],
    added: Option<Added>,
}

/// Checks the shapes.
fn product(left: &Input, right: &Input, out: &Output) -> Result<Product, Refusal> {
    let no_product = || {
        Refusal::invalid(format_args!(
            "{} {:?} and {} {:?} do not give out {:?} as a product of matrices",
            left.name,
            left.shape(),
            right.name,
            right.shape(),
            out.shape()
        ))
    };
    let ranks = [left.shape().len(), right.shape().len()];
    // A factor of rank 1 lacks one dimension of a matrix; this dimension has size 1.
    let split = |shape: &Dims, strides: &Dims, lacks: [bool; 2]| {
        let matrix = 2 - lacks.iter().filter(|lacks| **lacks).count();
        let batch = shape.rank().checked_sub(matrix)?;
        let mut sizes = shape.iter().zip(strides.iter()).skip(batch);
        let mut next = |lacks: bool| if lacks { Some((1, 0)) } else { sizes.next() };
        let (row, column) = (next(lacks[0])?, next(lacks[1])?);
        let matrices = Matrices {
            shape: shape.filtered(&|index| index < batch),
            strides: strides.filtered(&|index| index < batch),
            row: row.1,
            column: column.1,
        };
        Some((matrices, [row.0, column.0]))
    };
    let is_vector = [ranks[0] == 1, ranks[1] == 1];
    let of = |input: &Input, lacks| split(&input.tensor.shape, &input.tensor.strides, lacks);
    let (one, [rows, length]) = of(left, [is_vector[0], false]).ok_or_else(no_product)?;
    let (other, [depth, columns]) = of(right, [false, is_vector[1]]).ok_or_else(no_product)?;
    let tensor = &out.tensor;
    let (result, sizes) =
        split(&tensor.shape, &tensor.strides, is_vector).ok_or_else(no_product)?;
    let batch = broadcast(&one.shape, &other.shape);
    if length != depth || sizes != [rows, columns] || batch != Some(result.shape) {
        return Err(no_product());
    }
    Ok(Product {
        factors: [(*left, one), (*right, other)],
        out: (*out, result),
        sizes: [rows, length, columns],
        added: None,
    })
}

impl Product {
    fn run(&self, views: &Views<'_>) {
        let [(left, of_left), (right, of_right)] = &self.factors;
        let (out, of_out) = &self.out;
        let (left, right) = (views.input(left), views.input(right));
        let mut view = views.output(out);
        let shape = of_out.shape;
        let left_starts = shape.offsets(of_left.strides.stretched(&of_left.shape, &shape));
        let right_starts = shape.offsets(of_right.strides.stretched(&of_right.shape, &shape));
        let starts = left_starts.zip(right_starts);
        // The product may be stored in the tensor that is added, so this is read first, a matrix at a time.
        let mut others = self.added.as_ref().map(|added| {
            let (whole, tensor) = (out.tensor.shape, added.input.tensor);
            (
                added,
                views.input(&added.input),
                rows(&whole, &tensor.strides_in(&whole)),
            )
        });
        let [(one, _), (other, _)] = &self.factors;
        let is_direct = self.added.is_none() && views.is_alone(out.slot, &[one.slot, other.slot]);
        let [height, length, columns] = self.sizes;
        for ((one, other), to) in starts.zip(shape.offsets(of_out.strides)) {
            let of = (&left, one);
            if is_direct
                && let Some(left) = of_left.matrix(of, [height, length])
                && let Some(right) = of_right.matrix((&right, other), [length, columns])
                && let Some(mut out) =
                    view.matrix(to, [height, columns], [of_out.row, of_out.column])
            {
                multiply_matrices(left, right, &mut out, false);
                continue;
            }
            let mut sums = self.multiply(of, (&right, other));
            if let Some((added, other, (starts, (_, step)))) = &mut others {
                let mut room = vec![0.0; columns];
                for (sums, start) in sums.chunks_mut(columns).zip(starts) {
                    if added.beta != 0.0 {
                        other.read(start, *step, &mut room);
                    }
                    for (sum, other) in sums.iter_mut().zip(&room) {
                        *sum = added.beta * other + added.alpha * *sum;
                    }
                }
            }
            self.store(&mut view, to, &sums);
        }
    }

    /// Multiplies two matrices that begin at these offsets.
    fn multiply(
        &self,
        (left, one): (&View<'_>, usize),
        (right, other): (&View<'_>, usize),
    ) -> Vec<f32> {
        let [rows, length, columns] = self.sizes;
        let [(_, of_left), (_, of_right)] = &self.factors;
        let mut sums = vec![0.0_f32; rows * columns];
        if let Some((is_row, step)) = self.by_lines() {
            // The other factor is a vector. Some lines of this one are converted at a time, and stay in the caches until
            // they are multiplied.
            let (vector, (lines, begin)) = match is_row {
                true => ((left, one, of_left.column), (right, other)),
                false => ((right, other, of_right.row), (left, one)),
            };
            let mut numbers = vec![0.0; length];
            vector.0.read(vector.1, vector.2, &mut numbers);
            let of_lines = if is_row {
                &self.factors[1].0
            } else {
                &self.factors[0].0
            };
            if let Some(products) = products_of(of_lines.dtype())
                && let Some(first) = lines.halves(begin, (sums.len() - 1) * step + length)
            {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let line = first.wrapping_add(index * step * size_of::<u16>());
                    // SAFETY: these elements are between the first and the last one, which `halves` returned. The sums, which
                    // are all that is written meanwhile, are memory of their own.
                    *sum = unsafe { products(line, &numbers) };
                }
                return sums;
            }
            let mut room = vec![0.0; STREAMS * length];
            for (index, sums) in sums.chunks_mut(STREAMS).enumerate() {
                let mut given = [&[][..]; STREAMS];
                let rooms = room.chunks_mut(length.max(1));
                for (number, (line, room)) in given.iter_mut().zip(rooms).enumerate() {
                    // The last line is there as often as others are missing.
                    let number = index * STREAMS + number.min(sums.len() - 1);
                    let place = begin + number * step;
                    // SAFETY: the sums, which are all that is written meanwhile, are memory of their own.
                    *line = match unsafe { lines.own(place, length) } {
                        Some(own) => own,
                        None => {
                            lines.read(place, 1, room);
                            room
                        }
                    };
                }
                let results = dots(&given, &numbers);
                for (sum, result) in sums.iter_mut().zip(results) {
                    *sum = result;
                }
            }
            return sums;
        }
        let Some(mut out) = MatrixMut::new(&mut sums, [rows, columns]) else {
            return sums;
        };
        // Factors of another type are converted. This needs not much more memory than the output: the factors may repeat
        // elements and be larger than memory.
        let most = if rows.min(columns) == 1 { SHORT } else { BLOCK };
        for block in (0..length).step_by(most) {
            let size = most.min(length - block);
            let left = of_left.part((left, one + block * of_left.column), [rows, size]);
            let right = of_right.part((right, other + block * of_right.row), [size, columns]);
            if let (Some(left), Some(right)) = (left.matrix(), right.matrix()) {
                multiply_matrices(left, right, &mut out, true);
            }
        }
        sums
    }

    /// Returns whether the left factor is a row or the right one a column, if the lines of the other factor have their elements
    /// next to each other, and the distance of these lines.
    fn by_lines(&self) -> Option<(bool, usize)> {
        let [rows, _, columns] = self.sizes;
        let [(_, left), (_, right)] = &self.factors;
        let is_row = rows == 1;
        let (along, step) = match is_row {
            true => (right.row, right.column),
            false => (left.column, left.row),
        };
        (rows.min(columns) == 1 && along == 1 && step > 1).then_some((is_row, step))
    }

    fn store(&self, out: &mut ViewMut<'_>, to: usize, sums: &[f32]) {
        let columns = self.sizes[2].max(1);
        for (row, sums) in sums.chunks(columns).enumerate() {
            out.write(to + row * self.out.1.row, self.out.1.column, sums);
        }
    }
}

impl Matrices {
    /// Returns a matrix that begins at an offset, if its elements need no conversion.
    fn matrix<'a>(
        &self,
        (view, start): (&'a View<'_>, usize),
        sizes: [usize; 2],
    ) -> Option<Matrix<'a>> {
        view.matrix(start, sizes, [self.row, self.column])
    }

    /// Returns a matrix that begins at an offset, or a copy of it with converted elements.
    fn part<'a>(&self, (view, start): (&'a View<'_>, usize), sizes: [usize; 2]) -> Factor<'a> {
        Factor::new(view, start, sizes, [self.row, self.column])
    }
}

/// `aclnnGer(self, vec2, out)`: the products of each element of one vector and each element of another.
fn outer(call: &Call) -> Result<Plan, Refusal> {
    const PRODUCT: Elementwise<2> =
        formula!(|x, other| "x * other").takes(types!(f32 f16 f64 s8 s16 s32 s64 u8 bool));
    let (sources, out) = call.elements()?;
    let (mut one, other) = (
        call.input("self").ranked(1..=1)?,
        call.input("vec2").ranked(1..=1)?,
    );
    // The first vector is a column.
    let (rows, step) = (at(one.shape(), 0), at(one.tensor.strides.as_slice(), 0));
    one.tensor.shape = Dims::new([rows, 1]).unwrap_or_default();
    one.tensor.strides = Dims::new([step, 0]).unwrap_or_default();
    drop(sources);
    let sources = [Source::Tensor(one), Source::Tensor(other)];
    PRODUCT.plan_of(call, &sources, out)
}

/// `aclnnTriangularSolve(self, A, upper, transpose, unitriangular, xOut, mOut)`: `mOut` is `A`, broadcast.
fn solve(call: &Call) -> Result<Plan, Refusal> {
    let types = types!(f32 f64);
    let right = call.input("self").of(types).ranked(2..=8)?;
    let matrix = call.input("A").of(types).like(&right).ranked(2..=8)?;
    let (out, copy) = (
        call.output("xOut").like(&right)?,
        call.output("mOut").like(&right)?,
    );
    let ends = |input: &Input| {
        input
            .shape()
            .split_last_chunk::<2>()
            .map(|(batch, ends)| (Dims::new(batch.iter().copied()), *ends))
    };
    let (Some((of_right, [rows, columns])), Some((of_matrix, [size, width]))) =
        (ends(&right), ends(&matrix))
    else {
        return Err(Refusal::invalid("self and A have no matrices"));
    };
    let batch = of_right
        .zip(of_matrix)
        .and_then(|(one, other)| broadcast(&one, &other));
    let (Some(batch), true) = (batch, size == width && size == rows) else {
        return Err(Refusal::invalid(format_args!(
            "self {:?} and A {:?} are no right sides and triangular matrices",
            right.shape(),
            matrix.shape()
        )));
    };
    let shape_of = |columns| joined(batch.as_slice(), &[rows, columns]);
    let (out, copy) = (
        out.shaped(&shape_of(columns))?,
        copy.shaped(&shape_of(rows))?,
    );
    let (upper, transposed) = (call.flag("upper")?, call.flag("transpose")?);
    let is_unit = call.flag("unitriangular")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |input: &Input, shape: &Dims| views.input(input).spread::<f64>(shape);
        let matrices = read(&matrix, &copy.tensor.shape);
        let mut sides = read(&right, &out.tensor.shape);
        for (side, matrix) in sides
            .chunks_mut(rows * columns)
            .zip(matrices.chunks(rows * rows))
        {
            let entry = |row: usize, column: usize| {
                at(
                    matrix,
                    if transposed {
                        column * rows + row
                    } else {
                        row * rows + column
                    },
                )
            };
            // A transposed upper matrix is a lower one.
            let goes_down = upper == transposed;
            let (mut sums, mut factors) = (vec![0.0; columns], Vec::with_capacity(rows));
            for step in 0..rows {
                let row = if goes_down { step } else { rows - 1 - step };
                let known = if goes_down { 0..row } else { row + 1..rows };
                factors.clear();
                factors.extend(known.clone().map(|index| entry(row, index)));
                let found = side.get(known.start * columns..known.end * columns);
                sums.fill(0.0);
                add_scaled(&mut sums, found.unwrap_or_default(), &factors);
                let divisor = if is_unit { 1.0 } else { entry(row, row) };
                let found = side.get_mut(row * columns..(row + 1) * columns);
                for (one, sum) in found.unwrap_or_default().iter_mut().zip(&sums) {
                    *one = (*one - sum) / divisor;
                }
            }
        }
        views.output(&out).put_all(&sides);
        views.output(&copy).put_all(&matrices);
    })
}
