//! Collectives: mistakes that are found before the call, with their texts, and refusals of HCCL.

use ascendcl::collective::{CommName, CommOptions, RootInfo, Sum, World};
use ascendcl::error::{CollectiveMismatch, Usage};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceTag, Npu, Thread};

use crate::collective::{Given, Member, on_ranks};
use crate::common::{acl_with_journal, assert_clean, assert_says, calls, isolated, usage};

/// The mistake with a communicator in a result.
#[track_caller]
pub(crate) fn mistake<T>(result: ascendcl::Result<T>) -> CollectiveMismatch {
    match usage(result) {
        Usage::Collective(mistake) => mistake,
        other => panic!("another mistake: {other}"),
    }
}

fn operands<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let mut own = member.upload(&[1.0, 2.0, 3.0]);
    let Member { comm, stream, .. } = &mut member;
    let fresh = || current.malloc::<f32>(3);
    let fresh = |stream: &ascendcl::Stream<'_, 'd, D>| stream.adopt(fresh().unwrap());
    let ranks = comm.ranks();
    let none = own.slice(1..1).unwrap();
    let buf = fresh(stream);
    let wrong = usage(stream.with(comm).all_reduce(Sum, none, buf));
    assert_eq!(
        wrong,
        Usage::Length {
            source_len: 0,
            destination_len: 3
        }
    );
    let call = "HcclAllReduce";
    let none = own.slice_mut(1..1).unwrap();
    let wrong = mistake(stream.with(comm).all_reduce_in_place(Sum, none));
    assert_eq!(wrong, CollectiveMismatch::Empty { call });
    assert_eq!(
        wrong.to_string(),
        "HcclAllReduce: there are no elements, so this rank would take no part and the others would wait for it: leave the \
         call out on every rank"
    );
    let buf = fresh(stream);
    let wrong = mistake(stream.with(comm).all_gather(&own, buf));
    let call = "HcclAllGather";
    assert_eq!(
        wrong,
        CollectiveMismatch::Length {
            call,
            each: 3,
            all: 3,
            ranks: 2
        }
    );
    assert_eq!(
        wrong.to_string(),
        "HcclAllGather: one buffer has 3 elements for one rank and the other 3 for 2 ranks: the second one must have 2 times \
         as many as the first one"
    );
    let buf = fresh(stream);
    let wrong = mistake(stream.with(comm).reduce_scatter(Sum, &own, buf));
    let call = "HcclReduceScatter";
    assert_eq!(
        wrong,
        CollectiveMismatch::Length {
            call,
            each: 3,
            all: 3,
            ranks: 2
        }
    );
    let buf = fresh(stream);
    let wrong = mistake(stream.with(comm).all_to_all(&own, buf));
    let call = "HcclAlltoAll";
    assert_eq!(
        wrong,
        CollectiveMismatch::Length {
            call,
            each: 1,
            all: 3,
            ranks: 2
        }
    );
    let (rank, call) = (given.rank, "HcclSend");
    let wrong = mistake(stream.with(comm).send(ranks.own(), &own));
    assert_eq!(wrong, CollectiveMismatch::OwnRank { call, rank });
    let call = "HcclBatchSendRecv";
    let wrong = mistake(comm.batch().send(ranks.own(), &own));
    assert_eq!(wrong, CollectiveMismatch::OwnRank { call, rank });
    let empty = comm.batch();
    let wrong = mistake(stream.with(comm).batch_send_recv(empty));
    assert_eq!(wrong, CollectiveMismatch::Empty { call });
    let buf = fresh(stream);
    let wrong = mistake(
        stream
            .with(comm)
            .exchange((ranks.next(), &own), (ranks.own(), buf)),
    );
    assert_eq!(wrong, CollectiveMismatch::OwnRank { call, rank });
    let (buf, call) = (fresh(stream), "HcclBroadcast");
    let wrong = mistake(stream.with(comm).broadcast_into(ranks.own(), buf));
    assert_eq!(wrong, CollectiveMismatch::Role { call, rank });
    let (buf, call) = (fresh(stream), "HcclScatter");
    let wrong = mistake(stream.with(comm).scatter_from(ranks.own(), buf));
    assert_eq!(wrong, CollectiveMismatch::Role { call, rank });
    let (rank, size) = (2, 2);
    let wrong = mistake(comm.rank(2));
    assert_eq!(wrong, CollectiveMismatch::Rank { rank, size });
    assert_eq!(
        wrong.to_string(),
        "there is no rank 2 of 2: ranks count from 0"
    );
    for name in [
        "HcclAllReduce",
        "HcclAllGather",
        "HcclReduceScatter",
        "HcclAlltoAll",
        "HcclSend",
        "HcclBatchSendRecv",
        "HcclBroadcast",
        "HcclScatter",
    ] {
        assert_eq!(calls(name), 0, "{name}");
    }
    member.end();
}

