//! Makes a stream that is on no thread from a raw handle.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, ParkedStream, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: Stream<'_, 'd, Npu<0>, Main>,
) -> ParkedStream<'d, Npu<0>, Main> {
    ParkedStream {} //~ mistake
    //~ instead: current.park(stream)
}
