//! The tensors of a plan that runs several times: where each is, and how a run gives it another address.

use std::ffi::c_void;
use std::fmt;
use std::ptr::{NonNull, null_mut};

use ascendcl_sys as sys;

use crate::error::{Error, Repeated, Result};
use crate::op::layout::Layout;
use crate::op::operator::Flatten;
use crate::op::parameter::Parameter;
use crate::op::parameter::describe::Describe;
use crate::op::shape::Dims;
use crate::raw::check;

/// An address that is only compared, and passed to C.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Address(*mut c_void);

impl Address {
    /// That of no tensor.
    const UNKNOWN: Address = Address(null_mut());
}

// SAFETY: this crate never dereferences it.
unsafe impl Send for Address {}

/// Where a tensor begins, and how its elements lie.
#[derive(Clone, Copy)]
pub struct Place {
    data: Address,
    offset: usize,
    dims: Dims,
    is_contiguous: bool,
    /// What the elements are below, of a tensor of indices; 0 for any other.
    below: usize,
}

impl Place {
    /// The place of a tensor of the layout `L`.
    #[inline(always)]
    pub(super) fn new<T, L: Layout>(data: *mut T, offset: usize, dims: Dims) -> Self {
        Place {
            data: Address(data.cast()),
            offset,
            dims,
            is_contiguous: L::IS_CONTIGUOUS,
            below: 0,
        }
    }

    /// The place of indices that are less than `below`.
    #[inline(always)]
    pub(super) fn below(self, below: usize) -> Self {
        Place { below, ..self }
    }

    /// Whether a tensor there can replace one that the first phase was told of: only the address is refreshed. Without a
    /// call of `memcmp`, which costs more than the few numbers.
    #[inline(always)]
    fn replaces(&self, planned: &Place) -> bool {
        let equal = |one: &[i64], other: &[i64]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other)
        };
        let (own, other) = (&self.dims, &planned.dims);
        self.offset == planned.offset
            && self.below <= planned.below
            && equal(own.sizes(), other.sizes())
            // The strides of contiguous tensors follow from their sizes.
            && (self.is_contiguous && planned.is_contiguous
                || equal(own.strides(), other.strides()))
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}+{} {:?}", self.data.0, self.offset, self.dims)
    }
}

/// How many tensors stand in front of one, how many of those are read, and how many are written. What an operator reads
/// and writes, C counts among its inputs and among its outputs.
pub(crate) type Position = [usize; 3];

/// The place of a list, and of a tensor whose elements were compared with numbers of the plan: they keep their addresses.
#[derive(Debug, Clone, Copy)]
pub struct Listed;

/// The tensors of a repeatable plan: none, or some and one behind them.
pub trait SlotList {
    /// These, and `S` behind them.
    #[doc(hidden)]
    type With<S>: SlotList;

    #[doc(hidden)]
    fn with<S>(self, slot: S) -> Self::With<S>;
}
impl SlotList for () {
    type With<S> = ((), S);

    #[inline(always)]
    fn with<S>(self, slot: S) -> ((), S) {
        (self, slot)
    }
}
impl<L, T> SlotList for (L, T) {
    type With<S> = ((L, T), S);

    #[inline(always)]
    fn with<S>(self, slot: S) -> ((L, T), S) {
        (self, slot)
    }
}

/// The tensors of a plan with a [`Listed`] one, which no run can replace.
#[derive(Debug)]
pub struct Lists;
impl SlotList for Lists {
    type With<S> = Lists;

    #[inline(always)]
    fn with<S>(self, _slot: S) -> Lists {
        self
    }
}

/// A tensor of a plan that runs several times.
///
/// # Invariants
///
/// `address` is that of the description `value`, or null if it is not known.
pub struct Slot<P: Parameter> {
    value: P::Value,
    planned: P::Place,
    address: Address,
    position: Position,
}

impl<P: Parameter> fmt::Debug for Slot<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slot({:?}, {:p})", self.position, self.address.0)
    }
}

impl<P: Parameter> Slot<P> {
    /// The next tensor behind those that `position` has counted.
    pub(super) fn next(value: P::Value, planned: P::Place, position: &mut Position) -> Self {
        let own = *position;
        let [tensors, inputs, outputs] = position;
        *tensors += 1;
        *inputs += usize::from(P::READS);
        *outputs += usize::from(P::WRITES);
        // INVARIANT: the description was made with this address.
        let address = planned.place().map_or(Address::UNKNOWN, |place| place.data);
        Slot {
            value,
            planned,
            address,
            position: own,
        }
    }
}

