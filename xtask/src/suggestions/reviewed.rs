//! The list of offers that compile and are correct.

use super::offer::Change;
use crate::finding::Finding;
use crate::rules::list;

/// The path of the list, from the root.
pub(super) const FILE: &str = "ui-tests/suggestions.csv";

/// The first line of the file.
const HEADER: &str = "case,lines,reason,run";

/// A reviewed offer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reviewed {
    /// The line in the file, counted from 1.
    line: usize,
    case: String,
    /// The lines that the offer makes.
    lines: String,
    /// The statements that run the program, or `None` if it cannot run.
    run: Option<String>,
}

/// The beginning of a `run` field that says why a program cannot run.
const NOT_RUN: &str = "not run: ";

/// The entries that can be read, and the mistakes of the other lines.
pub(super) fn parse(text: &str) -> (Vec<Reviewed>, Vec<String>) {
    let entry = |line, [case, lines, reason, run]: [String; 4]| {
        if reason.trim().is_empty() {
            return Err(format!("{case}: does not say why the program is right"));
        }
        let reason = run.strip_prefix(NOT_RUN);
        if run.trim().is_empty() || reason.is_some_and(|reason| reason.trim().is_empty()) {
            return Err(format!(
                "{case}: says neither how the program runs nor, behind `{NOT_RUN}`, why it cannot"
            ));
        }
        let run = reason.is_none().then_some(run);
        Ok(Reviewed {
            line,
            case,
            lines,
            run,
        })
    };
    let (entries, mistakes) = list::read((FILE, HEADER), text, entry);
    (entries, mistakes.iter().map(Finding::to_string).collect())
}

/// The listed programs that can run, as texts with a function `program`, each with its line in the list.
pub(super) fn runs<'a>(
    listed: &'a [Reviewed],
    found: &[(String, &Change)],
) -> Vec<(&'a Reviewed, String)> {
    let text = |entry: &'a Reviewed| {
        let run = entry.run.as_deref()?;
        let (_, change) = found.iter().find(|found| entry.is(found))?;
        Some((entry, program(&change.text, run)))
    };
    listed.iter().filter_map(text).collect()
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

    /// The mistake of a listed program whose run is wrong.
    pub(super) fn wrong(&self, said: &str) -> String {
        let Reviewed { line, case, .. } = self;
        format!("{FILE}:{line}: {case} is wrong when it runs after the offer: {said}")
    }
}

/// Results that compile and are not listed, and listed lines that no offer makes any more.
pub(super) fn mistakes(listed: &[Reviewed], found: &[(String, &Change)]) -> Vec<String> {
    let new = found.iter();
    let new = new.filter(|found| !listed.iter().any(|entry| entry.is(found)));
    let new = new.map(|(case, change)| {
        format!(
            "ui-tests/cases/{case}.rs: compiles after \"{}\": {}\n  If that program is right and does what was \
             meant, list it in {FILE}; else the API must refuse it.",
            change.help, change.lines
        )
    });
    let stale = listed.iter();
    let stale = stale.filter(|entry| !found.iter().any(|found| entry.is(found)));
    let stale = stale.map(
        |Reviewed {
             line, case, lines, ..
         }| {
            format!("{FILE}:{line}: {case} has no offer that compiles and makes `{lines}`")
        },
    );
    new.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::super::offer::Change;
    use super::{FILE, HEADER, Reviewed, mistakes, parse, runs};

    /// What is read of an entry with these last fields, and the mistakes.
    fn read(fields: &str) -> (Vec<Reviewed>, Vec<String>) {
        parse(&format!("{HEADER}\nevent/a,f(a);,{fields}\n"))
    }

    fn change(text: &str) -> Change {
        let [help, lines, text] = ["borrow", "f(a);", text].map(String::from);
        Change { help, lines, text }
    }

    #[test]
    fn the_list_and_the_offers_are_compared() {
        let (listed, wrong) = read("it is right,wrong()?;");
        assert!(wrong.is_empty(), "{wrong:?}");
        let change = change("");
        assert_eq!(mistakes(&listed, &[("event/a".into(), &change)]), [""; 0]);
        let found = mistakes(&listed, &[("event/b".into(), &change)]).join("\n");
        let new = "ui-tests/cases/event/b.rs: compiles after \"borrow\": f(a);";
        assert!(found.starts_with(new), "{found}");
        let stale = format!("\n{FILE}:2: event/a has no offer that compiles and makes `f(a);`");
        assert!(found.ends_with(&stale), "{found}");
    }

    #[test]
    fn an_entry_has_a_reason_and_says_how_it_runs_or_why_it_cannot() {
        for (fields, count, words) in [
            ("right,wrong()?;", 1, ""),
            ("right,not run: it only declares", 1, ""),
            (
                ",wrong()?;",
                0,
                "2: event/a: does not say why the program is right",
            ),
            ("right,not run: ", 0, "2: event/a: says neither how"),
            ("right,", 0, "2: event/a: says neither how"),
        ] {
            let (listed, wrong) = read(fields);
            assert!(
                listed.len() == count && wrong.concat().contains(words),
                "{fields}: {wrong:?}"
            );
        }
    }

    #[test]
    fn what_can_run_has_a_function_that_runs_it() {
        let (listed, _) = read("right,wrong(&mut thread)?;\nevent/b,f(a);,right,not run: no");
        let change = change("fn wrong() {}");
        let found = ["event/a", "event/b"].map(|case| (case.into(), &change));
        let runs = runs(&listed, &found);
        let [(entry, text)] = runs.as_slice() else {
            unreachable!("one of the two runs: {runs:?}");
        };
        assert!(text.starts_with("fn wrong() {}\n") && text.contains("    wrong(&mut thread)?;\n"));
        let expected = "event/a is wrong when it runs after the offer: leak";
        assert_eq!(entry.wrong("leak"), format!("{FILE}:2: {expected}"));
    }
}
