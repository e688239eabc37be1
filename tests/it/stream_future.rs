//! Futures: the end of a stream's work and of a buffer's, failures, aborts, wakers of every kind, and futures that are dropped.
//!
//! Only the eager schedule runs work without a wait of the host.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use ascendcl::error::{ErrorKind, Usage};
use ascendcl::stream::{Main, Stream};
use ascendcl::{Error, Npu, leaks};

use crate::common::{acl, bound, isolated, usage};
use crate::release_limit::{LIMIT, hang};

type D = Npu<0>;

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor: one future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Arc::new(Unpark(thread::current())).into();
    let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// Counts its calls.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Queues a function that runs until the sender is dropped.
fn hold(stream: &mut Stream<'_, '_, D, Main>) -> Sender<()> {
    let (sender, receiver) = channel::<()>();
    stream
        .launch_host_func(move || receiver.recv().map_or((), drop))
        .unwrap();
    sender
}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    fn a_stream_and_its_memory_are_awaited() {
        bound!(acl, device: D, current, stream);
        block_on(async {
            for turn in 0..20 {
                let work = stream.memset_async(stream.malloc::<u8>(64)?, turn)?;
                let done = stream.completed(work);
                let later = stream.memset_async(stream.malloc::<u8>(64)?, turn)?;
                let work = done.await?;
                let idle = stream.synchronized().await?;
                idle.verify(work).free()?;
                idle.take(later).free()?;
            }
            Ok::<_, Error>(())
        })
        .unwrap();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507011,task:aclrtMemsetAsync#2=507011"]
    on emulator fn a_failure_is_the_result_of_the_wait() {
        bound!(acl, device: D, current, stream);
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
        let unverified = block_on(stream.completed(work)).unwrap(); // it is over, and says nothing of success
        let failed = block_on(stream.synchronized()).unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::Wait(_)), "{failed}");
        unverified.accept_unverified().free().unwrap();
        assert!(matches!(usage(block_on(stream.synchronized())), Usage::StreamPoisoned { .. }));
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager", "ASCENDCL_EMULATOR_FAULTS" = "aclrtLaunchHostFunc#1=507899,aclrtLaunchHostFunc#2=507899"]
    on emulator fn a_refused_function_is_the_result_of_the_future() {
        bound!(acl, device: D, current, stream);
        assert_eq!(block_on(stream.synchronized()).unwrap_err().code(), Some(507899));
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
        assert_eq!(block_on(stream.completed(work)).unwrap_err().code(), Some(507899));
        assert_eq!(ascendcl::parked_bytes(), 64);
        stream.synchronize().unwrap();
        assert_eq!(ascendcl::parked_bytes(), 0);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    fn what_is_dropped_is_freed_behind_the_work() {
        bound!(acl, device: D, current, stream);
        let holds = hold(&mut stream);
        let waker = Waker::noop();
        for _ in 0..10 {
            let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            let mut future = stream.completed(work);
            assert!(Pin::new(&mut future).poll(&mut Context::from_waker(waker)).is_pending());
        }
        assert!(pin!(stream.synchronized()).poll(&mut Context::from_waker(waker)).is_pending());
        std::mem::forget(stream.synchronized());
        assert_eq!(ascendcl::parked_bytes(), 640);
        drop(holds);
        stream.synchronize().unwrap();
        assert_eq!((ascendcl::parked_bytes(), leaks()), (0, 0));
    }

    /// Without a wait of the host: a stream whose work never ends all at once would keep what its futures drop.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    fn a_later_future_frees_what_is_behind_an_earlier_one() {
        bound!(acl, device: D, current, stream);
        let mut turn = || {
            let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            drop(stream.completed(work));
            let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            drop(block_on(stream.completed(work)).unwrap().accept_unverified());
        };
        for _ in 0..1000 {
            turn();
            // The memory of this turn, which the next future frees.
            assert_eq!(ascendcl::parked_bytes(), 64);
        }
        assert_eq!(leaks(), 0);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    fn the_task_that_polled_last_is_woken_once() {
        bound!(acl, device: D, current, stream);
        let holds = hold(&mut stream);
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
        let mut future = stream.completed(work);
        let counts = [(); 2].map(|()| Arc::<Count>::default());
        for count in [&counts[0], &counts[1], &counts[1]] {
            let waker = Arc::clone(count).into();
            assert!(Pin::new(&mut future).poll(&mut Context::from_waker(&waker)).is_pending());
        }
        drop(holds);
        let memory = block_on(&mut future).unwrap();
        let idle = stream.synchronize().unwrap();
        idle.verify(memory).free().unwrap();
        // The waker of `block_on` may have come in time.
        assert_eq!(counts[0].0.load(Ordering::SeqCst), 0);
        assert!(counts[1].0.load(Ordering::SeqCst) <= 1);
        // Behind its result it is pending, and nobody wakes it.
        assert!(Pin::new(&mut future).poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager"]
    on emulator fn a_waker_that_panics_poisons_the_stream() {
        bound!(acl, device: D, current);
        struct Panics;
        impl Wake for Panics {
            fn wake(self: Arc<Self>) {
                panic!("woken");
            }
        }
        let mut stream = current.create_stream::<Main>().unwrap();
        let holds = hold(&mut stream);
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
        let mut future = stream.completed(work);
        let waker = Arc::new(Panics).into();
        assert!(Pin::new(&mut future).poll(&mut Context::from_waker(&waker)).is_pending());
        drop(holds);
        assert!(matches!(usage(stream.synchronize()), Usage::HostFuncPanicked { .. }));
        let memory = block_on(future).unwrap();
        memory.accept_unverified().free().unwrap();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "eager", "ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn an_abort_ends_the_futures_of_its_stream() {
        let acl = acl();
        acl.on_within::<D, _>(0, LIMIT, |current| {
            let mut stream = current.create_stream::<Main>()?;
            hang(&stream);
            let work = stream.memset_async(stream.malloc::<u8>(64)?, 1)?;
            let mut future = stream.completed(work);
            let count = Arc::<Count>::default();
            let waker = Arc::clone(&count).into();
            assert!(Pin::new(&mut future).poll(&mut Context::from_waker(&waker)).is_pending());
            let stream = stream.abort()?;
            assert_eq!(count.0.load(Ordering::SeqCst), 1);
            assert!(matches!(usage(block_on(future)), Usage::Aborted { .. }));
            drop(stream);
            assert_eq!((ascendcl::parked_bytes(), leaks()), (0, 0));
            Ok(())
        })
        .unwrap();
    }
}
