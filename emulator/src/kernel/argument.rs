//! What a parameter of a kernel in Rust can be.

use super::block::Block;
use super::registered::{Parameter, ParameterKind};
use super::view::{Element, Memory, View, ViewMut};

mod sealed {
    /// Only the types of this file are parameters: each has a layout in C.
    pub trait Sealed {}
}

/// A parameter of a kernel in Rust: a [`View`], a [`ViewMut`], a number, or an array of numbers.
pub trait Argument: sealed::Sealed {
    /// The alignment in C.
    #[doc(hidden)]
    const ALIGN: usize;

    /// What the kernel sees.
    #[doc(hidden)]
    type At<'b>;

    /// Describes the parameter.
    #[doc(hidden)]
    fn parameter(name: &'static str) -> Parameter;

    /// Takes the next argument of a block.
    #[doc(hidden)]
    fn take<'b>(block: &'b Block<'b>) -> Self::At<'b>;
}

/// The bytes of a pointer.
const POINTER: usize = size_of::<usize>();

impl<T> sealed::Sealed for View<'_, T> {}

impl<T: Element> Argument for View<'_, T> {
    const ALIGN: usize = POINTER;
    type At<'b> = View<'b, T>;

    fn parameter(name: &'static str) -> Parameter {
        Parameter::named(name, ParameterKind::Read, POINTER)
    }

    fn take<'b>(block: &'b Block<'b>) -> View<'b, T> {
        View::new(Memory::take(block))
    }
}

impl<T> sealed::Sealed for ViewMut<'_, T> {}

impl<T: Element> Argument for ViewMut<'_, T> {
    const ALIGN: usize = POINTER;
    type At<'b> = ViewMut<'b, T>;

    fn parameter(name: &'static str) -> Parameter {
        Parameter::named(name, ParameterKind::Write, POINTER)
    }

    fn take<'b>(block: &'b Block<'b>) -> ViewMut<'b, T> {
        ViewMut::new(Memory::take(block))
    }
}

macro_rules! values {
    ($($T:ty)*) => { $(
        impl sealed::Sealed for $T {}

        impl Argument for $T {
            const ALIGN: usize = align_of::<$T>();
            type At<'b> = $T;

            fn parameter(name: &'static str) -> Parameter {
                Parameter::named(name, ParameterKind::Value, size_of::<$T>())
            }

            fn take<'b>(block: &'b Block<'b>) -> $T {
                number(block.take_value(), 0)
            }
        }
    )* };
}
values!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Element, const N: usize> sealed::Sealed for [T; N] {}

/// A structure of numbers of one type that is passed by value.
impl<T: Element, const N: usize> Argument for [T; N] {
    const ALIGN: usize = align_of::<T>();
    type At<'b> = [T; N];

    fn parameter(name: &'static str) -> Parameter {
        Parameter::named(name, ParameterKind::Value, size_of::<[T; N]>())
    }

    fn take<'b>(block: &'b Block<'b>) -> [T; N] {
        let bytes = block.take_value();
        std::array::from_fn(|index| number(bytes, index))
    }
}

/// Returns a number of an array, from its bytes. A launch has all bytes of the parameters, so none is missing.
fn number<T: Element>(bytes: &[u8], index: usize) -> T {
    let start = index * size_of::<T>();
    let bytes = bytes.get(start..start + size_of::<T>());
    T::of(bytes.unwrap_or_default())
}
