//! The timeline of the profiler: the tasks of the devices that it profiles, and the stamps of the program.

use std::sync::atomic::Ordering;

use crate::observe::calls;
use crate::sync::{Mutex, lock};

use super::{Ended, Form, ON, ORIGIN, Span, Stamp, Start, TRACE, Timeline, chrome, now};

static PROFILE: Mutex<Option<Profile>> = Mutex::new(None);

#[derive(Debug, Default)]
struct Profile {
    devices: Vec<u32>,
    timeline: Timeline,
}

/// A profile that is over.
#[derive(Debug)]
pub(crate) struct Finished(Timeline);

/// Records the tasks of these devices, too, from now on.
pub(crate) fn start(devices: &[u32]) {
    std::sync::LazyLock::force(&ORIGIN);
    let mut profile = lock(&PROFILE);
    let profile = profile.get_or_insert_default();
    profile.devices.extend(devices);
    ON.store(true, Ordering::Release);
}

/// Records the tasks of these devices no longer.
pub(crate) fn stop(devices: &[u32]) {
    if let Some(profile) = lock(&PROFILE).as_mut() {
        profile.devices.retain(|device| !devices.contains(device));
    }
}

/// Ends the profile. Returns what it recorded.
pub(crate) fn end() -> Option<Finished> {
    let mut profile = lock(&PROFILE);
    // Both locks are held in this order only here, so no thread waits for the other lock with one of them.
    ON.store(lock(&TRACE).is_some(), Ordering::Release);
    profile.take().map(|profile| Finished(profile.timeline))
}

/// Records a task, if it belongs to a profiled device.
pub(super) fn task(ended: Ended, span: Span) {
    if let Some(profile) = lock(&PROFILE).as_mut()
        && profile.devices.contains(&ended.stream.device)
    {
        profile.timeline.task(ended, span);
    }
}

/// Returns the present time.
pub(crate) fn begin() -> Start {
    Start(now())
}

/// Records a stamp of this thread that ends now.
pub(crate) fn stamp(text: String, form: Form, start: Start) {
    let stamp = Stamp {
        text,
        form,
        thread: calls::thread(),
        span: start.until_now(),
    };
    if let Some(profile) = lock(&PROFILE).as_mut() {
        profile.timeline.add(|timeline| timeline.stamps.push(stamp));
    }
}

impl Finished {
    /// Returns the text of a file with this profile. Its head begins with `about`, members of a JSON object with a comma
    /// behind each.
    pub(crate) fn text(&self, about: &str) -> String {
        chrome::write(&self.0, about)
    }
}
