//! Makes the token of a thread without claiming the thread.

use ascendcl::{Result, Thread};

fn wrong() -> Result<Thread> {
    Ok(Thread {}) //~ mistake
    //~ instead: Thread::claim()
}
