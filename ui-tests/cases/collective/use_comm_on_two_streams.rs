//! Uses one communicator on two streams.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Side {}
impl StreamName for Side {}

type D = Npu<0>;

fn wrong<'d>(
    main: &mut Stream<'_, 'd, D, Main>,
    side: &mut Stream<'_, 'd, D, Side>,
    comm: Comm<'_, 'd, D>,
) -> Result<()> {
    let comm_of_main = main.adopt(comm);
    main.with(&comm_of_main).barrier()?;
    //~ instead: let comm = main.synchronize()?.take(comm_of_main);
    let comm = side.adopt(comm); //~ mistake
    //~ instead: let comm = side.adopt(comm);
    side.with(&comm).barrier()
}

fn main() {
    let _ = wrong;
}
