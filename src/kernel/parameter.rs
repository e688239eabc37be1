//! The parameters of a kernel, as types.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use bytemuck::NoUninit;

use crate::kernel::declare::{Kernel, ParameterName};
use crate::kernel::exact::Exact;

/// The most bytes of a structure that C copies behind the arguments of a launch (recommended in the manual).
const MOST_PLACED: usize = 2048;

/// A parameter of a kernel, in the declaration of a [`kernel!`](crate::kernel!).
///
/// | parameter | in C | a program passes | comes back |
/// |---|---|---|---|
/// | [`In<T>`](In) | `T *` or `GM_ADDR`, read | `&buffer`, a [`Slice`](crate::memory::Slice) | |
/// | `Option<In<T>>` | the same, or null | `Some(&buffer)`, `()` | |
/// | [`Out<T>`](Out) | `T *` or `GM_ADDR`, written as a whole | a fresh buffer by value, `&mut buffer`, a [`SliceMut`](crate::memory::SliceMut) | the initialised buffer, or `()` |
/// | [`InOut<T>`](InOut) | `T *` or `GM_ADDR`, read and written | `&mut buffer`, a [`SliceMut`](crate::memory::SliceMut) | |
/// | `u8` to `f64` | the same by value | exactly that type | |
/// | [`LenOf<x>`](LenOf) | `uint32_t`, the number of elements of `x` | `()` | |
/// | [`Struct<S>`](Struct) | a structure by value | an `S` | |
/// | [`Placed<S>`](Placed) | `S *` or `GM_ADDR` to a small structure | `&S` | |
///
/// All buffers are memory of the device that is queued on the stream of the launch. The arguments lie one behind the other as the
/// members of a structure of C do, each at a multiple of four bytes at least, as the compiler of AI cores lays them out.
pub trait Parameter: Slot {}
impl<P: Slot> Parameter for P {}

/// Bytes of an argument, at a multiple of four at least.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(4))]
pub struct Bytes<T: Copy>(pub MaybeUninit<T>);

/// Bytes of a structure behind the arguments.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
pub struct Behind<T: Copy>(pub MaybeUninit<T>);

pub(super) mod seal {
    /// What the argument of a parameter is to the kernel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ParameterKind {
        /// A value.
        Value,
        /// A pointer to memory that the kernel reads.
        Read,
        /// A pointer to memory that the kernel writes as a whole.
        Write,
        /// A pointer to memory that the kernel reads and writes.
        Change,
    }

    /// A parameter as C has it.
    #[derive(Debug, Clone, Copy)]
    pub struct Layout {
        /// The offset of the argument in bytes.
        pub offset: usize,
        /// The bytes of the argument.
        pub size: usize,
        /// What the argument is to the kernel.
        pub kind: ParameterKind,
        /// The bytes of the structure that C copies behind the arguments for it.
        pub placed: Option<usize>,
        /// The parameter whose elements it counts.
        pub length_of: Option<usize>,
    }

    impl Layout {
        /// Whether the argument has elements.
        pub(in crate::kernel) const fn is_buffer(&self) -> bool {
            !matches!(self.kind, ParameterKind::Value) && self.placed.is_none()
        }
    }

    /// Seals [`Parameter`](super::Parameter): a wrong implementation would pass a kernel other bytes than it reads.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no parameter of a kernel",
        label = "the types of `ascendcl::kernel` and numbers are parameters",
        note = "`In<T>`, `Out<T>` and `InOut<T>` are pointers to elements, and an `In` alone may be an `Option`; `LenOf<x>` is a length; numbers are passed as they are, `bool` as `u8` and `usize` as `u64`",
        note = "`Struct<S>` and `Placed<S>` are structures without padding: `#[repr(C)]`, and `derive(Clone, Copy, bytemuck::NoUninit)`",
        note = "the table of `ascendcl::kernel::Parameter` says what each one is in C"
    )]
    pub trait Slot {
        /// The bytes of an argument. All bits zero are a value.
        type Packed: Copy;
        /// The bytes behind the arguments. All bits zero are a value.
        type Behind: Copy;
        /// What the condition of a declaration knows of an argument.
        type Fact: Copy;

        const KIND: ParameterKind;
        /// The bytes in C, without the padding behind them.
        const SIZE: usize;
        /// The bytes of the structure that C copies behind the arguments for it.
        const PLACED: Option<usize>;
        /// The parameter whose elements it counts.
        const LENGTH_OF: Option<usize>;

        /// The text of a fact in an error: that of a number.
        fn text(fact: Self::Fact) -> Option<String>;
    }
}
use seal::{Layout, ParameterKind, Slot};

