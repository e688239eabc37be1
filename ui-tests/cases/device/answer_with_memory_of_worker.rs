//! Answers a request with memory of the device, which would leave the thread of the worker and outlive the device.

use std::sync::Arc;

use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu};

fn wrong(acl: Arc<Acl>) {
    let options = WorkerOptions::default();
    let worker = Worker::spawn::<Npu<0>>(acl, 0, options, |current, _, requests| {
        requests.serve(|len: usize| current.malloc::<u8>(len)) //~ mistake
        //~ instead: requests.serve(|len: usize| Ok(current.malloc::<u8>(len)?.len()))
    });
    drop(worker.client().call(64));
}
