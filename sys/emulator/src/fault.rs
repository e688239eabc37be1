//! Calls that are told to fail.

use ascendcl_sys as sys;
use ascendcl_sys::aclError;

/// A call that fails although nothing is wrong: what a program does when a card misbehaves.
///
/// The call answers with the code and does nothing else. As text: `aclrtMalloc=207001` for the first
/// call, `aclrtMalloc#3=207001` for the third.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    call: String,
    nth: u64,
    code: aclError,
}

impl Fault {
    /// The first call of the C function `call` fails with `code`.
    #[must_use]
    pub fn new(call: impl Into<String>, code: aclError) -> Fault {
        Fault {
            call: call.into(),
            nth: 1,
            code,
        }
    }

    /// The same for the `nth` call; 1 is the first.
    #[must_use]
    pub fn at(mut self, nth: u64) -> Fault {
        self.nth = nth;
        self
    }

    /// The C function.
    #[must_use]
    pub fn call(&self) -> &str {
        &self.call
    }

    /// Which call of it, counted from 1.
    #[must_use]
    pub fn nth(&self) -> u64 {
        self.nth
    }

    /// What the call answers.
    #[must_use]
    pub fn code(&self) -> aclError {
        self.code
    }

    /// Reads faults with commas between them; `None` if one of them means nothing.
    pub(crate) fn list(text: &str) -> Option<Vec<Fault>> {
        text.split(',')
            .map(|fault| Fault::parse(fault.trim()))
            .collect()
    }

    fn parse(text: &str) -> Option<Fault> {
        let (call, code) = text.split_once('=')?;
        let (call, nth) = call.split_once('#').unwrap_or((call, "1"));
        let fault = Fault {
            call: call.trim().to_owned(),
            nth: nth.trim().parse().ok().filter(|nth| *nth > 0)?,
            code: code.trim().parse().ok().filter(|code| *code != 0)?,
        };
        names().any(|name| name == fault.call).then_some(fault)
    }
}

/// The C names of all functions that can be told to fail.
fn names() -> impl Iterator<Item = &'static str> {
    let areas = [
        sys::RuntimeTable::NAMES,
        sys::DeviceTable::NAMES,
        sys::ContextTable::NAMES,
        sys::StreamTable::NAMES,
        sys::EventTable::NAMES,
        sys::MemoryTable::NAMES,
        sys::CallbackTable::NAMES,
        sys::OpTable::NAMES,
        sys::ModelTable::NAMES,
        sys::MediaTable::NAMES,
    ];
    areas.into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn faults_are_read_with_and_without_a_number() {
        let read = Fault::list("aclrtMalloc=207001, aclrtMemcpy#3=507001");
        let expected = vec![
            Fault::new("aclrtMalloc", 207001),
            Fault::new("aclrtMemcpy", 507001).at(3),
        ];
        assert_eq!(read, Some(expected));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in [
            "",
            "aclrtMalloc",
            "aclrtMaloc=1",
            "aclrtMalloc=0",
            "aclrtMalloc#0=1",
            "aclInit=x",
            "aclInit=1,",
        ] {
            assert_eq!(Fault::list(text), None, "{text}");
        }
    }
}
