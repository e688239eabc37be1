//! Uses one channel on two streams.

use ascendcl::media::Channel;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream, StreamName};

enum Side {}
impl StreamName for Side {}

type D = Npu<0>;

fn wrong<'t, 'd>(
    (main, side): (&mut Stream<'_, 'd, D, Main>, &mut Stream<'_, 'd, D, Side>),
    channel: Channel<'t, 'd, D>,
) -> Result<Queued<'d, (D, Side), Channel<'t, 'd, D>>> {
    let channel = main.adopt(channel);
    //~ instead: let channel = main.synchronize()?.take(channel);
    let channel = side.adopt(channel); //~ mistake
    //~ instead: let channel = side.adopt(channel);
    main.synchronize()?;
    Ok(channel)
}
