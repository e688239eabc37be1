//! The sizes of handles, in bytes.

use std::fmt::Write;

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Event, HostBuf, Queued, Stream, sys};

use crate::D;

/// The table, as text.
pub(crate) fn table() -> String {
    let mut text = format!("{:<34} {:>7} {:>7}\n", "bytes of a handle", "typed", "raw");
    let pointer = size_of::<*mut u8>();
    let rows = [
        (
            "stream",
            size_of::<Stream<'_, '_, D, Main>>(),
            size_of::<sys::aclrtStream>(),
        ),
        (
            "event",
            size_of::<Event<'_, D, Order>>(),
            size_of::<sys::aclrtEvent>(),
        ),
        (
            "buffer, length in the type",
            size_of::<DeviceBuf<'_, D, [f32; 8]>>(),
            pointer,
        ),
        (
            "buffer, run-time length",
            size_of::<DeviceBuf<'_, D, [f32]>>(),
            2 * pointer,
        ),
        (
            "host buffer, run-time length",
            size_of::<HostBuf<'_, [f32]>>(),
            2 * pointer,
        ),
        (
            "queued buffer, run-time length",
            size_of::<Queued<'_, (D, Main), DeviceBuf<'_, D, [f32]>>>(),
            2 * pointer,
        ),
        (
            "binding of a thread",
            size_of::<Current<'_, '_, D>>(),
            size_of::<sys::aclrtContext>(),
        ),
    ];
    for (name, typed, raw) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<34} {typed:>7} {raw:>7}");
    }
    text
}
