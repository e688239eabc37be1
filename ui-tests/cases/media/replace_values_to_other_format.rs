//! Replaces values and converts the format in one call.

use ascendcl::media::{Bgr888, Channel, LookupTable, Picture, Rgb888}; //~ mistake
//~ instead: use ascendcl::media::{Channel, LookupTable, Picture, Rgb888};
use ascendcl::memory::{Dvpp, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    channel: &Queued<'d, Q, Channel<'_, 'd, D>>,
    input: &Queued<'d, Q, Picture<'d, Dvpp<D>, Rgb888>>,
    output: Queued<'d, Q, Picture<'d, Dvpp<D>, Bgr888, Uninit>>, //~ mistake
    //~ instead: output: Queued<'d, Q, Picture<'d, Dvpp<D>, Rgb888, Uninit>>,
    table: &LookupTable,
) -> Result<()> {
    let small = stream.with(channel).replace_values(input, output, table)?;
    drop(small);
    Ok(())
}
