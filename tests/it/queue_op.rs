//! Operators on queued memory, alone and in a pipeline of three streams.

use std::collections::VecDeque;

use ascendcl::event::{Fence, Order};
use ascendcl::memory::Uninit;
use ascendcl::op::Launched;
use ascendcl::{DeviceBuf, Event, HostBuf, Npu, StreamName, op, release_failures};

use crate::common::{bound, embedded, isolated};

type D = Npu<0>;

enum Upload {}
impl StreamName for Upload {}
enum Compute {}
impl StreamName for Compute {}
enum Download {}
impl StreamName for Download {}

const LEN: usize = 3000;

/// Memory that moves between the streams, and is overwritten as a whole in each turn.
type Fresh<'d> = DeviceBuf<'d, D, [i32], Uninit>;

/// The buffers of one of the two slots between two turns. Each fence names the next user of its buffer.
struct Slot<'d> {
    host_in: Fence<'d, (D, Upload), HostBuf<'d, [i32]>, Event<'d, D, Order>>,
    device_in: Fence<'d, (D, Compute), Fresh<'d>, Event<'d, D, Order>>,
    device_out: Fence<'d, (D, Download), Fresh<'d>, Event<'d, D, Order>>,
    host_out: Fence<'d, (D, Download), HostBuf<'d, [i32]>, Event<'d, D, Order>>,
}

/// Uploads, squares and downloads numbers, two turns at a time, with one wait per turn.
fn pipeline() {
    const TURNS: i32 = 12;
    bound!(acl, side, device: D, current);
    let mut up = current.create_stream::<Upload>().unwrap();
    let mut compute = current.create_stream::<Compute>().unwrap();
    let mut down = current.create_stream::<Download>().unwrap();
    let mut event = current.create_event::<Order>().unwrap();
    let mut slots = VecDeque::new();
    for _ in 0..2 {
        let host_in = up.adopt(current.malloc_host(side, LEN).unwrap());
        let device_in = compute.adopt(current.malloc(LEN).unwrap());
        let device_out = down.adopt(current.malloc(LEN).unwrap());
        let host_out = down.adopt(current.malloc_host(side, LEN).unwrap());
        slots.push_back(Slot {
            host_in: up.fence(current.create_event().unwrap(), host_in).unwrap(),
            device_in: compute
                .fence(current.create_event().unwrap(), device_in)
                .unwrap(),
            device_out: down
                .fence(current.create_event().unwrap(), device_out)
                .unwrap(),
            host_out: down
                .fence(current.create_event().unwrap(), host_out)
                .unwrap(),
        });
    }
    let mut results = Vec::new();
    for turn in 0..TURNS + 2 {
        let Some(slot) = slots.pop_front() else { break };
        let (host_out, host_out_event) = slot.host_out.synchronize().unwrap();
        let host_out = host_out.accept_unverified();
        if turn >= 2 {
            assert!(
                host_out.iter().all(|value| *value == host_out[0]),
                "turn {turn}"
            );
            results.push(host_out[0]);
        }
        if turn >= TURNS {
            continue;
        }
        let (host_in, host_in_event) = slot.host_in.synchronize().unwrap();
        let mut host_in = host_in.accept_unverified();
        host_in.fill(turn);

        let (device_in, device_in_event) = up.wait_fence(slot.device_in).unwrap();
        let host_in = up.adopt(host_in);
        let device_in = up.memcpy_async(device_in, &host_in).unwrap();
        let host_in = up.fence(host_in_event, host_in).unwrap();
        let device_in = up.handoff(&mut compute, &mut event, device_in).unwrap();

        let (device_out, device_out_event) = compute.wait_fence(slot.device_out).unwrap();
        let operand = device_in.tensor(&[LEN]).unwrap();
        let out = device_out.into_tensor(&[LEN]).unwrap();
        let plan = op::mul(current, &operand, &operand, out).unwrap();
        let device_out = plan.launch(&mut compute).unwrap().into_output();
        let device_in = compute
            .fence(device_in_event, device_in.forget_contents())
            .unwrap();
        let device_out = compute.handoff(&mut down, &mut event, device_out).unwrap();

        let mut host_out = down.adopt(host_out);
        down.memcpy_async(&mut host_out, &device_out).unwrap();
        let host_out = down.fence(host_out_event, host_out).unwrap();
        let device_out = down
            .fence(device_out_event, device_out.forget_contents())
            .unwrap();
        slots.push_back(Slot {
            host_in,
            device_in,
            device_out,
            host_out,
        });
    }
    assert_eq!(
        results,
        (0..TURNS).map(|turn| turn * turn).collect::<Vec<_>>()
    );
    up.synchronize().unwrap();
    compute.synchronize().unwrap();
    down.synchronize().unwrap();
    drop((up, compute, down, event, slots));
    device.reset().unwrap();
    assert_eq!(release_failures(), 0);
    if embedded(&acl) {
        assert_eq!(ascendcl::emulator::violations(), []);
        let live = ascendcl::emulator::live();
        assert_eq!(
            (live.device_blocks, live.host_blocks, live.events),
            (0, 0, 0),
            "{live:?}"
        );
    }
}

isolated! {
    fn three_streams_compute_the_right_numbers() {
        pipeline();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn three_streams_compute_the_right_numbers_however_late_the_device_is() {
        pipeline();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_launch_returns_at_once_and_its_workspace_stays() {
        bound!(acl, side, device: D, current, stream);
        let matrix = current.memset(current.malloc::<i32>(6).unwrap(), 1).unwrap();
        let row = current.memset(current.malloc::<i32>(3).unwrap(), 2).unwrap();
        let (matrix, row) = (stream.adopt(matrix), stream.adopt(row));
        let out = stream.adopt(current.malloc::<i32>(6).unwrap()).into_tensor(&[2, 3]).unwrap();
        let plan = op::add(
            current,
            &matrix.tensor(&[2, 3]).unwrap(),
            &row.tensor(&[3]).unwrap(),
            1,
            out,
        )
        .unwrap();
        let Launched { output: sum, workspace } = plan.launch(&mut stream).unwrap();
        if embedded(&acl) {
            assert!(workspace.is_some());
        }
        drop(workspace);
        let mut back = stream.adopt(current.malloc_host::<i32>(side, 6).unwrap());
        stream.memcpy_async(&mut back, &sum).unwrap();
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(back)[..], [0x0303_0303; 6]);
        drop((idle.take(matrix), idle.take(row), idle.take(sum)));
        drop(stream);
        device.reset().unwrap();
        if embedded(&acl) {
            assert_eq!(ascendcl::emulator::violations(), []);
            assert_eq!(ascendcl::emulator::live().device_blocks, 0);
        }
    }
}
