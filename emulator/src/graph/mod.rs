//! Graphs (`acl/acl_rt.h`): work that is kept, and runs as often as it is asked for.
//!
//! A graph (`aclmdlRI`) has the tasks of one or more streams. They come from a capture
//! (`capture.rs`) or from persistent streams that are bound to it (`build.rs`). A run (`run.rs`) queues
//! them once more, on streams of the graph's own: what orders and what fails there does so as
//! anywhere else. In the stream that was named stands one task for the whole run.
//!
//! A task of a capture can be conditional (`branch.rs`): it runs one of the graphs that are its branches,
//! or none (`choice.rs`), as a value in device memory says (`condition.rs`).
//!
//! A stream whose tasks are kept has a role; without any role in the process, no call comes here
//! (`engine/detour.rs`).

mod branch;
mod build;
mod capture;
mod choice;
mod condition;
mod end;
mod event;
mod group;
mod keep;
mod label;
mod mode;
mod name;
mod print;
mod run;
mod step;

use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use ascendcl_sys::{ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_MODEL_CONTEXT, aclError, aclmdlRI};

pub(crate) use branch::*;
pub(crate) use build::*;
pub(crate) use capture::*;
pub(crate) use condition::*;
pub(crate) use end::*;
pub(crate) use event::*;
pub(crate) use group::*;
pub(crate) use keep::*;
pub(crate) use label::*;
pub(crate) use mode::*;
pub(crate) use name::*;
pub(crate) use print::*;
pub(crate) use run::*;

use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::queue::Stream;
use crate::engine::submit::Target;
use crate::engine::{detour, engine};
use crate::error::{fail, null};
use crate::sync::lock;

use capture::Capture;
use group::Group;
use run::Last;
use step::Step;

/// The top byte of a graph's handle, with which no address begins.
const TAG: usize = 0x4d << 56;

/// A stream or a context in one of its lives.
type Key = (u32, u32);

/// A graph.
#[derive(Debug)]
pub(crate) struct Graph {
    /// Its number, which no other graph ever gets.
    id: u32,
    context: Key,
    /// Whether it belongs to a conditional task of another one.
    is_branch: bool,
    inner: Mutex<Inner>,
}

/// What may change of a graph.
#[derive(Debug)]
struct Inner {
    phase: Phase,
    name: Vec<u8>,
    lanes: Vec<Lane>,
    /// In the order in which they were submitted.
    steps: Vec<Step>,
    groups: Vec<Group>,
    conditions: Vec<Arc<Condition>>,
    last: Option<Last>,
}

/// How far a graph is.
#[derive(Debug)]
enum Phase {
    /// A branch into which nothing is captured yet.
    Branch,
    Captured(Capture),
    /// Streams are bound to it; whether `aclmdlRIEndTask` has come.
    Built {
        ended: bool,
    },
    Complete(Origin),
}

/// Where the work of a graph comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Capture,
    Build,
}

/// A stream of a graph.
#[derive(Debug)]
struct Lane {
    /// The stream that its tasks are queued on in a run.
    runs: Target,
    /// The captured stream. A bound one runs its tasks itself.
    captured: Option<Target>,
    /// Whether a run begins with it, or another one starts it.
    is_head: bool,
}

/// What happens to the tasks that are submitted to a stream.
#[derive(Debug, Clone)]
enum Role {
    /// They go to a capture, as tasks of this lane.
    Captured(Arc<Graph>, usize),
    /// They go to the graph that the persistent stream is bound to, or wait until it is.
    Persistent(Option<(Arc<Graph>, usize)>),
    /// They take the place of the tasks of a group.
    Updating(Arc<Graph>, usize),
}

/// All graphs, and the streams that have a role.
///
/// Whoever holds its lock may take a graph's; not the other way round.
#[derive(Debug)]
struct Graphs {
    /// The last number of a graph or a condition.
    last_id: u32,
    all: Vec<Arc<Graph>>,
    roles: Vec<(Key, Role)>,
    /// What was submitted to persistent streams that are not bound.
    unbound: Vec<(Key, Step)>,
}

