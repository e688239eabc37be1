//! Serves the requests of a worker again after the device has failed, with the streams and the memory of before.

use std::sync::Arc;

use ascendcl::worker::{Worker, WorkerOptions};
use ascendcl::{Acl, Npu};

fn wrong(acl: Arc<Acl>) -> Worker<u32, u32> {
    Worker::spawn::<Npu<0>>(acl, 0, WorkerOptions::default(), |_, _, requests| {
        while requests.serve(|number| Ok(number + 1)).is_err() {} //~ mistake
        Ok(()) //~ mistake
        //~ instead: requests.serve(|number| Ok(number + 1))
    })
}
