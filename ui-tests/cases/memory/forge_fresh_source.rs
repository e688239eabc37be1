//! Makes fresh memory of an element type of one's own the source of copies.

use ascendcl::memory::{Buf, Host, Source, Uninit};
use ascendcl::Npu;

struct Mine;
impl Source<Npu<0>> for Buf<'_, Host, [Mine], Uninit> {} //~ mistake
//~ instead: fn takes_any(_: impl Source<Npu<0>>, _: Buf<'_, Host, [Mine], Uninit>) {}

fn main() {}
