//! The emulator's journal of calls: the resources that were taken and released, and their order.

use std::fmt;

use ascendcl::emulator::{self, Call, Fault, Live};

/// A kind of resource: the call that takes one, and the calls that release one.
struct Kind {
    name: &'static str,
    takes: &'static str,
    gives: &'static [&'static str],
    /// A resource that depends on another one has a higher rank, and must be released first.
    rank: u8,
}

impl Kind {
    const fn new(
        rank: u8,
        name: &'static str,
        takes: &'static str,
        gives: &'static [&'static str],
    ) -> Kind {
        Kind {
            name,
            takes,
            gives,
            rank,
        }
    }
}

static KINDS: [Kind; 8] = [
    Kind::new(0, "AscendCL", "aclInit", &["aclFinalize"]),
    Kind::new(1, "device", "aclrtSetDevice", &["aclrtResetDevice"]),
    Kind::new(2, "stream", "aclrtCreateStream", &["aclrtDestroyStream"]),
    Kind::new(2, "host buffer", "aclrtMallocHost", &["aclrtFreeHost"]),
    Kind::new(2, "buffer", "aclrtMalloc", &["aclrtFree"]),
    Kind::new(2, "tensor", "aclCreateTensor", &["aclDestroyTensor"]),
    Kind::new(2, "scalar", "aclCreateScalar", &["aclDestroyScalar"]),
    // The second phase of an operator consumes the executor, also where it fails.
    Kind::new(
        2,
        "executor",
        "aclnnAddGetWorkspaceSize",
        &["aclnnAdd", "aclDestroyAclOpExecutor"],
    ),
];

/// The resources of a run: how many it took and released.
#[derive(Default)]
pub(crate) struct Account {
    /// One line for each call.
    lines: Vec<String>,
    /// The number of resources of each kind that exist.
    alive: [usize; KINDS.len()],
    /// The resources that were released after the call that failed; in a run without a failure, all of them.
    released: Vec<&'static str>,
    /// The first mistake.
    disorder: Option<String>,
    /// The resources that exist in the end, according to the emulator.
    left: String,
}

impl Account {
    /// The account of this process so far, in which the calls of `faults` were made to fail.
    pub(crate) fn of_this_process(faults: &[Fault]) -> Account {
        let calls = emulator::journal();
        let failed: Vec<_> = faults.iter().filter_map(|f| position(&calls, f)).collect();
        let mut account = Account::of(&calls, &failed);
        account.left = left(emulator::live());
        if let Some(violation) = emulator::violations().first() {
            account.disorder = Some(violation.to_string());
        }
        if ascendcl::leaks() > 0 {
            // Memory that a device may still use is not freed, in any order.
            let text = format!("{} given up, as no wait has succeeded", ascendcl::leaks());
            account.disorder = Some(text);
        }
        account
    }

    /// Goes through the calls. Those at `failed` did nothing, also where they return no status code.
    pub(crate) fn of(calls: &[Call], failed: &[usize]) -> Account {
        let mut account = Account::default();
        for (at, call) in calls.iter().enumerate() {
            let fails = failed.contains(&at) || call.code.is_some_and(|code| code != 0);
            let takes = KINDS.iter().position(|kind| kind.takes == call.name);
            let gives = KINDS
                .iter()
                .position(|kind| kind.gives.contains(&call.name));
            if let Some(count) = takes.and_then(|kind| account.alive.get_mut(kind)) {
                *count += usize::from(!fails);
            }
            if let Some((kind, count)) = gives.and_then(|kind| account.entry(kind)) {
                // A failed release counts as a release: the program has made the call.
                match count.checked_sub(1) {
                    Some(rest) => *count = rest,
                    None => account.complain(format!("{} released too often", kind.name)),
                }
                if failed.iter().all(|failed| *failed < at) {
                    account.released.push(kind.name);
                }
                if let Some(other) = account.first_alive(kind.rank + 1) {
                    account.complain(format!("{} released before {}", kind.name, other.name));
                }
            }
            let mark = match (fails, takes, gives) {
                (true, ..) => '!',
                (_, Some(_), _) => '+',
                (_, _, Some(_)) => '-',
                _ => ' ',
            };
            account.lines.push(format!("  {mark} {call}"));
        }
        if let Some(kind) = account.first_alive(0) {
            account.complain(format!("{} never released", kind.name));
        }
        account
    }

    fn entry(&mut self, kind: usize) -> Option<(&'static Kind, &mut usize)> {
        KINDS.get(kind).zip(self.alive.get_mut(kind))
    }

    /// The number of existing resources of this rank or a higher one.
    fn first_alive(&self, rank: u8) -> Option<&'static Kind> {
        let mut kinds = KINDS.iter().zip(self.alive);
        kinds
            .find(|(kind, count)| kind.rank >= rank && *count > 0)
            .map(|(kind, _)| kind)
    }

    fn complain(&mut self, text: String) {
        self.disorder.get_or_insert(text);
    }
}

/// The position of the call that was made to fail.
fn position(calls: &[Call], fault: &Fault) -> Option<usize> {
    let nth = usize::try_from(fault.nth()).ok()?.checked_sub(1)?;
    let mut same = calls
        .iter()
        .enumerate()
        .filter(|(_, call)| call.name == fault.call());
    same.nth(nth).map(|(at, _)| at)
}

/// The existing resources as a text.
fn left(live: Live) -> String {
    let kinds = [
        (live.device_blocks, "buffer"),
        (live.host_blocks, "host buffer"),
        (live.streams, "stream"),
        (live.contexts, "device"),
    ];
    let left = kinds.into_iter().filter(|(count, _)| *count > 0);
    list(left.map(|(count, name)| counted(count, name)).collect())
}

fn counted(count: usize, name: &str) -> String {
    match count {
        1 => name.to_owned(),
        _ => format!("{count} {name}s"),
    }
}

fn list(items: Vec<String>) -> String {
    if items.is_empty() {
        "nothing".to_owned()
    } else {
        items.join(", ")
    }
}

/// The labels of the lines that [`field`] finds again.
pub(crate) const RELEASED: &str = "released   ";
pub(crate) const IN_ORDER: &str = "in order   ";
pub(crate) const LEFT: &str = "left       ";

/// The text after a label in the output of a run.
pub(crate) fn field<'t>(output: &'t str, label: &str) -> Option<&'t str> {
    output.lines().find_map(|line| line.strip_prefix(label))
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\ncalls that the emulator saw: + takes, - releases, ! failed"
        )?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        let alike = self.released.chunk_by(|one, other| one == other);
        let released = alike.filter_map(|run| Some(counted(run.len(), run.first()?)));
        writeln!(f, "\n{RELEASED}{}", list(released.collect()))?;
        match &self.disorder {
            None => writeln!(f, "{IN_ORDER}yes")?,
            Some(text) => writeln!(f, "{IN_ORDER}no: {text}")?,
        }
        write!(f, "{LEFT}{}", self.left)
    }
}
