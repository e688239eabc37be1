//! Random programs. The model makes each operation when its group ends, so it says what each thread has to find.

use std::collections::BTreeSet;
use std::sync::Arc;

use ascendcl_sys::{HCCL_E_NOT_SUPPORT, HCCL_SUCCESS, HcclResult};

use super::oracle::{
    BUFFERS, BYTES, KINDS, Kind, Memory, Message, Operation, Place, Reduction, STREAMS, Width,
};
use super::order::{reorder, shuffle};
use super::program::{Act, Call, Fault, Program, Side, What};
use super::random::Random;

/// What connects ranks before their first operation: a kind of operations, a barrier, or messages in one direction.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Link {
    Kind(Kind),
    Barrier,
    Pair(usize, usize),
}

pub(crate) struct Maker<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) program: Program,
    /// The memory behind all calls so far.
    pub(crate) memory: Memory,
    /// The streams with work for which nobody has waited, by rank.
    pub(crate) pending: Vec<[bool; STREAMS]>,
    pub(crate) linked: BTreeSet<(usize, Link)>,
}

/// The program of a seed.
pub(crate) fn generate(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let ranks = 2 + random.below(3);
    let mut threads: Vec<Vec<usize>> = Vec::new();
    for rank in 0..ranks {
        let at = random.below(threads.len() + 1);
        match threads.get_mut(at) {
            Some(thread) => thread.push(rank),
            None => threads.push(vec![rank]),
        }
    }
    let mut devices: Vec<usize> = (0..4).collect();
    shuffle(random, &mut devices);
    devices.truncate(ranks);
    let mut buffer = || (0..BYTES).map(|_| random.next() as u8).collect();
    let mut stream = || (0..BUFFERS).map(|_| buffer()).collect();
    let mut rank = || (0..STREAMS).map(|_| stream()).collect();
    let memory = Memory((0..ranks).map(|_| rank()).collect());
    let program = Program {
        acts: vec![Vec::new(); threads.len()],
        threads,
        comms: 1 + random.below(2),
        devices,
        memory: memory.clone(),
    };
    let mut maker = Maker {
        random,
        program,
        memory,
        pending: vec![[false; STREAMS]; ranks],
        linked: BTreeSet::new(),
    };
    maker.ends_of_comms(|rank, comm| Act::Join { rank, comm });
    for _ in 0..3 + maker.random.below(5) {
        maker.round();
    }
    maker.look_at_all();
    maker.ends_of_comms(|rank, comm| Act::Destroy { rank, comm });
    maker.program
}

