//! The arguments of a first phase as C passes them: one constructor for each kind of `ascendcl_sys::parameter`.

use core::ffi::{c_char, c_int};

use ascendcl_sys::{ACL_DT_UNDEFINED, aclDataType, parameter};

/// The direction of a tensor's data: read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    In,
    Out,
    InOut,
}

/// A handle with the kind of its object, or a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Raw {
    Tensor(Role),
    Tensors(Role),
    /// A list whose elements may be null.
    SparseTensors,
    Scalar,
    Scalars,
    Ints,
    Floats,
    Bools,
    Text,
    Whole(i64),
    Floating(f64),
    Flag(bool),
    Type(aclDataType),
}

/// An argument with the name of its parameter.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub(super) name: &'static str,
    pub(super) raw: Raw,
    /// The handle or the address, if the argument has one.
    pub(super) handle: usize,
    /// Whether null is allowed.
    pub(super) is_optional: bool,
}

/// A kind of parameter: what an argument of it is, and whether null is allowed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    raw: Raw,
    is_optional: bool,
}

/// Returns a parameter of C of this kind as a word: the address of a handle, or the bits of a value. There are thousands of
/// these conversions, so they are casts and no calls.
macro_rules! word {
    (f32 $value:ident) => {
        f64::from($value).to_bits()
    };
    (f64 $value:ident) => {
        $value.to_bits()
    };
    (aclDataType $value:ident) => {
        $value.0 as u64
    };
    (bool $value:ident) => {
        $value as u64
    };
    (i8 $value:ident) => {
        $value as u64
    };
    (i32 $value:ident) => {
        $value as u64
    };
    (c_int $value:ident) => {
        $value as u64
    };
    (i64 $value:ident) => {
        $value as u64
    };
    (u64 $value:ident) => {
        $value
    };
    ($handle:ident $value:ident) => {
        $value as usize as u64
    };
}
pub(super) use word;

impl Argument {
    /// Makes the argument of a parameter of this name from its word.
    pub(super) fn new(name: &'static str, parameter: Parameter, word: u64) -> Self {
        // CAST: the words of handles are addresses, and those of integers have the bits of the integer.
        let (handle, whole) = (word as usize, word as i64);
        let raw = match parameter.raw {
            Raw::Whole(_) => Raw::Whole(whole),
            Raw::Floating(_) => Raw::Floating(f64::from_bits(word)),
            Raw::Flag(_) => Raw::Flag(word != 0),
            Raw::Type(_) => Raw::Type(i32::try_from(whole).map_or(ACL_DT_UNDEFINED, aclDataType)),
            raw => raw,
        };
        let is_optional = parameter.is_optional;
        let name = in_c(name);
        Self {
            name,
            raw,
            handle,
            is_optional,
        }
    }
}

/// The part that a parameter has in an element-wise operator.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A tensor or a number that the operator reads.
    Operand,
    /// A tensor that it writes.
    Output,
    /// A tensor that it reads and writes.
    Both,
    /// Such a parameter is of no use to an element-wise operator.
    Nothing,
}

/// Returns the name of a parameter in C: Rust adds an underscore to its own keywords.
fn in_c(name: &'static str) -> &'static str {
    name.strip_suffix('_').unwrap_or(name)
}

/// The constructors for handles.
macro_rules! handles {
    ($($kind:ident, $raw:expr, $is_optional:literal, $part:ident;)*) => {
        #[expect(non_upper_case_globals, reason = "the names of the kinds")]
        impl Part {$(
            pub const $kind: Part = Part::$part;
        )*}

        #[allow(non_upper_case_globals, dead_code, reason = "the names of the kinds, not all of which have an operator")]
        impl Parameter {$(
            pub(super) const $kind: Parameter = Parameter { raw: $raw, is_optional: $is_optional };
        )*}

        impl Argument {$(
        #[doc = concat!("An argument of the kind `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $kind(name: &'static str, value: parameter::$kind) -> Self {
            let name = in_c(name);
            Self { name, raw: $raw, handle: value.addr(), is_optional: $is_optional }
        }
        )*}
    };
}

/// The constructors for values.
macro_rules! values {
    ($($kind:ident, $ty:ty, $raw:expr, $none:expr, $part:ident;)*) => {
        #[expect(non_upper_case_globals, reason = "the names of the kinds")]
        impl Part {$(
            pub const $kind: Part = Part::$part;
        )*}

        #[allow(non_upper_case_globals, dead_code, reason = "the names of the kinds, not all of which have an operator")]
        impl Parameter {$(
            pub(super) const $kind: Parameter = Parameter { raw: $none, is_optional: true };
        )*}

        impl Argument {$(
        #[doc = concat!("An argument of the kind `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $kind(name: &'static str, value: $ty) -> Self {
            let name = in_c(name);
            Self { name, raw: $raw(value), handle: 0, is_optional: true }
        }
        )*}
    };
}

