//! Policies for guests who are away or slow, and the time of the next check.

use super::state::{OpenQuestion, StandInReason};
use super::{Room, SILENCE, WARNING};
use crate::core::ask::Millis;
use crate::core::record::{Command, Presence};
use crate::people::{AbsenceAction, GuestEnd, Policies, Start};
use serde_json::json;

/// A question that a guest is asked.
struct AwaitedAnswer {
    table: usize,
    ask: String,
    seat: String,
    guest: usize,
    /// Whether the procedure itself ends it.
    is_timed: bool,
    /// Due times with the actions and their reasons.
    dues: Vec<(Millis, AbsenceAction, StandInReason)>,
}

/// Until when a question must be answered.
pub(super) struct Deadline {
    pub(super) at: Millis,
    /// What the room does then; `None` if the procedure ends the question.
    pub(super) then: Option<AbsenceAction>,
    /// From when the guest is warned.
    pub(super) warns_at: Option<Millis>,
}

impl Room {
    /// Collects the open questions of guests whose due actions are to come.
    fn awaited_answers(&self) -> Vec<AwaitedAnswer> {
        let mut awaited = self.awaited();
        awaited.retain(|one| !one.is_timed && !self.sessions[one.table].handled.contains(&one.ask));
        awaited
    }

    /// Collects the open questions of guests with their due actions, also those that were skipped or reminded of already.
    /// Tables that are not running have none.
    fn awaited(&self) -> Vec<AwaitedAnswer> {
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
                if session.pending.iter().any(|pending| pending.ask == open.id) {
                    continue;
                }
                all.push(AwaitedAnswer {
                    table,
                    ask: open.id.clone(),
                    seat: open.seat.clone(),
                    guest,
                    is_timed: open.ends.is_some(),
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
        let Policies { absence, patience } = self.policies_of(table, &open.seat);
        let device = &self.devices[guest];
        let away = device.is_away.then(|| {
            let due = device
                .last
                .max(self.connected_since)
                .saturating_add(absence.after);
            (due.max(open.since), absence.then, StandInReason::Away)
        });
        let deadline = self.time_up(table, guest, open);
        // A device that is silent may not have shown the warning: then it is away, or heard again.
        let is_warned = device.is_away || device.last >= self.warning_at(open, deadline);
        let due = match is_warned {
            true => deadline,
            false => deadline.max(device.last + SILENCE),
        };
        let dues = away
            .into_iter()
            .chain([(due, patience.then, StandInReason::Late)]);
        dues.filter(|(_, then, _)| *then != AbsenceAction::Wait).collect()
    }

    /// Returns when the patience for an answer ends.
    fn time_up(&self, table: usize, guest: usize, open: &OpenQuestion) -> Millis {
        let extension = self.sessions[table]
            .extensions
            .get(&open.id)
            .copied()
            .unwrap_or_default();
        let from = open.since.max(self.connected_since).max(extension.from);
        let after = self.policies_of(table, &open.seat).patience.after;
        let due = from.saturating_add(after).saturating_add(extension.more);
        // Who was silent while the others were warned is warned as well.
        match self.devices[guest].heard_since {
            since if since > from => due.max(since + WARNING),
            _ => due,
        }
    }

    fn warning_at(&self, open: &OpenQuestion, deadline: Millis) -> Millis {
        deadline.saturating_sub(WARNING).max(open.since)
    }

    /// Returns the answer deadline and what happens then, if an action follows it.
    pub(super) fn deadline_of(&self, table: usize, open: &OpenQuestion) -> Option<Deadline> {
        if let Some(at) = open.ends {
            return Some(Deadline {
                at,
                then: None,
                warns_at: None,
            });
        }
        let then = self.policies_of(table, &open.seat).patience.then;
        let mut seats = self.state.tables[table].seats.iter();
        let guest = seats.find(|chair| chair.name == open.seat)?.guest?;
        let at = self.time_up(table, guest, open);
        let warns_at = self.warning_at(open, at);
        (!matches!(then, AbsenceAction::Wait | AbsenceAction::Remind)).then_some(Deadline {
            at,
            then: Some(then),
            warns_at: Some(warns_at),
        })
    }

    /// Restarts the time for the open questions of a guest who is there.
    pub(super) fn restart_time(&mut self, at: Millis, guest: usize) {
        let Some((table, seat)) = self.state.guests[guest].place.clone() else {
            return;
        };
        let session = &mut self.sessions[table];
        for open in session.status.open.iter().filter(|open| open.seat == seat) {
            session.extensions.entry(open.id.clone()).or_default().from = at;
            session.handled.retain(|ask| *ask != open.id);
        }
        self.request_view(at, guest);
    }

    /// Gives more time for the open questions that have a deadline. Returns `false` if there are none.
    pub(super) fn extend(&mut self, at: Millis, seconds: u32, table: Option<usize>) -> bool {
        let (timed, open): (Vec<_>, Vec<_>) = self
            .open_to_people(table)
            .into_iter()
            .partition(|one| one.is_timed);
        let mut is_done = !timed.is_empty();
        let mut talks: Vec<usize> = timed.iter().map(|one| one.table).collect();
        talks.dedup();
        for table in talks {
            self.send_command(table, Command::Extend { seconds });
        }
        for AwaitedAnswer { table, ask, .. } in open {
            let open = self.sessions[table]
                .status
                .open
                .iter()
                .find(|open| open.id == ask);
            if open.is_none_or(|open| {
                self.deadline_of(table, open)
                    .is_none_or(|deadline| deadline.then.is_none())
            }) {
                continue;
            }
            let extension = self.sessions[table].extensions.entry(ask).or_default();
            extension.more = extension.more.saturating_add(Millis::from(seconds) * 1_000);
            is_done = true;
            self.request_views(at, table);
        }
        is_done
    }

    /// Leaves the open questions of people without an answer. Returns `false` if there are none.
    pub(super) fn skip(&mut self, table: Option<usize>) -> bool {
        let open = self.open_to_people(table);
        let is_done = !open.is_empty();
        for AwaitedAnswer { table, ask, .. } in open {
            self.skip_question(table, ask);
        }
        is_done
    }

    fn skip_question(&mut self, table: usize, ask: String) {
        self.sessions[table].handled.push(ask.clone());
        self.send_command(table, Command::Skip { ask });
    }

    /// Returns the open questions that nobody answers for a guest, at one table (from 1) or all.
    fn open_to_people(&self, table: Option<usize>) -> Vec<AwaitedAnswer> {
        let mut awaited = self.awaited();
        awaited.retain(|one| table.is_none_or(|table| table == one.table + 1));
        awaited
    }

    pub(super) fn apply_policies(&mut self, at: Millis) {
        for AwaitedAnswer {
            table,
            ask,
            seat,
            guest,
            dues,
            ..
        } in self.awaited_answers()
        {
            let Some((_, then, why)) = dues.into_iter().find(|(due, ..)| *due <= at) else {
                continue;
            };
            match then {
                AbsenceAction::Wait => {}
                AbsenceAction::Remind => self.send_reminder(guest),
                AbsenceAction::Skip => {
                    self.skip_question(table, ask);
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

    /// Ends guests without a seat once no table of a study is left.
    pub(super) fn turn_away(&mut self, at: Millis) {
        if !self.is_complete() {
            return;
        }
        for index in 0..self.state.guests.len() {
            if self.state.guests[index].place.is_none() {
                self.end_guest(at, index, GuestEnd::Waited);
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
        self.turn_away(at);
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
