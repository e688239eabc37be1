//! The state of the profiler between `aclprofInit` and `aclprofFinalize`.

use std::ffi::{CStr, OsStr, c_char};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ascendcl_sys::{
    ACL_ERROR_INVALID_FILE, ACL_ERROR_INVALID_PROFILING_CONFIG, ACL_ERROR_PROF_ALREADY_RUN,
    ACL_ERROR_PROF_MODULES_UNSUPPORTED, ACL_ERROR_PROF_NOT_RUN, ACL_ERROR_PROFILING_FAILURE,
    ACL_ERROR_REPEAT_INITIALIZE, ACL_PROF_MSPROFTX, ACL_SUCCESS, aclError, aclprofConfig,
    aclprofConfigType,
};

use crate::engine::{engine, watch};
use crate::error::fail;
use crate::object_calls::{attempt, invalid, not_null};
use crate::observe::trace::profile;
use crate::sync::{Mutex, lock};

use super::config::{self, Config};
use super::result::{self, About};

/// Most bytes of the path of the results.
const LONGEST: usize = 4096;

#[derive(Debug)]
pub(super) struct Session {
    /// Differs from that of every other session of the process.
    pub(super) number: u64,
    folder: PathBuf,
    /// What `aclprofStart` started and `aclprofStop` did not stop.
    running: Vec<Running>,
    /// What the next file is about.
    about: About,
}

/// A device that is profiled, or the host alone for a configuration without devices.
#[derive(Debug)]
struct Running {
    place: Option<u32>,
    kinds: u64,
}

/// The session, and the number of sessions so far.
static SESSION: Mutex<(Option<Session>, u64)> = Mutex::new((None, 0));

/// Calls a function with the session. `None` means that there is none.
pub(super) fn with<R>(look: impl FnOnce(&mut Session) -> R) -> Option<R> {
    lock(&SESSION).0.as_mut().map(look)
}

/// Returns the number of the session, if it records stamps.
pub(super) fn with_stamps() -> Option<u64> {
    let is_stamped = |running: &Running| running.kinds & ACL_PROF_MSPROFTX != 0;
    with(|session| {
        let running = session.running.iter().any(is_stamped);
        running.then_some(session.number)
    })
    .flatten()
}

impl Session {
    /// Stores an option for the head of the file.
    pub(super) fn set(&mut self, option: aclprofConfigType, text: &str) {
        self.about.set(option, text);
    }

    /// Returns the index of what runs there.
    fn find(&self, place: Option<u32>) -> Option<usize> {
        self.running
            .iter()
            .position(|running| running.place == place)
    }

    /// Ends the recording, and writes what was recorded.
    fn write(&mut self, call: &str) -> aclError {
        let Some(finished) = profile::end() else {
            return ACL_SUCCESS;
        };
        watch::profile(engine().config, false);
        let file = self.folder.join(result::name());
        let text = finished.text(&self.about.text());
        self.about.begin_again();
        match fs::write(&file, text) {
            Ok(()) => ACL_SUCCESS,
            Err(error) => fail(
                ACL_ERROR_PROFILING_FAILURE,
                format_args!(
                    "{call} failed: {} cannot be written: {error}",
                    file.display()
                ),
            ),
        }
    }
}

pub(crate) unsafe extern "C" fn aclprofInit(
    profilerResultPath: *const c_char,
    length: usize,
) -> aclError {
    let call = "aclprofInit";
    attempt!(not_null(call, "profilerResultPath", profilerResultPath));
    // SAFETY: not null; the caller's contract: a C string.
    let path = unsafe { CStr::from_ptr(profilerResultPath) }.to_bytes();
    if path.len() != length || length == 0 || length > LONGEST {
        return invalid(
            call,
            format_args!(
                "profilerResultPath has {} bytes, and length is {length}; both are the same number from \
                 1 to {LONGEST}, without the NUL",
                path.len()
            ),
        );
    }
    let mut session = lock(&SESSION);
    if session.0.is_some() {
        return fail(
            ACL_ERROR_REPEAT_INITIALIZE,
            format_args!("{call} failed: the profiler is initialised; call aclprofFinalize first"),
        );
    }
    let folder = match folder(Path::new(OsStr::from_bytes(path))) {
        Ok(folder) => folder,
        Err(error) => {
            return fail(
                ACL_ERROR_INVALID_FILE,
                format_args!(
                    "{call} failed: the folder {} cannot be used: {error}; name one that can be written",
                    OsStr::from_bytes(path).display()
                ),
            );
        }
    };
    session.1 += 1;
    session.0 = Some(Session {
        number: session.1,
        folder,
        running: Vec::new(),
        about: About::default(),
    });
    ACL_SUCCESS
}