impl Maker<'_> {
    pub(crate) fn ranks(&self) -> usize {
        self.program.ranks()
    }

    fn thread_of(&self, rank: usize) -> usize {
        let threads = &self.program.threads;
        threads.iter().position(|of| of.contains(&rank)).unwrap()
    }

    fn act(&mut self, rank: usize, act: Act) {
        let thread = self.thread_of(rank);
        self.program.acts[thread].push(act);
    }

    /// Whether a thread has several ranks, so that an operation of all of them that waits for the others never returns.
    fn is_shared(&self) -> bool {
        self.program.threads.iter().any(|ranks| ranks.len() > 1)
    }

    /// Every rank joins or leaves every communicator, inside of a group or outside.
    fn ends_of_comms(&mut self, act: impl Fn(usize, usize) -> Act) {
        let joins = matches!(act(0, 0), Act::Join { .. });
        let in_group = (joins && self.is_shared()) || self.random.chance(50);
        for (thread, ranks) in self.program.threads.clone().into_iter().enumerate() {
            let comms = self.program.comms;
            let pairs = ranks
                .iter()
                .flat_map(|rank| (0..comms).map(move |comm| (*rank, comm)));
            let mut acts: Vec<Act> = pairs.map(|(rank, comm)| act(rank, comm)).collect();
            if in_group {
                shuffle(self.random, &mut acts);
                acts.insert(0, Act::Start);
                acts.push(Act::End(HCCL_SUCCESS));
            }
            self.program.acts[thread].extend(acts);
        }
    }

    fn round(&mut self) {
        match self.random.below(10) {
            0 | 1 => self.plain_operation(),
            2 => self.plain_message(),
            3 => self.plain_batch(),
            4 => self.plain_mistake(),
            5 => self.plain_barrier(),
            _ => self.group(),
        }
        if self.random.chance(30) {
            self.look_at_all();
        }
    }

    /// Waits for each stream, and looks at its memory.
    fn look_at_all(&mut self) {
        for rank in 0..self.ranks() {
            for stream in 0..STREAMS {
                self.act(rank, Act::Wait { rank, stream });
                self.pending[rank][stream] = false;
                self.look(rank, stream);
            }
        }
    }

    pub(crate) fn look(&mut self, rank: usize, stream: usize) {
        let expected = self.memory.0[rank][stream].clone();
        self.act(
            rank,
            Act::Check {
                rank,
                stream,
                expected,
            },
        );
    }

    pub(crate) fn operation(&mut self) -> Operation {
        let ranks = self.ranks();
        let kind = self.random.pick(&KINDS);
        let mut place = || {
            let mut buffers: Vec<usize> = (0..BUFFERS).collect();
            shuffle(self.random, &mut buffers);
            let send = buffers[0];
            let in_place = kind == Kind::Broadcast;
            let may_be = kind == Kind::AllReduce && self.random.chance(30);
            let recv = if in_place || may_be { send } else { buffers[1] };
            let stream = self.random.below(STREAMS);
            Place { stream, send, recv }
        };
        let places = (0..ranks).map(|_| place()).collect();
        let mut row = || (0..ranks).map(|_| self.random.below(4)).collect();
        let mut matrix: Vec<Vec<usize>> = (0..ranks).map(|_| row()).collect();
        // A list without elements is another call: it takes no part.
        matrix[0][0] = 1 + self.random.below(3);
        Operation {
            kind,
            width: self.width(),
            reduction: self.random.pick(&[
                Reduction::Sum,
                Reduction::Product,
                Reduction::Max,
                Reduction::Min,
            ]),
            root: self.random.below(ranks),
            count: 1 + self.random.below(3),
            matrix,
            gap: self.random.below(2),
            places,
        }
    }

    fn width(&mut self) -> Width {
        self.random.pick(&[Width::One, Width::Four, Width::Eight])
    }

    fn call(&mut self, rank: usize, comm: usize, what: What, code: HcclResult) {
        let call = Call {
            rank,
            comm,
            what,
            code,
        };
        self.act(rank, Act::Call(call));
    }

    fn comm(&mut self) -> usize {
        self.random.below(self.program.comms)
    }

    fn plain_operation(&mut self) {
        let (comm, operation) = (self.comm(), self.operation());
        let is_linked = self.linked.contains(&(comm, Link::Kind(operation.kind)));
        if self.is_shared() && !is_linked {
            return;
        }
        self.linked.insert((comm, Link::Kind(operation.kind)));
        self.made(&operation);
        let operation = Arc::new(operation);
        for rank in 0..self.ranks() {
            let what = What::Operation(Arc::clone(&operation), Fault::None);
            self.call(rank, comm, what, HCCL_SUCCESS);
        }
    }

    /// Makes an operation in the model.
    pub(crate) fn made(&mut self, operation: &Operation) {
        self.memory.operate(operation);
        for (rank, place) in operation.places.iter().enumerate() {
            self.pending[rank][place.stream] = true;
        }
    }

    fn plain_message(&mut self) {
        let comm = self.comm();
        let streams: Vec<usize> = (0..self.ranks())
            .map(|_| self.random.below(STREAMS))
            .collect();
        let Some(message) = self.message(&streams, &mut BTreeSet::new()) else {
            return;
        };
        let (from, to) = (message.from, message.to);
        let link = (comm, Link::Pair(from, to));
        let waits = !self.linked.contains(&link) && self.thread_of(from) == self.thread_of(to);
        if from == to || waits {
            return;
        }
        self.linked.insert(link);
        self.memory.send(&[message]);
        for (rank, sends) in [(from, true), (to, false)] {
            let stream = streams[rank];
            self.pending[rank][stream] = true;
            let side = Side {
                message,
                sends,
                stream,
            };
            self.call(rank, comm, What::Side(side), HCCL_SUCCESS);
        }
    }

    /// A message in a batch. No buffer is received into twice, or both sent and received into: `used` has them.
    fn message(
        &mut self,
        streams: &[usize],
        used: &mut BTreeSet<(usize, usize, bool)>,
    ) -> Option<Message> {
        let (from, to) = (
            self.random.below(self.ranks()),
            self.random.below(self.ranks()),
        );
        let (send, recv) = (self.random.below(BUFFERS), self.random.below(BUFFERS));
        let is_free = !used.contains(&(from, send, false))
            && !used.contains(&(to, recv, false))
            && !used.contains(&(to, recv, true))
            && (from, send) != (to, recv);
        if !is_free {
            return None;
        }
        used.extend([(from, send, true), (to, recv, false)]);
        Some(Message {
            from,
            to,
            width: self.width(),
            count: 1 + self.random.below(12),
            send: (streams[from], send),
            recv: (streams[to], recv),
        })
    }

    pub(crate) fn messages(&mut self, streams: &[usize]) -> Vec<Message> {
        let mut used = BTreeSet::new();
        let tries = self.random.below(8);
        (0..tries)
            .filter_map(|_| self.message(streams, &mut used))
            .collect()
    }

    /// The sides of a rank, in an order that keeps that of each direction to each rank.
    pub(crate) fn sides(&mut self, rank: usize, messages: &[Message]) -> Vec<Side> {
        let mut sides = Vec::new();
        for message in messages {
            let (sent, received) = (message.send.0, message.recv.0);
            for (of, sends, stream) in [(message.from, true, sent), (message.to, false, received)] {
                if of == rank {
                    sides.push(Side {
                        message: *message,
                        sends,
                        stream,
                    });
                }
            }
        }
        reorder(self.random, &sides, |side| {
            (side.sends, side.message.from, side.message.to)
        })
    }

    fn plain_batch(&mut self) {
        let comm = self.comm();
        let streams: Vec<usize> = (0..self.ranks())
            .map(|_| self.random.below(STREAMS))
            .collect();
        let messages = self.messages(&streams);
        self.memory.send(&messages);
        for (rank, stream) in streams.into_iter().enumerate() {
            let sides = self.sides(rank, &messages);
            if !sides.is_empty() {
                self.pending[rank][stream] = true;
                self.call(rank, comm, What::Batch(sides, stream), HCCL_SUCCESS);
            }
        }
    }

    fn plain_barrier(&mut self) {
        let comm = self.comm();
        if self.is_shared() && !self.linked.contains(&(comm, Link::Barrier)) {
            return;
        }
        self.linked.insert((comm, Link::Barrier));
        for rank in 0..self.ranks() {
            let stream = self.random.below(STREAMS);
            self.pending[rank][stream] = true;
            self.call(rank, comm, What::Barrier(stream), HCCL_SUCCESS);
        }
    }

    /// A call that is refused, or that does nothing.
    pub(crate) fn mistake(&mut self, rank: usize, in_group: bool) -> Act {
        let mut operation = self.operation();
        operation.kind = Kind::Reduce;
        let fault = self.random.pick(&Fault::AT_ONCE);
        let stream = self.random.below(STREAMS);
        let (what, code) = match self.random.below(4) {
            0 if in_group => (What::Barrier(stream), HCCL_E_NOT_SUPPORT),
            1 if in_group => {
                let messages = self.messages(&vec![stream; self.ranks()]);
                let sides = self.sides(rank, &messages);
                let code = if sides.is_empty() {
                    HCCL_SUCCESS
                } else {
                    HCCL_E_NOT_SUPPORT
                };
                (What::Batch(sides, stream), code)
            }
            2 if !in_group => return Act::End(HCCL_E_NOT_SUPPORT),
            _ => (What::Operation(Arc::new(operation), fault), fault.code()),
        };
        Act::Call(Call {
            rank,
            comm: self.comm(),
            what,
            code,
        })
    }

    fn plain_mistake(&mut self) {
        let rank = self.random.below(self.ranks());
        let act = self.mistake(rank, false);
        self.act(rank, act);
    }
}
