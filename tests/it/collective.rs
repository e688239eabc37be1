//! Collectives: every operation with its results, over threads as ranks, and the lives of communicators.

use ascendcl::collective::{Comm, Max, Min, Prod, RootInfo, Sum, World};
use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{
    Acl, Current, DeviceBuf, DeviceTag, HostSide, Npu, Queued, Stream, StreamName, Thread,
};

use crate::common::{acl_with_journal, assert_clean, calls, host, isolated};

enum First {}
impl StreamName for First {}
enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

/// What each rank gets.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) host: HostSide<'a>,
    pub(crate) root: &'a RootInfo,
    pub(crate) rank: u32,
}

/// A stream with a queued communicator, and copies of numbers.
pub(crate) struct Member<'t, 'd, D: DeviceTag> {
    pub(crate) stream: Stream<'t, 'd, D>,
    pub(crate) comm: Queued<'d, (D, Main), Comm<'t, 'd, D>>,
    pub(crate) given: Given<'d>,
}

/// A queued buffer of the member.
pub(crate) type Here<'d, D> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>;

impl<'t, 'd, D: DeviceTag> Member<'t, 'd, D> {
    /// Joins the communicator.
    pub(crate) fn join(current: Current<'t, 'd, D>, given: Given<'d>) -> Member<'t, 'd, D> {
        let comm = current
            .comm_init_root_info::<World>(given.root, given.rank)
            .unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        Member {
            comm: stream.adopt(comm),
            stream,
            given,
        }
    }

    pub(crate) fn upload(&mut self, numbers: &[f32]) -> Here<'d, D> {
        let there = self
            .stream
            .malloc_host_from(self.given.host, numbers)
            .unwrap();
        let here = self.stream.malloc(numbers.len()).unwrap();
        self.stream.memcpy_async(here, &there).unwrap()
    }

    pub(crate) fn assert(&mut self, here: &Here<'d, D>, expected: &[f32]) {
        let back = self
            .stream
            .malloc_host(self.given.host, here.len())
            .unwrap();
        let back = self.stream.memcpy_async(back, here).unwrap();
        let idle = self.stream.synchronize().unwrap();
        assert_eq!(idle.take(back)[..], *expected, "rank {}", self.given.rank);
    }

    /// Waits and destroys the communicator.
    pub(crate) fn end(mut self) {
        let comm = self.stream.synchronize().unwrap().take(self.comm);
        comm.destroy().unwrap();
    }
}

/// Makes a root information on device 0.
pub(crate) fn root(acl: &Acl, size: u32) -> RootInfo {
    acl.on::<Npu<9>, _>(0, |current| current.root_info(size))
        .unwrap()
}

/// Runs `$function` on a thread for each rank, bound to a device of its own.
macro_rules! on_ranks {
    ($acl:expr, $size:expr, $function:path) => {{
        let (acl, size): (&ascendcl::Acl, u32) = ($acl, $size);
        let root = $crate::collective::root(acl, size);
        std::thread::scope(|threads| {
            let rank = |rank: u32| {
                let root = &root;
                threads.spawn(move || {
                    let host = $crate::common::host(acl);
                    let mut thread = ascendcl::Thread::claim().unwrap();
                    acl.with_device(&mut thread, rank, |device, thread| {
                        let given = $crate::collective::Given { host, root, rank };
                        $function(thread.set_current(&device).unwrap(), given);
                        device.reset().unwrap();
                    })
                    .unwrap();
                })
            };
            let ranks: Vec<_> = (0..size).map(rank).collect();
            for rank in ranks {
                rank.join().unwrap();
            }
        });
    }};
}
pub(crate) use on_ranks;

fn reductions<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let ranks = member.comm.ranks();
    assert_eq!((ranks.size(), ranks.own().number()), (3, given.rank));
    let rank = given.rank as f32;
    let mut own = member.upload(&[rank, rank + 1.0, -rank]);
    let fresh = member.stream.malloc(3).unwrap();
    let Member { comm, stream, .. } = &mut member;
    let sums = stream.with(comm).all_reduce(Sum, &own, fresh).unwrap();
    let mut others = stream.memset_async(stream.malloc(3).unwrap(), 0).unwrap();
    stream
        .with(comm)
        .all_reduce(Prod, &own, &mut others)
        .unwrap();
    let most = stream
        .with(comm)
        .all_reduce(Max, &own, stream.malloc(3).unwrap())
        .unwrap();
    let least = stream
        .with(comm)
        .all_reduce(Min, &own, stream.malloc(3).unwrap())
        .unwrap();
    let part = stream
        .with(comm)
        .reduce_scatter(Sum, &own, stream.malloc(1).unwrap())
        .unwrap();
    let at_root = comm.rank(2).unwrap();
    let mut reduced = stream.memset_async(stream.malloc(3).unwrap(), 0).unwrap();
    stream
        .with(comm)
        .reduce(Sum, at_root, &own, &mut reduced)
        .unwrap();
    stream
        .with(comm)
        .all_reduce_in_place(Sum, own.slice_mut(0..2).unwrap())
        .unwrap();
    member.assert(&sums, &[3.0, 6.0, -3.0]);
    member.assert(&others, &[0.0, 6.0, 0.0]);
    member.assert(&most, &[2.0, 3.0, 0.0]);
    member.assert(&least, &[0.0, 1.0, -2.0]);
    member.assert(&part, &[[3.0, 6.0, -3.0][given.rank as usize]]);
    member.assert(&own, &[3.0, 6.0, -rank]);
    if given.rank == 2 {
        member.assert(&reduced, &[3.0, 6.0, -3.0]);
    }
    member.end();
}

