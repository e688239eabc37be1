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

/// Returns the name of a parameter in C: Rust adds an underscore to its own keywords.
fn in_c(name: &'static str) -> &'static str {
    name.strip_suffix('_').unwrap_or(name)
}

/// The constructors for handles.
macro_rules! handles {
    ($($kind:ident, $raw:expr, $is_optional:literal;)*) => {$(
        #[doc = concat!("An argument of the kind `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $kind(name: &'static str, value: parameter::$kind) -> Self {
            let name = in_c(name);
            Self { name, raw: $raw, handle: value.addr(), is_optional: $is_optional }
        }
    )*};
}

/// The constructors for values.
macro_rules! values {
    ($($kind:ident, $ty:ty, $raw:expr;)*) => {$(
        #[doc = concat!("An argument of the kind `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $kind(name: &'static str, value: $ty) -> Self {
            let name = in_c(name);
            Self { name, raw: $raw(value), handle: 0, is_optional: true }
        }
    )*};
}

impl Argument {
    handles! {
        tensor, Raw::Tensor(Role::In), false;
        mut_tensor, Raw::Tensor(Role::In), false;
        optional_tensor, Raw::Tensor(Role::In), true;
        out_tensor, Raw::Tensor(Role::Out), false;
        const_out_tensor, Raw::Tensor(Role::Out), false;
        optional_out_tensor, Raw::Tensor(Role::Out), true;
        optional_const_out_tensor, Raw::Tensor(Role::Out), true;
        inout_tensor, Raw::Tensor(Role::InOut), false;
        const_inout_tensor, Raw::Tensor(Role::InOut), false;
        optional_inout_tensor, Raw::Tensor(Role::InOut), true;
        tensor_list, Raw::Tensors(Role::In), false;
        optional_tensor_list, Raw::Tensors(Role::In), true;
        sparse_tensor_list, Raw::SparseTensors, false;
        out_tensor_list, Raw::Tensors(Role::Out), false;
        const_out_tensor_list, Raw::Tensors(Role::Out), false;
        optional_out_tensor_list, Raw::Tensors(Role::Out), true;
        scalar, Raw::Scalar, false;
        optional_scalar, Raw::Scalar, true;
        scalar_list, Raw::Scalars, false;
        optional_scalar_list, Raw::Scalars, true;
        int_array, Raw::Ints, false;
        optional_int_array, Raw::Ints, true;
        float_array, Raw::Floats, false;
        optional_float_array, Raw::Floats, true;
        bool_array, Raw::Bools, false;
        optional_bool_array, Raw::Bools, true;
    }

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

    values! {
        i8, i8, |value: i8| Raw::Whole(value.into());
        i32, i32, |value: i32| Raw::Whole(value.into());
        c_int, c_int, |value: c_int| Raw::Whole(value.into());
        i64, i64, Raw::Whole;
        // CAST: sizes and seeds; the bits are kept.
        u64, u64, |value: u64| Raw::Whole(value as i64);
        f32, f32, |value: f32| Raw::Floating(value.into());
        f64, f64, Raw::Floating;
        bool, bool, Raw::Flag;
        aclDataType, aclDataType, Raw::Type;
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
