//! A critique of a proposal: what is wrong, what would help, how bad it is. A JSON object first, then
//! headings with lists. Prose without either has its text kept and nothing made of it, unless
//! [`Prose::Halves`] is asked for.
//!
//! Source: A5 of the debate's design.

use super::clean::{clean, struck};
use super::json::objects;
use super::labelled::{BOUNDS, Line, field, holds, key, marked, plain_text, points, untagged};
use super::normalize::without_thought;
use super::table::Table;
use super::token::{Kind, Token, begins_so, class, heads, is_one, tokens};
use super::vote::{REASONING, after_any, attributes};
use super::{How, Reading, Reason};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a critic said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Critique {
    /// What is wrong; 5 at most, the first ones.
    pub issues: Vec<String>,
    /// What would help; 5 at most, the first ones.
    pub suggestions: Vec<String>,
    /// 0 to 2 cosmetic, 3 to 5 moderate, 6 to 8 significant, 9 to 10 critical; if it was said.
    pub severity: Option<f64>,
    /// The reasons under their label, else the answer; 500 characters at most. All of it if the answer names
    /// neither issues nor suggestions.
    pub reasoning: String,
}

impl Critique {
    /// Whether it names neither issues nor suggestions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.issues.is_empty() && self.suggestions.is_empty()
    }
}

/// What is made of an answer without headings and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prose {
    /// Its text is the reasoning; no issue and no suggestion is made of it.
    #[default]
    Kept,
    /// The first half of its sentences are issues, the others suggestions, as the published program
    /// has it. A guess.
    Halves,
}

const MOST: usize = 5;
const MOST_REASONING: usize = 500;

const ISSUES: &str = "\
    issue|issues|problem|problems|concern|concerns|weakness|weaknesses|flaw|flaws|shortcomings|drawbacks|weak points|criticism|criticisms|key issues|\
    main issues|problema|problemas|cuestiones|objeciones|objecion|preocupaciones|debilidades|\
    defectos|fallos|fallas|errores|puntos débiles|puntos debiles|críticas|criticas|carencias|lo que falla|问题|毛病|漏洞|短板|薄弱环节|主要问题|缺点|不足|疑虑|担忧|缺陷";
const SUGGESTIONS: &str = "\
    suggestion|suggestions|suggest|i suggest|recommendation|recommendations|recommend|i recommend|\
    improvement|improvements|how to improve|ways to improve|what to improve|fixes|advice|proposals|sugerencia|sugerencias|sugiero|recomendacion|recomendaciones|recomiendo|\
    mejoras|propuestas de mejora|cómo mejorar|como mejorar|consejos|建议|修改意见|改法|怎么改|如何改进|对策|改进|改进建议|推荐|改善";
/// What is good about it is neither.
const MERITS: &str = "\
    strength|strengths|merit|pros|merits|positives|advantages|strong points|good points|what works|what works well|what i like|fortalezas|\
    puntos fuertes|ventaja|ventajas|acierto|aciertos|virtudes|méritos|meritos|lo positivo|lo bueno|lo que funciona|优点|优势|长处|亮点|强项|可取之处|做得好的地方";
const SEVERITY: &str = "\
    severity|severity score|severity rating|overall severity|severidad|gravedad|nivel de gravedad|\
    严重程度|严重性|严重度|严重等级|严重性评分";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Issues,
    Suggestions,
    Merits,
    Severity,
    Reasoning,
}

/// Headings; of two that a label may be, the first.
static HEADINGS: [(Part, Table); 5] = [
    (Part::Severity, Table::words(SEVERITY)),
    (Part::Suggestions, Table::words(SUGGESTIONS)),
    (Part::Issues, Table::words(ISSUES)),
    (Part::Merits, Table::words(MERITS)),
    (Part::Reasoning, Table::words(REASONING)),
];

/// The part that a heading begins or ends with: the label itself, or with up to three more words ("issues found so far").
fn part(label: &str) -> Option<Part> {
    part_of(label, true)
}

/// The same, where `ends` allows a word before it: "main issues", 存在的问题.
fn part_of(label: &str, ends: bool) -> Option<Part> {
    let blanks = label.bytes().filter(|byte| *byte == b' ').count();
    if blanks > 3 || label.len() > 40 && label.chars().count() > 40 {
        return None;
    }
    let ends = ends && blanks < 3 && (blanks > 0 || !label.is_ascii());
    let after = |rest: &str| rest.is_empty() || rest.starts_with(' ') || !rest.is_ascii();
    let before = |lead: &str| lead.ends_with(' ') || !lead.is_ascii();
    let is_said = |(part, table): &&(Part, Table)| match part {
        Part::Merits | Part::Reasoning => table.has(label),
        _ => {
            let mut starts = table.like_first(label);
            let mut stops = table.like_last(label).filter(|_| ends);
            starts.any(|word| label.strip_prefix(word).is_some_and(after))
                || stops.any(|word| label.strip_suffix(word).is_some_and(before))
        }
    };
    HEADINGS.iter().find(is_said).map(|(part, _)| *part)
}

/// Reads a critique. Labels of all three languages are understood in each.
///
/// Unread is an empty answer only: prose is a critique without issues.
#[must_use]
pub fn critique(text: &str, language: Language) -> Reading<Critique> {
    critique_with(text, language, Prose::Kept)
}

