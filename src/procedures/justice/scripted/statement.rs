//! Long texts of a scripted participant: public statements, private reasoning, the reply to the examples and
//! the memory. All follow from its opinion and facts.

use super::opinion::Opinion;
use super::persona::Persona;
use super::stance::Stance;
use crate::principle::Principle;
use crate::procedures::justice::context::{Experience, JusticeContext};
use crate::procedures::scripted::speech::{Places, Speech};

/// Writes a public statement for the stance of the opinion.
pub(super) fn statement<'f>(
    mut speech: Speech<'f>,
    persona: &Persona,
    opinion: &Opinion,
    facts: &'f JusticeContext,
) -> String {
    speech.remember(facts.heard.iter().map(|statement| statement.text.as_str()));
    let own = number(opinion.stance.principle);
    let style = persona.style.name();
    let other = partner(&mut speech, opinion);
    let moved = opinion
        .before
        .filter(|before| before.principle != opinion.stance.principle);

    match (opinion.before, other) {
        (None, _) => {
            speech.say_rather_new(&format!("open_{style}"), &[]);
        }
        (Some(_), None) => {
            speech.say_new(&format!("lead_{style}"), &[]);
        }
        (Some(_), Some(_)) => {
            if speech.chance.happens(0.6) {
                speech.say_new(&format!("lead_{style}"), &[]);
            }
        }
    }
    // A participant changes its mind because of another that holds its present stance.
    let allies: Vec<_> = opinion
        .others
        .iter()
        .filter(|(_, stance)| stance.principle == opinion.stance.principle)
        .collect();
    let ally = speech.chance.pick(&allies).map(|(name, _)| *name);
    match (moved, opinion.before, ally) {
        (Some(old), _, Some(name)) => {
            let old = number(old.principle);
            speech.say_rather_new("concede", &[("old", &old), ("other", name)]);
        }
        (None, Some(before), _) if before != opinion.stance => {
            speech.say_new("concede_amount", &[]);
        }
        (None, Some(_), _) if speech.chance.happens(0.6) => {
            speech.say_new("hold", &[]);
        }
        _ => {}
    }
    // It does not argue against the principle that it held a moment ago.
    let other = other.filter(|(_, stance)| moved.is_none_or(|old| old.principle != stance.principle));
    if let Some((name, stance)) = other
        && (moved.is_none() || speech.chance.happens(0.5))
    {
        react(&mut speech, name, stance, opinion.stance);
    }
    let mut has_experience = opinion.before.is_none() || speech.chance.happens(0.3);
    if has_experience {
        experience(&mut speech, opinion.stance.principle, facts);
    } else {
        speech.say_new(&format!("arg_{own}"), &[]);
    }

    let lengths = speech.statement_lengths();
    let first = lengths.quiet + lengths.talkative * persona.talk;
    // Reasons are used up over time, so statements grow shorter.
    let goal = first * (1.0 - 0.5 * opinion.time);
    for filler in [
        "arg",
        "deep",
        "count",
        "experience",
        "ask",
        "arg",
        "deep",
        "arg",
        "arg",
    ] {
        if speech.len() as f64 + lengths.closing >= goal {
            break;
        }
        match filler {
            "arg" | "deep" => {
                speech.say_new(&format!("{filler}_{own}"), &[]);
            }
            "experience" if !has_experience => {
                has_experience = true;
                experience(&mut speech, opinion.stance.principle, facts);
            }
            "count" if opinion.others.len() > 1 => {
                let allies = opinion.allies.to_string();
                if opinion.allies >= 2 {
                    speech.say_new("count_many", &[("k", &allies)]);
                } else if opinion.allies == 0 {
                    speech.say_new("count_few", &[]);
                }
            }
            "ask" => {
                if let Some((name, stance)) = other
                    && stance.principle != opinion.stance.principle
                {
                    speech.say_new("ask_other", &[("other", name)]);
                }
            }
            _ => {}
        }
    }

    // A statement that is too short would be asked for again, so an argument is repeated instead.
    for key in ["arg", "deep", "arg", "arg"] {
        if speech.len() < lengths.least {
            speech.say_another(&format!("{key}_{own}"));
        }
    }

    let amount = money(&mut speech, opinion.stance.amount);
    speech.say_rather_new(&format!("propose_{own}"), &[("amount", &amount)]);
    let left = opinion.left.to_string();
    let close = match opinion.left {
        0 => "close_last",
        _ if opinion.is_united() => "close_ready",
        2..=3 if facts.rounds > 4 => "close_late",
        _ if opinion.time < 0.3 => "close_early",
        _ => "close_mid",
    };
    speech.say_new(close, &[("left", &left)]);
    speech.done()
}

