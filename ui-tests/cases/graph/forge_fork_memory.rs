//! Makes a type of one's own memory that a fork lends.

use ascendcl::graph::ForkMemory;

struct Borrowed<'b>(&'b mut [u8]);
impl<'g> ForkMemory<'g> for Borrowed<'_> {} //~ mistake
//~ instead: fn takes_any_part<'g>(_: impl ForkMemory<'g>) {}
