//! `cargo xtask ui`: the ui cases and their twins, and writing their messages anew.

use crate::error::Error;
use crate::files::cases;
use crate::process::Line;

pub(crate) fn command(bless: bool, word: Option<&str>) -> Result<(), Error> {
    // A word that fits nothing would let every test pass.
    if let Some(word) = word
        && cases()?.matching(&[word.to_string()]).cases.is_empty()
    {
        return Err(format!("no ui case has `{word}` in its name").into());
    }
    test_line(bless, word).run()?;
    if bless {
        println!("\nRead what changed, as a newcomer would: git diff ui-tests/cases");
    }
    Ok(())
}

/// The test line. Both tests understand `trybuild=<word>`; the harness around them takes it for the
/// name of a test, so the names of the tests stand before it.
fn test_line(bless: bool, word: Option<&str>) -> Line {
    let mut line = Line::new("cargo test --package ui-tests --no-fail-fast");
    if let Some(word) = word {
        let tests = "--test refused --test twins -- cases_are twins_compile";
        line = line
            .with(tests.split(' '))
            .with([format!("trybuild={word}")]);
    }
    if bless {
        line.with_env("TRYBUILD", "overwrite")
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::test_line;

    #[test]
    fn the_word_stands_behind_the_names_of_the_tests() {
        let expected = "TRYBUILD='overwrite' cargo test --package ui-tests --no-fail-fast \
                        --test refused --test twins -- cases_are twins_compile trybuild=event";
        assert_eq!(test_line(true, Some("event")).to_string(), expected);
    }
}
