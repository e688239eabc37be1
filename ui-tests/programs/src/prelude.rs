//! What the text of each program uses: the heads of the crates that are generated.

/// The root of a crate: what programs use, and the choice of the one that runs.
pub(crate) const ROOT: &str = "\
//! Random programs.
#![allow(warnings)]

use std::future::Future;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

pub(crate) use std::hint::black_box;
pub(crate) use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
pub(crate) use std::{mem, thread};

use ascendcl::emulator::model as emulated;

pub(crate) use ascendcl::collective::{CommName, Max, RootInfo, Sum};
pub(crate) use ascendcl::error::Usage;
pub(crate) use ascendcl::event::{CntNotifyRecord, CntNotifyWait, Order, OrderTiming, Progress, Timing};
use ascendcl::bounds::{AnyDevice, Distinct, StreamTag};
use ascendcl::event::{CanOrder, Event, ValueWait};
use ascendcl::memory::Pages;
pub(crate) use ascendcl::media::{All, Nv12, Region};
pub(crate) use ascendcl::model::Queueing;
pub(crate) use ascendcl::pipeline::{Done, Pipeline};
pub(crate) use ascendcl::settings::{CoreKind, DeviceLimit};
pub(crate) use ascendcl::share::Importers;
use ascendcl::queue::{After, Resource};
use ascendcl::{Current, Queued, Stream};
pub(crate) use ascendcl::{Acl, Error, ErrorKind, Npu, Result, StreamName, Thread, op};

/// Memory of Rust that can be registered.
pub(crate) fn ones(length: usize) -> Result<Pages<i32>> {
    let mut ones = Pages::zeroed(length)?;
    ones.fill(1);
    Ok(ones)
}

/// Hands memory over by a signal, and uses the event as `handoff` does.
pub(crate) fn signal<'dev, D: AnyDevice, S: StreamTag, P: Distinct, R: Resource<D>, H>(
    current: Current<'_, 'dev, D>,
    from: &mut Stream<'_, 'dev, D, S>,
    to: &mut Stream<'_, 'dev, D, P>,
    _: &mut Event<'_, D, impl CanOrder>,
    memory: Queued<'dev, (D, S), R, H>,
) -> Result<Queued<'dev, (D, P), R, After<S, H>>> {
    let notify = from.adopt(current.create_notify(to)?);
    Ok(to.wait_notify(from.record_notify(notify, memory)?)?.0)
}

/// Hands memory over by the event, behind a number that the first stream writes. The streams use it when it is dropped.
pub(crate) fn counted<'dev, D: AnyDevice, S: StreamTag, P: Distinct + StreamTag, R: Resource<D>, H>(
    current: Current<'_, 'dev, D>,
    from: &mut Stream<'_, 'dev, D, S>,
    to: &mut Stream<'_, 'dev, D, P>,
    event: &mut Event<'_, D, impl CanOrder>,
    memory: Queued<'dev, (D, S), R, H>,
) -> Result<Queued<'dev, (D, P), R, After<S, H>>> {
    let value = current.create_value()?;
    from.value_write(&value, 7)?;
    to.value_wait(&value, ValueWait::Geq(7))?;
    from.handoff(to, event, memory)
}

