//! The configuration of this process: chosen by the program or the environment, settled by the first call.

use std::fmt;
use std::process;
use std::sync::{Mutex, OnceLock};

use crate::config::{ConfigError, EmulatorConfig, environment};
use crate::sync::lock;

/// The emulator of this process runs already, with another configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlreadyRunning {
    /// The configuration that it runs with.
    pub running: Box<EmulatorConfig>,
}

impl fmt::Display for AlreadyRunning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the emulator runs already, with {:?}; configure it before the first call",
            self.running
        )
    }
}

impl std::error::Error for AlreadyRunning {}

/// What was configured, until the first call freezes it.
struct Chosen {
    config: Option<EmulatorConfig>,
    frozen: bool,
}

static CHOSEN: Mutex<Chosen> = Mutex::new(Chosen {
    config: None,
    frozen: false,
});

/// Configures the emulator of this process. The first call of any function freezes it; without this,
/// that call reads the environment ([`EmulatorConfig::from_env`]).
///
/// # Errors
///
/// [`AlreadyRunning`] when the emulator was called already and runs with another configuration.
pub fn configure(config: EmulatorConfig) -> Result<(), AlreadyRunning> {
    let mut chosen = lock(&CHOSEN);
    match &chosen.config {
        Some(running) if chosen.frozen && *running != config => Err(AlreadyRunning {
            running: Box::new(running.clone()),
        }),
        Some(_) if chosen.frozen => Ok(()),
        _ => {
            chosen.config = Some(config);
            Ok(())
        }
    }
}

static SETTLED: OnceLock<EmulatorConfig> = OnceLock::new();

/// The configuration of this process, from now on for good. A malformed environment ends the process.
#[inline]
pub(crate) fn settled() -> &'static EmulatorConfig {
    SETTLED.get_or_init(settle)
}

#[cold]
#[expect(
    clippy::print_stderr,
    reason = "a C caller has no other way to learn of it"
)]
fn settle() -> EmulatorConfig {
    freeze().unwrap_or_else(|error| {
        eprintln!("ascendcl-emulator: {error}");
        process::exit(2)
    })
}

/// Takes what was configured, or else reads the environment.
fn freeze() -> Result<EmulatorConfig, ConfigError> {
    let mut chosen = lock(&CHOSEN);
    let config = match chosen.config.take() {
        Some(config) => config,
        None => EmulatorConfig::from_env()?,
    };
    *chosen = Chosen {
        config: Some(config.clone()),
        frozen: true,
    };
    config.watched(environment)
}

/// What is configured now, without settling it. A malformed environment counts as none; the first call
/// reports it.
pub(crate) fn peek() -> EmulatorConfig {
    let chosen = lock(&CHOSEN).config.clone();
    let config = chosen.unwrap_or_else(|| EmulatorConfig::from_env().unwrap_or_default());
    config.clone().watched(environment).unwrap_or(config)
}

/// Whether calls are to be observed, as far as is known now.
pub(crate) fn observes() -> bool {
    peek().observes()
}

/// Whether there is a journal.
pub(crate) fn peek_journal() -> bool {
    lock(&CHOSEN)
        .config
        .as_ref()
        .is_some_and(|config| config.journal)
}
