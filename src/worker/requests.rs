//! The requests as the body of a worker sees them, and the lives of its device.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::queue::Queue;
use super::{Failed, WorkerOptions};
use crate::context::Current;
use crate::device::NamedDevice;
use crate::error::{Error, ErrorKind, Recovery, Result, Usage};
use crate::raw::contained;
use crate::release;
use crate::runtime::Acl;

/// The requests of a worker, for one opening of its device.
///
/// ```
/// use ascendcl::worker::Requests;
/// use ascendcl::{Acl, Current, Npu, Result, stream::Main};
///
/// /// The body of a worker: it counts in memory of the device, which it keeps.
/// fn count(current: Current<'_, '_, Npu<0>>, acl: &Acl, requests: Requests<'_, u32, u32>) -> Result<()> {
///     let mut stream = current.create_stream::<Main>()?;
///     let mut sum = stream.malloc_host_from(acl.host()?, &[0_u32])?;
///     requests.serve(|number| {
///         let idle = stream.synchronize()?;
///         let sum = idle.get_mut(&mut sum);
///         sum[0] += number;
///         Ok(sum[0])
///     })
/// }
/// # ascendcl::example!(|acl| {
/// # let options = ascendcl::worker::WorkerOptions::default();
/// # let worker = ascendcl::worker::Worker::spawn(std::sync::Arc::new(acl), 0, options, count);
/// # assert_eq!([1, 2].map(|number| worker.client().call(number).ok()), [Some(1), Some(3)]);
/// # });
/// ```
pub struct Requests<'w, Q, A> {
    queue: &'w Queue<Q, A>,
    life: &'w Life,
}

/// What is known of one opening of a device.
#[derive(Default)]
struct Life {
    /// Whether the handler has run without a failure of the device.
    has_served: Cell<bool>,
    /// How `serve` has returned.
    served: Cell<Option<Result<()>>>,
}

impl<Q, A> Requests<'_, Q, A> {
    /// Answers requests with `handler`, until the worker stops or the device has failed.
    ///
    /// - A value is the answer.
    /// - An error after which streams can be used as before refuses the request ([`Failed::Refused`]), for example a missing
    ///   buffer or a wrong length.
    /// - An error of queued work (a failed wait, a poisoned or aborted stream), and one for which only a reset helps
    ///   ([`Recovery::Reset`]), fails the request ([`Failed::Device`]) and ends this function. So does a panic
    ///   ([`Failed::Panicked`]), because it may have left the state of the handler half done.
    ///
    /// An error of this crate inside the answer is none of these, and the device is never reset for it: use `?`, and answer
    /// only with errors of the service.
    ///
    /// The body returns then. Its device is reset and opened again, and the same body continues with the next request.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// use ascendcl::worker::Failed;
    ///
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(100_u32.checked_div(number).unwrap()))
    /// });
    /// let client = worker.client();
    /// assert!(matches!(client.call(0), Err(Failed::Panicked(_))));
    /// assert_eq!(client.call(5).ok(), Some(20)); // the device was opened again
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error that has ended the service of this opening; [`Usage::Panicked`] for a panic. The body returns it.
    pub fn serve(self, mut handler: impl FnMut(Q) -> Result<A>) -> Result<()> {
        let served = loop {
            let Some((request, reply)) = self.queue.next() else {
                break Ok(());
            };
            let (answer, failure) = match catch(|| handler(request)) {
                Ok(Ok(answer)) => (Ok(answer), None),
                Ok(Err(error)) if is_of_device(&error) => {
                    (Err(Failed::Device(error.clone())), Some(error))
                }
                Ok(Err(error)) => (Err(Failed::Refused(error)), None),
                Err(text) => {
                    let failure = Usage::Panicked { text: text.clone() }.into();
                    (Err(Failed::Panicked(text)), Some(failure))
                }
            };
            if !matches!(answer, Err(Failed::Device(_))) {
                self.life.has_served.set(true);
            }
            // It may drop an answer whose client has gone.
            contained(|| reply.send(answer));
            if let Some(failure) = failure {
                break Err(failure);
            }
        };
        self.life.served.set(Some(served.clone()));
        served
    }
}

impl<Q, A> fmt::Debug for Requests<'_, Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Requests")
    }
}

/// Whether the streams of a handler cannot be used any more.
fn is_of_device(error: &Error) -> bool {
    let is_of_work = matches!(
        error.kind(),
        ErrorKind::Wait(_)
            | ErrorKind::Usage(
                Usage::StreamPoisoned { .. }
                    | Usage::HostFuncPanicked { .. }
                    | Usage::FailedMeanwhile { .. }
                    | Usage::Aborted { .. }
            )
    );
    is_of_work || error.recovery() == Recovery::Reset
}

/// Runs code of the program. If it panics, the text of the panic comes back.
fn catch<R>(code: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        contained(|| drop(panic));
        text.unwrap_or_else(|| "a value that is no text".to_owned())
    })
}

/// Opens a device and runs `body` on it, again after each failure, until the worker stops or the device is given up.
pub(super) fn serve_all<D: NamedDevice, Q, A>(
    acl: &Acl,
    id: u32,
    options: WorkerOptions,
    queue: &Queue<Q, A>,
    body: impl for<'on, 'w> Fn(Current<'on, 'on, D>, &'w Acl, Requests<'w, Q, A>) -> Result<()>,
) -> Result<()> {
    let mut in_vain = 0;
    let mut last = None;
    loop {
        let life = &Life::default();
        let run = || {
            acl.run_on::<D, _>(id, options.limit, |current| {
                body(current, acl, Requests { queue, life })
            })
        };
        let ended = catch(run).unwrap_or_else(|text| Err(Usage::Panicked { text }.into()));
        let (error, is_told) = match (life.served.take(), ended) {
            (Some(Ok(())), ended) => return ended,
            (Some(Err(error)), _) => (error, true),
            (None, Err(error)) => (error, false),
            (None, Ok(())) => (Usage::NotServed.into(), false),
        };
        let is_taken = matches!(
            error.kind(),
            ErrorKind::Usage(Usage::SlotTaken { .. } | Usage::DeviceTaken { .. })
        );
        // After a failed reset the device stays taken. Its own error says why it was reset.
        if is_taken && let Some(last) = last {
            return Err(last);
        }
        let is_in_vain = !life.has_served.get();
        in_vain = if is_in_vain { in_vain + 1 } else { 0 };
        // A request may get an error of this class for what it asked for, and the next one succeeds. Another worker that has
        // the device may be about to end.
        let is_hopeless = !is_told && !is_taken && error.recovery() == Recovery::GiveUp;
        if is_hopeless || (is_in_vain && in_vain >= options.attempts) {
            return Err(error);
        }
        let pause = options.pause.saturating_mul(1 << in_vain.min(10));
        if !queue.pause(pause) {
            return if is_told { Ok(()) } else { Err(error) };
        }
        if !is_told {
            release::report(&error);
        }
        if !is_taken {
            last = Some(error);
        }
    }
}
