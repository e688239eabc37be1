//! The parameters of an operator's first phase, as types, and what a program passes for each.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::{RawBools, RawFloats, RawInts, RawScalar, RawTensor, RawTensors};
use crate::op::site::Output;
use crate::op::tensor::{Tensor, TensorOut};

/// A parameter of an operator's first phase.
///
/// | parameter | in C | a program passes |
/// |---|---|---|
/// | [`In<T>`](In) | `const aclTensor *`, read | `&Tensor` of `T` elements |
/// | [`Out<T>`](Out) | `aclTensor *`, written as a whole | `TensorOut` |
/// | [`InOut<T>`](InOut) | `aclTensor *`, read and written | `TensorOut` of `tensor_mut` |
/// | [`List<T>`](List) | `const aclTensorList *`, read | `&[&Tensor]` |
/// | [`Scalar<T>`](Scalar) | `const aclScalar *` | a `T` |
/// | [`Ints`], [`Floats`], [`Bools`] | `const aclIntArray *` and the like | `&[i64]`, `&[f32]`, `&[bool]` |
/// | [`Text`] | `const char *` | `&'static CStr` |
/// | `bool`, `i8`, `i32`, `i64`, `u64`, `f32`, `f64`, [`aclDataType`](sys::aclDataType) | the same | the same |
/// | `Option` of `In`, `Scalar`, `Ints`, `Floats`, `Bools` | the same, or null | an `Option` |
pub trait Parameter: Sealed {
    /// What describes an argument until the operator is queued.
    #[doc(hidden)]
    type Handle;
    /// What the first phase takes.
    #[doc(hidden)]
    type Value: Copy;
    /// The list of element types `L`, and behind it that of an output.
    #[doc(hidden)]
    type Outputs<L>;

    #[doc(hidden)]
    fn value(handle: &Self::Handle) -> Self::Value;
}

mod sealed {
    /// Seals [`Parameter`](super::Parameter).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "a wrong implementation would pass C another type than its function takes"
    )]
    pub trait Sealed {}
}
use sealed::Sealed;

/// What a program passes for the parameter `P` of an operator on memory of the site `X`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument for the parameter `{P}` of an operator",
    label = "the operands lie in `{X}`",
    note = "for `In<T>` pass a `&Tensor` of the same elements and the same site, for `Out<T>` a `TensorOut`, for `Scalar<T>` a `T`",
    note = "the table of `ascendcl::op::Parameter` says what goes where"
)]
pub trait Argument<'b, X, P: Parameter>: Describe<'b, X, P> {}
#[diagnostic::do_not_recommend]
impl<'b, X, P: Parameter, A: Describe<'b, X, P>> Argument<'b, X, P> for A {}

pub(super) mod describe {
    use super::{Parameter, Result};

    /// Seals [`Argument`](super::Argument): a wrong implementation would describe memory that nobody has borrowed.
    pub trait Describe<'b, X, P: Parameter> {
        /// The list of memory `L`, and behind it what an output writes to.
        type Memory<L>;

        /// Describes it to C.
        fn describe(&mut self) -> Result<P::Handle>;

        /// Leaves the memory that an output writes to.
        fn into_memory<L>(self, list: L) -> Self::Memory<L>;
    }
}
use describe::Describe;

/// Memory that an operator reads and writes in place.
#[diagnostic::on_unimplemented(
    message = "an operator cannot change `{Self}` in place",
    label = "it reads this memory before it writes it: device memory where the other operands are, and written before",
    note = "lend it by `buffer.tensor_mut(shape)`; a fresh buffer (`Uninit`) holds nothing yet: fill it first"
)]
pub trait InPlace<X, T>: Output<X, T> {}
#[diagnostic::do_not_recommend]
impl<X, T, O: Output<X, T, Written = ()>> InPlace<X, T> for O {}

