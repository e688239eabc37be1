//! Asks the picture processor for a format that it does not write.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture, Yuyv}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Interpolation, Nv12, Nv16, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Yuyv, Uninit>>, //~ mistake
    //~ instead: output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv16, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).resize(input, output, Interpolation::Default)?;
    drop(small);
    Ok(())
}