/// The same, with a say in what becomes of prose.
#[must_use]
pub fn critique_with(text: &str, _language: Language, prose: Prose) -> Reading<Critique> {
    let spoken = without_thought(text);
    let spoken = untagged(&spoken);
    let spoken = if spoken.contains("~~") {
        struck(&spoken).into()
    } else {
        spoken
    };
    let spoken = spoken.trim();
    if spoken.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if let Some(mut found) = objects(spoken).iter().find_map(|object| of_object(object, "")) {
        let points = [found.issues.as_slice(), &found.suggestions].concat().join("\n");
        if is_unclear(&found) {
            (found.issues, found.suggestions) = (Vec::new(), Vec::new());
        }
        if found.reasoning.is_empty() {
            found.reasoning = if found.is_empty() { points } else { cut(spoken) };
        }
        return Reading::read(found, How::Json);
    }
    // A list counts its items itself.
    let lists = ["\n- ", "\n* ", "\n1."].iter().any(|mark| spoken.contains(mark));
    if !lists && let Some(mut counted) = of_prose(spoken) {
        if counted.is_empty() {
            spoken.clone_into(&mut counted.reasoning);
        }
        return Reading::read(counted, How::Word);
    }
    let (mut found, is_structured) = of_lines(spoken);
    if !is_structured && prose == Prose::Kept {
        spoken.clone_into(&mut found.reasoning);
    }
    if !is_structured && prose == Prose::Halves {
        let sentences: Vec<&str> = spoken
            .split(['.', '。'])
            .map(str::trim)
            .filter(|sentence| !sentence.is_empty())
            .collect();
        let (first, second) = sentences.split_at(sentences.len() / 2);
        first.iter().for_each(|sentence| add(&mut found.issues, sentence));
        second
            .iter()
            .for_each(|sentence| add(&mut found.suggestions, sentence));
    }
    let how = if is_structured { How::List } else { How::Word };
    Reading::read(found, how)
}

pub(super) fn of_object(object: &Value, whole: &str) -> Option<Critique> {
    let (issues, suggestions) = (field(object, ISSUES), field(object, SUGGESTIONS));
    let severity = field(object, SEVERITY).and_then(plain_text);
    if issues.is_none() && suggestions.is_none() && severity.is_none() {
        return None;
    }
    Some(Critique {
        issues: issues.map(items).unwrap_or_default(),
        suggestions: suggestions.map(items).unwrap_or_default(),
        severity: severity.and_then(|said| points(&said)),
        reasoning: cut(&field(object, REASONING)
            .and_then(plain_text)
            .unwrap_or_else(|| whole.to_owned())),
    })
}

/// The texts of a list, of a single text, or of objects with one text.
fn items(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    for item in list {
        let text = plain_text(item).or_else(|| item.as_object()?.values().find_map(plain_text));
        text.into_iter().for_each(|text| add(&mut found, &text));
    }
    found
}

fn word_denies(word: &str) -> bool {
    static DENIES: Table = Table::heads("none denies");
    match word.is_ascii() {
        true => DENIES.has(word),
        false => DENIES.is_within(word),
    }
}

/// Whether a word of an item denies.
fn denies(item: &str) -> bool {
    key(item).split(' ').any(word_denies)
}

/// Whether an only item may say in other words that there is none: it denies, and is somebody's or names what is listed.
fn is_unclear(found: &Critique) -> bool {
    let is_nothing = found.severity == Some(0.0);
    let may_be_none = |list: &[String], names: &str, in_any_way: bool| {
        let [item] = list else {
            return false;
        };
        let item = &own_words(item);
        let key = key(item);
        let turns = |token: &Token| token.is(class::BUT) && token.value <= 0;
        let is_but = tokens(item, Language::English).iter().any(turns)
            || heads("none but").any(|but| key.contains(but));
        let none = |word| is_one(word, "none first");
        let named =
            || holds(item, class::FIRST) || after_any(item, names).is_some() || key.split(' ').any(none);
        (holds(item, class::NEG | class::WITHOUT | class::NAY) || denies(item))
            && !is_but
            && (in_any_way || named())
    };
    is_nothing && !found.issues.is_empty()
        || found.severity.is_none_or(|points| points <= 2.0) && may_be_none(&found.issues, ISSUES, false)
        || may_be_none(&found.suggestions, SUGGESTIONS, is_nothing)
}

