//! `cargo xtask ui`: the ui cases and their twins, and writing their messages anew.

use crate::error::Error;
use crate::files::cases;
use crate::process::Line;

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let (bless, word) = parse(options).map_err(Error::Usage)?;
    // A word that fits nothing would let every test pass.
    if let Some(word) = word
        && cases()?.matching(&[word.to_string()]).cases.is_empty()
    {
        return Err(Error::Failed(format!(
            "no ui case has `{word}` in its name"
        )));
    }
    test_line(bless, word).run()?;
    if bless {
        println!("\nRead what changed, as a newcomer would: git diff ui-tests/cases");
    }
    Ok(())
}

fn parse<'a>(options: &[&'a str]) -> Result<(bool, Option<&'a str>), String> {
    let mut bless = false;
    let mut word = None;
    for option in options {
        match *option {
            "--bless" => bless = true,
            option if option.starts_with('-') => return Err(format!("`ui` has no `{option}`")),
            option if word.is_none() => word = Some(option),
            option => return Err(format!("`ui` takes one word, `{option}` is one too many")),
        }
    }
    Ok((bless, word))
}

/// The test line. Both tests understand `trybuild=<word>`; the harness around them takes it for the
/// name of a test, so the names of the tests stand before it.
fn test_line(bless: bool, word: Option<&str>) -> Line {
    let mut line = Line::new("cargo test --package ui-tests --no-fail-fast");
    if let Some(word) = word {
        let tests = "--test refused --test twins -- cases_are twins_compile";
        line = line.with_arguments(tests.split(' ').map(String::from));
        line = line.with_arguments([format!("trybuild={word}")]);
    }
    if bless {
        line = line.with_env("TRYBUILD", "overwrite");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{parse, test_line};

    #[test]
    fn options_come_in_any_order() {
        assert_eq!(parse(&[]), Ok((false, None)));
        assert_eq!(parse(&["event", "--bless"]), Ok((true, Some("event"))));
        assert_eq!(parse(&["--bless", "event"]), Ok((true, Some("event"))));
        assert!(parse(&["event", "stream"]).is_err());
        assert!(parse(&["--bles"]).is_err());
    }

    #[test]
    fn the_word_stands_behind_the_names_of_the_tests() {
        let expected = "TRYBUILD='overwrite' cargo test --package ui-tests --no-fail-fast \
                        --test refused --test twins -- cases_are twins_compile trybuild=event";
        assert_eq!(test_line(true, Some("event")).to_string(), expected);
    }
}
