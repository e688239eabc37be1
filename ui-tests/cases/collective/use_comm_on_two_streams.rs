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
    let mut comm_of_main = main.adopt(comm);
    comm_of_main.barrier(main)?;
    //~ instead: let comm = main.synchronize()?.take(comm_of_main);
    let mut comm = side.adopt(comm); //~ mistake
    //~ instead: let mut comm = side.adopt(comm);
    comm.barrier(side)
}

fn main() {
    let _ = wrong;
}
