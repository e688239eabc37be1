//! Looks up a kernel without a word that it is the declared one.

use ascendcl::kernel;
use ascendcl::kernel::{Binary, InOut};
use ascendcl::{Npu, Result};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

fn wrong(binary: &Binary<'_, '_, Npu<0>>) -> Result<()> {
    let clear = binary.kernel::<Clear>()?; //~ mistake
    //~ instead: // SAFETY: the binary was built from `clear.cpp`, whose kernel `clear` is the declared one.
    //~ instead: let clear = unsafe { binary.kernel::<Clear>() }?;
    println!("{clear:?}");
    Ok(())
}
