//! Makes fresh memory of an element type of one's own the source of copies.

use ascendcl::memory::{Buf, Dyn, Host, Source, Uninit};

struct Mine;
impl<'dev> Source for Buf<'dev, Host, Mine, Dyn, Uninit> { //~ mistake
    type Place = Host; //~ mistake
    type Element = Mine; //~ mistake
    type Len = Dyn; //~ mistake
    fn source(&self) -> (*const Mine, Dyn) { //~ mistake
        (self.as_raw(), Dyn::new(self.len())) //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_written(_: &Buf<'_, Host, Mine, Dyn>) {}

fn main() {}
