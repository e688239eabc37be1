//! The way from the operands and attributes of a call to the arguments of an operator of `aclnn`.

use std::ops::RangeInclusive;
use std::ptr;

use ascendcl_sys::{ACL_FLOAT, aclDataType};

use super::attribute::{Attributes, Value};
use super::operand::Operand;
use crate::op::argument::Argument;
use crate::op::call::Call;
use crate::op::dtype::{Kind, kind};
use crate::op::list::{INTS, TENSOR_LISTS};
use crate::op::plan::{Operator, Plan};
use crate::op::refusal::Refusal;
use crate::op::scalar::{SCALARS, Scalar};
use crate::op::tensor::{TENSORS, Tensor};
use crate::results::every;
use crate::sorted::SortedSet;

/// What binds the arguments of a type of operator, and chooses the operator of `aclnn`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Recipe {
    /// A recipe of several operators of `aclnn`, and the one of them.
    Of(
        fn(&mut Binder<'_>, &'static Operator) -> Chosen,
        &'static Operator,
    ),
    /// A recipe that chooses the operator itself.
    Own(fn(&mut Binder<'_>) -> Chosen),
}

/// The operator of `aclnn`, or why there is none for these operands.
pub(super) type Chosen = Result<&'static Operator, Refusal>;

/// The arguments of an operator of `aclnn` while they are bound. The objects behind the arguments live as long as it.
#[derive(Debug)]
pub(super) struct Binder<'a> {
    inputs: &'a [Operand],
    outputs: &'a [Operand],
    attributes: &'a Attributes,
    /// The attributes that the recipe has read.
    read: SortedSet<&'static str>,
    arguments: Vec<Argument>,
    tensors: Vec<usize>,
    scalars: Vec<usize>,
    arrays: Vec<usize>,
    lists: Vec<usize>,
}

impl Drop for Binder<'_> {
    fn drop(&mut self) {
        for handle in &self.lists {
            TENSOR_LISTS.remove(*handle);
        }
        for handle in &self.tensors {
            TENSORS.remove(*handle);
        }
        for handle in &self.scalars {
            SCALARS.remove(*handle);
        }
        for handle in &self.arrays {
            INTS.remove(*handle);
        }
    }
}

/// Checks a call by the recipe of its type of operator, and returns the plan of the kernel.
pub(super) fn plan(
    recipe: Recipe,
    inputs: &[Operand],
    outputs: &[Operand],
    attributes: &Attributes,
) -> Result<Plan, Refusal> {
    let mut binder = Binder {
        inputs,
        outputs,
        attributes,
        read: SortedSet::new(),
        arguments: Vec::new(),
        tensors: Vec::new(),
        scalars: Vec::new(),
        arrays: Vec::new(),
        lists: Vec::new(),
    };
    let operator = match recipe {
        Recipe::Of(bind, operator) => bind(&mut binder, operator),
        Recipe::Own(bind) => bind(&mut binder),
    }?;
    // Names with an underscore in front are hints for the compiler.
    let mut names = attributes.0.keys();
    let ignored = names.find(|name| !name.starts_with('_') && !binder.read.contains(name.as_str()));
    if let Some(name) = ignored {
        return Err(Refusal::invalid(format_args!(
            "the attribute {name} is not modelled; leave it out"
        )));
    }
    // SAFETY: no argument is a text, and the other handles are looked up.
    let call = unsafe { Call::new(operator, &|index| binder.arguments.get(index).copied()) }?;
    operator.plan(&call)
}

/// Makes the error for too many objects.
fn full() -> Refusal {
    Refusal::invalid("there are too many objects")
}

