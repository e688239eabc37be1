//! The run of a program: a thread for each of its threads makes the calls, and compares codes and memory.

use std::ffi::c_void;
use std::{ptr, thread};

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;

use super::common::ranks::root;
use super::common::{download, malloc, stream, text, upload};
use super::oracle::{BUFFERS, BYTES, Kind, Operation, Reduction, STREAMS, Width};
use super::program::{Act, Call, Fault, Program, Side, What};

/// What a rank has: its device, its communicators, its streams and their buffers.
struct Rank {
    device: i32,
    comms: [HcclComm; 2],
    streams: [aclrtStream; STREAMS],
    buffers: [[*mut c_void; BUFFERS]; STREAMS],
}

/// Runs a program. The error says which call of which thread was wrong.
pub(crate) fn run(program: &Program) -> Result<(), String> {
    check!(device.aclrtSetDevice(0));
    let roots: Vec<HcclRootInfo> = (0..program.comms).map(|_| root()).collect();
    let ended: Vec<Result<(), String>> = thread::scope(|threads| {
        let start = |thread| {
            let roots = &roots;
            threads.spawn(move || Runner::new(program, roots, thread).run())
        };
        let started: Vec<_> = (0..program.threads.len()).map(start).collect();
        started
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    for device in 0..4 {
        let _ = call!(device.aclrtResetDeviceForce(device));
    }
    for (thread, result) in ended.into_iter().enumerate() {
        result.map_err(|text| format!("thread {thread} of {:?}: {text}", program.threads))?;
    }
    let found = take_findings();
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("{found:#?}"))
}

struct Runner<'a> {
    program: &'a Program,
    roots: &'a [HcclRootInfo],
    thread: usize,
    /// By rank; those of other threads have nothing.
    ranks: Vec<Option<Rank>>,
    host: [u8; BYTES],
}

