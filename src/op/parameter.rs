//! The parameters of an operator's first phase, as types, and what a program passes for each.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::{RawBools, RawFloats, RawInts, RawScalar, RawTensor};
use crate::op::layout::Contiguous;
use crate::op::site::{Output, SameSite};
use crate::op::slot::{AnyPlace, Place, Position, SlotList};
use crate::op::tensor::Tensor;

/// A parameter of an operator's first phase.
///
/// The third column has the kinds of [`sys::parameter`], by which a line of the list in `ascendcl-sys` and an operator of
/// the emulator (`ascendcl::emulator::operator!`) name the same parameter.
///
/// | parameter | in C | kind | a program passes |
/// |---|---|---|---|
/// | [`In<T>`](In) | `const aclTensor *`, read | `tensor`, `mut_tensor` | `&Tensor` of `T` elements |
/// | `Option<In<T>>` | the same, or null | `optional_tensor` | `Some(&tensor)`, `None` |
/// | [`Out<T>`](Out) | `aclTensor *`, written as a whole | `out_tensor`, `const_out_tensor` | `TensorOut` |
/// | [`OutUpTo<T>`](OutUpTo) | `aclTensor *`, of which the front is written | `out_tensor`, `const_out_tensor` | `TensorUpTo` |
/// | `Option<Out<T>>` | the same, or null | `optional_out_tensor`, `optional_const_out_tensor` | `Some(out)`, `()` |
/// | [`InOut<T>`](InOut) | `aclTensor *`, read and written | `inout_tensor`, `const_inout_tensor` | `TensorOut` of `tensor_mut` |
/// | `Option<InOut<T>>` | the same, or null | `optional_inout_tensor` | `Some(changed)`, `()` |
/// | [`List<T>`](List) | `const aclTensorList *`, read | `tensor_list` | `&[&Tensor]`, `&Vec` |
/// | `Option<List<T>>` | the same, or null | `optional_tensor_list` | `Some(&list[..])`, `None` |
/// | [`SparseList<T>`](SparseList) | the same, with null elements | `sparse_tensor_list` | `&[Option<&Tensor>]` |
/// | [`OutList<T>`](OutList) | `aclTensorList *`, written as a whole | `out_tensor_list`, `const_out_tensor_list` | `Vec` or array of `TensorOut` |
/// | `Option<OutList<T>>` | the same, or null | `optional_out_tensor_list` | `Some(list)`, `()` |
/// | [`Scalar<T>`](Scalar) | `const aclScalar *` | `scalar` | a `T` |
/// | `Option<Scalar<T>>` | the same, or null | `optional_scalar` | `Some(value)`, `None` |
/// | [`Scalars<T>`](Scalars) | `const aclScalarList *` | `scalar_list` | `&[T]`, `&Vec<T>` |
/// | `Option<Scalars<T>>` | the same, or null | `optional_scalar_list` | `Some(&values[..])`, `None` |
/// | [`Ints`], [`Floats`], [`Bools`] | `const aclIntArray *`, `aclFloatArray`, `aclBoolArray` | `int_array`, `float_array`, `bool_array` | `&[i64]`, `&[f32]`, `&[bool]`, `&Vec` of them |
/// | `Option` of them | the same, or null | `optional_int_array` and so on | `Some(&values[..])`, `None` |
/// | [`Text`] | `const char *`, `char *`, read | `text`, `mut_text` | `&'static CStr` |
/// | `Option<Text>` | the same, or null | `text`, `mut_text` | `Some(c"..")`, `None` |
/// | [`View`](crate::op::View) of `In`, `Out`, `InOut`, `List` | the same | the same | the same, of any [`Layout`](crate::op::Layout) |
/// | [`Images`](crate::op::Images) of `In`, `Out` | the same, in the format NCL, NCHW or NCDHW | the same | the same, of any [`Layout`](crate::op::Layout) |
/// | `bool`, `i8`, `i64`, `u64`, `f32`, `f64` | `bool`, `int8_t`, `int64_t`, `uint64_t`, `float`, `double` | the same | the same |
/// | `i32` | `int32_t`, `int` | `i32`, `c_int` | `i32` |
/// | [`aclDataType`](sys::aclDataType) | `aclDataType` | `aclDataType` | [`Element::DATA_TYPE`] |
///
/// A plan gives outputs back in the order of the parameters. An `Option` comes back as an `Option`, `()` as `()`, and a list
/// as a `Vec` or an array.
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

    /// Where a tensor is; nothing for what is none.
    #[doc(hidden)]
    type Place: AnyPlace;
    /// Whether the operator reads it, for a tensor.
    #[doc(hidden)]
    const READS: bool;
    /// Whether the operator writes it, for a tensor.
    #[doc(hidden)]
    const WRITES: bool;
    /// Whether the second phase waits for the stream, because the data decide the shape of this output.
    #[doc(hidden)]
    const WAITS: bool;
    /// The list of tensors `L`, and behind it this one.
    #[doc(hidden)]
    type Slots<L: SlotList>: SlotList;

    #[doc(hidden)]
    fn value(handle: &Self::Handle) -> Self::Value;

    #[doc(hidden)]
    fn slot<L: SlotList>(
        value: Self::Value,
        place: Self::Place,
        list: L,
        position: &mut Position,
    ) -> Self::Slots<L>;
}

