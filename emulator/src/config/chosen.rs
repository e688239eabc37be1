//! The configuration of this process: set by the program or the environment, fixed by the first call.

use std::fmt;
use std::process;
use std::sync::OnceLock;

use crate::config::{ConfigError, EmulatorConfig, check_environment, environment};
use crate::sync::{Mutex, lock};

/// The error of [`configure`] when the emulator already runs with another configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlreadyRunning {
    /// The configuration of the running emulator.
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

/// The configuration of the program, which the first call freezes.
struct Chosen {
    config: Option<EmulatorConfig>,
    frozen: bool,
}

static CHOSEN: Mutex<Chosen> = Mutex::new(Chosen {
    config: None,
    frozen: false,
});

/// Configures the emulator of this process.
///
/// The first call of any function freezes the configuration. If the program did not call `configure` before, the
/// first call reads the environment ([`EmulatorConfig::from_env`]).
///
/// # Errors
///
/// [`AlreadyRunning`] if a function was called already and the emulator runs with another configuration.
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

/// Returns the configuration of this process and fixes it. A malformed environment ends the process.
#[inline]
pub(crate) fn settled() -> &'static EmulatorConfig {
    SETTLED.get_or_init(settle)
}

#[cold]
#[expect(
    clippy::print_stderr,
    reason = "a C caller gets the error in no other way"
)]
fn settle() -> EmulatorConfig {
    freeze().unwrap_or_else(|error| {
        eprintln!("ascendcl-emulator: {error}");
        process::exit(2)
    })
}

/// Freezes the configuration of the program, or the environment if there is none.
fn freeze() -> Result<EmulatorConfig, ConfigError> {
    let mut chosen = lock(&CHOSEN);
    let config = match chosen.config.take() {
        Some(config) => {
            check_environment()?;
            config
        }
        None => EmulatorConfig::from_env()?,
    };
    *chosen = Chosen {
        config: Some(config.clone()),
        frozen: true,
    };
    config.watched(environment)
}

/// Returns the present configuration without fixing it. A malformed environment counts as an empty one; the first
/// call reports the error.
pub(crate) fn peek() -> EmulatorConfig {
    let chosen = lock(&CHOSEN).config.clone();
    let config = chosen.unwrap_or_else(|| EmulatorConfig::from_env().unwrap_or_default());
    config.clone().watched(environment).unwrap_or(config)
}

/// Returns whether calls have to be observed, according to the present configuration.
pub(crate) fn observes() -> bool {
    peek().observes()
}

/// Returns whether calls are recorded in the journal.
pub(crate) fn peek_journal() -> bool {
    lock(&CHOSEN)
        .config
        .as_ref()
        .is_some_and(|config| config.journal)
}