/// Whether an item says that there is none: "None that I can see", "I find no issues with it", 没有发现问题.
fn is_none(key: &str) -> bool {
    static WHOLE: Table = Table::heads("none whole");
    static FIRST: Table = Table::heads("none first");
    static OF: Table = Table::heads("none of");
    static WORDS: Table = Table::heads("none words");
    static SEEN: Table = Table::heads("none seen");
    static SEEN_DENIED: Table = Table::heads("none seen denied");
    static DENIED: Table = Table::heads("none denied");
    static AFTER: Table = Table::heads("none after");
    if WHOLE.has(key) {
        return true;
    }
    // "I can't find any", 没什么大问题: a denial, and nothing but words of finding fault.
    let is_fault = |word: &str| {
        let known = || {
            let others = heads("none words").filter(|one| !one.is_ascii());
            others.fold(word.to_owned(), |left, one| left.replace(one, ""))
        };
        WORDS.has(word)
            || if word.is_ascii() {
                word_denies(word)
            } else {
                known().is_empty()
            }
    };
    let mut words = key.split(' ');
    let few = words.clone().count() <= 9;
    if few && words.clone().any(word_denies) && words.clone().all(is_fault) {
        return true;
    }
    let (first, next) = (words.next().unwrap_or_default(), words.next());
    // "None for now, until I see the next draft."
    if !first.is_ascii() && WHOLE.has(first) && !holds(key, class::BUT) {
        return true;
    }
    let begins_so = FIRST.has(first) && !next.is_some_and(|next| OF.has(next)) && words.count() <= 4;
    if begins_so && !holds(key, class::BUT | class::RATHER | class::IF) {
        return true;
    }
    let sees = SEEN.after(key);
    let rest = sees.unwrap_or(key).trim_start();
    let denies = |key: &str| SEEN_DENIED.after(key).is_some();
    if sees.is_some() && rest.is_empty() && denies(key) {
        return true;
    }
    let Some(rest) = DENIED.after(rest).or(sees.filter(|_| denies(key))) else {
        return false;
    };
    let rest = rest.trim_start();
    let later = rest.split_once(' ').map(|(_, later)| later);
    let is_end = |after: &str| {
        let next = after.strip_prefix(' ').and_then(|after| after.split(' ').next());
        after.is_empty() || next.is_some_and(|next| AFTER.has(next))
    };
    let named = HEADINGS
        .iter()
        .filter(|(part, _)| matches!(part, Part::Issues | Part::Suggestions));
    [Some(rest), later].into_iter().flatten().any(|rest| {
        named.clone().any(|(_, table)| {
            table
                .like_first(rest)
                .any(|word| rest.strip_prefix(word).is_some_and(is_end))
        })
    })
}

/// Adds what a heading or an item says: one text, or several that are numbered within the line.
fn add(list: &mut Vec<String>, said: &str) {
    static BUT: Table = Table::heads("none but");
    for item in numbered_parts(said) {
        let item = item.trim().trim_end_matches(';').trim_end();
        let whole = key(item);
        // "None, leave it as it is.", but not "None, except that …".
        let (head, rest) = item
            .split_once([',', '，', '.', '。', ';', '；', ':', '：', '—', '–', '('])
            .filter(|(head, rest)| {
                // "None, though Ana says that she found three."
                let turns = holds(rest, class::BUT | class::RATHER) && !holds(rest, class::SAYS);
                head.len() > 2 && !turns && !BUT.is_within(&self::key(rest))
            })
            .unwrap_or((item, ""));
        let key = key(if rest.is_empty() { item } else { head });
        if list.len() < MOST && !key.is_empty() && !is_none(&key) && !is_withdrawn(item, &whole) {
            list.push(item.to_owned());
        }
    }
}

/// An item without what it quotes of the proposal.
fn own_words(item: &str) -> String {
    let mut quoted = false;
    let own = |sign: &char| {
        match sign {
            '“' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '"' => quoted = !quoted,
            _ => return !quoted,
        }
        false
    };
    item.chars().filter(own).collect()
}

/// Whether an item says what it counts as, or that it counts as nothing: "The floor is named (a merit, no issue)", "Strength:
/// short", "Vague. Suggestion: name a date", "So none from me", "This was listed by mistake".
fn speaks_of_list(item: &str) -> bool {
    static OF_LIST: Table = Table::heads("of list");
    let item = &own_words(item);
    let label = Line::of(item).label().map(|(label, _)| label);
    let is_merit = |label: &String| is_one(label, "merit") || part(label) == Some(Part::Suggestions);
    let none = |part: &str| is_none(&key(part));
    OF_LIST.is_within(&key(item))
        || label.is_some_and(|label| is_merit(&label))
        || item.split(['.', '。', ';', '；']).skip(1).any(|part| {
            none(part)
                || Line::of(part)
                    .label()
                    .is_some_and(|(label, _)| self::part(&label) == Some(Part::Suggestions))
        })
}

/// "The map is old (ignore this one)."
fn is_withdrawn(item: &str, whole: &str) -> bool {
    static WITHDRAWN: Table = Table::heads("withdrawn");
    let last = || sentences(item).pop().map(key).unwrap_or_default();
    WITHDRAWN.is_within(whole) && WITHDRAWN.is_within(&last())
}

/// "1) too low. 2) too vague." as its two parts; any other text as it is.
fn numbered_parts(text: &str) -> Vec<&str> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let free =
        |lead: &str| lead.is_empty() || lead.ends_with([' ', '(', '（', ';', '；', '。', '，', '.', '：']);
    for (at, sign) in text.char_indices() {
        let circled = ('①'..='⑩').contains(&sign);
        let (lead, rest) = text.split_at(at);
        if !(circled || free(lead)) || starts.last().is_some_and(|last| at < last.1) {
            continue;
        }
        // "It names (a) no cost and (b) no date" is one, "wrong on points 1) and 2)" as well.
        let ends = ['.', ':', ';', ',', '。', '：', '；', '，'];
        let begins = !starts.is_empty() || lead.is_empty() || lead.trim_end().ends_with(ends);
        if let Some((place, after)) = marked(rest)
            && place == starts.len() + 1
            && begins
        {
            starts.push((at, text.len() - after.len()));
        }
    }
    if starts.len() < 2 && starts.first().is_none_or(|first| first.0 > 0) {
        return vec![text];
    }
    let ends = starts.iter().skip(1).map(|next| next.0).chain([text.len()]);
    let parts = starts.iter().zip(ends);
    parts
        .filter_map(|(start, end)| {
            text.get(start.1..end)
                .map(|part| part.trim_end().trim_end_matches(['(', '（']))
        })
        .collect()
}