/// Implements what is said of the tensors of a repeatable plan, for a parameter that is none.
macro_rules! no_tensor {
    () => {
        type Place = ();
        const READS: bool = false;
        const WAITS: bool = false;
        const WRITES: bool = false;
        type Slots<L: $crate::op::slot::SlotList> = L;

        #[inline(always)]
        fn slot<L: $crate::op::slot::SlotList>(
            _value: Self::Value,
            (): (),
            list: L,
            _position: &mut $crate::op::slot::Position,
        ) -> L {
            list
        }
    };
}
pub(super) use no_tensor;

/// Implements what is said of the tensors of a repeatable plan, for a tensor.
macro_rules! is_tensor {
    ($Place:ty, $reads:expr, $writes:expr) => {
        $crate::op::parameter::is_tensor!($Place, $reads, $writes, waits: false);
    };
    ($Place:ty, $reads:expr, $writes:expr, waits: $waits:expr) => {
        type Place = $Place;
        const READS: bool = $reads;
        const WRITES: bool = $writes;
        const WAITS: bool = $waits;
        type Slots<L: $crate::op::slot::SlotList> =
            <$Place as $crate::op::slot::AnyPlace>::Slots<L, $crate::op::slot::Slot<Self>>;

        #[inline(always)]
        fn slot<L: $crate::op::slot::SlotList>(
            value: Self::Value,
            place: $Place,
            list: L,
            position: &mut $crate::op::slot::Position,
        ) -> Self::Slots<L> {
            let slot = $crate::op::slot::Slot::<Self>::next(value, place, position);
            <$Place as $crate::op::slot::AnyPlace>::behind(list, slot)
        }
    };
}
pub(super) use is_tensor;

pub(super) mod sealed {
    crate::state::sealed! {
        "a wrong implementation would pass C another type than its function takes";
        /// Seals [`Parameter`](super::Parameter).
        pub trait Sealed {}
    }
}
use sealed::Sealed;

pub(super) mod describe {
    use super::{Parameter, Result};

