//! Queues an operation on another stream than that of the communicator.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream, StreamName};

enum Side {}
impl StreamName for Side {}

type D = Npu<0>;

fn wrong<'d>(
    main: &mut Stream<'_, 'd, D, Main>,
    side: &mut Stream<'_, 'd, D, Side>,
    comm: Queued<'d, (D, Main), Comm<'_, 'd, D>>,
) -> Result<()> {
    let _ = (&main, &side);
    side.with(&comm).barrier() //~ mistake
    //~ instead: main.with(&comm).barrier()
}

fn main() {
    let _ = wrong;
}
