//! A thread that owns all resources from `aclInit` on, and the handle that its clients hold.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread};

use crate::Result;
use crate::pipeline::Pipeline;

/// The handle of a client. It has no lifetime, is `Send`, and can be cloned for each caller. When the last one is
/// dropped, the thread releases everything and ends.
#[derive(Clone)]
pub(crate) struct Client {
    requests: Sender<Request>,
}

/// The thread, to be joined.
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
    /// Waits for the end of the thread and returns the result of its releases. The thread ends when every [`Client`]
    /// is dropped.
    pub(crate) fn join(self) -> Result<()> {
        self.0.join().map_err(|_| "the service has panicked")?
    }
}

/// The code of the thread. All lifetimes are inside it.
fn serve(id: u32, bias: &[f32], inbox: &Receiver<Request>, ready: &Sender<()>) -> Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, id)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let mut pipeline = Pipeline::new(current, bias)?;
    ready.send(())?;

    for Request { numbers, reply } in inbox {
        // The client may be dropped before the answer. This is not a failure of the service.
        let _ = reply.send(pipeline.add(current, &mut stream, &numbers));
    }

    stream.destroy()?;
    pipeline.free()?;
    device.reset()?;
    acl.finalize()?;
    Ok(())
}
