//! Groups of random work.

use std::sync::Arc;

use ascendcl_sys::{HCCL_E_PARA, HCCL_SUCCESS};

use super::generate::{Link, Maker};
use super::oracle::{Kind, Memory, Message, Operation, STREAMS};
use super::order::{merge, reorder, shuffle};
use super::program::{Act, Call, Fault, What};

/// An operation in a group: it may have host memory on all ranks.
type Task = (Arc<Operation>, Fault);

/// What the ranks do with one communicator in a group.
struct Work {
    comm: usize,
    messages: Vec<Message>,
    tasks: Vec<Task>,
}

impl Maker<'_> {
    fn work(&mut self, comm: usize) -> Work {
        let streams: Vec<usize> = (0..self.ranks())
            .map(|_| self.random.below(STREAMS))
            .collect();
        let messages = if self.random.chance(60) {
            self.messages(&streams)
        } else {
            Vec::new()
        };
        let count = if self.random.chance(70) {
            self.random.below(5)
        } else {
            0
        };
        let mut tasks: Vec<Task> = (0..count)
            .map(|_| (Arc::new(self.operation()), Fault::None))
            .collect();
        let at = self.random.below(count);
        // Of the other kinds, a rank may send nothing.
        let sends =
            |(operation, _): &&mut Task| !operation.has_list() && operation.kind != Kind::Scatter;
        if self.random.chance(20)
            && let Some(task) = tasks.get_mut(at).filter(sends)
        {
            task.1 = Fault::HostMemory;
        }
        Work {
            comm,
            messages,
            tasks,
        }
    }

    /// The calls of a rank for one communicator.
    fn calls(&mut self, rank: usize, work: &Work) -> Vec<Act> {
        let volume = |(operation, _): &Task| volume(operation);
        let tasks = reorder(self.random, &work.tasks, volume);
        let tasks = tasks
            .into_iter()
            .map(|(operation, fault)| What::Operation(operation, fault));
        let tasks: Vec<What> = tasks.collect();
        let mut sides = self.sides(rank, &work.messages);
        for side in sides.iter_mut().skip(1) {
            // The first one has the stream of the batch.
            side.stream = self.random.below(STREAMS);
        }
        let sides = sides.into_iter().map(What::Side).collect();
        let all = merge(self.random, vec![tasks, sides]);
        let comm = work.comm;
        let act = |what| {
            Act::Call(Call {
                rank,
                comm,
                what,
                code: HCCL_SUCCESS,
            })
        };
        all.into_iter().map(act).collect()
    }

    pub(crate) fn group(&mut self) {
        let before = self.memory.clone();
        let was_pending = self.pending.clone();
        let mut comms: Vec<usize> = (0..self.program.comms).collect();
        shuffle(self.random, &mut comms);
        comms.truncate(1 + self.random.below(comms.len()));
        let works: Vec<Work> = comms.into_iter().map(|comm| self.work(comm)).collect();
        let threads = self.program.threads.clone();
        let mut acts = Vec::new();
        for ranks in &threads {
            let mut lists = Vec::new();
            for rank in ranks {
                // The communicators come in the same order on all ranks.
                let mut calls: Vec<Act> = Vec::new();
                for work in &works {
                    calls.extend(self.calls(*rank, work));
                }
                lists.push(calls);
            }
            acts.push(merge(self.random, lists));
        }
        let is_refused = self.end_of_group(&works);
        for (thread, (ranks, inside)) in threads.iter().zip(acts).enumerate() {
            let code = if is_refused {
                HCCL_E_PARA
            } else {
                HCCL_SUCCESS
            };
            let acts = self.nested(ranks, inside, (&before, &was_pending));
            let all = &mut self.program.acts[thread];
            all.push(Act::Start);
            all.extend(acts);
            all.push(Act::End(code));
        }
        // The end has waited for the streams of the operations.
        for work in &works {
            for (operation, _) in &work.tasks {
                for (rank, place) in operation.places.iter().enumerate() {
                    self.pending[rank][place.stream] = false;
                }
            }
        }
        for rank in 0..self.ranks() {
            for stream in 0..STREAMS {
                if !self.pending[rank][stream] {
                    self.look(rank, stream);
                }
            }
        }
    }

    /// Makes the work of a group in the model: for each communicator its messages, and then its operations, the largest
    /// first. Returns whether one of them is refused, which leaves out the later ones of its communicator.
    fn end_of_group(&mut self, works: &[Work]) -> bool {
        let mut is_refused = false;
        for work in works {
            self.memory.send(&work.messages);
            for message in &work.messages {
                self.pending[message.from][message.send.0] = true;
                self.pending[message.to][message.recv.0] = true;
            }
            let mut tasks = work.tasks.clone();
            tasks.sort_by_key(|(operation, _)| std::cmp::Reverse(volume(operation)));
            for (operation, fault) in tasks {
                if fault == Fault::HostMemory {
                    is_refused = true;
                    break;
                }
                self.linked.insert((work.comm, Link::Kind(operation.kind)));
                self.made(&operation);
            }
        }
        is_refused
    }

    /// Adds inner groups and mistakes. The end of an inner group changes nothing.
    fn nested(
        &mut self,
        ranks: &[usize],
        inside: Vec<Act>,
        (before, pending): (&Memory, &[[bool; STREAMS]]),
    ) -> Vec<Act> {
        let mut acts = Vec::new();
        let mut depth = 0;
        for act in inside.into_iter().map(Some).chain([None]) {
            while self.random.chance(15) {
                acts.push(Act::Start);
                depth += 1;
            }
            let rank = self.random.pick(ranks);
            if self.random.chance(15) {
                acts.push(self.mistake(rank, true));
            }
            acts.extend(act);
            while depth > 0 && self.random.chance(40) {
                acts.push(Act::End(HCCL_SUCCESS));
                depth -= 1;
                let stream = self.random.below(STREAMS);
                if !pending[rank][stream] {
                    let expected = before.0[rank][stream].clone();
                    acts.push(Act::Check {
                        rank,
                        stream,
                        expected,
                    });
                }
            }
        }
        acts.extend((0..depth).map(|_| Act::End(HCCL_SUCCESS)));
        acts
    }
}

/// The bytes by which a group orders operations. Those with lists have none, and come last.
fn volume(operation: &Operation) -> usize {
    if operation.has_list() {
        0
    } else {
        operation.count * operation.width as usize
    }
}
