//! Frees host memory while its elements are read.

use ascendcl::{HostBuf, Result};

fn wrong(on_host: HostBuf<'_, [f32]>) -> Result<()> {
    let numbers = on_host.iter();
    on_host.free()?; //~ mistake
    println!("{}", numbers.sum::<f32>());
    //~ instead: on_host.free()?;
    Ok(())
}
