//! Collects branded streams in a vector: their types differ, and they would outlive their brands.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut streams = Vec::new();
    for _ in 0..4 {
        current.with_stream(|stream| {
            streams.push(current.park(stream)); //~ mistake
            //~ instead: streams.push(current.park(stream).unbrand());
        })?;
    }
    Ok(())
}
