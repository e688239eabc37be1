//! The call of a first phase, with all handles looked up: tensors with shapes and types, arrays with their values.
//!
//! The checks have the order of CANN: first null, then handles, then data types, attributes and shapes (in the
//! definition of the operator). The last check is that tensors with elements have memory.

use ascendcl_sys::{ACL_DT_UNDEFINED, aclDataType};

use super::argument::{Argument, Raw, Role};
use super::dtype::element_size;
use super::list::{BOOLS, FLOATS, INTS, SCALAR_LISTS, TENSOR_LISTS};
use super::plan::{Extent, Operator, Plan, Work};
use super::refusal::Refusal;
use super::scalar::{SCALARS, Scalar};
use super::shape::Dims;
use super::tensor::{TENSORS, Tensor};
use super::view::Views;
use crate::check;
use crate::handles::registry::{Fate, Registry};
use crate::results::{every, list_of};

/// The call of a first phase: its arguments by the names of the parameters.
#[derive(Debug)]
pub struct Call {
    operator: &'static Operator,
    pub(super) arguments: Vec<(&'static str, Value)>,
    /// All tensors that are read or written; a tensor that is both read and written is here twice.
    operands: Vec<Operand>,
}

/// A tensor that the operator reads or writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand {
    pub(super) name: &'static str,
    pub(super) handle: usize,
    pub(super) tensor: Tensor,
    pub(super) is_written: bool,
}

/// A tensor that the operator reads.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    pub(super) name: &'static str,
    pub(super) slot: usize,
    pub(super) tensor: Tensor,
}

/// A tensor that the operator writes.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    pub(super) name: &'static str,
    handle: usize,
    pub(super) slot: usize,
    pub(super) tensor: Tensor,
}

/// The value of an argument.
#[derive(Debug)]
pub(super) enum Value {
    /// Null, for a parameter that allows it.
    Null,
    Tensor(Slots),
    /// A list; `None` stands for a null element, which only some lists may have.
    Tensors(Vec<Option<Slots>>),
    Scalar(Scalar),
    Scalars(Vec<Scalar>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Bools(Vec<bool>),
    Text(String),
    Whole(i64),
    Floating(f64),
    Flag(bool),
    Type(aclDataType),
}

/// The places of a tensor among the operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots {
    read: Option<usize>,
    written: Option<usize>,
}

impl Call {
    /// Looks up the arguments.
    ///
    /// # Safety
    ///
    /// - Each text is null or ends in NUL. Handles may be any values.
    pub(super) unsafe fn new(
        operator: &'static Operator,
        argument: &dyn Fn(usize) -> Option<Argument>,
    ) -> Result<Self, Refusal> {
        let mut count = 0;
        while let Some(one) = argument(count) {
            if one.handle == 0 && !one.is_optional {
                return Err(Refusal::null(one.name));
            }
            count += 1;
        }
        let mut call = Self {
            operator,
            arguments: Vec::with_capacity(count),
            operands: Vec::with_capacity(count),
        };
        count = 0;
        while let Some(one) = argument(count) {
            // SAFETY: the caller's contract.
            let value = unsafe { call.look_up(&one) }?;
            call.arguments.push((one.name, value));
            count += 1;
        }
        Ok(call)
    }

    /// Returns the value of an argument.
    ///
    /// # Safety
    ///
    /// - A text is null or ends in NUL.
    unsafe fn look_up(&mut self, argument: &Argument) -> Result<Value, Refusal> {
        let (name, handle) = (argument.name, argument.handle);
        Ok(match argument.raw {
            Raw::Whole(value) => Value::Whole(value),
            Raw::Floating(value) => Value::Floating(value),
            Raw::Flag(value) => Value::Flag(value),
            Raw::Type(value) => Value::Type(value),
            _ if handle == 0 => Value::Null,
            // SAFETY: the caller's contract.
            Raw::Text => unsafe { argument.read_text() }.map_or(Value::Null, Value::Text),
            Raw::Tensor(role) => Value::Tensor(self.operand(name, handle, role)?),
            Raw::Tensors(role) => Value::Tensors(self.operands(name, handle, role, false)?),
            Raw::SparseTensors => Value::Tensors(self.operands(name, handle, Role::In, true)?),
            Raw::Scalar => Value::Scalar(find(name, "a scalar", &SCALARS, handle)?),
            Raw::Scalars => {
                let handles = find(name, "a list of scalars", &SCALAR_LISTS, handle)?;
                let scalars = handles
                    .into_iter()
                    .map(|handle| find(name, "a list of scalars", &SCALARS, handle));
                Value::Scalars(every(scalars)?)
            }
            Raw::Ints => Value::Ints(find(name, "an array of whole numbers", &INTS, handle)?),
            Raw::Floats => Value::Floats(find(name, "an array of numbers", &FLOATS, handle)?),
            Raw::Bools => {
                let bytes = find(name, "an array of truth values", &BOOLS, handle)?;
                Value::Bools(list_of(bytes.into_iter().map(|byte| byte != 0)))
            }
        })
    }

