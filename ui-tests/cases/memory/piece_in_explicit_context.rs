//! Hands a piece of a block to a stream of an explicit context: the block waits for the default one only.

use ascendcl::memory::{Block, Dev};
use ascendcl::stream::Main;
use ascendcl::{Ctx, Npu, Result, Stream};

fn wrong(
    (default, explicit): (
        &Stream<'_, '_, Npu<0>, Main>,
        &Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
    ),
    block: &Block<'_, Dev<Npu<0>>>,
) -> Result<()> {
    let _ = explicit.adopt(block.piece::<f32>(16)?); //~ mistake
    //~ instead: let _ = explicit;
    //~ instead: let _ = default.adopt(block.piece::<f32>(16)?);
    Ok(())
}