impl<T: Copy> Bytes<T> {
    /// The bytes without the padding behind them.
    const SIZE: usize = size_of::<T>();
}

/// The address of an argument.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Address(pub *mut c_void);

impl Address {
    pub(super) const NULL: Address = Address(null_mut());
    const SIZE: usize = size_of::<Address>();
}

/// Lists parameters: the bytes of an argument and those behind the arguments, what a condition knows, and then what it is to
/// the kernel, the size of the structure behind the arguments, the parameter whose length it is, and the text of a fact.
macro_rules! slots {
    ($(
        [$($generics:tt)*] $type:ty: $Packed:ty, $Behind:ty, $Fact:ty = $kind:expr, $placed:expr, $length_of:expr, $text:expr;
    )*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Slot for $type {
            type Packed = $Packed;
            type Behind = $Behind;
            type Fact = $Fact;
            const KIND: ParameterKind = $kind;
            const SIZE: usize = <$Packed>::SIZE;
            const PLACED: Option<usize> = $placed;
            const LENGTH_OF: Option<usize> = $length_of;

            fn text(fact: $Fact) -> Option<String> {
                $text(fact)
            }
        }
    )* };
}

slots! {
    [T] Option<In<T>>: Address, (), Exact = ParameterKind::Read, None, None, number;
    [] u8: Bytes<u8>, (), Exact = ParameterKind::Value, None, None, number;
    [] u16: Bytes<u16>, (), Exact = ParameterKind::Value, None, None, number;
    [] u32: Bytes<u32>, (), Exact = ParameterKind::Value, None, None, number;
    [] u64: Bytes<u64>, (), Exact = ParameterKind::Value, None, None, number;
    [] i8: Bytes<i8>, (), Exact = ParameterKind::Value, None, None, number;
    [] i16: Bytes<i16>, (), Exact = ParameterKind::Value, None, None, number;
    [] i32: Bytes<i32>, (), Exact = ParameterKind::Value, None, None, number;
    [] i64: Bytes<i64>, (), Exact = ParameterKind::Value, None, None, number;
    [] f32: Bytes<f32>, (), f32 = ParameterKind::Value, None, None, float;
    [] f64: Bytes<f64>, (), f64 = ParameterKind::Value, None, None, float;
    [X: ParameterName, T: Length] LenOf<X, T>: Bytes<T>, (), Exact = ParameterKind::Value, None, Some(X::POSITION), number;
    [S: NoUninit] Struct<S>: Bytes<S>, (), S = ParameterKind::Value, None, None, no_text;
    [S: NoUninit] Placed<S>: Address, Behind<S>, S = ParameterKind::Read, Some(size_of::<S>()), None, no_text;
}

fn number(fact: Exact) -> Option<String> {
    Some(fact.text())
}

fn float(fact: impl fmt::Display) -> Option<String> {
    Some(fact.to_string())
}

fn no_text<S>(_: S) -> Option<String> {
    None
}