/// The points that are told; of several, the last where words turn to it: "not 6 but 3", "Ana put 9; I stay at 6".
fn severity(said: &str) -> Option<f64> {
    const TURN: u64 = class::CORRECT | class::BUT | class::NOW | class::SO;
    let lower = clean(said).replace('*', "");
    let all = tokens(&lower, Language::English);
    let is = |at: usize, classes| all.get(at).is_some_and(|token: &Token| token.is(classes));
    let has_digits = lower.contains(|c: char| c.is_ascii_digit());
    let kind = if has_digits { Kind::Digits } else { Kind::Spelt };
    let whole = |at: usize| at > 0 && (is(at - 1, class::PART) || all[at - 1].sign() == Some('/'));
    // "Once day 9 has come."
    let counts = |at: usize| at > 0 && is(at - 1, class::CTX) || is(at + 1, class::CTX);
    let own = |at: &usize| all[*at].kind == kind && all[*at].number <= 10.0 && !whole(*at) && !counts(*at);
    let own: Vec<usize> = (0..all.len()).filter(own).collect();
    let (Some(&first), Some(&last)) = (own.first(), own.last()) else {
        return points(&lower).filter(|_| !(0..all.len()).any(|at| all[at].is_number() && counts(at)));
    };
    let after = last + 1 + usize::from(is(last + 1, class::COUNTED));
    let ends = |next: &Token| next.sign().is_some_and(|sign| sign != '?') || next.is(class::FILLER);
    let of = all.get(last + 2).filter(|_| is(last + 1, class::PART));
    let ends = of.is_some() || all.get(after).is_none_or(ends);
    // "Nine out of ten", "I'd say a seven", but not "a big one".
    if !has_digits {
        let lead = class::FILLER | class::FIRST | class::CHOOSE;
        let is_known = (0..last).all(|at| is(at, lead) || all[at].sign().is_some());
        let whole = of.map_or(10.0, |whole| whole.number);
        return (is_known && ends && whole > 0.0).then(|| all[last].number / whole * 10.0);
    }
    // "7, up from 5", "6, I was at 8 before"
    let was = |token: &Token| is_one(&lower[token.span.0..token.span.1], "was");
    let is_old = |at: usize| is(at, class::FROM | class::PAST) || was(&all[at]);
    let sign = |at: usize| (first..at).rfind(|at| all[*at].sign().is_some());
    let earlier = |at: &usize| sign(*at).is_some_and(|from| (from..*at).any(is_old));
    let plain = (0..last).all(|at| !is(at, class::CORRECT) && (at >= first || is(at, class::FILLER)));
    if own.len() > 1 && plain && own[1..].iter().all(earlier) {
        return points(lower.get(..all[sign(own[1])?].span.0)?);
    }
    let other = |at: &&usize| all[**at].number != all[last].number;
    let Some(&before) = own.iter().rfind(other) else {
        // "Ana gave it 6; I, two points more"
        let adds =
            |at: usize| first > 0 && all[at].kind == Kind::Spelt && !whole(at) || is(at, class::CORRECT);
        // "I gave it an 8 last round; this time, none."
        let past = |token: &Token| token.is(class::PAST);
        let ended = all.iter().any(past) && !is(first, class::NOW);
        return points(&lower).filter(|_| !ended && !(first + 1..all.len()).any(adds) && !attributes(&all));
    };
    // 看情况，改了就是2，不改就是9
    if (0..last).any(|at| is(at, class::REFUSE)) {
        return None;
    }
    // "6 (it was 8)"
    if (first + 1..last.min(first + 4)).any(|at| all[at].sign() == Some('(')) {
        return points(&lower);
    }
    let said = |at: usize| lower.get(all[at].span.0..).unwrap_or_default();
    let is_aside = (0..before).any(|at| is(at, class::NEG | class::PAST | class::IF));
    let again = !is_aside && (0..before).any(|at| is(at, class::FIRST));
    // "I give it 6", but not "my friends say 9", 我爱人9分, "Chen told me 9".
    let is_first = |at: usize| {
        let own = said(at).starts_with("i") || !all[at + 1].is_unknown() && !said(at).starts_with("m");
        let leads = all[at - 1].sign().is_some() || is(at - 1, class::FILLER | class::BUT | class::FIRST);
        is(at, class::FIRST) && (own || is(at - 1, class::FIRST)) && leads && !again
            || begins_so(said(at), "turns to") && (is_aside || !is(at, class::OR))
    };
    let turns = |at: &usize| is(*at, TURN) && all[*at].value <= 0 || is_first(*at);
    let turn = (before + 1..last).rfind(turns);
    let clause = || (before + 1..last).rfind(|at| is_aside && all[*at].sign().is_some());
    let from = turn.or_else(clause)?;
    let is_own = is_aside && turn.is_some() || is_first(from);
    let bounds = BOUNDS & !class::TO | class::AND | class::JOIN | class::SAYS;
    let known = |at: usize| !is(at, bounds) && (is_own || !all[at].is_unknown()) || is(at, class::FILLER);
    (ends && (from + 1..last).all(known))
        .then(|| points(said(last)))
        .flatten()
}

