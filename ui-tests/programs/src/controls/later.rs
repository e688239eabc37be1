//! The controls of futures and pipelines.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const LATER: &[Control] = &[
    Control {
        name: "a future of a stream borrows it",
        edits: &[
            (
                "src/stream/future.rs",
                "    pub fn synchronized(&mut self) -> Synchronized<'_, 't, 'dev, D, S>
    where
        S: StreamTag,
",
                "    pub fn synchronized<'s>(&mut self) -> Synchronized<'s, 't, 'dev, D, S>
    where
        S: StreamTag, 't: 's,
",
            ),
            (
                "src/stream/future.rs",
                "            state: Some((self, signal)),
",
                "            // SAFETY: none; this is a control.
            state: Some((unsafe { &mut *std::ptr::from_mut(self) }, signal)),
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Synchronized"),
    },
    Control {
        name: "a future of a stream stays on its thread",
        edits: &[
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(crate::stream::Synchronized<'static, 'static, 'static, D, Main>: Send, Sync);
",
                "assert_impl_all!(crate::stream::Synchronized<'static, 'static, 'static, D, Main>: Send);
",
            ),
            (
                "src/stream/future.rs",
                "impl<Q: Queue, R: Resource<Q::Device>, H> Unpin for Completed<'_, Q, R, H> {}
",
                "impl<Q: Queue, R: Resource<Q::Device>, H> Unpin for Completed<'_, Q, R, H> {}

// SAFETY: none; this is a control.
unsafe impl<D: AnyDevice, S: StreamTag> Send for Synchronized<'_, '_, '_, D, S> {}
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("AwaitSynchronized"),
    },
    Control {
        name: "the end of work is told by the stream that has it",
        edits: &[(
            "src/stream/future.rs",
            "        P: Queue + SameQueue<(D, S)>,
",
            "        P: Queue<Device = D>,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Completed"),
    },
    Control {
        name: "work that is over may have failed",
        edits: &[
            (
                "src/stream/future.rs",
                "    type Output = Result<Unverified<'dev, Q, R, H>>;
",
                "    type Output = Result<R>;
",
            ),
            (
                "src/stream/future.rs",
                "            (Ok(_), End::Called) => Ok(Unverified::new(queued.into_resource())),
",
                "            (Ok(_), End::Called) => Ok(queued.into_resource()),
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("AwaitCompleted"),
    },
    Control {
        name: "memory comes back when the function behind its work was called, and not when it was dropped",
        edits: &[(
            "src/stream/future.rs",
            "            (Ok(_), End::Called) => ",
            "            (Ok(_), End::Called | End::Dropped) => ",
        )],
        found_by: Judge::Checker,
        needs: Reach::Within,
        kind: Some("TryCompleted"),
    },
    Control {
        name: "a batch whose wait has failed has no result",
        edits: &[
            (
                "src/stream/mod.rs",
                "    _stream: PhantomData<(&'s mut (), Invariant<Q>)>,
}

/// Proof that all work of a stream is over. It is not known",
                "    pub(crate) _stream: PhantomData<(&'s mut (), Invariant<Q>)>,
}

/// Proof that all work of a stream is over. It is not known",
            ),
            (
                "src/pipeline.rs",
                "            let idle = synchronize(current, stream)?;
",
                "            let _ = synchronize(current, stream);
            let idle: Idle<'_, _> = Idle { _stream: std::marker::PhantomData };
",
            ),
        ],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Push"),
    },
    Control {
        name: "results are in the order of the batches",
        edits: &[(
            "src/pipeline.rs",
            "        let busy = self.busy.pop_front()?;
",
            "        let busy = self.busy.pop_back()?;
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("RunBatches"),
    },
    Control {
        name: "a result borrows its pipeline",
        edits: &[
            (
                "src/pipeline.rs",
                "    pub fn push<F, C>(&mut self, fill: F, compute: C) -> Option<Done<'_, U>>
",
                "    pub fn push<'o, F, C>(&mut self, fill: F, compute: C) -> Option<Done<'o, U>>
",
            ),
            (
                "src/pipeline.rs",
                "            return None;
        }
        self.pop()
",
                "            return None;
        }
        // SAFETY: none; this is a control.
        unsafe { std::mem::transmute(self.pop()) }
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Push"),
    },
];
