//! Calls as spans: their names, and the status codes that they end with.

use std::io::{self, Write};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use ascendcl_sys as sys;
use tracing::{Level, subscriber};
use tracing_subscriber::fmt::format::FmtSpan;

/// What was printed.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that calls print below a subscriber for this level.
fn lines(level: Level) -> Vec<String> {
    let log = Log::default();
    let writer = log.clone();
    let printer = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_span_events(FmtSpan::ENTER | FmtSpan::EXIT)
        .with_ansi(false)
        .without_time()
        .with_writer(move || writer.clone())
        .finish();
    subscriber::with_default(printer, || {
        // SAFETY: no backend is installed, so that no argument is read.
        unsafe { sys::aclrtSetDevice(0) };
        // SAFETY: as above.
        unsafe { sys::aclDestroyTensor(ptr::null()) };
        // SAFETY: as above.
        unsafe { sys::aclrtGetSocName() };
    });
    let bytes = log.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn each_call_is_a_span_with_its_status() {
    let absent = sys::ACL_ERROR_API_NOT_SUPPORT;
    let device = format!("TRACE aclrtSetDevice{{status={absent}}}: ascendcl::call: exit");
    let tensor = format!("TRACE aclDestroyTensor{{status={absent}}}: ascendcl::call: exit");
    let expected = [
        "TRACE aclrtSetDevice: ascendcl::call: enter",
        &device,
        "TRACE aclDestroyTensor: ascendcl::call: enter",
        &tensor,
        // It returns a text and no status.
        "TRACE aclrtGetSocName: ascendcl::call: enter",
        "TRACE aclrtGetSocName: ascendcl::call: exit",
    ];
    assert_eq!(lines(Level::TRACE), expected);
    // Who wants no spans gets none.
    assert!(lines(Level::DEBUG).is_empty());
}
