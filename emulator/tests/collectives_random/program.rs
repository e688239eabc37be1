//! Programs: what each thread calls, with the code of each call and the memory that it has to find.

use std::sync::Arc;

use ascendcl_sys::{HCCL_E_NOT_SUPPORT, HCCL_E_PARA, HCCL_E_PTR, HCCL_SUCCESS, HcclResult};

use super::oracle::{Memory, Message, Operation};

/// What a thread does next.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Start,
    End(HcclResult),
    /// A rank joins a communicator.
    Join {
        rank: usize,
        comm: usize,
    },
    Destroy {
        rank: usize,
        comm: usize,
    },
    Call(Call),
    /// A wait for a stream.
    Wait {
        rank: usize,
        stream: usize,
    },
    /// The buffers of a stream have these bytes.
    Check {
        rank: usize,
        stream: usize,
        expected: Vec<Vec<u8>>,
    },
}

/// A call of a rank.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) rank: usize,
    pub(crate) comm: usize,
    pub(crate) what: What,
    pub(crate) code: HcclResult,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    Operation(Arc<Operation>, Fault),
    Side(Side),
    Batch(Vec<Side>, usize),
    Barrier(usize),
}

/// A mistake in the call of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    NullMemory,
    NullStream,
    NullComm,
    NoElements,
    WrongRoot,
    WrongType,
    /// Host memory, which is found when the operation is queued.
    HostMemory,
}

/// A rank's side of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub(crate) message: Message,
    pub(crate) sends: bool,
    /// The stream of the call. In a group, the batch has the stream of the first one.
    pub(crate) stream: usize,
}

impl Fault {
    pub(crate) const AT_ONCE: [Fault; 6] = [
        Fault::NullMemory,
        Fault::NullStream,
        Fault::NullComm,
        Fault::NoElements,
        Fault::WrongRoot,
        Fault::WrongType,
    ];

    /// The code of an `HcclReduce` with this mistake.
    pub(crate) fn code(self) -> HcclResult {
        match self {
            Fault::None | Fault::NoElements => HCCL_SUCCESS,
            Fault::NullMemory | Fault::NullStream | Fault::NullComm => HCCL_E_PTR,
            Fault::WrongRoot | Fault::HostMemory => HCCL_E_PARA,
            Fault::WrongType => HCCL_E_NOT_SUPPORT,
        }
    }
}

/// A program with the ranks of each thread.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) threads: Vec<Vec<usize>>,
    pub(crate) comms: usize,
    /// The device of each rank.
    pub(crate) devices: Vec<usize>,
    /// The memory before the first call.
    pub(crate) memory: Memory,
    /// What each thread does.
    pub(crate) acts: Vec<Vec<Act>>,
}

impl Program {
    pub(crate) fn ranks(&self) -> usize {
        self.devices.len()
    }
}
