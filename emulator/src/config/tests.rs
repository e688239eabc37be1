//! Tests of the configuration.

use super::*;

fn with(name: &'static str, text: &'static str) -> Result<EmulatorConfig, ConfigError> {
    EmulatorConfig::read(|asked| (asked == name).then(|| text.to_owned()))
}

#[test]
fn an_empty_environment_gives_the_defaults() {
    assert_eq!(
        EmulatorConfig::read(|_| None),
        Ok(EmulatorConfig::default())
    );
    assert_eq!(
        EmulatorConfig::read(|_| Some(String::new())),
        Ok(EmulatorConfig::default())
    );
}

#[test]
fn memory_takes_units_and_plain_bytes() {
    for (text, bytes) in [
        ("4194304", 4 << 20),
        ("512MiB", 512 << 20),
        ("3 GiB", 3 << 30),
    ] {
        let config = with("ASCENDCL_EMULATOR_MEMORY", text);
        assert_eq!(config.map(|config| config.memory), Ok(bytes), "{text}");
    }
}

#[test]
fn what_products_differ_in_can_be_chosen() {
    for (word, peers) in [
        ("open", Peers::Open),
        ("checked", Peers::Checked),
        ("none", Peers::None),
    ] {
        let config = with("ASCENDCL_EMULATOR_PEERS", word);
        assert_eq!(config.map(|config| config.peers), Ok(peers));
    }
    let config = with("ASCENDCL_EMULATOR_GIGABYTE_PAGES", "no");
    assert_eq!(config.map(|config| config.gigabyte_pages), Ok(false));
}

#[test]
fn the_clock_goes_on_or_stands_still() {
    for (text, clock) in [("wall", Clock::Wall), ("still", Clock::Still)] {
        let config = with("ASCENDCL_EMULATOR_CLOCK", text);
        assert_eq!(config.map(|config| config.clock), Ok(clock), "{text}");
    }
    assert!(with("ASCENDCL_EMULATOR_CLOCK", "stopped").is_err());
}

#[test]
fn what_is_left_has_three_settings() {
    for (text, expected) in [
        ("1", (false, false)),
        ("leaks", (true, false)),
        ("left-to-reset", (true, true)),
    ] {
        let config = with("ASCENDCL_EMULATOR_CHECK", text);
        let set = config.map(|config| (config.leaks_fail, config.left_to_reset));
        assert_eq!(set, Ok(expected), "{text}");
    }
}

#[test]
fn schedules_are_read_by_name() {
    for (text, schedule) in [
        ("eager", Schedule::Eager),
        ("lazy", Schedule::Lazy),
        ("seeded:0", Schedule::Seeded(0)),
        ("seeded:18446744073709551615", Schedule::Seeded(u64::MAX)),
    ] {
        let config = with("ASCENDCL_EMULATOR_SCHEDULE", text);
        assert_eq!(config.map(|config| config.schedule), Ok(schedule), "{text}");
    }
}

#[test]
fn an_error_names_variable_value_and_remedy() {
    for (name, text) in [
        ("ASCENDCL_EMULATOR_DEVICES", "-1"),
        ("ASCENDCL_EMULATOR_MEMORY", "4GB"),
        ("ASCENDCL_EMULATOR_MEMORY", "0"),
        ("ASCENDCL_EMULATOR_MEMORY", "100"),
        ("ASCENDCL_EMULATOR_SCHEDULE", "Lazy"),
        ("ASCENDCL_EMULATOR_SCHEDULE", "seeded"),
        ("ASCENDCL_EMULATOR_SCHEDULE", "seeded:-1"),
        ("ASCENDCL_EMULATOR_RUN_MODE", "rc"),
        ("ASCENDCL_EMULATOR_SOC", "910B"),
        ("ASCENDCL_EMULATOR_SOC", "Ascend920"),
        ("ASCENDCL_EMULATOR_STREAMS", "2"),
        ("ASCENDCL_EMULATOR_PEERS", "yes"),
        ("ASCENDCL_EMULATOR_GIGABYTE_PAGES", "1"),
        ("ASCENDCL_EMULATOR_FAULTS", "aclrtMalloc"),
        ("ASCENDCL_EMULATOR_FAULT_SEED", "-1"),
        ("ASCENDCL_EMULATOR_CHECK", "yes"),
        ("ASCENDCL_EMULATOR_FAULTS", "aclrtMaloc=207001"),
        ("ASCENDCL_EMULATOR_FAULTS", "aclrtMalloc#0=207001"),
        ("ASCENDCL_EMULATOR_FAULTS", "aclrtMalloc=0"),
    ] {
        let text_of_error = with(name, text).map_err(|error| error.to_string());
        let Err(message) = text_of_error else {
            unreachable!("{name}={text} was accepted")
        };
        assert!(
            message.contains(name) && message.contains(text),
            "{message}"
        );
    }
}

#[test]
fn a_misspelt_variable_is_named_with_those_that_there_are() {
    let check = |name: &str| check_names([name.to_owned()].into_iter());
    for name in VARIABLES {
        assert_eq!(check(&format!("{START}{name}")), Ok(()));
    }
    assert_eq!(check("ASCENDCL_BACKEND"), Ok(()));
    let error = check("ASCENDCL_EMULATOR_CHEK").map_err(|error| error.to_string());
    let Err(text) = error else {
        unreachable!("the name was accepted")
    };
    for part in [
        "the variable ASCENDCL_EMULATOR_CHEK (\"\") does not exist; ",
        "FAULT_SEED, CHECK, REPORT",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn chips_of_each_series_are_accepted() {
    for chip in [
        "Ascend310",
        "Ascend310P3",
        "Ascend910A",
        "Ascend910_9391",
        "Ascend950PR_9599",
    ] {
        let config = with("ASCENDCL_EMULATOR_SOC", chip);
        assert_eq!(config.map(|config| config.soc_name), Ok(chip.to_owned()));
    }
}
