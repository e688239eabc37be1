//! Makes a type of one's own something that a stream can own.

use ascendcl::Npu;
use ascendcl::queue::Resource;

struct Borrowed<'b>(&'b mut [u8]);
impl Resource<Npu<0>> for Borrowed<'_> {} //~ mistake
//~ instead: fn takes_any_resource(_: impl Resource<Npu<0>>) {}
