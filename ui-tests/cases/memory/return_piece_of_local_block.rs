//! Returns a piece of a block that ends with the function.

use ascendcl::memory::{Block, Buf, Dev, Piece, Uninit};
use ascendcl::{Current, Npu, Result};

type Part<'b> = Buf<'b, Piece<Dev<Npu<0>>>, [f32], Uninit>;

fn wrong<'b>(
    current: Current<'_, 'b, Npu<0>>,
    block: &'b Block<'_, Dev<Npu<0>>>,
) -> Result<Part<'b>> {
    let own = current.malloc_block(block.left())?;
    own.piece::<f32>(16) //~ mistake
    //~ instead: drop(own);
    //~ instead: block.piece::<f32>(16)
}
