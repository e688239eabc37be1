//! The controls of graphs.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const GRAPHS: &[Control] = &[
    Control {
        name: "a stream that records does not wait",
        edits: &[
            (
            "src/stream/name.rs",
            "    impl Runs for Numbered {}
",
            "    impl Runs for Numbered {}
    impl Runs for GraphBrand<'_> {}
",
        ),
            (
            "src/kernel/launch.rs",
            "    #[cfg(feature = \"graphs\")]
    impl<'g> On<'g> for crate::stream::GraphBrand<'g> {}
",
            "",
        ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: None,
    },
    Control {
        name: "a graph owns its memory",
        edits: &[(
            "src/graph/memory.rs",
            "impl<'m, D, M, E> Kept<D> for Shared<D, Buf<'m, M, E, Init>>
",
            "impl<D, M, E> Kept<D> for &mut Buf<'_, M, E, Init>
where
    M: Place + OnDevice<D>,
    E: Elements + ?Sized + 'static,
{
    type At<'a, Q> = SliceMut<'a, M, E, Q>;
    unsafe fn at<'a, Q>(this: *mut Self) -> SliceMut<'a, M, E, Q> {
        // SAFETY: none; this is a control.
        unsafe { SliceMut::new((**this).raw()) }
    }
    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}
    fn enters(&self, _: StreamKey) {}
    fn accepted(&self) {}
}
impl<'m, D, M, E> Kept<D> for Shared<D, Buf<'m, M, E, Init>>
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("Capture"),
    },
    Control {
        name: "recorded memory stays in the closure that records",
        edits: &[
            (
            "src/graph/capture.rs",
            "        memory: T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
",
            "        memory: T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'static, (D, GraphBrand<'static>)>,
",
        ),
            (
            "src/graph/capture.rs",
            "        memory: &mut T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
",
            "        memory: &mut T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'static, (D, GraphBrand<'static>)>,
",
        ),
            (
            "src/graph/launch.rs",
            "        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'd, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
",
            "        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'd, 'g, D>,
            T::At<'static, (D, GraphBrand<'static>)>,
",
        ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("Capture"),
    },
    Control {
        name: "a graph runs on the stream that has it",
        edits: &[(
            "src/graph/launch.rs",
            "    pub fn launch(&mut self, stream: &mut Stream<'_, '_, D, S>) -> Result<()> {
",
            "    pub fn launch(&mut self, stream: &mut Stream<'_, '_, D, impl StreamTag>) -> Result<()> {
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "an operator changes on the stream of its graph",
        edits: &[(
            "src/graph/update.rs",
            "        stream: &mut Stream<'_, 'dev, D, S>,
        group: &Group<P>,
",
            "        stream: &mut Stream<'_, 'dev, D, impl StreamTag>,
        group: &Group<P>,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("UpdateGraph"),
    },
    Control {
        name: "the memory of a queued graph is of its stream",
        edits: &[(
            "src/graph/launch.rs",
            "    pub fn memory(&mut self) -> T::At<'_, (D, S)> {
",
            "    pub fn memory<X>(&mut self) -> T::At<'_, X> {
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "a graph is destroyed when it comes back from its stream",
        edits: &[(
            "src/graph/launch.rs",
            "    /// What the closure of the capture has returned: [`Graph::value`].
",
            "    /// A control.
    pub fn destroy(self) -> Result<T> {
        self.into_resource().destroy()
    }

    /// What the closure of the capture has returned: [`Graph::value`].
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("DestroyGraph"),
    },
    Control {
        name: "what a fork lends by a shared reference is not written",
        edits: &[(
            "src/graph/fork.rs",
            "    &SliceMut<'_, M, E, (D, GraphBrand<'g>)> => Slice, |part| part.raw();
",
            "    &SliceMut<'_, M, E, (D, GraphBrand<'g>)> => SliceMut, |part| part.raw();
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("Capture"),
    },
    Control {
        name: "a part of a fork stays in its closure",
        edits: &[(
            "src/graph/fork.rs",
            "            &mut Recording<'t, 'dev, 's, D>,
            L::Part<'s>,
",
            "            &mut Recording<'t, 'dev, 's, D>,
            L::Part<'static>,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Graphs,
        kind: Some("Capture"),
    },
    Control {
        name: "the memory of a dropped graph is freed behind its runs",
        edits: &[(
            "src/graph/mod.rs",
            "        unsafe { table.park(memory, parking, &[Some(graph)]) };
",
            "        let _ = (table, graph);
        drop(memory);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "a dropped graph is destroyed behind its runs",
        edits: &[(
            "src/graph/mod.rs",
            "        parking.park(users, unsafe { keep.into_parked() });
",
            "        parking.park(&[], unsafe { keep.into_parked() });
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "memory of a recording lives as long as its graph",
        edits: &[(
            "src/park/mod.rs",
            "            state.recorded.push((*number, parked));
            return Vec::new();
",
            "            let _ = number;
            drop(state);
            return unsafe { free(vec![parked]) };
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "a second stream of a recording waits for the first one",
        edits: &[(
            "src/graph/fork.rs",
            "        order(begins, here, there)?;
",
            "        let _ = begins;
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("Capture"),
    },
    Control {
        name: "a run is one of a recording that the graph has",
        edits: &[(
            "src/graph/keep.rs",
            "        instance.ok_or_else(|| Usage::Recording { index, of }.into())
",
            "        let _ = of;
        Ok(instance.unwrap_or(self.first))
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("LaunchGraph"),
    },
    Control {
        name: "an operator is changed in the graph that has it",
        edits: &[(
            "src/graph/update.rs",
            "            return Err(Usage::OtherGraph.into());
",
            "            let _ = Usage::OtherGraph;
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Graphs,
        kind: Some("UpdateGraph"),
    },
];