    /// Adds the tensors of a list to the operands.
    fn operands(
        &mut self,
        name: &'static str,
        list: usize,
        role: Role,
        is_sparse: bool,
    ) -> Result<Vec<Option<Slots>>, Refusal> {
        let handles = find(name, "a list of tensors", &TENSOR_LISTS, list)?;
        let slots = handles.into_iter().enumerate();
        let slots = slots.map(|(index, handle)| match handle {
            0 if is_sparse => Ok(None),
            0 => Err(Refusal::null(format_args!("{name}[{index}]"))),
            _ => self.operand(name, handle, role).map(Some),
        });
        every(slots)
    }

    /// Adds a tensor to the operands.
    fn operand(&mut self, name: &'static str, handle: usize, role: Role) -> Result<Slots, Refusal> {
        let tensor: Tensor = find(name, "a tensor", &TENSORS, handle)?;
        if let Some(text) = tensor.excess() {
            return Err(Refusal::invalid(format_args!("{name} has {text}")));
        }
        if !tensor.has_plain_format() {
            let format = tensor.format;
            return Err(Refusal::invalid(format_args!(
                "{name} has the format {format:?}"
            )));
        }
        let mut enter = |is_written| {
            self.operands.push(Operand {
                name,
                handle,
                tensor,
                is_written,
            });
            self.operands.len() - 1
        };
        Ok(Slots {
            read: (role != Role::Out).then(|| enter(false)),
            written: (role != Role::In).then(|| enter(true)),
        })
    }

