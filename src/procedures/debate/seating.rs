//! Selection of the participants, and the seats of the table including sources.

use super::event::Event;
use super::rounds::EMBEDDINGS;
use super::rules::team::{Candidate, TeamRules, score, select};
use super::settings::Settings;
use super::settings::debaters::{Debater, Role};
use crate::seat::{Seat, SeatKind};

/// Minimum number of proposers in a team, if there are as many.
const MIN_PROPOSERS: usize = 2;

/// Returns all seats that may be asked.
pub(super) fn seats(settings: &Settings) -> Vec<Seat> {
    let debaters = settings.debaters.iter().map(|debater| debater.seat.clone());
    let source =
        |name: &str, model, base_url| Seat::new(name, SeatKind::Source, settings.language, model, base_url);
    let sources = settings
        .sources
        .iter()
        .map(|one| source(&one.seat_name(), None, None));
    let embeddings = settings
        .embeddings
        .iter()
        .map(|one| source(EMBEDDINGS, Some(one.model.clone()), Some(one.base_url.clone())));
    let reader = settings.reader.iter().cloned();
    debaters.chain(sources).chain(embeddings).chain(reader).collect()
}

/// Reduces the settings to the selected team. Returns `None` if all take part.
pub(super) fn select_team(settings: &mut Settings) -> Option<Event> {
    let is_judge = |debater: &Debater| debater.role == Role::Judge;
    let pool: Vec<&Debater> = settings.debaters.iter().filter(|one| !is_judge(one)).collect();
    let size = settings.team_size? as usize;
    if size >= pool.len() {
        return None;
    }
    let rules = TeamRules {
        patterns: settings.domain_patterns.clone(),
        ..TeamRules::default()
    };
    let domain = settings.domain.as_deref().unwrap_or_default();
    let candidates: Vec<Candidate> = pool.iter().map(|debater| candidate(debater, settings)).collect();
    let all_debates = candidates
        .iter()
        .fold(0_u32, |sum, candidate| sum.saturating_add(candidate.debates));
    let mut ranked: Vec<(usize, f64)> = candidates
        .iter()
        .map(|candidate| score(candidate, domain, all_debates, &rules))
        .enumerate()
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut team = select(&candidates, domain, size, &rules);
    let is_proposer = |at: usize| matches!(pool[at].role, Role::Proposer | Role::Synthesizer);
    for (at, _) in &ranked {
        let proposers = team.iter().filter(|at| is_proposer(**at)).count();
        if proposers >= MIN_PROPOSERS {
            break;
        }
        let last = team.iter().rposition(|at| !is_proposer(*at));
        if let Some(last) = last.filter(|_| is_proposer(*at) && !team.contains(at)) {
            team[last] = *at;
        }
    }
    team.sort();
    let name = |at: usize| pool[at].seat.name.clone();
    let selected: Vec<String> = team.into_iter().map(name).collect();
    let scores = ranked.into_iter().map(|(at, score)| (name(at), score)).collect();
    settings
        .debaters
        .retain(|debater| is_judge(debater) || selected.contains(&debater.seat.name));
    Some(Event::TeamSelected {
        seats: selected,
        scores,
    })
}

fn candidate(debater: &Debater, settings: &Settings) -> Candidate {
    let seat = &debater.seat;
    let rated = settings.ratings.get(&seat.name).copied().unwrap_or_default();
    Candidate {
        // Fields are matched by name, and a model's name is more specific than the seat's.
        name: format!("{} {}", seat.name, seat.model.as_deref().unwrap_or_default()),
        provider: debater.provider.clone(),
        elo: rated.elo,
        brier: rated.brier,
        debates: rated.debates,
        available: true,
    }
}
