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

use crate::error::{Error, conclude};
use crate::files::{self, text};
use crate::output::say;

pub(crate) fn command() -> Result<(), Error> {
    let (rules, mut mistakes) = ledger::parse(&text(ledger::FILE)?);
    let (promises, of_promises) = promises::parse(&text(promises::FILE)?);
    let (words, of_words) = words::parse(&text(words::FILE)?);
    let cases = files::cases()?.cases;

    let lists = check::Lists { rules, promises };
    // A file that cannot be read has no tests. The mistake names the file.
    let read = |path: &str| text(path).ok();
    mistakes.extend(of_promises.into_iter().chain(of_words));
    mistakes.extend(words::mistakes(&words, &cases));
    mistakes.extend(check::mistakes(&lists, &cases, &read));
    // In the order of the files and their lines, for all checks.
    mistakes.sort();

    say!(
        "{}\n{}",
        table::rules(&lists.rules),
        table::promises(&lists.promises)
    );
    let (of_rules, of_promises) = (lists.of_rules(), lists.of_promises());
    say!(
        "\n{} ui cases: {} show a rule, {} keep a promise, {} do both\n{} of them have only the compiler's words ({})\n",
        cases.len(),
        of_rules.len(),
        of_promises.len(),
        of_rules.intersection(&of_promises).count(),
        words::count(&words),
        words::FILE
    );
    conclude(&mistakes)
}
