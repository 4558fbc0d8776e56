//! Rate limiter of a tab: one queue per origin for the calls of all sessions and seats. Enforces limits on
//! concurrent calls, calls per minute and back-off times; within these, seats take turns. A refusal halves the concurrent
//! calls, answers let them grow again. Has no network and no clock: the caller requests a turn and reports the result. Retries are decided by the session.

use crate::core::ask::Millis;
use std::collections::{BTreeMap, VecDeque};

/// The window of calls in a minute.
const MINUTE: Millis = 60_000;
/// The first back-off after a refusal without a delay, in milliseconds; it doubles with each further one.
const FIRST_HOLD: Millis = 2_000;
/// The longest back-off by doubling.
const LONGEST_DOUBLED: Millis = 60_000;
/// The longest back-off that an endpoint can request, in milliseconds.
pub const LONGEST_HOLD: Millis = 3_600_000;

/// Id of a queued or running call.
pub type Ticket = u64;

/// A call for the queue of its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedCall {
    pub origin: String,
    /// Id of the session.
    pub session: String,
    /// Name of the seat.
    pub seat: String,
    /// Concurrent calls that the session allows at this origin, at least 1.
    pub at_once: u32,
    /// Calls per minute that the session allows at this origin, at least 1.
    pub per_minute: Option<u32>,
    /// Earliest start.
    pub not_before: Millis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// The limit on concurrent calls.
    Limit,
    /// The limit on calls per minute.
    Minute,
    /// A back-off of the endpoint or of the call.
    Retry,
}

impl WaitReason {
    /// Returns the name in exported data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Minute => "minute",
            Self::Retry => "retry",
        }
    }
}

/// The waiting state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Earliest start, if known.
    pub until: Option<Millis>,
    /// Number of calls before it.
    pub ahead: usize,
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
    /// In the order of arrival.
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    /// Start times of the calls of the last minute.
    starts: VecDeque<Millis>,
    /// End of the back-off.
    hold: Millis,
    /// Refusals without a delay, minus answers since then.
    refusals: u32,
    /// Concurrent calls after a refusal, until answers have raised them to the limit again.
    lowered: Option<Lowered>,
    /// The last turn of each session and seat.
    last_turns: BTreeMap<(String, String), u64>,
}

#[derive(Debug, Clone, Copy)]
struct Lowered {
    at_once: usize,
    /// Answers since the last change.
    answers: usize,
    /// Calls that were running when it was last halved: their refusals do not count again.
    before: usize,
}

#[derive(Debug, Clone)]
struct Waiting {
    ticket: Ticket,
    call: QueuedCall,
    /// Excluded while its session is paused.
    is_parked: bool,
}

#[derive(Debug, Clone)]
struct Running {
    ticket: Ticket,
    at_once: u32,
    per_minute: Option<u32>,
}

impl Pace {
    /// Adds a call to the queue.
    pub fn join(&mut self, call: QueuedCall) -> Ticket {
        self.tickets += 1;
        let ticket = self.tickets;
        self.origin_mut(&call.origin.clone()).waiting.push(Waiting {
            ticket,
            call,
            is_parked: false,
        });
        ticket
    }

    /// Removes a finished or cancelled call. Unknown tickets are ignored.
    pub fn leave(&mut self, ticket: Ticket) {
        for origin in self.origins.values_mut() {
            origin.waiting.retain(|one| one.ticket != ticket);
            origin.running.retain(|one| one.ticket != ticket);
        }
    }

    /// Starts the calls whose turn has come and returns them in order. They run until [`leave`](Self::leave).
    pub fn start(&mut self, now: Millis) -> Vec<Ticket> {
        let mut started = Vec::new();
        for origin in self.origins.values_mut() {
            while let Some(index) = origin.pick_call(now) {
                self.turns += 1;
                started.push(origin.start_call(index, now, self.turns));
            }
        }
        started
    }

    /// Returns the next time at which a call may start without another one finishing.
    #[must_use]
    pub fn next(&self, now: Millis) -> Option<Millis> {
        let times = self.origins.values().filter_map(|origin| origin.next_start(now));
        times.min()
    }

    /// Returns the state of a waiting call, or `None` if it is not waiting.
    #[must_use]
    pub fn waits(&self, ticket: Ticket, now: Millis) -> Option<Wait> {
        self.origins
            .values()
            .find_map(|origin| origin.wait_of(ticket, now))
    }