fn copies<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let rank = given.rank as f32;
    let own = member.upload(&[rank, 10.0 + rank, 20.0 + rank]);
    let mut shared = member.upload(&[rank, 5.0 + rank]);
    let Member { comm, stream, .. } = &mut member;
    let (one, two) = (comm.rank(1).unwrap(), comm.rank(2).unwrap());
    stream.with(comm).broadcast(one, &mut shared).unwrap();
    let all = stream
        .with(comm)
        .all_gather(shared.slice(0..1).unwrap(), stream.malloc(3).unwrap())
        .unwrap();
    let swapped = stream
        .with(comm)
        .all_to_all(&own, stream.malloc(3).unwrap())
        .unwrap();
    let fresh = stream.malloc(3).unwrap();
    let received = if given.rank == 2 {
        let mut numbers = own;
        stream.with(comm).broadcast(two, &mut numbers).unwrap();
        let part = stream
            .with(comm)
            .scatter(&numbers, stream.malloc(1).unwrap())
            .unwrap();
        drop(fresh);
        (numbers, part)
    } else {
        let numbers = stream.with(comm).broadcast_into(two, fresh).unwrap();
        let part = stream
            .with(comm)
            .scatter_from(two, stream.malloc(1).unwrap())
            .unwrap();
        (numbers, part)
    };
    stream.with(comm).barrier().unwrap();
    member.assert(&shared, &[1.0, 6.0]);
    member.assert(&all, &[1.0, 1.0, 1.0]);
    let place = 10.0 * rank;
    member.assert(&swapped, &[place, place + 1.0, place + 2.0]);
    member.assert(&received.0, &[2.0, 12.0, 22.0]);
    member.assert(&received.1, &[2.0 + place]);
    member.end();
}

fn messages<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let rank = given.rank as f32;
    let own = member.upload(&[rank, rank]);
    let mut third = member.upload(&[-1.0, -1.0]);
    let mut fourth = member.upload(&[-1.0]);
    let Member { comm, stream, .. } = &mut member;
    let ranks = comm.ranks();
    let (next, previous) = (ranks.next(), ranks.previous());
    let shifted = stream
        .with(comm)
        .exchange((next, &own), (previous, stream.malloc(2).unwrap()))
        .unwrap();
    // Each rank sends two messages first.
    let mut batch = comm.batch();
    batch.send(previous, &own).unwrap();
    batch.send(next, own.slice(0..1).unwrap()).unwrap();
    batch.recv(next, &mut third).unwrap();
    batch
        .recv(previous, fourth.slice_mut(0..1).unwrap())
        .unwrap();
    stream.with(comm).batch_send_recv(batch).unwrap();
    let along = if given.rank == 0 {
        stream.with(comm).send(next, &own).unwrap();
        None
    } else {
        let along = stream
            .with(comm)
            .recv(previous, stream.malloc(2).unwrap())
            .unwrap();
        if given.rank < 2 {
            stream.with(comm).send(next, &along).unwrap();
        }
        Some(along)
    };
    let before = previous.number() as f32;
    member.assert(&shifted, &[before, before]);
    member.assert(&third, &[next.number() as f32; 2]);
    member.assert(&fourth, &[before]);
    if let Some(along) = along {
        member.assert(&along, &[0.0, 0.0]);
    }
    member.end();
}

