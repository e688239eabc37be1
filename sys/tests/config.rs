//! The configuration file of `aclInit`.

#![cfg(feature = "config")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use ascendcl_sys::config::{Config, ConfigError};

fn read(name: &str, text: &str) -> Result<Config, ConfigError> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    Config::read(&path)
}

#[test]
fn the_default_device_is_a_string_or_a_number() {
    for (text, device) in [
        ("", None),
        ("{}", None),
        ("[]", None),
        (r#"{"dump": {"dump_path": "x"}}"#, None),
        (r#"{"defaultDevice": {}}"#, None),
        (r#"{"defaultDevice": {"default_device": "1"}}"#, Some(1)),
        (r#"{"defaultDevice": {"default_device": 0}}"#, Some(0)),
    ] {
        assert_eq!(
            read("accepted.json", text).unwrap().default_device,
            device,
            "{text}"
        );
    }
}

#[test]
fn what_is_no_device_id_is_shown() {
    for value in [r#""one""#, "1.5", "[0]"] {
        let text = format!(r#"{{"defaultDevice": {{"default_device": {value}}}}}"#);
        let error = read("refused.json", &text).unwrap_err();
        assert!(matches!(error, ConfigError::DefaultDevice { .. }));
        assert!(error.to_string().contains(value), "{error}");
    }
}

#[test]
fn damaged_and_missing_files_are_named() {
    let error = read("damaged.json", "{\"a\": ").unwrap_err();
    assert!(matches!(error, ConfigError::NotJson { .. }));
    assert!(error.to_string().contains("damaged.json"));
    let error = Config::read(std::path::Path::new("no/such.json")).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }));
    assert!(error.to_string().contains("no/such.json"));
}

#[test]
fn braces_and_brackets_nest_ten_deep_each() {
    let nested = |objects, arrays| {
        let open = "[".repeat(arrays) + &r#"{"a":"#.repeat(objects);
        open + "0" + &"}".repeat(objects) + &"]".repeat(arrays)
    };
    assert!(read("nested.json", &nested(10, 10)).is_ok());
    for text in [nested(11, 0), nested(0, 11), nested(0, 1_000_000)] {
        let error = read("deep.json", &text).unwrap_err();
        assert!(matches!(error, ConfigError::Nested { .. }));
        assert!(error.to_string().contains("deep.json"));
    }
}

#[test]
fn kinds_of_dumps_exclude_each_other() {
    let read = |text: &str| read("dumps.json", &format!(r#"{{"dump": {{{text}}}}}"#));
    for text in [
        r#""dump_scene": "watcher", "dump_list": [{"watcher_nodes": ["C"]}], "dump_debug": "off""#,
        r#""dump_scene": "", "dump_op_switch": "on""#,
        r#""dump_debug": "on", "dump_path": "x""#,
    ] {
        read(text).unwrap();
    }
    for (text, members) in [
        (
            r#""dump_scene": "lite_exception", "dump_debug": "on""#,
            "dump_scene and dump_debug",
        ),
        (
            r#""dump_scene": "watcher", "dump_op_switch": "on""#,
            "dump_scene and dump_op_switch",
        ),
        (
            r#""dump_debug": "on", "dump_op_switch": "on""#,
            "dump_debug and dump_op_switch",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(members), "{error}");
    }
}

/// The parser shows values in the order of a hash map, and a file can be long.
#[test]
fn the_reason_is_short_and_always_the_same() {
    for (text, reason) in [
        (r#"{{"a": 1, "b": 2, "c": 3}: 4}"#, "but found an object"),
        (r#"{["a", {"b": 2, "c": 3}]: 4}"#, "but found an array"),
    ] {
        for _ in 0..20 {
            let Err(ConfigError::NotJson { reason: found, .. }) = read("keys.json", text) else {
                panic!("{text} was read");
            };
            assert!(found.ends_with(reason), "{found}");
        }
    }
    let text = format!(r#"{{"{}": 1, 2: 3}}"#, "x".repeat(10_000));
    let Err(ConfigError::NotJson { reason, .. }) = read("long.json", &text) else {
        panic!("a long text was read");
    };
    assert!(reason.len() < 300, "{} bytes", reason.len());
}
