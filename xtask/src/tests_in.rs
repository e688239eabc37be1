//! Finding a test by its path.

/// The first word of a path, and the folder that it stands for.
const FOLDERS: [(&str, &str); 3] = [
    ("it", "tests/it"),
    ("sys", "sys/tests"),
    ("emulator", "emulator/tests"),
];

/// What is wrong with a path of a test such as `it::device::dropping_resets`. `read` returns the text of a file.
pub(crate) fn problem(path: &str, read: impl Fn(&str) -> Option<String>) -> Option<String> {
    let Some((file, function)) = place(path) else {
        let words = "write `it::<file>::<function>`, or `sys` or `emulator` instead of `it`";
        return Some(format!("`{path}` is no path of a test: {words}"));
    };
    let is_there = read(&file).is_some_and(|text| has_test(&text, function));
    (!is_there)
        .then(|| format!("{file} has no test `{function}`: correct the name, or write the test"))
}

/// Whether a word has the form of such a path.
pub(crate) fn is_path(word: &str) -> bool {
    place(word).is_some()
}

/// The file and the function of a path.
fn place(path: &str) -> Option<(String, &str)> {
    let (modules, function) = path.rsplit_once("::")?;
    let (first, modules) = modules.split_once("::")?;
    let (_, folder) = FOLDERS.into_iter().find(|(word, _)| *word == first)?;
    let file = format!("{folder}/{}.rs", modules.replace("::", "/"));
    Some((file, function))
}

/// Whether the text of a file has a test of this name: a function below `#[test]`, or a function directly in
/// `isolated! { .. }`, which makes tests of its functions, some for one backend. Helper functions are not tests.
fn has_test(text: &str, function: &str) -> bool {
    let head = format!("fn {function}()");
    let mut isolated = false;
    let mut before = "";
    for line in text.lines() {
        if line.starts_with("isolated! {") {
            isolated = true;
        } else if line == "}" {
            isolated = false;
        }
        let in_macro = isolated
            && line
                .strip_prefix("    ")
                .map(|l| l.strip_prefix("on emulator ").unwrap_or(l))
                .is_some_and(|l| l.starts_with(&head));
        let below_attribute = before.trim() == "#[test]" && line.trim().starts_with(&head);
        if in_macro || below_attribute {
            return true;
        }
        before = line;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_test;

    #[test]
    fn tests_are_told_from_helpers() {
        let text = "fn helper() {\n    isolate();\n}\n\nisolated! {\n    [\"NAME\" = \"value\"]\n    fn in_macro() {\n        \
                    fn nested() {}\n    }\n\n    on emulator fn on_one_backend() {\n    }\n}\n\n    fn outside() {}\n    \
                    #[test]\n    fn plain() {}\n";
        for (name, is_test) in [
            ("on_one_backend", true),
            ("in_macro", true),
            ("plain", true),
            ("helper", false),
            ("nested", false),
            ("outside", false),
            ("in_mac", false),
        ] {
            assert_eq!(has_test(text, name), is_test, "{name}");
        }
    }
}
