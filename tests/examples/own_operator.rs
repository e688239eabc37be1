//! `own_operator`: an operator that the program declares, and one that the backend lacks.

use crate::common::Folder;

#[test]
fn a_declared_operator_computes() {
    let folder = Folder::new("a_declared_operator_computes");
    let outcome = folder.run("own_operator", &[], &[]);
    outcome.succeeded();
    // Under the checker each operator asks for a workspace.
    let said = outcome
        .stdout
        .replace("workspace 32 bytes", "workspace 0 bytes");
    assert_eq!(
        said,
        "Plan(aclnnSoftshrink, workspace 0 bytes)\n[-2.5, -0.5, 0.0, 0.0, 0.5, 1.5]\n"
    );
}

#[test]
fn a_backend_without_the_operator_says_so() {
    let folder = Folder::new("a_backend_without_the_operator_says_so");
    let outcome = folder.run("own_operator", &["--without-definition"], &[]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome
            .stderr
            .contains("the emulator has no operator aclnnSoftshrink"),
        "{}",
        outcome.stderr
    );
}
