//! Calls as spans of `tracing`: a span has the name of the C function, and its status code once it has returned.

use core::any::Any;

use tracing::Span;

use crate::types::aclError;

/// Opens the span of a call.
macro_rules! of {
    ($name:ident) => {
        tracing::trace_span!(
            target: "ascendcl::call",
            stringify!($name),
            status = tracing::field::Empty,
        )
        .entered()
    };
}
pub(crate) use of;

/// Adds the status code to a span, if the function has returned one.
pub(crate) fn record<T: Any>(span: &Span, result: &T) {
    if let Some(status) = (result as &dyn Any).downcast_ref::<aclError>() {
        span.record("status", status);
    }
}
