//! `--fail-everywhere`: a run for every call of the program, in which that call fails.

use std::env;
use std::fmt;
use std::process::{Command, Output};

use ascendcl::emulator::journal;

use crate::args::Args;
use crate::journal::{Account, IN_ORDER, LEFT, RELEASED, field};
use crate::log::say;
use crate::{Result, start, use_devices};

/// Runs once without a failure to list the calls, and once for each call. The emulator is configured once per
/// process, so every run is a process of its own.
pub(crate) fn run(args: &Args) -> Result<()> {
    use_devices(args, start::watched(args)?.as_ref())?;
    let calls = journal();
    say(&format!(
        "{}\n\nNow each of these calls fails once:\n",
        Account::of_this_process(&[])
    ))?;
    say(&Row::heading().to_string())?;
    let mut wrong = 0;
    for (at, call) in calls.iter().enumerate() {
        let nth = calls
            .iter()
            .take(at + 1)
            .filter(|c| c.name == call.name)
            .count();
        let step = format!("{}#{nth}", call.name);
        let row = Row::of(&step, &child(&step)?);
        wrong += usize::from(row.in_order != "yes");
        say(&row.to_string())?;
    }
    let runs = calls.len();
    if wrong > 0 {
        return Err(format!("{wrong} of {runs} runs did not release everything in order").into());
    }
    say(&format!(
        "\nAll {runs} runs released what they had taken, in order."
    ))
}

/// Starts this program again, with the same options.
fn child(step: &str) -> Result<Output> {
    let program = env::current_exe()
        .map_err(|error| format!("cannot find this program to start it again: {error}"))?;
    let options = env::args_os()
        .skip(1)
        .filter(|option| option != "--fail-everywhere");
    let mut command = Command::new(program);
    command.args(options).args(["--fail-at", step]);
    command
        .output()
        .map_err(|error| format!("cannot start this program again: {error}").into())
}

/// A line of the table.
struct Row {
    step: String,
    error: String,
    in_order: String,
    left: String,
    released: String,
}

impl Row {
    fn heading() -> Row {
        Row {
            step: "step".into(),
            error: "error".into(),
            in_order: "in order".into(),
            left: "left alive".into(),
            released: "released afterwards".into(),
        }
    }

    /// The output of a run.
    fn of(step: &str, output: &Output) -> Row {
        let said = String::from_utf8_lossy(&output.stdout);
        let field = |label| field(&said, label).unwrap_or("unknown").to_owned();
        Row {
            step: step.to_owned(),
            error: short(&String::from_utf8_lossy(&output.stderr)),
            in_order: field(IN_ORDER),
            left: field(LEFT),
            released: field(RELEASED),
        }
    }
}

/// `207001 RT_MEMORY_ALLOCATION` of `error: aclrtMalloc failed with 207001 (ACL_ERROR_RT_...) ...`.
fn short(stderr: &str) -> String {
    let Some(error) = stderr.lines().find_map(|line| line.strip_prefix("error: ")) else {
        return "none: the run went on".to_owned();
    };
    let status = error
        .split_once(" failed with ")
        .and_then(|(_, rest)| rest.split_once(')'));
    match status {
        Some((status, _)) => status.replace("(ACL_ERROR_", "").replace('(', ""),
        None => error.to_owned(),
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row {
            step,
            error,
            in_order,
            left,
            released,
        } = self;
        write!(
            f,
            "{step:<27} {error:<31} {in_order:<9} {left:<11} {released}"
        )
    }
}
