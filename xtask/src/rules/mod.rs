//! `cargo xtask rules`: the ledger of AscendCL's rules, what this crate does about each, and the
//! promises that it makes beside them.
//!
//! This command checks whether the tests and cases of the lists exist, and whether every ui case is in one of the
//! lists. Only a reader can judge whether a case proves its rule. A third list has the cases without words of this crate.

mod check;
mod ledger;
pub(crate) mod list;
mod words;

use crate::error::{Error, conclude};
use crate::files::{self, text};
pub(crate) use ledger::{Lists, Promise};

pub(crate) fn command() -> Result<(), Error> {
    let (lists, mut mistakes) = Lists::read()?;
    let (words, of_words) = words::parse(&text(words::FILE)?);
    let cases = files::cases()?.cases;
    // A file that cannot be read has no tests. The mistake names the file.
    let read = |path: &str| text(path).ok();
    mistakes.extend(of_words);
    mistakes.extend(words::mistakes(&words, &cases));
    mistakes.extend(check::mistakes(&lists, &cases, &read));
    // In the order of the files and their lines, for all checks.
    mistakes.sort();
    conclude(&mistakes)?;
    let (rules, promises, cases) = (lists.rules.len(), lists.promises.len(), cases.len());
    println!(
        "rules: {rules} rules and {promises} promises have a proof or a reason, and {cases} ui cases show them"
    );
    Ok(())
}
