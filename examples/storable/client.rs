//! A thread that owns everything from `aclInit` on, and the handle that others hold.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread};

use crate::Result;
use crate::pipeline::Pipeline;

/// Asks the thread for work. No lifetime, `Send`, as many copies as there are callers; when the last
/// one is gone the thread releases everything and ends.
#[derive(Clone)]
pub(crate) struct Client {
    requests: Sender<Request>,
}

/// The thread, to wait for.
pub(crate) struct Worker(JoinHandle<Result<()>>);

struct Request {
    numbers: Vec<f32>,
    reply: Sender<Result<Vec<f32>>>,
}

impl Client {
    /// Starts the thread and waits until the device is ready.
    pub(crate) fn start(id: u32, bias: Vec<f32>) -> Result<(Client, Worker)> {
        let (requests, inbox) = channel();
        let (ready, started) = channel();
        let worker = Worker(thread::spawn(move || serve(id, &bias, &inbox, &ready)));
        match started.recv() {
            Ok(()) => Ok((Client { requests }, worker)),
            // The thread has ended before it was ready, and its result says why.
            Err(_) => Err(worker
                .join()
                .err()
                .unwrap_or_else(|| "the service ended".into())),
        }
    }

    /// One request.
    pub(crate) fn add(&self, numbers: Vec<f32>) -> Result<Vec<f32>> {
        let (reply, answer) = channel();
        let stopped = "the service has stopped";
        self.requests
            .send(Request { numbers, reply })
            .map_err(|_| stopped)?;
        answer.recv().map_err(|_| stopped)?
    }
}

impl Worker {
    /// Waits for the end of the thread and gives what became of the release. It ends when every
    /// [`Client`] is gone.
    pub(crate) fn join(self) -> Result<()> {
        self.0.join().map_err(|_| "the service has panicked")?
    }
}

/// The whole life of the thread. Lifetimes stay in here.
fn serve(id: u32, bias: &[f32], inbox: &Receiver<Request>, ready: &Sender<()>) -> Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, id)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let mut pipeline = Pipeline::new(current, bias)?;
    ready.send(())?;

    for Request { numbers, reply } in inbox {
        // Whoever asked may be gone by now; that is no failure of the service.
        let _ = reply.send(pipeline.add(current, &mut stream, &numbers));
    }

    stream.destroy()?;
    pipeline.free()?;
    device.reset()?;
    acl.finalize()?;
    Ok(())
}