/// Writes a public statement of two or three short sentences: a reply to another participant, a reason, and what it
/// proposes, if it does. Empty if there is nothing new to say.
pub(super) fn brief<'f>(
    mut speech: Speech<'f>,
    opinion: &Opinion<'f>,
    facts: &'f JusticeContext,
    proposes: bool,
) -> String {
    speech.remember(facts.heard.iter().map(|statement| statement.text.as_str()));
    let own = opinion.stance.principle;
    let has_moved = opinion.before.is_some_and(|before| before.principle != own);
    let ally = opinion.others.iter().find(|(_, stance)| stance.principle == own);
    match (ally, partner(&mut speech, opinion)) {
        (Some((name, _)), _) if has_moved => speech.say_rather_new("brief_moved", &[("other", name)]),
        (_, Some((name, stance))) if stance.principle == own => {
            speech.say_new("brief_agree", &[("other", name)]);
        }
        (_, Some((name, _))) if speech.chance.happens(0.6) => {
            speech.say_new("brief_differ", &[("other", name)]);
        }
        _ => {}
    }
    let own = number(own);
    speech.say_new(&format!("brief_{own}"), &[]);
    if !proposes {
        return speech.done();
    }
    let amount = opinion
        .stance
        .amount
        .map(|amount| speech.plain_money(amount))
        .unwrap_or_default();
    speech.say_rather_new(&format!("brief_propose_{own}"), &[("amount", &amount)]);
    speech.done()
}

/// Picks a participant to respond to, preferably one who disagrees.
fn partner<'f>(speech: &mut Speech, opinion: &Opinion<'f>) -> Option<(&'f str, Stance)> {
    let differing: Vec<_> = opinion
        .others
        .iter()
        .filter(|(_, stance)| stance.principle != opinion.stance.principle)
        .collect();
    if speech.chance.happens(0.65)
        && let Some(other) = speech.chance.pick(&differing)
    {
        return Some(**other);
    }
    speech.chance.pick(&opinion.others).copied()
}

fn react(speech: &mut Speech, name: &str, theirs: Stance, own: Stance) {
    let on = number(theirs.principle);
    let places = [("other", name), ("on", on.as_str())];
    if theirs.principle != own.principle {
        speech.say_new(&format!("against_{on}"), &places);
    } else if let Some(amount) = theirs.amount
        && theirs.amount != own.amount
    {
        let amount = speech.money(amount);
        let places = [places[0], places[1], ("oamount", amount.as_str())];
        speech.say_new("agree_amount", &places);
    } else {
        speech.say_new("agree", &places);
    }
}

