//! Collectives: a call, a call with its wait, a call with lengths by rank, and a communicator of few and of many ranks.

use std::ptr::null;

use ascendcl::collective::{Comm, CommName, RankCounts, Sum, World};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Queued, Result, Stream, sys};
use ascendcl_benches::measure::measure;
use ascendcl_benches::table::Table;

use crate::raw::{self, Status};
use crate::{Build, D};

/// Elements of a buffer.
const LEN: usize = 1024;
/// Numbers of ranks. The backend of this program waits for none of them.
const FEW: u32 = 2;
const MANY: u32 = 10_000;

/// Instructions of a call with lengths by rank beside the raw one, with link-time optimization and without it.
/// Without it there are 20. How the compiler divides the crate into codegen units changes this number a little.
const VARIED: (u64, u64) = (14, 24);
/// The purpose of these instructions.
const COMPARED: &str = "the comparison of the list with the ranks and with both lengths, and of the product with the one that lacks it";
/// Instructions of a queued call with its wait beside the raw ones, with link-time optimization and without it.
/// Without it there are 48, which changes in the same way.
const ASK: (u64, u64) = (43, 56);
/// The purpose of these instructions.
const ASKED: &str =
    "the list of the communicators that the stream asks, which several threads may change";

/// The name of the large communicator.
enum Large {}
impl CommName for Large {}

type Numbers<'d> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32; LEN]>>;

/// The handles of a typed program.
struct Typed<'t, 'd, N: CommName> {
    stream: Stream<'t, 'd, D>,
    comm: Queued<'d, (D, Main), Comm<'t, 'd, D, N>>,
    /// The handle of the communicator.
    handle: sys::HcclComm,
    send: Numbers<'d>,
    recv: Numbers<'d>,
    /// All elements come from this rank.
    counts: RankCounts<N>,
}

impl<'t, 'd, N: CommName> Typed<'t, 'd, N> {
    /// A communicator that has been used once.
    fn new(current: Current<'t, 'd, D>, ranks: u32) -> Result<Self> {
        let comm = join::<N>(current, ranks)?;
        let numbers = || current.memset(current.malloc_as::<[f32; LEN]>()?, 0);
        let stream = current.create_stream()?;
        let (send, mut recv) = (stream.adopt(numbers()?), stream.adopt(numbers()?));
        let handle = comm.as_raw();
        let comm = stream.adopt(comm);
        stream.with(&comm).all_reduce(Sum, &send, &mut recv)?;
        let counts = comm.ranks().counts(&of_first(ranks, LEN))?;
        Ok(Typed {
            stream,
            comm,
            handle,
            send,
            recv,
            counts,
        })
    }
}

/// A number for each rank: this one for the first, and 0 for the others.
fn of_first<T: Clone + Default>(ranks: u32, number: T) -> Vec<T> {
    let mut numbers = vec![T::default(); ranks as usize];
    numbers
        .iter_mut()
        .take(1)
        .for_each(|first| first.clone_from(&number));
    numbers
}

/// A communicator of this many ranks.
fn join<'t, 'd, N: CommName>(
    current: Current<'t, 'd, D>,
    ranks: u32,
) -> Result<Comm<'t, 'd, D, N>> {
    current.comm_init_root_info(&current.root_info(ranks)?, 0)
}

/// The rows for both numbers of ranks.
pub(crate) fn table(
    current: Current<'_, '_, D>,
    build: Build,
) -> std::result::Result<Table, Box<dyn std::error::Error>> {
    let mut table = Table::new("collectives", 1.00);
    let more = match build {
        Build::Lto => (ASK.0, VARIED.0),
        Build::Default => (ASK.1, VARIED.1),
    };
    let names = [
        "all-reduce of 2 ranks",
        "the same, and the wait",
        "all-gather of 2 lengths",
    ];
    rows::<World>(&mut table, current, FEW, more, names)?;
    let names = [
        "all-reduce of 10,000 ranks",
        "the same, and the wait",
        "all-gather of 10,000 lengths",
    ];
    rows::<Large>(&mut table, current, MANY, more, names)?;
    Ok(table)
}

fn rows<N: CommName>(
    table: &mut Table,
    current: Current<'_, '_, D>,
    ranks: u32,
    (asking, comparing): (u64, u64),
    [queued, waited, varied]: [&'static str; 3],
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut typed = Typed::<N>::new(current, ranks)?;
    let t = &mut typed;
    let addresses = [t.send.as_raw(), t.recv.as_raw()].map(|address| address.cast());
    let raw_side = (addresses, t.handle, t.stream.as_raw());
    table.row(
        queued,
        measure(&mut *t, |t| {
            t.stream
                .with(&t.comm)
                .all_reduce(Sum, &t.send, &mut t.recv)
                .map(drop)
        }),
        measure(raw_side, |(addresses, comm, stream)| {
            raw::all_reduce(addresses, LEN as u64, comm, stream)
        }),
    )?;
    table.row(
        waited,
        measure(&mut *t, |t| {
            t.stream
                .with(&t.comm)
                .all_reduce(Sum, &t.send, &mut t.recv)?;
            t.stream.synchronize().map(drop)
        }),
        measure(raw_side, |(addresses, comm, stream)| {
            raw::all_reduce(addresses, LEN as u64, comm, stream)?;
            raw::synchronize(stream)?;
            raw::async_error(comm)?;
            Ok::<_, Status>(())
        }),
    )?;
    table.allow(asking, ASKED);
    let lists = [
        of_first(ranks, LEN as u64),
        vec![LEN as u64; ranks as usize],
    ];
    let lists =
        [0, 1].map(|list: usize| lists.get(list).map_or(null(), |list| list.as_ptr().cast()));
    table.row(
        varied,
        measure(&mut *t, |t| {
            t.stream
                .with(&t.comm)
                .all_gather_v(&t.counts, &t.send, &mut t.recv)
                .map(drop)
        }),
        measure((raw_side, lists), |((addresses, comm, stream), lists)| {
            raw::all_gather_v(addresses, LEN as u64, lists, comm, stream)
        }),
    )?;
    table.allow(comparing, COMPARED);
    Ok(())
}

/// The memory of the host that a communicator takes, for both numbers of ranks, as text.
pub(crate) fn memory(current: Current<'_, '_, D>) -> Result<String> {
    let mut text = String::new();
    for ranks in [FEW, MANY] {
        let mut comm = None;
        let taken = allocation_counter::measure(|| comm = Some(join::<World>(current, ranks)));
        if let Some(comm) = comm {
            comm?.destroy()?;
        }
        text += &format!(
            "a communicator of {ranks} ranks: {} bytes of the host in {} allocations, and {} bytes of the value\n",
            taken.bytes_current,
            taken.count_current,
            size_of::<Comm<'_, '_, D>>()
        );
    }
    Ok(text)
}