/// Whether the first of several sentences or clauses says how many there are: "Two things bug me. …".
fn counts(text: &str) -> bool {
    let lower = text.to_lowercase();
    let all = tokens(&lower, Language::English);
    let ends = |token: &Token| matches!(token.sign(), Some('.' | ',' | ':' | ';' | '。' | '：' | '，'));
    let end = all.iter().position(ends).unwrap_or(0);
    let many = |token: &Token| token.kind == Kind::Spelt && (2.0..=9.0).contains(&token.number);
    let is_head = end <= 2 || !matches!(all[end].sign(), Some(',' | '，'));
    is_head && end + 1 < all.len() && all[..end.min(3)].iter().any(many)
}

/// Whether a text goes through its points in words: "Firstly, no date. Secondly, no price."
fn ranks(text: &str) -> bool {
    let lower = text.to_lowercase();
    let all = tokens(&lower, Language::English);
    let has = |place: i8| {
        all.iter()
            .any(|token| token.is(class::RANK) && token.value == place)
    };
    has(1) && has(2)
}

/// Whether a label tells how many are to follow, and something follows: "Two problems: …", but not "Problem 2: …".
fn tells_several(labelled: &Option<(String, &str)>) -> bool {
    labelled.as_ref().is_some_and(|(label, value)| {
        let all = tokens(label, Language::English);
        !value.is_empty()
            && all.iter().any(|token| token.is_number() && token.number > 1.0)
            && all.last().is_some_and(|last| !last.is_number())
    })
}

/// What prose says that counts what it names: "I see two problems: first, …; second, …". Any other prose is not
/// understood.
fn of_prose(text: &str) -> Option<Critique> {
    let mut counted: [(usize, String); 2] = Default::default();
    let mut current = None;
    let (mut points, mut is_denied) = (None, false);
    for sentence in sentences(text) {
        if let Some((_, after)) = after_any(sentence, SEVERITY) {
            points = points.or_else(|| severity(after));
            current = None;
        }
        if sentence
            .split([',', '，', ';', '；'])
            .any(|said| is_none(&key(said)))
        {
            // "One problem, no suggestions."
            if tokens(&sentence.to_lowercase(), Language::English)
                .iter()
                .any(|token| token.kind == Kind::Spelt)
            {
                return None;
            }
            is_denied = true;
            continue;
        }
        let label = [ISSUES, SUGGESTIONS]
            .into_iter()
            .enumerate()
            .filter_map(|(place, table)| Some((place, after_any(sentence, table)?.1)))
            .max_by_key(|(_, after)| after.len());
        match label {
            Some((place, after)) if counted[place].0 == 0 => {
                let colon = sentence.find([':', '：']);
                let head = sentence.get(..colon.unwrap_or(sentence.len()))?.to_lowercase();
                let number = tokens(&head, Language::English)
                    .into_iter()
                    .find(|token| token.is_number() && (1.0..=5.0).contains(&token.number))?;
                let value = colon.and_then(|colon| sentence.get(colon..)).unwrap_or(after);
                counted[place] = (
                    number.number as usize,
                    value.trim_start_matches([':', '：', ' ']).to_owned(),
                );
                current = Some(place);
            }
            _ => {
                if let Some(place) = current {
                    counted[place].1 += sentence;
                }
            }
        }
    }
    let [issues, suggestions] = counted.map(|(told, value)| {
        let listed = |parts: Vec<&str>| {
            let mut list = Vec::new();
            parts.into_iter().for_each(|part| add(&mut list, part));
            (list.len() == told).then_some(list)
        };
        let parts = numbered_parts(&value);
        // "Problem one is … problem two is …": no count of what follows.
        let goes_on = || {
            let lower = value.to_lowercase();
            [ISSUES, SUGGESTIONS]
                .iter()
                .any(|table| after_any(&lower, table).is_some())
                || holds(&lower, class::CORRECT)
        };
        if told == 1 && goes_on() {
            return None;
        }
        if told <= 1 || parts.len() > 1 {
            return listed(if told == 1 { vec![value.as_str()] } else { parts });
        }
        // What parts them is what makes as many as are told; "first," is none.
        let signs = [
            &[";", "；"][..],
            &["、"],
            &["，", ", "],
            &["，", ", ", " and ", " y "],
        ];
        signs
            .into_iter()
            .filter(|signs| signs.iter().any(|sign| value.contains(sign)))
            .find_map(|signs| {
                let parted = signs
                    .iter()
                    .fold(value.clone(), |text, sign| text.replace(sign, "\n"));
                let says = |part: &&str| {
                    let lower = part.to_lowercase();
                    tokens(&lower, Language::English)
                        .iter()
                        .any(|token| token.sign().is_none() && !token.is(class::ORD | class::AND))
                };
                listed(parted.split('\n').filter(says).collect())
            })
    });
    let (issues, suggestions) = (issues?, suggestions?);
    (is_denied || !issues.is_empty()).then(|| Critique {
        issues,
        suggestions,
        severity: points,
        reasoning: cut(text),
    })
}

