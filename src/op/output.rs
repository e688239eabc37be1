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
use crate::op::parameter::{InOut, InPlace, Out, OutList, Parameter};
use crate::op::site::Output;
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
    ($($Name:ident, $Bound:ident;)*) => { $(
        impl<T: Element> Parameter for $Name<T> {
            type Handle = RawTensor;
            type Value = *mut sys::aclTensor;
            type Outputs<L> = (L, One<T>);

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

            fn value(handle: &Self::Handle) -> Self::Value {
                handle.as_ref().map_or(core::ptr::null_mut(), <$Name<T>>::value)
            }
        }
        impl<'b, X: Site, T: Element> Describe<'b, X, Option<$Name<T>>> for () {
            type Memory<L> = (L, ());

            fn describe(&mut self) -> Result<<Option<$Name<T>> as Parameter>::Handle> {
                Ok(None)
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

            fn into_memory<L>(self, list: L) -> Self::Memory<L> {
                (list, self.map($into))
            }
        }
        )+
    };
}

outputs! {
    Out, Output;
    InOut, InPlace;
}

impl<T: Element> Parameter for OutList<T> {
    type Handle = RawTensors;
    type Value = *mut sys::aclTensorList;
    type Outputs<L> = (L, Many<T>);

    fn value(handle: &RawTensors) -> *mut sys::aclTensorList {
        handle.as_ptr()
    }
}
impl<'b, X: Site, T: Element, O: Output<X, T>> Describe<'b, X, OutList<T>> for Vec<TensorOut<O>> {
    type Memory<L> = (L, Vec<O>);

    fn describe(&mut self) -> Result<RawTensors> {
        describe_all::<X, T, O>(self)
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
