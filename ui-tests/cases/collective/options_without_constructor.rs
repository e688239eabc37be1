//! Writes the fields of the options directly, without the head that HCCL checks.

use ascendcl::collective::CommOptions;

fn wrong() -> CommOptions {
    CommOptions { name: None, ..Default::default() } //~ mistake
    //~ instead: CommOptions::default()
}

fn main() {
    let _ = wrong;
}
