//! Access of one device to the memory of another.
//!
//! The runtime counts nothing: enabling twice and disabling twice return 0 (observed). The crate gives each direction one
//! owner.

use super::access::{Mode, of_device};
use super::limit::Limit;
use super::state::{Access, Form, Hold, Place, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

impl Machine {
    pub(super) fn peer_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::EnablePeer => {
                let (context, borrows) = self.binding(step, 0)?;
                let variable = self.operand(step, 1, Mode::Shared)?;
                let peer = self.open_device(&variable)?;
                self.unbounded = true;
                let user = self.device_of(context);
                if user == peer {
                    return Err(Rule::SamePeer);
                }
                let is_same = |access: &Access| {
                    self.has_owner(access)
                        && self.device_of(access.context) == user
                        && access.peer == peer
                };
                if self.state.accesses.iter().any(is_same) {
                    return Err(Rule::AccessTaken);
                }
                self.state.accesses.push(Access {
                    context,
                    peer,
                    disabled: false,
                });
                let value = Value::Access(self.state.accesses.len() - 1);
                let mut borrows = of_device(&borrows);
                borrows.extend(Self::borrow(step, 1, false));
                borrows.extend(of_device(&variable.borrows));
                self.give(step, 0, value, borrows);
                Ok(())
            }
            Op::DisablePeer => {
                let variable = self.operand(step, 0, Mode::Move)?;
                match variable.value {
                    Value::Access(access) => self.disable_peer(access),
                    _ => Ok(()),
                }
            }
            _ => self.memcpy_peer(step),
        }
    }

    /// Copies memory of the current device to memory of its peer.
    fn memcpy_peer(&mut self, step: &Step) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let variable = self.operand(step, 1, Mode::Shared)?;
        let Value::Access(access) = variable.value else {
            return Err(Rule::Stopped);
        };
        let from = self.source(step, 3)?;
        let (to, _) = self.target(step, 2)?;
        self.note_if(step.of.get(2) == step.of.get(3), Strictness::Borrowed);
        self.direction(&to, &from)?;
        self.reaches(context, &from, Rule::OtherDevice)?;
        let user = self.device_of(context);
        let access = self.state.accesses.get(access).copied();
        let mut has_type = matches!(self.place(&from)?, Place::Device(_));
        match self.place(&to)? {
            Place::Device(home) => {
                let owner = self.device_of(home);
                if owner != user && !self.can_write(user, owner) {
                    return Err(Rule::OtherDevice);
                }
                let whole = self.state.devices.get(owner).map(|device| device.context);
                has_type &= whole == Some(home);
                has_type &= access.is_some_and(|access| access.peer == owner);
            }
            Place::Host(_) | Place::Rust => has_type = false,
        }
        has_type &= access.is_some_and(|access| access.context == context);
        has_type &= to.form == Form::Whole && to.hold == Hold::Idle && !to.unverified;
        has_type &= from.form != Form::Share && !self.is_pooled(&to);
        self.note_if(!has_type, Strictness::Types);
        self.note_if(to.fresh, Strictness::Form);
        self.touch(&from, true, false)?;
        self.touch(&to, false, true)?;
        self.copy_numbers(&to, &from);
        Ok(())
    }

    /// Disables an access, after a wait for its user.
    pub(super) fn disable_peer(&mut self, access: usize) -> Run {
        self.called()?;
        let Some(of) = self.state.accesses.get(access).copied() else {
            return Err(Rule::Stopped);
        };
        if !self.is_open(self.device_of(of.context)) || !self.is_open(of.peer) {
            return Err(Rule::DeviceGone);
        }
        if !self.is_alive_context(of.context) {
            return Err(Rule::ContextGone);
        }
        self.wait_for_context(of.context, Limit::None)?;
        if let Some(of) = self.state.accesses.get_mut(access) {
            of.disabled = true;
        }
        Ok(())
    }

    pub(super) fn is_open(&self, device: usize) -> bool {
        self.state
            .devices
            .get(device)
            .is_some_and(|device| device.open)
    }

    fn is_alive_context(&self, context: usize) -> bool {
        self.state
            .contexts
            .get(context)
            .is_some_and(|context| context.alive)
    }

    /// Whether an access was not disabled, and its user and its peer are there.
    fn has_owner(&self, access: &Access) -> bool {
        !access.disabled && self.is_alive_context(access.context) && self.is_open(access.peer)
    }

    /// Whether work of the device `user` can write memory of the device `owner`.
    fn can_write(&self, user: usize, owner: usize) -> bool {
        let enabled = |access: &Access| {
            !access.disabled && self.device_of(access.context) == user && access.peer == owner
        };
        self.state.accesses.iter().any(enabled)
    }

    /// The number of blocks around the closures that give the devices of an access their brands; 0 for none.
    pub(super) fn access_brand(&self, access: usize) -> usize {
        let Some(of) = self.state.accesses.get(access) else {
            return 0;
        };
        let brand = |device: usize| {
            let device = self.state.devices.get(device);
            let device = device.filter(|device| device.slot.is_none());
            device.map_or(0, |device| device.brand_depth)
        };
        brand(self.device_of(of.context)).max(brand(of.peer))
    }
}
