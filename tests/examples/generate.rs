//! The language model: its logits, its texts, and what it refuses.

use crate::common::{Folder, Outcome};

/// A run that succeeded: the text, after a check of the line about its speed.
#[track_caller]
fn text(outcome: Outcome) -> String {
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let speed = outcome.stderr.strip_suffix(" tokens per second\n");
    assert!(
        speed.is_some_and(|speed| speed.contains(" tokens in ") && speed.lines().count() == 1),
        "{outcome:#?}"
    );
    outcome.stdout
}

fn run(test: &str, arguments: &[&str]) -> Outcome {
    Folder::new(&format!("generate_{test}")).run("generate", arguments, &[])
}

/// The bytes of a file that comes with the example.
fn file(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/generate");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn the_logits_are_those_of_the_training_script() {
    let outcome = run("logits", &["--check"]);
    let printed = &outcome.succeeded().stdout;
    let rest = printed.strip_prefix("3584 logits differ by at most ");
    let difference: f32 = rest.unwrap().trim_end().parse().unwrap();
    assert!(difference < 1e-3, "{printed}");
}

#[test]
fn another_logit_is_an_error() {
    let folder = Folder::new("generate_another_logit");
    folder.write("weights.safetensors", &file("weights.safetensors"));
    let mut expected = file("expected.safetensors");
    // The last logit becomes 1000.
    let start = expected.len() - 4;
    expected[start..].copy_from_slice(&1000_f32.to_le_bytes());
    folder.write("expected.safetensors", &expected);
    folder
        .run("generate", &["--check", "--model", "."], &[])
        .refused(&["error: a logit differs by 1.0e3 from that of train.py, and 1e-3 is allowed\n"]);
}

#[test]
fn a_prompt_of_unknown_tokens_is_refused() {
    let folder = Folder::new("generate_unknown_tokens");
    folder.write("weights.safetensors", &file("weights.safetensors"));
    let prompt = r#""prompt":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}"#;
    let logits = r#""logits":{"dtype":"F32","shape":[1,512],"data_offsets":[8,2056]}"#;
    let mut expected = safetensors(&format!("{{{prompt},{logits}}}"), 2056);
    let start = expected.len() - 2056;
    expected[start..start + 8].copy_from_slice(&512_i64.to_le_bytes());
    folder.write("expected.safetensors", &expected);
    folder
        .run("generate", &["--check", "--model", "."], &[])
        .refused(&["error: ./expected.safetensors: there is no token 512\n"]);
}

#[test]
fn the_likeliest_tokens_are_one_text() {
    let likeliest = ["--temperature", "0", "--tokens", "12"];
    let lazy = [("ASCENDCL_EMULATOR_SCHEDULE", "lazy")];
    for (test, variables) in [("eager", &[][..]), ("lazy", &lazy)] {
        let outcome = Folder::new(&format!("generate_likeliest_{test}"));
        let outcome = outcome.run("generate", &likeliest, variables);
        assert_eq!(text(outcome), LIKELIEST);
    }
}

#[test]
fn a_seed_stands_for_a_text() {
    for (seed, expected) in [("1", FIRST), ("2", SECOND)] {
        let arguments = ["--prompt", "A program", "--tokens", "12", "--seed", seed];
        assert_eq!(text(run(&format!("seed_{seed}"), &arguments)), expected);
    }
}

#[cfg(feature = "graphs")]
#[test]
fn graphs_write_the_same_text_and_a_token_is_two_calls() {
    let folder = Folder::new("generate_graphs");
    let trace = [("ASCENDCL_EMULATOR_TRACE", "trace.json")];
    for (arguments, expected) in [
        (&["--temperature", "0"][..], LIKELIEST),
        (&["--prompt", "A program", "--seed", "2"], SECOND),
    ] {
        let arguments = [arguments, &["--graph", "--tokens", "12"]].concat();
        let mut outcome = folder.run("generate", &arguments, &trace);
        let (recorded, speed) = outcome.stderr.split_once('\n').unwrap();
        assert!(recorded.contains(" recordings in "), "{recorded}");
        outcome.stderr = speed.to_owned();
        assert_eq!(text(outcome), expected);

        let trace: serde_json::Value = serde_json::from_slice(&folder.read("trace.json")).unwrap();
        let calls = trace["traceEvents"].as_array().unwrap();
        let mut calls: Vec<_> = calls
            .iter()
            .filter(|event| event["args"]["code"].is_i64())
            .map(|call| (call["ts"].as_f64().unwrap(), call["name"].as_str().unwrap()))
            .collect();
        calls.sort_by(|one, other| one.0.total_cmp(&other.0));
        let runs = calls
            .iter()
            .skip_while(|(_, name)| *name != "aclmdlRIExecuteAsync")
            .map(|(_, name)| *name);
        let runs: Vec<_> = runs.collect();
        for token in runs[..22].chunks(2) {
            assert_eq!(token, ["aclmdlRIExecuteAsync", "aclrtSynchronizeStream"]);
        }
    }
}

