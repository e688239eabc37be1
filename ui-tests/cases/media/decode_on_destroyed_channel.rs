//! Queues work on a channel that was destroyed.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: Channel<'_, 'd, D>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    channel.destroy()?; //~ mistake
    let channel = stream.adopt(channel);
    let small = stream.with(&channel).resize(input, output, Interpolation::Default)?;
    let idle = stream.synchronize()?;
    //~ instead: idle.take(channel).destroy()?;
    let _ = idle.take(small).check()?;
    Ok(())
}
