//! Keeps a kernel longer than its binary.

use ascendcl::kernel;
use ascendcl::kernel::InOut;
use ascendcl::{Current, Npu, Result};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

fn wrong<'dev>(current: Current<'_, 'dev, Npu<0>>) -> Result<()> {
    let clear;
    { //~ mistake
        let binary = current.load_binary("clear.o")?;
        // SAFETY: the binary was built from `clear.cpp`, whose kernel `clear` is the declared one.
        clear = unsafe { binary.kernel::<Clear>() }?;
    } //~ mistake
    println!("{clear:?}");
    Ok(())
}