    /// Records a rate-limit response: no call starts at this origin for `wait`, or without it for 2, 4, 8 … up to 60 s
    /// with each further refusal. Refusals during a back-off belong to calls started before it and are ignored. Afterwards
    /// half as many calls run at once as before.
    pub fn refused(&mut self, origin: &str, now: Millis, wait: Option<Millis>) {
        let origin = self.origin_mut(origin);
        origin.halve(now);
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

    /// Records an answer. `wait` is the time until the endpoint's limit is reset, if no calls remain.
    pub fn answered(&mut self, origin: &str, now: Millis, wait: Option<Millis>) {
        let origin = self.origin_mut(origin);
        origin.refusals = origin.refusals.saturating_sub(1);
        origin.grow();
        if let Some(wait) = wait {
            origin.hold_until(now.saturating_add(wait.min(LONGEST_HOLD)));
        }
    }

    /// Records another request of a running call.
    pub fn asks_again(&mut self, origin: &str, now: Millis) {
        self.origin_mut(origin).starts.push_back(now);
    }

    /// Ends the back-off after a change of the key.
    pub fn lift(&mut self, origin: &str) {
        let origin = self.origin_mut(origin);
        origin.hold = 0;
        origin.refusals = 0;
        origin.lowered = None;
    }

    /// Excludes the waiting calls of a session until [`unpark`](Self::unpark).
    pub fn park(&mut self, session: &str) {
        self.for_each_waiting(session, |one| one.is_parked = true);
    }

    /// Includes them again, at their old positions.
    pub fn unpark(&mut self, session: &str) {
        self.for_each_waiting(session, |one| one.is_parked = false);
    }

    /// Includes the first parked call again. Returns `false` if there is none.
    pub fn unpark_one(&mut self, session: &str) -> bool {
        let mut waiting = self
            .origins
            .values_mut()
            .flat_map(|origin| origin.waiting.iter_mut());
        let first = waiting.find(|one| one.is_parked && one.call.session == session);
        first.map(|one| one.is_parked = false).is_some()
    }

    /// Removes the turns of a closed session.
    pub fn forget(&mut self, session: &str) {
        for origin in self.origins.values_mut() {
            origin.last_turns.retain(|(owner, _), _| owner != session);
        }
    }

    fn for_each_waiting(&mut self, session: &str, change: impl Fn(&mut Waiting)) {
        for origin in self.origins.values_mut() {
            origin
                .waiting
                .iter_mut()
                .filter(|one| one.call.session == session)
                .for_each(&change);
        }
    }

    fn origin_mut(&mut self, origin: &str) -> &mut Origin {
        self.origins.entry(origin.to_owned()).or_default()
    }
}

impl Origin {
    fn hold_until(&mut self, time: Millis) {
        self.hold = self.hold.max(time);
    }

    fn halve(&mut self, now: Millis) {
        let running = self.running.len();
        match &mut self.lowered {
            _ if now < self.hold => {}
            Some(lowered) if lowered.before > 0 => lowered.before -= 1,
            lowered => {
                let at_once = lowered.map_or(running, |lowered| lowered.at_once.min(running));
                *lowered = Some(Lowered {
                    at_once: (at_once / 2).max(1),
                    answers: 0,
                    before: running.saturating_sub(1),
                });
            }
        }
    }

    /// Allows one more concurrent call after as many answers as calls run at once.
    fn grow(&mut self) {
        let limit = self.limit_at_once();
        let Some(lowered) = &mut self.lowered else { return };
        lowered.before = lowered.before.saturating_sub(1);
        lowered.answers += 1;
        if lowered.answers >= lowered.at_once {
            lowered.answers = 0;
            lowered.at_once += 1;
        }
        // Without calls there is no limit to compare with.
        self.lowered = self
            .lowered
            .filter(|lowered| limit == usize::MAX || lowered.at_once < limit);
    }

    fn in_queue(&self) -> impl Iterator<Item = (usize, &Waiting)> {
        self.waiting
            .iter()
            .enumerate()
            .filter(|(_, waiting)| !waiting.is_parked)
    }

    fn at_once(&self) -> usize {
        let lowered = self.lowered.map_or(usize::MAX, |lowered| lowered.at_once);
        self.limit_at_once().min(lowered)
    }

