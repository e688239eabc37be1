//! The rendezvous of a root information: the ranks that have come to join, in the process that made it.

use std::process;
use std::sync::{Arc, Condvar, OnceLock};
use std::time::{Duration, Instant};

use ascendcl_sys::{HCCL_E_INTERNAL, HCCL_E_PARA, HCCL_E_TIMEOUT, HcclResult};

use super::limits::Limits;
use super::refuse;
use super::world::World;
use crate::results::list_of;
use crate::sorted::Sorted;
use crate::sync::{Mutex, MutexGuard, lock};

/// A refusal that may have been made by another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: HcclResult,
    pub(super) text: String,
}

impl Refusal {
    pub(super) fn new(code: HcclResult, text: impl Into<String>) -> Refusal {
        let text = text.into();
        Refusal { code, text }
    }

    /// Stores the text of the refusal for the thread that made this call.
    pub(super) fn of(self, call: &str) -> HcclResult {
        refuse(self.code, format_args!("{call} failed: {}", self.text))
    }
}

/// A rank that has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// The server and the device.
    pub(super) place: (u32, u32),
    /// The port where the rank waits for the others, if they are in several processes.
    pub(super) port: u16,
    /// The number of its process.
    pub(super) process: u32,
}

/// The result of a rendezvous.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// All ranks are threads of this process.
    Together,
    /// The ports of the ranks, in their order.
    Apart(Vec<u16>),
    Failed(Refusal),
}

/// The ranks that have come so far.
#[derive(Debug, Default)]
pub(super) struct Rendezvous {
    state: Mutex<State>,
    changed: Condvar,
    /// The world of the ranks, if all of them are threads of this process.
    world: OnceLock<Arc<World>>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of ranks, once one has come.
    size: Option<u32>,
    members: Sorted<u32, Member>,
    verdict: Option<Verdict>,
}

/// The time between two looks at a rank of another process that waits.
const LOOK: Duration = Duration::from_millis(50);