/// Sentences, each with the sign that ends it.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        let ends = matches!(sign, '。' | '！' | '？' | '\n')
            || matches!(sign, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends {
            found.extend(text.get(from..end));
            from = end;
        }
    }
    found.extend(text.get(from..));
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}

fn cut(text: &str) -> String {
    text.chars().take(MOST_REASONING).collect()
}

/// What the headings and lists say, and whether there are any.
fn of_lines(text: &str) -> (Critique, bool) {
    let mut found = Critique {
        issues: Vec::new(),
        suggestions: Vec::new(),
        severity: None,
        reasoning: String::new(),
    };
    // Whether the last heading is an item itself: "- ISSUES: …", "- REASONING: …".
    let (mut section, mut in_items) = (Part::Issues, false);
    let mut is_structured = false;
    let mut reasons = String::new();
    static SEVERE: Table = Table::heads("severe");
    let (mut awaits_severity, mut is_severe) = (false, false);
    let mut indent = usize::MAX;
    // Which lists have a heading, and whether one has a heading that is not known.
    let (mut headed, mut strange, mut heads_list, mut is_counted) = ([false; 2], false, false, false);
    for line in text.lines().flat_map(apart) {
        let bare = Line::of(line);
        if std::mem::take(&mut awaits_severity) {
            // The label stood on a line of its own.
            awaits_severity = bare.text.is_empty();
            if found.severity.is_none() && bare.label().is_none() {
                found.severity = severity(bare.text);
            }
            if found.severity.is_some() || awaits_severity {
                continue;
            }
        }
        let labelled = bare.label();
        let heading = match &labelled {
            // An issue may begin with such a word: "- Advantages: unclear".
            Some((label, value)) => part_of(label, !bare.is_item)
                .filter(|part| *part != Part::Merits || !bare.is_item || value.is_empty())
                .filter(|part| *part != Part::Reasoning || !bare.is_item || in_items)
                .map(|part| (part, *value)),
            // An item that only begins with such a word is an item, unless it is nothing else: 一、存在的问题.
            None if bare.is_item => {
                let key = key(bare.text);
                let sign = line.trim_start().chars().next();
                let counted = sign.is_some_and(|sign| {
                    !sign.is_ascii() && heads("list signs").any(|signs| signs.contains(sign))
                });
                let is_heading = counted && !key.contains(' ') && key.chars().count() <= 6
                    || (in_items || headed == [false; 2])
                        && HEADINGS.iter().any(|(_, table)| table.has(&key));
                part(&key).filter(|_| is_heading).map(|part| (part, ""))
            }
            None => {
                part(&key(bare.text)).map(|part| (part, if part == Part::Severity { bare.text } else { "" }))
            }
        };
        strange |= std::mem::take(&mut heads_list) && bare.is_item;
        heads_list = heading.is_none()
            && !bare.is_item
            && !matches!(section, Part::Reasoning | Part::Merits)
            && (line.trim_end().ends_with(['*', ':', '：']) || line.starts_with('#'));
        in_items = heading.map_or(in_items, |_| bare.is_item);
        match heading {
            Some((Part::Severity, value)) => {
                found.severity = found.severity.or_else(|| severity(value));
                is_severe |= SEVERE.is_within(&key(value)) && !holds(value, class::NEG | class::WITHOUT);
                let nothing = value.is_empty() || part(&key(value)) == Some(Part::Severity);
                awaits_severity = found.severity.is_none() && nothing;
            }
            Some((part, value)) => {
                // "Issues: no example; no amount" in one line.
                let parts = numbered_parts(value).len();
                let several = !bare.is_item && parts == 1 && part != Part::Reasoning;
                // "Two. First, it is vague. Second, it is costly."
                is_counted |= several && (counts(value) || tells_several(&labelled) || ranks(value));
                let mut values = value.split(if several { &[';', '；'][..] } else { &['\n'] });
                // "None; the two that Ana saw are gone."
                if values.clone().next().is_some_and(|first| is_none(&key(first))) {
                    values = "".split(&['\n'][..]);
                }
                // What is listed above belongs to a heading that is not known.
                if part == Part::Issues && headed == [false; 2] {
                    found.issues.clear();
                }
                indent = usize::MAX;
                is_structured |= !matches!(part, Part::Reasoning | Part::Merits);
                headed[0] |= part == Part::Issues;
                headed[1] |= part == Part::Suggestions;
                // In a list, the label is the item's own; it begins no section where it says something.
                if !bare.is_item || value.is_empty() || part == Part::Reasoning {
                    section = part;
                }
                match part {
                    Part::Suggestions => values.for_each(|value| add(&mut found.suggestions, value)),
                    Part::Reasoning => reasons.push_str(value),
                    Part::Merits => {}
                    Part::Issues | Part::Severity => values.for_each(|value| add(&mut found.issues, value)),
                }
            }
            None if section == Part::Reasoning => {
                reasons.push('\n');
                reasons.push_str(line.trim());
            }
            None if section == Part::Merits => {}
            // What stands below an item, further in, is part of it.
            None if bare.is_item && indent_of(line) > indent.saturating_add(1) => {
                let list = match section {
                    Part::Suggestions => &mut found.suggestions,
                    _ => &mut found.issues,
                };
                if let Some(item) = list.last_mut() {
                    item.push('\n');
                    item.push_str(bare.text);
                }
            }
            None if bare.is_item => {
                is_structured = true;
                indent = indent_of(line);
                match section {
                    Part::Suggestions => add(&mut found.suggestions, bare.text),
                    _ => add(&mut found.issues, bare.text),
                }
            }
            None => {}
        }
    }
    static WITHDRAWN_ELSE: Table = Table::heads("withdrawn else");
    let turns = |item: &String| WITHDRAWN_ELSE.is_within(&key(item));
    let told = || found.issues.iter().chain(&found.suggestions);
    let turned = told().any(turns) || told().any(|item| speaks_of_list(item));
    // "Issues: there is nothing that I would not sign. Severity: 0"
    if found.severity == Some(0.0) {
        for list in [&mut found.issues, &mut found.suggestions] {
            if list.len() == 1 {
                list.retain(|item| !denies(item));
            }
        }
    }
    // "What fails: - …", "The cure: - …": which of them is which?
    if strange && headed != [true; 2] || turned || is_counted || !is_severe && is_unclear(&found) {
        (found.issues, found.suggestions, is_structured) = (Vec::new(), Vec::new(), false);
    }
    if !is_structured {
        found.severity = None;
    }
    let reasons = reasons.trim();
    found.reasoning = cut(if reasons.is_empty() { text } else { reasons });
    (found, is_structured)
}

