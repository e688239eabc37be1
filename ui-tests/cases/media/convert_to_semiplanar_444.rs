//! Converts a picture to a format that the picture processor does not write.

use ascendcl::media::{Channel, Nv24, Picture, Rgb888}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Picture, Rgb888, Yuv444};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Rgb888>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv24, Uninit>>, //~ mistake
    //~ instead: output: Queued<'d, Q, Picture<'d, Dvpp<D>, Yuv444, Uninit>>,
) -> Result<()> {
    let small = stream.with(channel).convert_color(input, output)?;
    drop(small);
    Ok(())
}
