//! Parks a stream by a method of the stream.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: Stream<'_, 'd, Npu<0>, Main>,
) -> Result<()> {
    let parked = stream.park(); //~ mistake
    //~ instead: let parked = current.park(stream);
    parked.destroy(current)
}
