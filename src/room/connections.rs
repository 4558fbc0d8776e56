//! Message numbers: which messages of a guest's device are new (`docs/rooms.md`, Numbers).

use crate::core::ask::Millis;
use serde_json::Value;

/// Connections of one device that are kept: pages open at the same time, and their predecessors after breaks.
const MAX_OPEN: usize = 4;
/// How many numbers behind the highest one may still arrive.
const WINDOW: u64 = 64;
/// Milliseconds since its last message for which a connection counts as in use.
const RECENT: Millis = 15_000;

/// The origin of a message: a connection of the sender, and the number of the message in it, from 1.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) connection: u64,
    /// 0 for a will, which the broker publishes when the connection is lost.
    pub(super) number: u64,
}

impl Origin {
    pub(super) fn read(message: &Value) -> Option<Self> {
        Some(Self {
            connection: message["from"][0].as_u64()?,
            number: message["from"][1].as_u64()?,
        })
    }
}

/// The connections of a device, the most recent sender last. Ids of connections grow.
#[derive(Default)]
pub(super) struct Connections {
    open: Vec<Connection>,
    /// The highest id of those that were closed or dropped.
    floor: u64,
}

struct Connection {
    id: u64,
    highest: u64,
    /// The numbers received, as bits counted down from `highest`.
    seen: u64,
    /// Time of its last message; 0 before the first.
    last: Millis,
}

impl Connections {
    /// Restores connections whose messages have to name the new session of the host, so none can be repeated.
    pub(super) fn restore(ids: &[u64]) -> Self {
        let open = ids.iter().map(|id| Connection::new(*id));
        Self {
            open: open.collect(),
            floor: 0,
        }
    }

    pub(super) fn ids(&self) -> Vec<u64> {
        self.open.iter().map(|connection| connection.id).collect()
    }

    /// The highest id of all.
    pub(super) fn last(&self) -> u64 {
        self.ids().into_iter().fold(self.floor, u64::max)
    }

    /// Records a message. Returns `false` if it is not new.
    pub(super) fn take(&mut self, at: Millis, origin: Origin) -> bool {
        let place = self.open.iter().position(|one| one.id == origin.connection);
        if place.is_none() && origin.connection <= self.floor {
            return false;
        }
        let mut connection = match place {
            Some(place) => self.open.remove(place),
            None => Connection::new(origin.connection),
        };
        let is_new = connection.take(origin.number);
        if !is_new {
            self.open.insert(place.unwrap_or_default(), connection);
            return false;
        }
        connection.last = at;
        self.open.push(connection);
        if self.open.len() > MAX_OPEN {
            let dropped = self.open.remove(0);
            self.floor = self.floor.max(dropped.id);
        }
        true
    }

    /// Closes a connection. Returns `false` if it is not open.
    pub(super) fn close(&mut self, id: u64) -> bool {
        let Some(place) = self.open.iter().position(|one| one.id == id) else {
            return false;
        };
        self.open.remove(place);
        self.floor = self.floor.max(id);
        true
    }

    /// Whether a message came recently over a connection that is open.
    pub(super) fn is_in_use(&self, at: Millis) -> bool {
        self.open
            .last()
            .is_some_and(|connection| connection.last > 0 && at < connection.last + RECENT)
    }
}

impl Connection {
    fn new(id: u64) -> Self {
        Self {
            id,
            highest: 0,
            seen: 0,
            last: 0,
        }
    }

    fn take(&mut self, number: u64) -> bool {
        if number == 0 {
            return false;
        }
        if number > self.highest {
            let step = number - self.highest;
            self.seen = if step < WINDOW { self.seen << step } else { 0 } | 1;
            self.highest = number;
            return true;
        }
        let behind = self.highest - number;
        let is_new = behind < WINDOW && self.seen & (1 << behind) == 0;
        if is_new {
            self.seen |= 1 << behind;
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(connections: &mut Connections, connection: u64, number: u64) -> bool {
        connections.take(1_000, Origin { connection, number })
    }

    #[test]
    fn each_number_is_taken_once_in_any_order() {
        let mut all = Connections::default();
        for number in [1, 3, 2, 70, 9, 7] {
            assert!(takes(&mut all, 5, number), "{number}");
        }
        for number in [1, 3, 2, 70, 9, 7, 6, 0] {
            assert!(!takes(&mut all, 5, number), "{number}");
        }
        assert!(takes(&mut all, 5, 8));
        assert!(takes(&mut all, 5, 1 << 52));
        assert!(!takes(&mut all, 5, 71));
    }

    #[test]
    fn several_pages_are_open_and_closed_or_forgotten_ones_are_not() {
        let mut all = Connections::default();
        for id in [10, 20, 30] {
            assert!(takes(&mut all, id, 1));
        }
        assert!(all.close(20));
        assert!(!all.close(20));
        assert!(!takes(&mut all, 20, 2));
        assert!(!takes(&mut all, 15, 1), "older than a closed one");
        // The oldest one stays because it sends; the silent one makes room.
        for id in [40, 50, 60] {
            assert!(takes(&mut all, 10, id));
            assert!(takes(&mut all, id, 1));
        }
        assert_eq!(all.ids(), [40, 50, 10, 60]);
        assert!(!takes(&mut all, 30, 2));
        assert!(all.is_in_use(2_000));
        assert!(!all.is_in_use(20_000));
    }
}
