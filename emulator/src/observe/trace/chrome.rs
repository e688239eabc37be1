//! The timeline as Chrome trace JSON. The host is one process with its threads, each device is one process with its
//! streams.

use std::fmt::Write;

use ascendcl_sys::status;
use tinyjson::JsonValue;

use crate::ordered::Numbers;

use super::{Form, Span, Timeline};

/// The process number of the host; device `n` is process `n + 1`.
const HOST: u32 = 0;

/// Returns the text of the file. Its head begins with `about`, members of a JSON object with a comma behind each.
pub(super) fn write(timeline: &Timeline, about: &str) -> String {
    let mut events = Events(String::new());
    events.name("process_name", HOST, 0, "host");
    // The numbers of the threads, in the order of their names.
    let mut threads = Threads(Vec::new());
    for call in &timeline.calls {
        let thread = threads.number(&call.thread, &mut events);
        let arguments = match call.code {
            None => String::new(),
            Some(code) => {
                let name = status::name(code).unwrap_or("unknown status");
                format!("\"code\":{code},\"status\":{}", quoted(name))
            }
        };
        events.slice(&quoted(call.name), HOST, thread, call.span, &arguments);
    }
    for (id, stamp) in timeline.stamps.iter().enumerate() {
        let thread = threads.number(&stamp.thread, &mut events);
        let name = quoted(&stamp.text);
        match stamp.form {
            Form::Instant => events.point("i", &name, "\"s\":\"t\"", thread, stamp.span.start),
            Form::Span => events.slice(&name, HOST, thread, stamp.span, ""),
            Form::Range => {
                let range = format!("\"cat\":\"range\",\"id\":{id}");
                events.point("b", &name, &range, thread, stamp.span.start);
                events.point("e", &name, &range, thread, stamp.span.end);
            }
        }
    }
    for (number, lane) in timeline.lanes.iter().enumerate() {
        events.name(
            "process_name",
            lane.device + 1,
            0,
            &format!("device {}", lane.device),
        );
        let kind = if lane.is_default {
            "default stream"
        } else {
            "stream"
        };
        events.name(
            "thread_name",
            lane.device + 1,
            number,
            &format!("{kind} {number}"),
        );
    }
    let process = |lane: usize| {
        timeline
            .lanes
            .get(lane)
            .map_or(HOST, |lane| lane.device + 1)
    };
    // By the number of the task, for each lane.
    let mut ends: Vec<Numbers> = Vec::new();
    ends.resize_with(timeline.lanes.len(), Numbers::new);
    for task in &timeline.tasks {
        let arguments = format!("\"task\":{},\"failed\":{}", task.number, task.failed);
        events.slice(
            &quoted(task.name),
            process(task.lane),
            task.lane,
            task.span,
            &arguments,
        );
        if let Some(ends) = ends.get_mut(task.lane) {
            ends.insert(task.number as usize, task.span.start as usize);
        }
    }
    let waits = timeline
        .tasks
        .iter()
        .filter_map(|task| Some((task, task.after?)));
    for (id, (task, after)) in waits.enumerate() {
        let (lane, number) = after;
        let end = ends.get(lane).and_then(|ends| ends.get(&(number as usize)));
        if let Some(end) = end {
            events.arrow("s", id, process(lane), lane, *end as u64);
            events.arrow("f", id, process(task.lane), task.lane, task.span.start);
        }
    }
    format!(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{{about}\"dropped\":{}}},\"traceEvents\":[\n{}\n]}}\n",
        timeline.dropped,
        events.0.trim_end_matches(",\n")
    )
}

/// The threads of the host by their names, sorted, each with its number. The numbers are in the order of the first use.
struct Threads<'a>(Vec<(&'a str, usize)>);

impl<'a> Threads<'a> {
    /// Returns the number of a thread. A new one gets an event with its name.
    fn number(&mut self, name: &'a str, events: &mut Events) -> usize {
        let known = self.0.binary_search_by(|(known, _)| (*known).cmp(name));
        let place = known.unwrap_or_else(|place| {
            let next = self.0.len();
            events.name("thread_name", HOST, next, &format!("thread {name}"));
            self.0.insert(place, (name, next));
            place
        });
        self.0.get(place).map_or(0, |(_, thread)| *thread)
    }
}

/// The text of the events, one event on each line.
struct Events(String);

impl Events {
    fn add(&mut self, event: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.0, "{{{event}}},");
    }

    fn name(&mut self, kind: &str, process: u32, thread: usize, name: &str) {
        let name = quoted(name);
        self.add(format_args!(
            "\"ph\":\"M\",\"name\":\"{kind}\",\"pid\":{process},\"tid\":{thread},\"args\":{{\"name\":{name}}}"
        ));
    }

    /// Adds an entry with a length. The name is in quotes.
    fn slice(&mut self, name: &str, process: u32, thread: usize, span: Span, arguments: &str) {
        let start = microseconds(span.start);
        // Viewers do not draw a slice of length zero.
        let length = microseconds((span.end - span.start).max(1));
        self.add(format_args!(
            "\"ph\":\"X\",\"name\":{name},\"pid\":{process},\"tid\":{thread},\"ts\":{start},\
             \"dur\":{length},\"args\":{{{arguments}}}"
        ));
    }

    /// Adds an entry of the host without a length. The name is in quotes.
    fn point(&mut self, phase: &str, name: &str, kind: &str, thread: usize, at: u64) {
        let at = microseconds(at);
        self.add(format_args!(
            "\"ph\":\"{phase}\",\"name\":{name},{kind},\"pid\":{HOST},\"tid\":{thread},\"ts\":{at}"
        ));
    }

    fn arrow(&mut self, phase: &str, id: usize, process: u32, thread: usize, at: u64) {
        let at = microseconds(at);
        self.add(format_args!(
            "\"ph\":\"{phase}\",\"bp\":\"e\",\"name\":\"wait\",\"cat\":\"event\",\"id\":{id},\
             \"pid\":{process},\"tid\":{thread},\"ts\":{at}"
        ));
    }
}

/// Formats nanoseconds as microseconds, exactly.
fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

/// Formats a JSON string.
fn quoted(text: &str) -> String {
    JsonValue::String(text.to_owned())
        .stringify()
        .unwrap_or_default()
}