impl Binder<'_> {
    /// Refuses other numbers of operands than these.
    pub(super) fn counts(
        &self,
        inputs: RangeInclusive<usize>,
        outputs: usize,
    ) -> Result<(), Refusal> {
        let (given, written) = (self.inputs.len(), self.outputs.len());
        if inputs.contains(&given) && outputs == written {
            return Ok(());
        }
        let (least, most) = (inputs.start(), inputs.end());
        Err(Refusal::invalid(format_args!(
            "there are {given} inputs and {written} outputs; it takes {least} to {most} and {outputs}"
        )))
    }

    /// Refuses operands of different data types.
    pub(super) fn one_type(&self) -> Result<(), Refusal> {
        let first = self.inputs.first().map(|input| input.desc.data_type);
        let mut others = self.inputs.iter().chain(self.outputs);
        match others.find(|other| Some(other.desc.data_type) != first) {
            None => Ok(()),
            Some(other) => Err(Refusal::invalid(format_args!(
                "the data types are {:?} and {:?}; it takes one data type for all operands",
                first.unwrap_or(ACL_FLOAT),
                other.desc.data_type
            ))),
        }
    }

    /// Returns the number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Returns an input, unless the call leaves it out.
    pub(super) fn optional(&self, index: usize) -> Option<&Operand> {
        self.inputs
            .get(index)
            .filter(|input| !input.desc.is_left_out())
    }

    /// Returns an input as a tensor.
    pub(super) fn input(&self, index: usize) -> Result<Tensor, Refusal> {
        let name = format!("inputDesc[{index}]");
        match self.inputs.get(index) {
            Some(input) => input.tensor(&name),
            None => Err(Refusal::invalid(format_args!("there is no {name}"))),
        }
    }

    /// Returns an output as a tensor.
    pub(super) fn output(&self, index: usize) -> Result<Tensor, Refusal> {
        let name = format!("outputDesc[{index}]");
        match self.outputs.get(index) {
            Some(output) => output.tensor(&name),
            None => Err(Refusal::invalid(format_args!("there is no {name}"))),
        }
    }

    /// Returns the whole numbers of an input that is a constant.
    pub(super) fn constant(&self, index: usize) -> Result<Vec<i64>, Refusal> {
        let name = format!("inputDesc[{index}]");
        match self.inputs.get(index) {
            Some(input) => input.constant(&name),
            None => Err(Refusal::invalid(format_args!("there is no {name}"))),
        }
    }

    /// Adds an argument.
    pub(super) fn pass(&mut self, argument: Argument) {
        self.arguments.push(argument);
    }

    /// Adds a tensor that the operator reads.
    pub(super) fn read(&mut self, name: &'static str, tensor: Tensor) -> Result<(), Refusal> {
        let handle = self.enter(tensor)?;
        self.pass(Argument::tensor(name, ptr::without_provenance(handle)));
        Ok(())
    }

    /// Adds a tensor that the operator writes.
    pub(super) fn write(&mut self, name: &'static str, tensor: Tensor) -> Result<(), Refusal> {
        let handle = self.enter(tensor)?;
        self.pass(Argument::out_tensor(
            name,
            ptr::without_provenance_mut(handle),
        ));
        Ok(())
    }

    /// Adds a tensor that the operator changes in place.
    pub(super) fn change(&mut self, name: &'static str, tensor: Tensor) -> Result<(), Refusal> {
        let handle = self.enter(tensor)?;
        let handle = ptr::without_provenance_mut(handle);
        self.pass(Argument::inout_tensor(name, handle));
        Ok(())
    }

    /// Adds a list of tensors that the operator reads.
    pub(super) fn read_all(
        &mut self,
        name: &'static str,
        tensors: Vec<Tensor>,
    ) -> Result<(), Refusal> {
        let handle = self.list(tensors)?;
        self.pass(Argument::tensor_list(name, ptr::without_provenance(handle)));
        Ok(())
    }

    /// Adds a list of tensors that the operator writes.
    pub(super) fn write_all(
        &mut self,
        name: &'static str,
        tensors: Vec<Tensor>,
    ) -> Result<(), Refusal> {
        let handle = self.list(tensors)?;
        let handle = ptr::without_provenance_mut(handle);
        self.pass(Argument::out_tensor_list(name, handle));
        Ok(())
    }

    fn enter(&mut self, tensor: Tensor) -> Result<usize, Refusal> {
        let handle = TENSORS.insert(tensor).ok_or_else(full)?;
        self.tensors.push(handle);
        Ok(handle)
    }

    fn list(&mut self, tensors: Vec<Tensor>) -> Result<usize, Refusal> {
        let handles = tensors.into_iter().map(|tensor| self.enter(tensor));
        let handles = every(handles)?;
        let list = TENSOR_LISTS.insert(handles).ok_or_else(full)?;
        self.lists.push(list);
        Ok(list)
    }

    /// Adds a scalar.
    pub(super) fn scalar(&mut self, name: &'static str, scalar: Scalar) -> Result<(), Refusal> {
        let handle = SCALARS.insert(scalar).ok_or_else(full)?;
        self.scalars.push(handle);
        self.pass(Argument::scalar(name, ptr::without_provenance(handle)));
        Ok(())
    }

    /// Adds an array of whole numbers.
    pub(super) fn ints(&mut self, name: &'static str, numbers: Vec<i64>) -> Result<(), Refusal> {
        let handle = INTS.insert(numbers).ok_or_else(full)?;
        self.arrays.push(handle);
        self.pass(Argument::int_array(name, ptr::without_provenance(handle)));
        Ok(())
    }

    /// Returns the value of an attribute, if it is set.
    fn attribute(&mut self, name: &'static str) -> Option<&Value> {
        self.read.add(name);
        self.attributes.0.get(name)
    }

    /// Returns a truth value, or the usual one.
    pub(super) fn flag(&mut self, name: &'static str, usual: bool) -> Result<bool, Refusal> {
        match self.attribute(name) {
            None => Ok(usual),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(wrong(name, "aclopSetAttrBool")),
        }
    }

    /// Returns a whole number.
    pub(super) fn whole(&mut self, name: &'static str) -> Result<Option<i64>, Refusal> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Value::Int(value)) => Ok(Some(*value)),
            Some(Value::Type(value)) => Ok(Some(value.0.into())),
            Some(_) => Err(wrong(name, "aclopSetAttrInt")),
        }
    }

    /// Returns a whole number that the operator cannot do without.
    pub(super) fn needed(&mut self, name: &'static str) -> Result<i64, Refusal> {
        let value = self.whole(name)?;
        value.ok_or_else(|| wrong(name, "aclopSetAttrInt"))
    }

    /// Returns a number, or the usual one.
    pub(super) fn number(&mut self, name: &'static str, usual: f32) -> Result<f32, Refusal> {
        match self.attribute(name) {
            None => Ok(usual),
            Some(Value::Float(bits)) => Ok(f32::from_bits(*bits)),
            Some(_) => Err(wrong(name, "aclopSetAttrFloat")),
        }
    }

    /// Returns a list of whole numbers.
    pub(super) fn wholes(&mut self, name: &'static str) -> Result<Option<Vec<i64>>, Refusal> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Value::Ints(values)) => Ok(Some(values.clone())),
            Some(_) => Err(wrong(name, "aclopSetAttrListInt")),
        }
    }

    /// Returns a text.
    pub(super) fn word(&mut self, name: &'static str) -> Result<Option<&str>, Refusal> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Value::Text(value)) => Ok(Some(value)),
            Some(_) => Err(wrong(name, "aclopSetAttrString")),
        }
    }
}

/// Makes the error for an attribute of another type, or one that lacks.
#[cold]
fn wrong(name: &str, setter: &str) -> Refusal {
    Refusal::invalid(format_args!(
        "the attribute {name} lacks, or has another type; set it by {setter}"
    ))
}

/// Returns a number as a scalar that fits a data type: whole for whole numbers.
pub(super) fn scalar_for(dtype: aclDataType, number: f32) -> Scalar {
    if kind(dtype) == Some(Kind::Whole) && number.fract() == 0.0 {
        // CAST: a whole number; one that is too large becomes the largest.
        Scalar::whole(number as i64)
    } else {
        Scalar::floating(number.into())
    }
}
