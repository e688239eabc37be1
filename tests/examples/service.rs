//! The service: each request is answered or refused, whatever fails, and nothing grows.
//!
//! `ASCENDCL_SERVICE_SEEDS=1000` tries that many schedules of failures in place of a few.

use crate::common::Folder;

/// The number behind a word of the table.
fn number(table: &str, word: &str) -> u32 {
    let line = table
        .lines()
        .find(|line| line.trim_start().starts_with(word));
    let number = line.and_then(|line| line.trim_start()[word.len()..].split_whitespace().next());
    number
        .unwrap_or_else(|| panic!("{word}: {table}"))
        .parse()
        .unwrap()
}

/// Runs the service with 400 requests, and returns its table.
fn run(test: &str, more: &[&str], variables: &[(&str, &str)]) -> String {
    let arguments = [&["--requests", "100"], more].concat();
    let outcome = Folder::new(test).run("service", &arguments, variables);
    // Its log has a line for each failure.
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let table = outcome.stdout;
    assert_eq!(number(&table, "requests"), 400, "{table}");
    table
}

#[test]
fn without_failures_each_answer_is_right() {
    let table = run("service", &["--limit", "60000"], &[]);
    assert_eq!(number(&table, "right"), 400, "{table}");
    assert_eq!(number(&table, "resets"), 0, "{table}");
}

#[test]
fn no_request_is_lost_whatever_fails() {
    let seeds = std::env::var("ASCENDCL_SERVICE_SEEDS");
    let seeds = seeds.map_or(6, |seeds| seeds.parse().unwrap());
    let mut all = [0; 3];
    for seed in 1..=seeds {
        // The limit passes where a task hangs, and not because the machine is busy.
        let still = [("ASCENDCL_EMULATOR_CLOCK", "still")];
        let more = ["--faults", &seed.to_string(), "--patience", "3600"];
        let table = run("service_faults", &more, &still);
        assert_eq!(
            (number(&table, "wrong"), number(&table, "lost")),
            (0, 0),
            "{seed}: {table}"
        );
        for (sum, word) in all.iter_mut().zip(["right", "refused", "resets"]) {
            *sum += number(&table, word);
        }
    }
    let [right, refused, resets] = all;
    assert!(right > refused && refused > 0 && resets > 0, "{all:?}");
}
