//! Traits for the missing step before a call. No type with values implements them.

use std::process;

/// The only type that implements the traits. It has no values.
#[allow(dead_code, reason = "no value has this type")]
pub(super) enum Nobody {}

/// Declares traits that no type with values implements. A bound of a type without parameters needs a lifetime: the
/// compiler refuses a bound that is false for all callers alike.
macro_rules! missing {
    ($( #[$message:meta] $trait:ident $(<$any:lifetime>)?; )*) => { $(
        #[$message]
        pub trait $trait $(<$any>)? {
            /// The result of an index.
            type Never;
            /// Never runs.
            fn never() -> !;
        }
        // Without any implementation, the compiler would suggest to write one.
        #[diagnostic::do_not_recommend]
        impl $(<$any>)? $trait $(<$any>)? for Nobody {
            type Never = Nobody;
            fn never() -> ! {
                process::abort()
            }
        }
    )* };
}

missing! {
    #[diagnostic::on_unimplemented(
        message = "a stream may still use this memory",
        label = "the memory belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the memory: `let buf = stream.synchronize()?.take(buf);`",
        note = "host memory can stay queued: `let idle = stream.synchronize()?;`, then `idle.get_mut(&mut buf)` reads and writes it",
        note = "later work of the same stream may use it now: `stream.memcpy_async(..)`, `queued.tensor(..)`"
    )]
    GivenBack;
    #[diagnostic::on_unimplemented(
        message = "other processes may use this memory",
        label = "shared memory has copies alone, until the process that owns it has ended the export",
        note = "copy it to memory of this device, and use that: `let here = stream.memcpy_async(stream.malloc(shared.len())?, &shared)?;`",
        note = "the process that owns it takes it back when all imports have ended: `shared.close(current)?`"
    )]
    OfThisProcess;
    #[diagnostic::on_unimplemented(
        message = "a stream may still run this model",
        label = "the model belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the model: `stream.synchronize()?.take(model).unload()?`",
        note = "or drop the queued model: it is unloaded after a wait for the stream"
    )]
    NotRunning;
    #[diagnostic::on_unimplemented(
        message = "a stream may still run operations of this communicator",
        label = "the communicator belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the communicator: `stream.synchronize()?.take(comm).destroy()?`",
        note = "or drop the queued communicator: it is destroyed after a wait for the stream"
    )]
    NotExchanging;
    #[diagnostic::on_unimplemented(
        message = "a stream may still wait for this notify",
        label = "the notify belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the notify: `stream.synchronize()?.take(notify).destroy()?`",
        note = "or drop the queued notify: it is destroyed after a wait for the stream"
    )]
    NotAwaited;
    #[diagnostic::on_unimplemented(
        message = "the host cannot see a signal",
        label = "only the stream of the notify sees it, and it has no time",
        note = "let that stream wait: `let (memory, notify) = stream.wait_notify(signal)?;`",
        note = "for the host, record an event: `let (memory, event) = stream.fence(event, memory)?.synchronize()?;`"
    )]
    SeenByHost;
    #[diagnostic::on_unimplemented(
        message = "nobody has waited for the fence of this memory",
        label = "the work before the fence may still run",
        note = "wait on the host: `let (unverified, event) = fence.synchronize()?;`",
        note = "or let another stream wait: `let (queued, event) = other.wait_fence(fence)?;`"
    )]
    Waited;
    #[diagnostic::on_unimplemented(
        message = "nobody knows whether the work on this memory has succeeded",
        label = "the work is over, and may have failed",
        note = "let the stream of the work verify the memory: `let buf = stream.synchronize()?.verify(unverified);`",
        note = "or accept the memory without a proof: `unverified.accept_unverified()`"
    )]
    Verified;
    #[diagnostic::on_unimplemented(
        message = "the program cannot touch device memory",
        label = "only the device can use the address",
        note = "copy it to host memory first: `current.memcpy(&mut host, &on_device)?`, then `host[..]`",
        note = "if the program runs on the device itself, `as_slice` shows memory of `malloc` as a slice"
    )]
    Touched;
    #[diagnostic::on_unimplemented(
        message = "the program cannot see cached device memory as a slice",
        label = "the cache may hold other bytes than the memory",
        note = "allocate memory for the program's own access with `malloc`",
        note = "or copy the memory to a buffer of `malloc_local`: `current.memcpy(&mut local, &cached)?`"
    )]
    Uncached;
    #[diagnostic::on_unimplemented(
        message = "lent memory belongs to the device until the scope ends",
        label = "work of the device may still use it",
        note = "use the memory after the end of the scope",
        note = "or wait for its stream inside the scope: `stream.synchronize()?.take(lease).into_inner()`"
    )]
    Returned;
    #[diagnostic::on_unimplemented(
        message = "nothing has written this memory",
        label = "fresh memory has no contents",
        note = "write all of the memory first, with a fill or a copy: `let buf = current.memset(buf, 0)?;`",
        note = "or make it the output of an operator: `buf.into_tensor(shape)?`"
    )]
    Written;
    #[diagnostic::on_unimplemented(
        message = "no stream has recorded this event",
        label = "an event has no state before a stream has recorded it",
        note = "record the event, and call the method of the result: `let recorded = stream.record(&mut event)?;`"
    )]
    WasRecorded;
    #[diagnostic::on_unimplemented(
        message = "an event that processes share has no status and no number",
        label = "the process that has created it records it, and others wait for it",
        note = "wait on the host, with a limit: `event.synchronize_within(limit)?`",
        note = "for the streams of one process create an event with abilities: `current.create_event::<OrderTiming>()?`"
    )]
    OfOneProcess;
    #[diagnostic::on_unimplemented(
        message = "no stream has recorded this event, so nobody could wait for it",
        label = "AscendCL waits for nothing in front of the first record",
        note = "record the event behind the work, and send what the record returns: `let key = event.record(&mut stream)?;`"
    )]
    RecordedOnce;
    #[diagnostic::on_unimplemented(
        message = "no thread is bound to this device",
        label = "AscendCL uses the device that is current on the thread",
        note = "bind the thread, and call the method of the binding: `let current = thread.set_current(&device)?;`"
    )]
    IsCurrent;
    #[diagnostic::on_unimplemented(
        message = "no device is current on this thread",
        label = "AscendCL uses the device that is current on the thread",
        note = "bind the thread to a device, and call the method of the binding: `let current = thread.set_current(&device)?;`"
    )]
    HasDevice<'any>;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` has one owner, so it cannot be cloned",
        label = "a second owner could release it while the first one uses it",
        note = "lend it instead: a call that does not release it takes `&` or `&mut`",
        note = "or move it: the new owner releases it"
    )]
    OneOwner<'any>;
    #[diagnostic::on_unimplemented(
        message = "memory has one owner, so it cannot be cloned",
        label = "a second owner could free or write the memory while the first one uses it",
        note = "lend the memory instead: a call that only reads it takes `&`",
        note = "for a copy of its elements, copy to new memory: `let copy = current.memcpy(current.malloc(buf.len())?, &buf)?;`",
        note = "several streams can read queued memory that is shared: `queued.share()`"
    )]
    Copied;
    #[diagnostic::on_unimplemented(
        message = "nobody has waited for this event",
        label = "the time of an event is known when the work before the event is over",
        note = "wait for the event first: `let done = recorded.synchronize()?;`, then `done.millis_since(&start)`"
    )]
    Awaited;
    #[diagnostic::on_unimplemented(
        message = "a drained stream does not prove that its work has succeeded",
        label = "`drain` waits until the work is over, and returns no failure",
        note = "for a proof, synchronise: `stream.synchronize()?.verify(unverified)`",
        note = "or accept the memory without a proof: `unverified.accept_unverified()`"
    )]
    Succeeded;
    #[diagnostic::on_unimplemented(
        message = "access to this peer is not enabled",
        label = "a route says only that access is possible",
        note = "enable the access, and call its method: `let access = route.enable(current)?;`"
    )]
    Enabled;
    #[diagnostic::on_unimplemented(
        message = "this memory has contents already",
        label = "an operator takes only fresh memory by value",
        note = "lend the memory: `buf.tensor_mut(shape)?`"
    )]
    Fresh;
    #[diagnostic::on_unimplemented(
        message = "the program cannot index this memory",
        label = "only host memory that was written has elements for the program",
        note = "device memory: copy it to host memory first: `current.memcpy(&mut host, &on_device)?`, then `host[..]`",
        note = "fresh memory (`Uninit`): write all of it first, by a fill or as the destination of a copy; host memory with contents is `malloc_host_from(host, &numbers)?`",
        note = "memory of a stream or of a queued graph: wait for the stream and take it, `stream.synchronize()?.take(queued)`"
    )]
    Indexable;
    #[diagnostic::on_unimplemented(
        message = "a parked stream belongs to no thread, so it cannot queue work or wait",
        label = "a thread that is bound to the device can use the stream",
        note = "use the stream in a closure: `parked.with(current, |stream| stream.synchronize().map(drop))?;`",
        note = "a stream with a name can also stay on this thread: `let mut stream = current.attach(parked);`"
    )]
    Attached;
    #[diagnostic::on_unimplemented(
        message = "the binding of the thread parks a stream",
        label = "a stream does not store its device",
        note = "pass the stream to the binding: `let parked = current.park(stream);`"
    )]
    Parks;
    #[diagnostic::on_unimplemented(
        message = "an output cannot be expanded: the operator would write one element several times",
        label = "each element of an output is written once",
        note = "describe an output of the whole shape; operands can be expanded: `tensor.expand(shape)?`"
    )]
    Distinct;
    #[diagnostic::on_unimplemented(
        message = "a view has no other shape: its elements do not lie one behind the other",
        label = "`reshape` is for contiguous tensors",
        note = "reshape the tensor first and make the view of it then; rows that do lie one behind the other: `view.contiguous()?.reshape(shape)?`",
        note = "or let an operator copy the elements to a contiguous output"
    )]
    Gapless;
    #[diagnostic::on_unimplemented(
        message = "the host cannot look at the elements of a queued tensor",
        label = "work of the stream may still write them",
        note = "take the memory back first: `let buf = stream.synchronize()?.take(buf);`; the operator runs on idle memory then, by `plan.run(&mut stream)`",
        note = "if the program knows the elements, it says so: `unsafe {{ tensor.assume_indices(below) }}`, `assume_positions`, `assume_mask`"
    )]
    Seen;
    #[diagnostic::on_unimplemented(
        message = "this is a launched operator: its output and its workspace",
        label = "the output is one of two parts",
        note = "take the output, and leave the workspace to the stream: `let out = plan.launch(&mut stream)?.into_output();`",
        note = "or keep both: `launched.output` and `launched.workspace`"
    )]
    TakenApart;
    #[diagnostic::on_unimplemented(
        message = "an operator cannot use host memory",
        label = "operators compute on the device",
        note = "copy it to device memory first: `let on_device = current.memcpy(current.malloc(on_host.len())?, &on_host)?;`, then `on_device.tensor(shape)?`"
    )]
    OnTheDevice;
    #[diagnostic::on_unimplemented(
        message = "the type of this memory does not have its length",
        label = "the shape of an array is part of the type of its memory",
        note = "describe the shape at run time: `buffer.tensor(shape)?`, for the functions of `op`",
        note = "or allocate memory of a known length: `current.malloc_as::<[f32; 16]>()?`"
    )]
    KnownLength;
    #[diagnostic::on_unimplemented(
        message = "a plan runs once, so it cannot be cloned",
        label = "`run` and `launch` use up the executor of the plan",
        note = "for several runs: `let mut plan = plan.repeatable(current)?;`, then `plan.run(&mut stream, (&a, &b, out))?` each time",
        note = "or prepare a plan for each run"
    )]
    RunsAgain;
    #[diagnostic::on_unimplemented(
        message = "the program has created this event itself",
        label = "`assume_recorded` is for events that another library records",
        note = "record the event: `let recorded = stream.record(&mut event)?;`"
    )]
    RecordedElsewhere;
    #[diagnostic::on_unimplemented(
        message = "the program has created this stream itself",
        label = "`give_back` is for streams that another library has created",
        note = "destroy the stream: `stream.destroy()?`"
    )]
    Lent;
    #[diagnostic::on_unimplemented(
        message = "a communicator that a stream has makes no parts",
        label = "the communicator belongs to a stream until the host has waited for the stream",
        note = "make the parts before the stream takes the communicator: `let part = comm.create_sub_comm(..)?;`, then `stream.adopt(comm)`",
        note = "or wait for the stream and take the communicator: `let mut comm = stream.synchronize()?.take(comm);`"
    )]
    CommOffStream;
    #[diagnostic::on_unimplemented(
        message = "a communicator works on a stream",
        label = "the operations are those of a stream that has the communicator",
        note = "give it to the stream once: `let comm = stream.adopt(comm);`",
        note = "then call `stream.with(&comm).all_reduce(..)`, for each operation"
    )]
    CommWithStream;
    #[diagnostic::on_unimplemented(
        message = "ranks cannot work together on a device that stops on failure",
        label = "the other ranks would wait for a rank that has stopped",
        note = "take the device into use by `acl.set_device::<Npu<0>>(..)`, and bind the thread to that device"
    )]
    ContinuesOnFailure;
    #[diagnostic::on_unimplemented(
        message = "HCCL makes no part of a part of a communicator",
        label = "only a communicator that is no part itself has parts",
        note = "make the part from the whole: `whole.create_sub_comm::<Name>(&ranks, id)?`, where `ranks` are ranks of the whole"
    )]
    Whole;
    #[diagnostic::on_unimplemented(
        message = "the media engine has two interfaces, and none was chosen yet",
        label = "a process uses one interface",
        note = "the first one queues its tasks on streams: `let media = acl.media()?.v1()?;`",
        note = "the second one has tasks of its own: `let media = acl.media()?.v2(current)?;`"
    )]
    HasInterface<'any>;
    #[diagnostic::on_unimplemented(
        message = "a stream may still run tasks of this channel",
        label = "the channel belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the channel: `stream.synchronize()?.take(channel).destroy()?`",
        note = "or drop the queued channel: it is destroyed after a wait for the stream"
    )]
    NotProcessing;
    #[diagnostic::on_unimplemented(
        message = "a stream may still use this picture",
        label = "the picture belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the picture: `let picture = stream.synchronize()?.take(picture);`",
        note = "later tasks of the same stream may use it now, such as `stream.with(&channel).resize(..)`"
    )]
    PictureBack;
    #[diagnostic::on_unimplemented(
        message = "a stream may still use this file",
        label = "the file belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the file: `let file = stream.synchronize()?.take(file);`"
    )]
    FileBack;
    #[diagnostic::on_unimplemented(
        message = "nobody has looked whether the tasks on this picture have succeeded",
        label = "a task that fails may leave the picture as it was",
        note = "look at their status first: `let picture = picture.check()?;`"
    )]
    Checked;
    #[diagnostic::on_unimplemented(
        message = "this task may still run",
        label = "the output belongs to the task until its result is collected",
        note = "wait for the task: `let picture = task.wait()?;`, then `picture.read(current)?`"
    )]
    Collected;
    #[diagnostic::on_unimplemented(
        message = "nothing has written this picture",
        label = "a fresh picture has no contents",
        note = "write its pixels: `picture.write(current, &pixels)?`, or one value: `picture.fill(current, 0)?`",
        note = "or make it the output of a task, such as `stream.with(&channel).resize(..)`"
    )]
    Drawn;
    #[diagnostic::on_unimplemented(
        message = "this channel is stopped",
        label = "only a channel that was started takes files and pictures",
        note = "start it: `let mut channel = channel.start()?;`"
    )]
    Started;
    #[diagnostic::on_unimplemented(
        message = "this channel still receives files or pictures",
        label = "a channel is stopped before it is destroyed",
        note = "stop it first: `channel.stop()?.destroy()?`"
    )]
    WasStopped;
    #[diagnostic::on_unimplemented(
        message = "this channel was started already",
        label = "only a stopped channel can be started",
        note = "use the channel as it is"
    )]
    NotStarted;
}

#[cfg(feature = "graphs")]
missing! {
    #[diagnostic::on_unimplemented(
        message = "a stream may still run this graph",
        label = "the graph belongs to a stream until the host has waited for the stream",
        note = "wait for the stream and take the graph: `stream.synchronize()?.take(graph).destroy()?`",
        note = "or drop the queued graph: it is destroyed after a wait for the stream"
    )]
    NotLaunched;
    #[diagnostic::on_unimplemented(
        message = "no stream has this graph",
        label = "the host has the memory of the graph, so no stream runs it",
        note = "give the graph to a stream: `let mut graph = stream.adopt(graph);`, then `graph.launch(&mut stream)?`"
    )]
    OnItsStream;
    #[diagnostic::on_unimplemented(
        message = "only a recording has a second stream beside it",
        label = "the work of this stream runs, and is not recorded",
        note = "record first: `stream.capture((memory, more), |recording, (memory, more)| recording.fork(..))`",
        note = "without a graph, queue the work on another stream, and order the two by `stream.handoff(..)`, a fence or an event"
    )]
    Records;
}
