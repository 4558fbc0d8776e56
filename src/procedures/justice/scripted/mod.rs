//! Scripted participants of the justice experiment: they hold preferences, argue, can be persuaded and
//! vote accordingly.

mod opinion;
mod persona;
mod short;
mod stance;
mod statement;
#[cfg(test)]
mod tests;

use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use crate::principle::{Choice, Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::justice::context::JusticeContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::seat::Seat;
use opinion::{Moment, Opinion};
use persona::Persona;
use stance::Stance;

/// Share of first answers that are too vague or short to be usable, so that retries occur.
const VAGUE: f64 = 0.01;

static TEXTS: Files<Texts> = in_each_language!(".");

/// Returns the texts of a language.
fn texts(language: Language) -> &'static Texts {
    TEXTS.of(language)
}

/// Returns the answer of the participant at a seat.
pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &JusticeContext) -> String {
    let persona = Persona::of(seat, seed);
    let speech = || {
        Speech::new(
            ask.language,
            texts(ask.language),
            Chance::new(seed, &seat.name, &ask.id),
        )
    };
    if is_vague(seat, seed, ask) {
        return short::vague(speech(), ask.kind.name());
    }
    let opinion = || Opinion::form(&persona, &seat.name, facts);
    match ask.kind.name() {
        asks::STATEMENT | asks::MESSAGE => {
            let is_message = ask.kind == asks::MESSAGE;
            let mut talk = speech();
            let habit = Chance::new(seed, &seat.name, "wordings").below(60);
            let own = || facts.heard.iter().filter(|said| said.speaker == seat.name);
            let number = if is_message {
                own().count()
            } else {
                facts.round as usize
            };
            talk.turn = Some(habit + number);
            let opinion = opinion();
            let text = if facts.is_brief {
                // In a talk it does not say again what it is for.
                let has_said = is_message && own().any(|said| said.round == facts.round);
                let proposes = !has_said || opinion.before != Some(opinion.stance);
                statement::brief(talk, &opinion, facts, proposes)
            } else {
                statement::statement(talk, &persona, &opinion, facts)
            };
            return if facts.points && !text.is_empty() {
                short::pointed(speech(), &text, opinion.stance)
            } else {
                text
            };
        }
        asks::INTERNAL_REASONING => {
            let opinion = opinion();
            let calls = calls_vote(&opinion, &persona, seat, seed, facts);
            return statement::reasoning(speech(), &opinion, facts, calls);
        }
        asks::MEMORY_UPDATE => return statement::memory(speech(), &opinion(), facts),
        _ => {}
    }
    match meant(&persona, seat, seed, ask, facts) {
        Intention::Ranking(ranking) => short::ranking(speech(), &ranking, ask),
        Intention::Choice(choice) => short::choice(speech(), &choice),
        Intention::Amount(amount) => short::amount(speech(), amount),
        Intention::Agreement(yes) => short::agreement(speech(), yes),
        Intention::Principle(principle) => short::ballot(speech(), principle),
        Intention::Stance(_) | Intention::Free => statement::explanation(speech(), facts),
    }
}

/// Intended content of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Intention {
    /// A ranking with its certainty.
    Ranking(Ranking),
    /// The choice of an application round.
    Choice(Choice),
    /// An amount in income dollars.
    Amount(u32),
    /// Yes or no.
    Agreement(bool),
    /// A vote for a principle.
    Principle(Principle),
    /// Stance of a statement.
    Stance(Stance),
    /// Text that is not read.
    Free,
}

/// Returns the intended content of the answer to the same ask; `None` if it is deliberately vague.
#[cfg(test)]
pub(crate) fn intention(seat: &Seat, seed: u32, ask: &Ask, facts: &JusticeContext) -> Option<Intention> {
    (!is_vague(seat, seed, ask)).then(|| meant(&Persona::of(seat, seed), seat, seed, ask, facts))
}

fn meant(persona: &Persona, seat: &Seat, seed: u32, ask: &Ask, facts: &JusticeContext) -> Intention {
    let opinion = || Opinion::form(persona, &seat.name, facts);
    let ranking = |moment| Intention::Ranking(opinion::ranking(persona, seed, &seat.name, facts, moment));
    let chance = |purpose: &str| {
        let purpose = format!("{purpose}/{}/{}", ask.phase, facts.round);
        Chance::new(seed, &seat.name, &purpose)
    };
    match ask.kind.name() {
        asks::INITIAL_RANKING => ranking(Moment::First),
        asks::POST_EXPLANATION_RANKING => ranking(Moment::Explained),
        asks::FINAL_RANKING => ranking(Moment::Lived),
        asks::RESULTS_RANKING => ranking(Moment::Over),
        asks::APPLICATION => Intention::Choice(opinion::choice(persona, facts, &mut chance("application"))),
        asks::CONSTRAINT_RETRY => {
            let principle = facts.principle.unwrap_or(Principle::FloorConstraint);
            Intention::Amount(opinion::table_amount(persona, principle, facts))
        }
        asks::STATEMENT | asks::MESSAGE => Intention::Stance(opinion().stance),
        asks::VOTE_INITIATION => Intention::Agreement(calls_vote(&opinion(), persona, seat, seed, facts)),
        asks::VOTE_CONFIRMATION => {
            Intention::Agreement(opinion().joins_vote(persona, &mut chance("confirmation")))
        }
        asks::BALLOT_PRINCIPLE => Intention::Principle(opinion().stance.principle),
        asks::BALLOT_AMOUNT => {
            let opinion = opinion();
            let principle = facts.principle.unwrap_or(opinion.stance.principle);
            Intention::Amount(opinion.amount(persona, principle, facts))
        }
        _ => Intention::Free,
    }
}

/// Whether the participant starts a vote. The same for a round's reasoning and its ask, as long as the facts
/// are the same.
fn calls_vote(opinion: &Opinion, persona: &Persona, seat: &Seat, seed: u32, facts: &JusticeContext) -> bool {
    let purpose = format!("initiation/{}", facts.round);
    opinion.calls_vote(persona, facts, &mut Chance::new(seed, &seat.name, &purpose))
}

/// Whether an answer is vague: rarely, and only at the first attempt.
fn is_vague(seat: &Seat, seed: u32, ask: &Ask) -> bool {
    let read = !matches!(
        ask.kind.name(),
        asks::INTERNAL_REASONING | asks::EXPLANATION | asks::MEMORY_UPDATE
    );
    read && ask.attempt <= 1 && Chance::new(seed, &seat.name, &format!("vague/{}", ask.id)).happens(VAGUE)
}
