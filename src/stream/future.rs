//! The end of queued work as a future, for any executor.
//!
//! A host function behind the work wakes the task. It makes no call of the runtime, and nobody waits on a thread of its own.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::context::with_bound;
use crate::device::AnyDevice;
use crate::error::{Result, Usage};
#[cfg(doc)]
use crate::event::Fence;
use crate::outcome::{ContinuesAfterFailure, Unverified};
use crate::pending;
use crate::queue::{Queue, Queued, Resource, SameQueue};
use crate::release;
use crate::stream::{AnyStream, Idle, Stream, StreamTag};
use crate::sync::{Mutex, lock};

/// How the host function of a future has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It was called, so the work before it is over (A14).
    Called,
    /// It was dropped without a call, by an abort.
    Dropped,
}

/// What a future and its host function share: how the function has ended, and the task that waits for that.
#[derive(Debug, Default)]
pub(super) struct Flag(Mutex<(Option<End>, Option<Waker>)>);

impl Flag {
    /// Returns how the function has ended, or wakes the task when it ends.
    pub(super) fn poll(&self, context: &Context<'_>) -> Poll<End> {
        let waker = context.waker().clone();
        let mut state = lock(&self.0);
        if let Some(end) = state.0 {
            return Poll::Ready(end);
        }
        let last = state.1.replace(waker);
        // The code of an executor runs without the lock.
        drop(state);
        drop(last);
        Poll::Pending
    }

