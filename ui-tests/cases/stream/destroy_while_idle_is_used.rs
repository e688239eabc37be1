//! Destroys a stream while the proof that it is idle is in use.

use ascendcl::stream::{Idle, Main};
use ascendcl::{Npu, Result, Stream};

fn done(_: Idle<'_, (Npu<0>, Main)>) {}

fn wrong(mut stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    let idle = stream.synchronize()?;
    stream.destroy()?; //~ mistake
    done(idle);
    //~ instead: stream.destroy()?;
    Ok(())
}
