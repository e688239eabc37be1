//! Handles of objects that other threads create and destroy.

use super::*;

/// Returns the text of the finding about a use of a stream.
fn said(checker: &mut Checker, handle: usize) -> String {
    checker.stale("stream", handle, Site::here("aclrtStreamAbort"));
    let found = checker.take_found().pop();
    let finding = found.map(super::super::finding::Found::finding);
    finding
        .map(|finding| finding.to_string())
        .unwrap_or_default()
}

#[test]
fn a_stream_that_another_thread_destroyed_is_none_that_never_existed() {
    let mut checker = Checker::default();
    let (create, reset) = (
        Site::here("aclrtCreateStream"),
        Site::here("aclrtResetDevice"),
    );
    // The reset arrives before the creation.
    checker.destroyed(1, &reset);
    checker.created(1, "stream", Arc::clone(&create));
    let text = said(&mut checker, 1);
    assert!(text.contains("does not exist any more"), "{text}");
    assert!(text.contains("destroyed: aclrtResetDevice"), "{text}");
    // The use arrives before the reset.
    checker.created(2, "stream", Arc::clone(&create));
    let text = said(&mut checker, 2);
    assert!(text.contains("another thread destroys"), "{text}");
    assert!(text.contains("created: aclrtCreateStream"), "{text}");
    checker.created(3, "event", create);
    let text = said(&mut checker, 3);
    assert!(
        text.contains("no stream but another handle: event"),
        "{text}"
    );
    let text = said(&mut checker, 4);
    assert!(text.contains("never existed"), "{text}");
}

#[test]
fn default_streams_of_two_contexts_have_two_names() {
    let streams = [StreamSlot(1), StreamSlot(2)];
    let mut checker = Checker::default();
    checker.default_stream(streams[0], 1, None);
    checker.default_stream(streams[1], 1, Some(0x43));
    let names = streams.map(|stream| {
        let id = checker.stream(stream);
        checker.name_of(id).to_owned()
    });
    let expected = [
        "the default stream of device 1",
        "the default stream of context 0x43 (device 1)",
    ];
    assert_eq!(names, expected);
}