fn on_a_product<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let Member { comm, stream, .. } = &mut member;
    let mut wide = stream
        .memset_async(stream.malloc::<f64>(2).unwrap(), 0)
        .unwrap();
    let mut short = stream
        .memset_async(stream.malloc::<i16>(2).unwrap(), 0)
        .unwrap();
    let mut plain = stream
        .memset_async(stream.malloc::<f32>(2).unwrap(), 0)
        .unwrap();
    let (call, root) = ("HcclAllReduce", comm.ranks().own());
    let soc = std::env::var("ASCENDCL_EMULATOR_SOC").unwrap();
    let product = match soc.as_str() {
        "Ascend310P3" => "Ascend 310P",
        "Ascend910A" => "Ascend 910",
        _ => "Ascend 910B and 910_93",
    };
    let wrong = mistake(stream.with(comm).all_reduce_in_place(Sum, &mut wide));
    assert_eq!(wrong, CollectiveMismatch::Product { call, product });
    let sum_of_short = stream.with(comm).all_reduce_in_place(Sum, &mut short);
    let broadcast = stream.with(comm).broadcast(root, &mut plain);
    let call = "HcclBroadcast";
    match soc.as_str() {
        "Ascend310P3" => {
            sum_of_short.unwrap();
            let wrong = mistake(broadcast);
            assert_eq!(wrong, CollectiveMismatch::Product { call, product });
            // HCCL of this product would return success and do nothing.
            assert_eq!(calls(call), 0);
        }
        "Ascend910A" => {
            mistake(sum_of_short);
            broadcast.unwrap();
        }
        _ => {
            sum_of_short.unwrap();
            broadcast.unwrap();
        }
    }
    member.end();
}

