//! The product of matrices.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT, ACL_FLOAT16, aclDataType};

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::promote;
use crate::op::elementwise::check_output;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::shape::{Dims, broadcast};
use crate::op::view::{View, ViewMut, Views};

definitions! {
    aclnnMatmul = matmul;
}

/// The data types of factors and products.
const TYPES: &[aclDataType] = &[ACL_FLOAT, ACL_FLOAT16, ACL_BF16];

/// The number of rows of the right factor that are read at a time.
const BLOCK: usize = 256;

/// The largest number of dimensions of a factor.
const RANK: usize = 6;

/// `aclnnMatmul(self, mat2, out, cubeMathType)`: the product of matrices. The last two dimensions of both factors are
/// the matrices. The other dimensions are broadcast, and there is one product for each position of them. A factor of
/// rank 1 is a row or a column, and the product lacks that dimension.
///
/// The elements are added one after the other in single precision. The modes 1 to 3 of `cubeMathType` allow a card to
/// drop precision; the emulator does not drop it.
pub(super) fn matmul(call: &Call) -> Result<Plan, Refusal> {
    let (left, right) = (call.input("self")?, call.input("mat2")?);
    let (out, mode) = (call.output("out")?, call.whole("cubeMathType")?);
    check_types(&left, &right, &out)?;
    if !(0..=4).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "cubeMathType is {mode}; it is 0 to 4"
        )));
    }
    let product = product(&left, &right, &out)?;
    check_output(&out)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| product.run(views))
}

fn check_types(left: &Input, right: &Input, out: &Output) -> Result<(), Refusal> {
    let types = [
        ("self", left.dtype()),
        ("mat2", right.dtype()),
        ("out", out.dtype()),
    ];
    if let Some((name, dtype)) = types.iter().find(|(_, dtype)| !TYPES.contains(dtype)) {
        return Err(Refusal::unsupported(name, *dtype, TYPES));
    }
    let (one, other) = (left.dtype(), right.dtype());
    // Atlas A2 does not combine bfloat16 with other types.
    let is_mixed = one != other && (one == ACL_BF16 || other == ACL_BF16);
    if is_mixed || promote(one, other).is_none() {
        return Err(Refusal::invalid(format_args!(
            "the data types do not go together: self {one:?}, mat2 {other:?}"
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
}

/// Checks the shapes.
fn product(left: &Input, right: &Input, out: &Output) -> Result<Product, Refusal> {
    let no_product = || {
        Refusal::invalid(format_args!(
            "self {:?} and mat2 {:?} do not give out {:?} as a product of matrices",
            left.shape(),
            right.shape(),
            out.shape()
        ))
    };
    let ranks = [left.shape().len(), right.shape().len()];
    if ranks.iter().any(|rank| !(1..=RANK).contains(rank)) {
        return Err(Refusal::invalid(format_args!(
            "self and mat2 have the ranks {ranks:?}; a factor has 1 to {RANK} dimensions"
        )));
    }
    // A factor of rank 1 lacks one dimension of a matrix; this dimension has size 1.
    let split = |shape: &Dims, strides: &Dims, lacks: [bool; 2]| {
        let matrix = 2 - lacks.iter().filter(|lacks| **lacks).count();
        let batch = shape.rank().checked_sub(matrix)?;
        let mut sizes = shape.iter().zip(strides.iter()).skip(batch);
        let mut next = |lacks: bool| if lacks { Some((1, 0)) } else { sizes.next() };
        let (row, column) = (next(lacks[0])?, next(lacks[1])?);
        let matrices = Matrices {
            shape: shape.filtered(|index| index < batch),
            strides: strides.filtered(|index| index < batch),
            row: row.1,
            column: column.1,
        };
        Some((matrices, [row.0, column.0]))
    };
    let is_vector = ranks.map(|rank| rank == 1);
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
    })
}

impl Product {
    fn run(&self, views: &Views<'_>) {
        let [(left, of_left), (right, of_right)] = &self.factors;
        let (out, of_out) = &self.out;
        let (left, right) = (views.input(left), views.input(right));
        let mut out = views.output(out);
        let shape = of_out.shape;
        let left_starts = shape.offsets(of_left.strides_in(&shape));
        let right_starts = shape.offsets(of_right.strides_in(&shape));
        let starts = left_starts.zip(right_starts);
        for ((one, other), to) in starts.zip(shape.offsets(of_out.strides)) {
            self.multiply((&left, one), (&right, other), (&mut out, to));
        }
    }

    /// Multiplies two matrices that begin at these offsets.
    fn multiply(
        &self,
        (left, one): (&View<'_>, usize),
        (right, other): (&View<'_>, usize),
        (out, to): (&mut ViewMut<'_>, usize),
    ) {
        let [rows, length, columns] = self.sizes;
        let [(_, of_left), (_, of_right)] = &self.factors;
        let of_out = &self.out.1;
        // This needs no more memory than the output. The factors may repeat elements and be larger than memory.
        let mut sums = vec![0.0_f32; rows * columns];
        for block in (0..length).step_by(BLOCK) {
            let size = BLOCK.min(length - block);
            let right = of_right.read(right, other + block * of_right.row, [size, columns]);
            for (row, sums) in sums.chunks_mut(columns.max(1)).enumerate() {
                let start = one + row * of_left.row + block * of_left.column;
                let factors = of_left.read(left, start, [1, size]);
                // The loop goes over the rows of the right factor, so each sum adds its elements in order.
                for (factor, right) in factors.iter().zip(right.chunks(columns.max(1))) {
                    for (sum, element) in sums.iter_mut().zip(right) {
                        *sum += factor * element;
                    }
                }
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            let (row, column) = (index / columns.max(1), index % columns.max(1));
            out.put(to + row * of_out.row + column * of_out.column, sum);
        }
    }
}

impl Matrices {
    /// Returns the strides for a shape to which the other dimensions are broadcast.
    fn strides_in(&self, shape: &Dims) -> Dims {
        let missing = shape.rank() - self.shape.rank().min(shape.rank());
        let own = self.shape.iter().zip(self.strides.iter());
        let own = own.map(|(size, stride)| if size == 1 { 0 } else { stride });
        // There are at most as many strides as the shape has dimensions.
        Dims::new(core::iter::repeat_n(0, missing).chain(own)).unwrap_or_default()
    }

    /// Reads the elements of a matrix, row by row.
    fn read(&self, view: &View<'_>, start: usize, [rows, columns]: [usize; 2]) -> Vec<f32> {
        let mut elements = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            let start = start + row * self.row;
            let columns = 0..columns;
            elements.extend(columns.map(|column| view.at::<f32>(start + column * self.column)));
        }
        elements
    }
}
