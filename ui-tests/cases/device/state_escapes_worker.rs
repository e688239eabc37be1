//! Keeps memory of a worker's device in a variable around the body, which runs again on another life of the device.

use std::sync::{Arc, Mutex};

use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu};

fn wrong(acl: Arc<Acl>) -> Worker<usize, usize> {
    let kept = Mutex::new(Vec::new()); //~ mistake
    Worker::spawn::<Npu<0>>(acl, 0, WorkerOptions::default(), move |current, _, requests| {
        //~ instead: let kept = Mutex::new(Vec::new());
        kept.lock().unwrap().push(current.malloc::<u8>(64)?);
        requests.serve(|index| Ok(index))
    })
}