impl<'a> Runner<'a> {
    fn new(program: &'a Program, roots: &'a [HcclRootInfo], thread: usize) -> Runner<'a> {
        let rank = |rank: usize| {
            program.threads[thread].contains(&rank).then(|| {
                let device = i32::try_from(program.devices[rank]).unwrap();
                check!(device.aclrtSetDevice(device));
                let buffer = |stream: usize, buffer: usize| {
                    let memory = malloc(BYTES);
                    upload(memory, &program.memory.0[rank][stream][buffer]);
                    memory
                };
                let buffers = |stream| std::array::from_fn(|number| buffer(stream, number));
                Rank {
                    device,
                    comms: [ptr::null_mut(); 2],
                    streams: std::array::from_fn(|_| stream()),
                    buffers: std::array::from_fn(buffers),
                }
            })
        };
        Runner {
            program,
            roots,
            thread,
            ranks: (0..program.ranks()).map(rank).collect(),
            host: [0; BYTES],
        }
    }

    fn run(mut self) -> Result<(), String> {
        for (number, act) in self.program.acts[self.thread].iter().enumerate() {
            self.act(act)
                .map_err(|text| format!("act {number}: {text}"))?;
        }
        for rank in self.ranks.iter().flatten() {
            check!(device.aclrtSetDevice(rank.device));
            for stream in rank.streams {
                check!(stream.aclrtDestroyStream(stream));
            }
            for buffer in rank.buffers.iter().flatten() {
                check!(memory.aclrtFree(*buffer));
            }
        }
        Ok(())
    }

    /// Makes the device of a rank current.
    fn on(&mut self, rank: usize) -> &mut Rank {
        let rank = self.ranks[rank].as_mut().unwrap();
        check!(device.aclrtSetDevice(rank.device));
        rank
    }

    fn act(&mut self, act: &Act) -> Result<(), String> {
        let is = |code: HcclResult, expected: HcclResult| {
            if code == expected {
                return Ok(());
            }
            Err(format!("{act:?} returns {code:?}: {}", text()))
        };
        match act {
            Act::Start => is(hccl!(HcclGroupStart()), HCCL_SUCCESS),
            Act::End(code) => is(hccl!(HcclGroupEnd()), *code),
            Act::Join { rank, comm } => {
                let (size, number) = (number(self.program.ranks()), number(*rank));
                let root = &raw const self.roots[*comm];
                let to = &raw mut self.on(*rank).comms[*comm];
                let joined = hccl!(HcclCommInitRootInfo(size, root, number, to));
                is(joined, HCCL_SUCCESS)
            }
            Act::Destroy { rank, comm } => {
                let comm = self.on(*rank).comms[*comm];
                is(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS)
            }
            Act::Call(call) => is(self.call(call), call.code),
            Act::Wait { rank, stream } => {
                let stream = self.on(*rank).streams[*stream];
                match call!(stream.aclrtSynchronizeStream(stream)) {
                    ACL_SUCCESS => Ok(()),
                    code => Err(format!("{act:?} returns {code}: {}", text())),
                }
            }
            Act::Check {
                rank,
                stream,
                expected,
            } => {
                let buffers = self.on(*rank).buffers[*stream];
                for (number, (buffer, expected)) in buffers.iter().zip(expected).enumerate() {
                    let found = download(*buffer, BYTES);
                    let mut pairs = found.iter().zip(expected);
                    if let Some(at) = pairs.position(|(found, expected)| found != expected) {
                        return Err(format!(
                            "buffer {number} of stream {stream} of rank {rank} differs from byte {at} on: it has \
                             {:?} instead of {:?}",
                            &found[at..],
                            &expected[at..]
                        ));
                    }
                }
                Ok(())
            }
        }
    }

    fn call(&mut self, call: &Call) -> HcclResult {
        let Call { rank, comm, .. } = *call;
        let host = self.host.as_mut_ptr().cast();
        let of = self.on(rank);
        let comm = of.comms[comm];
        match &call.what {
            What::Operation(operation, fault) => operate(of, comm, rank, operation, *fault, host),
            What::Side(side) => {
                let item = item(of, *side);
                let (buffer, stream) = (item.buf, of.streams[side.stream]);
                let (count, dtype, other) = (item.count, item.dataType, item.remoteRank);
                if side.sends {
                    hccl!(HcclSend(buffer, count, dtype, other, comm, stream))
                } else {
                    hccl!(HcclRecv(buffer, count, dtype, other, comm, stream))
                }
            }
            What::Batch(sides, stream) => {
                let mut items: Vec<_> = sides.iter().map(|side| item(of, *side)).collect();
                let (first, stream) = (items.as_mut_ptr(), of.streams[*stream]);
                hccl!(HcclBatchSendRecv(first, number(items.len()), comm, stream))
            }
            What::Barrier(stream) => hccl!(HcclBarrier(comm, of.streams[*stream])),
        }
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

fn dtype(width: Width) -> HcclDataType {
    match width {
        Width::One => HCCL_DATA_TYPE_INT8,
        Width::Four => HCCL_DATA_TYPE_INT32,
        Width::Eight => HCCL_DATA_TYPE_INT64,
    }
}

fn item(rank: &Rank, side: Side) -> HcclSendRecvItem {
    let message = side.message;
    let (kind, (stream, buffer), other) = if side.sends {
        (HCCL_SEND, message.send, message.to)
    } else {
        (HCCL_RECV, message.recv, message.from)
    };
    HcclSendRecvItem {
        sendRecvType: kind,
        buf: rank.buffers[stream][buffer],
        count: message.count as u64,
        dataType: dtype(message.width),
        remoteRank: number(other),
    }
}

/// Calls for an operation.
fn operate(
    of: &Rank,
    mut comm: HcclComm,
    rank: usize,
    operation: &Operation,
    fault: Fault,
    host: *mut c_void,
) -> HcclResult {
    let place = operation.places[rank];
    let buffers = of.buffers[place.stream];
    let (mut send, recv) = (buffers[place.send], buffers[place.recv]);
    let mut stream = of.streams[place.stream];
    let mut dtype = dtype(operation.width);
    let (mut count, mut root) = (operation.count as u64, number(operation.root));
    match fault {
        Fault::None => {}
        Fault::NullMemory => send = ptr::null_mut(),
        Fault::NullStream => stream = ptr::null_mut(),
        Fault::NullComm => comm = ptr::null_mut(),
        Fault::NoElements => count = 0,
        Fault::WrongRoot => root = number(operation.places.len()),
        Fault::WrongType => dtype = HCCL_DATA_TYPE_FP64,
        Fault::HostMemory => send = host,
    }
    let op = match operation.reduction {
        Reduction::Sum => HCCL_REDUCE_SUM,
        Reduction::Product => HCCL_REDUCE_PROD,
        Reduction::Max => HCCL_REDUCE_MAX,
        Reduction::Min => HCCL_REDUCE_MIN,
    };
    let long = |numbers: &[usize]| -> Vec<u64> { numbers.iter().map(|one| *one as u64).collect() };
    let (list, row) = (long(operation.list()), long(&operation.matrix[rank]));
    let starts = long(&operation.starts(operation.list()));
    let from = long(&operation.starts(&operation.matrix[rank]));
    let column = operation.column(rank);
    let (to, column) = (long(&operation.starts(&column)), long(&column));
    let matrix = long(&operation.matrix.concat());
    let at = |numbers: &[u64]| numbers.as_ptr().cast::<c_void>();
    let own = list[rank];
    match operation.kind {
        Kind::AllReduce => hccl!(HcclAllReduce(send, recv, count, dtype, op, comm, stream)),
        Kind::AllGather => hccl!(HcclAllGather(send, recv, count, dtype, comm, stream)),
        Kind::ReduceScatter => hccl!(HcclReduceScatter(
            send, recv, count, dtype, op, comm, stream
        )),
        Kind::Broadcast => hccl!(HcclBroadcast(send, count, dtype, root, comm, stream)),
        Kind::Reduce => hccl!(HcclReduce(send, recv, count, dtype, op, root, comm, stream)),
        Kind::Scatter => hccl!(HcclScatter(send, recv, count, dtype, root, comm, stream)),
        Kind::AllToAll => hccl!(HcclAlltoAll(
            send, count, dtype, recv, count, dtype, comm, stream
        )),
        Kind::AllGatherV => {
            let (counts, starts) = (at(&list), at(&starts));
            hccl!(HcclAllGatherV(
                send, own, recv, counts, starts, dtype, comm, stream
            ))
        }
        Kind::ReduceScatterV => {
            let (counts, starts) = (at(&list), at(&starts));
            hccl!(HcclReduceScatterV(
                send, counts, starts, recv, own, dtype, op, comm, stream
            ))
        }
        Kind::AllToAllV => {
            let (row, from, column, to) = (at(&row), at(&from), at(&column), at(&to));
            hccl!(HcclAlltoAllV(
                send, row, from, dtype, recv, column, to, dtype, comm, stream
            ))
        }
        Kind::AllToAllVC => {
            let matrix = at(&matrix);
            hccl!(HcclAlltoAllVC(
                send, matrix, dtype, recv, dtype, comm, stream
            ))
        }
    }
}
