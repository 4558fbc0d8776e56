//! Whose turn it is at an endpoint, and when: calls of all sessions and seats of a tab in one queue per
//! origin. Holds calls at once, calls in a minute, and moments that the endpoint asked to wait for;
//! within that, seats take turns. Makes no call and has no clock: whoever makes them asks here first, and
//! tells what came of it. Whether a call that failed is made again is the session's word.

use crate::core::ask::Millis;
use std::collections::{BTreeMap, VecDeque};

/// The window of calls in a minute.
const MINUTE: Millis = 60_000;
/// The first hold after a refusal that names no wait; it doubles with each in a row.
const FIRST_HOLD: Millis = 2_000;
/// The longest hold that comes about by doubling.
const LONGEST_DOUBLED: Millis = 60_000;
/// The longest hold that an endpoint can ask for.
pub const LONGEST_HOLD: Millis = 3_600_000;

/// A call in the queue or on its way.
pub type Ticket = u64;

/// A call that wants its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedCall {
    /// Whose queue.
    pub origin: String,
    /// Id of the session.
    pub session: String,
    /// Name of the seat.
    pub seat: String,
    /// Calls at once that this session allows there, at least 1.
    pub at_once: u32,
    /// Calls in a minute that it allows there, at least 1.
    pub per_minute: Option<u32>,
    /// Not before that moment.
    pub not_before: Millis,
}

/// What a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// Others are on their way.
    Limit,
    /// There were as many calls in the last minute as may be.
    Minute,
    /// The endpoint asked to wait, or a call failed and is to be made again.
    Retry,
}

impl WaitReason {
    /// The name in data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Minute => "minute",
            Self::Retry => "retry",
        }
    }
}

/// How a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Not before that moment, where one is known.
    pub until: Option<Millis>,
    /// Calls whose turn comes before.
    pub ahead: usize,
    /// What for.
    pub why: WaitReason,
}

/// The queues of all origins.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    origins: BTreeMap<String, Origin>,
    tickets: Ticket,
    turns: u64,
}

#[derive(Debug, Clone, Default)]
struct Origin {
    /// In the order of joining.
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    /// When the calls of the last minute began.
    begun: VecDeque<Millis>,
    /// Nothing begins before.
    hold: Millis,
    /// Refusals in a row that named no wait, less the answers since.
    refusals: u32,
    /// The last turn of each session and seat.
    served: BTreeMap<(String, String), u64>,
}

#[derive(Debug, Clone)]
struct Waiting {
    ticket: Ticket,
    wish: QueuedCall,
    /// Taken out while its session stands still.
    is_parked: bool,
}

#[derive(Debug, Clone)]
struct Running {
    ticket: Ticket,
    at_once: u32,
    per_minute: Option<u32>,
}

impl Pace {
    /// Puts a call in the queue.
    pub fn join(&mut self, wish: QueuedCall) -> Ticket {
        self.tickets += 1;
        let ticket = self.tickets;
        self.at(&wish.origin.clone()).waiting.push(Waiting {
            ticket,
            wish,
            is_parked: false,
        });
        ticket
    }

    /// A call is over, or is no longer to be made. One that is not known is no matter.
    pub fn leave(&mut self, ticket: Ticket) {
        for origin in self.origins.values_mut() {
            origin.waiting.retain(|one| one.ticket != ticket);
            origin.running.retain(|one| one.ticket != ticket);
        }
    }

    /// The calls that are to begin now, in order; they are on their way until they [`leave`](Self::leave).
    pub fn start(&mut self, now: Millis) -> Vec<Ticket> {
        let mut begin = Vec::new();
        for origin in self.origins.values_mut() {
            while let Some(place) = origin.pick(now) {
                self.turns += 1;
                begin.push(origin.begin(place, now, self.turns));
            }
        }
        begin
    }

    /// When something may begin though nobody leaves before.
    #[must_use]
    pub fn next(&self, now: Millis) -> Option<Millis> {
        let moments = self.origins.values().filter_map(|origin| origin.next(now));
        moments.min()
    }

