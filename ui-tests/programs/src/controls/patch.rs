//! The controls as texts (`ui-tests/programs/controls`): each is a rule, what finds the hole, and a difference that removes it.
//!
//! ```text
//! == a stream stays on its thread               the rule that is removed
//! found by the compiler                         or by the checker, or by a test of `tests/it`
//! needs ranks                                   programs of a smaller kind cannot find it
//! kind Push                                     programs without such a step cannot find it
//! @@ src/stream/any.rs                          lines of a file: those that go, those that come, and others
//! -impl !Send for Stream {}
//! ```

use crate::program::Reach;

/// The lists.
const LISTS: [&str; 9] = [
    include_str!("../../controls/list.diff"),
    include_str!("../../controls/limits.diff"),
    include_str!("../../controls/later.diff"),
    include_str!("../../controls/kernels.diff"),
    include_str!("../../controls/pools.diff"),
    include_str!("../../controls/reserved.diff"),
    include_str!("../../controls/signals.diff"),
    include_str!("../../controls/graphs.diff"),
    include_str!("../../controls/tested.diff"),
];

/// What shows that a rule is missing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Judge {
    /// The compiler accepts programs that are illegal.
    Compiler,
    /// The compiler accepts the same programs as before, and the checker has a finding.
    Checker,
    /// Programs of one thread cannot show it, or not in a few steps. This test of `tests/it` fails.
    Test(&'static str),
}

/// An edit of a file: the text that goes, and the text that comes.
#[derive(Debug, Default)]
pub(super) struct Edit {
    pub(super) file: &'static str,
    pub(super) old: String,
    pub(super) new: String,
}

#[derive(Debug)]
pub(super) struct Control {
    /// The rule that is removed.
    pub(super) name: &'static str,
    pub(super) edits: Vec<Edit>,
    /// What finds the hole.
    pub(super) found_by: Judge,
    /// Programs that use less cannot find it.
    pub(super) needs: Reach,
    /// Programs without a step of this kind cannot find it.
    pub(super) kind: Option<&'static str>,
}

/// All controls.
pub(super) fn all() -> Result<Vec<Control>, String> {
    let mut all = Vec::new();
    for line in LISTS.iter().flat_map(|list| list.lines()) {
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Control {
                name,
                edits: Vec::new(),
                found_by: Judge::Compiler,
                needs: Reach::Alone,
                kind: None,
            });
        } else if !line.is_empty() && !line.starts_with('#') {
            let last = all.last_mut();
            let read = last.map_or(Err("no control begins before it".to_owned()), |last| {
                read(last, line)
            });
            read.map_err(|why| format!("`{line}` of a control is not understood: {why}"))?;
        }
    }
    Ok(all)
}

/// Reads one more line of a control.
fn read(control: &mut Control, line: &'static str) -> Result<(), String> {
    let mut edit = control.edits.last_mut();
    let mut add = |to_old: bool, to_new: bool, text: &str| {
        let edit = edit.as_mut().ok_or("no file is named before it")?;
        for (_, side) in [(to_old, &mut edit.old), (to_new, &mut edit.new)]
            .into_iter()
            .filter(|(to, _)| *to)
        {
            side.push_str(text);
            side.push('\n');
        }
        Ok(())
    };
    match line.split_at(1) {
        (" ", text) => return add(true, true, text),
        ("-", text) => return add(true, false, text),
        ("+", text) => return add(false, true, text),
        _ => {}
    }
    match line.split_once(' ') {
        Some(("@@", file)) => control.edits.push(Edit {
            file,
            ..Edit::default()
        }),
        Some(("needs", kind)) => control.needs = kind.parse()?,
        Some(("kind", step)) => control.kind = Some(step),
        _ => {
            control.found_by = match line.strip_prefix("found by ") {
                Some("the compiler") => Judge::Compiler,
                Some("the checker") => Judge::Checker,
                Some(test) => Judge::Test(test),
                None => return Err("it is no line of a control".to_owned()),
            };
        }
    }
    Ok(())
}
