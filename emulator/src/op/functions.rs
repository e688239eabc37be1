//! The C functions of each operator, which a macro makes from the list of `ascendcl-sys`.

use core::ffi::c_void;

use ascendcl_sys::{OpTable, aclOpExecutor, aclnnStatus, aclrtStream, parameter};

use super::argument::{Parameter, Part, word};
use super::define;

/// Makes both functions of an operator.
macro_rules! phases {
    ($launch:ident, $prepare:ident($($arg:ident: $kind:ident),* $(,)?)) => {
        const _: () = define::$launch().check_parts(&[$(Part::$kind),*]);

        unsafe extern "C" fn $prepare(
            $($arg: parameter::$kind,)*
            workspaceSize: *mut u64,
            executor: *mut *mut aclOpExecutor,
        ) -> aclnnStatus {
            const PARAMETERS: &[(&str, Parameter)] = &[$((stringify!($arg), Parameter::$kind)),*];
            // CAST: an address has at most 64 bits, and an integer is extended with its sign.
            let words = [$(word!($kind $arg)),*];
            // SAFETY: the caller's contract is that of the C function, and the words are those of the parameters.
            unsafe {
                const { define::$launch() }.prepare_words(&PARAMETERS, (&raw const words).cast(), workspaceSize, executor)
            }
        }

        unsafe extern "C" fn $launch(
            workspace: *mut c_void,
            workspaceSize: u64,
            executor: *mut aclOpExecutor,
            stream: aclrtStream,
        ) -> aclnnStatus {
            const { define::$launch() }.launch(workspace, workspaceSize, executor, stream)
        }
    };
}

/// Makes both functions of each operator, and a table of them with the rest of another table.
macro_rules! functions {
    ($TABLE:ident = $others:expr; $(
        $(# $attribute:tt)+ operator $launch:ident, $prepare:ident $parameters:tt in $header:literal;
    )*) => {
        $( phases! { $launch, $prepare $parameters } )*

        const $TABLE: OpTable = OpTable {
            $($prepare, $launch,)*
            ..$others
        };
    };
}

ascendcl_sys::operators_for_inference!(functions, INFERENCE = OpTable::ABSENT;);
// Another crate can ask `ascendcl-sys` alone for more operators, or for those of training. They are absent then.
#[cfg(feature = "more-operators")]
ascendcl_sys::operators_for_more!(functions [MORE = INFERENCE;]);
#[cfg(not(feature = "more-operators"))]
const MORE: OpTable = INFERENCE;
#[cfg(feature = "training")]
ascendcl_sys::operators_for_training!(functions [TRAINING = MORE;]);

/// The functions of the operators; the rest of the area is absent.
#[cfg(feature = "training")]
pub(crate) const OPERATORS: OpTable = TRAINING;
/// The functions of the operators; the rest of the area is absent.
#[cfg(not(feature = "training"))]
pub(crate) const OPERATORS: OpTable = MORE;