    /// How a call waits; `None`: it does not.
    #[must_use]
    pub fn waits(&self, ticket: Ticket, now: Millis) -> Option<Wait> {
        self.origins.values().find_map(|origin| origin.waits(ticket, now))
    }

    /// The endpoint refused a call because there were too many: nothing begins there for `wait`. Where
    /// none is told, for 2, 4, 8 … up to 60 s with each refusal in a row; those that come while it
    /// is held already were under way before, and count once.
    pub fn refused(&mut self, origin: &str, now: Millis, wait: Option<Millis>) {
        let origin = self.at(origin);
        match wait {
            Some(wait) => origin.hold_until(now.saturating_add(wait.min(LONGEST_HOLD))),
            None if now < origin.hold => {}
            None => {
                let doubled = FIRST_HOLD << origin.refusals.min(10);
                origin.refusals += 1;
                origin.hold_until(now.saturating_add(doubled.min(LONGEST_DOUBLED)));
            }
        }
    }

    /// The endpoint answered; `wait`: it said that this was the last call for so long.
    pub fn answered(&mut self, origin: &str, now: Millis, wait: Option<Millis>) {
        let origin = self.at(origin);
        origin.refusals = origin.refusals.saturating_sub(1);
        if let Some(wait) = wait {
            origin.hold_until(now.saturating_add(wait.min(LONGEST_HOLD)));
        }
    }

    /// A call that is on its way makes another request.
    pub fn asks_again(&mut self, origin: &str, now: Millis) {
        self.at(origin).begun.push_back(now);
    }

    /// What the endpoint asked for no longer holds: there is another key.
    pub fn lift(&mut self, origin: &str) {
        let origin = self.at(origin);
        origin.hold = 0;
        origin.refusals = 0;
    }

    /// Takes the waiting calls of a session out of the queue, to come back with [`unpark`](Self::unpark).
    pub fn park(&mut self, session: &str) {
        self.each_waiting(session, |one| one.is_parked = true);
    }

    /// Puts them back, where they stood.
    pub fn unpark(&mut self, session: &str) {
        self.each_waiting(session, |one| one.is_parked = false);
    }

    /// Puts the first of them back; `false` where there is none.
    pub fn unpark_one(&mut self, session: &str) -> bool {
        let mut waiting = self
            .origins
            .values_mut()
            .flat_map(|origin| origin.waiting.iter_mut());
        let first = waiting.find(|one| one.is_parked && one.wish.session == session);
        first.map(|one| one.is_parked = false).is_some()
    }

    /// Forgets whose turn it was: the session is closed.
    pub fn forget(&mut self, session: &str) {
        for origin in self.origins.values_mut() {
            let kept = std::mem::take(&mut origin.served).into_iter();
            origin.served = kept.filter(|((of, _), _)| of != session).collect();
        }
    }

    fn each_waiting(&mut self, session: &str, change: impl Fn(&mut Waiting)) {
        for origin in self.origins.values_mut() {
            origin
                .waiting
                .iter_mut()
                .filter(|one| one.wish.session == session)
                .for_each(&change);
        }
    }

    fn at(&mut self, origin: &str) -> &mut Origin {
        self.origins.entry(origin.to_owned()).or_default()
    }
}

impl Origin {
    fn hold_until(&mut self, moment: Millis) {
        self.hold = self.hold.max(moment);
    }

    fn in_queue(&self) -> impl Iterator<Item = (usize, &Waiting)> {
        self.waiting
            .iter()
            .enumerate()
            .filter(|(_, waiting)| !waiting.is_parked)
    }

    /// Of several sessions' limits the lowest holds: so nobody's is exceeded, and nobody is passed by.
    fn at_once(&self) -> usize {
        let waiting = self.in_queue().map(|(_, one)| one.wish.at_once);
        let all = waiting.chain(self.running.iter().map(|one| one.at_once));
        all.min().map_or(usize::MAX, |least| least.max(1) as usize)
    }