handles! {
    tensor, Raw::Tensor(Role::In), false, Operand;
    mut_tensor, Raw::Tensor(Role::In), false, Operand;
    optional_tensor, Raw::Tensor(Role::In), true, Nothing;
    out_tensor, Raw::Tensor(Role::Out), false, Output;
    const_out_tensor, Raw::Tensor(Role::Out), false, Output;
    optional_out_tensor, Raw::Tensor(Role::Out), true, Nothing;
    optional_const_out_tensor, Raw::Tensor(Role::Out), true, Nothing;
    inout_tensor, Raw::Tensor(Role::InOut), false, Both;
    const_inout_tensor, Raw::Tensor(Role::InOut), false, Both;
    optional_inout_tensor, Raw::Tensor(Role::InOut), true, Nothing;
    tensor_list, Raw::Tensors(Role::In), false, Nothing;
    optional_tensor_list, Raw::Tensors(Role::In), true, Nothing;
    sparse_tensor_list, Raw::SparseTensors, false, Nothing;
    out_tensor_list, Raw::Tensors(Role::Out), false, Nothing;
    const_out_tensor_list, Raw::Tensors(Role::Out), false, Nothing;
    const_inout_tensor_list, Raw::Tensors(Role::InOut), false, Nothing;
    optional_out_tensor_list, Raw::Tensors(Role::Out), true, Nothing;
    scalar, Raw::Scalar, false, Operand;
    optional_scalar, Raw::Scalar, true, Nothing;
    scalar_list, Raw::Scalars, false, Nothing;
    optional_scalar_list, Raw::Scalars, true, Nothing;
    int_array, Raw::Ints, false, Nothing;
    optional_int_array, Raw::Ints, true, Nothing;
    float_array, Raw::Floats, false, Nothing;
    optional_float_array, Raw::Floats, true, Nothing;
    bool_array, Raw::Bools, false, Nothing;
    optional_bool_array, Raw::Bools, true, Nothing;
}

values! {
    i8, i8, |value: i8| Raw::Whole(value.into()), Raw::Whole(0), Operand;
    i32, i32, |value: i32| Raw::Whole(value.into()), Raw::Whole(0), Operand;
    c_int, c_int, |value: c_int| Raw::Whole(value.into()), Raw::Whole(0), Operand;
    i64, i64, Raw::Whole, Raw::Whole(0), Operand;
    // CAST: sizes and seeds; the bits are kept.
    u64, u64, |value: u64| Raw::Whole(value as i64), Raw::Whole(0), Operand;
    f32, f32, |value: f32| Raw::Floating(value.into()), Raw::Floating(0.0), Operand;
    f64, f64, Raw::Floating, Raw::Floating(0.0), Operand;
    bool, bool, Raw::Flag, Raw::Flag(false), Operand;
    aclDataType, aclDataType, Raw::Type, Raw::Type(ACL_DT_UNDEFINED), Nothing;
}

#[allow(non_upper_case_globals, reason = "the names of the kinds")]
impl Parameter {
    pub(super) const text: Parameter = Parameter {
        raw: Raw::Text,
        is_optional: true,
    };
    pub(super) const mut_text: Parameter = Self::text;
}

#[expect(non_upper_case_globals, reason = "the names of the kinds")]
impl Part {
    pub const text: Part = Part::Nothing;
    pub const mut_text: Part = Part::Nothing;
}

impl Argument {
    /// Makes an argument of the kind `text`.
    #[must_use]
    pub fn text(name: &'static str, value: parameter::text) -> Self {
        let (name, handle) = (in_c(name), value.expose_provenance());
        let (raw, is_optional) = (Raw::Text, true);
        Self {
            name,
            raw,
            handle,
            is_optional,
        }
    }

    /// Makes an argument of the kind `mut_text`.
    #[must_use]
    pub fn mut_text(name: &'static str, value: parameter::mut_text) -> Self {
        Self::text(name, value)
    }

    /// Copies the text at a pointer.
    ///
    /// # Safety
    ///
    /// - The pointer is null or points to a text that ends in NUL.
    pub(super) unsafe fn read_text(self) -> Option<String> {
        let pointer = core::ptr::with_exposed_provenance::<c_char>(self.handle);
        if pointer.is_null() {
            return None;
        }
        // SAFETY: the caller's contract.
        let text = unsafe { core::ffi::CStr::from_ptr(pointer) };
        Some(text.to_string_lossy().into_owned())
    }
}
