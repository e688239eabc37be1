//! Every case is well formed, and its twin without the mistake compiles.

use std::path::Path;
use std::{env, fs, io};

use ui_tests::cases::Cases;
use ui_tests::flow::Flow;
use ui_tests::package::Package;
use ui_tests::twins;

#[test]
fn cases_are_well_formed() -> io::Result<()> {
    let problems = cases()?.problems();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
    Ok(())
}

#[test]
fn messages_lead_through_each_flow() -> io::Result<()> {
    let flows = Flow::read_all(ui_tests())?;
    let problems: Vec<_> = flows.iter().flat_map(Flow::problems).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
    Ok(())
}

#[test]
fn twins_compile() -> io::Result<()> {
    let cases = cases()?.cases;
    if cases.is_empty() {
        return Ok(());
    }
    let missing = || io::Error::other("cannot find the workspace or its target folder");
    let package = Package {
        workspace: ui_tests().parent().ok_or_else(missing)?,
        // Cargo names only its folder for temporary files, which stands in the target folder.
        folder: &Path::new(env!("CARGO_TARGET_TMPDIR"))
            .parent()
            .ok_or_else(missing)?
            .join("ui-twins"),
    };
    package.write(&twins::programs(&cases))?;
    let checked = twins::check(&package);
    assert!(checked.is_ok(), "\n{}\n", checked.err().unwrap_or_default());
    Ok(())
}

/// A user who meets an error of the compiler finds its section in the documentation.
#[test]
fn each_code_of_the_compiler_has_a_section() -> io::Result<()> {
    let file = "src/messages.rs";
    let page = fs::read_to_string(ui_tests().join("..").join(file))?;
    let headings: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("//! # E"))
        .collect();
    let cases = cases()?.cases;
    let lines = cases.iter().flat_map(|case| {
        let message = case.message.as_deref().unwrap_or_default();
        message.lines().map(move |line| (case, line))
    });
    let codes = lines.filter_map(|(case, line)| {
        let (code, _) = line.strip_prefix("error[")?.split_once(']')?;
        Some((case, code))
    });
    let missing: Vec<_> = codes
        .filter(|(_, code)| !headings.iter().any(|heading| heading.contains(code)))
        .map(|(case, code)| format!("{}: {code} has no section in {file}", case.path()))
        .collect();
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
    Ok(())
}

/// The cases, or those that `trybuild=<word>` chooses: the same words as for the refusals.
fn cases() -> io::Result<Cases> {
    let words: Vec<String> = env::args()
        .filter_map(|argument| argument.strip_prefix("trybuild=").map(String::from))
        .collect();
    Ok(Cases::read(ui_tests())?.matching(&words))
}

fn ui_tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
