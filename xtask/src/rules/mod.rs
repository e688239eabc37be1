//! `cargo xtask rules`: the ledger of AscendCL's rules, what this crate does about each, and the
//! promises that it makes beside them.
//!
//! This command checks whether the tests and cases of the lists exist, and whether every ui case is in one of the
//! lists. Only a reader can judge whether a case proves its rule. A third list has the cases without words of this crate.

mod check;
pub(crate) mod ledger;
pub(crate) mod list;
pub(crate) mod promises;
mod table;
mod words;

use crate::error::Error;
use crate::files;
use crate::output::say;
use crate::process::root;

pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let failed = |text: String| Error::Failed(format!("rules: {text}"));
    let file = |name: &str| files::text(&root.join(name));
    let (rules, mut mistakes) = ledger::parse(&file(ledger::FILE)?);
    let (promises, of_promises) = promises::parse(&file(promises::FILE)?);
    let (words, of_words) = words::parse(&file(words::FILE)?);
    let cases = files::cases()?.cases;

    let lists = check::Lists {
        rules: &rules,
        promises: &promises,
    };
    // A file that cannot be read has no tests. The mistake names the file.
    let read = |path: &str| file(path).ok();
    mistakes.extend(of_promises.into_iter().chain(of_words));
    mistakes.extend(words::mistakes(&words, &cases));
    mistakes.extend(check::mistakes(&lists, &cases, &read));
    // In the order of the files and their lines, for all checks.
    mistakes.sort();

    say(&table::rules(&rules));
    say(&format!("\n{}", table::promises(&promises)));
    let (of_rules, of_promises) = (check::of_rules(&rules), check::of_promises(&promises));
    say(&format!(
        "\n{} ui cases: {} show a rule, {} keep a promise, {} do both\n",
        cases.len(),
        of_rules.len(),
        of_promises.len(),
        of_rules.intersection(&of_promises).count()
    ));
    say(&format!(
        "{} of them have only the compiler's words ({})\n",
        words::count(&words),
        words::FILE
    ));
    if mistakes.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
    let count = lines.len();
    Err(failed(format!("{count} mistakes\n{}", lines.join("\n"))))
}