#[test]
fn one_token_to_choose_from_is_the_likeliest() {
    let arguments = ["--top-k", "1", "--tokens", "12", "--seed", "3"];
    assert_eq!(text(run("top_1", &arguments)), LIKELIEST);
}

#[test]
fn texts_that_do_not_fit_are_refused() {
    run("too_long", &["--tokens", "254", "--prompt", "The stream"]).refused(&[
        "error: a text of this model has at most 256 tokens: the prompt has 3, so --tokens can be at most 253\n",
    ]);
    run("too_many", &["--top-k", "513"])
        .refused(&["error: the model has 512 tokens: --top-k can be at most that\n"]);
    run("another_letter", &["--prompt", "Der Strom f\u{fc}hrt"]).refused(&[
        "error: the model has no token for 'ü': it knows the letters and marks of English only\n",
    ]);
}

#[test]
fn wrong_numbers_are_wrong_command_lines() {
    for (arguments, remedy) in [
        (["--tokens", "0"], "give a whole number from 1 on"),
        (["--top-k", "none"], "give a whole number from 1 on"),
        (
            ["--temperature", "-1"],
            "give a number from 0 to 100, such as 0.5",
        ),
        (
            ["--temperature", "NaN"],
            "give a number from 0 to 100, such as 0.5",
        ),
    ] {
        let outcome = run("wrong_numbers", &arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:#?}");
        assert!(outcome.stderr.contains(remedy), "{outcome:#?}");
    }
}

/// A file of safetensors with this header and so many bytes of zeros.
fn safetensors(header: &str, bytes: usize) -> Vec<u8> {
    let length = u64::try_from(header.len()).unwrap().to_le_bytes();
    [&length[..], header.as_bytes(), &vec![0; bytes]].concat()
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new("generate_damaged");
    let run = || folder.run("generate", &["--model", "."], &[]);
    run().refused(&["error: cannot read ./weights.safetensors: "]);

    let whole = file("weights.safetensors");
    folder.write("weights.safetensors", &whole[..whole.len() - 1]);
    run().refused(&["error: ./weights.safetensors is no file of safetensors: "]);

    let matrix = r#""embedding":{"dtype":"F16","shape":[2,4],"data_offsets":[0,16]}"#;
    folder.write(
        "weights.safetensors",
        &safetensors(&format!("{{{matrix}}}"), 16),
    );
    run().refused(&["error: ./weights.safetensors has no matrix `0.up`\n"]);

    let up = r#""0.up":{"dtype":"F16","shape":[4,8],"data_offsets":[16,80]}"#;
    folder.write(
        "weights.safetensors",
        &safetensors(&format!("{{{matrix},{up}}}"), 80),
    );
    run().refused(&["error: ./weights.safetensors does not say the number `heads`\n"]);

    for (heads, error) in [
        (
            "3",
            "3 heads do not share 4 numbers in even parts, or the context is 0\n",
        ),
        (
            "2",
            "the width is 4, and a row can be copied only if it is a multiple of 16\n",
        ),
    ] {
        let numbers =
            format!(r#""__metadata__":{{"heads":"{heads}","context":"8","epsilon":"1e-5"}}"#);
        let header = format!("{{{numbers},{matrix},{up}}}");
        folder.write("weights.safetensors", &safetensors(&header, 80));
        run().refused(&[&format!("error: ./weights.safetensors: {error}")]);
    }
}

const LIKELIEST: &str = "The stream computes a softmax. A queued copy returns before it has run\n";
const FIRST: &str = "A program begins with aclInit and sets device 2. It asks\n";
const SECOND: &str = "A program begins with aclInit and sets device 5. It asks\n";