/// Argues from one of its application rounds, or from having none.
fn experience(speech: &mut Speech, favoured: Principle, facts: &JusticeContext) {
    let lived: Vec<(&Experience, Principle, u32)> = facts
        .applications
        .iter()
        .filter_map(|round| Some((round, round.principle?, round.income?)))
        .collect();
    let low = lived.iter().min_by_key(|(.., income)| *income);
    let high = lived.iter().max_by_key(|(.., income)| *income);
    let (Some(low), Some(high)) = (low, high) else {
        speech.say_new("exp_none", &[]);
        return;
    };
    // The midpoint between the extremes separates good incomes from bad ones.
    let middle = low.2.midpoint(high.2);
    let best = lived
        .iter()
        .filter(|(_, principle, _)| *principle == favoured)
        .max_by_key(|(.., income)| *income)
        .filter(|(.., income)| *income >= middle);
    let bad = Some(low).filter(|(_, principle, _)| *principle != favoured);
    let argument = match (best, bad) {
        (Some(_), Some(_)) if speech.chance.happens(0.4) => ("exp_warn", bad),
        (Some(_), _) if speech.chance.happens(0.75) => ("exp_good", best),
        (None, Some(_)) if speech.chance.happens(0.6) => ("exp_warn", bad),
        _ => ("exp_range", None),
    };
    if let (key, Some((round, principle, income))) = argument {
        let at = usize::try_from(round.round).unwrap_or(0).saturating_sub(1);
        let nth = speech.nth("nth", at);
        if !nth.is_empty() {
            let (en, income) = (number(*principle), speech.money(*income));
            speech.say_new(key, &[("nth", nth), ("en", &en), ("income", &income)]);
            return;
        }
    }
    if low.2 < high.2 {
        let (low, high) = (speech.plain_money(low.2), speech.plain_money(high.2));
        speech.say_new("exp_range", &[("low", &low), ("high", &high)]);
    } else {
        speech.say_new("exp_none", &[]);
    }
}

/// Returns the lowest and highest income of the application rounds if they differ.
fn income_range(speech: &Speech, facts: &JusticeContext) -> Option<[String; 2]> {
    let incomes = || facts.applications.iter().filter_map(|round| round.income);
    let (low, high) = (incomes().min()?, incomes().max()?);
    (low < high).then(|| [low, high].map(|income| speech.plain_money(income)))
}

/// Writes private reasoning before a statement.
pub(super) fn reasoning(
    mut speech: Speech,
    opinion: &Opinion,
    facts: &JusticeContext,
    calls_vote: bool,
) -> String {
    let own = number(opinion.stance.principle);
    if opinion.others.is_empty() {
        speech.say("think_none", &[]);
    } else {
        let (k, total) = (opinion.allies.to_string(), opinion.others.len().to_string());
        speech.say("think_known", &[("k", &k), ("total", &total)]);
        if let Some((name, stance)) = partner(&mut speech, opinion) {
            let on = number(stance.principle);
            speech.say("think_name", &[("other", name), ("on", &on)]);
        }
    }
    let label = speech.phrase(&format!("label_{own}"), &[]);
    speech.say("think_own", &[("n", &own), ("label", &label)]);
    if let Some(amount) = opinion.stance.amount {
        let amount = speech.money(amount);
        speech.say("think_own_amount", &[("amount", &amount)]);
    } else if let Some([low, high]) = income_range(&speech, facts) {
        speech.say("think_exp", &[("low", &low), ("high", &high)]);
    }
    let moved = opinion
        .before
        .is_some_and(|before| before.principle != opinion.stance.principle);
    let plan = match () {
        () if facts.target == Some(opinion.stance.principle) => "think_secret",
        () if moved => "think_plan_move",
        () if opinion.is_united() => "think_plan_join",
        () => "think_plan_hold",
    };
    speech.say(plan, &[]);
    let vote = match () {
        () if calls_vote && opinion.left < 2 && !opinion.is_united() => "think_vote_last",
        () if calls_vote => "think_vote_yes",
        () => "think_vote_no",
    };
    if calls_vote || !opinion.is_united() {
        speech.say(vote, &[]);
    }
    speech.done()
}

/// Writes a short reply to the worked examples.
pub(super) fn explanation(mut speech: Speech, facts: &JusticeContext) -> String {
    speech.say("explain_open", &[]);
    let table = || facts.distributions.iter().zip(1_u32..);
    let low = table().max_by_key(|([.., low], at)| (*low, std::cmp::Reverse(*at)));
    let top = table().max_by_key(|([high, ..], at)| (*high, std::cmp::Reverse(*at)));
    let mut add_amount = |key: &str, amount: u32, at: u32| {
        let (amount, at) = (speech.money(amount), at.to_string());
        speech.say(key, &[("amount", &amount), ("d", &at)]);
    };
    if let Some(([.., amount], at)) = low {
        add_amount("explain_low", *amount, at);
    }
    if let Some(([amount, ..], at)) = top {
        add_amount("explain_top", *amount, at);
    }
    if facts.distributions.is_empty() || speech.chance.happens(0.5) {
        speech.say("explain_same", &[]);
    }
    speech.say("explain_close", &[]);
    speech.done()
}

