//! Every case is refused, with the message that stands beside it.

use std::path::Path;
use std::{env, io};

use ui_tests::cases::Cases;

/// Runs trybuild on all cases in one `cargo check`.
///
/// It only checks: an assertion that fails while generic code is instantiated goes unnoticed here.
/// That is wanted. A user's editor only checks too, so no rule of the API may rest on such an
/// assertion; and a single case that must build would make trybuild compile all of them one by one.
#[test]
fn cases_are_refused_with_their_message() -> io::Result<()> {
    let ui_tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = Cases::read(ui_tests)?;
    // trybuild would do its preparations even for no case at all.
    if cases.cases.is_empty() {
        return Ok(());
    }
    cases.expand(ui_tests)?;
    let test = trybuild::TestCases::new();
    test.compile_fail("expanded/*/*.rs");
    test.compile_fail("flows/*/step_*.rs");
    // It runs now, and panics if a message differs.
    drop(test);
    if env::var_os("TRYBUILD").is_some_and(|what| what == "overwrite") {
        cases.take_messages(ui_tests)?;
    }
    Ok(())
}
