//! Scripted debaters: they take a side, criticise, may be persuaded, vote and judge. They are stateless: each
//! answer depends on the texts and the context of the question only.

mod bank;
mod decide;
mod draft;
mod persona;
#[cfg(test)]
mod tests;
mod weigh;
mod write;

use crate::core::ask::Ask;
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use crate::procedures::debate::asks;
use crate::procedures::debate::context::DebateContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::{Speech, Texts};
use crate::seat::Seat;
use bank::Bank;
use draft::Draft;
use persona::Persona;

static TEXTS: Files<Texts> = in_each_language!(".");

fn texts(language: Language) -> &'static Texts {
    TEXTS.of(language)
}

/// Returns the answer of a scripted debater.
pub(in crate::procedures) fn answer(seat: &Seat, seed: u32, ask: &Ask, facts: &DebateContext) -> String {
    let persona = Persona::of(seat, seed, facts);
    let bank = Bank::new(ask.language, seed, &facts.question);
    let bank = bank.with_sources(seed, &facts.question, &facts.context);
    let chance = |purpose: &str| Chance::new(seed, &seat.name, &format!("{purpose}/{}", ask.id));
    let speech = Speech::new(ask.language, texts(ask.language), chance("words"));
    let standing = || {
        let own = facts.own.as_deref().and_then(|own| Draft::of(&bank, own));
        own.unwrap_or_else(|| {
            let mut chance = Chance::new(seed, &seat.name, "first proposal");
            let mut draft = Draft::first(&bank, &persona);
            draft.source = bank.best_source().filter(|_| chance.happens(0.7));
            draft
        })
    };
    let mut chance = chance("decisions");
    match ask.kind.name() {
        asks::CRITIQUE => weigh::critique(speech, &bank, &persona, facts, &mut chance),
        asks::REVISION => write::revision(speech, standing(), &bank, &persona, facts, chance),
        asks::REFINEMENT => write::refinement(speech, standing(), &bank, &persona, facts, chance),
        asks::VOTE => weigh::vote(speech, &bank, &persona, facts, &seat.name, chance),
        asks::JUDGEMENT => weigh::judgement(speech, &bank, &persona, facts, chance),
        asks::TERMINATION => decide::termination(speech, &bank, &persona, facts, chance),
        asks::POLL => decide::poll(speech, &persona, chance),
        asks::PREPARE => decide::assent(speech, "prepare", &bank, &persona, facts, &seat.name, chance),
        asks::COMMIT => decide::assent(speech, "commit", &bank, &persona, facts, &seat.name, chance),
        _ => write::proposal(speech, &standing(), &bank),
    }
}
