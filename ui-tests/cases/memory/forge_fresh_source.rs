//! Makes fresh memory of an element type of one's own the source of copies.

use std::ptr::NonNull;

use ascendcl::Npu;
use ascendcl::bounds::Source;
use ascendcl::memory::{Buf, Host, Uninit};

struct Mine;
impl Source<Npu<0>> for Buf<'_, Host, [Mine], Uninit> { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [Mine]; //~ mistake
    fn source(&self) -> NonNull<[Mine]> { //~ mistake
        NonNull::slice_from_raw_parts(NonNull::dangling(), self.len()) //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any(_: impl Source<Npu<0>>, _: Buf<'_, Host, [Mine], Uninit>, _: NonNull<Mine>) {}