    /// Returns the lowest limit of all sessions in the queue, so that none is exceeded and none is passed over.
    fn limit_at_once(&self) -> usize {
        let waiting = self.in_queue().map(|(_, one)| one.call.at_once);
        let all = waiting.chain(self.running.iter().map(|one| one.at_once));
        all.min().map_or(usize::MAX, |least| least.max(1) as usize)
    }

    fn per_minute(&self) -> Option<usize> {
        let waiting = self.in_queue().filter_map(|(_, one)| one.call.per_minute);
        let all = waiting.chain(self.running.iter().filter_map(|one| one.per_minute));
        all.min().map(|least| least.max(1) as usize)
    }

    /// Returns when the limit per minute allows a call after `ahead` others, or `None` if that depends on calls that have
    /// not started.
    fn minute_opening(&self, now: Millis, ahead: usize) -> Option<Millis> {
        let Some(limit) = self.per_minute() else {
            return Some(now);
        };
        let recent: Vec<Millis> = self
            .starts
            .iter()
            .copied()
            .filter(|start| start.saturating_add(MINUTE) > now)
            .collect();
        match (recent.len() + ahead).checked_sub(limit) {
            None => Some(now),
            Some(index) => recent.get(index).map(|start| start.saturating_add(MINUTE)),
        }
    }

    fn last_turn(&self, call: &QueuedCall) -> u64 {
        let owner = (call.session.clone(), call.seat.clone());
        self.last_turns.get(&owner).copied().unwrap_or(0)
    }

    /// Returns the index of the next call: of those that may start, the one of the seat with the earliest last turn.
    fn pick_call(&self, now: Millis) -> Option<usize> {
        if now < self.hold
            || self.running.len() >= self.at_once()
            || self.minute_opening(now, 0).is_none_or(|free| free > now)
        {
            return None;
        }
        let ready = self.in_queue().filter(|(_, one)| one.call.not_before <= now);
        ready
            .min_by_key(|(index, one)| (self.last_turn(&one.call), *index))
            .map(|(index, _)| index)
    }

    fn start_call(&mut self, index: usize, now: Millis, turn: u64) -> Ticket {
        let Waiting { ticket, call, .. } = self.waiting.remove(index);
        while self
            .starts
            .front()
            .is_some_and(|start| start.saturating_add(MINUTE) <= now)
        {
            self.starts.pop_front();
        }
        self.starts.push_back(now);
        self.running.push(Running {
            ticket,
            at_once: call.at_once,
            per_minute: call.per_minute,
        });
        self.last_turns.insert((call.session, call.seat), turn);
        ticket
    }

    fn next_start(&self, now: Millis) -> Option<Millis> {
        let first = self.in_queue().map(|(_, one)| one.call.not_before).min()?;
        if self.running.len() >= self.at_once() {
            return None;
        }
        let minute = self.minute_opening(now, 0).unwrap_or(now);
        Some(first.max(self.hold).max(minute).max(now))
    }

    /// Returns the queue in the order of turns.
    fn order(&self) -> Vec<Ticket> {
        let mut left: Vec<&Waiting> = self.in_queue().map(|(_, one)| one).collect();
        let mut last_turns = self.last_turns.clone();
        let mut turn = last_turns.values().copied().max().unwrap_or(0);
        let mut order = Vec::new();
        while !left.is_empty() {
            let owner = |one: &Waiting| (one.call.session.clone(), one.call.seat.clone());
            let last_turn = |one: &Waiting| last_turns.get(&owner(one)).copied().unwrap_or(0);
            let indexed = left.iter().enumerate();
            let Some((index, _)) = indexed.min_by_key(|(index, one)| (last_turn(one), *index)) else {
                break;
            };
            let one = left.remove(index);
            turn += 1;
            last_turns.insert(owner(one), turn);
            order.push(one.ticket);
        }
        order
    }

    fn wait_of(&self, ticket: Ticket, now: Millis) -> Option<Wait> {
        let (_, own) = self.in_queue().find(|(_, one)| one.ticket == ticket)?;
        let ahead = self.order().iter().position(|one| *one == ticket)?;
        let earliest = own.call.not_before.max(self.hold);
        let (until, why) = match self.minute_opening(now, ahead) {
            Some(free) if free > now && free >= earliest => (Some(free), WaitReason::Minute),
            None if earliest <= now => (None, WaitReason::Minute),
            _ if earliest > now => (Some(earliest), WaitReason::Retry),
            _ => (None, WaitReason::Limit),
        };
        Some(Wait { until, ahead, why })
    }
}

#[cfg(test)]
mod tests;
