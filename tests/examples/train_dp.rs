//! Data-parallel training: the losses, which are those of one rank, over threads and over processes.

use crate::common::{Folder, Outcome};

fn run(test: &str, arguments: &[&str]) -> Outcome {
    Folder::new(&format!("train_dp_{test}")).run("train_dp", arguments, &[])
}

/// Checks a table, and returns the losses of the first number of ranks with their steps.
#[track_caller]
fn losses(outcome: &Outcome, head: &[&str]) -> Vec<(usize, f32)> {
    let printed = &outcome.succeeded().stdout;
    let lines: Vec<_> = printed.lines().collect();
    let [first, rows @ .., last] = &lines[..] else {
        panic!("{printed}");
    };
    let words: Vec<_> = first
        .split("  ")
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    assert_eq!(words, head);
    let difference = last.strip_prefix("the losses differ by at most ").unwrap();
    assert!(difference.parse::<f32>().unwrap() < 1e-5, "{printed}");
    rows.iter()
        .map(|row| {
            let words: Vec<_> = row.split_whitespace().collect();
            assert_eq!(words.len(), head.len(), "{printed}");
            let losses: Vec<f32> = words[1..]
                .iter()
                .map(|loss| loss.parse().unwrap())
                .collect();
            for loss in &losses {
                assert!((loss - losses[0]).abs() < 1e-5, "{printed}");
            }
            (words[0].parse().unwrap(), losses[0])
        })
        .collect()
}

/// The losses of PyTorch in double precision, by `examples/train_dp/reference.py`.
const EXPECTED: [(usize, f32); 11] = [
    (0, 2.454_366_7),
    (20, 0.181_398_4),
    (40, 0.018_044_8),
    (60, 0.007_689_1),
    (80, 0.005_529_7),
    (100, 0.004_524_7),
    (120, 0.003_849_8),
    (140, 0.003_335_6),
    (160, 0.002_930_4),
    (180, 0.002_608_5),
    (199, 0.002_359_6),
];

#[track_caller]
fn compare(found: &[(usize, f32)], expected: &[(usize, f32)]) {
    let steps = |of: &[(usize, f32)]| of.iter().map(|(step, _)| *step).collect::<Vec<_>>();
    assert_eq!(steps(found), steps(expected));
    for ((step, loss), (_, expected)) in found.iter().zip(expected) {
        assert!(
            (loss - expected).abs() < 2e-5,
            "step {step}: {loss} and {expected}"
        );
    }
}

#[test]
fn threads_have_the_losses_of_one_rank_and_of_pytorch() {
    let outcome = run("threads", &[]);
    compare(
        &losses(&outcome, &["step", "1 rank", "2 ranks", "4 ranks"]),
        &EXPECTED,
    );
}

#[test]
fn examples_that_cannot_be_divided_evenly_are_shared_all_the_same() {
    let outcome = run("uneven", &["--ranks", "1,3,7", "--steps", "21"]);
    let found = losses(&outcome, &["step", "1 rank", "3 ranks", "7 ranks"]);
    let few: Vec<_> = found.into_iter().filter(|(step, _)| *step == 0).collect();
    compare(&few, &EXPECTED[..1]);
}

#[test]
fn processes_have_the_losses_of_one_rank() {
    let outcome = run("processes", &["--processes", "1,2,4"]);
    compare(
        &losses(&outcome, &["step", "1 rank", "2 ranks", "4 ranks"]),
        &EXPECTED,
    );
}

#[test]
fn one_number_of_ranks_has_nothing_to_compare() {
    let outcome = run("alone", &["--ranks", "2", "--steps", "1"]);
    let printed = &outcome.succeeded().stdout;
    let lines: Vec<_> = printed.lines().map(str::trim).collect();
    assert_eq!(lines[0], "step       2 ranks", "{printed}");
    assert_eq!(lines.len(), 2, "{printed}");
}

#[test]
fn what_cannot_be_trained_is_a_wrong_command_line() {
    for (option, value, remedy) in [
        (
            "--ranks",
            "81",
            "there are 80 examples, and each rank has one at least: give at most 80 ranks",
        ),
        ("--steps", "0", "0 is not in 1..=100000"),
        (
            "--rate",
            "-1",
            "give a number above 0 and up to 10, such as 0.05",
        ),
        (
            "--rate",
            "NaN",
            "give a number above 0 and up to 10, such as 0.05",
        ),
    ] {
        let outcome = run("wrong", &[option, value]);
        assert_eq!(outcome.code, Some(2), "{outcome:#?}");
        assert!(outcome.stderr.contains(remedy), "{outcome:#?}");
    }
}
