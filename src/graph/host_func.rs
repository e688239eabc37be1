//! Functions of the host that each run of a graph calls.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use ascendcl_sys as sys;

use crate::callback::{HostOperand, drop_alone, lent_again};
use crate::context::with_bound;
use crate::device::{Core, DeviceTag, Held, HostFuncs};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::park::{self, Parked, StreamKey};
use crate::raw::{check, without_claims};
use crate::stream::{GraphBrand, Stream};
use crate::sync::{Mutex, lock, shared};

shared! {
    /// The functions of all graphs, with their numbers. C has the number only, so a call that comes too late finds nothing.
    static FUNCTIONS: Mutex<BTreeMap<usize, Arc<Repeated>>> = Mutex::new(BTreeMap::new());
}

/// A function that a graph calls.
struct Repeated {
    function: Mutex<Box<dyn FnMut() + Send>>,
    /// Whether its device has ended.
    is_stopped: AtomicBool,
    device: Weak<Core>,
    functions: Arc<HostFuncs>,
}

impl Held for Repeated {
    fn cancel(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
    }
}

impl<'g, D: DeviceTag> Stream<'_, '_, D, GraphBrand<'g>> {
    /// Records a function of the host, which each run calls (`aclrtLaunchHostFunc`). A thread of the runtime calls it, and later
    /// work of the run waits until it has returned. The graph owns it, and drops it when it is destroyed.
    ///
    /// The function must not wait for a thread that waits for a stream of the same device, as for
    /// [`Stream::launch_host_func`](crate::Stream::launch_host_func). If it panics, the next wait for the stream that has the
    /// graph returns [`Usage::HostFuncPanicked`], and the next run calls it again.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, receiver) = channel();
    /// let mut count = 0;
    /// let mut graph = stream.capture((), |recording, ()| {
    ///     recording.each_run(move || {
    ///         count += 1;
    ///         let _ = sender.send(count);
    ///     })
    /// })?;
    /// graph.launch(&mut stream)?;
    /// graph.launch(&mut stream)?;
    /// stream.synchronize()?;
    /// assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] where an older CANN lacks the function.
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn each_run(&mut self, function: impl FnMut() + Send + 'static) -> Result<()> {
        self.record_function(Box::new(function))
    }

    /// Records a function of the host with host memory of the graph, as [`each_run`](Self::each_run) does. It reads what earlier
    /// work of the run has written, and later work reads what it writes.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = current.malloc_host_from(host, &[1_u32, 2])?;
    /// let mut graph = stream.capture(numbers, |recording, mut numbers| {
    ///     recording.each_run_on(&mut numbers, |numbers| numbers.iter_mut().for_each(|n| *n *= 2))
    /// })?;
    /// graph.launch(&mut stream)?;
    /// graph.launch(&mut stream)?;
    /// assert_eq!(stream.synchronize()?.take(graph).destroy()?[..], [4, 8]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`each_run`](Self::each_run).
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn each_run_on<M>(
        &mut self,
        memory: M,
        function: impl FnMut(&mut [M::Touched]) + Send + 'static,
    ) -> Result<()>
    where
        M: HostOperand<(D, GraphBrand<'g>)>,
    {
        // SAFETY: recorded on this stream, whose runs wait for it.
        self.record_function(Box::new(unsafe { lent_again(memory, function) }))
    }

    fn record_function(&mut self, function: Box<dyn FnMut() + Send>) -> Result<()> {
        let ident = self.ident();
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| record(core, ident, self.as_raw(), function)) }
    }
}

/// Records a function on a stream with the numbers of a graph and of its recording.
fn record(
    core: &Core,
    (graph, recording): (u64, u64),
    stream: sys::aclrtStream,
    function: Box<dyn FnMut() + Send>,
) -> Result<()> {
    let repeated = Arc::new(Repeated {
        function: Mutex::new(function),
        is_stopped: AtomicBool::new(false),
        device: core.weak(),
        functions: Arc::clone(core.host_funcs()),
    });
    // Numbers begin at 0, and no address is null.
    let address = usize::try_from(park::number()).unwrap_or(usize::MAX) + 1;
    let data = std::ptr::without_provenance_mut::<c_void>(address);
    let Some(pointer) = NonNull::new(data) else {
        return Ok(());
    };
    let held: Arc<dyn Held> = Arc::clone(&repeated) as Arc<dyn Held>;
    core.host_funcs()
        .repeat(graph, address, Arc::downgrade(&held));
    lock(&FUNCTIONS).insert(address, repeated);
    // It lives as long as the recording, also where the call is refused.
    let parked = Parked {
        pointer,
        bytes: 0,
        free: forget,
        call: "aclrtLaunchHostFunc",
    };
    core.parking()
        .park(&[Some(StreamKey::Graph(recording))], parked);
    // SAFETY: a live stream, a function, and the number that it asks for.
    let code = unsafe { sys::aclrtLaunchHostFunc(stream, Some(call), data) };
    check("aclrtLaunchHostFunc", code)
}

/// Drops the function with this number, whose graph is gone.
///
/// # Safety
///
/// - None. It has the type of functions that free parked memory.
unsafe fn forget(number: NonNull<c_void>) -> sys::aclError {
    let address = number.addr().get();
    let function = lock(&FUNCTIONS).remove(&address);
    if let Some(function) = function {
        function.functions.no_more(address);
        drop_alone(function);
    }
    sys::ACL_SUCCESS
}

/// The function that the runtime calls.
///
/// # Safety
///
/// - None: `data` is a number.
unsafe extern "C" fn call(data: *mut c_void) {
    let address = data.addr();
    let Some(repeated) = lock(&FUNCTIONS).get(&address).map(Arc::clone) else {
        return;
    };
    let Some(stream) = repeated.functions.begin_again(address) else {
        return;
    };
    let failure = repeated.run(stream);
    repeated.functions.end(stream);
    if let (Some(failure), Some(device)) = (failure, repeated.device.upgrade()) {
        device.ledger().keep(stream, failure.into());
    }
    // The last owner may be here: its device may have ended meanwhile.
    drop_alone(repeated);
}

impl Repeated {
    /// Calls the function. Returns an error if it has panicked.
    fn run(&self, stream: StreamKey) -> Option<Usage> {
        let mut function = lock(&self.function);
        if self.is_stopped.load(Ordering::SeqCst) {
            return None;
        }
        // Nothing of this crate is behind the closure that a panic could leave half done.
        let called = catch_unwind(AssertUnwindSafe(|| without_claims(&mut **function)));
        let panic = called.err()?;
        drop_alone(panic);
        let name = stream.label();
        Some(Usage::HostFuncPanicked { name })
    }
}
