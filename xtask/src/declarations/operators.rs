//! Writes each operator of a list as the two functions that it stands for.
//!
//! `operator launch, prepare(name: kind, ..) in "header";` is a line of the list `operators!` of `ascendcl-sys`, which
//! expands it in the same way. A kind is a type of `sys/src/parameter.rs`.

use std::collections::BTreeMap;

/// An operator as its line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operator {
    /// The second phase.
    pub(crate) launch: String,
    /// The first phase.
    pub(crate) prepare: String,
    /// Names and kinds.
    pub(crate) parameters: Vec<(String, String)>,
    /// The header below `aclnnop/`.
    pub(crate) header: String,
}

/// The kinds with their types, as `pub type kind = type;` says.
pub(crate) fn kinds(text: &str) -> BTreeMap<String, String> {
    let kind = |line: &str| {
        let (name, of) = line.strip_prefix("pub type ")?.split_once(" = ")?;
        Some((name.to_owned(), of.strip_suffix(';')?.to_owned()))
    };
    text.lines().filter_map(kind).collect()
}

/// The operators of a list.
pub(crate) fn read(text: &str) -> Result<Vec<Operator>, (usize, String)> {
    let lines = (1..).zip(text.lines().map(unmarked));
    let entries = lines.filter(|(_, line)| is_entry(line));
    let read = |(number, line)| {
        operator(line).ok_or_else(|| (number, format!("`{line}` is no operator of a list")))
    };
    entries.map(read).collect()
}

/// A list with two lines of functions for each line of an operator.
pub(crate) fn expand(text: &str, kinds: &BTreeMap<String, String>) -> String {
    let mut expanded = String::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("///") {
            comment.push(trimmed);
        } else if !is_entry(unmarked(trimmed)) {
            comment.clear();
        }
        let mark = trimmed.strip_suffix(unmarked(trimmed)).unwrap_or_default();
        match is_entry(unmarked(trimmed))
            .then(|| operator(unmarked(trimmed)))
            .flatten()
        {
            Some(operator) => {
                let [prepare, launch] = operator.functions(kinds);
                let comment = comment.join("\n");
                expanded.push_str(&format!("{mark}{prepare}\n{comment}\n{mark}{launch}\n"));
            }
            None => {
                expanded.push_str(line);
                expanded.push('\n');
            }
        }
    }
    expanded
}

impl Operator {
    /// Both functions as a list of functions would have them.
    fn functions(&self, kinds: &BTreeMap<String, String>) -> [String; 2] {
        let parameters: String = self
            .parameters
            .iter()
            .map(|(name, kind)| {
                let of = kinds.get(kind).unwrap_or(kind);
                format!("{name}: {of}, ")
            })
            .collect();
        let Operator {
            launch, prepare, ..
        } = self;
        [
            format!(
                "fn {prepare}({parameters}workspaceSize: *mut u64, executor: *mut *mut aclOpExecutor) -> aclnnStatus;"
            ),
            format!(
                "fn {launch}(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, \
                 stream: aclrtStream) -> aclnnStatus;"
            ),
        ]
    }
}

fn is_entry(line: &str) -> bool {
    line.starts_with("operator ") && !line.contains('$')
}

/// A line without the mark of its release.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let marked = line
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "));
    marked.map_or(line, |(_, rest)| rest)
}

fn operator(line: &str) -> Option<Operator> {
    let (names, rest) = line.strip_prefix("operator ")?.split_once('(')?;
    let (parameters, rest) = rest.split_once(')')?;
    let (launch, prepare) = names.split_once(", ")?;
    if prepare.strip_suffix("GetWorkspaceSize") != Some(launch) {
        return None;
    }
    let header = rest.trim().strip_prefix("in \"")?.strip_suffix("\";")?;
    let parameters = super::split(parameters).into_iter().map(|parameter| {
        let (name, kind) = parameter.split_once(": ")?;
        Some((name.to_owned(), kind.to_owned()))
    });
    Some(Operator {
        launch: launch.to_owned(),
        prepare: prepare.to_owned(),
        parameters: parameters.collect::<Option<_>>()?,
        header: header.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{expand, kinds, read};

    const LIST: &str = "area \"op\", OpTable;\n/// Adds.\n\
        [newer] operator aclnnAdd, aclnnAddGetWorkspaceSize(self_: tensor, k: i64) in \"aclnn_add.h\";\nfn other();\n";

    #[test]
    fn an_operator_is_two_functions() {
        let kinds = kinds("/// A tensor.\npub type tensor = *const aclTensor;\n");
        assert_eq!(
            expand(LIST, &kinds),
            "area \"op\", OpTable;\n/// Adds.\n\
             [newer] fn aclnnAddGetWorkspaceSize(self_: *const aclTensor, k: i64, workspaceSize: *mut u64, \
             executor: *mut *mut aclOpExecutor) -> aclnnStatus;\n/// Adds.\n\
             [newer] fn aclnnAdd(workspace: *mut c_void, workspaceSize: u64, executor: *mut aclOpExecutor, \
             stream: aclrtStream) -> aclnnStatus;\nfn other();\n"
        );
    }

    #[test]
    fn a_line_that_is_no_operator_is_told() {
        let one = read(LIST).unwrap_or_default();
        assert_eq!(
            one.first().map(|one| one.header.as_str()),
            Some("aclnn_add.h")
        );
        let wrong = "operator aclnnAdd, aclnnSubGetWorkspaceSize() in \"aclnn_add.h\";";
        assert_eq!(read(wrong).map_err(|(line, _)| line), Err(1));
    }
}
