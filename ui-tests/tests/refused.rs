//! Every case is refused, with the message that stands beside it.

use std::io;
use std::path::Path;

use ui_tests::cases::Cases;

/// Runs trybuild on all cases in one `cargo check`.
///
/// It only checks: an assertion that fails while generic code is instantiated goes unnoticed here.
/// That is wanted. A user's editor only checks too, so no rule of the API may rest on such an
/// assertion; and a single case that must build would make trybuild compile all of them one by one.
#[test]
fn cases_are_refused_with_their_message() -> io::Result<()> {
    // trybuild would do its preparations even for no case at all.
    if !Cases::read(Path::new(env!("CARGO_MANIFEST_DIR")))?
        .cases
        .is_empty()
    {
        trybuild::TestCases::new().compile_fail("cases/*/*.rs");
    }
    Ok(())
}
