//! After rounds 3 to 5: convergence, novelty, and whether an agreement is founded on evidence.

use super::Debate;
use crate::core::audience::Audience;
use crate::procedures::debate::event::Event;
use crate::procedures::debate::rules::convergence::{
    ConvergenceStatus, LOW_NOVELTY, OWN_ROUNDS_BACK, novelty,
};
use crate::procedures::debate::rules::similarity::Measure;

/// Minimum mean similarity of proposals that the trickster examines.
const MIN_SIMILARITY: f64 = 0.5;

impl Debate {
    /// After rounds 3 to 5: ends the debate if the proposals have converged, unless the trickster objects.
    pub(super) async fn check_convergence(&mut self, round: u32) {
        let current = self.current();
        let before = std::mem::replace(&mut self.compared, current.clone());
        if self.detector.is_none() {
            return;
        }
        let vectors = self.likeness(round, &current, &before).await;
        let Some(detector) = self.detector.as_mut() else {
            return;
        };
        let likeness = self.arena.settings.similarity;
        let measure = match &vectors {
            Some(_) => Measure::Embedding,
            None => likeness.measure(),
        };
        let similarity = |a: &str, b: &str| match &vectors {
            Some(vectors) => vectors.of(a, b),
            None => likeness.of(&self.texts, a, b),
        };
        let Some(check) = detector.check(round, &pairs(&current), &pairs(&before), measure, &similarity)
        else {
            return;
        };
        self.arena
            .emit(self.arena.overview(), &Event::Compared(check.clone()));
        let converged = check.status == ConvergenceStatus::Converged;
        let mean = check.inter_agent.mean;
        self.checks.push(check);
        let earlier: Vec<_> = self.history.iter().map(|step| pairs(step)).collect();
        let novelty = novelty(
            &pairs(&current),
            &earlier,
            LOW_NOVELTY,
            OWN_ROUNDS_BACK,
            &similarity,
        );
        self.arena.emit(
            self.arena.overview(),
            &Event::Novel {
                round,
                novelty: novelty.clone(),
            },
        );
        let year = self.newest_year();
        let language = self.arena.settings.language;
        let challenge = match self.trickster.as_mut() {
            Some(trickster) if mean > MIN_SIMILARITY => {
                trickster.look(&pairs(&current), mean, round, language, year)
            }
            _ => None,
        };
        let challenge = challenge.or_else(|| {
            let trickster = self.trickster.as_mut()?;
            trickster.look_for_news(&novelty, converged, round)
        });
        let is_blocked = challenge.as_ref().is_some_and(|challenge| challenge.blocks);
        if let Some(challenge) = challenge {
            let to = match self.arena.overview() {
                Audience::Owner => Audience::Seats(challenge.targets.clone()),
                all => all,
            };
            self.arena.emit(to, &Event::Challenged(challenge.clone()));
            self.challenges.push(challenge);
        }
        if converged && !is_blocked {
            self.end_early(round, "converged");
        }
    }

    /// Returns the newest year named in proposals or material: the reference for recency, since a debate has
    /// no clock.
    pub(super) fn newest_year(&self) -> i32 {
        let texts = self.proposals.iter().map(|standing| standing.text.as_str());
        let sources = self.arena.evidence.iter().map(|item| item.text.as_str());
        let years = texts.chain(sources).flat_map(years);
        years.max().unwrap_or(2000)
    }
}

/// Borrows names and texts.
pub(in super::super) fn pairs(named: &[(String, String)]) -> Vec<(&str, &str)> {
    named
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

/// Returns the years from 1900 to 2099 named in a text.
fn years(text: &str) -> impl Iterator<Item = i32> {
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    numbers.filter(|number| number.len() == 4).filter_map(|number| {
        let year = number.parse().ok()?;
        (1900..2100).contains(&year).then_some(year)
    })
}
