//! One computation of an operator: its operands and attributes.

use std::sync::Arc;

use crate::dtype::DType;
use crate::graph::{Attribute, Node};
use crate::own::control::Scope;
use crate::tensor::{Tensor, count};

/// What flows between operators.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Tensor(Arc<Tensor>),
    Sequence(Vec<Arc<Tensor>>),
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(Arc::new(tensor))
    }
}

/// The result of an operator with one output.
pub(crate) type One = Result<Tensor, String>;
/// The results of an operator.
pub(crate) type Many = Result<Vec<Tensor>, String>;

/// A call of an operator.
pub(crate) struct Call<'a> {
    pub(crate) node: &'a Node,
    /// The version of the operators of ONNX.
    pub(crate) version: i64,
    pub(crate) inputs: Vec<Option<Value>>,
    /// The values around the node, for the graphs in its attributes.
    pub(crate) scope: &'a Scope<'a>,
}

impl Call<'_> {
    /// Returns an operand, if it is there.
    pub(crate) fn maybe(&self, index: usize) -> Option<&Tensor> {
        match self.inputs.get(index) {
            Some(Some(Value::Tensor(tensor))) => Some(tensor),
            _ => None,
        }
    }

    pub(crate) fn tensor(&self, index: usize) -> Result<&Tensor, String> {
        self.maybe(index)
            .ok_or_else(|| format!("its operand {index} is missing"))
    }

    pub(crate) fn sequence(&self, index: usize) -> Result<&[Arc<Tensor>], String> {
        match self.inputs.get(index) {
            Some(Some(Value::Sequence(all))) => Ok(all),
            _ => Err(format!("its operand {index} is no sequence")),
        }
    }

    /// Returns all operands that are there.
    pub(crate) fn tensors(&self) -> Result<Vec<&Tensor>, String> {
        (0..self.inputs.len()).map(|at| self.tensor(at)).collect()
    }

    /// Returns the single number of an operand.
    pub(crate) fn scalar(&self, index: usize) -> Option<f64> {
        self.maybe(index)?.floats().first().copied()
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.node.attributes.get(name)
    }

    pub(crate) fn int(&self, name: &str, otherwise: i64) -> i64 {
        match self.attribute(name) {
            Some(Attribute::Whole(value)) => *value,
            _ => otherwise,
        }
    }

    pub(crate) fn ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.attribute(name) {
            Some(Attribute::Wholes(all)) => Some(all.clone()),
            Some(Attribute::Whole(one)) => Some(vec![*one]),
            _ => None,
        }
    }

    pub(crate) fn float(&self, name: &str, otherwise: f64) -> f64 {
        match self.attribute(name) {
            Some(Attribute::Float(value)) => f64::from(*value),
            _ => otherwise,
        }
    }

    pub(crate) fn floats(&self, name: &str) -> Option<Vec<f64>> {
        match self.attribute(name) {
            Some(Attribute::Floats(all)) => Some(all.iter().copied().map(f64::from).collect()),
            _ => None,
        }
    }

    pub(crate) fn text(&self, name: &str, otherwise: &'static str) -> &str {
        match self.attribute(name) {
            Some(Attribute::Text(text)) => text,
            _ => otherwise,
        }
    }

    /// Returns the element type in an attribute.
    pub(crate) fn kind(&self, name: &str) -> Result<Option<DType>, String> {
        match self.attribute(name) {
            Some(Attribute::Whole(0)) | None => Ok(None),
            Some(Attribute::Whole(number)) => DType::of(*number)
                .map(Some)
                .ok_or_else(|| format!("its `{name}` is the unknown type {number}")),
            Some(_) => Err(format!("its `{name}` is no type")),
        }
    }

    /// Returns a list that newer versions have as an operand and older ones as an attribute.
    pub(crate) fn list(&self, index: usize, name: &str) -> Option<Vec<i64>> {
        let operand = self.maybe(index).map(Tensor::ints);
        operand.or_else(|| self.ints(name))
    }

    /// Returns the attribute `axis` as a place among `rank` dimensions.
    pub(crate) fn axis(&self, otherwise: i64, rank: usize) -> Result<usize, String> {
        place(self.int("axis", otherwise), rank)
    }

    /// Refuses a value of an attribute.
    pub(crate) fn refuse<T>(&self, name: &str, value: impl std::fmt::Display) -> Result<T, String> {
        Err(format!(
            "its attribute `{name}` is {value}, which this engine does not compute"
        ))
    }
}

/// Returns the place of an axis, which counts from the end if it is negative.
pub(crate) fn place(axis: i64, rank: usize) -> Result<usize, String> {
    let from_front = if axis < 0 { axis + rank as i64 } else { axis };
    let found = usize::try_from(from_front).ok().filter(|at| *at < rank);
    found.ok_or_else(|| format!("its axis {axis} is outside of {rank} dimensions"))
}

/// Returns the places of axes.
pub(crate) fn places(axes: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    axes.iter().map(|axis| place(*axis, rank)).collect()
}

/// Returns the distance of neighbours along each dimension.
pub(crate) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut all = vec![1; shape.len()];
    for at in (1..shape.len()).rev() {
        all[at - 1] = all[at] * shape[at];
    }
    all
}

/// Calls `each` with all indices of a shape, in the order of rows.
pub(crate) fn walk(shape: &[usize], mut each: impl FnMut(&[usize])) {
    if shape.contains(&0) {
        return;
    }
    let mut index = vec![0; shape.len()];
    loop {
        each(&index);
        let mut at = shape.len();
        loop {
            if at == 0 {
                return;
            }
            at -= 1;
            index[at] += 1;
            if index[at] < shape[at] {
                break;
            }
            index[at] = 0;
        }
    }
}

/// Returns the positions of all elements of a shape whose neighbours have these distances.
pub(crate) fn strided(shape: &[usize], strides: &[usize]) -> Vec<usize> {
    let mut all = Vec::with_capacity(shape.iter().product());
    walk(shape, |index| {
        all.push(index.iter().zip(strides).map(|(at, by)| at * by).sum());
    });
    all
}

/// Returns the shape of operands that are repeated along missing dimensions and those of 1.
pub(crate) fn common(shapes: &[&[usize]]) -> Result<Vec<usize>, String> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut all = vec![1; rank];
    for shape in shapes {
        for (at, dim) in shape.iter().enumerate() {
            let to = &mut all[rank - shape.len() + at];
            if *to == 1 {
                *to = *dim;
            } else if *dim != 1 && *dim != *to {
                return Err(format!("its operands have the shapes {shapes:?}"));
            }
        }
    }
    count(&all)?;
    Ok(all)
}

/// Returns for each element of the shape `to` the position of its operand of the shape `from`.
pub(crate) fn spread(from: &[usize], to: &[usize]) -> Vec<usize> {
    if from == to {
        return (0..to.iter().product()).collect();
    }
    let mut steps = vec![0; to.len()];
    let missing = to.len().saturating_sub(from.len());
    for (at, by) in strides(from).into_iter().enumerate() {
        steps[missing + at] = if from[at] == 1 { 0 } else { by };
    }
    strided(to, &steps)
}

/// Repeats an operand to a shape.
pub(crate) fn expand(tensor: &Tensor, to: &[usize]) -> Tensor {
    tensor.pick(to, &spread(&tensor.shape, to))
}

/// Returns the sizes before, at and behind an axis.
pub(crate) fn around(shape: &[usize], axis: usize) -> (usize, usize, usize) {
    (
        shape[..axis].iter().product(),
        shape[axis],
        shape[axis + 1..].iter().product(),
    )
}