/// A line that begins with a label, cut before each label of another part that stands in it as well.
fn apart(line: &str) -> Vec<&str> {
    const MARKUP: [char; 2] = ['*', '_'];
    let mut parts = Vec::new();
    let mut last = Line::of(line).label().and_then(|(label, _)| part(&label));
    let mut from = 0;
    let is_labelled = last.is_some();
    for (colon, _) in line.match_indices([':', '：']).filter(|_| is_labelled) {
        let said = line.get(from..colon).unwrap_or_default();
        let said = said.trim_end_matches(MARKUP);
        let before = said.trim_end_matches(char::is_alphabetic);
        let label = said.get(before.len()..).unwrap_or_default();
        if label.starts_with(char::is_lowercase) {
            continue;
        }
        let label = key(label);
        let found = part(&label);
        let is_whole = |(part, table): &(Part, Table)| *part != Part::Merits && table.has(&label);
        if found != last && HEADINGS.iter().any(is_whole) {
            let end = from + before.trim_end_matches(MARKUP).len();
            parts.push(line.get(from..end).unwrap_or_default());
            (from, last) = (end, found);
        }
    }
    parts.push(line.get(from..).unwrap_or_default());
    parts
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Critique {
        critique(text, Language::English).value().cloned().unwrap()
    }

    #[test]
    fn what_is_good_about_it_is_no_issue() {
        for text in [
            "## Strengths\n- Short.\n- Names a price.\n\n## Issues\n- No date.\n\n## Suggestions\n- Add a date.",
            "**Issues:**\n- No date.\n\n**Pros:**\n- Short.\n\n**Suggestions:**\n- Add a date.",
            "Puntos fuertes: es breve\nProblemas:\n- Sin fecha.\nSugerencias:\n- Poner una.",
            "1. **Strengths:**\n   - Short.\n2. **Weaknesses:**\n   - No date.\n3. **Suggestions:**\n   - Add one.",
            "### 优点\n- 简短\n- 有价格\n\n### 问题\n- 没有日期\n\n### 建议\n- 加上日期",
        ] {
            let found = read(text);
            assert_eq!(
                (found.issues.len(), found.suggestions.len()),
                (1, 1),
                "{text}: {found:?}"
            );
        }
        let found = read(
            "Issues:\n- Advantages: unclear.\n- Strengths of the plan are not shown.\nSuggestions:\n- Show them.",
        );
        assert_eq!((found.issues.len(), found.suggestions.len()), (2, 1), "{found:?}");
        assert!(read("Strengths:\n- Short.\n- Cheap.").is_empty());
    }

    #[test]
    fn nothing_comes_to_mind() {
        for text in [
            "Issues:\n- No date.\nSuggestions: nothing comes to mind.",
            "Problemas:\n- Sin fecha.\nSugerencias: no se me ocurre ninguna.",
            "问题：\n- 没有日期\n建议：暂时想不到",
        ] {
            let found = read(text);
            assert_eq!(
                (found.issues.len(), found.suggestions.len()),
                (1, 0),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn headings_and_lists() {
        let found = read(
            "## Issues found\n1. slow start\n2. **an issue of cost**\n\n**Suggestions:** measure first\n- cache it\nSeverity: 7/10\nReasoning: it fails\nunder load",
        );
        assert_eq!(found.issues, ["slow start", "an issue of cost"]);
        assert_eq!(found.suggestions, ["measure first", "cache it"]);
        assert_eq!(found.severity, Some(7.0));
        assert_eq!(found.reasoning, "it fails\nunder load");
    }

    #[test]
    fn three_languages() {
        let found = read("Problemas:\n- caro\nSugerencias:\n- medir\nGravedad: 4,5");
        assert_eq!(
            (found.issues, found.suggestions),
            (vec!["caro".into()], vec!["medir".into()])
        );
        assert_eq!(found.severity, Some(4.5));
        let found = read("问题：\n- 太贵\n建议：\n- 先测量\n严重程度：8");
        assert_eq!(
            (found.issues, found.suggestions),
            (vec!["太贵".into()], vec!["先测量".into()])
        );
        assert_eq!(found.severity, Some(8.0));
    }

    #[test]
    fn a_paragraph_with_all_labels() {
        let counts = |text| {
            let found = read(text);
            (found.issues.len(), found.suggestions.len(), found.severity)
        };
        for text in [
            "Issues: (1) no figures, (2) no sources. Suggestions: (1) add both. Severity: 6",
            "**ISSUES:** 1. no figures 2. no sources **SUGGESTIONS:** 1. add both **SEVERITY:** 6/10",
            "Problemas: (1) sin cifras, (2) sin fuentes. Sugerencias: (1) añadir ambas. Gravedad: 6",
            "问题：（1）没有数字（2）没有来源。建议：（1）都补上。严重程度：6分",
        ] {
            assert_eq!(counts(text), (2, 1, Some(6.0)), "{text}");
        }
        // Within an item such a word is the item's own.
        assert_eq!(
            counts("ISSUES:\n- the main problem: no data\n- the Severity: low, it says"),
            (2, 0, None)
        );
    }

    #[test]
    fn lists_in_many_layouts() {
        for text in [
            "Issues:\na. no figures\nb. no sources\nSuggestions:\na. add both\nSeverity: 6",
            "ISSUES\n→ no figures\n→ no sources\nSUGGESTIONS\n→ add both\nSEVERITY 6",
            "(Issues)\n(i) no figures\n(ii) no sources\nSuggestions\n(i) add both\nSeverity\n6",
            "[ISSUES] 1. no figures 2. no sources [SUGGESTIONS] 1. add both [SEVERITY] 6",
            "<issues><item>no figures</item><item>no sources</item></issues>\n<suggestions><item>add both</item></suggestions><severity>6</severity>",
            "Issues: no figures; no sources\nSuggestions: add both\nSeverity: 6",
            "Problemas: 1ª) sin cifras; 2ª) sin fuentes.\nSugerencias: 1ª) añadirlas.\nGravedad: 6",
            "问题：①没数字②没出处\n建议：①补齐\n严重程度：6",
            "问题：\n甲、没数字\n乙、没出处\n建议：\n甲、补齐\n严重程度：6",
            "【问题】\n其一，没数字；\n其二，没出处。\n【建议】\n其一，补齐。\n【严重程度】6分",
            "I see two problems: first, no figures; second, no sources. I have one suggestion: add both. The severity is 6.",
            "这份稿子有两个问题：第一，没数字；第二，没出处。我只有一条建议：补齐。严重程度我给6分。",
            "ISSUES:\n1. no figures\n2. no sources\n3. ~~too long~~\nSUGGESTIONS:\n1. add both\nSEVERITY: not 8 but 6",
        ] {
            let found = read(text);
            let counts = (found.issues.len(), found.suggestions.len(), found.severity);
            assert_eq!(counts, (2, 1, Some(6.0)), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_not_counted() {
        // Two lists under headings that nobody knows.
        assert!(read("**The bad**\n- a\n- b\n\n**The cure**\n- c").is_empty());
        // Three are told and two are there.
        assert!(read("I see three problems: first, no figures; second, no sources.").is_empty());
        assert_eq!(read("Issues:\n- a\nSeverity: between 5 and 7").severity, None);
    }

    #[test]
    fn json_and_severity() {
        let found = read(
            "{\"issues\": [\"a\", {\"text\": \"b\"}], \"suggestions\": \"c\", \"severity\": 0.8, \"reasoning\": \"d\"}",
        );
        assert_eq!(found.issues, ["a", "b"]);
        assert_eq!(found.suggestions, ["c"]);
        assert_eq!(found.severity, Some(8.0));
        assert_eq!(found.reasoning, "d");
        assert_eq!(read("Severity: 1.0\n- x").severity, Some(1.0));
        assert_eq!(read("Severity: high\n- x").severity, None);
    }

    #[test]
    fn prose_is_kept_not_cut_up() {
        let text = "The plan is vague. Name the owners.";
        let found = read(text);
        assert!(found.is_empty());
        assert_eq!(found.reasoning, text);
        let halves = critique_with(text, Language::English, Prose::Halves);
        assert_eq!(halves.value().unwrap().issues, ["The plan is vague"]);
        assert_eq!(
            critique(" ", Language::English).reason(),
            Some(Reason::EmptyResponse)
        );
        let many = "- a\n".repeat(9);
        assert_eq!(read(&many).issues.len(), 5);
    }

    proptest! {
        #[test]
        fn whatever_is_said(text in "\\PC*|(issues?|Suggestions|severity|问题|[-*:#\n0-9. {}\"]){0,30}") {
            if let Some(found) = critique_with(&text, Language::Mandarin, Prose::Halves).value() {
                prop_assert!(found.issues.len() <= 5 && found.suggestions.len() <= 5);
                prop_assert!(found.reasoning.chars().count() <= 500);
                prop_assert!(found.severity.is_none_or(|severity| (0.0..=10.0).contains(&severity)));
            }
        }
    }
}
