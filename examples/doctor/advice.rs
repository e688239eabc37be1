//! What to do about what is missing.

use ascendcl::ErrorKind;
use ascendcl::error::BackendError;

use crate::machine::Machine;
use crate::work::Work;

/// One sentence for each thing that is missing, in the order in which to do them.
pub(crate) fn of(machine: &Machine, work: &Work) -> Vec<String> {
    let mut advice = Vec::new();
    let mut say = |sentence: String| advice.push(sentence);
    if machine.devices.is_empty() {
        say(
            "for a card: install its driver and firmware, until `npu-smi info` lists it; in a container, pass \
             /dev/davinci0, /dev/davinci_manager, /dev/devmm_svm and /dev/hisi_hdc, and mount /usr/local/Ascend/driver"
                .into(),
        );
    } else if machine.driver.is_none() {
        say("there is a device, but no /usr/local/Ascend/driver: install the driver, or mount this folder into the \
             container"
            .into());
    }
    for node in &machine.nodes {
        say(format!(
            "pass /dev/{node} to the container, or start the service of the driver"
        ));
    }
    match &machine.toolkit {
        None => say(
            "for a card: install the CANN toolkit and source its set_env.sh, or set ASCENDCL_LIBRARY to the full name \
             of libascendcl.so"
                .into(),
        ),
        Some(home) if !machine.is_sourced => say(format!(
            "source {}/set_env.sh: the libraries of CANN find each other by its variables",
            home.display()
        )),
        Some(_) => {}
    }
    for functions in &machine.absent {
        say(format!(
            "the toolkit has no library with {functions}: install the package of CANN with the kernels of your chip"
        ));
    }
    if machine.toolkit.is_some() && !work.is_cann && work.failure.is_none() {
        say("the emulator was in use: set ASCENDCL_BACKEND=cann to use the card".into());
    }
    match work.failure.as_ref().map(ascendcl::Error::kind) {
        Some(ErrorKind::Backend(BackendError::MissingFunction { .. })) => {
            say("the rest works; programs without this function run".into());
        }
        Some(ErrorKind::Refused(_)) if !machine.devices.is_empty() && work.is_cann => {
            say(
                "is the user in the group HwHiAiUser? The nodes of the devices belong to it".into(),
            );
        }
        _ => {}
    }
    advice
}
