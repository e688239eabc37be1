//! The judge of waits that must end in a proof, because memory or an object is released behind them.

use std::thread;
use std::time::Duration;

use crate::error::{Error, Result, Usage};
use crate::release;

/// The number of attempts of a wait that must end in a proof.
const WAITS: u32 = 32;

/// The longest pause between two waits that are refused because of a capture.
const LONGEST: Duration = Duration::from_millis(20);

/// The time after which a capture counts as one that nobody ends.
const PATIENCE: Duration = Duration::from_secs(600);

/// Repeats a wait until it succeeds, and returns the first failure. This is the only judge of whether a wait has failed
/// for ever; `docs/soundness.md` lists what follows for each object. If no wait succeeds, the first failure is the
/// error, or the first refusal if there is no failure. Each failure is reported once, but other threads may cause new
/// ones, so two failed waits do not show that there is no proof. A wait that was too late is not repeated.
#[cold]
pub(crate) fn wait_for_proof(wait: &mut dyn FnMut() -> Result<()>) -> Result<Option<Error>> {
    let mut first = match wait() {
        Ok(()) => return Ok(None),
        Err(late) if late.is_late() => return Err(late),
        Err(first) => first,
    };
    for _ in 1..WAITS {
        match wait() {
            Err(late) if late.is_late() => return Err(late),
            // A refusal spoils nothing, so nobody is told of it behind a proof.
            Ok(()) => return Ok(Some(first).filter(Error::is_wait)),
            Err(failure) if failure.is_wait() && !first.is_wait() => first = failure,
            Err(_) => {}
        }
    }
    Err(first)
}

/// Makes a wait for a device go on until no capture refuses it any more. Such a refusal is no failure and none of the
/// attempts: other code of the process captures, and ends that. The wait is repeated after pauses, for ten minutes in
/// total. Then the refusal is returned, so a capture that nobody ends does not stop the thread for ever.
pub(crate) fn behind_captures(wait: &mut dyn FnMut() -> Result<()>) -> impl FnMut() -> Result<()> {
    let mut pauses = pauses();
    move || loop {
        match wait() {
            Err(refused) if refused.is_of_capture() => match pauses.next() {
                Some(pause) => thread::sleep(pause),
                None => return Err(refused),
            },
            waited => return waited,
        }
    }
}

/// Returns the pauses between waits that are refused because of a capture: each twice as long as the one before.
fn pauses() -> impl Iterator<Item = Duration> {
    let longer = |pause: &Duration| Some((*pause * 2).min(LONGEST));
    let mut left = PATIENCE;
    std::iter::successors(Some(Duration::from_micros(50)), longer).map_while(move |pause| {
        left = left.checked_sub(pause)?;
        Some(pause)
    })
}

/// Repeats a wait as [`wait_for_proof`] does, and outlasts captures as [`behind_captures`] does, where the caller is about
/// to give borrowed memory back to its owner. If no wait succeeds, the process ends.
#[cold]
pub(crate) fn proof_or_abort(wait: &mut dyn FnMut() -> Result<()>) -> Option<Error> {
    wait_for_proof(&mut behind_captures(wait)).unwrap_or_else(|first| release::abort(&first))
}

/// Returns the error for work that no wait has proven to be over; `first` is the failure of the first wait.
pub(crate) fn unproven(first: &Error) -> Error {
    let cause = first.to_string();
    let code = first.code();
    Usage::Unproven { cause, code }.into()
}

#[cfg(all(test, not(loom)))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::Duration;

    use ascendcl_sys as sys;

    use super::{LONGEST, PATIENCE, behind_captures, pauses, wait_for_proof};
    use crate::error::{Error, Result};

    /// A wait that ends with the codes of a list, one after the other, and then with the last one for ever.
    fn ends_with(codes: &[i32]) -> (impl FnMut() -> Result<()>, &std::cell::Cell<usize>) {
        let count: &'static std::cell::Cell<usize> = Box::leak(Box::default());
        let wait = move || {
            let code = codes.get(count.get()).or(codes.last()).copied().unwrap();
            count.set(count.get() + 1);
            if code == 0 {
                return Ok(());
            }
            Err(Error::of_wait("aclrtSynchronizeDevice", code))
        };
        (wait, count)
    }

    /// A refusal in front of a proof is told to nobody, and a failure behind a refusal is.
    #[test]
    fn only_a_failure_is_told_behind_a_proof() {
        let told = |codes: &[i32]| {
            let failure = wait_for_proof(&mut ends_with(codes).0).unwrap();
            failure.and_then(|failure| failure.code())
        };
        assert_eq!(told(&[0]), None);
        assert_eq!(told(&[sys::ACL_ERROR_RT_CONTEXT_NULL, 0]), None);
        assert_eq!(
            told(&[sys::ACL_ERROR_RT_STREAM_CAPTURED, 507_001, 507_002, 0]),
            Some(507_001)
        );
    }

    /// A wait that never succeeds ends, with its first failure or else with its first refusal.
    #[test]
    fn a_wait_in_vain_ends() {
        let ended = |codes: &[i32]| {
            let (mut wait, count) = ends_with(codes);
            (
                wait_for_proof(&mut wait).unwrap_err().code().unwrap(),
                count.get(),
            )
        };
        assert_eq!(
            ended(&[sys::ACL_ERROR_RT_CONTEXT_NULL]),
            (sys::ACL_ERROR_RT_CONTEXT_NULL, 32)
        );
        assert_eq!(
            ended(&[sys::ACL_ERROR_RT_CONTEXT_NULL, 507_001]),
            (507_001, 32)
        );
    }

    /// More refusals than attempts, as while other code captures: the wait goes on behind them.
    #[test]
    fn captures_are_outlasted() {
        let mut codes = vec![sys::ACL_ERROR_RT_STREAM_CAPTURED; 40];
        codes.push(0);
        let (mut wait, count) = ends_with(codes.leak());
        assert!(
            wait_for_proof(&mut behind_captures(&mut wait))
                .unwrap()
                .is_none()
        );
        assert_eq!(count.get(), 41);
    }

    /// The pauses grow to a limit, and end: a capture that nobody ends does not stop the thread for ever.
    #[test]
    fn the_pauses_have_an_end() {
        let total: Duration = pauses().sum();
        assert!(total <= PATIENCE && total + LONGEST > PATIENCE, "{total:?}");
        assert!(pauses().all(|pause| pause <= LONGEST));
        assert!(
            pauses()
                .zip(pauses().skip(1))
                .all(|(one, next)| one <= next)
        );
    }
}
