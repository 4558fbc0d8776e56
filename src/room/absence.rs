//! Policies for guests who are away or slow, and the time of the next check.

use super::plan::{AbsenceAction, GuestEnd, Policies, Policy, Start};
use super::state::{OpenQuestion, StandInReason};
use super::{Room, SILENCE};
use crate::core::ask::Millis;
use crate::core::record::{Command, Presence};
use serde_json::json;

/// A question that a guest is asked.
struct AwaitedAnswer {
    table: usize,
    ask: String,
    seat: String,
    guest: usize,
    /// Due times with the actions and their reasons.
    dues: Vec<(Millis, AbsenceAction, StandInReason)>,
}

impl Room {
    /// Collects the open questions of guests with their due actions. Tables that are not running have none.
    fn awaited_answers(&self) -> Vec<AwaitedAnswer> {
        let mut all = Vec::new();
        for (table, (table_state, session)) in self.state.tables.iter().zip(&self.sessions).enumerate() {
            if !table_state.is_begun || table_state.is_over || session.status.state != "running" {
                continue;
            }
            for open in &session.status.open {
                let chair = table_state.seats.iter().find(|chair| chair.name == open.seat);
                let Some(guest) = chair
                    .filter(|chair| chair.stands_in.is_none())
                    .and_then(|chair| chair.guest)
                else {
                    continue;
                };
                let is_handled = session.handled.contains(&open.id)
                    || session.pending.iter().any(|pending| pending.ask == open.id);
                if is_handled {
                    continue;
                }
                all.push(AwaitedAnswer {
                    table,
                    ask: open.id.clone(),
                    seat: open.seat.clone(),
                    guest,
                    dues: self.dues(table, guest, open),
                });
            }
        }
        all
    }

    /// Returns the policies for a seat.
    fn policies_of(&self, table: usize, seat: &str) -> Policies {
        let mut seats = self.state.tables[table].seats.iter();
        let place = seats.position(|chair| chair.name == seat);
        self.plan.policies[place.unwrap_or_default()]
    }

    fn dues(
        &self,
        table: usize,
        guest: usize,
        open: &OpenQuestion,
    ) -> Vec<(Millis, AbsenceAction, StandInReason)> {
        let due = |from: Millis, policy: Policy, why| {
            (
                from.max(self.connected_since)
                    .saturating_add(policy.after)
                    .max(open.since),
                policy.then,
                why,
            )
        };
        let Policies { absence, patience } = self.policies_of(table, &open.seat);
        let device = &self.devices[guest];
        let away = device
            .is_away
            .then(|| due(device.last, absence, StandInReason::Away));
        let late = due(open.since, patience, StandInReason::Late);
        let dues = away.into_iter().chain([late]);
        dues.filter(|(_, then, _)| *then != AbsenceAction::Wait).collect()
    }

    /// Returns the answer deadline, if an action follows it.
    pub(super) fn deadline_of(&self, table: usize, open: &OpenQuestion) -> Option<Millis> {
        let Policy { after, then } = self.policies_of(table, &open.seat).patience;
        (!matches!(then, AbsenceAction::Wait | AbsenceAction::Remind))
            .then_some(open.since.max(self.connected_since) + after)
    }

    pub(super) fn apply_policies(&mut self, at: Millis) {
        for AwaitedAnswer {
            table,
            ask,
            seat,
            guest,
            dues,
        } in self.awaited_answers()
        {
            let Some((_, then, why)) = dues.into_iter().find(|(due, ..)| *due <= at) else {
                continue;
            };
            match then {
                AbsenceAction::Wait => {}
                AbsenceAction::Remind => self.send_reminder(guest),
                AbsenceAction::Skip => {
                    self.sessions[table].handled.push(ask.clone());
                    self.send_command(table, Command::Skip { ask });
                }
                AbsenceAction::StandIn => {
                    self.stand_in(at, table, &seat, why);
                }
                AbsenceAction::End => self.end_guest(at, guest, GuestEnd::Dropped),
            }
        }
    }

    /// Reminds a guest of all open questions.
    pub(super) fn send_reminder(&mut self, guest: usize) {
        let Some((table, seat)) = self.state.guests[guest].place.clone() else {
            return;
        };
        let open = self.sessions[table]
            .status
            .open
            .iter()
            .filter(|open| open.seat == seat);
        let asks: Vec<String> = open.map(|open| open.id.clone()).collect();
        if !asks.is_empty() {
            self.note_presence(guest, Presence::Reminded);
        }
        for ask in asks {
            self.send(guest, json!({ "type": "remind", "ask": ask }));
            if !self.sessions[table].handled.contains(&ask) {
                self.sessions[table].handled.push(ask);
            }
        }
    }

    /// Ends guests who have waited too long; starts the tables at the configured time.
    pub(super) fn check_waiting(&mut self, at: Millis) {
        if self.plan.start == Start::At && !self.state.is_begun && at >= self.starts_at() {
            self.state.is_begun = true;
            self.mark_changed();
            self.start_tables(at);
        }
        let Some(wait) = self.plan.wait else { return };
        for index in 0..self.state.guests.len() {
            if self.state.guests[index]
                .waits
                .is_some_and(|since| at >= since + wait)
            {
                self.end_guest(at, index, GuestEnd::Waited);
            }
        }
    }

    /// Returns the time of the next call to [`Room::tick`], in the absence of other events.
    #[must_use]
    pub fn deadline(&self) -> Millis {
        let silences = self.devices.iter().filter(|device| !device.is_away);
        let silences = silences.map(|device| device.last.max(self.connected_since) + SILENCE);
        let dues = self
            .awaited_answers()
            .into_iter()
            .flat_map(|awaited| awaited.dues);
        let dues = dues.map(|(due, ..)| due);
        let start = (self.plan.start == Start::At && !self.state.is_begun).then_some(self.starts_at());
        let waits = self
            .state
            .guests
            .iter()
            .filter_map(|guest| Some(guest.waits? + self.plan.wait?));
        let all = silences.chain(dues).chain(start).chain(waits);
        all.min()
            .map_or(self.next_heartbeat, |first| first.min(self.next_heartbeat))
    }
}
