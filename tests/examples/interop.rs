//! The example `interop`: it shares resources with another library, and destroys and frees none of them.

use crate::common::Folder;

/// The output: 16 numbers that the other library has written, doubled, in its memory.
const OUTPUT: &str = "\
backend the emulator
16 of 16 numbers of torch were doubled on its stream
";

#[test]
fn typed_work_goes_between_the_work_of_the_library() {
    for schedule in ["eager", "lazy"] {
        // A finding of the checker would be an error.
        let variables = [
            ("ASCENDCL_EMULATOR_SCHEDULE", schedule),
            ("ASCENDCL_EMULATOR_CHECK", "leaks"),
        ];
        let outcome = Folder::new(&format!("interop_{schedule}")).run("interop", &[], &variables);
        assert_eq!(outcome.succeeded().stdout, OUTPUT);
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn what_fails_on_either_side_is_one_line() {
    for (index, (fault, words)) in [
        (
            "aclrtSetDevice#1=507000",
            "torch: aclrtSetDevice failed with 507000",
        ),
        (
            "aclrtSetDevice#2=507000",
            "aclrtSetDevice failed with 507000",
        ),
        (
            "aclrtMemcpyAsync#1=507899",
            "aclrtMemcpyAsync failed with 507899",
        ),
        (
            "task:aclrtMemcpyAsync#1=507001",
            "aclrtSynchronizeDevice failed with 507001",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let variables = [
            ("ASCENDCL_EMULATOR_FAULTS", fault),
            ("ASCENDCL_EMULATOR_CHECK", "0"),
        ];
        let outcome =
            Folder::new(&format!("interop_fault_{index}")).run("interop", &[], &variables);
        outcome.refused(&[words]);
    }
}
