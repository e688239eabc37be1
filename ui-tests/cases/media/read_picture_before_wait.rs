//! Reads a picture before a wait for the stream.

use ascendcl::media::{Channel, Interpolation, Nv12, Picture};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, Uninit>>,
) -> Result<Vec<u8>> {
    let small = stream.with(channel).resize(input, output, Interpolation::Default)?;
    //~ instead: let small = stream.synchronize()?.take(small);
    small.check()?.read(current) //~ mistake
    //~ instead: small.check()?.read(current)
}
