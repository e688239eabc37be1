//! The operands of element-wise operators: the tensors and numbers among the parameters, in their order.

use super::call::{Call, Input, Output, Value};
use super::refusal::Refusal;
use super::scalar::Scalar;

/// An operand of an element-wise operator.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    Tensor(Input),
    /// A scalar of the program. Its data type has to fit.
    Scalar(&'static str, Scalar),
    /// A number that C passes by value.
    Number(Scalar),
}

impl Call {
    /// Returns the operands of an element-wise operator in the order of its parameters, and its result.
    pub(super) fn elements(&self) -> Result<(Vec<Source>, Output), Refusal> {
        self.elements_of(0, &|_| None)
    }

    /// Returns the operands of an element-wise operator, as [`elements`](Self::elements) does: of a list the one at
    /// `index`, and the number that `other` gives in place of a parameter of this name. It is asked for those that are null
    /// or numbers.
    pub(super) fn elements_of(
        &self,
        index: usize,
        other: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<(Vec<Source>, Output), Refusal> {
        let (mut sources, mut out) = (Vec::with_capacity(self.arguments.len()), None);
        for (name, value) in &self.arguments {
            let slots = match value {
                Value::Tensor(slots) => Some(*slots),
                Value::Tensors(list) => list.get(index).copied().flatten(),
                _ => None,
            };
            if let Some(slots) = slots {
                sources.extend(self.as_input(slots).map(Source::Tensor));
                out = self.as_output(slots).or(out);
                continue;
            }
            sources.push(match (other(name), value) {
                (Some(number), _) => Source::Number(Scalar::floating(number)),
                (None, Value::Scalar(scalar)) => Source::Scalar(name, *scalar),
                (None, Value::Whole(number)) => Source::Number(Scalar::whole(*number)),
                (None, Value::Floating(number)) => Source::Number(Scalar::floating(*number)),
                (None, Value::Flag(value)) => Source::Number(Scalar::whole(i64::from(*value))),
                (None, Value::Scalars(scalars)) => match scalars.get(index) {
                    Some(scalar) => Source::Scalar(name, *scalar),
                    None => {
                        return Err(Refusal::invalid(format_args!(
                            "{name} has {} numbers, and there are more tensors; give one for each",
                            scalars.len()
                        )));
                    }
                },
                _ => return Err(Refusal::no_parameter(name, "a tensor or a number")),
            });
        }
        match out {
            Some(out) => Ok((sources, out)),
            None => Err(Refusal::no_parameter("out", "a tensor to write")),
        }
    }

    /// Whether the parameter `name` is null.
    pub(super) fn is_null(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Null))
    }
}
