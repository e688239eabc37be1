//! The output for the user: log, progress, the table of times, and the one line of an error.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressFinish, ProgressStyle};
use tracing::Level;

use crate::Result;

/// Steps with fewer bytes have no rate: they cost what a call costs.
const LEAST: usize = 64 << 10;

/// The time of each step.
#[derive(Debug)]
pub(crate) struct Report {
    rows: Vec<Row>,
    last: Instant,
}

#[derive(Debug)]
struct Row {
    step: &'static str,
    time: Duration,
    bytes: usize,
}

impl Report {
    /// Starts the clock.
    pub(crate) fn start() -> Report {
        Report {
            rows: Vec::new(),
            last: Instant::now(),
        }
    }

    /// Adds the time since the previous lap to `step`, which may occur several times.
    pub(crate) fn lap(&mut self, step: &'static str, bytes: usize) {
        let now = Instant::now();
        let time = now.duration_since(self.last);
        self.last = now;
        tracing::debug!(?time, bytes, "{step}");
        match self.rows.iter_mut().find(|row| row.step == step) {
            Some(row) => {
                row.time += time;
                row.bytes += bytes;
            }
            None => self.rows.push(Row { step, time, bytes }),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<16} {:>12} {:>12} {:>14}",
            "step", "time", "data", "rate"
        )?;
        for Row { step, time, bytes } in &self.rows {
            let time = time.as_secs_f64();
            write!(f, "{step:<16} {:>9.3} ms", time * 1e3)?;
            if *bytes > 0 {
                write!(f, " {:>12}", HumanBytes(*bytes as u64).to_string())?;
            }
            if *bytes >= LEAST {
                // CAST: a rate for the eye; a clock too coarse for the step saturates it.
                let rate = HumanBytes((*bytes as f64 / time) as u64).to_string();
                write!(f, " {:>14}", rate + "/s")?;
            }
            writeln!(f)?;
        }
        let total: Duration = self.rows.iter().map(|row| row.time).sum();
        writeln!(
            f,
            "{:<16} {:>9.3} ms",
            "together",
            total.as_secs_f64() * 1e3
        )
    }
}

/// Logs to stderr: always resources that could not be released, and every step if `verbose`.
pub(crate) fn log(verbose: bool) -> Result<()> {
    let level = if verbose { Level::DEBUG } else { Level::WARN };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr);
    log.with_target(false).without_time().try_init()
}

/// A progress bar over `bytes`, if it is `wanted`. It stays hidden where stderr is no terminal.
pub(crate) fn progress(bytes: usize, wanted: bool) -> Result<ProgressBar> {
    if !wanted {
        return Ok(ProgressBar::hidden());
    }
    let style =
        ProgressStyle::with_template("{msg:>14} {bar:40} {bytes} of {total_bytes}, {eta} left")?;
    let bar = ProgressBar::new(bytes as u64).with_style(style);
    // Also when an error ends the work: its line should stand alone.
    Ok(bar.with_finish(ProgressFinish::AndClear))
}

/// Prints to stdout. A closed pipe (`| head`) is not a failure.
pub(crate) fn say(text: &str) -> Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot print to stdout: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints an error to stderr as one line.
pub(crate) fn complain(error: &dyn Error) {
    let text = error.to_string();
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    // If stderr is closed, the exit status is the only report.
    let _ = writeln!(io::stderr(), "error: {line}");
}
