//! Makes a part of a communicator while a stream has it.

use ascendcl::collective::{Comm, CommName};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

enum Pair {}
impl CommName for Pair {}

type D = Npu<0>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, D, Main>, comm: Comm<'_, 'd, D>) -> Result<()> {
    let comm = stream.adopt(comm);
    stream.with(&comm).barrier()?;
    //~ instead: let mut comm = stream.synchronize()?.take(comm);
    let ranks = [comm.rank(0)?, comm.rank(1)?];
    let part = comm.create_sub_comm::<Pair>(&ranks, 1)?; //~ mistake
    //~ instead: let part = comm.create_sub_comm::<Pair>(&ranks, 1)?;
    part.destroy()
}

fn main() {
    let _ = wrong;
}
