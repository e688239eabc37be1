//! The streams that use an object which several of them have by reference.

use crate::park::{Parking, User};

impl Parking {
    /// Enters that work of `user` may use an object from now on. From time to time the streams leave that have ended behind a
    /// proof, so that those of a long service do not pile up.
    pub(crate) fn enter_user(&self, users: &mut Vec<User>, user: User) {
        if users.contains(&user) {
            return;
        }
        if users.len() >= 8 && users.len().is_power_of_two() {
            users.retain(|user| self.may_have_work(*user));
        }
        users.push(user);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use crate::park::{Key, Parking, Phase, StreamKey};

    #[test]
    fn streams_that_have_ended_leave() {
        let parking = Parking::new(Key::Slot(0), Phase::Open);
        let mut users = Vec::new();
        let lives = StreamKey::Number(0);
        parking.stream_begins(lives);
        parking.enter_user(&mut users, Some(lives));
        for number in 1..10_000 {
            let stream = StreamKey::Number(number);
            parking.stream_begins(stream);
            parking.enter_user(&mut users, Some(stream));
            // SAFETY: it has no work, and no other stream gets its number.
            assert!(unsafe { parking.stream_ends(stream) }.is_empty());
        }
        assert!(
            users.len() <= 8 && users.contains(&Some(lives)),
            "{users:?}"
        );
    }
}
