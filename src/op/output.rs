//! The parameters of an operator that are written: tensors, lists of them, and those that a caller may leave out.

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::{RawTensor, RawTensors};
use crate::op::layout::Contiguous;
use crate::op::operator::written::{Many, Maybe, One};
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed;
use crate::op::parameter::{InOut, InPlace, Out, OutList, Parameter, is_tensor};
use crate::op::shape::Dims;
use crate::op::site::Output;
use crate::op::slot::{Listed, Place};
use crate::op::tensor::TensorOut;

impl<O> TensorOut<O> {
    #[inline(always)]
    fn raw<X, T: Element>(&mut self) -> Result<RawTensor>
    where
        O: Output<X, T>,
    {
        let start = self.memory.data().wrapping_sub(self.offset);
        RawTensor::new::<T, Contiguous>(start, self.offset, self.dims)
    }
}

/// Declares the tensors that are written.
macro_rules! outputs {
    ($($Name:ident, $Bound:ident, $reads:literal;)*) => { $(
        impl<T: Element> Parameter for $Name<T> {
            type Handle = RawTensor;
            type Value = *mut sys::aclTensor;
            type Outputs<L> = (L, One<T>);
            is_tensor!(Place, $reads, true);

            #[inline(always)]
            fn value(handle: &RawTensor) -> *mut sys::aclTensor {
                handle.as_ptr()
            }
        }
        impl<'b, X: Site, T: Element, O: $Bound<X, T>> Describe<'b, X, $Name<T>> for TensorOut<O> {
            type Memory<L> = (L, O);

            #[inline(always)]
            fn describe(&mut self) -> Result<RawTensor> {
                self.raw::<X, T>()
            }

            #[inline(always)]
            fn place(&mut self) -> Place {
                Place::new::<T, Contiguous>(self.memory.data().wrapping_sub(self.offset), self.offset, self.dims)
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> (L, O) {
                (list, self.memory)
            }
        }
        optional!($Name, One, [O: $Bound<X, T>,] TensorOut<O> => O, |one: TensorOut<O>| one.memory);
    )* };
}

/// Declares what a caller may leave out: null then.
macro_rules! optional {
    ($Name:ident, $Count:ident, $([$($generics:tt)*] $argument:ty => $memory:ty, $into:expr);+) => {
        impl<T: Element> Sealed for Option<$Name<T>> {}
        impl<T: Element> Parameter for Option<$Name<T>> {
            type Handle = Option<<$Name<T> as Parameter>::Handle>;
            type Value = <$Name<T> as Parameter>::Value;
            type Outputs<L> = (L, Maybe<$Count<T>>);
            is_tensor!(Option<<$Name<T> as Parameter>::Place>, <$Name<T>>::READS, <$Name<T>>::WRITES, waits: <$Name<T>>::WAITS);

            fn value(handle: &Self::Handle) -> Self::Value {
                handle.as_ref().map_or(core::ptr::null_mut(), <$Name<T>>::value)
            }
        }
        impl<'b, X: Site, T: Element> Describe<'b, X, Option<$Name<T>>> for () {
            type Memory<L> = (L, ());

            fn describe(&mut self) -> Result<<Option<$Name<T>> as Parameter>::Handle> {
                Ok(None)
            }

            fn place(&mut self) -> <Option<$Name<T>> as Parameter>::Place {
                None
            }

            fn into_memory<L>(self, list: L) -> (L, ()) {
                (list, ())
            }
        }
        $(
        impl<'b, X: Site, T: Element, $($generics)*> Describe<'b, X, Option<$Name<T>>> for Option<$argument> {
            type Memory<L> = (L, Option<$memory>);

            fn describe(&mut self) -> Result<<Option<$Name<T>> as Parameter>::Handle> {
                self.as_mut().map(Describe::<'b, X, $Name<T>>::describe).transpose()
            }

            fn place(&mut self) -> <Option<$Name<T>> as Parameter>::Place {
                self.as_mut().map(Describe::<'b, X, $Name<T>>::place)
            }

            fn into_memory<L>(self, list: L) -> Self::Memory<L> {
                (list, self.map($into))
            }
        }
        )+
    };
}

outputs! {
    Out, Output, false;
    InOut, InPlace, true;
}

impl<T: Element> Parameter for OutList<T> {
    type Handle = RawTensors;
    type Value = *mut sys::aclTensorList;
    type Outputs<L> = (L, Many<T>);
    is_tensor!(Listed, false, true);

    fn value(handle: &RawTensors) -> *mut sys::aclTensorList {
        handle.as_ptr()
    }
}
impl<'b, X: Site, T: Element, O: Output<X, T>> Describe<'b, X, OutList<T>> for Vec<TensorOut<O>> {
    type Memory<L> = (L, Vec<O>);

    fn describe(&mut self) -> Result<RawTensors> {
        describe_all::<X, T, O>(self)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> Self::Memory<L> {
        (list, self.into_iter().map(|one| one.memory).collect())
    }
}
impl<'b, X: Site, T: Element, O: Output<X, T>, const N: usize> Describe<'b, X, OutList<T>>
    for [TensorOut<O>; N]
{
    type Memory<L> = (L, [O; N]);

    fn describe(&mut self) -> Result<RawTensors> {
        describe_all::<X, T, O>(self)
    }

    fn place(&mut self) -> Listed {
        Listed
    }

    fn into_memory<L>(self, list: L) -> Self::Memory<L> {
        (list, self.map(|one| one.memory))
    }
}
optional!(OutList, Many,
    [O: Output<X, T>,] Vec<TensorOut<O>> => Vec<O>, |all: Vec<TensorOut<O>>| all.into_iter().map(|one| one.memory).collect();
    [O: Output<X, T>, const N: usize] [TensorOut<O>; N] => [O; N], |all: [TensorOut<O>; N]| all.map(|one| one.memory)
);

fn describe_all<X, T: Element, O: Output<X, T>>(
    outputs: &mut [TensorOut<O>],
) -> Result<RawTensors> {
    let tensors = outputs.iter_mut().map(|one| one.raw::<X, T>().map(Some));
    RawTensors::new(tensors.collect::<Result<_>>()?)
}

/// What a program passes for an output that has several forms: one that may be left out is `Some(out)` or `()`, and
/// a list is a `Vec` or an array of outputs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output for the parameter `{P}` of an operator",
    label = "the operands lie in `{X}`",
    note = "an output that may be left out is `Some(out)` or `()`; a list of outputs is a `Vec` or an array of them",
    note = "an output is contiguous memory of the parameter's elements, where the operands are: `buffer.into_tensor(shape)?`, or `buffer.tensor_mut(shape)?`, which an operator that changes it needs"
)]
pub trait OutputFor<X, P: Parameter>: given::Sealed<(X, P)> {
    /// The memory that the output writes to.
    type Memory;

    #[doc(hidden)]
    fn describe(&mut self) -> Result<P::Handle>;

    #[doc(hidden)]
    fn place(&mut self) -> P::Place;

    #[doc(hidden)]
    fn into_memory(self) -> Self::Memory;

    #[doc(hidden)]
    fn shapes(&self) -> impl Iterator<Item = &Dims>;
}

mod given {
    crate::state::sealed! {
        "a wrong implementation would describe memory that nobody has borrowed";
        /// Seals [`OutputFor`](super::OutputFor), for each site and parameter.
        pub trait Sealed<P> {}
    }
}

/// An argument of a type that only the caller knows.
#[derive(Debug)]
pub(super) struct Given<A>(pub(in crate::op) A);

impl<'b, X: Site, P: Parameter, A: OutputFor<X, P>> Describe<'b, X, P> for Given<A> {
    type Memory<L> = (L, A::Memory);

    fn describe(&mut self) -> Result<P::Handle> {
        self.0.describe()
    }

    fn place(&mut self) -> P::Place {
        self.0.place()
    }

    fn into_memory<L>(self, list: L) -> (L, A::Memory) {
        (list, self.0.into_memory())
    }
}

/// Implements [`OutputFor`] for the forms of an output.
macro_rules! forms {
    ($([$($generics:tt)*] $form:ty, $Parameter:ty => $memory:ty, |$this:pat_param| $shapes:expr;)*) => { $(
        impl<X: Site, T: Element, $($generics)*> given::Sealed<(X, $Parameter)> for $form {}
        #[diagnostic::do_not_recommend]
        impl<X: Site, T: Element, $($generics)*> OutputFor<X, $Parameter> for $form {
            type Memory = $memory;

            fn describe(&mut self) -> Result<<$Parameter as Parameter>::Handle> {
                Describe::<'_, X, $Parameter>::describe(self)
            }

            fn place(&mut self) -> <$Parameter as Parameter>::Place {
                Describe::<'_, X, $Parameter>::place(self)
            }

            fn into_memory(self) -> $memory {
                Describe::<'_, X, $Parameter>::into_memory(self, ()).1
            }

            fn shapes(&self) -> impl Iterator<Item = &Dims> {
                let $this = self;
                $shapes
            }
        }
    )* };
}

forms! {
    [] (), Option<Out<T>> => (), |()| std::iter::empty();
    [] (), Option<InOut<T>> => (), |()| std::iter::empty();
    [O: Output<X, T>] Option<TensorOut<O>>, Option<Out<T>> => Option<O>, |one| one.iter().map(|one| &one.dims);
    [O: InPlace<X, T>] Option<TensorOut<O>>, Option<InOut<T>> => Option<O>, |one| one.iter().map(|one| &one.dims);
    [O: Output<X, T>] Vec<TensorOut<O>>, OutList<T> => Vec<O>, |all| all.iter().map(|one| &one.dims);
    [O: Output<X, T>, const N: usize] [TensorOut<O>; N], OutList<T> => [O; N], |all| all.iter().map(|one| &one.dims);
}