/// What a parameter has for a place.
pub trait AnyPlace: Copy {
    /// The tensors `L`, and behind them one with this kind of place.
    #[doc(hidden)]
    type Slots<L: SlotList, S>: SlotList;

    #[doc(hidden)]
    fn behind<L: SlotList, S>(list: L, slot: S) -> Self::Slots<L, S>;

    #[doc(hidden)]
    fn place(&self) -> Option<&Place>;
}

/// Declares what a parameter has for a place: of no tensor, of one that a run replaces, or of those that stay.
macro_rules! places {
    ($($Any:ty, ($L:ident, $S:ident) => $Slots:ty, |$list:pat_param, $slot:pat_param| $behind:expr, |$place:pat_param| $which:expr;)*) => { $(
        impl AnyPlace for $Any {
            type Slots<$L: SlotList, $S> = $Slots;

            #[inline(always)]
            fn behind<$L: SlotList, $S>($list: $L, $slot: $S) -> $Slots {
                $behind
            }

            #[inline(always)]
            fn place(&self) -> Option<&Place> {
                let $place = self;
                $which
            }
        }
    )* };
}

places! {
    (), (L, S) => L, |list, _| list, |()| None;
    Place, (L, S) => L::With<S>, |list, slot| list.with(slot), |place| Some(place);
    Option<Place>, (L, S) => L::With<S>, |list, slot| list.with(slot), |place| place.as_ref();
    Listed, (L, S) => Lists, |_, _| Lists, |_| None;
    Option<Listed>, (L, S) => Lists, |_, _| Lists, |_| None;
}

/// The executor of a run, and the operator that it is of.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub(super) operator: &'static str,
    pub(super) executor: NonNull<sys::aclOpExecutor>,
}

impl<P: Parameter<Value = *mut sys::aclTensor>> Slot<P> {
    /// Gives the tensor to the executor, with a call of C only if its address is another one.
    #[inline(always)]
    fn fill(&mut self, target: Target, given: P::Place) -> Result<()> {
        match (self.planned.place(), given.place()) {
            (Some(planned), Some(given)) if given.replaces(planned) => {
                if given.data == self.address {
                    return Ok(());
                }
                self.refresh(target, given.data)
            }
            (None, None) => Ok(()),
            (planned, given) => Err(mismatch(
                target.operator,
                self.position,
                planned.copied(),
                given.copied(),
            )),
        }
    }

    #[inline(never)]
    fn refresh(&mut self, target: Target, data: Address) -> Result<()> {
        let (executor, [_, input, output]) = (target.executor.as_ptr(), self.position);
        // INVARIANT: the calls store the address even where they fail.
        self.address = Address::UNKNOWN;
        if P::READS {
            // SAFETY: a repeatable executor, and a description that it was made with, both alive.
            let code = unsafe { sys::aclSetInputTensorAddr(executor, input, self.value, data.0) };
            check("aclSetInputTensorAddr", code)?;
        }
        if P::WRITES {
            // SAFETY: a repeatable executor, and a description that it was made with, both alive.
            let code = unsafe { sys::aclSetOutputTensorAddr(executor, output, self.value, data.0) };
            check("aclSetOutputTensorAddr", code)?;
        }
        // INVARIANT: set just now.
        self.address = data;
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn mismatch(
    operator: &'static str,
    [tensor, ..]: Position,
    planned: Option<Place>,
    given: Option<Place>,
) -> Error {
    let wrong = match (planned, given) {
        (Some(planned), Some(given)) if planned.dims.sizes() != given.dims.sizes() => {
            Repeated::OtherShape {
                operator,
                tensor,
                planned: planned.dims.to_vec(),
                given: given.dims.to_vec(),
            }
        }
        (Some(planned), Some(given)) if given.below > planned.below => Repeated::LargerBound {
            operator,
            tensor,
            planned: planned.below,
            given: given.below,
        },
        (Some(_), Some(_)) => Repeated::OtherLayout { operator, tensor },
        (planned, _) => Repeated::Missing {
            operator,
            tensor,
            is_planned: planned.is_some(),
        },
    };
    Error::from(wrong)
}

pub(super) mod run {
    use std::convert::Infallible;

    use super::{Lists, Result, Target};

    /// The tensors of one run: a tuple with an argument for each parameter of the operator that is a tensor. Its path is
    /// private, because a wrong implementation would name memory that nobody has borrowed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` are not the tensors of this plan",
        label = "a tuple with the tensors of the operator alone, in the order of its parameters",
        note = "each has the elements and the site that it had when the plan was made: `(&a.tensor(shape)?, &b.tensor(shape)?, out.tensor_mut(shape)?)`",
        note = "scalars and other values of the host stay those of the plan"
    )]
    pub trait Operands<'b, X, S> {
        /// What the outputs write to: nothing, one, or a tuple.
        type Memory;

