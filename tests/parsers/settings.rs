//! The variables of the emulator: the first byte of the input selects one, the others are its value.

use ascendcl::emulator::EmulatorConfig;

const VARIABLES: [&str; 11] = [
    "ASCENDCL_EMULATOR_FAULTS",
    "ASCENDCL_EMULATOR_MEMORY",
    "ASCENDCL_EMULATOR_SCHEDULE",
    "ASCENDCL_EMULATOR_DEVICES",
    "ASCENDCL_EMULATOR_STREAMS",
    "ASCENDCL_EMULATOR_FAULT_SEED",
    "ASCENDCL_EMULATOR_CHECK",
    "ASCENDCL_EMULATOR_PEERS",
    "ASCENDCL_EMULATOR_RUN_MODE",
    "ASCENDCL_EMULATOR_GIGABYTE_PAGES",
    "ASCENDCL_EMULATOR_SOC",
];

pub(crate) fn read(bytes: &[u8]) {
    let Some((which, value)) = bytes.split_first() else {
        return;
    };
    let value = String::from_utf8_lossy(value).replace('\0', "");
    // Letters are easier to write into a corpus than small numbers.
    let which = usize::from(which.wrapping_sub(b'a')) % VARIABLES.len();
    let Some(variable) = VARIABLES.get(which) else {
        return;
    };
    // SAFETY: this process reads the environment on this thread only.
    unsafe { std::env::set_var(variable, &value) };
    let read = EmulatorConfig::from_env();
    // SAFETY: the same reason.
    unsafe { std::env::remove_var(variable) };
    match read {
        Ok(config) if value.is_empty() => {
            assert_eq!(Ok(config), EmulatorConfig::from_env(), "empty is unset");
        }
        Ok(_) => {}
        Err(error) => {
            assert_eq!(
                (error.variable, error.value.as_str()),
                (*variable, value.as_str())
            );
            assert!(error.to_string().contains(variable));
        }
    }
}
