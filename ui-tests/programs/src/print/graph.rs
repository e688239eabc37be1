//! Steps with graphs as Rust.

use super::{LENGTH, Printer};
use crate::program::{ACL, Beside, Halt, Name, Op, Part, Record, Records, Shape, Step, third};

/// The closure of a recording.
struct Closure<'a> {
    /// The text in front of it, with the call.
    head: String,
    binding: Name,
    /// What it needs besides, if it needs something.
    other: Name,
    records: &'a Records,
    /// Its value, and the text behind it.
    value: &'a str,
    end: &'a str,
}

impl Printer {
    /// A step with a graph. `result` is the head of the line for its result.
    pub(super) fn graph(&mut self, step: &Step, result: &str) {
        let of = |index: usize| step.of.get(index).copied().unwrap_or(ACL);
        let to = |index: usize| step.to.get(index).copied().unwrap_or(ACL);
        let (a, stream) = (of(0), of(1));
        let names = format!("(mut {}, mut {}, mut {})", to(0), to(1), to(2));
        let line = match &step.op {
            Op::Capture { shape, records, .. } => {
                let memory = given(*shape, [of(2), of(3), of(4)]);
                let mut all = records.iter();
                let has_group = all.any(|record| matches!(record, Record::Group(..)));
                self.closure(&Closure {
                    head: format!("{result}{stream}.capture({memory}, "),
                    binding: a,
                    other: of(5),
                    records,
                    value: if has_group { "Ok(group)" } else { "Ok(())" },
                    end: ")?;",
                });
                return;
            }
            Op::CaptureFails {
                shape,
                panics,
                records,
                ..
            } => {
                let memory = given(*shape, [of(2), of(3), of(4)]);
                let (before, value, end) = match panics {
                    true => (
                        "panics(|| drop(",
                        "if true { panic!(\"a panic of the closure\"); } Ok(())",
                        ")))?;",
                    ),
                    false => (
                        "let unverified = not_captured(",
                        "Err::<(), Error>(stopped())",
                        "))?;",
                    ),
                };
                self.closure(&Closure {
                    head: format!("{before}{stream}.capture({memory}, "),
                    binding: a,
                    other: of(5),
                    records,
                    value,
                    end,
                });
                if *panics {
                    return;
                }
                format!("let {names} = {stream}.synchronize()?.verify(unverified).three();")
            }
            Op::Also { records, .. } => {
                let borrowed = self.exclusive(stream);
                self.closure(&Closure {
                    head: format!("{result}{}.also({borrowed}, ", of(2)),
                    binding: a,
                    other: of(3),
                    records,
                    value: "Ok(())",
                    end: ")?;",
                });
                return;
            }
            Op::LaunchGraph { number } => {
                let borrowed = self.exclusive(stream);
                match number {
                    0 => format!("{a}.launch({borrowed})?;"),
                    _ => format!("{a}.launch_nth({number}, {borrowed})?;"),
                }
            }
            Op::UpdateGraph { number, to, from } => {
                let (graph, other, stream) = (of(1), of(2), self.exclusive(of(3)));
                self.line(&format!("let group = {other}.value().clone();"));
                let head = format!("{graph}.update({stream}, &group, |update, parts| {{");
                self.line(&head);
                self.line(&format!("    {PARTS}"));
                let plan = added(a, (*to, *from), *number);
                self.line(&format!("    update.launch({plan})"));
                "})?;".to_owned()
            }
            Op::FillPart(part) => {
                format!("{stream}.memset_async(&mut {a}.memory().three().{part}, 7)?;")
            }
            Op::ReadPart(part) => {
                let to = self.exclusive(of(2));
                format!("{stream}.memcpy_async({to}, &{a}.memory().three().{part})?;")
            }
            Op::WritePart(part) => {
                let from = self.shared(of(2));
                format!("{stream}.memcpy_async(&mut {a}.memory().three().{part}, {from})?;")
            }
            Op::SeePart(part) => {
                let number = format!("{a}.memory().three().{part}[0]");
                match self.numbers.next().flatten() {
                    Some(known) => format!("read({number}, {known});"),
                    None => format!("black_box({number});"),
                }
            }
            Op::SetPart(part) => format!("{a}.memory().three().{part}[0] = 5;"),
            _ => format!("let {names} = {a}.destroy()?.three();"),
        };
        self.line(&line);
    }

    /// A call with the closure of a recording.
    fn closure(&mut self, closure: &Closure<'_>) {
        let keeps = |record: &Record| {
            matches!(
                record,
                Record::Keeps(_) | Record::KeepsTemporary | Record::Fork(_, _, Beside::Keeps)
            )
        };
        if closure.records.iter().any(keeps) {
            self.line("let mut kept = None;");
        }
        self.line(&format!("{}|recording, parts| {{", closure.head));
        self.depth += 1;
        self.line(PARTS);
        for record in closure.records {
            self.record(*record, closure);
        }
        self.line(closure.value);
        self.depth -= 1;
        self.line(&format!("}}{}", closure.end));
    }