    /// Returns the value of a parameter. The in-place form of an operator has one parameter for `self` and `out`.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        let find = |name| {
            let mut arguments = self.arguments.iter();
            arguments.find_map(|(known, value)| (*known == name).then_some(value))
        };
        let is_in_place = name == "self" || name == "out";
        find(name).or_else(|| is_in_place.then(|| find("selfRef")).flatten())
    }

    /// Returns the name of the operator.
    pub(super) fn operator(&self) -> &'static str {
        self.operator.name
    }

    /// Returns whether the operator has a parameter of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(super) fn as_input(&self, slots: Slots) -> Option<Input> {
        let slot = slots.read?;
        let Operand { name, tensor, .. } = *self.operands.get(slot)?;
        Some(Input { name, slot, tensor })
    }

    pub(super) fn as_output(&self, slots: Slots) -> Option<Output> {
        let slot = slots.written?;
        let Operand {
            name,
            handle,
            tensor,
            ..
        } = *self.operands.get(slot)?;
        Some(Output {
            name,
            handle,
            slot,
            tensor,
        })
    }

    /// Returns the tensor that the operator reads as the parameter `name`.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn input(&self, name: &str) -> Result<Input, Refusal> {
        let input = self.optional_input(name)?;
        input.ok_or_else(|| Refusal::no_parameter(name, "a tensor to read"))
    }

    /// Returns the tensor that the operator reads as the parameter `name`, or `None` for null.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn optional_input(&self, name: &str) -> Result<Option<Input>, Refusal> {
        match self.value(name) {
            Some(Value::Null) => Ok(None),
            Some(Value::Tensor(slots)) => Ok(self.as_input(*slots)),
            _ => Err(Refusal::no_parameter(name, "a tensor to read")),
        }
    }

    /// Returns the tensors of the list parameter `name`, which the operator reads. A null list has no tensors, and null
    /// elements are left out.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn inputs(&self, name: &str) -> Result<Vec<Input>, Refusal> {
        let inputs = self.sparse_inputs(name)?;
        Ok(list_of(inputs.into_iter().flatten()))
    }

    /// Returns the elements of the list parameter `name`, which the operator reads: `None` for null elements. A null
    /// list has no elements.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn sparse_inputs(&self, name: &str) -> Result<Vec<Option<Input>>, Refusal> {
        match self.value(name) {
            Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Tensors(list)) => {
                let inputs = list.iter();
                Ok(list_of(inputs.map(|one| self.as_input((*one)?))))
            }
            _ => Err(Refusal::no_parameter(name, "a list of tensors to read")),
        }
    }

    /// Returns the tensor that the operator writes as the parameter `name`.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn output(&self, name: &str) -> Result<Output, Refusal> {
        let output = self.optional_output(name)?;
        output.ok_or_else(|| Refusal::no_parameter(name, "a tensor to write"))
    }

    /// Returns the tensor that the operator writes as the parameter `name`, or `None` for null.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn optional_output(&self, name: &str) -> Result<Option<Output>, Refusal> {
        match self.value(name) {
            Some(Value::Null) => Ok(None),
            Some(Value::Tensor(slots)) => Ok(self.as_output(*slots)),
            _ => Err(Refusal::no_parameter(name, "a tensor to write")),
        }
    }

    /// Returns the tensors of the list parameter `name`, which the operator writes. A null list has no tensors.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
    pub fn outputs(&self, name: &str) -> Result<Vec<Output>, Refusal> {
        match self.value(name) {
            Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Tensors(list)) => {
                let outputs = list.iter().flatten();
                Ok(list_of(outputs.filter_map(|one| self.as_output(*one))))
            }
            _ => Err(Refusal::no_parameter(name, "a list of tensors to write")),
        }
    }

    /// Ends the first phase of an operator whose kernel is `run`.
    ///
    /// The workspace has room for each operand that has gaps, as if the operator copied this operand first.
    ///
    /// # Errors
    ///
    /// [`Refusal`] for a tensor that has elements but no memory, and for a data type that is not modelled.
    pub fn plan(&self, run: impl Fn(&Views<'_>) + Send + Sync + 'static) -> Result<Plan, Refusal> {
        self.plan_boxed(Box::new(run))
    }

    /// Ends the first phase of an operator whose kernel is `work`, as [`plan`](Self::plan) does.
    pub(super) fn plan_boxed(&self, work: Work) -> Result<Plan, Refusal> {
        self.plan_with(self.staged(), work)
    }

    /// The bytes of a workspace with room for each operand that has gaps.
    fn staged(&self) -> u64 {
        let staged = self.operands.iter().map(|one| staged(&one.tensor));
        staged.fold(0, u64::saturating_add)
    }

    /// Ends the first phase of an operator that needs `workspace` bytes of workspace.
    pub(super) fn plan_with(&self, workspace: u64, work: Work) -> Result<Plan, Refusal> {
        self.planned(workspace, work, Extent::of)
    }

    /// Ends the first phase of an operator that reads tensors of numbers of 4 bits, as [`plan`](Self::plan) does. The view
    /// of such a tensor has its bytes.
    pub(super) fn plan_with_pairs(
        &self,
        run: impl Fn(&Views<'_>) + Send + Sync + 'static,
    ) -> Result<Plan, Refusal> {
        self.planned(self.staged(), Box::new(run), Extent::of_pairs)
    }

    fn planned(
        &self,
        workspace: u64,
        work: Work,
        extent: fn(&Operand, usize) -> Result<Extent, Refusal>,
    ) -> Result<Plan, Refusal> {
        let mut extents = Vec::with_capacity(self.operands.len());
        let mut spans = 0;
        for operand in &self.operands {
            if operand.is_written {
                check_view(operand.name, &operand.tensor)?;
            }
            let extent = extent(operand, spans)?;
            spans += usize::from(extent.span.is_some());
            extents.push(extent);
        }
        Ok(Plan {
            operator: self.operator,
            operands: self.operands.clone(),
            extents,
            workspace,
            asked: asked(workspace),
            work,
            once: None,
        })
    }

    /// Ends the first phase of a call that has nothing to compute. The caller still has to call the second phase.
    #[must_use]
    pub fn nothing(&self) -> Plan {
        Plan {
            operator: self.operator,
            operands: Vec::new(),
            extents: Vec::new(),
            workspace: 0,
            asked: asked(0),
            work: Box::new(|_| {}),
            once: None,
        }
    }
}

/// The getters of values.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident = $what:literal, $ty:ty: $($pattern:pat => $value:expr),+;)*) => {
        impl Call {$(
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// [`Refusal`] with `ACLNN_ERR_INNER` if the operator has no such parameter.
            pub fn $name(&self, name: &str) -> Result<$ty, Refusal> {
                match self.value(name) {
                    $(Some($pattern) => Ok($value),)+
                    _ => Err(Refusal::no_parameter(name, $what)),
                }
            }
        )*}
    };
}