impl Rendezvous {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is one step.
        lock(&self.state)
    }

    /// Returns whether no rank has come yet.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().members.is_empty()
    }

    /// Returns the world of ranks that are all threads of this process.
    pub(super) fn world(&self, size: u32, limits: Limits) -> Arc<World> {
        Arc::clone(self.world.get_or_init(|| World::complete(limits, size)))
    }

    /// Comes as one of `size` ranks.
    pub(super) fn enter(&self, (rank, size): (u32, u32), member: Member) -> Result<(), Refusal> {
        let mut state = self.lock();
        if let Some(Verdict::Failed(refusal)) = &state.verdict {
            return Err(refusal.clone());
        }
        let known = *state.size.get_or_insert(size);
        if known != size {
            let text = format!(
                "nRanks is {size} on rank {rank}, and another rank of the same root information passed {known}; pass \
                 one number on all ranks"
            );
            return Err(self.fail(&mut state, HCCL_E_INTERNAL, text));
        }
        if state.verdict.is_some() || state.members.contains(&rank) {
            return Err(Refusal::new(
                HCCL_E_INTERNAL,
                format!("rank {rank} has joined already; give each rank a number of its own"),
            ));
        }
        let mut others = state.members.iter();
        if let Some((other, _)) = others.find(|(_, other)| other.place == member.place) {
            return Err(Refusal::new(
                HCCL_E_PARA,
                format!(
                    "rank {rank} uses device {}, and so does rank {other}; give each rank a device of its own",
                    member.place.1
                ),
            ));
        }
        state.members.insert(rank, member);
        if state.members.len() == size as usize {
            let own = process::id();
            let is_here = |member: &Member| member.process == own;
            let verdict = if state.members.values().all(is_here) {
                Verdict::Together
            } else {
                Verdict::Apart(list_of(state.members.values().map(|member| member.port)))
            };
            state.verdict = Some(verdict);
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the rendezvous for all ranks.
    fn fail(&self, state: &mut State, code: HcclResult, text: String) -> Refusal {
        let refusal = Refusal::new(code, text);
        state.verdict = Some(Verdict::Failed(refusal.clone()));
        self.changed.notify_all();
        refusal
    }

    /// Waits as this rank until all have come. `is_lost` says whether the process of the rank has ended meanwhile.
    pub(super) fn wait(
        &self,
        rank: u32,
        until: Instant,
        is_lost: Option<&dyn Fn() -> bool>,
    ) -> Verdict {
        let mut state = self.lock();
        loop {
            if let Some(verdict) = &state.verdict {
                return verdict.clone();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let size = state.size.unwrap_or(0);
                let missing = (0..size).find(|rank| !state.members.contains(rank));
                let missing = missing.unwrap_or(0);
                let text = format!(
                    "rank {missing} of {size} did not join in time; call it on every rank, each on a thread of its \
                     own or in a process of its own"
                );
                return Verdict::Failed(self.fail(&mut state, HCCL_E_TIMEOUT, text));
            }
            if is_lost.is_some_and(|is_lost| is_lost()) {
                let text =
                    format!("the process of rank {rank} has ended before all ranks had joined");
                return Verdict::Failed(self.fail(&mut state, HCCL_E_TIMEOUT, text));
            }
            let nap = if is_lost.is_some() {
                left.min(LOOK)
            } else {
                left
            };
            state = state.wait(&self.changed, Some(nap));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    fn member(device: u32, process: u32) -> Member {
        Member {
            place: (0, device),
            port: u16::try_from(device).unwrap() + 100,
            process,
        }
    }

    fn text(result: Result<(), Refusal>) -> String {
        result.unwrap_err().text
    }

    #[test]
    fn ranks_of_other_processes_are_apart() {
        let own = process::id();
        let ranks = Rendezvous::default();
        ranks.enter((1, 2), member(1, own)).unwrap();
        ranks.enter((0, 2), member(0, own)).unwrap();
        let until = Instant::now();
        assert!(matches!(ranks.wait(0, until, None), Verdict::Together));
        for (one, zero) in [(own, own + 1), (own + 1, own + 1)] {
            let ranks = Rendezvous::default();
            ranks.enter((1, 2), member(1, one)).unwrap();
            ranks.enter((0, 2), member(0, zero)).unwrap();
            let Verdict::Apart(ports) = ranks.wait(0, until, None) else {
                unreachable!("not all of them are here");
            };
            assert_eq!(ports, [100, 101]);
        }
    }

    #[test]
    fn a_rank_that_does_not_fit_is_refused_and_the_others_wait_on() {
        let ranks = Rendezvous::default();
        ranks.enter((1, 2), member(1, 7)).unwrap();
        let twice = text(ranks.enter((1, 2), member(0, 7)));
        assert!(twice.contains("rank 1 has joined already"), "{twice}");
        let device = text(ranks.enter((0, 2), member(1, 8)));
        assert!(
            device.contains("rank 0 uses device 1, and so does rank 1"),
            "{device}"
        );
        ranks.enter((0, 2), member(0, 8)).unwrap();
        let late = text(ranks.enter((0, 2), member(2, 8)));
        assert!(late.contains("rank 0 has joined already"), "{late}");
    }

    #[test]
    fn different_numbers_of_ranks_and_a_lost_rank_fail_all() {
        let ranks = Rendezvous::default();
        ranks.enter((1, 2), member(1, 7)).unwrap();
        let size = text(ranks.enter((2, 3), member(0, 7)));
        assert!(size.contains("nRanks is 3 on rank 2"), "{size}");
        let later = Instant::now() + Duration::from_secs(600);
        let Verdict::Failed(refusal) = ranks.wait(1, later, None) else {
            unreachable!("it has failed");
        };
        assert_eq!(refusal.text, size);
        let ranks = Rendezvous::default();
        ranks.enter((1, 2), member(1, 7)).unwrap();
        let Verdict::Failed(refusal) = ranks.wait(1, later, Some(&|| true)) else {
            unreachable!("it has failed");
        };
        assert!(
            refusal.text.contains("the process of rank 1 has ended"),
            "{}",
            refusal.text
        );
        assert_eq!(text(ranks.enter((0, 2), member(0, 8))), refusal.text);
    }
}
