//! Handles and enumerations of AscendCL, under their C names.
//!
//! An enumeration is a newtype over the integer that C passes, not a Rust `enum`: whatever number a
//! future runtime answers with is a valid value.

use core::ffi::{c_int, c_void};

/// Status code of a call; 0 is success. The codes are in [`status`](crate::status).
pub type aclError = c_int;
/// Status code of an operator call; 0 is success.
pub type aclnnStatus = i32;
/// A stream; null is the default stream of the current context.
pub type aclrtStream = *mut c_void;
/// An event.
pub type aclrtEvent = *mut c_void;
/// A context.
pub type aclrtContext = *mut c_void;
/// A model instance.
pub type aclmdlRI = *mut c_void;
/// A handle of physical memory.
pub type aclrtDrvMemHandle = *mut c_void;
/// A function that a subscribed thread runs in stream order.
pub type aclrtCallback = Option<unsafe extern "C" fn(userData: *mut c_void)>;
/// A function that the runtime's own thread runs in stream order.
pub type aclrtHostFunc = Option<unsafe extern "C" fn(args: *mut c_void)>;
/// A half-precision number as its bits.
pub type aclFloat16 = u16;

/// Declares C enumerations as newtypes with their named values.
macro_rules! enumeration {
    ($( $(#[$doc:meta])* $name:ident: $repr:ty { $( $(#[$vdoc:meta])* $value:ident = $number:expr ),* $(,)? } )*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $repr);

        $( $(#[$vdoc])* #[doc = concat!("`", stringify!($value), "` of [`", stringify!($name), "`].")]
           pub const $value: $name = $name($number); )*

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $( if self.0 == $number { return f.write_str(stringify!($value)); } )*
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

pub use callback::*;
pub use device::*;
pub use event::*;
pub use memory::*;
pub use model::*;
pub use op::*;
pub use runtime::*;
pub use stream::*;

mod callback;
mod device;
mod event;
mod memory;
mod model;
mod op;
mod runtime;
mod stream;
