//! An open discussion: all write when they like until the time is up.

use super::asks::{MessageQuestion, TurnContext};
use super::context::DiscussionContext;
use super::event::{Event, Metadata};
use super::procedure::Discussion;
use super::seating::Participant;
use crate::core::ask::{Millis, Reply};
use crate::core::audience::Audience;
use crate::core::record::Command;
use crate::core::table::{Question, Table};
use crate::procedures::answers::QuestionKind;
use crate::procedures::open_talk::{self, Place, Talk};
use crate::reading::Reading;
use serde_json::{Value, json};
use std::rc::Rc;

impl Discussion {
    /// Runs the discussion and returns its result.
    pub(super) async fn talk_openly(&mut self) -> Value {
        let minutes = self.settings.minutes;
        let by = open_talk::hold(self, minutes).await;
        let by_whom = by.to_owned();
        self.table
            .emit(Audience::Everybody, &Event::Completed { by: by_whom });
        json!({ "completed_by": by, "rounds": 0, "contributions": self.contributions })
    }

    /// Returns a participant with its index in the order.
    fn participant(&self, id: &str) -> Option<(usize, Participant)> {
        let mut order = self.order().iter().enumerate();
        order
            .find(|(_, place)| place.id == id)
            .map(|(at, place)| (at, place.clone()))
    }
}

impl Talk for Discussion {
    const MOST_MESSAGES: u32 = 5;

    fn table(&self) -> &Table {
        &self.table
    }

    fn places(&self) -> Vec<Place> {
        let seated = self.order().iter().filter(|place| place.seat.is_some());
        let place = |place: &Participant| Place {
            id: place.id.clone(),
            seat: place.name.clone(),
            is_person: place.is_person(),
        };
        seated.map(place).collect()
    }

    fn question(&mut self, id: &str, number: u32) -> Option<Question> {
        let (turn, place) = self.participant(id)?;
        let context = self.context(&place, None);
        let facts = Rc::new(DiscussionContext {
            open: true,
            turn: turn as u32,
            round: number,
            rounds: Self::MOST_MESSAGES,
            ..DiscussionContext::clone(&context.facts)
        });
        let context = TurnContext { facts, ..context };
        Some(self.question(MessageQuestion, "open", &place, &context))
    }

    fn take(&mut self, id: &str, ask: String, reply: Reply) -> bool {
        let Some((turn, place)) = self.participant(id) else {
            return false;
        };
        let context = self.context(&place, None);
        let Reading::Read {
            value: (content, metadata),
            ..
        } = MessageQuestion.read_text(&reply.text, &context)
        else {
            return false;
        };
        let metadata = Metadata {
            request_id: reply.request_id,
            ask: Some(ask),
            ..metadata
        };
        self.state.turn = turn;
        self.emit_contribution(&place.name, place.role, place.is_person(), content, metadata);
        true
    }

    fn handle(&mut self, command: Command) -> bool {
        let before = self.contributions;
        self.handle_command(command);
        self.contributions > before
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn set_end(&mut self, until: Millis) {
        self.table.emit(Audience::Everybody, &Event::Opened { until });
    }
}
