//! Lends an idle picture to queued work.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: Picture<'d, Dvpp<D>, Nv12>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<()> {
    //~ instead: let input = stream.adopt(input);
    let small = stream.with(channel).resize(&input, output, Interpolation::Default)?; //~ mistake
    //~ instead: let small = stream.with(channel).resize(&input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
