//! Fills the rest of a buffer from a thread that is bound to another device.

use ascendcl::memory::{Dev, Writer};
use ascendcl::{Current, Npu, Result};

fn wrong(
    on_0: Current<'_, '_, Npu<0>>,
    on_1: Current<'_, '_, Npu<1>>,
    writer: Writer<'_, Dev<Npu<1>>, [f32]>,
) -> Result<()> {
    let filled = writer.fill_rest(on_0, 0)?; //~ mistake
    //~ instead: let filled = writer.fill_rest(on_1, 0)?;
    filled.free()
}