fn several_worlds<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    enum Evens {}
    impl ascendcl::collective::CommName for Evens {}

    let mut whole = current
        .comm_init_root_info::<World>(given.root, given.rank)
        .unwrap();
    let name = whole.name().to_owned();
    let members = [whole.rank(2).unwrap(), whole.rank(0).unwrap()];
    let mut stream = current.create_stream::<Main>().unwrap();
    if given.rank != 1 {
        let part = whole.create_sub_comm::<Evens>(&members, 7).unwrap();
        assert_eq!(part.name(), format!("{name}_sub_7"));
        let place = u32::from(given.rank == 0);
        assert_eq!(
            (part.ranks().size(), part.ranks().own().number()),
            (2, place)
        );
        let part = stream.adopt(part);
        let own = stream.malloc_host_from(given.host, &[given.rank]).unwrap();
        let own = stream
            .memcpy_async(stream.malloc(1).unwrap(), &own)
            .unwrap();
        let both = stream.malloc(2).unwrap();
        let both = stream.with(&part).all_gather(&own, both).unwrap();
        let back = stream.malloc_host(given.host, 2).unwrap();
        let back = stream.memcpy_async(back, &both).unwrap();
        assert_eq!(stream.synchronize().unwrap().take(back)[..], [2, 0]);
        // The whole ends with its last part, which is dropped while it is queued and destroyed by a wait.
        whole.destroy().unwrap();
        assert!(calls("HcclCommDestroy") < 5);
        drop(part);
        stream.synchronize().unwrap();
    } else {
        whole.destroy().unwrap();
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn reductions_have_the_results_of_all_ranks() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, reductions);
        assert_clean(&acl);
        assert_eq!(calls("HcclCommDestroy"), 3);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn copies_arrive_at_their_ranks() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, copies);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn messages_arrive_and_a_ring_does_not_block() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, messages);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn a_part_ends_before_its_whole() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, several_worlds);
        assert_clean(&acl);
        assert_eq!(calls("HcclCommDestroy"), 5);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn all_devices_of_a_process_join_at_once() {
        fn rank<'d, D: DeviceTag>(
            host: HostSide<'d>,
            current: Current<'_, 'd, D>,
            detached: ascendcl::collective::DetachedComm<'d, World>,
        ) {
            let number = detached.rank().number();
            assert_eq!(detached.device_id(), 1 - number);
            let comm = detached.attach(current).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let comm = stream.adopt(comm);
            let own = stream.malloc_host_from(host, &[number]).unwrap();
            let own = stream.memcpy_async(stream.malloc(1).unwrap(), &own).unwrap();
            let all = stream.malloc(2).unwrap();
            let all = stream.with(&comm).all_gather(&own, all).unwrap();
            let back = stream.malloc_host(host, 2).unwrap();
            let back = stream.memcpy_async(back, &all).unwrap();
            let idle = stream.synchronize().unwrap();
            assert_eq!(idle.take(back)[..], [0, 1]);
            idle.take(comm).destroy().unwrap();
        }
        let acl = acl_with_journal();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let comms = current
            .comm_init_all::<World>(&[one.member(), zero.member()])
            .unwrap();
        let [first, second]: [_; 2] = comms.try_into().unwrap();
        std::thread::scope(|threads| {
            let other = threads.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                rank(side, thread.set_current(&one).unwrap(), first);
            });
            rank(side, current, second);
            other.join().unwrap();
        });
        assert_eq!((calls("HcclCommInitAll"), calls("HcclCommDestroy")), (1, 2));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn detached_comms_that_nobody_takes_are_destroyed_on_their_devices() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let members = [zero.member(), one.member()];
        drop(current.comm_init_all::<World>(&members).unwrap());
        assert_eq!(calls("HcclCommDestroy"), 2);
        // The names are free again.
        drop(current.comm_init_all::<World>(&members).unwrap());
        assert_eq!(calls("HcclCommDestroy"), 4);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_communicator_that_is_dropped_while_it_is_queued_is_destroyed_by_a_wait() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let mut stream = current.create_stream::<Main>()?;
            let comm = stream.adopt(comm);
            let mut numbers = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
            stream.with(&comm).all_reduce_in_place(Sum, &mut numbers)?;
            drop(comm);
            assert_eq!(calls("HcclCommDestroy"), 0);
            stream.synchronize()?;
            // Once by the wait, and once before the end.
            assert_eq!((calls("HcclGetCommAsyncError"), calls("HcclCommDestroy")), (2, 1));
            // Later waits have nothing to ask.
            stream.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 2);
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn only_the_streams_of_a_communicator_ask_it() {
        enum Side {}
        impl StreamName for Side {}
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let (mut stream, mut side) = (current.create_stream::<Main>()?, current.create_stream::<Side>()?);
            let comm = stream.adopt(comm);
            stream.with(&comm).barrier()?;
            side.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 0);
            let comm = stream.synchronize()?.take(comm);
            assert_eq!(calls("HcclGetCommAsyncError"), 1);
            // The communicator moves to the other stream, whose waits ask it from then on.
            let comm = side.adopt(comm);
            side.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 2);
            side.with(&comm).barrier()?;
            side.synchronize_within(std::time::Duration::from_secs(60))?;
            assert_eq!(calls("HcclGetCommAsyncError"), 3);
            side.destroy()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 4);
            drop(comm);
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn each_way_to_a_stream_makes_its_waits_ask() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info::<World>(&root, 0)?;
            let mut first = current.create_stream::<First>()?;
            let mut second = current.create_stream::<Second>()?;
            let mut third = current.create_stream::<Third>()?;
            let mut event = current.create_event::<Order>()?;
            // With memory beside it.
            let (comm, numbers) = first.adopt((comm, current.malloc::<u8>(4)?)).split();
            first.with(&comm).barrier()?;
            // By an event, and by a fence.
            let comm = first.handoff(&mut second, &mut event, comm)?;
            second.with(&comm).barrier()?;
            let (comm, event) = third.wait_fence(second.fence(event, comm)?)?;
            third.with(&comm).barrier()?;
            // Its work is on all three.
            first.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 1);
            second.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 2);
            third.synchronize()?;
            assert_eq!(calls("HcclGetCommAsyncError"), 3);
            drop((comm, numbers, event));
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }
}
