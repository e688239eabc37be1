//! Passes a kernel an address of its own.

use ascendcl::kernel::{Arguments, In};

struct Address(usize);
impl<X> Arguments<X, (In<f32>,)> for Address {} //~ mistake
//~ instead: fn takes_buffers<X, A: Arguments<X, (In<f32>,)>>(_: A, _: Address) {}