    fn per_minute(&self) -> Option<usize> {
        let waiting = self.in_queue().filter_map(|(_, one)| one.wish.per_minute);
        let all = waiting.chain(self.running.iter().filter_map(|one| one.per_minute));
        all.min().map(|least| least.max(1) as usize)
    }

    /// When the call after `ahead` others has room within the minute; `None`: not to be told yet.
    fn minute(&self, now: Millis, ahead: usize) -> Option<Millis> {
        let Some(limit) = self.per_minute() else {
            return Some(now);
        };
        let recent: Vec<Millis> = self
            .begun
            .iter()
            .copied()
            .filter(|begun| begun.saturating_add(MINUTE) > now)
            .collect();
        match (recent.len() + ahead).checked_sub(limit) {
            None => Some(now),
            Some(place) => recent.get(place).map(|begun| begun.saturating_add(MINUTE)),
        }
    }

    fn last_turn(&self, wish: &QueuedCall) -> u64 {
        let pair = (wish.session.clone(), wish.seat.clone());
        self.served.get(&pair).copied().unwrap_or(0)
    }

    /// Whose turn it is now: of those who may, the seat whose last turn is the longest ago.
    fn pick(&self, now: Millis) -> Option<usize> {
        if now < self.hold
            || self.running.len() >= self.at_once()
            || self.minute(now, 0).is_none_or(|free| free > now)
        {
            return None;
        }
        let may = self.in_queue().filter(|(_, one)| one.wish.not_before <= now);
        may.min_by_key(|(place, one)| (self.last_turn(&one.wish), *place))
            .map(|(place, _)| place)
    }

    fn begin(&mut self, place: usize, now: Millis, turn: u64) -> Ticket {
        let Waiting { ticket, wish, .. } = self.waiting.remove(place);
        while self
            .begun
            .front()
            .is_some_and(|begun| begun.saturating_add(MINUTE) <= now)
        {
            self.begun.pop_front();
        }
        self.begun.push_back(now);
        self.running.push(Running {
            ticket,
            at_once: wish.at_once,
            per_minute: wish.per_minute,
        });
        self.served.insert((wish.session, wish.seat), turn);
        ticket
    }

    fn next(&self, now: Millis) -> Option<Millis> {
        let first = self.in_queue().map(|(_, one)| one.wish.not_before).min()?;
        if self.running.len() >= self.at_once() {
            return None;
        }
        let minute = self.minute(now, 0).unwrap_or(now);
        Some(first.max(self.hold).max(minute).max(now))
    }

    /// The queue in the order of turns, as it stands.
    fn order(&self) -> Vec<Ticket> {
        let mut left: Vec<&Waiting> = self.in_queue().map(|(_, one)| one).collect();
        let mut served = self.served.clone();
        let mut turn = served.values().copied().max().unwrap_or(0);
        let mut order = Vec::new();
        while !left.is_empty() {
            let pair = |one: &Waiting| (one.wish.session.clone(), one.wish.seat.clone());
            let last = |one: &Waiting| served.get(&pair(one)).copied().unwrap_or(0);
            let places = left.iter().enumerate();
            let Some((place, _)) = places.min_by_key(|(place, one)| (last(one), *place)) else {
                break;
            };
            let one = left.remove(place);
            turn += 1;
            served.insert(pair(one), turn);
            order.push(one.ticket);
        }
        order
    }

    fn waits(&self, ticket: Ticket, now: Millis) -> Option<Wait> {
        let (_, own) = self.in_queue().find(|(_, one)| one.ticket == ticket)?;
        let ahead = self.order().iter().position(|one| *one == ticket)?;
        let told = own.wish.not_before.max(self.hold);
        let (until, why) = match self.minute(now, ahead) {
            Some(free) if free > now && free >= told => (Some(free), WaitReason::Minute),
            None if told <= now => (None, WaitReason::Minute),
            _ if told > now => (Some(told), WaitReason::Retry),
            _ => (None, WaitReason::Limit),
        };
        Some(Wait { until, ahead, why })
    }
}

#[cfg(test)]
mod tests;
