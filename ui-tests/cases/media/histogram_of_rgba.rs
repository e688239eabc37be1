//! Counts the values of a picture in a format that the processor does not count.

use ascendcl::media::{Channel, Picture, Rgba8888}; //~ mistake
//~ instead: use ascendcl::media::{Channel, Picture, Rgb888};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Rgba8888>>, //~ mistake
    //~ instead: input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Rgb888>>,
) -> Result<()> {
    let histogram = stream.with(channel).histogram(input)?;
    drop(histogram);
    Ok(())
}
