//! `own_operator`: an operator that the program declares, and one that the backend lacks.

use crate::common::Folder;

#[test]
fn a_declared_operator_computes() {
    let folder = Folder::new("a_declared_operator_computes");
    let outcome = folder.run("own_operator", &[], &[]);
    outcome.succeeded();
    // The checker asks for a workspace, which the operator does not need.
    let (plan, numbers) = outcome.stdout.split_once('\n').unwrap_or_default();
    let begin = "Plan(aclnnAddCustom, workspace ";
    assert!(plan.starts_with(begin), "{plan}");
    assert_eq!(numbers, "[-3.75, -1.75, -0.75, 1.25, 2.25, 3.25]\n");
}

#[test]
fn a_backend_without_the_operator_says_so() {
    let folder = Folder::new("a_backend_without_the_operator_says_so");
    let outcome = folder.run("own_operator", &["--without-definition"], &[]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome
            .stderr
            .contains("the emulator has no operator aclnnAddCustom"),
        "{}",
        outcome.stderr
    );
}
