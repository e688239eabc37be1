//! The resources that are not released at the end of the program, or of one of its devices.

use std::sync::Arc;

use crate::observe::inject;
use crate::space::heap::Maker;

use super::finding::{Found, Mistake};
use super::handles::{COUNTED, PARTS};
use super::site::Site;
use super::state::Checker;

/// The state at the end of the program that the checker does not track itself.
#[derive(Debug)]
pub(crate) struct Left {
    /// Whether the program called `aclFinalize`.
    pub(crate) is_finalised: bool,
    /// Devices that are set.
    pub(crate) devices: Vec<usize>,
    /// The number of handles of each kind.
    pub(crate) objects: Vec<(&'static str, usize)>,
}

/// Returns the reason why unreleased resources are no mistake of the program, if there is one. A program that never
/// calls `aclFinalize` may intend to use its handles until the end.
pub(super) fn excuse(left: &Left) -> Option<&'static str> {
    if inject::faults_struck() > 0 {
        Some("after injected faults")
    } else if left.is_finalised {
        None
    } else {
        Some("without aclFinalize")
    }
}

/// Hooks for the end of a device or a context.
impl Checker {
    /// Called before an allocation ends with its device.
    pub(super) fn left_block(&mut self, address: usize, site: &Arc<Site>) {
        if !self.left_to_reset {
            return;
        }
        let Some(block) = self.blocks.at(address) else {
            return;
        };
        let text = format!(
            "{} bytes at {address:#x} ({block}) were never freed, and end with {}",
            block.size,
            site.call()
        );
        let allocated = Arc::clone(&block.allocated);
        let sites = vec![("allocated", allocated), ("ended", Arc::clone(site))];
        self.find(Mistake::LeftToReset, text, sites);
    }

    /// Called when a stream or a graph has ended with its context, or a communicator with its device. Default streams are not
    /// reported.
    pub(crate) fn ended_with_context(&mut self, handle: usize, site: &Arc<Site>) {
        if self.left_to_reset
            && let Some(known) = self.handles.get(handle)
            && !PARTS.contains(&known.kind)
        {
            let text = format!(
                "{} {handle:#x} was never destroyed, and ends with {}",
                known.kind,
                site.call()
            );
            let created = Arc::clone(&known.created);
            let sites = vec![("created", created), ("ended", Arc::clone(site))];
            self.find(Mistake::LeftToReset, text, sites);
        }
        self.destroyed(handle, site);
    }
}

/// Returns the unreleased resources as findings.
pub(super) fn look(checker: &Checker, others: &Left) -> Vec<Found> {
    let mut left = Vec::new();
    let mut add = |text, sites| {
        left.push(Found {
            mistake: Mistake::Leak,
            text,
            sites,
        });
    };
    for id in &others.devices {
        add(format!("device {id} was set and never reset"), Vec::new());
    }
    let memory = checker.blocks.live();
    // An object is a handle too, which is reported below.
    for (address, block) in memory.filter(|(_, block)| block.kind != Maker::Object) {
        let text = format!(
            "{} bytes at {address:#x} ({block}) were never freed",
            block.size
        );
        add(text, vec![("allocated", Arc::clone(&block.allocated))]);
    }
    for (handle, known) in checker.handles.live() {
        if PARTS.contains(&known.kind) {
            continue;
        }
        if COUNTED.contains(&known.kind) {
            // Below.
            continue;
        }
        let text = format!("{} {handle:#x} was never destroyed", known.kind);
        add(text, vec![("created", Arc::clone(&known.created))]);
    }
    for (kind, count) in &others.objects {
        if *count > 0 {
            add(
                format!("{count} of {kind} were never destroyed"),
                Vec::new(),
            );
        }
    }
    left
}
