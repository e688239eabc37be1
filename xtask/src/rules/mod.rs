//! `cargo xtask rules`: the ledger of AscendCL's rules, and what this crate does about each.
//!
//! The ledger claims; this command looks whether what it names is there. Whether a case proves its
//! rule remains for a reader to judge.

mod check;
mod ledger;
mod line;
mod table;
mod tests_in;

use std::fs;

use ui_tests::cases::Cases;

use crate::Error;
use crate::process::root;

/// The ledger, seen from the root.
const FILE: &str = "ui-tests/rules.csv";

pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let failed = |text: String| Error::Failed(format!("rules: {text}"));
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| failed(format!("cannot read {FILE}: {error}")))?;
    let cases = Cases::read(&root.join("ui-tests"))
        .map_err(|error| failed(format!("cannot read the ui cases: {error}")))?;

    let (rows, mut mistakes) = ledger::parse(&text);
    // A file that cannot be read holds no test; the mistake names it.
    let read = |path: &str| fs::read_to_string(root.join(path)).ok();
    mistakes.extend(check::mistakes(&rows, &cases.cases, &read));

    print!("{}", table::table(&rows));
    println!(
        "\n{} of {} ui cases are named by no rule",
        check::unnamed(&rows, &cases.cases),
        cases.cases.len()
    );
    if mistakes.is_empty() {
        return Ok(());
    }
    // In the order of the file, whichever check has found them.
    mistakes.sort_by_key(|mistake| mistake.line);
    let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
    let count = lines.len();
    Err(failed(format!("{count} mistakes\n{}", lines.join("\n"))))
}
