//! The controls: the rules, and the edits that remove them. Those that a test finds are in `tested`.

use crate::program::Reach;

/// An edit of a file: the text that goes, and the text that comes.
pub(super) type Edit = (&'static str, &'static str, &'static str);

/// What shows that a rule is missing.
#[derive(Clone, Copy)]
pub(super) enum Judge {
    /// The compiler accepts programs that are illegal.
    Compiler,
    /// The compiler accepts the same programs as before, and the checker has a finding.
    Checker,
    /// Programs of one thread cannot show it, or not in a few steps. This test of `tests/it` fails.
    Test(&'static str),
}

pub(super) struct Control {
    /// The rule that is removed.
    pub(super) name: &'static str,
    pub(super) edits: &'static [Edit],
    /// What finds the hole.
    pub(super) found_by: Judge,
    /// Programs that use less cannot find it.
    pub(super) needs: Reach,
    /// Programs without a step of this kind cannot find it.
    pub(super) kind: Option<&'static str>,
}

pub(super) const CONTROLS: &[Control] = &[
    Control {
        name: "memory borrows its device",
        edits: &[(
            "src/memory/alloc.rs",
            "    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        self.malloc_with_policy(len, MallocPolicy::HugeFirst)",
            "    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'static, D, [T], Uninit>> {
        malloc_device(len, MallocPolicy::HugeFirst, |first| NonNull::slice_from_raw_parts(first, len))",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a proof borrows its stream",
        edits: &[(
            "src/stream/mod.rs",
            "pub fn synchronize(&mut self) -> Result<Idle<'_, (D, S)>>\n",
            "pub fn synchronize(&mut self) -> Result<Idle<'static, (D, S)>>\n",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a proof is of the stream of the memory",
        edits: &[(
            "src/queue/mod.rs",
            "    pub fn take<'dev, P: Queue + SameQueue<Q>, R: Resource<P::Device>, H: History>(",
            "    pub fn take<'dev, P: Queue<Device = Q::Device>, R: Resource<P::Device>, H: History>(",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "moved memory names the streams that have to prove it",
        edits: &[
            (
                "src/queue/moved.rs",
                "type Verified<'dev, D: AnyDevice, R> = <D::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;",
                "type Verified<'dev, D: AnyDevice, R> = R;",
            ),
            (
                "src/queue/moved.rs",
                "<Q::Device as AnyDevice>::Mode::fenced(Unverified::new(unverified.into_resource()))",
                "unverified.into_resource()",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "the source of queued work is queued on its stream",
        edits: &[(
            "src/queue/operand.rs",
            "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where",
            "impl<'dev, Q: Queue, P: Queue<Device = Q::Device>, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, P, Buf<'dev, M, E, Init>, H>
where",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a stream stays on its thread",
        edits: &[
            (
                "src/stream/any.rs",
                "impl<D: AnyDevice, S: AnyStream> Drop for Stream<'_, '_, D, S> {",
                "unsafe impl<D: AnyDevice, S: AnyStream> Send for Stream<'_, '_, D, S> {}
impl<D: AnyDevice, S: AnyStream> Drop for Stream<'_, '_, D, S> {",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(Stream<'static, 'static, D, Main>: Send, Sync, Clone);",
                "",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(DefaultStream<'static, 'static, D>: Send, Sync, Clone);",
                "",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(Stream<'static, 'static, D, StreamBrand<'static>>: Send, Sync, Clone);",
                "",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(crate::stream::Synchronized<'static, 'static, 'static, D, Main>: Send, Sync);",
                "",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a plan borrows its operands",
        edits: &[(
            "src/op/tensor.rs",
            "pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, M::Device, E::Element>>",
            "pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'static, M::Device, E::Element>>",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "no copy leads from host to host",
        edits: &[(
            "src/memory/copy.rs",
            "directions! {
",
            "directions! {
    [] Host => Host, ACL_MEMCPY_HOST_TO_HOST;
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "streams wait only for events that order",
        edits: &[(
            "src/event.rs",
            "impl<D: AnyDevice, S: StreamTag, C: CanOrder> WaitPoint<D> for Recorded<'_, (D, S), C> {",
            "impl<D: AnyDevice, S: StreamTag, C: Capability> WaitPoint<D> for Recorded<'_, (D, S), C> {",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a binding borrows the token of its thread",
        edits: &[
            (
                "src/context/mod.rs",
                "        device: &'dev Device<'_, D>,
    ) -> Result<Current<'t, 'dev, D>> {",
                "        device: &'dev Device<'_, D>,
    ) -> Result<Current<'static, 'dev, D>> {",
            ),
            (
                "src/context/mod.rs",
                "        core: &'dev Arc<Core>,
    ) -> Result<Current<'t, 'dev, D>> {",
                "        core: &'dev Arc<Core>,
    ) -> Result<Current<'static, 'dev, D>> {",
            ),
            (
                "src/context/mod.rs",
                "pub fn set_current<'t, 'dev, D: AnyDevice>(
        &'t mut self,",
                "pub fn set_current<'dev, D: AnyDevice>(
        &mut self,",
            ),
            (
                "src/context/mod.rs",
                "fn bind<'t, 'dev, D: AnyDevice>(
        &'t mut self,",
                "fn bind<'dev, D: AnyDevice>(
        &mut self,",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "fresh memory is no source",
        edits: &[
            (
                "src/queue/operand.rs",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, I, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, I>, H>
where",
            ),
            (
                "src/queue/operand.rs",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, Init>, H> where",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, I, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, I>, H> where",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "the drop of a communicator uses its device",
        edits: &[(
            "src/collective/comm.rs",
            "    _device: DropUses<'dev>,",
            "    _device: DropUses<'static>,",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Comms,
        kind: None,
    },
    Control {
        name: "ranks exchange device memory",
        edits: &[
            (
                "src/collective/operand.rs",
                "pub trait CommPlace: OnBoard {}",
                "pub trait CommPlace {}",
            ),
            (
                "src/collective/operand.rs",
                "impl<D: AnyDevice> CommPlace for Dev<D> {}",
                "impl<D: AnyDevice> CommPlace for Dev<D> {}
impl CommPlace for crate::memory::Host {}",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Comms,
        kind: None,
    },
    Control {
        name: "a batch borrows the memory of its messages",
        edits: &[
            (
                "src/collective/pair.rs",
                "        A: Source<Q, Place: CommPlace, Elements: Elements<Element: CommElement>> + 'b,",
                "        A: Source<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>,",
            ),
            (
                "src/collective/pair.rs",
                "            + Destination<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>
            + 'b,",
                "            + Destination<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>,",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "the checker compares the operations of ranks",
        edits: &[
            (
                "emulator/src/collective/movement.rs",
                "        if other.terms() != first.terms() {",
                "        if false && other.terms() != first.terms() {",
            ),
            (
                "emulator/src/collective/movement.rs",
                "    lengths(call, parts, reduction.is_some())?;",
                "    if false { lengths(call, parts, reduction.is_some())?; }",
            ),
        ],
        found_by: Judge::Checker,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "a list of all_gather_v is as long as the memory that is received into",
        edits: &[(
            "src/collective/varied.rs",
            "        counted(CALL, \"send\", sent, own)?;
        counted(CALL, \"recv\", received, counts.total())?;",
            "        counted(CALL, \"send\", sent, own)?;",
        )],
        found_by: Judge::Checker,
        needs: Reach::Comms,
        kind: Some("AllGatherV"),
    },
    Control {
        name: "a list of reduce_scatter_v is as long as the memory that is sent",
        edits: &[(
            "src/collective/varied.rs",
            "        counted(CALL, \"recv\", received, own)?;
        counted(CALL, \"send\", sent, counts.total())?;",
            "        counted(CALL, \"recv\", received, own)?;",
        )],
        found_by: Judge::Checker,
        needs: Reach::Comms,
        kind: Some("ReduceScatterV"),
    },
    Control {
        name: "the lists of all_to_all_v are as long as their memory",
        edits: &[
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"send\", A::Elements::count(from), to_each.total())?;
",
                "",
            ),
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"recv\", B::Elements::count(to), from_each.total())?;
",
                "",
            ),
        ],
        found_by: Judge::Checker,
        needs: Reach::Comms,
        kind: Some("AllToAllV"),
    },
    Control {
        name: "the matrix of all_to_all_vc is as long as the memory",
        edits: &[
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"send\", A::Elements::count(from), sent)?;
",
                "",
            ),
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"recv\", B::Elements::count(to), received)?;
",
                "",
            ),
        ],
        found_by: Judge::Checker,
        needs: Reach::Comms,
        kind: Some("AllToAllVC"),
    },
    Control {
        name: "the checker compares the lists of ranks",
        edits: &[(
            "emulator/src/collective/movement.rs",
            "    lengths(call, parts, reduction.is_some())?;",
            "    if false { lengths(call, parts, reduction.is_some())?; }",
        )],
        found_by: Judge::Checker,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "the checker compares the operations of processes",
        edits: &[
            (
                "emulator/src/collective/movement.rs",
                "        if other.terms() != first.terms() {",
                "        if matches!((first, other), (Seen::Here(_), Seen::Here(_))) && other.terms() != first.terms() {",
            ),
            (
                "emulator/src/collective/movement.rs",
                "    lengths(call, parts, reduction.is_some())?;",
                "    if parts.iter().all(|part| matches!(part, Seen::Here(_))) { lengths(call, parts, reduction.is_some())?; }",
            ),
        ],
        found_by: Judge::Checker,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "a share tells its picture that it was accepted",
        edits: &[(
            "src/queue/shared.rs",
            "        self.inner.resource.accepted();
",
            "",
        )],
        found_by: Judge::Checker,
        needs: Reach::Media,
        kind: Some("Check"),
    },
    Control {
        name: "the first phase of an operator is called with its device current",
        edits: &[
            (
                "src/op/plan.rs",
                "        current: impl OfDevice<Current<'t, 'dev, X::Device>>,
    ) -> Result<Repeatable<'dev, X, P>>",
                "        current: Current<'t, '_, impl AnyDevice>,
    ) -> Result<Repeatable<'dev, X, P>>",
            ),
            (
                "src/op/plan.rs",
                "        let _current = current.into_inner();
",
                "        let _current = current;
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Repeatable"),
    },
    Control {
        name: "a view borrows the memory of its tensor",
        edits: &[
            (
                "src/op/view.rs",
                "    fn viewed<K: Layout>(&self, dims: Dims, offset: i64) -> Tensor<'b, X, T, K> {",
                "    fn viewed<'x, K: Layout>(&self, dims: Dims, offset: i64) -> Tensor<'x, X, T, K> {",
            ),
            (
                "src/op/view.rs",
                "    pub fn transpose(&self, one: i64, other: i64) -> Result<Tensor<'b, X, T, Strided>> {",
                "    pub fn transpose<'x>(&self, one: i64, other: i64) -> Result<Tensor<'x, X, T, Strided>> {",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Plan"),
    },
    Control {
        name: "an operator does not write a part of fresh memory",
        edits: &[(
            "src/op/view.rs",
            "impl<M: Place, E: Elements + ?Sized> lent::Sealed for &mut Buf<'_, M, E, Init> {}",
            "impl<M: Place, E: Elements + ?Sized> lent::Sealed for &mut Buf<'_, M, E, Init> {}
impl<M: Place, E: Elements + ?Sized> lent::Sealed for Buf<'_, M, E, crate::memory::Uninit> {}
impl<M: Place, E: Elements + ?Sized> Lent for Buf<'_, M, E, crate::memory::Uninit> {}",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Plan"),
    },
    Control {
        name: "a model runs on the stream that has it",
        edits: &[
            (
                "src/model/run.rs",
                "    pub fn execute_async<I, O, H>(
        &mut self,
        model: &mut Queued<'dev, (D, S), Model<'_, 'dev, D, Queueing>, H>,",
                "    pub fn execute_async<I, O, H>(
        &mut self,
        model: &mut Queued<'dev, (D, impl StreamTag), Model<'_, 'dev, D, Queueing>, H>,",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Media,
        kind: Some("Infer"),
    },
    Control {
        name: "a task reads no fresh picture",
        edits: &[(
            "src/media/picture.rs",
            "impl Sealed for Init {}
",
            "impl Sealed for Init {}
impl Sealed for Uninit {}
impl Readable for Uninit {}
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Crop"),
    },
    Control {
        name: "the host reads a picture whose status was read",
        edits: &[(
            "src/remedy/media.rs",
            "impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Unchecked> {
    pub fn read(&self, _: Current<'_, '_, M::Device>) -> Result<Vec<u8>>
    where
        Self: Checked,
    {
        <Self as Checked>::never()
    }",
            "impl<'m, M: MediaPlace, F: PixelFormat> Picture<'m, M, F, Unchecked> {
    pub fn read(&self, _: Current<'_, '_, M::Device>) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Pixels"),
    },
    Control {
        name: "a picture knows that it was accepted behind a wait that proves nothing",
        edits: &[(
            "src/queue/mod.rs",
            "        resource.accepted();
",
            "",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Check"),
    },
    Control {
        name: "a picture knows that it was accepted on another stream",
        edits: &[(
            "src/queue/moved.rs",
            "        self.resource().accepted();
",
            "",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Check"),
    },
    Control {
        name: "a picture knows the tasks of other streams that it is made from",
        edits: &[(
            "src/media/operand.rs",
            "            is_foreign: H::MOVED && !<Q::Device as AnyDevice>::Mode::STOPS,",
            "            is_foreign: false,",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Check"),
    },
    Control {
        name: "dropped queued memory waits for its stream",
        edits: &[(
            "src/queue/mod.rs",
            "            unsafe { resource.park(&parking, &[user]) };
        }
        // SAFETY: dropped once",
            "            drop((resource, parking, user));
        }
        // SAFETY: dropped once",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a stream that takes memory over waits for the event",
        edits: &[(
            "src/event.rs",
            "        self.follow(&fence)?;
        // INVARIANT",
            "        // INVARIANT",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a stream waits for a signal before it gets the memory",
        edits: &[(
            "src/event/order.rs",
            "let code = unsafe { sys::aclrtWaitAndResetNotify(notify, self.as_raw(), 0) };",
            "let code = { let _ = notify; sys::ACL_SUCCESS };",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Handoff"),
    },
    Control {
        name: "a dropped value is freed behind the work of its streams",
        edits: &[(
            "src/event/value.rs",
            "        number.into_parking(self.core.parking(), &lock(&self.users));
",
            "        number.into_parking(self.core.parking(), &lock(&self.users)[..0]);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Handoff"),
    },
];