/// Declares parameters that are names only.
macro_rules! kinds {
    ($( $(#[$doc:meta])* $Name:ident; )*) => { $(
        $(#[$doc])*
        pub struct $Name<T>(PhantomData<fn(T) -> T>);
        impl<T> Sealed for $Name<T> {}
        impl<T> fmt::Debug for $Name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}<{}>", stringify!($Name), std::any::type_name::<T>())
            }
        }
    )* };
}

kinds! {
    /// A tensor of `T` elements that the operator reads.
    In;
    /// A tensor of `T` elements that the operator writes as a whole.
    Out;
    /// A tensor of `T` elements that the operator reads and writes in place.
    InOut;
    /// A list of tensors of `T` elements that the operator reads.
    List;
    /// A `T` of the host.
    Scalar;
}

/// Declares arrays of the host.
macro_rules! arrays {
    ($( $(#[$doc:meta])* $Name:ident, $element:ty, $Raw:ident, $array:ident; )*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $Name {}
        impl Sealed for $Name {}
        impl Parameter for $Name {
            type Handle = $Raw;
            type Value = *const sys::$array;
            type Outputs<L> = L;

            #[inline(always)]
            fn value(handle: &$Raw) -> *const sys::$array {
                handle.as_ptr()
            }
        }
        impl<'b, X> Describe<'b, X, $Name> for &[$element] {
            type Memory<L> = L;

            #[inline(always)]
            fn describe(&mut self) -> Result<$Raw> {
                $Raw::new(self)
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        impl<'b, X, const N: usize> Describe<'b, X, $Name> for &[$element; N] {
            type Memory<L> = L;

            #[inline(always)]
            fn describe(&mut self) -> Result<$Raw> {
                $Raw::new(*self)
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        optional!([] ['v,] $Name, $array, &'v [$element]);
    )* };
}

/// Declares what may be left out: null then.
macro_rules! optional {
    ([$($generics:tt)*] [$($lifetime:tt)*] $Name:ty, $object:ident, $argument:ty) => {
        impl<$($generics)*> Sealed for Option<$Name> {}
        impl<$($generics)*> Parameter for Option<$Name> {
            type Handle = Option<<$Name as Parameter>::Handle>;
            type Value = *const sys::$object;
            type Outputs<L> = L;

            #[inline(always)]
            fn value(handle: &Self::Handle) -> *const sys::$object {
                handle.as_ref().map_or(core::ptr::null(), <$Name as Parameter>::value)
            }
        }
        impl<'b, $($lifetime)* X, $($generics)*> Describe<'b, X, Option<$Name>> for Option<$argument>
        where
            $argument: Describe<'b, X, $Name>,
        {
            type Memory<L> = L;

            #[inline(always)]
            fn describe(&mut self) -> Result<Option<<$Name as Parameter>::Handle>> {
                self.as_mut().map(Describe::<'b, X, $Name>::describe).transpose()
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
    };
}

arrays! {
    /// Whole numbers of the host.
    Ints, i64, RawInts, aclIntArray;
    /// Numbers of the host.
    Floats, f32, RawFloats, aclFloatArray;
    /// Truth values of the host.
    Bools, bool, RawBools, aclBoolArray;
}

/// Declares parameters that C takes as they are.
macro_rules! numbers {
    ($($type:ty),* $(,)?) => { $(
        impl Sealed for $type {}
        impl Parameter for $type {
            type Handle = $type;
            type Value = $type;
            type Outputs<L> = L;

            #[inline(always)]
            fn value(handle: &$type) -> $type {
                *handle
            }
        }
        impl<'b, X> Describe<'b, X, $type> for $type {
            type Memory<L> = L;

            #[inline(always)]
            fn describe(&mut self) -> Result<$type> {
                Ok(*self)
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
    )* };
}

numbers!(bool, i8, i32, i64, u64, f32, f64, sys::aclDataType);

/// A text of the program.
#[derive(Debug)]
pub enum Text {}
impl Sealed for Text {}
impl Parameter for Text {
    type Handle = &'static CStr;
    type Value = *const c_char;
    type Outputs<L> = L;

    fn value(handle: &&'static CStr) -> *const c_char {
        handle.as_ptr()
    }
}
impl<'b, X> Describe<'b, X, Text> for &'static CStr {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<&'static CStr> {
        Ok(self)
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}

impl<T: Element> Parameter for Scalar<T> {
    type Handle = RawScalar;
    type Value = *const sys::aclScalar;
    type Outputs<L> = L;

    #[inline(always)]
    fn value(handle: &RawScalar) -> *const sys::aclScalar {
        handle.as_ptr()
    }
}
impl<'b, X, T: Element> Describe<'b, X, Scalar<T>> for T {
    type Memory<L> = L;

    #[inline(always)]
    fn describe(&mut self) -> Result<RawScalar> {
        RawScalar::new(*self)
    }

    #[inline(always)]
    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
optional!([T: Element] [] Scalar<T>, aclScalar, T);

impl<T: Element> Parameter for In<T> {
    type Handle = RawTensor;
    type Value = *const sys::aclTensor;
    type Outputs<L> = L;

    #[inline(always)]
    fn value(handle: &RawTensor) -> *const sys::aclTensor {
        handle.as_ptr()
    }
}
impl<'b, X: Site, T: Element> Describe<'b, X, In<T>> for &Tensor<'b, X, T> {
    type Memory<L> = L;

    #[inline(always)]
    fn describe(&mut self) -> Result<RawTensor> {
        RawTensor::new(self.data, self.offset, self.dims)
    }

    #[inline(always)]
    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
impl<T: Element> Sealed for Option<In<T>> {}
impl<T: Element> Parameter for Option<In<T>> {
    type Handle = Option<RawTensor>;
    type Value = *const sys::aclTensor;
    type Outputs<L> = L;

    fn value(handle: &Option<RawTensor>) -> *const sys::aclTensor {
        handle.as_ref().map_or(core::ptr::null(), In::<T>::value)
    }
}
impl<'b, X: Site, T: Element> Describe<'b, X, Option<In<T>>> for Option<&Tensor<'b, X, T>> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<Option<RawTensor>> {
        self.map(|mut tensor| tensor.describe()).transpose()
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}

impl<T: Element> Parameter for List<T> {
    type Handle = RawTensors;
    type Value = *const sys::aclTensorList;
    type Outputs<L> = L;

    fn value(handle: &RawTensors) -> *const sys::aclTensorList {
        handle.as_ptr()
    }
}
impl<'b, X: Site, T: Element> Describe<'b, X, List<T>> for &[&Tensor<'b, X, T>] {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensors> {
        let tensors = self
            .iter()
            .map(|tensor| RawTensor::new(tensor.data, tensor.offset, tensor.dims));
        RawTensors::new(tensors.collect::<Result<_>>()?)
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
impl<'b, X: Site, T: Element, const N: usize> Describe<'b, X, List<T>> for &[&Tensor<'b, X, T>; N] {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<RawTensors> {
        let mut tensors: &[&Tensor<'b, X, T>] = *self;
        tensors.describe()
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}

/// Declares the two parameters that are written.
macro_rules! outputs {
    ($($Name:ident, $Bound:ident;)*) => { $(
        impl<T: Element> Parameter for $Name<T> {
            type Handle = RawTensor;
            type Value = *mut sys::aclTensor;
            type Outputs<L> = (L, T);

            #[inline(always)]
            fn value(handle: &RawTensor) -> *mut sys::aclTensor {
                handle.as_ptr()
            }
        }
        impl<'b, X: Site, T: Element, O: $Bound<X, T>> Describe<'b, X, $Name<T>> for TensorOut<O> {
            type Memory<L> = (L, O);

            #[inline(always)]
            fn describe(&mut self) -> Result<RawTensor> {
                let start = self.memory.data().wrapping_sub(self.offset);
                RawTensor::new(start, self.offset, self.dims)
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> (L, O) {
                (list, self.memory)
            }
        }
    )* };
}

outputs! {
    Out, Output;
    InOut, InPlace;
}
