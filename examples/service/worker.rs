//! The work of a device: it doubles the numbers of each request.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use ascendcl::stream::Main;
use ascendcl::worker::{Requests, Worker, WorkerOptions};
use ascendcl::{Acl, Current, DeviceTag, Error, HostSide, Npu, Stream, op};

/// Numbers to double.
pub(crate) struct Request {
    pub(crate) numbers: Vec<f32>,
    /// Whether the host has work in the middle, which takes half of the limit.
    pub(crate) is_slow: bool,
}

/// The number of devices that serve.
pub(crate) const DEVICES: u32 = 2;

/// What both devices know.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    /// The limit of each wait.
    pub(crate) limit: Duration,
    /// How often a device was opened.
    pub(crate) openings: Arc<AtomicU32>,
}

impl Service {
    /// Starts a thread for each device. A device that has failed is reset, in time also if it hangs, and opened again.
    pub(crate) fn start(&self, acl: &Arc<Acl>) -> Worker<Request, Vec<f32>> {
        let options = WorkerOptions::default().with_limit(self.limit);
        let (first, second) = (self.clone(), self.clone());
        let mut worker = Worker::spawn::<Npu<0>>(
            Arc::clone(acl),
            0,
            options,
            move |current, acl, requests| first.serve(current, acl, requests),
        );
        worker.add::<Npu<1>>(1, move |current, acl, requests| {
            second.serve(current, acl, requests)
        });
        worker
    }

    /// Serves on one device, until it fails or the service ends.
    fn serve<D: DeviceTag>(
        &self,
        current: Current<'_, '_, D>,
        acl: &Acl,
        requests: Requests<'_, Request, Vec<f32>>,
    ) -> Result<(), Error> {
        self.openings.fetch_add(1, Ordering::Relaxed);
        let mut stream = current.create_stream::<Main>()?;
        let host = acl.host()?;
        requests.serve(|request| {
            let answer = self.double(current, host, &mut stream, &request);
            answer.inspect_err(|error| log("a request has failed", error))
        })
    }

    /// Doubles the numbers of a request. Its memory goes with the request.
    fn double<'dev, D: DeviceTag>(
        &self,
        current: Current<'_, 'dev, D>,
        host: HostSide<'dev>,
        stream: &mut Stream<'_, 'dev, D, Main>,
        request: &Request,
    ) -> Result<Vec<f32>, Error> {
        let shape = [request.numbers.len()];
        let numbers = stream.malloc_host_from(host, &request.numbers)?;
        let numbers = stream.memcpy_async(stream.malloc(shape[0])?, &numbers)?;
        let operand = numbers.tensor(&shape)?;
        let output = stream.malloc(shape[0])?.into_tensor(&shape)?;
        let sum = op::add(current, &operand, &operand, 1.0, output)?
            .launch(stream)?
            .into_output();
        if request.is_slow {
            let half = self.limit / 2;
            stream.launch_host_func(move || thread::sleep(half))?;
        }
        let back = stream.memcpy_async(stream.malloc_host(host, shape[0])?, &sum)?;
        Ok(stream.synchronize_within(self.limit)?.take(back).to_vec())
    }
}

/// Writes a line about a device to the log.
pub(crate) fn log(event: &str, error: &Error) {
    // A failed write to stderr cannot be reported anywhere.
    let _ = writeln!(std::io::stderr(), "{event}: {error}");
}
