//! Prompts of a discussion: `prompts/*.txt` with these variables. Participants' text appears only as data, each
//! line after `>`.

use super::seating::Role;
use crate::language::prompts::prompts;
use crate::language::words::Words;
use crate::procedures::discussion::context::{Contribution, DiscussionContext};
use crate::procedures::quote::{cleaned, inline, quoted};

prompts! {
    pub(crate) static PROMPTS in "prompts";

    struct System {
        /// Name of the participant.
        name: String,
        /// Name of the participant's role.
        role: String,
        /// The participant's personality, if it has one.
        personality: String,
        /// Has a value if the participant is a manager.
        manager: bool,
        /// Has a value if the participant is a leader.
        leader: bool,
        /// Has a value if the participant is a specialist.
        specialist: bool,
        /// Has a value if the participant is the client.
        user: bool,
        /// Topic of the discussion, if there is one.
        topic: String,
        /// Has a value if all may write at any time.
        open: bool,
        /// All participants with their roles, in the order of speaking.
        participants: String,
        /// The configured rules, one on each line after `- `, if there are any.
        rules: String,
        /// Maximum number of lines of a contribution, if there is one.
        lines: Option<u32>,
    }
    /// System text: participant, role, topic and rules.
    fn system;

    struct Turn {
        /// The last contributions, quoted, if there are any.
        history: String,
        /// Has a value if all may write at any time.
        open: bool,
        /// Number of the round, from 1.
        round: u32,
        /// Number of rounds.
        rounds: u32,
        /// Name of the participant.
        name: String,
        /// Has a value if the last answer could not be used.
        again: bool,
        /// Has a value if the participant is a person, who may pass.
        person: bool,
    }
    /// Asks for a contribution.
    fn turn;
}

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
    let facts = context.facts;
    let members = facts.participants.iter().map(|member| {
        let known = Role::ALL.iter().find(|(name, _)| *name == member.role);
        let its_role = known.map_or(String::new(), |(_, known)| role(words, *known));
        let name = inline(&member.name);
        words.text(
            "discussion.system.member",
            &[("name", &name), ("role", &its_role)],
        )
    });
    let members: Vec<String> = members.collect();
    let rules: Vec<String> = facts
        .rules
        .iter()
        .map(|rule| format!("- {}", inline(rule)))
        .collect();
    let prompt = System {
        name: inline(context.name),
        role: role(words, context.role),
        personality: cleaned(context.personality),
        manager: context.role == Role::Manager,
        leader: context.role == Role::Leader,
        specialist: context.role == Role::Specialist,
        user: context.role == Role::User,
        topic: inline(&facts.topic),
        open: facts.open,
        participants: members.join(words.raw("discussion.system.separator")),
        rules: rules.join("\n"),
        lines: Some(context.max_lines).filter(|lines| *lines > 0),
    };
    prompt.system(words)
}

#[must_use]
pub fn turn(words: &Words, context: &PromptContext<'_>) -> String {
    let facts = context.facts;
    let history: Vec<String> = facts
        .heard
        .iter()
        .map(|heard| contribution(words, heard))
        .collect();
    let prompt = Turn {
        history: history.join("\n\n"),
        open: facts.open,
        round: facts.round,
        rounds: facts.rounds,
        name: inline(context.name),
        again: facts.complaint.is_some(),
        person: context.person && !facts.open,
    };
    prompt.turn(words)
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
