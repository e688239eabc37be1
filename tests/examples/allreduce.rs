//! The table of sums over ranks: its sizes and bandwidths, over threads and over processes.

use crate::common::{Folder, Outcome};

fn run(test: &str, arguments: &[&str]) -> Outcome {
    Folder::new(&format!("allreduce_{test}")).run("allreduce", arguments, &[])
}

/// A row of the table: bytes, elements, microseconds, and both bandwidths.
struct Row {
    bytes: u64,
    elements: u64,
    time: f64,
    algorithm: f64,
    bus: f64,
}

impl Row {
    fn read(line: &str) -> Row {
        let words: Vec<_> = line.split_whitespace().collect();
        let [bytes, elements, time, "us", algorithm, "GB/s", bus, "GB/s"] = words[..] else {
            panic!("{line:?} is no row");
        };
        Row {
            bytes: bytes.parse().unwrap(),
            elements: elements.parse().unwrap(),
            time: time.parse().unwrap(),
            algorithm: algorithm.parse().unwrap(),
            bus: bus.parse().unwrap(),
        }
    }
}

/// Checks a table for `ranks` ranks and these sizes.
#[track_caller]
fn check(outcome: &Outcome, ranks: u32, sizes: &[u64]) {
    let printed = &outcome.succeeded().stdout;
    let lines: Vec<_> = printed.lines().collect();
    let [title, head, rows @ .., sum] = &lines[..] else {
        panic!("{printed}");
    };
    assert_eq!(*title, format!("sums of f32 over {ranks} ranks"));
    let head: Vec<_> = head.split_whitespace().collect();
    assert_eq!(head, ["bytes", "elements", "time", "algorithm", "bus"]);
    let rows: Vec<_> = rows.iter().map(|line| Row::read(line)).collect();
    let bytes: Vec<_> = rows.iter().map(|row| row.bytes).collect();
    assert_eq!(bytes, sizes);
    let links = 2.0 * (f64::from(ranks) - 1.0) / f64::from(ranks);
    for row in &rows {
        assert_eq!(row.elements * 4, row.bytes);
        // The printed numbers are rounded: the time to 0.1 us, and the rates to 0.001 GB/s.
        let fastest = row.bytes as f64 / (row.time - 0.06).max(1e-3) / 1e3 + 0.001;
        let slowest = row.bytes as f64 / (row.time + 0.06) / 1e3 - 0.001;
        assert!((slowest..=fastest).contains(&row.algorithm), "{printed}");
        assert!((row.bus - links * row.algorithm).abs() < 0.002, "{printed}");
    }
    let average = sum
        .strip_prefix("all sums are right on every rank; the average bus bandwidth is ")
        .and_then(|rest| rest.strip_suffix(" GB/s"));
    let average: f64 = average
        .unwrap_or_else(|| panic!("{printed}"))
        .parse()
        .unwrap();
    let expected = rows.iter().map(|row| row.bus).sum::<f64>() / rows.len() as f64;
    assert!((average - expected).abs() < 0.002, "{printed}");
}

#[test]
fn threads_add_up_all_sizes() {
    let sizes = [4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576];
    let outcome = run(
        "threads",
        &["--ranks", "4", "--max", "1MiB", "--iterations", "2"],
    );
    check(&outcome, 4, &sizes);
}

#[test]
fn without_a_number_each_device_is_a_rank() {
    let folder = Folder::new("allreduce_devices");
    let devices = [("ASCENDCL_EMULATOR_DEVICES", "3")];
    let arguments = ["--max", "64", "--min", "64"];
    check(&folder.run("allreduce", &arguments, &devices), 3, &[64]);
}

#[test]
fn one_rank_copies_and_no_link_carries_anything() {
    check(&run("one", &["--ranks", "1", "--max", "16"]), 1, &[4, 16]);
}

#[test]
fn processes_add_up_all_sizes() {
    let arguments = ["--processes", "3", "--max", "64KiB", "--iterations", "2"];
    let sizes = [4, 16, 64, 256, 1024, 4096, 16384, 65536];
    check(&run("processes", &arguments), 3, &sizes);
}

#[test]
fn every_schedule_gives_the_sums() {
    for schedule in ["lazy", "seeded:3"] {
        let folder = Folder::new("allreduce_schedules");
        let variables = [("ASCENDCL_EMULATOR_SCHEDULE", schedule)];
        let outcome = folder.run("allreduce", &["--ranks", "3", "--max", "16"], &variables);
        check(&outcome, 3, &[4, 16]);
    }
}

#[test]
fn sizes_that_are_none_are_refused() {
    run("order", &["--min", "64", "--max", "16"])
        .refused(&["error: --min is 64 bytes and --max is 16: give a --max that is not smaller\n"]);
    for size in ["0", "6", "-4", "1MB"] {
        let outcome = run("sizes", &["--max", size]);
        assert_eq!(outcome.code, Some(2), "{outcome:#?}");
        let remedy = "give a multiple of 4 bytes above 0, such as 4096 or 16MiB";
        assert!(outcome.stderr.contains(remedy), "{outcome:#?}");
        assert!(
            outcome.stderr.contains(&format!("'{size}'")),
            "{outcome:#?}"
        );
    }
}
