//! Prompts of a discussion. Texts are in `words/*.json`; participants' text appears only as data, each line
//! after `>`.

use super::seating::Role;
use crate::language::words::Words;
use crate::procedures::discussion::context::{Contribution, DiscussionContext};
use crate::procedures::quote::{cleaned, inline, quoted};

/// Input of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptContext<'a> {
    pub name: &'a str,
    pub role: Role,
    /// Free text.
    pub personality: &'a str,
    /// Whether the participant is a person, who may pass.
    pub person: bool,
    /// Maximum number of lines; 0: no limit.
    pub max_lines: u32,
    /// Topic, rules, participants, contributions and the complaint about the last answer.
    pub facts: &'a DiscussionContext,
}

#[must_use]
pub fn role(words: &Words, role: Role) -> String {
    let key = match role {
        Role::Manager => "discussion.role.manager",
        Role::Leader => "discussion.role.leader",
        Role::Specialist => "discussion.role.specialist",
        Role::User => "discussion.role.user",
    };
    words.text(key, &[])
}

#[must_use]
pub fn system(words: &Words, context: &PromptContext<'_>) -> String {
    let (name, its_role) = (inline(context.name), role(words, context.role));
    let mut blocks = vec![words.text("discussion.system.you", &[("name", &name), ("role", &its_role)])];
    if !context.personality.trim().is_empty() {
        blocks.push(cleaned(context.personality));
    }
    let task = match context.role {
        Role::Manager => "discussion.task.manager",
        Role::Leader => "discussion.task.leader",
        Role::Specialist => "discussion.task.specialist",
        Role::User => "discussion.task.user",
    };
    blocks.push(words.text(task, &[]));
    if !context.facts.topic.is_empty() {
        blocks.push(words.text(
            "discussion.system.topic",
            &[("topic", &inline(&context.facts.topic))],
        ));
    }
    let members: Vec<String> = context
        .facts
        .participants
        .iter()
        .map(|member| {
            let known = Role::ALL.iter().find(|(name, _)| *name == member.role);
            let its_role = known.map_or(String::new(), |(_, known)| role(words, *known));
            let name = inline(&member.name);
            words.text(
                "discussion.system.member",
                &[("name", &name), ("role", &its_role)],
            )
        })
        .collect();
    let members = members.join(words.raw("discussion.system.separator"));
    blocks.push(words.text("discussion.system.table", &[("participants", &members)]));
    blocks.push(rules(words, context));
    blocks.push(words.text("discussion.system.form", &[]));
    blocks.join("\n\n")
}

fn rules(words: &Words, context: &PromptContext<'_>) -> String {
    let default = [words.text("discussion.rule.default", &[])];
    let own = context.facts.rules.as_slice();
    let rules = if own.is_empty() { &default[..] } else { own };
    let mut lines = vec![words.text("discussion.system.rules", &[])];
    let line = |rule: &String| words.text("discussion.system.rule", &[("rule", &inline(rule))]);
    lines.extend(rules.iter().map(line));
    if context.max_lines > 0 {
        let rule = words.text("discussion.rule.lines", &[("lines", &context.max_lines)]);
        lines.push(words.text("discussion.system.rule", &[("rule", &rule)]));
    }
    lines.join("\n")
}

#[must_use]
pub fn turn(words: &Words, context: &PromptContext<'_>) -> String {
    let mut blocks = Vec::new();
    if context.facts.heard.is_empty() {
        blocks.push(words.text("discussion.turn.start", &[]));
    } else {
        blocks.push(words.text("discussion.turn.history", &[]));
        blocks.extend(context.facts.heard.iter().map(|heard| contribution(words, heard)));
    }
    let (round, rounds) = (context.facts.round, context.facts.rounds);
    let values: [(&str, &dyn std::fmt::Display); 3] = [
        ("round", &round),
        ("rounds", &rounds),
        ("name", &inline(context.name)),
    ];
    blocks.push(words.text("discussion.turn.now", &values));
    if context.facts.complaint.is_some() {
        blocks.push(words.text("discussion.turn.again", &[]));
    }
    if context.person {
        blocks.push(words.text("discussion.turn.pass", &[]));
    }
    blocks.join("\n\n")
}

fn contribution(words: &Words, heard: &Contribution) -> String {
    let (name, text) = (inline(&heard.speaker), quoted(&heard.text));
    words.text("discussion.turn.said", &[("name", &name), ("text", &text)])
}

/// Returns whether a person's answer skips the turn: empty, or a word for passing.
#[must_use]
pub fn passes(words: &Words, answer: &str) -> bool {
    let answer = answer
        .trim()
        .trim_end_matches(['.', '。', '!', '！'])
        .to_lowercase();
    let own = words.raw("discussion.pass.words").split([',', '，']);
    answer.is_empty() || answer == "pass" || own.map(str::trim).any(|word| word.to_lowercase() == answer)
}

/// Returns the generic labels that may precede a contribution.
#[must_use]
pub fn labels(words: &Words) -> Vec<String> {
    let own = words.raw("discussion.label.words").split([',', '，']);
    let own = own.map(|word| word.trim().to_owned());
    ["Speaker", "Sprecher", "Agent"]
        .map(str::to_owned)
        .into_iter()
        .chain(own)
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns the text of a note by its code.
#[must_use]
pub fn note(words: &Words, code: &str, about: &str) -> String {
    let about = inline(about);
    match code {
        "unknown_agent" => words.text("discussion.note.unknown_agent", &[("about", &about)]),
        "empty_message" => words.text("discussion.note.empty_message", &[("about", &about)]),
        "table_refused" => words.text("discussion.note.table_refused", &[("about", &about)]),
        _ => about,
    }
}
