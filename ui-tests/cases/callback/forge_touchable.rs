//! Declares that host functions can touch device memory.

use ascendcl::callback::Touchable;
use ascendcl::memory::Dev;

impl Touchable for Dev<ascendcl::Npu<0>> {} //~ mistake
//~ instead: fn touches<M: Touchable>() {}
//~ instead: const _: fn() = touches::<ascendcl::memory::Host>;

fn main() {}
