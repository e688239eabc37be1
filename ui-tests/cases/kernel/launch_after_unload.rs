//! Launches a kernel of a binary that was unloaded.

use ascendcl::kernel;
use ascendcl::kernel::{Binary, InOut};
use ascendcl::{Npu, Result, Stream};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, binary: Binary<'_, '_, Npu<0>>) -> Result<()> {
    // SAFETY: the binary was built from `clear.cpp`, whose kernel `clear` is the declared one.
    let clear = unsafe { binary.kernel::<Clear>() }?;
    let mut x = stream.memset_async(stream.malloc(64)?, 0)?;
    binary.unload()?; //~ mistake
    stream.launch(clear, 8, (&mut x,))?;
    //~ instead: binary.unload()?;
    Ok(())
}