    /// What a program passes for the parameter `P` of an operator on memory of the site `X`. It cannot be named: a wrong
    /// implementation would describe memory that nobody has borrowed.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no argument for the parameter `{P}` of an operator",
        label = "the operands lie in `{X}`",
        note = "a tensor goes by reference: `&Tensor` for `In<T>`, of the same elements and the same site; make one by `buffer.tensor(shape)?`; a `Strided` one goes where the parameter is a `View`, such as `View<In<T>>`; indices are compared before: `&tensor.indices(current, host, below)?`",
        note = "an output goes by value: `buffer.into_tensor(shape)?` or `buffer.tensor_mut(shape)?` for `Out<T>`, and `()` for an `Option` of an output that is left out",
        note = "values of the host have exactly the type of the parameter: a `T` for `Scalar<T>`, `&[T]` for `Scalars<T>`, `c\"text\"` for `Text`; the table of `ascendcl::op::Parameter` says what goes where"
    )]
    pub trait Describe<'b, X, P: Parameter> {
        /// The list of memory `L`, and behind it what an output writes to.
        type Memory<L>;

        /// Describes it to C.
        fn describe(&mut self) -> Result<P::Handle>;

        /// Where it is, for a tensor.
        fn place(&mut self) -> P::Place;

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
    /// A tensor of indices that the operator reads. An operator of this crate has compared their bound with the
    /// dimension that they point into, so nothing else is an argument for it.
    Index;
    /// A list of tensors of indices that the operator reads. An operator of this crate has compared their bounds with the
    /// dimensions that they point into, so nothing else is an argument for it.
    IndexList;
    /// A tensor of positions, row by row, that the operator reads. An operator of this crate has compared their bounds
    /// with the dimensions that they point into, so nothing else is an argument for it.
    PositionRows;
    /// A tensor of `T` elements that the operator writes as a whole.
    Out;
    /// A tensor of `T` elements of which the operator writes the front. The data decide how many elements that are, and the
    /// operator changes the shape of the tensor to theirs.
    OutUpTo;
    /// A tensor of `T` elements that the operator reads and writes in place.
    InOut;
    /// A list of tensors of `T` elements that the operator reads.
    List;
    /// A list of tensors of `T` elements that the operator reads, where elements of the list may be left out.
    SparseList;
    /// A list of tensors of `T` elements that the operator writes as a whole.
    OutList;
    /// A `T` of the host.
    Scalar;
    /// A list of `T`s of the host.
    Scalars;
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
            type Value = *mut sys::$array;
            type Outputs<L> = L;
            no_tensor!();

            #[inline(always)]
            fn value(handle: &$Raw) -> *mut sys::$array {
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
            fn place(&mut self) {}

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
            fn place(&mut self) {}

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        impl<'b, X> Describe<'b, X, $Name> for &Vec<$element> {
            type Memory<L> = L;

            fn describe(&mut self) -> Result<$Raw> {
                $Raw::new(self)
            }

            #[inline(always)]
            fn place(&mut self) {}

            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        optional!([] ['v,] $Name, &'v [$element]);
    )* };
}

/// Declares what may be left out: null then.
macro_rules! optional {
    ([$($generics:tt)*] [$($lifetime:tt)*] $Name:ty, $argument:ty) => {
        optional!([$($generics)*] [$($lifetime)*] $Name, $argument, ());
    };
    ([$($generics:tt)*] [$($lifetime:tt)*] $Name:ty, $argument:ty, $place:expr) => {
        impl<$($generics)*> Sealed for Option<$Name> {}
        impl<$($generics)*> Parameter for Option<$Name> {
            type Handle = Option<<$Name as Parameter>::Handle>;
            type Value = <$Name as Parameter>::Value;
            type Outputs<L> = L;
            type Place = <$Name as Parameter>::Place;
            const READS: bool = <$Name as Parameter>::READS;
            const WAITS: bool = <$Name as Parameter>::WAITS;
            const WRITES: bool = <$Name as Parameter>::WRITES;
            type Slots<L: $crate::op::slot::SlotList> = <$Name as Parameter>::Slots<L>;

            #[inline(always)]
            fn value(handle: &Self::Handle) -> Self::Value {
                handle.as_ref().map_or(core::ptr::null_mut(), <$Name as Parameter>::value)
            }

            #[inline(always)]
            fn slot<L: $crate::op::slot::SlotList>(value: Self::Value, place: Self::Place, list: L, position: &mut $crate::op::slot::Position) -> Self::Slots<L> {
                <$Name as Parameter>::slot(value, place, list, position)
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
            fn place(&mut self) -> <$Name as Parameter>::Place {
                $place
            }

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
    };
}

pub(super) use optional;

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
            no_tensor!();

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
            fn place(&mut self) {}

            #[inline(always)]
            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
    )* };
}

