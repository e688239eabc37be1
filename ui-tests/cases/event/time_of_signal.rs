//! Reads when a signal was given.

use std::time::Duration;

use ascendcl::event::{Done, Signal, Timing};
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);

fn wrong(done: &Done<'_, Q, Timing>, signal: &Signal<'_, Q, Second, HostBuf<'_, [u32]>>) -> Result<Duration> {
    let _ = done;
    //~ instead: let _ = signal;
    //~ instead: done.timestamp()
    signal.timestamp() //~ mistake
}
