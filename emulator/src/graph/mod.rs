//! Graphs (`acl/acl_rt.h`): stored tasks that the program can run several times.
//!
//! A graph (`aclmdlRI`) has the tasks of one or more streams. The tasks come from a capture (`capture.rs`) or from
//! persistent streams that are bound to the graph (`build.rs`). A run (`run.rs`) queues the tasks again, on streams
//! that belong to the graph. Order and failures there are those of all other streams. The stream of the call has one
//! task for the whole run.
//!
//! A task of a capture can be conditional (`branch.rs`): it has branches, which are graphs, and runs one of them or
//! none (`choice.rs`). A value in device memory selects the branch (`condition.rs`).
//!
//! A stream whose tasks are stored has a role. If no stream of the process has a role, the engine does not call this
//! module (`engine/slow_path.rs`).

mod branch;
mod build;
mod capture;
mod choice;
mod condition;
mod end;
mod event;
mod group;
mod info;
mod keep;
mod label;
mod list;
mod mode;
mod name;
mod print;
mod run;
mod step;

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ascendcl_sys::{ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_MODEL_CONTEXT, aclError, aclmdlRI};

pub(crate) use branch::*;
pub(crate) use build::*;
pub(crate) use capture::*;
pub(crate) use condition::*;
pub(crate) use end::*;
pub(crate) use event::*;
pub(crate) use group::*;
pub(crate) use info::*;
pub(crate) use keep::*;
pub(crate) use label::*;
pub(crate) use list::*;
pub(crate) use mode::*;
pub(crate) use name::*;
pub(crate) use print::*;
pub(crate) use run::*;

use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::host_thread::HostCall;
use crate::engine::queue::Stream;
use crate::engine::submit::Target;
use crate::engine::{engine, slow_path};
use crate::error::fail;
use crate::object_calls::not_null;
use crate::results::list_of;
use crate::sync::{Mutex, MutexGuard, lock};

use capture::Capture;
use group::Group;
use run::Last;
use step::{Step, What};

/// The top byte of a graph's handle; no address begins with it.
const TAG: usize = 0x4d << 56;

/// The index and the generation of a stream or a context.
type Key = (u32, u32);

/// A graph.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The number of the graph, which is never used again.
    id: u32,
    context: Key,
    /// Whether the graph is a branch of another graph's conditional task.
    is_branch: bool,
    inner: Mutex<Inner>,
}

/// The mutable part of a graph.
#[derive(Debug)]
struct Inner {
    phase: Phase,
    name: Vec<u8>,
    lanes: Vec<Lane>,
    /// The tasks in the order of their submission.
    steps: Vec<Step>,
    groups: Vec<Group>,
    conditions: Vec<Arc<Condition>>,
    last: Option<Last>,
    /// The functions that the program wants to be called at the end of the graph.
    at_end: Vec<HostCall>,
}

/// The phase of a graph.
#[derive(Debug)]
enum Phase {
    /// An empty branch.
    Branch,
    Captured(Capture),
    /// Streams are bound to the graph; `ended` is true after `aclmdlRIEndTask`.
    Built {
        ended: bool,
    },
    Complete(Origin),
}

/// The source of a graph's tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Capture,
    Build,
}

/// A stream of a graph.
#[derive(Debug)]
struct Lane {
    /// The stream on which a run queues the tasks.
    runs: Target,
    /// The captured stream; `None` for a bound stream, which runs its tasks itself.
    captured: Option<Target>,
    /// Whether a run begins with this stream; otherwise another stream starts it.
    is_head: bool,
}

/// The destination of tasks that are submitted to a stream.
#[derive(Debug, Clone)]
enum Role {
    /// The tasks go to a capture, as tasks of this lane.
    Captured(Arc<Graph>, usize),
    /// The tasks go to the graph to which the persistent stream is bound, or are stored until it is bound.
    Persistent(Option<(Arc<Graph>, usize)>),
    /// The tasks replace the tasks of a group.
    Updating(Arc<Graph>, usize),
}

/// All graphs, and the streams that have a role.
///
/// Lock order: a thread that holds this lock may take a graph's lock, but not the reverse.
#[derive(Debug)]
struct Graphs {
    /// The number of the next graph or condition.
    next_id: u32,
    all: Vec<Arc<Graph>>,
    roles: Vec<(Key, Role)>,
    /// The tasks of persistent streams that are not bound.
    unbound: Vec<(Key, Step)>,
}

static MODELS: Mutex<Graphs> = Mutex::new(Graphs {
    next_id: 0,
    all: Vec::new(),
    roles: Vec::new(),
    unbound: Vec::new(),
});

/// Locks and returns all graphs.
fn graphs() -> MutexGuard<'static, Graphs> {
    lock(&MODELS)
}

impl Graphs {
    /// Creates a graph of a context.
    fn create(&mut self, current: &Current, phase: Phase) -> Arc<Graph> {
        self.make((current.index, current.generation), phase, false)
    }

    /// Creates a graph of a context, or a branch.
    fn make(&mut self, context: Key, phase: Phase, is_branch: bool) -> Arc<Graph> {
        let id = self.take_id();
        let graph = Arc::new(Graph {
            id,
            context,
            is_branch,
            inner: Mutex::new(Inner {
                phase,
                name: Vec::new(),
                lanes: Vec::new(),
                steps: Vec::new(),
                groups: Vec::new(),
                conditions: Vec::new(),
                last: None,
                at_end: Vec::new(),
            }),
        });
        self.all.push(Arc::clone(&graph));
        graph
    }

