//! The declaration of a kernel.

use std::ffi::CStr;

use crate::kernel::exact::Exact;
use crate::kernel::parameter::Parameters;

/// A declared kernel: its name in the binary, its parameters, and what a launch has to meet. [`kernel!`](crate::kernel!)
/// makes it.
///
/// A declaration promises nothing by itself. [`Binary::kernel`](crate::kernel::Binary::kernel) does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no declared kernel",
    label = "expected the name of a `kernel!`",
    note = "declare it: `ascendcl::kernel! {{ pub struct Name = name(x: In<f32>, y: Out<f32>) where x == y; }}`"
)]
pub trait Kernel {
    /// The name of the function in the binary.
    const NAME: &'static CStr;
    /// The names of the parameters.
    const NAMES: &'static [&'static str];
    /// The parameters, in C's order.
    type Parameters: Parameters;

    /// Returns the first condition that the arguments do not meet.
    fn broken(
        blocks: Exact,
        facts: <Self::Parameters as Parameters>::Facts,
    ) -> Option<&'static str>;
}

/// The name of a parameter of a declaration, for [`LenOf`](crate::kernel::LenOf).
#[doc(hidden)]
pub trait ParameterName {
    /// Its position among the parameters.
    const POSITION: usize;
}

/// Removes the mark of a name that is a keyword of Rust.
#[doc(hidden)]
#[must_use]
pub const fn bare(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', rest @ ..] => match core::str::from_utf8(rest) {
            Ok(bare) => bare,
            Err(_) => name,
        },
        _ => name,
    }
}

/// Declares kernels: each with its name in the binary, its parameters in C's order, and conditions of a launch.
///
/// The table of [`kernel::Parameter`](crate::kernel::Parameter) has a type for each parameter. The conditions behind
/// `where` tie lengths, values and blocks together. In a condition the name of a buffer is its number of elements, the name of
/// a value its value, and the name of a structure the structure. `add<blocks>(..)` gives the number of blocks a name. Whole
/// numbers are [`Exact`](crate::kernel::Exact): their arithmetic does not wrap. Arithmetic between two members of a
/// structure is that of Rust: convert the first one, `Exact::from(tiling.rows) * tiling.columns`.
///
/// A launch whose arguments break a condition is an error that names the kernel, the condition and the values. So is one for
/// which a condition has no result. The promise of [`Binary::kernel`](crate::kernel::Binary::kernel) is about the launches
/// that the conditions admit.
///
/// ```
/// use ascendcl::kernel::{In, LenOf, Out};
///
/// ascendcl::kernel! {
///     /// `z = x + y`, in tiles of 64 elements that the blocks share.
///     pub struct Add = add<blocks>(x: In<f32>, y: In<f32>, z: Out<f32>, n: LenOf<x>)
///         where x == y, y == z, x % (blocks * 64) == 0;
/// }
/// ```
#[macro_export]
macro_rules! kernel {
    () => {};
    (
        $(#[$attribute:meta])*
        $vis:vis struct $Kernel:ident =
            $name:ident $(<$blocks:ident>)? ($($(#[$about:meta])* $parameter:ident: $Parameter:ty),* $(,)?)
            $(where $($condition:expr),+ $(,)?)?;
        $($rest:tt)*
    ) => {
        $(#[$attribute])*
        #[derive(Debug)]
        $vis enum $Kernel {}

        const _: () = {
            // The names of parameters as types, for `LenOf<x>`.
            #[allow(non_camel_case_types, dead_code, reason = "the names of parameters")]
            enum Position { $($parameter),* }
            $(
                $(#[$about])*
                #[allow(
                    non_camel_case_types, dead_code, missing_debug_implementations, missing_docs,
                    reason = "the names of parameters"
                )]
                pub enum $parameter {}
                impl $crate::kernel::ParameterName for $parameter {
                    const POSITION: usize = Position::$parameter as usize;
                }
            )*

            // The bounds, so that a wrong type is an error where it stands, and not one for each use.
            impl $crate::kernel::Kernel for $Kernel
            where
                $( $Parameter: $crate::kernel::Parameter, )*
            {
                const NAME: &'static ::core::ffi::CStr = match ::core::ffi::CStr::from_bytes_with_nul(
                    $crate::kernel::bare(::core::concat!(::core::stringify!($name), "\0")).as_bytes(),
                ) {
                    ::core::result::Result::Ok(name) => name,
                    ::core::result::Result::Err(_) => c"",
                };
                const NAMES: &'static [&'static str] = &[$($crate::kernel::bare(::core::stringify!($parameter))),*];
                type Parameters = ($($Parameter,)*);

                #[inline(always)]
                #[allow(unused_variables, reason = "a condition names some of them")]
                fn broken(
                    blocks: $crate::kernel::Exact,
                    facts: <Self::Parameters as $crate::kernel::Parameters>::Facts,
                ) -> ::core::option::Option<&'static str> {
                    // In one pattern, so that no name stands for two things.
                    let (($($parameter,)*), $crate::kernel!(@blocks $($blocks)?)) = (facts, blocks);
                    $($(
                        if !$crate::kernel::holds(|| -> bool { $condition }) {
                            return ::core::option::Option::Some(::core::stringify!($condition));
                        }
                    )+)?
                    ::core::option::Option::None
                }
            }

            // Evaluated where the kernel is declared, also by `cargo check`.
            $crate::kernel::check_declaration::<$Kernel>();
        };

        $crate::kernel! { $($rest)* }
    };
    (@blocks) => { _ };
    (@blocks $blocks:ident) => { $blocks };
}
