//! Uses a picture in the memory of another device.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: Picture<'d, Dvpp<Npu<1>>, Nv12>, //~ mistake
    //~ instead: input: Picture<'d, Dvpp<Npu<0>>, Nv12>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    let input = stream.adopt(input);
    let small = stream.with(channel).resize(&input, output, Interpolation::Default)?;
    drop((input, small));
    Ok(())
}
