//! The connections of a world to those ranks of other processes that belong to it.

use std::sync::Arc;

use super::byte_span::ByteSpan;
use super::frame::Frame;
use super::net::Net;

/// The place of a rank in a communicator of several processes.
#[derive(Debug)]
pub(super) struct Connections {
    net: Arc<Net>,
    /// The name of the communicator among those of the connections.
    name: String,
    /// The number of each rank among all ranks.
    members: Vec<u32>,
    /// The own rank.
    rank: u32,
}

impl Connections {
    pub(super) fn new(net: &Arc<Net>, name: String, members: Vec<u32>, rank: u32) -> Connections {
        Connections {
            net: Arc::clone(net),
            name,
            members,
            rank,
        }
    }

    pub(super) fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn rank(&self) -> u32 {
        self.rank
    }

    pub(super) fn size(&self) -> u32 {
        u32::try_from(self.members.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number here of a rank of all ranks.
    pub(super) fn rank_of(&self, of_all: u32) -> Option<u32> {
        let mut members = self.members.iter();
        let place = members.position(|member| *member == of_all)?;
        u32::try_from(place).ok()
    }

    /// Returns the other ranks, beginning with the next one, so that not all ranks send to the same one first.
    pub(super) fn others(&self) -> impl Iterator<Item = u32> + use<> {
        let (rank, size) = (self.rank, self.size());
        (1..size).map(move |step| (rank + step) % size)
    }

    /// Sends a message to a rank.
    pub(super) fn send(&self, to: u32, frame: &Frame) {
        self.send_with(to, frame, None);
    }

    /// Sends a message to a rank, and bytes of device memory behind it.
    pub(super) fn send_with(&self, to: u32, frame: &Frame, payload: Option<ByteSpan<'_>>) {
        if let Some(of_all) = self.members.get(to as usize) {
            let message = frame.write(&self.name, payload.as_ref().map_or(0, ByteSpan::len));
            self.net.send(*of_all, &message, payload);
        }
    }

    /// Sends a message to all other ranks.
    pub(super) fn broadcast(&self, frame: &Frame) {
        for other in self.others() {
            self.send(other, frame);
        }
    }

    /// Removes the world, which ends.
    pub(super) fn leave(&self) {
        self.net.remove(&self.name);
    }
}