        fn fill(&mut self, slots: &mut S, target: Target) -> Result<()>;

        fn into_memory(self) -> Self::Memory;
    }

    /// That the tensors of a plan can be those of `A`. It has no implementation for [`Lists`]: one error for a plan with a
    /// list, and not one for each tensor of it.
    #[diagnostic::on_unimplemented(
        message = "a plan with a list of tensors, positions, groups or a mask cannot run on other tensors",
        label = "the plan keeps the tensors that it was made with",
        note = "make a plan for each run, without `repeatable`: `op::cat(current, &tensors, axis, out)?.run(stream)?`",
        note = "indices, positions, groups and masks are compared first: `numbers.tensor(shape)?.indices(current, host, below)?`"
    )]
    pub trait Replaced<A> {
        /// What the outputs write to.
        type Memory;

        fn replaced(&mut self) -> !;
    }
    // Without any implementation, the compiler would suggest to write one.
    #[diagnostic::do_not_recommend]
    impl<A> Replaced<A> for Infallible {
        type Memory = Infallible;

        fn replaced(&mut self) -> ! {
            match *self {}
        }
    }

    impl<X, A> Operands<'_, X, Lists> for A
    where
        Lists: Replaced<A>,
    {
        type Memory = <Lists as Replaced<A>>::Memory;

        fn fill(&mut self, slots: &mut Lists, _target: Target) -> Result<()> {
            slots.replaced()
        }

        fn into_memory(self) -> Self::Memory {
            Lists.replaced()
        }
    }
}
use run::Operands;

/// Nests the memory of outputs: the first tensor is innermost.
macro_rules! nested {
    ([$list:ty] ) => { $list };
    ([$list:ty] $A:ident: $P:ident, $($rest:tt)*) => {
        nested!([<$A as Describe<'b, X, $P>>::Memory<$list>] $($rest)*)
    };
}

/// Implements it for tuples: those of the tensors in the brackets and one more, and so on.
macro_rules! operands {
    ([$($P:ident $A:ident $value:ident $slot:ident)*] $slots:ty, $pattern:pat,) => {};
    ([$($P:ident $A:ident $value:ident $slot:ident)*] $slots:ty, $pattern:pat,
        $Q:ident $B:ident $next:ident $place:ident, $($rest:tt)*
    ) => {
        impl<'b, X, $($P: Parameter<Value = *mut sys::aclTensor>, $A: Describe<'b, X, $P>,)* $Q: Parameter<Value = *mut sys::aclTensor>, $B: Describe<'b, X, $Q>>
            Operands<'b, X, ($slots, Slot<$Q>)> for ($($A,)* $B,)
        where
            nested!([()] $($A: $P,)* $B: $Q,): Flatten,
        {
            type Memory = <nested!([()] $($A: $P,)* $B: $Q,) as Flatten>::Flat;

            #[inline(always)]
            fn fill(&mut self, ($pattern, $place): &mut ($slots, Slot<$Q>), target: Target) -> Result<()> {
                let ($($value,)* $next,) = self;
                $( $slot.fill(target, <$A as Describe<'b, X, $P>>::place($value))?; )*
                $place.fill(target, <$B as Describe<'b, X, $Q>>::place($next))
            }

            #[inline(always)]
            fn into_memory(self) -> Self::Memory {
                let ($($value,)* $next,) = self;
                let list = ();
                $( let list = <$A as Describe<'b, X, $P>>::into_memory($value, list); )*
                let list = <$B as Describe<'b, X, $Q>>::into_memory($next, list);
                list.flatten()
            }
        }
        operands!([$($P $A $value $slot)* $Q $B $next $place] ($slots, Slot<$Q>), ($pattern, $place), $($rest)*);
    };
}

operands!([] (), (),
    P1 A1 a1 s1, P2 A2 a2 s2, P3 A3 a3 s3, P4 A4 a4 s4, P5 A5 a5 s5, P6 A6 a6 s6,
    P7 A7 a7 s7, P8 A8 a8 s8, P9 A9 a9 s9, P10 A10 a10 s10, P11 A11 a11 s11, P12 A12 a12 s12,
);