    /// Returns a number that no graph and no condition has had.
    fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn role(&self, stream: Target) -> Option<&Role> {
        let entry = self.roles.iter().find(|(key, _)| *key == stream.key());
        entry.map(|(_, role)| role)
    }

    /// Sets or removes the role of a stream.
    fn set_role(&mut self, stream: Target, role: Option<Role>) {
        self.roles.retain(|(key, _)| *key != stream.key());
        self.roles.extend(role.map(|role| (stream.key(), role)));
        self.tell();
    }

    /// Removes a graph from the list, and from the roles of its streams.
    fn remove(&mut self, graph: &Graph) {
        self.all.retain(|other| other.id != graph.id);
        self.roles.retain_mut(|(_, role)| match role {
            Role::Captured(of, _) | Role::Updating(of, _) => of.id != graph.id,
            Role::Persistent(bound) => {
                let is_its = bound.as_ref().is_some_and(|(of, _)| of.id == graph.id);
                if is_its {
                    *bound = None;
                }
                true
            }
        });
        self.tell();
    }

    /// Sets or clears the flag that calls have to check the roles of streams.
    fn tell(&self) {
        slow_path::keep(!self.roles.is_empty(), &Hook);
    }

    /// Returns the captures that have not ended.
    fn captures(&self) -> impl Iterator<Item = &Arc<Graph>> {
        self.roles.iter().filter_map(|(_, role)| match role {
            Role::Captured(graph, 0) => Some(graph),
            _ => None,
        })
    }
}

impl Graph {
    fn handle(&self) -> aclmdlRI {
        ptr::without_provenance_mut(TAG | self.id as usize)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Reports the creation of the graph to the checker.
    fn tell_start(&self, call: &str) {
        check::tell(call, &|checker, site| {
            let handle = self.handle().addr();
            if self.is_branch {
                checker.created(handle, check::BRANCH, site);
            } else {
                checker.graph_created(handle, site);
            }
        });
    }

    /// Reports the tasks of the complete graph to the checker. A branch, and the tasks of a graph with jumps, may never
    /// run.
    fn tell_complete(&self, inner: &Inner) {
        let jumps = |step: &Step| matches!(step.what, What::Switch(_));
        let is_complete = matches!(inner.phase, Phase::Complete(_));
        if is_complete && !self.is_branch && !inner.steps.iter().any(jumps) {
            check::note(&|checker| {
                let usages = inner.steps.iter().filter_map(|step| step.usage.clone());
                checker.completed(self.handle().addr(), list_of(usages));
            });
        }
    }

    /// Reports the end of the graph to the checker.
    fn tell_end(&self, call: &str) {
        check::tell(call, &|checker, site| {
            checker.destroyed(self.handle().addr(), &site);
        });
    }
}

/// Returns the graph of a handle, which must belong to the calling thread's context.
fn find(call: &str, modelRI: aclmdlRI) -> Result<Arc<Graph>, aclError> {
    not_null(call, "modelRI", modelRI)?;
    let named = |graph: &&Arc<Graph>| graph.handle() == modelRI;
    let found = graphs().all.iter().find(named).cloned();
    let Some(graph) = found else {
        check::tell(call, &|checker, site| {
            checker.stale(check::GRAPH, modelRI.addr(), site);
        });
        return Err(fail(
            ACL_ERROR_RT_INVALID_HANDLE,
            format_args!(
                "{call} failed: modelRI {modelRI:p} does not exist: it was destroyed, its context \
                 has ended, or it never was one"
            ),
        ));
    };
    is_current(call, &graph)?;
    Ok(graph)
}

/// Checks that a graph belongs to the calling thread's context.
fn is_current(call: &str, graph: &Graph) -> Result<(), aclError> {
    let current = current(call)?;
    if graph.context != (current.index, current.generation) {
        return Err(fail(
            ACL_ERROR_RT_MODEL_CONTEXT,
            format_args!(
                "{call} failed: modelRI {:p} belongs to another context than the calling \
                 thread's; call aclrtSetCurrentContext first",
                graph.handle()
            ),
        ));
    }
    Ok(())
}

/// Returns the context of a stream.
fn context_of(stream: &Stream) -> Key {
    (
        stream.context.load(Ordering::Relaxed),
        stream.context_generation.load(Ordering::Relaxed),
    )
}

/// Ends the graphs of a context that ends, and drops the tasks that its streams have submitted to them.
pub(crate) fn forget_context(context: Key) {
    let mut graphs = graphs();
    let of_context = |graph: &&Arc<Graph>| graph.context == context;
    let ended = list_of(graphs.all.iter().filter(of_context).cloned());
    for graph in &ended {
        graphs.remove(graph);
    }
    let in_context = |(index, _): &Key| {
        let stream = engine().streams.at(*index);
        stream.is_some_and(|stream| context_of(stream) == context)
    };
    graphs.roles.retain(|(key, _)| !in_context(key));
    let lost = list_of(graphs.unbound.extract_if(.., |(key, _)| in_context(key)));
    graphs.tell();
    // The lock is released, because dropped tasks release their events.
    drop(graphs);
    for graph in &ended {
        let call = "the end of a context";
        check::tell(call, &|checker, site| {
            checker.ended_with_context(graph.handle().addr(), &site);
        });
        for condition in &graph.lock().conditions {
            condition.tell_end(call);
        }
    }
    drop((lost, ended));
}
