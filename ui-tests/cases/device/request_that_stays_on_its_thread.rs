//! Sends a worker a request that must stay on the thread of its client.

use std::rc::Rc; //~ mistake
use std::sync::Arc;

use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu};

fn wrong(acl: Arc<Acl>) {
    let options = WorkerOptions::default();
    let worker = Worker::spawn::<Npu<0>>(acl, 0, options, |_, _, requests| {
        requests.serve(|numbers: Rc<[f32]>| Ok(numbers.len())) //~ mistake
        //~ instead: requests.serve(|numbers: Arc<[f32]>| Ok(numbers.len()))
    });
    drop(worker);
}