    fn end(&self, end: End) {
        let mut state = lock(&self.0);
        state.0.get_or_insert(end);
        let waker = state.1.take();
        // Without the lock: a waker is code of the executor, which may poll.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The part of the host function. It ends also when it is dropped.
pub(super) struct Ending(pub(super) Arc<Flag>);

impl Ending {
    pub(super) fn called(self) {
        self.0.end(End::Called);
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end(End::Dropped);
    }
}

/// The future of [`Stream::synchronized`].
///
/// ```
/// # ascendcl::example!(async |acl, host, current, stream| {
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let synchronized = stream.synchronized(); // the host has time for other work
/// synchronized.await?.take(zeros).free()?;
/// # });
/// ```
#[must_use = "a future does nothing unless it is awaited"]
pub struct Synchronized<'s, 't, 'dev, D: AnyDevice, S: StreamTag> {
    /// Empty once the future is ready.
    state: Option<(&'s mut Stream<'t, 'dev, D, S>, Result<Arc<Flag>>)>,
}

/// The future of [`Stream::completed`].
///
/// ```
/// # ascendcl::example!(async |acl, host, current, stream| {
/// let mut steps = Vec::new();
/// for step in 0..3 {
///     let filled = stream.memset_async(stream.malloc::<u8>(4)?, step)?;
///     steps.push(stream.completed(filled)); // each at its own point of the stream
/// }
/// for step in steps {
///     step.await?.accept_unverified().free()?;
/// }
/// # });
/// ```
#[must_use = "a future does nothing unless it is awaited"]
pub struct Completed<'dev, Q: Queue, R: Resource<Q::Device>, H = ()> {
    /// Empty once the future is ready.
    state: Option<(Queued<'dev, Q, R, H>, Result<Arc<Flag>>)>,
}

impl<'t, 'dev, D: AnyDevice, S: AnyStream> Stream<'t, 'dev, D, S>
where
    D::Mode: ContinuesAfterFailure,
{
    /// Waits until all work of the stream is over, as a future (`aclrtLaunchHostFunc`, `aclrtSynchronizeStream`). The stream is
    /// borrowed meanwhile, so nothing is queued behind the work. The future stays on its thread.
    ///
    /// The host function is queued by this call. The future makes the wait of [`Stream::synchronize`] when the work is over, so
    /// the wait returns at once. A future that is dropped leaves the work queued.
    ///
    /// ```
    /// # ascendcl::example!(async |acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let zeros = stream.synchronized().await?.take(zeros);
    /// zeros.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::synchronize`] and [`Stream::launch_host_func`]. If the device is lost and its stream is not aborted, the
    /// future does not become ready: give it a time limit, as the executor has one.
    pub fn synchronized(&mut self) -> Synchronized<'_, 't, 'dev, D, S>
    where
        S: StreamTag,
    {
        let signal = self.signal();
        Synchronized {
            state: Some((self, signal)),
        }
    }

    /// Gives memory back when the work that is queued until now is over, as a future (`aclrtLaunchHostFunc`). The stream can be
    /// used meanwhile. The future can be sent to another thread, and makes no call of the runtime. The task is woken inside of a
    /// host function, so the executor must not run it there.
    ///
    /// As behind a [`Fence`], the work is over and may have failed: a later successful wait for the stream
    /// [verifies](crate::stream::Idle::verify) the memory. The memory of a future that is dropped is freed by a later wait for
    /// the stream, or by a later future of the stream when its work is over.
    ///
    /// ```
    /// # ascendcl::example!(async |acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let completed = stream.completed(zeros);
    /// let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?; // behind this point
    /// let zeros = completed.await?;
    /// stream.synchronize()?.verify(zeros).free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::launch_host_func`], and [`Usage::Aborted`] when the stream was aborted before the work was over. The
    /// memory is parked then. If the device is lost, see [`Stream::synchronized`].
    pub fn completed<P, R, H>(&mut self, queued: Queued<'dev, P, R, H>) -> Completed<'dev, P, R, H>
    where
        S: StreamTag,
        P: Queue + SameQueue<(D, S)>,
        R: Resource<P::Device>,
    {
        Completed {
            state: Some((queued, self.signal())),
        }
    }

    /// Queues the host function of a future, and frees what is in front of those that have begun.
    fn signal(&mut self) -> Result<Arc<Flag>>
    where
        S: StreamTag,
    {
        let key = self.key();
        // SAFETY: this value borrows the binding that made it.
        let parking = unsafe { with_bound(|core| Arc::clone(core.parking())) };
        if pending::of_parked() {
            let unfreed = parking.free_behind_begun(key);
            unfreed.iter().for_each(release::failed);
        }
        let point = parking.point();
        let signal = Arc::<Flag>::default();
        let ending = Ending(Arc::clone(&signal));
        self.launch_host_func(move || {
            if pending::of_parked() {
                parking.begun(key, point);
            }
            ending.called();
        })?;
        Ok(signal)
    }
}

impl<'s, D: AnyDevice, S: StreamTag> Future for Synchronized<'s, '_, '_, D, S> {
    type Output = Result<Idle<'s, (D, S)>>;

    /// After its result, the future is pending for ever.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some((_, Ok(signal))) = &self.state
            && signal.poll(context).is_pending()
        {
            return Poll::Pending;
        }
        match self.state.take() {
            // Behind an abort this wait returns its error.
            Some((stream, signal)) => Poll::Ready(signal.and_then(|_| stream.synchronize())),
            None => Poll::Pending,
        }
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Unpin for Completed<'_, Q, R, H> {}

impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Future for Completed<'dev, Q, R, H> {
    type Output = Result<Unverified<'dev, Q, R, H>>;

    /// After its result, the future is pending for ever.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let end = match &self.state {
            Some((_, Ok(signal))) => match signal.poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(end) => end,
            },
            _ => End::Dropped,
        };
        let Some((queued, signal)) = self.state.take() else {
            return Poll::Pending;
        };
        Poll::Ready(match (signal, end) {
            // The function is behind the work that used the memory (A14).
            (Ok(_), End::Called) => Ok(Unverified::new(queued.into_resource())),
            (Ok(_), End::Dropped) => Err(Usage::Aborted {
                name: queued.label(),
            }
            .into()),
            (Err(error), _) => Err(error),
        })
    }
}

impl<D: AnyDevice, S: StreamTag> fmt::Debug for Synchronized<'_, '_, '_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Synchronized").finish_non_exhaustive()
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> fmt::Debug for Completed<'_, Q, R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completed").finish_non_exhaustive()
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use std::task::Wake;

    use super::*;
    use crate::sync::{AtomicUsize, Ordering};

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_task_polls_the_end_or_is_woken_by_it() {
        for is_called in [true, false] {
            loom::model(move || {
                let signal = Arc::<Flag>::default();
                let ending = Ending(Arc::clone(&signal));
                let count = Arc::new(Count(AtomicUsize::new(0)));
                let waker = Arc::clone(&count).into();
                let context = Context::from_waker(&waker);
                let function = loom::thread::spawn(move || match is_called {
                    true => ending.called(),
                    false => drop(ending),
                });
                let polled = signal.poll(&context).is_ready();
                function.join().unwrap();
                assert_eq!(count.0.load(Ordering::Relaxed), usize::from(!polled));
                let end = if is_called { End::Called } else { End::Dropped };
                assert_eq!(signal.poll(&context), Poll::Ready(end));
            });
        }
    }
}
