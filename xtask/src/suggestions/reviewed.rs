//! The list of offers that compile and are correct.

use serde::Deserialize;

use super::offer::Change;
use crate::finding::Finding;
use crate::rules::list::{self, Entry};

/// The path of the list, from the root.
pub(super) const FILE: &str = "ui-tests/suggestions.csv";

/// A reviewed offer.
#[derive(Debug, Deserialize)]
pub(super) struct Reviewed {
    case: String,
    /// The lines that the offer makes.
    lines: String,
    #[expect(dead_code, reason = "says to readers why the program is right")]
    #[serde(deserialize_with = "list::text")]
    reason: String,
    /// The statements that run the program, or why it cannot run behind [`NOT_RUN`].
    #[serde(deserialize_with = "list::text")]
    run: String,
}

/// The beginning of a `run` field that says why a program cannot run.
const NOT_RUN: &str = "not run: ";

/// The entries of the list, and their mistakes.
pub(super) fn parse(text: &str) -> (Vec<Entry<Reviewed>>, Vec<Finding>) {
    let (entries, mut mistakes) = list::read::<Reviewed>(FILE, text);
    let silent = entries
        .iter()
        .filter(|entry| entry.run.trim() == NOT_RUN.trim());
    let why = format!("says nothing behind `{NOT_RUN}`");
    mistakes.extend(silent.map(|entry| entry.mistake(format!("{}: {why}", entry.case))));
    (entries, mistakes)
}

/// The listed programs that can run, as texts with a function `program`, each with its line in the list.
pub(super) fn runs<'a>(
    listed: &'a [Entry<Reviewed>],
    found: &[(String, &Change)],
) -> Vec<(&'a Entry<Reviewed>, String)> {
    let can_run = listed
        .iter()
        .filter(|entry| !entry.run.starts_with(NOT_RUN));
    let text = |entry: &'a Entry<Reviewed>| {
        let (_, change) = found.iter().find(|found| entry.is(found))?;
        Some((entry, program(&change.text, &entry.run)))
    };
    can_run.filter_map(text).collect()
}

/// The text of a case with a function `program` that runs it by the statements `run`. They can use `acl`, `thread`,
/// `device` and `side`, and `bind!(current, stream);` binds the thread and makes a stream.
fn program(case: &str, run: &str) -> String {
    format!(
        "{case}
pub(crate) fn program(acl: ascendcl::Acl) -> ascendcl::Result<()> {{
    let mut thread = ascendcl::Thread::claim()?;
    let device = acl.set_device::<ascendcl::Npu<0>>(&mut thread, 0)?;
    let side = acl.run_mode()?.host().expect(\"the emulator runs on a host\");
    macro_rules! bind {{
        ($current:ident, $stream:ident) => {{
            let $current = thread.set_current(&device)?;
            let mut $stream = $current.create_stream::<ascendcl::stream::Main>()?;
        }};
    }}
    {run}
    Ok(())
}}
"
    )
}

impl Reviewed {
    fn is(&self, (case, change): &(String, &Change)) -> bool {
        self.case == *case && self.lines == change.lines
    }
}

/// The mistake of a listed program whose run is wrong.
pub(super) fn wrong(entry: &Entry<Reviewed>, said: &str) -> Finding {
    let what = "is wrong when it runs after the offer";
    entry.mistake(format!("{} {what}: {said}", entry.case))
}

/// Results that compile and are not listed, and listed lines that no offer makes any more.
pub(super) fn mistakes(listed: &[Entry<Reviewed>], found: &[(String, &Change)]) -> Vec<Finding> {
    let new = found.iter();
    let new = new.filter(|found| !listed.iter().any(|entry| entry.is(found)));
    let new = new.map(|(case, Change { help, lines, .. })| {
        let what = format!(
            "compiles after \"{help}\": {lines}\n  If that program is right and does what was meant, list it in {FILE}; else \
             the API must refuse it."
        );
        Finding::new(format!("ui-tests/cases/{case}.rs"), 1, what)
    });
    let stale = listed.iter();
    let stale = stale.filter(|entry| !found.iter().any(|found| entry.is(found)));
    let stale = stale.map(|entry| {
        let Reviewed { case, lines, .. } = &entry.of;
        entry.mistake(format!(
            "{case} has no offer that compiles and makes `{lines}`"
        ))
    });
    new.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::super::offer::Change;
    use super::{FILE, mistakes, parse, runs, wrong};
    use crate::finding::lines;

    fn change(text: &str) -> Change {
        let [help, lines, text] = ["borrow", "f(a);", text].map(String::from);
        Change { help, lines, text }
    }

    #[test]
    fn the_list_and_the_offers_are_compared() {
        let (listed, _) = parse("case,lines,reason,run\nevent/a,f(a);,it is right,wrong()?;\n");
        let change = change("");
        assert_eq!(mistakes(&listed, &[("event/a".into(), &change)]), []);
        let found = lines(&mistakes(&listed, &[("event/b".into(), &change)])).join("\n");
        let new = "ui-tests/cases/event/b.rs:1: compiles after \"borrow\": f(a);";
        assert!(found.starts_with(new), "{found}");
        let stale = format!("\n{FILE}:2: event/a has no offer that compiles and makes `f(a);`");
        assert!(found.ends_with(&stale), "{found}");
    }

    #[test]
    fn an_entry_has_a_reason_and_runs_or_says_why_it_cannot() {
        let change = change("fn wrong() {}");
        let all = [("event/a".into(), &change)];
        let read = |fields| parse(&format!("case,lines,reason,run\nevent/a,f(a);,{fields}\n"));
        let (listed, _) = read("right,wrong(&mut thread)?;");
        let runs = runs(&listed, &all);
        let [(entry, text)] = &runs[..] else {
            unreachable!("it runs: {runs:?}");
        };
        assert!(
            text.starts_with("fn wrong() {}\n") && text.contains("\n    wrong(&mut thread)?;\n")
        );
        let expected = "event/a is wrong when it runs after the offer: leak";
        assert_eq!(
            wrong(entry, "leak").to_string(),
            format!("{FILE}:2: {expected}")
        );
        let (listed, found) = read("right,not run: it only declares");
        assert!(found.is_empty() && super::runs(&listed, &all).is_empty());
        for fields in [",wrong()?;", "right,not run: ", "right,"] {
            let (_, found) = read(fields);
            assert!(lines(&found).concat().contains("says nothing"), "{fields}");
        }
    }
}
