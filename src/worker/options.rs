//! How a worker queues requests, and how it opens its devices again.

use std::time::Duration;

/// The options of a worker.
///
/// With the feature `serde` a file can have some or all of them: `queue`, `attempts`, and `pause` and `limit` as `secs` and `nanos`.
///
/// ```
/// use std::time::Duration;
///
/// use ascendcl::worker::WorkerOptions;
///
/// let options = WorkerOptions::default()
///     .with_queue(256)
///     .with_limit(Duration::from_secs(5));
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct WorkerOptions {
    pub(super) queue: usize,
    pub(super) attempts: u32,
    pub(super) pause: Duration,
    pub(super) limit: Option<Duration>,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        WorkerOptions {
            queue: 64,
            attempts: 6,
            pause: Duration::from_millis(20),
            limit: None,
        }
    }
}

impl WorkerOptions {
    /// Sets how many requests the queue holds, at least one. The default is 64. A client that sends one more waits.
    ///
    /// ```
    /// use ascendcl::worker::WorkerOptions;
    ///
    /// let options = WorkerOptions::default().with_queue(8);
    /// ```
    #[must_use]
    pub fn with_queue(mut self, requests: usize) -> Self {
        self.queue = requests;
        self
    }

    /// Sets after how many openings in a row a device is given up that have ended before it has served a request, at least
    /// one. A request that was refused, or whose handler has panicked, was served. The default is 6.
    ///
    /// ```
    /// use ascendcl::worker::WorkerOptions;
    ///
    /// let options = WorkerOptions::default().with_attempts(3);
    /// ```
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets the pause before a device is opened again. It is doubled after each opening that has served no request, at most ten
    /// times. The default is 20 milliseconds.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ascendcl::worker::WorkerOptions;
    ///
    /// let options = WorkerOptions::default().with_pause(Duration::from_secs(1));
    /// ```
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Sets the limit for each wait that a release makes, as for [`Acl::on_within`](crate::Acl::on_within). By default there is
    /// none: a device that hangs holds up its worker for ever. With a limit of zero, or of more milliseconds than C's `int32_t`
    /// holds, the worker ends with [`Usage::Timeout`](crate::error::Usage::Timeout).
    ///
    /// The waits of the requests themselves have the limits that the program gives them, such as that of
    /// [`Stream::synchronize_within`](crate::Stream::synchronize_within).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ascendcl::worker::WorkerOptions;
    ///
    /// let options = WorkerOptions::default().with_limit(Duration::from_secs(5));
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }
}