isolated! {
    ["ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn operands_that_do_not_fit_are_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, operands);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend310P3"]
    on emulator fn what_310p_lacks_is_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 1, on_a_product);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend910A"]
    on emulator fn what_910_lacks_is_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 1, on_a_product);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend910B1"]
    on emulator fn what_910b_lacks_is_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 1, on_a_product);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn a_rank_joins_with_a_number_and_a_name_of_its_own() {
        enum Other {}
        impl CommName for Other {}
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        assert_eq!(mistake(current.root_info(0)), CollectiveMismatch::NoRanks);
        let root = current.root_info(1).unwrap();
        let wrong = mistake(current.comm_init_root_info::<World>(&root, 1));
        assert_eq!(wrong, CollectiveMismatch::Rank { rank: 1, size: 1 });
        let sent = RootInfo::from_bytes(&root.to_bytes()).unwrap();
        assert_eq!(sent, root);
        let comm = current.comm_init_root_info::<World>(&sent, 0).unwrap();
        let again = current.root_info(1).unwrap();
        let wrong = mistake(current.comm_init_root_info::<World>(&again, 0));
        let name = std::any::type_name::<World>();
        assert_eq!(wrong, CollectiveMismatch::NameTaken { name, device: 0 });
        // Another name is free, and another thread may not have it.
        let other = current.comm_init_root_info::<Other>(&again, 0).unwrap();
        std::thread::scope(|threads| {
            let elsewhere = threads.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(&device).unwrap();
                let root = current.root_info(1).unwrap();
                let one = mistake(current.comm_init_root_info::<Elsewhere>(&root, 0));
                (one, mistake(current.comm_init_all::<Elsewhere>(&[device.member()])))
            });
            let wrong = elsewhere.join().unwrap();
            let expected = CollectiveMismatch::OtherThread { device: 0 };
            assert_eq!(wrong, (expected.clone(), expected));
        });
        assert_eq!(calls("HcclCommInitRootInfo"), 2);
        assert_eq!(calls("HcclCommInitAll"), 0);
        comm.destroy().unwrap();
        other.destroy().unwrap();
        // The name is free again. A forgotten communicator keeps it until its device is reset.
        let root = current.root_info(1).unwrap();
        std::mem::forget(current.comm_init_root_info::<World>(&root, 0).unwrap());
        let root = current.root_info(1).unwrap();
        mistake(current.comm_init_root_info::<World>(&root, 0));
        device.reset().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let root = current.root_info(1).unwrap();
        let comm = current.comm_init_root_info::<World>(&root, 0).unwrap();
        comm.destroy().unwrap();
        assert_clean(&acl);
    }

    fn bytes_that_are_no_root_information_are_refused() {
        let expected = RootInfo::BYTES;
        for bytes in [&[][..], &[1; 4][..], &[0; 4112][..], &[1; 4112][..], &[1; 4113][..]] {
            let wrong = mistake(RootInfo::from_bytes(bytes));
            let bytes = bytes.len();
            assert_eq!(wrong, CollectiveMismatch::RootInfo { bytes, expected });
        }
        assert_eq!(mistake(RootInfo::from_raw(0, &[0; 4108])), CollectiveMismatch::NoRanks);
        let info = RootInfo::from_raw(3, &[0; 4108]).unwrap();
        assert_eq!((info.size(), info.as_raw()), (3, &[0; 4108]));
        assert_eq!(RootInfo::from_bytes(&info.to_bytes()).unwrap(), info);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn a_list_of_devices_has_each_once() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let members = [zero.member(), one.member(), zero.member()];
        let wrong = mistake(current.comm_init_all::<World>(&members));
        assert_eq!(wrong, CollectiveMismatch::DeviceTwice { device: 0 });
        assert_eq!(mistake(current.comm_init_all::<World>(&[])), CollectiveMismatch::NoRanks);
        assert_eq!(calls("HcclCommInitAll"), 0);
        let mut comms = current.comm_init_all::<World>(&members[..2]).unwrap();
        let wrong = mistake(current.comm_init_all::<World>(&members[1..2]));
        let name = std::any::type_name::<World>();
        assert_eq!(wrong, CollectiveMismatch::NameTaken { name, device: 1 });
        // The detached communicator of device 1 does not fit this thread, and is destroyed.
        let wrong = mistake(comms.remove(1).attach(current));
        let (rank, device) = (1, 1);
        assert_eq!(wrong, CollectiveMismatch::OtherDevice { rank, device, current: 0 });
        assert_eq!(calls("HcclCommDestroy"), 1);
        comms.remove(0).attach(current).unwrap().destroy().unwrap();
        assert_clean(&acl);
    }

    fn a_part_has_each_rank_once_and_the_own_one() {
        enum Part {}
        impl CommName for Part {}
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let root = current.root_info(1)?;
            let mut comm = current.comm_init_root_info::<World>(&root, 0)?;
            let own = comm.ranks().own();
            for (ranks, id) in [(&[own, own][..], 1), (&[][..], 1), (&[own][..], 0xffff_ffff)] {
                let wrong = mistake(comm.create_sub_comm::<Part>(ranks, id));
                let ranks = ranks.iter().map(|rank| rank.number()).collect();
                assert_eq!(wrong, CollectiveMismatch::Part { rank: 0, ranks, id });
            }
            assert_eq!(calls("HcclCreateSubCommConfig"), 0);
            let options = CommOptions::default().with_name("mine");
            let part = comm.create_sub_comm_config::<Part>(&[own], 1, &options)?;
            assert_eq!(part.name(), "mine");
            part.destroy()?;
            comm.destroy()
        })
        .unwrap();
        assert_clean(&acl);
    }

    on emulator fn a_refusal_names_the_rank_the_communicator_and_the_remedy() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let options = CommOptions::default().with_name("gradients");
            let root = current.root_info(1)?;
            let comm = current.comm_init_root_info_config::<World>(&root, 0, &options)?;
            // SAFETY: a live communicator.
            let code = unsafe { ascendcl::sys::HcclCommSuspend(comm.as_raw()) };
            assert_eq!(code, ascendcl::sys::HCCL_SUCCESS);
            let mut stream = current.create_stream::<Main>()?;
            let comm = stream.adopt(comm);
            let mut numbers = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
            let refused = stream.with(&comm).all_reduce_in_place(Sum, &mut numbers);
            assert_says(
                refused,
                &[
                    "HcclAllReduce failed with 22 (HCCL_E_SUSPENDING) on device 0: ",
                    "; hint: rank 0 of 1 of the communicator `gradients`: the communicator is suspended",
                ],
            );
            let comm = stream.synchronize()?.take(comm);
            comm.destroy()
        })
        .unwrap();
    }

    fn a_forged_root_information_is_refused_by_hccl() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let forged = RootInfo::from_raw(1, &[0; 4108])?;
            let refused = current.comm_init_root_info::<World>(&forged, 0);
            assert_says(refused, &["HcclCommInitRootInfo failed with", "; hint: "]);
            // The name was given back.
            let root = current.root_info(1)?;
            current.comm_init_root_info::<World>(&root, 0)?.destroy()
        })
        .unwrap();
    }
}

/// A name for a communicator that is never made.
enum Elsewhere {}
impl CommName for Elsewhere {}
