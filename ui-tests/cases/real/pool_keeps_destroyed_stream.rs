//! Destroys a stream that a pool still lists, and looks at it later.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    let pool = vec![&stream];
    stream.destroy()?; //~ mistake
    for listed in pool {
        listed.query()?;
    }
    //~ instead: stream.destroy()?;
    Ok(())
}
