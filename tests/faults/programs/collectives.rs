//! Collectives of one rank: every way to join, every operation, parts, and communicators that end without a wait.
//!
//! A communicator of one rank waits for nobody. So a failure of any call leaves nothing behind, and the rules hold for each of
//! them. Messages have two sides: `messages` has two ranks.

use std::path::{Path, PathBuf};

use ascendcl::bounds::CommTag;
use ascendcl::collective::{Comm, CommName, CommOptions, Max, Min, Prod, Sum, World};
use ascendcl::event::Order;
use ascendcl::stream::{Main, Stream};
use ascendcl::{Acl, Current, DeviceTag, Npu, Queued, Result, StreamName, Thread};

enum Part {}
impl CommName for Part {}

enum Second {}
impl StreamName for Second {}

/// Operations with one length.
fn even<D: DeviceTag, N: CommTag>(
    stream: &mut Stream<'_, '_, D, Main>,
    comm: &Queued<'_, (D, Main), Comm<'_, '_, D, N>>,
) -> Result<()> {
    let root = comm.rank(0)?;
    let fresh = stream.malloc::<i32>(4)?;
    let numbers = stream.memset_async(fresh, 1)?;
    let sums = stream
        .with(comm)
        .all_reduce(Sum, &numbers, stream.malloc(4)?)?;
    let mut all = stream.with(comm).all_gather(&sums, stream.malloc(4)?)?;
    stream.with(comm).all_reduce_in_place(Max, &mut all)?;
    stream.with(comm).reduce(Min, root, &sums, &mut all)?;
    stream.with(comm).broadcast(root, &mut all)?;
    let part = stream
        .with(comm)
        .reduce_scatter(Prod, &all, stream.malloc(4)?)?;
    let part = stream.with(comm).scatter(&part, stream.malloc(4)?)?;
    drop(stream.with(comm).all_to_all(&part, stream.malloc(4)?)?);
    stream.with(comm).barrier()
}

/// Operations with a length for each rank.
fn varied<D: DeviceTag, N: CommTag>(
    stream: &mut Stream<'_, '_, D, Main>,
    comm: &Queued<'_, (D, Main), Comm<'_, '_, D, N>>,
) -> Result<()> {
    let ranks = comm.ranks();
    let (counts, matrix) = (ranks.counts(&[4])?, ranks.count_matrix(&[4])?);
    let fresh = stream.malloc::<i32>(4)?;
    let numbers = stream.memset_async(fresh, 1)?;
    let all = stream
        .with(comm)
        .all_gather_v(&counts, &numbers, stream.malloc(4)?)?;
    let fresh = stream.malloc(4)?;
    let part = stream
        .with(comm)
        .reduce_scatter_v(Sum, &counts, &all, fresh)?;
    let fresh = stream.malloc(4)?;
    let turned = stream
        .with(comm)
        .all_to_all_v((&counts, &part), (&counts, fresh))?;
    drop(
        stream
            .with(comm)
            .all_to_all_vc(&matrix, &turned, stream.malloc(4)?)?,
    );
    Ok(())
}

/// Joins by a root information. The communicator has a part and changes streams.
fn by_root<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    let root = current.root_info(1)?;
    let options = CommOptions::default().with_name("whole");
    let mut whole = current.comm_init_root_info_config::<World>(&root, 0, &options)?;
    let own = whole.ranks().own();
    let part = whole.create_sub_comm::<Part>(&[own], 1)?;
    let mut first = current.create_stream::<Main>()?;
    let mut second = current.create_stream::<Second>()?;
    let comm = first.adopt(whole);
    even(&mut first, &comm)?;
    varied(&mut first, &comm)?;

    let mut event = current.create_event::<Order>()?;
    let comm = first.handoff(&mut second, &mut event, comm)?;
    second.with(&comm).barrier()?;
    let whole = second.synchronize()?.take(comm);
    first.synchronize()?.verify(whole).destroy()?;

    // The whole ends with its part, which is dropped while it is queued. Then it is asked for the errors of both streams.
    let part = first.adopt(part);
    even(&mut first, &part)?;
    drop(part);
    event.destroy()?;
    first.destroy()?;
    second.destroy()
}

/// Joins by a rank table.
fn by_table<D: DeviceTag>(current: Current<'_, '_, D>, table: &Path) -> Result<()> {
    let comm = current.comm_init_cluster_info::<World>(table, 0)?;
    let mut stream = current.create_stream::<Main>()?;
    let comm = stream.adopt(comm);
    even(&mut stream, &comm)?;
    // The work goes on when both are dropped. The end of the communicator asks for its error behind the end of the stream, and
    // the next stream of the name reports it.
    drop(comm);
    drop(stream);
    let mut stream = current.create_stream::<Main>()?;
    stream.synchronize()?;
    let options = CommOptions::default().with_name("table");
    let comm = current.comm_init_cluster_info_config::<Part>(table, 0, &options)?;
    comm.destroy()
}

/// A rank table with one rank, in a file of this process: ranks of two programs with one table would meet.
struct Table(PathBuf);

impl Table {
    const TEXT: &str = r#"{"status": "completed", "version": "1.0", "server_count": "1",
        "server_list": [{"server_id": "here", "device": [{"device_id": "0", "rank_id": "0"}]}]}"#;

    fn new() -> std::io::Result<Table> {
        let file = format!("faults-collectives-{}.json", std::process::id());
        let table = Table(std::env::temp_dir().join(file));
        std::fs::write(&table.0, Table::TEXT)?;
        Ok(table)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let table = Table::new()?;
    run(&table.0)?;
    Ok(())
}

fn run(table: &Path) -> Result<()> {
    let acl = Acl::from_env()?;
    acl.on::<Npu<0>, _>(0, |current| {
        by_root(current)?;
        by_table(current, table)
    })?;

    // All devices of the process, of which one is not taken.
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let comms = current.comm_init_all::<World>(&[device.member()])?;
    let others = current.comm_init_all::<Part>(&[device.member()])?;
    for detached in comms {
        let comm = detached.attach(current)?;
        let mut stream = current.create_stream::<Main>()?;
        let comm = stream.adopt(comm);
        even(&mut stream, &comm)?;
        stream.synchronize()?.take(comm).destroy()?;
    }
    drop(others);
    device.reset()
}
