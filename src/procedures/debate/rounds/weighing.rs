//! Weights of votes, bonuses for evidence, and the meaning of free-text choices. The rules add them up.

use super::Debate;
use crate::procedures::debate::context::SourceItem;
use crate::procedures::debate::event::{Event, Group};
use crate::procedures::debate::rules::consensus::Mode;
use crate::procedures::debate::rules::contradiction::{ChoiceGroup, group_choices};
use crate::procedures::debate::rules::tally::Cast;
use crate::procedures::debate::rules::weight::{
    EvidenceQuality, Factors, calibration, citation_bonus, cited, elo_skill, verbosity_beyond,
};
use crate::procedures::debate::voting::SelfVote;
use crate::reading::alias::{Alias, alias_by_text};
use crate::reading::vote::Vote;
use crate::seat::SeatKind;
use std::collections::BTreeMap;

impl Debate {
    /// Returns the weight of each voter. Ratings and the weight of persons apply in mode `weighted` only;
    /// penalties for self-votes and long proposals apply in every mode if enabled.
    pub(super) fn weights(&self) -> BTreeMap<String, f64> {
        let settings = &self.arena.settings;
        let self_vote = settings.self_vote();
        let by_rating = settings.consensus == Mode::Weighted;
        let mut weights = BTreeMap::new();
        for ballot in &self.ballots {
            let Cast::For(choice) = &ballot.cast else { continue };
            let is_own = *choice == ballot.voter;
            let mut factors = Factors::default();
            if by_rating && let Some(rated) = settings.ratings.get(&ballot.voter) {
                factors.elo_skill = elo_skill(rated.elo);
                if rated.brier.is_some() {
                    factors.calibration = calibration(rated.calibration(), rated.predictions);
                }
            }
            if let (true, SelfVote::Part(part)) = (is_own, self_vote) {
                factors.self_vote = part;
            }
            if let Some(verbosity) = settings.verbosity() {
                let chosen = |name: usize| self.arena.name(name) == choice;
                let text = self.proposals.iter().find(|standing| chosen(standing.seat));
                let length = text.map_or(0, |standing| standing.text.chars().count());
                factors.verbosity = verbosity_beyond(
                    length,
                    verbosity.target as usize,
                    verbosity.threshold,
                    verbosity.most,
                );
            }
            let mut weight = factors.weight();
            if is_own && self_vote == SelfVote::Excluded {
                weight = 0.0;
            }
            if by_rating && self.is_person(&ballot.voter) {
                weight *= settings.user_vote_weight;
            }
            weights.insert(ballot.voter.clone(), weight);
        }
        weights
    }

    fn is_person(&self, name: &str) -> bool {
        let debaters = self.arena.settings.debaters.iter();
        let own = debaters
            .map(|debater| &debater.seat)
            .find(|seat| seat.name == name);
        own.is_some_and(|seat| seat.kind == SeatKind::Human)
    }

    /// Returns the bonus of each proposal for the evidence cited in votes for it; only evidence that was
    /// shown counts.
    pub(super) fn evidence_bonuses(&self, votes: &[(usize, Option<Vote>)]) -> BTreeMap<String, f64> {
        let mut bonuses = BTreeMap::new();
        let settings = &self.arena.settings;
        if !settings.enable_evidence_weighting {
            return bonuses;
        }
        let bonus = settings.evidence_citation_bonus;
        let shown = &self.arena.evidence;
        let known: Vec<&str> = shown.iter().map(|item| item.evidence.as_str()).collect();
        for ((_, vote), ballot) in votes.iter().zip(&self.ballots) {
            let (Some(vote), Cast::For(choice)) = (vote, &ballot.cast) else {
                continue;
            };
            let cited = cited(&vote.reasoning, &known);
            let pieces: Vec<EvidenceQuality> = shown
                .iter()
                .filter(|item| cited.contains(&item.evidence.as_str()))
                .map(quality)
                .collect();
            if !pieces.is_empty() {
                *bonuses.entry(choice.clone()).or_default() += citation_bonus(&pieces, bonus);
            }
        }
        bonuses
    }

    /// Interprets free-text choices, by seat: equivalent choices form a group, and a group with a choice that
    /// quotes exactly one proposal is a vote for it. Other groups abstain.
    pub(super) fn interpret_words(
        &self,
        round: u32,
        votes: &[(usize, Option<Vote>)],
    ) -> BTreeMap<usize, String> {
        let words_by_seat: Vec<(usize, &str)> = votes
            .iter()
            .filter_map(|(seat, vote)| Some((*seat, vote.as_ref()?.words.as_deref()?)))
            .collect();
        let mut choices = BTreeMap::new();
        if words_by_seat.is_empty() {
            return choices;
        }
        let texts: Vec<&str> = self
            .proposals
            .iter()
            .map(|standing| standing.text.as_str())
            .collect();
        let quotes = |words: &str| match alias_by_text(words, &texts) {
            Alias::One(place) => self.proposals.get(place).map(|standing| standing.seat),
            _ => None,
        };
        let mut groups = Vec::new();
        for group in self.group_words(&words_by_seat) {
            let belongs = |words: &str| group.members.iter().any(|member| member == words);
            let seats: Vec<usize> = words_by_seat
                .iter()
                .filter(|(_, words)| belongs(words))
                .map(|(seat, _)| *seat)
                .collect();
            let choice = group.members.iter().find_map(|words| quotes(words));
            let choice = choice.map(|seat| self.arena.name(seat).to_owned());
            if let Some(choice) = &choice {
                choices.extend(seats.iter().map(|seat| (*seat, choice.clone())));
            }
            groups.push(Group {
                canonical: group.canonical,
                voters: seats
                    .iter()
                    .map(|seat| self.arena.name(*seat).to_owned())
                    .collect(),
                choice,
            });
        }
        self.arena
            .emit(self.arena.all_but_judges(), &Event::Grouped { round, groups });
        choices
    }

    /// Groups equivalent choices in the order of the votes, including groups of one.
    fn group_words(&self, words_by_seat: &[(usize, &str)]) -> Vec<ChoiceGroup> {
        let settings = &self.arena.settings;
        let words: Vec<&str> = words_by_seat.iter().map(|(_, words)| *words).collect();
        let names: Vec<&str> = self.arena.names.iter().map(String::as_str).collect();
        let similarity = |a: &str, b: &str| settings.similarity.of(&self.texts, a, b);
        let mut groups = if settings.vote_grouping {
            group_choices(&words, &names, settings.vote_grouping_threshold, &similarity)
        } else {
            Vec::new()
        };
        let mut all: Vec<ChoiceGroup> = Vec::new();
        for words in words {
            let is_in = |group: &ChoiceGroup| group.members.iter().any(|member| member == words);
            if all.iter().any(is_in) {
                continue;
            }
            all.push(match groups.iter().position(is_in) {
                Some(place) => groups.remove(place),
                None => ChoiceGroup {
                    canonical: words.to_owned(),
                    members: vec![words.to_owned()],
                },
            });
        }
        all
    }
}

/// Returns the quality of an item. Relevance, freshness and completeness are not measured.
fn quality(item: &SourceItem) -> EvidenceQuality {
    let defaults = EvidenceQuality::default();
    EvidenceQuality {
        authority: item.confidence.unwrap_or(defaults.authority).clamp(0.0, 1.0),
        ..defaults
    }
}