/// Makes the folder, if need be, and tries whether it can be written.
fn folder(path: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(path)?;
    let folder = path.canonicalize()?;
    let tried = folder.join(format!(".ascendcl-emulator-{}", std::process::id()));
    fs::write(&tried, "")?;
    fs::remove_file(tried)?;
    Ok(folder)
}

pub(crate) unsafe extern "C" fn aclprofFinalize() -> aclError {
    let call = "aclprofFinalize";
    let mut session = lock(&SESSION);
    match session.0.take() {
        Some(mut ended) => ended.write(call),
        None => not_initialised(call),
    }
}

pub(crate) unsafe extern "C" fn aclprofStart(profilerConfig: *const aclprofConfig) -> aclError {
    let call = "aclprofStart";
    let config = attempt!(checked(call, profilerConfig));
    let started = with(|session| {
        for device in &config.devices {
            if session.find(Some(*device)).is_some() {
                return fail(
                    ACL_ERROR_PROF_ALREADY_RUN,
                    format_args!(
                        "{call} failed: device {device} is profiled already; call aclprofStop first"
                    ),
                );
            }
        }
        session.about.add(&config);
        session.running.extend(places(&config).map(|place| Running {
            place,
            kinds: config.kinds,
        }));
        profile::start(&config.devices);
        watch::profile(engine().config, true);
        ACL_SUCCESS
    });
    started.unwrap_or_else(|| not_initialised(call))
}

pub(crate) unsafe extern "C" fn aclprofStop(profilerConfig: *const aclprofConfig) -> aclError {
    let call = "aclprofStop";
    let config = attempt!(checked(call, profilerConfig));
    let stopped = with(|session| {
        for place in places(&config) {
            let Some(at) = session.find(place) else {
                return not_running(call, place);
            };
            if let Some(Running { kinds, .. }) = session.running.get(at)
                && *kinds != config.kinds
            {
                return fail(
                    ACL_ERROR_INVALID_PROFILING_CONFIG,
                    format_args!(
                        "{call} failed: dataTypeConfig is {:#x}, and aclprofStart had {kinds:#x}; pass the \
                         configuration of aclprofStart",
                        config.kinds
                    ),
                );
            }
        }
        for place in places(&config) {
            if let Some(at) = session.find(place) {
                session.running.remove(at);
            }
        }
        profile::stop(&config.devices);
        if session.running.is_empty() {
            session.write(call)
        } else {
            ACL_SUCCESS
        }
    });
    stopped.unwrap_or_else(|| not_initialised(call))
}

/// What a configuration profiles.
fn places(config: &Config) -> impl Iterator<Item = Option<u32>> {
    let devices = config.devices.iter().map(|device| Some(*device));
    devices.chain(config.devices.is_empty().then_some(None))
}

#[cold]
fn not_running(call: &str, place: Option<u32>) -> aclError {
    let what = match place {
        Some(device) => format!("device {device} is not profiled"),
        None => "no configuration without devices is profiled".to_owned(),
    };
    fail(
        ACL_ERROR_PROF_NOT_RUN,
        format_args!("{call} failed: {what}; call aclprofStart first"),
    )
}

/// Returns the configuration of a handle, if it asks for nothing that no release has.
fn checked(call: &str, handle: *const aclprofConfig) -> Result<Config, aclError> {
    let config = config::find(call, handle)?;
    let unknown = config.kinds & !result::KNOWN;
    if unknown != 0 {
        return Err(fail(
            ACL_ERROR_PROF_MODULES_UNSUPPORTED,
            format_args!(
                "{call} failed: dataTypeConfig has {unknown:#x}, which names no kind of data; pass bits of ACL_PROF_*"
            ),
        ));
    }
    Ok(config)
}

#[cold]
fn not_initialised(call: &str) -> aclError {
    fail(
        ACL_ERROR_PROF_NOT_RUN,
        format_args!("{call} failed: the profiler is not initialised; call aclprofInit first"),
    )
}

/// Writes, at the end of the process, what still runs. A failure is not reported: nobody is left to read it.
pub(crate) fn exit() {
    let ended = lock(&SESSION).0.take();
    if let Some(mut session) = ended {
        session.write("exit");
    }
}