static MODELS: Mutex<Graphs> = Mutex::new(Graphs {
    last_id: 0,
    all: Vec::new(),
    roles: Vec::new(),
    unbound: Vec::new(),
});

/// All graphs, locked.
fn graphs() -> MutexGuard<'static, Graphs> {
    lock(&MODELS)
}

impl Graphs {
    /// Makes a graph of a context.
    fn create(&mut self, current: &Current, phase: Phase) -> Arc<Graph> {
        self.make((current.index, current.generation), phase, false)
    }

    /// Makes a graph of a context, or a branch.
    fn make(&mut self, context: Key, phase: Phase, is_branch: bool) -> Arc<Graph> {
        self.last_id += 1;
        let graph = Arc::new(Graph {
            id: self.last_id,
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
            }),
        });
        self.all.push(Arc::clone(&graph));
        graph
    }

    fn role(&self, stream: Target) -> Option<&Role> {
        let entry = self.roles.iter().find(|(key, _)| *key == stream.key());
        entry.map(|(_, role)| role)
    }

    /// Gives a stream a role, or takes its role away.
    fn set_role(&mut self, stream: Target, role: Option<Role>) {
        self.roles.retain(|(key, _)| *key != stream.key());
        self.roles.extend(role.map(|role| (stream.key(), role)));
        self.tell();
    }

    /// Takes a graph out of the list, and from the streams that give their tasks to it.
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

    /// Whether calls have to come here.
    fn tell(&self) {
        detour::keep(!self.roles.is_empty(), &Hook);
    }

    /// The captures that have not ended, each once.
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

    /// Tells the checker that it is there.
    fn tell_start(&self, call: &str) {
        check::tell(call, |checker, site| {
            let kind = if self.is_branch {
                check::BRANCH
            } else {
                "model instance"
            };
            checker.created(self.handle().addr(), kind, site);
        });
    }

    /// Tells the checker that it is gone.
    fn tell_end(&self, call: &str) {
        check::tell(call, |checker, site| {
            checker.destroyed(self.handle().addr(), &site);
        });
    }
}

/// The graph that a handle names, of the calling thread's context.
fn find(call: &str, modelRI: aclmdlRI) -> Result<Arc<Graph>, aclError> {
    if modelRI.is_null() {
        return Err(null(call, "modelRI"));
    }
    let named = |graph: &&Arc<Graph>| graph.handle() == modelRI;
    let found = graphs().all.iter().find(named).cloned();
    let Some(graph) = found else {
        check::tell(call, |checker, site| {
            checker.stale("model instance", modelRI.addr(), site);
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

/// The context that a stream belongs to.
fn context_of(stream: &Stream) -> Key {
    (
        stream.context.load(Ordering::Relaxed),
        stream.context_generation.load(Ordering::Relaxed),
    )
}

/// A context ends, and with it its graphs and what its streams have submitted to them.
pub(crate) fn forget_context(context: Key) {
    let mut graphs = graphs();
    let of_context = |graph: &&Arc<Graph>| graph.context == context;
    let ended: Vec<_> = graphs.all.iter().filter(of_context).cloned().collect();
    for graph in &ended {
        graphs.remove(graph);
    }
    let in_context = |(index, _): &Key| {
        let stream = engine().streams.at(*index);
        stream.is_some_and(|stream| context_of(stream) == context)
    };
    graphs.roles.retain(|(key, _)| !in_context(key));
    let lost: Vec<_> = graphs
        .unbound
        .extract_if(.., |(key, _)| in_context(key))
        .collect();
    graphs.tell();
    // Tasks that refer to events give them back without the lock.
    drop(graphs);
    for graph in &ended {
        let call = "the end of a context";
        graph.tell_end(call);
        for condition in &graph.lock().conditions {
            condition.tell_end(call);
        }
    }
    drop((lost, ended));
}
