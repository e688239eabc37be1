//! Calls of AscendCL on threads of their own, because they may take longer than their caller waits.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::error::{Result, Usage};

/// The number of threads of the process whose calls have not returned.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread is inside of such calls. AscendCL must stay initialised then.
pub(crate) fn runs() -> bool {
    RUNNING.load(Ordering::SeqCst) > 0
}

/// Calls that have not returned. Dropped before anyone learns that they are over: AscendCL may be finalised from then on.
pub(super) struct Running(());

impl Running {
    pub(super) fn begin() -> Running {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Running(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The outcome of work on a thread of its own.
pub(super) struct Later(Arc<(Mutex<Option<Result<()>>>, Condvar)>);

impl Later {
    /// Starts `work` on a thread of its own.
    ///
    /// # Errors
    ///
    /// [`Usage::NoThread`]. `work` is dropped then.
    pub(super) fn start(
        name: &str,
        work: Box<dyn FnOnce(Running) -> Result<()> + Send>,
    ) -> Result<Later> {
        let outcome = Arc::new((Mutex::new(None), Condvar::new()));
        let (told, running) = (Arc::clone(&outcome), Running::begin());
        let body = move || {
            let result = work(running);
            *told.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            told.1.notify_all();
        };
        let started = thread::Builder::new().name(name.to_owned()).spawn(body);
        if let Err(error) = started {
            let reason = error.to_string();
            return Err(Usage::NoThread { reason }.into());
        }
        Ok(Later(outcome))
    }

    /// Returns the outcome if it comes within the limit.
    pub(super) fn within(self, limit: Duration) -> Option<Result<()>> {
        let outcome = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |outcome: &mut Option<Result<()>>| outcome.is_none();
        let waited = self.0.1.wait_timeout_while(outcome, limit, is_open);
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::{Later, runs};
    use crate::error::Result;

    #[test]
    fn who_learns_that_calls_are_over_may_finalise() -> Result<()> {
        let (send, receive) = channel();
        let work = move |running| {
            send.send(runs()).ok();
            drop(running);
            send.send(runs()).ok();
            Ok(())
        };
        let started = Later::start("calls", Box::new(work))?;
        assert_eq!(receive.iter().collect::<Vec<_>>(), [true, false]);
        assert!(matches!(started.within(Duration::MAX), Some(Ok(()))));
        Ok(())
    }
}