values! {
    /// Returns the scalar parameter `name`.
    scalar = "a scalar", Scalar: Value::Scalar(scalar) => *scalar;
    /// Returns the scalar parameter `name`, or `None` for null.
    optional_scalar = "a scalar", Option<Scalar>: Value::Scalar(scalar) => Some(*scalar), Value::Null => None;
    /// Returns the scalars of the list parameter `name`. A null list has no scalars.
    scalars = "a list of scalars", &[Scalar]: Value::Scalars(scalars) => scalars, Value::Null => &[];
    /// Returns the whole numbers of the array parameter `name`. A null array has no elements.
    ints = "an array of whole numbers", &[i64]: Value::Ints(numbers) => numbers, Value::Null => &[];
    /// Returns the numbers of the array parameter `name`. A null array has no elements.
    floats = "an array of numbers", &[f32]: Value::Floats(numbers) => numbers, Value::Null => &[];
    /// Returns the truth values of the array parameter `name`. A null array has no elements.
    bools = "an array of truth values", &[bool]: Value::Bools(values) => values, Value::Null => &[];
    /// Returns the text parameter `name`, or `None` for null.
    text = "a text", Option<&str>: Value::Text(text) => Some(text), Value::Null => None;
    /// Returns the whole number that was passed as the parameter `name`.
    whole = "a whole number", i64: Value::Whole(number) => *number;
    /// Returns the number that was passed as the parameter `name`.
    floating = "a number", f64: Value::Floating(number) => *number;
    /// Returns the truth value that was passed as the parameter `name`.
    flag = "a truth value", bool: Value::Flag(value) => *value;
    /// Returns the data type that was passed as the parameter `name`. Some headers declare a whole number for it.
    dtype = "a data type", aclDataType: Value::Type(dtype) => *dtype, Value::Whole(number) => data_type(*number);
}

/// Returns the data type with this number.
fn data_type(number: i64) -> aclDataType {
    i32::try_from(number).map_or(ACL_DT_UNDEFINED, aclDataType)
}

impl Output {
    /// Gives the tensor of the program another shape, if it still exists: for operators whose results tell how many
    /// there are. Its elements become contiguous.
    pub(super) fn reshape(&self, shape: &[usize]) {
        let Some(shape) = Dims::new(shape.iter().copied()) else {
            return;
        };
        // INVARIANT: the operator has stored no more elements than the tensor had.
        let _ = TENSORS.visit(self.handle, &mut |tensor| {
            tensor.strides = shape.contiguous_strides();
            tensor.shape = shape;
            (Fate::Keep, ())
        });
    }
}

/// Looks up a handle.
fn find<V: Clone>(name: &str, what: &str, all: &Registry<V>, handle: usize) -> Result<V, Refusal> {
    all.get(handle).ok_or_else(|| {
        Refusal::invalid(format_args!(
            "{name}, {handle:#x}, is not {what}, or was destroyed"
        ))
    })
}

/// The bytes of which the bytes of a workspace are a multiple.
const STAGE: u64 = 32;

/// Returns the bytes that a first phase asks for, of an operator that needs `workspace` bytes. Under the checker no operator
/// goes without a workspace, because the same operator needs one on another product or in another release.
fn asked(workspace: u64) -> u64 {
    if check::is_on() {
        workspace.max(STAGE)
    } else {
        workspace
    }
}

/// Returns the bytes of workspace for a tensor: none for a tensor without gaps.
fn staged(tensor: &Tensor) -> u64 {
    if tensor.is_contiguous() {
        0
    } else {
        stage(tensor)
    }
}

/// Returns the bytes of workspace for a copy of a tensor.
pub(super) fn stage(tensor: &Tensor) -> u64 {
    let size = element_size(tensor.dtype).unwrap_or(0);
    let bytes = tensor.elements().saturating_mul(size) as u64;
    bytes.div_ceil(STAGE).saturating_mul(STAGE)
}

/// Refuses a tensor that is written if several results would be stored in one of its elements.
fn check_view(name: &str, tensor: &Tensor) -> Result<(), Refusal> {
    if tensor.repeats_elements() {
        return Err(Refusal::invalid(format_args!(
            "{name} {} with strides {} has one element for several results",
            tensor.shape, tensor.strides
        )));
    }
    Ok(())
}

/// Defines the getters that inputs and outputs have in common.
macro_rules! described {
    ($($ty:ty)*) => {$(
        impl $ty {
            /// Returns the sizes of the tensor's dimensions, outermost first.
            #[must_use]
            #[inline(never)] // Definitions ask for it in hundreds of places, and seldom while they compute.
            pub fn shape(&self) -> &[usize] {
                self.tensor.shape.as_slice()
            }

            /// Returns the data type of the tensor.
            #[must_use]
            pub fn dtype(&self) -> aclDataType {
                self.tensor.dtype
            }

            /// Returns the number of elements of the tensor.
            #[must_use]
            pub fn elements(&self) -> usize {
                self.tensor.elements()
            }
        }
    )*};
}
described!(Input Output);
