//! The arguments of a first phase as C passes them: one constructor for each kind of `ascendcl_sys::parameter`.

use core::ffi::{c_char, c_int};

use ascendcl_sys::{aclDataType, parameter};

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
    ($($kind:ident, $ty:ty, $raw:expr, $part:ident;)*) => {
        #[expect(non_upper_case_globals, reason = "the names of the kinds")]
        impl Part {$(
            pub const $kind: Part = Part::$part;
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
    i8, i8, |value: i8| Raw::Whole(value.into()), Operand;
    i32, i32, |value: i32| Raw::Whole(value.into()), Operand;
    c_int, c_int, |value: c_int| Raw::Whole(value.into()), Operand;
    i64, i64, Raw::Whole, Operand;
    // CAST: sizes and seeds; the bits are kept.
    u64, u64, |value: u64| Raw::Whole(value as i64), Operand;
    f32, f32, |value: f32| Raw::Floating(value.into()), Operand;
    f64, f64, Raw::Floating, Operand;
    bool, bool, Raw::Flag, Nothing;
    aclDataType, aclDataType, Raw::Type, Nothing;
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
