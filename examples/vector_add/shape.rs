//! Shapes: broadcasting them, walking through them, showing them as NumPy does.

use crate::Result;
use crate::npy::Npy;

/// The shape that two files' tensors broadcast to: dimensions are compared from the last, and one
/// that is 1 or missing is repeated.
pub(crate) fn of_result(a: &Npy, b: &Npy) -> Result<Vec<usize>> {
    let Some(shape) = broadcast(&a.shape, &b.shape) else {
        bail!(
            "the shapes {} of {} and {} of {} do not broadcast: counted from the last, dimensions \
             must be equal or 1; reshape one of the tensors",
            tuple(&a.shape),
            a.path.display(),
            tuple(&b.shape),
            b.path.display()
        );
    };
    if elements(&shape).is_none() {
        bail!(
            "the result would have the shape {}, more elements than any memory holds: reshape the \
             tensors",
            tuple(&shape)
        );
    }
    Ok(shape)
}

fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let padded = |shape: &[usize]| [&vec![1; rank - shape.len()], shape].concat();
    std::iter::zip(padded(a), padded(b))
        .map(|pair| match pair {
            (a, b) if a == b => Some(a),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

/// How many elements a shape has, if a byte count of eight times that fits an address.
pub(crate) fn elements(shape: &[usize]) -> Option<usize> {
    let elements = shape
        .iter()
        .try_fold(1_usize, |product, dim| product.checked_mul(*dim))?;
    elements
        .checked_mul(8)
        .filter(|bytes| isize::try_from(*bytes).is_ok())?;
    Some(elements)
}

/// A shape as a Python tuple.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        _ => format!(
            "({})",
            shape
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// The indices of the element number `flat`.
pub(crate) fn index(shape: &[usize], flat: usize) -> Vec<usize> {
    let mut rest = flat;
    let mut index: Vec<_> = shape
        .iter()
        .rev()
        .map(|dim| {
            let position = rest % dim.max(&1);
            rest /= dim.max(&1);
            position
        })
        .collect();
    index.reverse();
    index
}

/// The offsets of a tensor's elements in memory, the last dimension fastest; begins again at the
/// end.
#[derive(Debug)]
pub(crate) struct Walk {
    dims: Vec<Dim>,
    offset: usize,
}

#[derive(Debug)]
struct Dim {
    count: usize,
    stride: usize,
    position: usize,
}

impl Walk {
    /// The offsets in a tensor of the shape `operand` that is repeated until it has the shape `whole`.
    pub(crate) fn repeating(operand: &[usize], whole: &[usize]) -> Walk {
        let mut stride = 1;
        let mut dims: Vec<Dim> = Vec::new();
        let operand = operand.iter().rev().chain(std::iter::repeat(&1));
        for (count, own) in whole.iter().rev().zip(operand) {
            let step = if *own == 1 { 0 } else { stride };
            match dims.last_mut() {
                // Dimensions that follow each other without a gap are one.
                Some(last) if last.count.checked_mul(last.stride) == Some(step) => {
                    last.count *= *count;
                }
                _ => dims.push(Dim {
                    count: *count,
                    stride: step,
                    position: 0,
                }),
            }
            stride *= *own;
        }
        Walk { dims, offset: 0 }
    }

    /// The offsets in a tensor whose first dimension varies fastest in memory, as in Fortran.
    pub(crate) fn fortran(shape: &[usize]) -> Walk {
        let mut next = 1;
        let mut dims: Vec<_> = shape
            .iter()
            .map(|count| {
                let stride = next;
                next *= *count;
                Dim {
                    count: *count,
                    stride,
                    position: 0,
                }
            })
            .collect();
        dims.reverse();
        Walk { dims, offset: 0 }
    }
}

impl Iterator for Walk {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let offset = self.offset;
        for dim in &mut self.dims {
            dim.position += 1;
            if dim.position < dim.count {
                self.offset += dim.stride;
                break;
            }
            self.offset -= dim.stride * dim.count.saturating_sub(1);
            dim.position = 0;
        }
        Some(offset)
    }
}
