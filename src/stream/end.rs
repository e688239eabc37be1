//! The end of a stream: the last wait, the destruction, and the release of its name.

use ascendcl_sys as sys;

use crate::device::limit::{wait_for_stream, wait_or_abort, why_not_aborted};
use crate::device::{Core, unproven, wait_for_proof};
use crate::error::{Error, Result, Usage};
use crate::park::{StreamKey, pools};
use crate::pending;
use crate::raw::{Handle, check};
use crate::release;
use crate::stream::name::tag;

/// The way in which a stream leaves its holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Waited for and destroyed.
    Destroyed,
    /// Waited for and left to its owner.
    GivenBack,
    /// Left as it is, with its work and its name.
    Kept,
}

impl Way {
    /// Returns the way in which a dropped stream with the tag `S` ends.
    pub(super) fn of<S: tag::Tag>() -> Way {
        if S::CREATED {
            Way::Destroyed
        } else {
            Way::Kept
        }
    }
}

/// The result of the end of a stream.
pub(super) struct Ended {
    result: Result<()>,
    /// The error of a refused destruction, if work has failed too.
    refused: Option<Error>,
    /// The reason for which the stream was never destroyed.
    given_up: Option<Error>,
    /// The failure of the stream's work that was returned to other code, but not to the holder of the stream.
    silent: Option<Error>,
}

impl Ended {
    /// Reports leaks and a refused destruction to the hook, and returns the result of the waits.
    pub(super) fn report(self) -> Result<()> {
        self.given_up.iter().for_each(release::leaked);
        self.refused.iter().for_each(release::failed);
        self.result
    }

    /// Reports as [`Ended::report`] does, and returns the reason for which the stream was never destroyed. The failure of its
    /// work was returned before.
    pub(super) fn given_up(mut self) -> Option<Error> {
        let given_up = self.given_up.take();
        given_up.iter().for_each(release::leaked);
        let _ = self.report();
        given_up
    }

    /// Reports leaks and a refused destruction to the hook. Returns the failure of the stream's work, also one that
    /// only other code knows.
    pub(super) fn destroyed(mut self) -> Result<()> {
        let silent = self.silent.take();
        self.report()?;
        silent.map_or(Ok(()), Err)
    }
}

/// Ends a stream, whose context is current; `None` is the default stream. The name becomes free again only if every
/// step succeeds, because only then no work and no memory is queued under it. A stream that is left as it is keeps
/// its name.
pub(super) fn end(raw: Option<Handle>, way: Way, name: StreamKey, core: &Core) -> Ended {
    let mut ended = Ended {
        result: Ok(()),
        refused: None,
        given_up: None,
        silent: None,
    };
    let handle = raw.map_or(core::ptr::null_mut(), Handle::as_ptr);
    let mut wait = || {
        // SAFETY: a live stream (invariant of `Stream`), or the default stream of the current context.
        let waited = unsafe { wait_for_stream(handle, core.limit()) };
        waited.inspect_err(|told| {
            if told.is_wait() {
                core.ledger().enter(name, told);
            }
        })
    };
    if way == Way::Kept {
        if core.ledger().has_scopes() {
            settle_in_scope(name, core, &mut wait);
        }
        // Without a wait, failures of work under the name may still be reported.
        core.ledger().release_stream(name);
        return ended;
    }
    if way == Way::Destroyed {
        pools::stream_leaves(core.parking().key(), name);
    }
    let may_abort = || why_not_aborted(core, name).is_none();
    let own = raw
        .filter(|_| way == Way::Destroyed && may_abort())
        .map(|stream| (name, stream));
    // The documentation requires this wait before the destruction (manual chapter 06).
    // SAFETY: a stream that this crate has created, and that is not destroyed without a proof.
    let (first, is_aborted) = match unsafe { wait_or_abort(core, own.as_slice(), &mut wait) } {
        Ok(waited) => waited,
        Err(first) => {
            // Nobody can abort it any more, so a wait for one of its records might never end.
            core.parking().abort(name);
            ended.given_up = Some(unproven(&first));
            ended.result = Err(first);
            return ended;
        }
    };
    ended.result = first.map_or(Ok(()), Err);
    if is_aborted {
        let name = name.label();
        ended.result = ended
            .result
            .and_then(|()| Err(Usage::Aborted { name }.into()));
    }
    if pending::of_watches()
        && let Err(failure) = core.watches().ask(name)
    {
        core.ledger().keep(name, failure);
    }
    if way == Way::Destroyed {
        core.ledger().stream_goes(name);
    }
    let destroyed = match way {
        Way::Destroyed => {
            // SAFETY: a live stream that this crate has created, of the context that is current on this thread; the
            // caller never uses it again.
            let code = unsafe { sys::aclrtDestroyStream(handle) };
            check("aclrtDestroyStream", code)
        }
        Way::GivenBack | Way::Kept => Ok(()),
    };
    if pending::of_failures() && ended.result.is_ok() {
        // A running wait for the whole device may be about to poison the name.
        core.ledger().settle();
        ended.result = core.ledger().tell(Some(name));
    }
    match destroyed {
        Ok(()) => {
            if pending::of_open() {
                let is_proven = ended.result.is_ok() && !core.ledger().is_poisoned(name);
                core.open().close(name, is_proven);
            }
            // SAFETY: a wait has succeeded.
            unsafe { core.stream_ends(name) };
            if pending::of_watches() {
                core.watches().forget_number(name);
            }
        }
        // There is no proof that the stream is gone, so its name stays taken.
        Err(refused) if ended.result.is_ok() => ended.result = Err(refused),
        Err(refused) => ended.refused = Some(refused),
    }
    if pending::of_failures() {
        if core.ledger().has_failed_silently(name) {
            let name = name.label();
            ended.silent = Some(Usage::StreamPoisoned { name }.into());
        }
        core.ledger().forget_number(name);
    }
    ended
}

/// Waits for a stream that leaves its holder while memory is lent to the device in a scope. Without this wait,
/// another thread could take the report of work on that memory and enter it after the scope has ended. A failure is
/// stored with the name, and so is a wait that is always refused.
#[cold]
pub(super) fn settle_in_scope(name: StreamKey, core: &Core, wait: &mut dyn FnMut() -> Result<()>) {
    if let Ok(Some(failure)) | Err(failure) = wait_for_proof(wait) {
        core.ledger().keep(name, failure);
    }
}