/// Maximum characters kept of a foreign memory.
const MAX_OLD_NOTES: usize = 300;
/// Maximum bytes of a memory.
const MAX_MEMORY_BYTES: usize = 1_450;
/// Maximum participants and ballots in a memory, and maximum characters of a name.
const MEMORY_LIMITS: (usize, usize, usize) = (8, 3, 24);

/// Writes the memory anew from the participant's own facts, which already include the news.
pub(super) fn memory(mut speech: Speech, opinion: &Opinion, facts: &JusticeContext) -> String {
    let head = speech.phrase("mem_head", &[]);
    speech.add(&head);
    let line = |speech: &mut Speech, key: &str, places: &Places| {
        let text = speech.phrase(key, places);
        if speech.len() + text.len() < MAX_MEMORY_BYTES {
            speech.push("\n").push(&text);
        }
    };
    // With an amount, a fact has another wording.
    let line_with = |speech: &mut Speech, key: &str, amount: Option<u32>, places: &Places| match amount {
        Some(amount) => {
            let amount = speech.plain_money(amount);
            let places = [places, &[("amount", amount.as_str())]].concat();
            line(speech, &format!("{key}_amount"), &places);
        }
        None => line(speech, key, places),
    };
    let tag = speech.phrase("mem_old", &[("text", "")]);
    let notes = extract_notes(&facts.memory, &head, tag.trim_end());
    if !notes.is_empty() {
        line(&mut speech, "mem_old", &[("text", &notes)]);
    }
    if let Some(ranking) = facts.rankings.last() {
        let order = ranking.order.map(number).join(" > ");
        line(&mut speech, "mem_rank", &[("order", &order)]);
    }
    for round in facts.applications.iter().rev().take(4).rev() {
        let r = round.round.to_string();
        let (Some(principle), Some(income)) = (round.principle, round.income) else {
            line(&mut speech, "mem_app_none", &[("r", &r)]);
            continue;
        };
        let (n, income) = (number(principle), speech.plain_money(income));
        let places = [("r", r.as_str()), ("n", &n), ("income", &income)];
        line_with(&mut speech, "mem_app", round.amount, &places);
    }
    if let Some([low, high]) = income_range(&speech, facts) {
        line(&mut speech, "mem_lesson", &[("low", &low), ("high", &high)]);
    }
    if let Some(last) = facts.heard.last() {
        line(&mut speech, "mem_talk", &[("r", &last.round.to_string())]);
        let own = opinion.stance;
        line_with(
            &mut speech,
            "mem_own",
            own.amount,
            &[("n", &number(own.principle))],
        );
        for (name, stance) in opinion.others.iter().take(MEMORY_LIMITS.0) {
            let name: String = name.chars().take(MEMORY_LIMITS.2).collect();
            let places = [("other", name.as_str()), ("on", &number(stance.principle))];
            line_with(&mut speech, "mem_stance", stance.amount, &places);
        }
    }
    for ballot in facts.ballots.iter().rev().take(MEMORY_LIMITS.1).rev() {
        line(&mut speech, "mem_ballot", &[("r", &ballot.round.to_string())]);
    }
    speech.done()
}

/// Returns the part to keep of notes that the participant did not write itself: the beginning, on one line.
/// For a memory of its own (which begins with `head`), returns the part kept last time (after `tag`).
fn extract_notes(memory: &str, head: &str, tag: &str) -> String {
    let memory = memory.trim();
    let foreign = if memory.starts_with(head) {
        memory.lines().nth(1).and_then(|line| line.strip_prefix(tag))
    } else {
        Some(memory)
    };
    let words: Vec<&str> = foreign.unwrap_or("").split_whitespace().collect();
    let text: String = words.join(" ").chars().take(MAX_OLD_NOTES).collect();
    text.trim_end().to_string()
}

fn number(principle: Principle) -> String {
    principle.number().to_string()
}

fn money(speech: &mut Speech, amount: Option<u32>) -> String {
    amount.map_or_else(String::new, |amount| speech.money(amount))
}
