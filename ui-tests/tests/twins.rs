//! Every case is well formed, and its twin without the mistake compiles.

use std::path::Path;
use std::{env, io};

use ui_tests::cases::Cases;
use ui_tests::package::Package;
use ui_tests::twins;

#[test]
fn cases_are_well_formed() -> io::Result<()> {
    let problems = cases()?.problems();
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
