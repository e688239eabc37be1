//! The host functions of a device, so that an abort can end them: the runtime neither stops one that runs nor waits for it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::park::StreamKey;

/// A function that the runtime holds.
pub(crate) trait Held: Send + Sync {
    /// Drops the function, which never begins.
    fn cancel(&self);
}

/// The host functions and callbacks of one device or context.
#[derive(Debug, Default)]
pub(crate) struct HostFuncs {
    state: Mutex<State>,
    /// Notified when a function has returned.
    returned: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The functions that are queued, roughly in their order.
    queued: VecDeque<Queued>,
    /// The functions that graphs call, with the numbers of the graphs.
    #[cfg(feature = "graphs")]
    repeated: Vec<(u64, Queued)>,
    /// The stream of each function that runs now.
    running: Vec<StreamKey>,
    /// The threads that wait for a return. A notification is a call of the kernel, so there is none without a waiter.
    waiters: usize,
}

struct Queued {
    stream: StreamKey,
    /// The address that the runtime has. It is of no other function, also behind an abort.
    address: usize,
    function: Weak<dyn Held>,
}

impl std::fmt::Debug for Queued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Queued").field(&self.stream).finish()
    }
}

impl HostFuncs {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a function that is about to be queued.
    pub(crate) fn queue(&self, stream: StreamKey, address: usize, function: Weak<dyn Held>) {
        self.lock().queued.push_back(Queued {
            stream,
            address,
            function,
        });
    }

    /// Enters that a function begins. Returns whether it may: it was not taken back.
    pub(crate) fn begin(&self, address: usize) -> bool {
        let mut state = self.lock();
        let Some(function) = state.take(address) else {
            return false;
        };
        state.running.push(function.stream);
        true
    }

    /// Enters that a function of the stream has returned.
    pub(crate) fn end(&self, stream: StreamKey) {
        let mut state = self.lock();
        if let Some(at) = state.running.iter().position(|running| *running == stream) {
            state.running.swap_remove(at);
        }
        let is_awaited = state.waiters > 0;
        drop(state);
        if is_awaited {
            self.returned.notify_all();
        }
    }

    /// Takes a function back that the runtime has refused.
    pub(crate) fn refuse(&self, address: usize) {
        drop(self.lock().take(address));
    }

    /// Takes the queued functions of these streams back, and waits until none of their functions runs. Returns whether that
    /// is so within the limit.
    pub(crate) fn abort(&self, streams: &[StreamKey], limit: Duration) -> bool {
        self.cancel(&|stream| streams.contains(&stream));
        let runs = |state: &mut State| state.running.iter().any(|stream| streams.contains(stream));
        let waited = self.returned.wait_timeout_while(self.waiter(), limit, runs);
        let (mut state, result) = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiters -= 1;
        !result.timed_out()
    }

    /// Takes all queued functions back, and waits until none runs.
    pub(crate) fn close(&self) {
        self.cancel(&|_| true);
        let runs = |state: &mut State| !state.running.is_empty();
        let waited = self.returned.wait_while(self.waiter(), runs);
        waited.unwrap_or_else(PoisonError::into_inner).waiters -= 1;
    }

    fn waiter(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        state.waiters += 1;
        state
    }

    fn cancel(&self, is_of: &dyn Fn(StreamKey) -> bool) {
        let mut state = self.lock();
        let all = std::mem::take(&mut state.queued);
        let (cancelled, others) = all.into_iter().partition(|queued| is_of(queued.stream));
        state.queued = others;
        let cancelled: VecDeque<Queued> = cancelled;
        let functions: Vec<_> = cancelled.iter().map(Queued::held).collect();
        // A run of a graph may be late, so its functions are never called again.
        #[cfg(feature = "graphs")]
        let functions = {
            let of_graphs = state.repeated.iter().map(|(_, function)| function);
            let of_graphs = of_graphs.filter(|function| is_of(function.stream));
            functions
                .into_iter()
                .chain(of_graphs.map(Queued::held))
                .collect::<Vec<_>>()
        };
        drop(state);
        // Without the lock: what a function has captured may do anything in its destructor.
        functions
            .iter()
            .flatten()
            .for_each(|function| function.cancel());
    }
}

/// The functions that graphs call.
#[cfg(feature = "graphs")]
impl HostFuncs {
    /// Enters a function that runs of the graph will call.
    pub(crate) fn repeat(&self, graph: u64, address: usize, function: Weak<dyn Held>) {
        let function = Queued {
            stream: StreamKey::Graph(graph),
            address,
            function,
        };
        self.lock().repeated.push((graph, function));
    }

    /// Enters that the stream runs the graph from now on.
    pub(crate) fn graph_enters(&self, graph: u64, stream: StreamKey) {
        let mut state = self.lock();
        let of_graph = state.repeated.iter_mut().filter(|(of, _)| *of == graph);
        of_graph.for_each(|(_, function)| function.stream = stream);
    }

    /// Enters that a function begins. Returns the stream that runs its graph.
    pub(crate) fn begin_again(&self, address: usize) -> Option<StreamKey> {
        let mut state = self.lock();
        let is_it = |(_, function): &&(u64, Queued)| function.address == address;
        let stream = state.repeated.iter().find(is_it)?.1.stream;
        state.running.push(stream);
        Some(stream)
    }

    /// Forgets a function whose graph is gone.
    pub(crate) fn no_more(&self, address: usize) {
        self.lock()
            .repeated
            .retain(|(_, function)| function.address != address);
    }
}

impl Queued {
    fn held(&self) -> Option<std::sync::Arc<dyn Held>> {
        self.function.upgrade()
    }
}

impl State {
    fn take(&mut self, address: usize) -> Option<Queued> {
        // Functions of one stream begin in their order, so the search ends soon.
        let is_it = |queued: &Queued| queued.address == address;
        let at = self.queued.iter().position(is_it)?;
        self.queued.remove(at)
    }
}
