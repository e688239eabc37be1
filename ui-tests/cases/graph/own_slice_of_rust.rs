//! Gives a graph memory of Rust.
#![allow(unused)]

use ascendcl::{HostSide, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, numbers: Vec<f32>, host: HostSide) -> Result<()> {
    drop(stream.capture(numbers, |_, _| Ok(()))?); //~ mistake
    //~ instead: let copy = stream.malloc_host_from(host, &numbers)?;
    //~ instead: let copy = stream.synchronize()?.take(copy);
    //~ instead: drop(stream.capture(copy, |_, _| Ok(()))?);
    Ok(())
}
