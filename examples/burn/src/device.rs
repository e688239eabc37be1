//! The thread that owns the device and all memory on it, and the work that other threads send there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ascendcl::memory::Uninit;
use ascendcl::op::{Tensor, TensorOut, Workspaces};
use ascendcl::stream::Main;
use ascendcl::worker::{Client, Worker, WorkerOptions};
use ascendcl::{Acl, Current, DeviceBuf, HostSide, Npu, Queued, Result, Stream};

type Queue = (Npu<0>, Main);
/// The numbers of a tensor.
pub(crate) type Memory<'dev> = Queued<'dev, Queue, DeviceBuf<'dev, Npu<0>, [f32]>>;
/// What an operator reads.
pub(crate) type Operand<'b> = Tensor<'b, Queue, f32>;
/// What an operator writes.
pub(crate) type Output<'dev> =
    TensorOut<Queued<'dev, Queue, DeviceBuf<'dev, Npu<0>, [f32], Uninit>>>;

/// The bytes of dropped tensors from which on an operator waits first. Their memory is freed behind the next wait.
const PARKED: usize = 256 << 20;

/// What queues an operator: it gets the operands and the memory for the result.
pub(crate) trait Work:
    for<'t, 'dev> FnOnce(&mut Lane<'t, 'dev>, &[Operand<'_>], Output<'dev>) -> Result<Memory<'dev>>
    + Send
    + 'static
{
}
impl<W> Work for W where
    W: for<'t, 'dev> FnOnce(
            &mut Lane<'t, 'dev>,
            &[Operand<'_>],
            Output<'dev>,
        ) -> Result<Memory<'dev>>
        + Send
        + 'static
{
}

/// Work for the thread of the device. It has the numbers of tensors and none of the memory, so it is sent to the thread.
type Job = Box<dyn for<'t, 'dev> FnOnce(&mut Opened<'t, 'dev>) -> Result<Answer> + Send>;
/// The numbers that were read, or the reason why there are none.
type Answer = Result<Vec<f32>, Arc<str>>;

static WORKER: Mutex<Option<Worker<Job, Answer>>> = Mutex::new(None);
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Memory on the device. When it is dropped, its thread frees it behind the work that was sent before.
#[derive(Debug)]
pub(crate) struct Id(u64);

impl Id {
    pub(crate) fn new() -> Id {
        Id(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn number(&self) -> u64 {
        self.0
    }
}

impl Drop for Id {
    fn drop(&mut self) {
        let id = self.0;
        let client = worker().as_ref().map(Worker::client);
        if let Some(client) = client {
            drop(client.send(Box::new(move |opened| {
                opened.memory.remove(&id);
                Ok(Ok(Vec::new()))
            })));
        }
    }
}

/// Ends the thread of the device, and releases the device. Tensors lose their numbers. The next operator opens it again.
///
/// # Errors
///
/// The error of the release.
pub fn stop() -> Result<()> {
    let ended = worker().take();
    ended.map_or(Ok(()), Worker::stop)
}

/// Copies numbers to the device.
pub(crate) fn write(id: &Id, numbers: Vec<f32>) {
    let id = id.0;
    send(move |opened| {
        let written = opened.write(&numbers);
        opened.enter(id, written)
    });
}

/// Enters that there are no numbers.
pub(crate) fn fail(id: &Id, reason: String) {
    let id = id.0;
    send(move |opened| {
        opened.memory.insert(id, Err(reason.into()));
        Ok(Ok(Vec::new()))
    });
}

/// Queues an operator that makes a tensor of the shape `shape`.
pub(crate) fn launch(
    out: &Id,
    shape: Vec<usize>,
    operands: Vec<(u64, Vec<usize>)>,
    work: impl Work,
) {
    let out = out.0;
    send(move |opened| match opened.launch(&shape, &operands, work) {
        Ok(Err(reason)) => {
            opened.memory.insert(out, Err(reason));
            Ok(Ok(Vec::new()))
        }
        Ok(Ok(memory)) => opened.enter(out, Ok(memory)),
        Err(error) => opened.enter(out, Err(error)),
    });
}

/// Reads the numbers, behind all work that was sent before.
pub(crate) fn read(id: &Id, len: usize) -> Result<Vec<f32>, String> {
    let id = id.0;
    call(move |opened| opened.read(id, len))
}

/// Waits for all work that was sent before.
pub(crate) fn synchronize() -> Result<(), String> {
    let wait = |opened: &mut Opened<'_, '_>| opened.lane.stream.synchronize().map(drop);
    call(move |opened| wait(opened).map(|()| Ok(Vec::new()))).map(drop)
}

/// What operators use.
pub(crate) struct Lane<'t, 'dev> {
    pub(crate) current: Current<'t, 'dev, Npu<0>>,
    pub(crate) stream: Stream<'t, 'dev, Npu<0>, Main>,
    pub(crate) workspaces: Workspaces<'dev, Npu<0>, Main>,
}

/// What there is from one opening of the device to its reset.
struct Opened<'t, 'dev> {
    lane: Lane<'t, 'dev>,
    host: HostSide<'dev>,
    memory: HashMap<u64, Result<Memory<'dev>, Arc<str>>>,
}

impl<'dev> Opened<'_, 'dev> {
    fn write(&mut self, numbers: &[f32]) -> Result<Memory<'dev>> {
        let stream = &mut self.lane.stream;
        let staged = stream.malloc_host_from(self.host, numbers)?;
        stream.memcpy_async(stream.malloc(numbers.len())?, &staged)
    }

    /// The operator's output, or the reason why an operand has no numbers.
    fn launch(
        &mut self,
        shape: &[usize],
        operands: &[(u64, Vec<usize>)],
        work: impl Work,
    ) -> Result<Result<Memory<'dev>, Arc<str>>> {
        if ascendcl::parked_bytes() > PARKED {
            self.lane.stream.synchronize()?;
        }
        let mut read = Vec::new();
        for (id, shape) in operands {
            match self.memory.get(id) {
                Some(Ok(memory)) => read.push(memory.tensor(shape)?),
                Some(Err(reason)) => return Ok(Err(Arc::clone(reason))),
                None => return Ok(Err(lost())),
            }
        }
        let memory = self.lane.stream.malloc(shape.iter().product())?;
        work(&mut self.lane, &read, memory.into_tensor(shape)?).map(Ok)
    }

    fn read(&mut self, id: u64, len: usize) -> Result<Answer> {
        let memory = match self.memory.get(&id) {
            Some(Ok(memory)) => memory,
            Some(Err(reason)) => return Ok(Err(Arc::clone(reason))),
            None => return Ok(Err(lost())),
        };
        let stream = &mut self.lane.stream;
        let back = stream.malloc_host(self.host, len)?;
        let back = stream.memcpy_async(back, memory)?;
        Ok(Ok(stream.synchronize()?.take(back).to_vec()))
    }

    /// Enters what was made, and gives an error to the worker too, which resets the device for some.
    fn enter(&mut self, id: u64, made: Result<Memory<'dev>>) -> Result<Answer> {
        let reason = made.as_ref().err().map(ToString::to_string);
        match (made, reason) {
            (Ok(memory), _) => self.memory.insert(id, Ok(memory)),
            (Err(_), reason) => self
                .memory
                .insert(id, Err(reason.unwrap_or_default().into())),
        };
        Ok(Ok(Vec::new()))
    }
}

fn lost() -> Arc<str> {
    "the device was closed or reset behind this tensor: make the tensor again".into()
}

/// Sends work. If the device cannot be opened, a later read says why.
fn send(job: impl for<'t, 'dev> FnOnce(&mut Opened<'t, 'dev>) -> Result<Answer> + Send + 'static) {
    if let Ok(client) = client() {
        drop(client.send(Box::new(job)));
    }
}

fn call(
    job: impl for<'t, 'dev> FnOnce(&mut Opened<'t, 'dev>) -> Result<Answer> + Send + 'static,
) -> Result<Vec<f32>, String> {
    let client = client().map_err(|error| error.to_string())?;
    match client.call(Box::new(job)) {
        Ok(answer) => answer.map_err(|reason| reason.to_string()),
        Err(failed) => Err(failed.to_string()),
    }
}

fn worker() -> MutexGuard<'static, Option<Worker<Job, Answer>>> {
    WORKER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end that sends work, after the device was opened.
fn client() -> Result<Client<Job, Answer>> {
    let mut worker = worker();
    if let Some(worker) = &*worker {
        return Ok(worker.client());
    }
    let acl = Arc::new(Acl::from_env()?);
    let opened = Worker::spawn::<Npu<0>>(
        acl,
        0,
        WorkerOptions::default(),
        |current, acl, requests| {
            let mut opened = Opened {
                lane: Lane {
                    current,
                    stream: current.create_stream::<Main>()?,
                    workspaces: Workspaces::new(),
                },
                host: acl.host()?,
                memory: HashMap::new(),
            };
            requests.serve(|job: Job| job(&mut opened))
        },
    );
    Ok(worker.insert(opened).client())
}
