//! Looks up a kernel after its thread has made another device current.

use ascendcl::kernel;
use ascendcl::kernel::InOut;
use ascendcl::{Device, Npu, Result, Thread};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

fn wrong(thread: &mut Thread, first: &Device<'_, Npu<0>>, second: &Device<'_, Npu<1>>) -> Result<()> {
    let binary = thread.set_current(first)?.load_binary("clear.o")?;
    thread.set_current(second)?; //~ mistake
    // SAFETY: the binary was built from `clear.cpp`, whose kernel `clear` is the declared one.
    let clear = unsafe { binary.kernel::<Clear>() }?;
    println!("{clear:?}");
    Ok(())
}
