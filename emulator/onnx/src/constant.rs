//! Constants: those of the file, and what nodes make of them when a model is loaded.

use std::borrow::Cow;
use std::sync::Arc;

use crate::dtype::DType;
use crate::graph::Weights;
use crate::layers::Numbers;
use crate::own::call::Value;

/// A constant.
#[derive(Clone)]
pub(crate) enum Constant {
    File(Arc<Weights>),
    Made(Value),
}

impl Constant {
    pub(crate) fn value(&self) -> Result<Value, String> {
        match self {
            Constant::File(weights) => Ok(Value::Tensor(weights.shared()?)),
            Constant::Made(value) => Ok(value.clone()),
        }
    }

    /// Returns the shape, if it is an array.
    pub(crate) fn shape(&self) -> Option<Vec<usize>> {
        match self {
            Constant::File(weights) => Some(weights.shape.clone()),
            Constant::Made(Value::Tensor(tensor)) => Some(tensor.shape.clone()),
            Constant::Made(Value::Sequence(_)) => None,
        }
    }

    /// Returns the type, the shape and the bytes as a file has them, if it is an array.
    pub(crate) fn content(&self) -> Option<(DType, &[usize], Cow<'_, [u8]>)> {
        match self {
            Constant::File(weights) => {
                let bytes = Cow::Borrowed(&weights.bytes[..]);
                Some((DType::of(weights.kind)?, &weights.shape, bytes))
            }
            Constant::Made(Value::Tensor(tensor)) => {
                Some((tensor.kind, &tensor.shape, Cow::Owned(tensor.bytes())))
            }
            Constant::Made(Value::Sequence(_)) => None,
        }
    }

    /// Returns the shape and the numbers, if their type is `float`.
    pub(crate) fn floats(&self) -> Option<Numbers> {
        let (kind, shape, bytes) = self.content()?;
        let (fours, _) = bytes.as_chunks();
        let numbers = fours.iter().map(|four| f32::from_le_bytes(*four));
        (kind == DType::F32).then(|| (shape.to_vec(), numbers.collect()))
    }
}
