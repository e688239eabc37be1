//! What memory can hold.

use bytemuck::Pod;

/// An element of memory: plain data, because a device writes any bytes.
///
/// Every `bytemuck::Pod` is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element type of memory",
    label = "not every byte pattern is a value of `{Self}`, or it has padding",
    note = "elements are plain data (`bytemuck::Pod`): numbers, arrays of them, and structs that derive `Pod`"
)]
pub trait Plain: Pod {}
#[diagnostic::do_not_recommend]
impl<T: Pod> Plain for T {}
