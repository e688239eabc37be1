//! Makes a type of one's own memory of graphs.

use ascendcl::Npu;
use ascendcl::graph::GraphMemory;

struct Borrowed<'b>(&'b mut [u8]);
impl GraphMemory<Npu<0>> for Borrowed<'_> {} //~ mistake
//~ instead: fn takes_any_memory(_: impl GraphMemory<Npu<0>>) {}
