//! Messages between two ranks, which are threads of one process: one after the other, in both directions at once, and as a list.
//!
//! A rank that fails leaves the other one alone, so the process ends as that of the examples with ranks does.

use std::process::ExitCode;

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceTag, HostSide};

#[path = "../../../examples/common/ranks/mod.rs"]
#[expect(
    dead_code,
    unused_imports,
    reason = "the examples also start processes and print lines"
)]
mod ranks;

type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

struct Messages;

impl ranks::Work for Messages {
    fn run<D: DeviceTag>(
        &self,
        current: Current<'_, '_, D>,
        host: HostSide<'_>,
        rank: &ranks::Rank,
    ) -> Result<()> {
        let comm = rank.join(current)?;
        let mut stream = current.create_stream::<Main>()?;
        let comm = stream.adopt(comm);
        let ranks = comm.ranks();
        let other = ranks.next();
        let numbers = stream.malloc_host_from(host, &[rank.number; 4])?;
        let fresh = stream.malloc(4)?;
        let own = stream.memcpy_async(fresh, &numbers)?;

        // From the first rank to the second one, and back.
        let fresh = stream.malloc::<u32>(4)?;
        let mut received = if rank.number == 0 {
            stream.with(&comm).send(other, &own)?;
            stream.with(&comm).recv(other, fresh)?
        } else {
            let received = stream.with(&comm).recv(other, fresh)?;
            stream.with(&comm).send(other, &own)?;
            received
        };
        let exchanged = stream
            .with(&comm)
            .exchange((other, &own), (other, stream.malloc::<u32>(4)?))?;

        // Halves, whose order is that of their list.
        let mut batch = comm.batch();
        let (first, second) = received.split_at_mut(2)?;
        batch.send(other, exchanged.slice(0..2)?)?;
        batch.send(other, exchanged.slice(2..4)?)?;
        batch.recv(other, first)?;
        batch.recv(other, second)?;
        stream.with(&comm).batch_send_recv(batch)?;

        let fresh = stream.malloc_host(host, 4)?;
        let back = stream.memcpy_async(fresh, &received)?;
        let idle = stream.synchronize()?;
        let back = idle.take(back);
        if back[..] != [rank.number; 4] {
            return Err(format!("rank {} has received {:?}", rank.number, &back[..]).into());
        }
        idle.take(comm).destroy()?;
        Ok(())
    }
}

fn main() -> ExitCode {
    ranks::end(run())
}

fn run() -> Result<()> {
    let acl = ranks::start(2)?;
    ranks::threads(&acl, 2, &Messages, &mut |_| Ok(()))?;
    Ok(acl.finalize()?)
}
