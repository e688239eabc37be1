//! The values of a run, which the engine and our own operators have in forms of their own.

use rten_tensor::Layout as _;

use crate::dtype::DType;
use crate::fast;
use crate::own::call::Value;
use crate::tensor::Tensor;

/// A value of a run, in one form or both.
pub(crate) struct Held {
    pub(crate) kind: DType,
    pub(crate) fast: Option<rten::Value>,
    pub(crate) own: Option<Value>,
}

impl Held {
    pub(crate) fn of(value: Value) -> Held {
        let kind = match &value {
            Value::Tensor(tensor) => tensor.kind,
            Value::Sequence(_) => DType::Text,
        };
        Held {
            kind,
            fast: None,
            own: Some(value),
        }
    }

    pub(crate) fn own(&mut self) -> Option<Value> {
        if self.own.is_none() {
            self.own = self
                .fast
                .as_ref()
                .and_then(|value| fast::tensor(self.kind, value))
                .map(Value::from);
        }
        self.own.clone()
    }

    /// Returns the shape, if it is an array.
    pub(crate) fn shape(&self) -> Option<Vec<usize>> {
        match (&self.fast, &self.own) {
            (Some(value), _) => Some(value.shape().to_vec()),
            (None, Some(Value::Tensor(tensor))) => Some(tensor.shape.clone()),
            _ => None,
        }
    }

    pub(crate) fn fast(&mut self) -> Option<&rten::Value> {
        if let (None, Some(Value::Tensor(tensor))) = (&self.fast, &self.own) {
            self.kind = tensor.kind;
            self.fast = fast::value(tensor);
        }
        self.fast.as_ref()
    }
}

/// Returns values in the form of our own operators.
pub(crate) fn values(all: Vec<Held>) -> Result<Vec<Value>, String> {
    let own = all.into_iter().map(|mut held| {
        let value = held.own();
        value.ok_or_else(|| "a value is of a type that these operators lack".to_owned())
    });
    own.collect()
}

/// The operand of a run: its form of the engine is made first for `float`.
pub(crate) fn operand(kind: DType, shape: &[usize], bytes: &[u8]) -> Result<Operand, String> {
    if kind == DType::F32 {
        let value = fast::float_value(shape, bytes);
        return Ok(Operand(Held {
            kind,
            fast: Some(value),
            own: None,
        }));
    }
    let own = Tensor::read(kind, shape, bytes)?;
    Ok(Operand(Held::of(own.into())))
}

/// A value that enters or leaves a run.
pub(crate) struct Operand(pub(crate) Held);

impl Operand {
    /// Returns the type, the shape and the bytes.
    pub(crate) fn content(mut self) -> Result<(DType, Vec<usize>, Vec<u8>), String> {
        if let (None, Some(value)) = (&self.0.own, &self.0.fast)
            && let Some((shape, bytes)) = fast::float_bytes(value)
        {
            return Ok((DType::F32, shape, bytes));
        }
        match self.0.own() {
            Some(Value::Tensor(tensor)) => Ok((tensor.kind, tensor.shape.clone(), tensor.bytes())),
            _ => Err("an output is a sequence".to_owned()),
        }
    }
}
