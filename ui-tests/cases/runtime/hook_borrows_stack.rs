//! Sets a hook that borrows a local variable, and is called after the function has returned.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl::on_release_failure;

static OF_PROCESS: AtomicU64 = AtomicU64::new(0);

fn wrong(of_function: AtomicU64) {
    on_release_failure(|_| {
        of_function.fetch_add(1, Ordering::Relaxed); //~ mistake
        //~ instead: OF_PROCESS.fetch_add(1, Ordering::Relaxed);
    });
    OF_PROCESS.store(of_function.into_inner(), Ordering::Relaxed);
}