numbers!(bool, i8, i32, i64, u64, f32, f64, sys::aclDataType);

/// A text of the program.
///
/// ```
/// use std::marker::PhantomData;
///
/// use ascendcl::bounds::Floating;
/// use ascendcl::op::{In, Operator, Out, Text};
///
/// /// The function with the error function or its approximation, by the text `none` or `tanh`.
/// struct Gelu<T>(PhantomData<T>);
/// // SAFETY: a header of the program declares the function with these parameters; it writes all of `out`.
/// unsafe impl<T: Floating> Operator for Gelu<T> {
///     ascendcl::operator!(aclnnMyGelu(x: In<T>, approximate: Text, out: Out<T>));
/// }
/// ```
#[derive(Debug)]
pub enum Text {}
impl Sealed for Text {}
impl Parameter for Text {
    type Handle = &'static CStr;
    // Not `const`, because some headers leave it out.
    type Value = *mut c_char;
    type Outputs<L> = L;
    no_tensor!();

    fn value(handle: &&'static CStr) -> *mut c_char {
        handle.as_ptr().cast_mut()
    }
}
impl<'b, X> Describe<'b, X, Text> for &'static CStr {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<&'static CStr> {
        Ok(self)
    }

    #[inline(always)]
    fn place(&mut self) {}

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
optional!([] [] Text, &'static CStr);

impl<T: Element> Parameter for Scalar<T> {
    type Handle = RawScalar;
    type Value = *mut sys::aclScalar;
    type Outputs<L> = L;
    no_tensor!();

    #[inline(always)]
    fn value(handle: &RawScalar) -> *mut sys::aclScalar {
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
    fn place(&mut self) {}

    #[inline(always)]
    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
optional!([T: Element] [] Scalar<T>, T);

impl<T: Element> Parameter for In<T> {
    type Handle = RawTensor;
    // Not `const`, because some headers leave it out.
    type Value = *mut sys::aclTensor;
    type Outputs<L> = L;
    is_tensor!(Place, true, false);

    #[inline(always)]
    fn value(handle: &RawTensor) -> *mut sys::aclTensor {
        handle.as_ptr()
    }
}
impl<'b, X: Site, Y: SameSite<X>, T: Element> Describe<'b, X, In<T>> for &Tensor<'b, Y, T> {
    type Memory<L> = L;

    #[inline(always)]
    fn describe(&mut self) -> Result<RawTensor> {
        RawTensor::new::<T, Contiguous>(self.data, self.offset, self.dims)
    }

    #[inline(always)]
    fn place(&mut self) -> Place {
        Place::new::<T, Contiguous>(self.data, self.offset, self.dims)
    }

    #[inline(always)]
    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
impl<T: Element> Sealed for Option<In<T>> {}
impl<T: Element> Parameter for Option<In<T>> {
    type Handle = Option<RawTensor>;
    type Value = *mut sys::aclTensor;
    type Outputs<L> = L;
    is_tensor!(Option<Place>, true, false);

    fn value(handle: &Option<RawTensor>) -> *mut sys::aclTensor {
        handle
            .as_ref()
            .map_or(core::ptr::null_mut(), In::<T>::value)
    }
}
impl<'b, X: Site, T: Element> Describe<'b, X, Option<In<T>>> for Option<&Tensor<'b, X, T>> {
    type Memory<L> = L;

    fn describe(&mut self) -> Result<Option<RawTensor>> {
        self.map(|mut tensor| Describe::<'b, X, In<T>>::describe(&mut tensor))
            .transpose()
    }

    fn place(&mut self) -> Option<Place> {
        self.map(|tensor| Place::new::<T, Contiguous>(tensor.data, tensor.offset, tensor.dims))
    }

    fn into_memory<L>(self, list: L) -> L {
        list
    }
}
