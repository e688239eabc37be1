//! Destroys a channel while a stream has it.

use ascendcl::media::Channel;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: Queued<'d, Q, Channel<'_, 'd, D>>,
) -> Result<()> {
    //~ instead: let channel = stream.synchronize()?.take(channel);
    channel.destroy()?;
    stream.synchronize()?; //~ mistake
    Ok(())
}