/// Declares parameters that are pointers.
macro_rules! pointers {
    ($( $(#[$doc:meta])* $Name:ident $kind:ident; )*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $Name<T>(PhantomData<fn(T) -> T>);
        slots! { [T] $Name<T>: Address, (), Exact = ParameterKind::$kind, None, None, number; }
    )* };
}

pointers! {
    /// Elements that a kernel reads. In a condition its name is their number.
    ///
    /// ```
    /// use ascendcl::kernel::{In, InOut};
    ///
    /// ascendcl::kernel! { pub struct Add = add(x: In<f32>, sum: InOut<f32>) where x == sum; }
    /// ```
    In Read;
    /// Elements that a kernel writes as a whole, and does not read before. In a condition its name is their number.
    ///
    /// ```
    /// use ascendcl::kernel::{In, Out};
    ///
    /// ascendcl::kernel! { pub struct Exp = exp(x: In<f32>, y: Out<f32>) where x == y; }
    /// ```
    Out Write;
    /// Elements that a kernel reads and writes in place. In a condition its name is their number.
    ///
    /// ```
    /// use ascendcl::kernel::InOut;
    ///
    /// ascendcl::kernel! { pub struct Sort = sort(keys: InOut<u32>) where keys % 32 == 0; }
    /// ```
    InOut Change;
}

/// The number of elements of the parameter `x`, as a `uint32_t`: a program passes `()`, and the launch fills it in. `T` is
/// `u64` for a `uint64_t`.
///
/// `x` is the name of another parameter of the declaration.
///
/// ```
/// use ascendcl::kernel::{In, LenOf, Out};
///
/// ascendcl::kernel! {
///     pub struct Gather = gather(values: In<f32>, at: In<u32>, out: Out<f32>, len: LenOf<values, u64>, n: LenOf<at>)
///         where at == out;
/// }
/// ```
#[derive(Debug)]
pub struct LenOf<X, T = u32>(PhantomData<(X, T)>);

/// The types of lengths.
pub trait Length: Copy + TryFrom<usize> {}
impl Length for u32 {}
impl Length for u64 {}

/// A structure by value. It has no padding ([`NoUninit`]).
///
/// ```
/// use ascendcl::kernel::{InOut, Struct};
///
/// #[derive(Clone, Copy, bytemuck::NoUninit)]
/// #[repr(C)]
/// struct Range {
///     first: u32,
///     len: u32,
/// }
///
/// ascendcl::kernel! { struct Clear = clear(x: InOut<u32>, range: Struct<Range>) where x >= range.len; }
/// ```
#[derive(Debug)]
pub struct Struct<S>(PhantomData<S>);

/// A pointer to a small structure, such as a tiling: C copies it to the device with the arguments (a placeholder). It has
/// no padding ([`NoUninit`]), and at most 2048 bytes.
///
/// ```
/// use ascendcl::kernel::{In, Out, Placed};
///
/// #[derive(Clone, Copy, bytemuck::NoUninit)]
/// #[repr(C)]
/// struct Tiling {
///     per_block: u32,
///     tile: u32,
/// }
///
/// ascendcl::kernel! {
///     struct Double = double<blocks>(x: In<f32>, y: Out<f32>, tiling: Placed<Tiling>)
///         where x == y, x == blocks * tiling.per_block;
/// }
/// ```
#[derive(Debug)]
pub struct Placed<S>(PhantomData<S>);

/// Refuses a declaration that no launch could meet, where it stands.
#[doc(hidden)]
pub const fn check_declaration<K: Kernel>() {
    let layout = K::Parameters::LAYOUT;
    let mut rest = layout;
    while let [first, others @ ..] = rest {
        rest = others;
        if let Some(bytes) = first.placed {
            assert!(
                bytes <= MOST_PLACED,
                "a `Placed` structure has at most 2048 bytes: copy a larger one to device memory, and declare it as `In`"
            );
        }
        assert!(
            first.size > 0 && !matches!(first.placed, Some(0)),
            "a structure without members is no parameter: C gives it a byte, and Rust none"
        );
        if let Some(of) = first.length_of {
            let is_buffer = match layout.split_at_checked(of) {
                Some((_, [counted, ..])) => counted.is_buffer(),
                _ => false,
            };
            assert!(
                is_buffer,
                "`LenOf` counts the elements of a buffer: name a parameter that is `In`, `Out` or `InOut`"
            );
        }
    }
}

/// The parameters of a kernel: a tuple of up to 24 [`Parameter`]s. A kernel with more takes a structure.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the parameters of a kernel",
    label = "expected at most 24 types that `ascendcl::kernel::Parameter` lists",
    note = "put further ones into a structure: `Struct<S>` by value, `Placed<S>` behind a pointer"
)]
pub trait Parameters: tuple::Sealed {
    /// What the condition of a declaration knows of the arguments.
    #[doc(hidden)]
    type Facts: Copy;
    #[doc(hidden)]
    const LAYOUT: &'static [Layout];

    /// The texts of the facts in an error.
    #[doc(hidden)]
    fn texts(facts: Self::Facts) -> Vec<Option<String>>;
}

pub(super) mod tuple {
    crate::state::sealed! {
        "expected a tuple of parameters of a kernel";
        /// Seals [`Parameters`](super::Parameters).
        pub trait Sealed {
            /// The arguments as a kernel reads them: the members of a structure of C.
            type Packed;
            /// The structures that C copies with the arguments.
            type Behind;
        }
    }
}