    fn record(&mut self, record: Record, closure: &Closure<'_>) {
        let current = closure.binding;
        let line = match record {
            Record::Nothing => return,
            Record::Fill(to) => format!("recording.memset_async(&mut part{to}, 7)?;"),
            Record::Copy(to, from) => {
                format!("recording.memcpy_async(&mut part{to}, &part{from})?;")
            }
            Record::Add(to, from) => {
                format!("{}.launch(recording)?;", added(current, (to, from), 1))
            }
            Record::Group(to, from) => {
                let plan = added(current, (to, from), 1);
                format!("let ((), group) = recording.updatable({plan})?;")
            }
            Record::Touch(to) => {
                format!("recording.each_run_on(&mut part{to}, |memory| memory[0] = 6)?;")
            }
            Record::Count => "recording.each_run(|| ())?;".to_owned(),
            Record::Temporary(to, from) => {
                self.line(&temporary("temporary", "recording", from));
                format!("recording.memcpy_async(&mut part{to}, &temporary)?;")
            }
            Record::Fork(to, from, beside) => {
                return self.fork((to, from), beside);
            }
            Record::OtherWaits => format!("{}.synchronize()?;", closure.other),
            Record::Halts(halt) => match halt {
                Halt::Synchronize => "recording.synchronize()?;",
                Halt::Drain => "recording.drain()?;",
                Halt::Query => "recording.query()?;",
                Halt::HostFunc => "recording.launch_host_func(|| ())?;",
            }
            .to_owned(),
            Record::DeviceWaits => format!("{current}.synchronize_device()?;"),
            Record::Runs => format!("{}.launch(recording)?;", closure.other),
            Record::Keeps(part) => format!("kept = Some(part{part});"),
            Record::KeepsTemporary => {
                format!("kept = Some(recording.malloc::<i32>({LENGTH})?);")
            }
            Record::Outside(to) => {
                let from = self.shared(closure.other);
                format!("recording.memcpy_async(&mut part{to}, {from})?;")
            }
        };
        self.line(&line);
    }

    fn fork(&mut self, (to, from): (Part, Part), beside: Beside) {
        let lent = format!("(&part{from}, &mut part{to})");
        self.line(&format!(
            "recording.fork({lent}, |recording, side, (from, mut to)| {{"
        ));
        let copy = "side.memcpy_async(&mut to, &from)?;";
        let lines = match beside {
            Beside::Nothing => vec![copy.to_owned()],
            Beside::Reads => vec![copy.to_owned(), temporary("read", "recording", from)],
            Beside::Fills => {
                let part = third(to, from);
                let fill = format!("recording.memset_async(&mut part{part}, 7)?;");
                vec![copy.to_owned(), fill]
            }
            Beside::ReadsLent => vec![copy.to_owned(), temporary("read", "recording", to)],
            Beside::WritesRead => {
                let fill = format!("recording.memset_async(&mut part{from}, 7)?;");
                vec![copy.to_owned(), fill]
            }
            Beside::SideWrites => vec![
                "side.memset_async(from, 7)?;".to_owned(),
                temporary("read", "recording", from),
            ],
            Beside::Keeps => vec!["kept = Some(to);".to_owned()],
            Beside::Waits => vec![copy.to_owned(), "side.synchronize()?;".to_owned()],
        };
        for line in lines {
            self.line(&format!("    {line}"));
        }
        self.line("    Ok(())");
        self.line("})?;");
    }
}

/// The line that names the parts of the memory.
const PARTS: &str = "let (mut part0, mut part1, mut part2) = parts.three();";

/// The memory of a graph.
fn given(shape: Shape, [a, b, c]: [Name; 3]) -> String {
    match shape {
        Shape::Tuple => format!("({a}, {b}, {c})"),
        Shape::Nested => format!("(({a}, {b}), {c})"),
        Shape::Array => format!("[{a}, {b}, {c}]"),
        Shape::Vec => format!("vec![{a}, {b}, {c}]"),
        Shape::Borrowed => format!("(&mut {a}, {b}, {c})"),
    }
}

/// A line that copies a part to memory of a recording.
fn temporary(name: &str, stream: &str, from: Part) -> String {
    let fresh = format!("{stream}.malloc::<i32>({LENGTH})?");
    format!("let {name} = {stream}.memcpy_async({fresh}, &part{from})?;")
}

/// The plan of an operator that adds a multiple of a part to the part.
fn added(current: Name, (to, from): (Part, Part), factor: u8) -> String {
    let read = format!("&part{from}.tensor(&[{LENGTH}])?");
    format!("op::add({current}, {read}, {read}, {factor}, part{to}.tensor_mut(&[{LENGTH}])?)?")
}