pub(crate) fn number(number: u32) -> NonZeroU32 { NonZeroU32::new(number).expect(\"not 0\") }

pub(crate) const REGION: Region = Region { left: 0, top: 0, width: 32, height: 16 };

macro_rules! names {
    ($($name:ident)*) => { $(pub(crate) enum $name {} impl StreamName for $name {})* };
}
names! { Name0 Name1 Name2 Name3 Name4 Name5 Name6 Name7 }

pub(crate) enum Group0 {}
impl CommName for Group0 {}
pub(crate) enum Group1 {}
impl CommName for Group1 {}

/// A model that returns its input.
pub(crate) const MODEL: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 1];

struct Engine;

impl emulated::Engine for Engine {
    fn read(&self, _: &[u8]) -> std::result::Result<Arc<dyn emulated::Network>, emulated::Unreadable> {
        let port = |name: &str| emulated::Port {
            name: name.to_owned(),
            data_type: ascendcl::sys::ACL_INT32,
            shape: Some(vec![emulated::Dim::Fixed(3072)]),
        };
        Ok(Arc::new(Same(emulated::Description {
            inputs: vec![port(\"from\")],
            outputs: vec![port(\"to\")],
            metadata: Default::default(),
            weight_bytes: 0,
        })))
    }
}

struct Same(emulated::Description);

impl emulated::Network for Same {
    fn description(&self) -> &emulated::Description { &self.0 }

    fn run(&self, inputs: &[emulated::Array<'_>]) -> std::result::Result<Vec<emulated::Output>, String> {
        let same = |input: &emulated::Array<'_>| emulated::Output {
            shape: input.shape.to_vec(),
            bytes: input.bytes.to_vec(),
        };
        Ok(inputs.iter().map(same).collect())
    }
}

pub(crate) fn pass<T>(value: T) -> T { value }

pub(crate) fn all<const N: usize>(ranks: [thread::ScopedJoinHandle<'_, Result<()>>; N]) -> Result<()> {
    let ended = ranks.map(|rank| rank.join().unwrap_or_else(|panic| resume_unwind(panic)));
    ended.into_iter().collect()
}

/// The root information, of which a process that runs one rank gets a copy.
static ROOT: OnceLock<RootInfo> = OnceLock::new();
/// The worst end of a process with a rank.
static WORST: Mutex<u8> = Mutex::new(0);

pub(crate) fn root(make: impl FnOnce() -> Result<RootInfo>) -> Result<RootInfo> {
    let Ok(text) = std::env::var(\"PROGRAM_ROOT\") else {
        let root = make()?;
        let _ = ROOT.set(root.clone());
        return Ok(root);
    };
    let byte = |at: usize| u8::from_str_radix(text.get(at * 2..at * 2 + 2).unwrap_or_default(), 16);
    let bytes: std::result::Result<Vec<u8>, _> = (0..text.len() / 2).map(byte).collect();
    RootInfo::from_bytes(&bytes.unwrap_or_default())
}

/// Starts a rank: as a thread, or as a process of this program that runs no other rank.
pub(crate) fn start<'scope>(
    threads: &'scope thread::Scope<'scope, '_>,
    rank: usize,
    run: impl FnOnce() -> Result<()> + Send + 'scope,
) -> thread::ScopedJoinHandle<'scope, Result<()>> {
    let own = std::env::var(\"PROGRAM_RANK\").ok();
    let has_processes = std::env::var_os(\"PROGRAM_PROCESSES\").is_some();
    threads.spawn(move || match own {
        Some(own) if own != rank.to_string() => Ok(()),
        None if has_processes => process(rank),
        _ => run(),
    })
}

fn process(rank: usize) -> Result<()> {
    let root = ROOT.get().map(|root| root.to_bytes().map(|byte| format!(\"{byte:02x}\")).concat());
    let ended = Command::new(std::env::current_exe().expect(\"a program\"))
        .args(std::env::args().skip(1))
        .env(\"PROGRAM_RANK\", rank.to_string())
        .env(\"PROGRAM_ROOT\", root.unwrap_or_default())
        .status()
        .expect(\"a process\");
    let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101);
    // A finding is worse than an error, and a crash is worse than both.
    let mut worst = WORST.lock().expect(\"a lock\");
    let order = |code: u8| [0, 3, 66].iter().position(|known| *known == code).unwrap_or(3);
    if order(code) > order(*worst) { *worst = code; }
    if code == 0 { Ok(()) } else { Err(stopped()) }
}

pub(crate) fn equal(ranks: usize, len: usize) -> Vec<usize> { vec![len / ranks; ranks] }

pub(crate) fn more(ranks: usize, len: usize) -> Vec<usize> {
    let mut all = vec![len / 2 / ranks; ranks];
    all[0] = len - all[0] * (ranks - 1);
    all
}

pub(crate) fn gap(ranks: usize, len: usize) -> Vec<usize> {
    let mut all = equal(ranks, len);
    all[0] = 0;
    all[ranks - 1] += len / ranks;
    all
}

pub(crate) fn short(ranks: usize, len: usize) -> Vec<usize> { equal(ranks, len / 2) }

pub(crate) fn row(each: &[usize], rank: usize) -> Vec<usize> {
    (0..each.len()).map(|other| each[(rank + other) % each.len()]).collect()
}

pub(crate) fn rows(each: &[usize]) -> Vec<usize> {
    (0..each.len()).flat_map(|rank| row(each, rank)).collect()
}

pub(crate) fn stopped() -> Error { Usage::NoDefaultDevice.into() }

/// The limit of a wait, which is longer than a program takes unless a run sets another one.
pub(crate) fn limit() -> Duration {
    let millis = std::env::var(\"PROGRAM_LIMIT\").ok().and_then(|millis| millis.parse().ok());
    Duration::from_millis(millis.unwrap_or(30_000))
}

/// A number that the host reads behind a proof. Steps that were left out by a stop compute nothing.
pub(crate) fn read(found: i32, expected: i32) {
    if found != expected && std::env::var_os(\"PROGRAM_STOPS\").is_none() {
        eprintln!(\"the host reads {found} behind a proof, and not {expected}\");
        std::process::abort();
    }
}

pub(crate) fn stops(place: usize) -> bool {
    std::env::var(\"PROGRAM_STOPS\").is_ok_and(|at| at == place.to_string())
}

fn main() -> std::process::ExitCode {
    let number = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(usize::MAX);
    emulated::register(Arc::new(Engine));
    kernels();
    let acl = Acl::from_env().expect(\"the emulator starts\");
    let ended = chosen(number)(acl);
    let worst = *WORST.lock().expect(\"a lock\");
    if worst != 0 { return worst.into(); }
    let counted = ascendcl::leaks() + ascendcl::release_failures();
    if counted > 0 {
        eprintln!(\"the program counts {counted} leaks and failed releases\");
    }
    let Err(error) = ended else { return 0.into() };
    if matches!(error.kind(), ErrorKind::Usage(Usage::NoDefaultDevice)) {
        return 0.into();
    }
    eprintln!(\"the program returns: {error:?} {error}\");
    3.into()
}

";

/// What programs with futures and pipelines use.
pub(crate) const LATER: &str = "\
/// Whether a function of the host was called behind the work that a future is about.
#[derive(Clone, Default)]
pub(crate) struct Mark(Arc<AtomicBool>);

impl Mark {
    pub(crate) fn function(&self) -> impl FnOnce() + Send + 'static {
        let mark = Arc::clone(&self.0);
        move || mark.store(true, Ordering::SeqCst)
    }

    pub(crate) fn watch<F: Future>(self, future: F) -> Watched<F> {
        Watched { future, result: None, done: self }
    }
}

/// A future that keeps its result, and that is ready behind its work only.
pub(crate) struct Watched<F: Future> {
    future: F,
    result: Option<F::Output>,
    done: Mark,
}

impl<T, F: Future<Output = Result<T>> + Unpin> Watched<F> {
    pub(crate) fn poll_once(&mut self) { self.poll(Waker::noop()); }

    fn poll(&mut self, waker: &Waker) {
        if self.result.is_some() { return; }
        let Poll::Ready(result) = Pin::new(&mut self.future).poll(&mut Context::from_waker(waker)) else { return };
        if result.is_ok() && !self.done.0.load(Ordering::SeqCst) {
            eprintln!(\"a future is ready before its work\");
            std::process::abort();
        }
        self.result = Some(result);
    }
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) { self.0.unpark(); }
}

/// Waits for a future, on a device that may hang for so long only that a host function has had its time.
pub(crate) fn block_on<T, F: Future<Output = Result<T>> + Unpin>(mut future: Watched<F>) -> Result<T> {
    let waker = Arc::new(Unpark(thread::current())).into();
    let may_hang = std::env::var_os(\"PROGRAM_LIMIT\").is_some();
    let end = Instant::now() + Duration::from_secs(if may_hang { 3 } else { 40 });
    loop {
        future.poll(&waker);
        if let Some(result) = future.result.take() { return result; }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() { break; }
        thread::park_timeout(left);
    }
    if !may_hang {
        eprintln!(\"a future is pending for ever\");
        std::process::abort();
    }
    Err(stopped())
}

/// The result of a batch, as the model knows it.
#[derive(Clone, Copy)]
pub(crate) enum Batched {
    Number(i32),
    Carried(Option<i32>),
    Error,
}

/// Whether the results that a pipeline has returned are those of the model. A batch may fail where there are faults.
fn is_known(results: &[(u64, std::result::Result<&[i32], ()>)], known: &[(u64, Batched)]) -> bool {
    let has_faults = std::env::var_os(\"ASCENDCL_EMULATOR_FAULTS\").is_some();
    let mut pairs = results.iter().zip(known);
    results.len() == known.len()
        && pairs.all(|((number, result), (at, known))| {
            let is_all = |wanted: i32| result.is_ok_and(|output| output.len() == 3072 && output.iter().all(|one| *one == wanted));
            let is_right = match known {
                Batched::Number(wanted) => is_all(*wanted) || has_faults && result.is_err(),
                Batched::Carried(Some(wanted)) => is_all(*wanted) || has_faults,
                Batched::Carried(None) => result.is_ok() || has_faults,
                Batched::Error => result.is_err(),
            };
            number == at && is_right
        })
}

fn check(results: &[(u64, std::result::Result<&[i32], ()>)], known: Option<&[(u64, Batched)]>) {
    let is_wrong = known.is_some_and(|known| !is_known(results, known));
    if is_wrong && std::env::var_os(\"PROGRAM_STOPS\").is_none() {
        eprintln!(\"a pipeline returns {results:?}\");
        std::process::abort();
    }
}

pub(crate) fn compare(done: Option<Done<'_, i32>>, known: Option<&[(u64, Batched)]>) {
    let result = done.map(|Done { number, output }| (number, output.map_err(drop)));
    check(result.as_slice(), known);
}

/// A batch whose step panics. Where a fault has refused the batch before, the program ends: the batch has a result then.
pub(crate) fn panics(push: impl FnOnce()) -> Result<()> {
    if catch_unwind(AssertUnwindSafe(push)).is_err() { return Ok(()); }
    if std::env::var_os(\"ASCENDCL_EMULATOR_FAULTS\").is_none() {
        eprintln!(\"the panic of a step is lost\");
        std::process::abort();
    }
    Err(stopped())
}

/// Takes a result of a run, which may stop behind the first one.
pub(crate) fn take(number: u64, output: Result<&[i32]>, known: Option<&[(u64, Batched)]>, stops: bool) -> Result<()> {
    let at = known.map(|known| {
        let first = known.first().map_or(0, |(first, _)| *first);
        let at = number.checked_sub(first).and_then(|at| known.get(at as usize));
        at.map_or(&[][..], std::slice::from_ref)
    });
    check(&[(number, output.map_err(drop))], at);
    if stops { Err(stopped()) } else { Ok(()) }
}

";

/// What programs with graphs use.
pub(crate) const GRAPHS: &str = "\
use ascendcl::graph::NotCaptured;
use ascendcl::queue::Unverified;

/// Three parts in any form.
pub(crate) trait Three {
    type All;
    fn three(self) -> Self::All;
}

impl<A, B, C> Three for (A, B, C) {
    type All = (A, B, C);
    fn three(self) -> (A, B, C) { self }
}

impl<A, B, C> Three for ((A, B), C) {
    type All = (A, B, C);
    fn three(self) -> (A, B, C) { (self.0.0, self.0.1, self.1) }
}

impl<A> Three for [A; 3] {
    type All = (A, A, A);
    fn three(self) -> (A, A, A) { self.into() }
}

impl<A> Three for Vec<A> {
    type All = (A, A, A);
    fn three(self) -> (A, A, A) {
        let Ok(all) = <[A; 3]>::try_from(self) else { panic!(\"three parts\") };
        all.into()
    }
}

/// The memory of a capture that fails.
pub(crate) fn not_captured<'dev, Q, R, G>(
    ended: std::result::Result<G, NotCaptured<'dev, Q, R>>,
) -> Result<Unverified<'dev, Q, R>> {
    match ended {
        Err(NotCaptured { memory: Some(memory), .. }) => Ok(memory),
        Err(NotCaptured { error, memory: None }) => Err(error),
        Ok(_) => Err(stopped()),
    }
}

";

/// The kernels of programs.
pub(crate) const KERNELS: &str = "\
use ascendcl::emulator::kernel::{View, ViewMut};
use ascendcl::kernel::{In, InOut, LenOf, Out};

ascendcl::kernel! { pub(crate) struct Change = change(x: In<i32>, y: InOut<i32>, a: i32, n: LenOf<x>) where x == y; }
ascendcl::kernel! { pub(crate) struct Make = make(x: In<i32>, y: Out<i32>, n: LenOf<y>) where x == y; }

/// Registers the functions that stand for the kernels of each binary. Their arithmetic wraps around.
fn kernels() {
    use ascendcl::emulator::kernel::register;
    register(ascendcl::emulator::kernel!(change(x: View<i32>, y: ViewMut<i32>, a: i32, n: u32) |block| {
        for at in block.part(n as usize) { y.set(at, y.get(at).wrapping_add(a.wrapping_mul(x.get(at)))); }
    }));
    register(ascendcl::emulator::kernel!(make(x: View<i32>, y: ViewMut<i32>, n: u32) |block| {
        for at in block.part(n as usize) { y.set(at, x.get(at).wrapping_add(1)); }
    }));
}

";
