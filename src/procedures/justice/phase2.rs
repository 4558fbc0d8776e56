//! Phase 2, the group: rounds of discussion, each followed by a vote, until the group agrees or the rounds
//! are over; then payoffs and final rankings.

use super::discussion::{Public, discuss};
use super::event::{Event, Moment, Step};
use super::history::{HistoryKind, sanitize_memory};
use super::lab::Lab;
use super::member::Member;
use super::popularity::least_popular;
use super::prompts::discussion as prompts;
use super::prompts::system::{manipulated_role, manipulator_task};
use super::results::{self, Payoff};
use super::voting::{self, Agreed, VotingRecord};
use crate::core::audience::Audience;
use futures_util::future::join_all;

/// Outcome of phase 2.
pub(super) struct Group {
    pub(super) agreed: Option<Agreed>,
    pub(super) rounds: u32,
    pub(super) public: Public,
    pub(super) votes: Vec<VotingRecord>,
    pub(super) payoffs: Vec<Payoff>,
}

pub(super) async fn run(lab: &Lab, members: &mut [Member]) -> Group {
    set_target(lab, members);
    for member in members.iter_mut() {
        member.memory = sanitize_memory(&member.memory);
    }
    let rounds = lab.settings.phase2_rounds;
    let mut public = Public::new(members);
    let mut votes = Vec::new();
    let mut agreed = None;
    let mut conducted = 0;
    for round in 1..=rounds {
        conducted = round;
        discuss(lab, members, &mut public, round).await;
        if rounds - round == 2 {
            let line = |words: &_| prompts::countdown(words, 2);
            public.announce(lab, members, round, HistoryKind::System, "countdown", line);
        }
        agreed = voting::hold_vote(lab, members, &mut public, &mut votes, round).await;
        if agreed.is_some() {
            break;
        }
    }
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::Results,
            round: 0,
            seat: None,
        },
    );
    let payoffs = results::pay(lab, members, agreed.as_ref()).await;
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::ResultsRanking,
            round: 0,
            seat: None,
        },
    );
    for member in members.iter_mut() {
        member.reasoning.clear();
    }
    join_all(
        members
            .iter_mut()
            .map(|member| member.rank(2, Step::ResultsRanking, Moment::AfterResults)),
    )
    .await;
    Group {
        agreed,
        rounds: conducted,
        public,
        votes,
        payoffs,
    }
}

/// Gives the manipulator the principle that the others rank lowest. Only its own role contains the target.
fn set_target(lab: &Lab, members: &mut [Member]) {
    let Some(manipulator) = lab.settings.manipulator.clone() else {
        return;
    };
    let emit_target = |target, scores, tied, note: Option<String>| {
        lab.emit(
            Audience::Owner,
            Event::TargetSet {
                seat: manipulator.name.clone(),
                target,
                scores,
                tied,
                note,
            },
        );
    };
    let report_failure = |note: &str| {
        lab.warn("no_target", Some(&manipulator.name), None, note.to_owned());
        emit_target(None, Default::default(), Vec::new(), Some(note.to_owned()));
    };
    if manipulator.target_strategy != "least_popular_after_round1" {
        return report_failure("the target strategy is not known: the manipulator has no target");
    }
    let rankings = members
        .iter()
        .filter(|member| member.name() != manipulator.name)
        .filter_map(|member| member.rankings.last()?.1.as_ref());
    let popularity = match least_popular(rankings, &manipulator.tiebreak_order) {
        Ok(popularity) => popularity,
        Err(error) => return report_failure(&format!("the manipulator has no target: {error}")),
    };
    let Some(member) = members
        .iter_mut()
        .find(|member| member.name() == manipulator.name)
    else {
        return report_failure("the manipulator is not a participant: nobody has a target");
    };
    let target = popularity.least_popular;
    let tied = popularity.tied.clone();
    lab.emit(
        member.audience(),
        Event::Targeted {
            seat: manipulator.name.clone(),
            target,
            tied: tied.clone(),
        },
    );
    let task = manipulator_task(&member.words, target, &tied, &manipulator.tiebreak_order);
    member.role = manipulated_role(&task, &member.role);
    member.target = Some(target);
    let scores = popularity
        .scores
        .iter()
        .map(|score| (score.principle.id().to_owned(), score.points))
        .collect();
    emit_target(Some(target), scores, tied, None);
}
