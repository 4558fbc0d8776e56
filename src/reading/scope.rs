//! What each word of an answer is said under: negated, asked, on a condition, before something newer, by
//! others, as a reason, in second place. The same for all kinds of answers and all languages. Not for what is
//! said.

use super::span::{self, Span};
use super::token::{Kind, Token, begins_so, class, contains_one, is_one, tokens};
use crate::language::Language;

/// What may hold of a word.
pub(super) mod flag {
    /// Negated, or put behind something else.
    pub(in crate::reading) const NEGATED: u16 = 1;
    /// Negated twice, or in another way that the rules do not settle.
    pub(in crate::reading) const UNCLEAR: u16 = 1 << 1;
    /// Within a quotation.
    pub(in crate::reading) const QUOTED: u16 = 1 << 2;
    /// Within a question.
    pub(in crate::reading) const ASKED: u16 = 1 << 3;
    /// On a condition.
    pub(in crate::reading) const IF: u16 = 1 << 4;
    /// An earlier view.
    pub(in crate::reading) const PAST: u16 = 1 << 5;
    /// Said or wanted by others.
    pub(in crate::reading) const OTHERS: u16 = 1 << 6;
    /// Part of a reason.
    pub(in crate::reading) const REASON: u16 = 1 << 7;
    /// In second place.
    pub(in crate::reading) const SECOND: u16 = 1 << 8;
    /// Part of a table or a list of all options.
    pub(in crate::reading) const ECHO: u16 = 1 << 9;
    /// Perhaps.
    pub(in crate::reading) const MAYBE: u16 = 1 << 10;
    /// After a word that chooses, in the same clause.
    pub(in crate::reading) const CHOSEN: u16 = 1 << 11;
    /// Called the best.
    pub(in crate::reading) const BEST: u16 = 1 << 12;
    /// All under which nothing is asserted.
    pub(in crate::reading) const STRUCK: u16 =
        NEGATED | UNCLEAR | QUOTED | ASKED | IF | PAST | OTHERS | REASON | SECOND | ECHO;
}
use flag::*;

/// An answer with the scope of each of its words.
pub(super) struct Scoped<'a> {
    answer: &'a str,
    text: String,
    pub(super) tokens: Vec<Token>,
    pub(super) flags: Vec<u16>,
    /// Numbers of the clause, the sentence and the line of each token.
    pub(super) clause: Vec<u32>,
    pub(super) sentence: Vec<u32>,
    pub(super) line: Vec<u32>,
    /// Where something said before is taken back.
    pub(super) corrections: Vec<usize>,
}

/// What a principle may have or not.
pub(super) const LIMITS: u64 = class::FLOOR | class::RANGE | class::CAP;

#[derive(Default)]
struct State {
    clause: u32,
    sentence: u32,
    line: u32,
    clause_start: usize,
    sentence_start: usize,
    line_start: usize,
    past: bool,
    others: bool,
    /// Others were the subject of this clause only.
    others_here: bool,
    condition: bool,
    reason: bool,
    first: bool,
    chosen: bool,
    /// Something stood where the choice is named.
    used: bool,
    negations: u8,
    /// Where the last negation stands.
    denied: usize,
    second: bool,
    best: bool,
    maybe: bool,
    might: bool,
    relative: bool,
    /// Who speaks keeps to something.
    kept: bool,
    /// Something was written by mistake in this clause.
    slip: bool,
    reason_leads: bool,
    stale: bool,
    table: bool,
    /// Where in the clause a reason or a conclusion begins; what stands there is not about what is before it.
    turned: usize,
    /// Reasons were announced: "理由有三：".
    explains: bool,
    /// Others were the subject in this sentence, and nobody after them.
    subject_other: bool,
    /// The same of who speaks.
    subject_first: bool,
}

impl<'a> Scoped<'a> {
    /// The text is the answer, cleaned and in lower case.
    pub(super) fn of(answer: &'a str, text: &str, language: Language) -> Self {
        let mut tokens = tokens(text, language);
        conditions_of_names(text, &mut tokens);
        tokens.retain(|token| !(token.is(class::FILLER) && token.value == ADDRESS));
        let count = tokens.len();
        let mut all = Self {
            answer,
            text: text.to_owned(),
            tokens,
            flags: vec![0; count],
            clause: vec![0; count],
            sentence: vec![0; count],
            line: vec![0; count],
            corrections: Vec::new(),
        };
        all.scopes();
        all.quotations();
        all.echoes();
        all.either_or();
        all.unanswered();
        all
    }

    /// The same of a part alone.
    pub(super) fn part(&self, range: std::ops::Range<usize>, language: Language) -> Self {
        let from = self.token(range.start).map_or(0, |token| token.span.0);
        let to = self
            .token(range.end)
            .map_or(self.text.len(), |token| token.span.0);
        Self::of(self.answer, self.text.get(from..to).unwrap_or_default(), language)
    }

    pub(super) fn has(&self, at: usize, flags: u16) -> bool {
        self.flags.get(at).is_some_and(|found| found & flags != 0)
    }

    /// Whether a token of the range is of one of these classes.
    pub(super) fn any(&self, range: std::ops::Range<usize>, classes: u64) -> bool {
        range.into_iter().any(|at| self.is(at, classes))
    }

    /// Whether a token of the clause of this one is of one of these classes.
    pub(super) fn in_clause(&self, at: usize, classes: u64) -> bool {
        self.any(self.clause_of(at), classes)
    }

    /// The same of its sentence.
    pub(super) fn in_sentence(&self, at: usize, classes: u64) -> bool {
        self.any(self.sentence_of(at), classes)
    }

    pub(super) fn is(&self, at: usize, classes: u64) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(classes))
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_number)
    }

    /// The value of a rank or a certainty; what it means elsewhere stands where it is asked for.
    pub(super) fn value(&self, at: usize) -> i8 {
        self.tokens.get(at).map_or(0, |token| token.value)
    }

    pub(super) fn same_clause(&self, one: usize, other: usize) -> bool {
        self.clause.get(one) == self.clause.get(other)
    }

    pub(super) fn same_sentence(&self, one: usize, other: usize) -> bool {
        self.sentence.get(one) == self.sentence.get(other)
    }

    pub(super) fn same_line(&self, one: usize, other: usize) -> bool {
        self.line.get(one) == self.line.get(other)
    }

    pub(super) fn sign(&self, at: usize) -> Option<char> {
        self.tokens.get(at).and_then(Token::sign)
    }

    /// The words that take back what was said before them, as one's own.
    pub(super) fn own_corrections(&self) -> impl DoubleEndedIterator<Item = usize> {
        let own = |at: &usize| {
            !self.has(*at, OTHERS | QUOTED) && (!self.has(*at, PAST) || self.tokens[*at].value > 1)
        };
        self.corrections.iter().copied().filter(own)
    }

    /// The last of them.
    pub(super) fn last_correction(&self) -> Option<usize> {
        self.own_corrections().next_back()
    }

    pub(super) fn is_unknown(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_unknown)
    }

    /// Where the words of these tokens stand in the answer.
    pub(super) fn span(&self, tokens: std::ops::Range<usize>) -> Option<Span> {
        let (first, last) = (self.token(tokens.start)?, self.token(tokens.end.checked_sub(1)?)?);
        span::of_clean(self.answer, &self.text, first.span.0..last.span.1)
    }

    /// Whether the words of a token say that an amount is spoken of.
    pub(super) fn names_amount(&self, at: usize) -> bool {
        begins_so(self.word(at), "amount words")
    }

    /// The words of a token.
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens
            .get(at)
            .and_then(|token| self.text.get(token.span.0..token.span.1))
            .unwrap_or_default()
    }

    /// The text from a token on.
    pub(super) fn text_at(&self, token: &Token) -> &str {
        self.text.get(token.span.0..).unwrap_or_default()
    }

    /// The text of the tokens from one up to another.
    pub(super) fn text_between(&self, from: usize, to: usize) -> &str {
        let start = self.token(from).map_or(0, |token| token.span.0);
        let end = to.checked_sub(1).and_then(|last| self.token(last));
        self.text
            .get(start..end.map_or(start, |token| token.span.1))
            .unwrap_or_default()
    }

    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The tokens of the clause of this one.
    pub(super) fn clause_of(&self, at: usize) -> std::ops::Range<usize> {
        range(&self.clause, at, 64)
    }

    pub(super) fn sentence_of(&self, at: usize) -> std::ops::Range<usize> {
        range(&self.sentence, at, 256)
    }

    pub(super) fn line_of(&self, at: usize) -> std::ops::Range<usize> {
        range(&self.line, at, 256)
    }

    /// Whether nothing stands in the range but these classes, signs and the given part.
    pub(super) fn holds_only(
        &self,
        range: std::ops::Range<usize>,
        classes: u64,
        but: &std::ops::Range<usize>,
    ) -> bool {
        range.into_iter().all(|at| {
            but.contains(&at)
                || self
                    .token(at)
                    .is_some_and(|token| token.is(classes) || token.sign().is_some())
        })
    }

    fn scopes(&mut self) {
        let mut state = State::default();
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            if let Some(sign) = token.sign() {
                self.at_sign(at, sign, &mut state);
            } else {
                self.enter(at, &token, &mut state);
            }
            self.clause[at] = state.clause;
            self.sentence[at] = state.sentence;
            self.line[at] = state.line;
            let mut flags = 0;
            let mut mark = |holds: bool, flag: u16| flags |= if holds { flag } else { 0 };
            mark(state.negations == 1, NEGATED);
            mark(state.negations > 1, UNCLEAR);
            mark(state.condition || state.might, IF);
            mark(state.past, PAST);
            mark(state.others || state.others_here, OTHERS);
            mark(state.reason, REASON);
            mark(state.second, SECOND);
            mark(state.maybe, MAYBE);
            mark(state.chosen && !state.used, CHOSEN);
            mark(state.best, BEST);
            mark(state.table, ECHO);
            self.flags[at] |= flags;
            let names = (token.is_number() && !token.is(class::TIMES))
                || token.is(class::FLOOR | class::AVG | class::RANGE | class::ORD);
            // What follows a name within the clause may still belong to it; a break ends it.
            state.used |= names && state.stale || token.is(class::CTX) && state.chosen;
        }
        self.end_sentence(self.tokens.len(), false, &mut state);
    }

    fn at_sign(&mut self, at: usize, sign: char, state: &mut State) {
        let next = self.tokens.get(at + 1).copied();
        match sign {
            '\n' => {
                self.end_sentence(at, false, state);
                state.line += 1;
                state.line_start = at + 1;
                state.table = next.is_some_and(|next| next.sign() == Some('|'));
            }
            '.' | '!' | '。' | '?' | ';' | '…' | '~' => {
                self.end_sentence(at, sign == '?', state);
            }
            ':' => {
                let label = state.line_start.max(state.sentence_start)..at;
                let is_name = label.len() <= 4
                    && !label.is_empty()
                    && label.clone().all(|at| {
                        self.tokens[at].is_unknown()
                            || self.tokens[at].is(class::OTHER)
                            || self.tokens[at].is_number()
                            || self.tokens[at].sign().is_some()
                    });
                state.others |= is_name && !(label.start == 0 && self.is_role(at));
                state.explains |= state.reason && label.start > 0;
                // "I choose 3: it lifts the average."
                let told = |at: usize| {
                    let token = &self.tokens[at];
                    (is_plain(token) || token.is_number() && token.number >= 1000.0) && self.has(at, CHOSEN)
                };
                state.chosen &= !(state.clause_start..at).any(told);
                self.end_clause(at, state);
            }
            ',' | '、' | '(' | ')' | '—' | '–' | '[' | ']' => {
                let others = state.others_here && sign == '、';
                // "Given the discussion, principle 3."
                let answers = next.is_some_and(|next| next.is_number() || next.is(class::NOUN));
                // "Now that I have heard your reasons, 13,000 it is."
                let says = self
                    .tokens
                    .iter()
                    .skip(at + 1)
                    .take(6)
                    .take_while(|next| next.sign().is_none_or(|sign| sign == '$'))
                    .any(|next| next.is(class::BEST) && !next.is(class::REJECT));
                if sign == ',' && (answers && state.reason_leads || says) {
                    state.reason = false;
                }
                self.end_clause(at, state);
                state.chosen = false;
                state.others_here = others;
            }
            '\u{1f000}'.. => self.end_clause(at, state),
            '|' => {
                state.table |= state.line_start == at;
                self.end_clause(at, state);
            }
            _ => {}
        }
    }

    /// Whether the only label of an answer is the role of who gives it: "Teacher: principle 4."
    fn is_role(&self, colon: usize) -> bool {
        let rest = &self.tokens[colon + 1..];
        rest.iter().all(|token| !matches!(token.sign(), Some(':' | '\n')))
    }

    fn end_clause(&mut self, at: usize, state: &mut State) {
        state.clause += 1;
        state.clause_start = at + 1;
        state.first = false;
        state.negations = 0;
        state.best = false;
        state.maybe = false;
        state.might = false;
        state.relative = false;
        state.others_here = false;
        state.stale = true;
        state.past &= !std::mem::take(&mut state.slip);
    }

    fn end_sentence(&mut self, at: usize, asked: bool, state: &mut State) {
        let all = state.sentence_start..at.min(self.tokens.len());
        // "20k, I guess?"
        let is_reply = all
            .clone()
            .any(|at| self.is(at, class::FILLER) && self.value(at) > 0 && !self.is(at, class::CERTAIN));
        if asked && !is_reply {
            all.for_each(|at| self.flags[at] |= ASKED);
        }
        let (sentence, line, line_start, table) =
            (state.sentence + 1, state.line, state.line_start, state.table);
        let ends = self.sign(at) == Some('\n') && self.sign(at + 1) == Some('\n');
        let explains = state.explains && !ends;
        self.end_clause(at, state);
        *state = State {
            clause: state.clause,
            sentence,
            line,
            line_start,
            table,
            clause_start: at + 1,
            sentence_start: at + 1,
            reason: explains,
            explains,
            stale: explains,
            ..State::default()
        };
    }

    fn enter(&mut self, at: usize, token: &Token, state: &mut State) {
        let is = |classes| token.is(classes);
        // ", perdón," ends the clause as its commas would.
        if self.word(at).starts_with(',') {
            self.end_clause(at.saturating_sub(1), state);
        }
        if is(class::BUT) {
            self.end_clause(at, state);
            (
                state.past,
                state.others,
                state.reason,
                state.chosen,
                state.condition,
                state.second,
            ) = Default::default();
        }
        if is(class::SO) {
            (state.past, state.others, state.reason) = Default::default();
            state.negations = 0;
            state.turned = at;
        }
        let speaks = ["i ", "i'", "yo ", "we "]
            .iter()
            .any(|who| self.text_at(token).starts_with(who))
            || self.word(at).starts_with('我');
        let thinks = is(class::FILLER) && token.value > 0;
        let anew = state.stale && (is(class::FIRST | class::CHOOSE | class::NOW) || thinks);
        // Bruno提的2万我觉得太宽，差距…: the one who spoke last goes on.
        if state.stale && state.subject_first && is(LIMITS | class::CHOOSE) && !is(class::SAYS) {
            state.others = false;
        }
        if anew && !is(class::PAST | class::SAYS) {
            (state.past, state.reason, state.explains) = Default::default();
            let now = is(class::NOW) && !is(class::RANK);
            state.others &= !(is(class::FIRST) || now || thinks || speaks);
            state.second = false;
            state.stale = false;
        }
        if is(class::NOW) && !is(class::PAST) {
            state.past = false;
        }
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at)).copied();
        // "Agent 2 proposes."
        let after_number = before.is_some_and(|before| before.is_number());
        // "I reject 1 and vote for 2".
        if is(class::CHOOSE)
            && state.negations > 0
            && !is(class::NOUN)
            && at.checked_sub(1).is_some_and(|at| self.tokens[at].is(class::AND))
        {
            self.end_clause(at - 1, state);
        }
        // "To wait", "con mejor promedio" correct nothing.
        let infinitive = before.is_some_and(|before| before.is(class::TO)) && is(class::DISSENT);
        let of_it = is(class::BEST) && self.is(at + 1, LIMITS | class::AVG);
        if is(class::CORRECT) && state.negations == 0 && !infinitive && !of_it {
            self.corrections.push(at);
            // "I typed 2 by mistake, it is 3."
            state.slip = token.value > 1;
            state.past = state.slip;
            state.others &= state.subject_other || at > state.clause_start + 1;
            state.others |= state.slip && state.subject_other;
            state.negations = 0;
            state.chosen = !state.slip;
            state.used = false;

            // "After what the nurse said I change my vote to 4."
            state.others_here &= !contains_one(self.word(at), "own within");
        }
        // "Tom wants 4 and I end up with 3", "I have nothing to add and I am ready".
        if (state.others || state.negations > 0)
            && before.is_some_and(|before| before.is(class::AND))
            && speaks
        {
            self.end_clause(at - 1, state);
            state.others = false;
        }
        // "As a nurse I vote for 1."
        let chooses = |next: &Token| next.is(class::CHOOSE) && !next.is(class::SAYS | class::NOUN);
        if is(class::FIRST) && state.reason_leads && self.token(at + 1).is_some_and(chooses) {
            state.reason = false;
        }
        if is(class::FIRST) {
            state.first = true;
            state.others_here = false;
            (state.subject_other, state.subject_first) = (false, true);
        }
        state.subject_first |= is(class::CHOOSE) && self.word(at).starts_with('我');
        // "Después de oír a los demás me quedo con 3."
        if is(class::CHOOSE) && begins_so(self.word(at), "own verb") {
            state.others_here = false;
            let linked = |before: Token| before.is(class::AND | class::NOW | class::SO);
            state.others &= at > state.clause_start && !before.is_some_and(linked);
        }
        // "I have my doubts about 3."
        let of_what = |next: &Token| next.is_unknown() || next.is(class::FILLER);
        if is(class::CERTAIN) && token.value < 0 && self.token(at + 1).is_some_and(of_what) {
            state.negations = 1;
        }
        // "I keep to what I said in round 2: 3."
        state.kept |= is(class::CHOOSE) && token.value > 0;
        if is(class::PAST) && !is(class::NOW) && !state.kept {
            state.past = true;
            state.stale = false;
            // "I need more time before I vote": what stands before it is of now.
            if !is(class::BEATS) || self.token(at + 1).is_none_or(|next| next.sign().is_some()) {
                self.mark_clause(at, state, PAST);
            }
        }
        // "I would understand someone choosing 1."
        // "Haciendo cuentas con mi mujer salen 12.800."
        let beside = before.is_some_and(|before| before.is(class::JOIN));
        if is(class::OTHER) && !beside && (!state.first || self.is(at + 1, class::GERUND)) {
            state.others_here = true;
            (state.subject_other, state.subject_first) = (true, false);
        }
        // 小王一直主张2.
        let word = (state.clause_start.max(at.saturating_sub(64))..at)
            .rev()
            .find(|at| !self.is(*at, class::SHIELD))
            .filter(|near| *near + 1 == at || !self.word(at).is_ascii());
        let named = word.is_some_and(|at| self.is_unknown(at) || self.is(at, class::OTHER));
        let by_name = named || after_number;
        let joined = before.is_some_and(|before| before.is(class::AND));
        let by_whom = named || state.subject_other && (at == state.clause_start || joined);
        // "The floor should rise, says Tom."
        let said =
            at == state.clause_start && self.sign(at.wrapping_sub(1)) == Some(',') && !is(class::CHOOSE);
        if is(class::SAYS)
            && said
            && self
                .token(at + 1)
                .is_none_or(|next| next.is_unknown() || next.is(class::OTHER) || next.sign().is_some())
        {
            let from = state.sentence_start.max(at.saturating_sub(64));
            self.flags[from..at].iter_mut().for_each(|flags| *flags |= OTHERS);
        }
        // "Principle 2 leaves the bottom open."
        let names = |token: Token| token.is_number() || token.is(class::AVG | class::FLOOR | class::RANGE);
        // 我是做生意的，希望…: who speaks is the subject still, as where a Chinese sentence has none.
        let unnamed = at == state.sentence_start && self.word(at).starts_with(|c| c > '\u{4e00}');
        let goes_on = state.subject_first && at == state.clause_start || unnamed;
        // "Proposed floor: 12,000."
        let heads_label = at == state.clause_start && self.is(at + 1, LIMITS | class::NOUN);
        if is(class::SAYS) && heads_label && self.word(at).is_ascii() {
            (state.chosen, state.used) = (true, false);
        } else if is(class::SAYS)
            && !goes_on
            && (!state.first || by_whom)
            && (!is(class::CHOOSE) || (by_name && at > state.clause_start) || by_whom && state.subject_other)
        {
            state.others = true;
            state.stale = false;
        } else if is(class::CHOOSE) && at > 0 && is_one(self.word(at - 1), "than")
            || self.word(at) == "que"
                && self.any(state.clause_start.max(at.saturating_sub(4))..at, class::MORE)
        {
            state.negations = 1;
        } else if is(class::CHOOSE) && !(is(class::SO) && before.is_some_and(names)) {
            state.chosen = true;
            state.used = false;
            // A row of a table whose first cell says that it is the choice.
            let cells = |from: usize| (from..at).filter(|at| self.sign(*at) == Some('|')).count();
            state.table = state.table && cells(state.line_start) > 1;
            // "My neighbor's choice", 小王的选择.
            let owner = |at: usize| {
                self.is_unknown(at) && (self.word(at).ends_with("'s") || !self.word(at).is_ascii())
            };
            let genitive = at >= 2 && self.is(at - 1, class::OF) && owner(at - 2)
                || at >= 1 && self.word(at - 1).ends_with("'s") && owner(at - 1);
            state.others_here |= is(class::NOUN) && genitive;
            // "Bruno and Chen vote for 2".
            let named = class::AND | class::PRAISE | class::COUNTED | class::SHIELD;
            let who = &self.tokens[state.clause_start..at];
            let subject = who
                .iter()
                .all(|token| token.is_unknown() || token.is(named) && !token.is(class::FILLER))
                && who.iter().any(Token::is_unknown);
            // "My roommate would go for 2."
            let who = (state.clause_start..at).find(|at| self.is(*at, class::FIRST));
            let whose =
                who.is_some_and(|who| ["my", "mi"].contains(&self.word(who)) && self.is_unknown(who + 1));
            // 有三个支持原则一.
            let counted = at > 1
                && self.tokens[at - 2].is_number()
                && self.is(at - 1, class::FILLER | class::COUNTED)
                && !self.word(at - 1).is_ascii();
            // "I admire those who vote for 2."
            let whom =
                before.is_some_and(|before| before.is(class::OTHER)) && !begins_so(self.word(at), "own verb");
            // 隔壁组想了很久，选了2.
            let cjk = self.word(at).starts_with(|c| c > '\u{4e00}' && c != '我');
            let of_number = self.token(at + 1).is_some_and(is_plain);
            let went_on = state.subject_other && at == state.clause_start && cjk && of_number;
            state.others_here |= (subject || whose || counted || whom || went_on) && !is(class::NOUN);
        }
        let even = before.is_some_and(|before| before.is(class::BUT) && before.value > 0);
        state.condition |= is(class::IF) && !even && !self.is_yes(at);
        if is(class::BECAUSE) && !state.kept && !(state.chosen && !state.used && at == state.clause_start) {
            state.reason = true;
            state.turned = at;
            state.reason_leads |= at == state.sentence_start;
            state.stale = false;
        }
        if is(class::DOUBLE) {
            state.negations = 2;
            self.mark_clause(at, state, UNCLEAR);
        } else if is(class::WITHOUT | class::RATHER) && !is(class::CORRECT) {
            state.negations = 1;
        } else if is(class::NEG | class::REJECT | class::NAY) && !is(class::FILLER | class::CORRECT) {
            // "sin mínimos ni rangos", "nope, not yet", "no not now" deny once.
            state.denied = at;
            let again = state.negations > 0
                && (token.value > 0 && is(class::NEG)
                    || is(class::NAY)
                        && before.is_some_and(|before| {
                            before.is(class::NAY) || before.is(class::NEG) && at == state.clause_start + 1
                        }));
            state.negations = state.negations.saturating_add(u8::from(!again));
            if !state.chosen {
                let flag = if state.negations > 1 { UNCLEAR } else { NEGATED };
                self.mark_clause(at, state, flag);
            }
        }
        // After a verb with 的 comes what somebody chose, unless it goes on to say what that is.
        let names = self.token(at + 1).is_some_and(|next| next.is(class::NOUN));
        if is(class::OF) && state.chosen && !state.used && !names {
            (state.chosen, state.relative) = (false, true);
        }
        state.chosen |= state.relative && is(class::YES);
        if is(class::SECOND) {
            state.second = true;
            state.stale = false;
            if !state.chosen {
                self.mark_clause(at, state, SECOND);
            }
        }
        // "Principle 1 has the best floor" calls the floor so.
        let of_a_part = self.is(at + 1, class::FLOOR | class::AVG | class::RANGE | class::LOW);
        // "It is the most sensible."
        let superlative = self.is(at + 1, class::PRAISE)
            && (at.saturating_sub(1)..=at).any(|at| begins_so(self.text_at(&self.tokens[at]), "superlative"));
        if (is(class::BEST) || superlative) && !of_a_part {
            state.best = true;
            self.mark_clause(at, state, BEST);
        }
        state.maybe |= is(class::MAYBE);
        state.might |= is(class::MIGHT);
    }

    /// "Si" without its accent where nothing follows it.
    pub(super) fn is_yes(&self, at: usize) -> bool {
        let ends = self.token(at + 1).is_none_or(|next| next.sign().is_some());
        ends && self.word(at) == "si"
    }

    /// What stands in the clause before this word is meant as well.
    fn mark_clause(&mut self, at: usize, state: &State, flag: u16) {
        let mut start = state.clause_start;
        // 什么底线、什么范围都不要
        while flag == NEGATED && start > 1 && start + 64 > at && self.sign(start - 1) == Some('、') {
            let before = self.clause_of(start - 2).start;
            start = before + usize::from(self.sign(before) == Some('、'));
        }
        let from = start.max(state.turned).min(at).max(at.saturating_sub(64));
        self.flags[from..at].iter_mut().for_each(|flags| *flags |= flag);
    }

    /// Words in quotation marks are others', unless all of the answer is in them or they are a name.
    fn quotations(&mut self) {
        let mut open: Option<(usize, char)> = None;
        let last = self.tokens.len().saturating_sub(1);
        for at in 0..self.tokens.len() {
            let Some(sign) = self.tokens[at].sign() else {
                continue;
            };
            match (open, sign) {
                (None, '"' | '“' | '«' | '「' | '『') => {
                    let close = match sign {
                        '"' => '"',
                        '“' => '”',
                        '«' => '»',
                        '「' => '」',
                        _ => '』',
                    };
                    open = Some((at, close));
                }
                (Some((from, close)), sign) if sign == close => {
                    open = None;
                    let inside = &self.tokens[from + 1..at];
                    let says = inside.iter().any(|token| {
                        token.is(class::CHOOSE | class::FIRST | class::YES | class::NEG | class::DISSENT)
                    });
                    let by_others = from > 0 && self.has(from - 1, OTHERS);
                    // "My answer is “no”."
                    let named = inside.len() == 1 && self.has(from, CHOSEN);
                    if !(from == 0 && at == last) && (says && !named || by_others) && !inside.is_empty() {
                        self.flags[from..=at]
                            .iter_mut()
                            .for_each(|flags| *flags |= QUOTED);
                    }
                }
                _ => {}
            }
        }
    }

    /// 同不同意, 要不要: a question, also where it is part of a sentence.
    fn either_or(&mut self) {
        for at in 0..self.tokens.len() {
            let mut word = self.word(at).chars();
            let (first, second) = (word.next(), word.next());
            let start = self.tokens[at].span.0;
            let before = self.text.get(..start).and_then(|text| text.chars().next_back());
            if first == Some('不') && second.is_some() && second == before {
                let end = self.clause_of(at).end;
                self.flags[at..end].iter_mut().for_each(|flags| *flags |= ASKED);
            }
        }
    }

    /// "I haven't even started", "no lo he contestado", 我还没投: who says so refuses, whatever is named elsewhere.
    fn unanswered(&mut self) {
        const NEAR: usize = 6;
        for at in 0..self.tokens.len() {
            if !self.is(at, class::NEG | class::NAY) {
                continue;
            }
            let clause = self.clause_of(at);
            let rest = at..clause.end.min(at + NEAR);
            let named = |at: usize| self.is_unknown(at) && self.word(at).is_ascii();
            let own = self.any(clause.clone(), class::FIRST)
                || self.any(self.sentence_of(at).start..rest.end, class::FIRST)
                    && !(clause.start..at).any(named);
            let own = own && !self.any(clause.clone(), class::OTHER);
            let words = self.text_between(at, rest.end);
            let named = |at: usize| {
                self.is_number(at) || self.is(at, LIMITS | class::AVG | class::CERTAIN | class::CERTAINTY)
            };
            if own && rest.len() > 1 && contains_one(words, "unanswered") && !clause.into_iter().any(named) {
                self.tokens[at + 1].classes |= class::REFUSE;
            }
        }
    }

    /// Where a first sentence stands that says yes to a question which asks what: "Oh sure, let's all pick 2 and pray." That
    /// is a jest, unless it is in so many words one's own choice.
    pub(super) fn jest(&self) -> std::ops::Range<usize> {
        let first = self.sentence_of(0);
        let lead = self.clause_of(0);
        let opens = self.sign(lead.end) == Some(',') && lead.len() <= 3 && self.any(lead, class::YES);
        // But neither "let's" nor "us", "our" and "we".
        let own = |at: usize| {
            self.is(at, class::FIRST) && !self.word(at).starts_with(['l', 'u', 'o', 'w'])
                || begins_so(self.word(at), "own verb")
        };
        let strange = || first.clone().filter(|at| self.is_unknown(*at)).count() > 1;
        let own = |at: usize| own(at) || self.sign(at) == Some(':');
        let jests = opens && strange() && !first.clone().any(own);
        if jests { first } else { 0..0 }
    }

    /// Lists of the possible answers: "(1, 2, 3 or 4)", "1 = yes, 0 = no", "1=floor".
    fn echoes(&mut self) {
        let count = self.tokens.len();
        let mut at = 0;
        while at < count {
            if !self.tokens[at].is_number() || self.tokens[at].is_other {
                at += 1;
                continue;
            }
            // "0 = no" alone is an answer, not the list of them.
            let is_listed = |next: &Token| next.sign() == Some('=');
            if self.tokens.get(at + 1).is_some_and(is_listed)
                && self.tokens.iter().filter(|token| token.is_number()).count() > 1
            {
                let clause = self.clause_of(at);
                self.flags[at..clause.end]
                    .iter_mut()
                    .for_each(|flags| *flags |= ECHO);
                at = clause.end.max(at + 1);
                continue;
            }
            let (mut end, mut numbers) = (at + 1, 1);
            let mut gap = 0;
            while let Some(token) = self.tokens.get(end) {
                if token.is_number() && !token.is_other {
                    numbers += 1;
                    gap = 0;
                } else if token.is(class::OR | class::AND | class::TO | class::NOUN)
                    || matches!(token.sign(), Some(',' | '、' | '/'))
                {
                    gap += 1;
                } else {
                    break;
                }
                if gap > 2 {
                    break;
                }
                end += 1;
            }
            end -= gap.min(end - at - 1);

            let all_four = numbers >= 4 && self.tokens[at].number <= 1.0;
            if all_four {
                self.flags[at..end].iter_mut().for_each(|flags| *flags |= ECHO);
            }
            at = end.max(at + 1);
        }
    }
}

/// The tokens of the same number around this one, not more than so many to each side: no clause is longer, and work
/// stays in proportion to the text.
fn range(of: &[u32], at: usize, most: usize) -> std::ops::Range<usize> {
    let Some(number) = of.get(at) else {
        return at..at;
    };
    let around = of
        .get(at.saturating_sub(most)..of.len().min(at + most))
        .unwrap_or_default();
    let first = at.saturating_sub(most);
    let from = around.partition_point(|found| found < number);
    let to = around.partition_point(|found| found <= number);
    first + from..first + to
}

/// The value of words by which somebody is spoken to.
const ADDRESS: i8 = 9;

/// "The average as long as nobody falls below a floor" names a principle and sets no condition; who is sorry for
/// somebody corrects nothing.
fn conditions_of_names(text: &str, tokens: &mut [Token]) {
    const NEAR: usize = 12;
    let starts: Vec<usize> = tokens.iter().map(|token| token.span.0).collect();
    let begins = |at: usize, key| starts.get(at).is_some_and(|from| begins_so(&text[*from..], key));
    for at in 0..tokens.len() {
        // "Nobody ends up with less than 12,000", 每人至少一万: one floor for all.
        let near = |key| (at + 1..at + 6).find(|at| begins(*at, key));
        let under = if begins(at, "nobody") {
            near("less")
        } else if begins(at, "everybody") {
            near("no less")
        } else {
            None
        };
        if let Some(under) = under {
            tokens[at + 1..=under]
                .iter_mut()
                .for_each(|token| token.classes = class::FILLER);
            tokens[at].classes = class::FLOOR | class::CAP;
        }
    }
    for at in 0..tokens.len() {
        // "Sorry, Ana." "Sorry to say so." "No sorry, not now."
        let apology = tokens[at].is(class::CORRECT) && tokens[at].value > 0;
        let ends = at > 0
            && matches!(tokens[at - 1].sign(), Some(',' | '('))
            && tokens
                .get(at + 1)
                .is_none_or(|next| matches!(next.sign(), Some('.' | '!' | '\n' | ')')));
        let spoken_to = |next: &Token| next.is_unknown() || next.is(class::TO);
        let denies = at > 0 && tokens[at - 1].is(class::NEG | class::NAY);
        if apology && (ends || denies || tokens.get(at + 1).is_some_and(spoken_to)) {
            tokens[at].classes = class::FILLER;
        }
        // "Voto al principio 3."
        if tokens[at].is(class::PAST) && tokens[at].value > 0 && tokens.get(at + 1).is_some_and(is_plain) {
            tokens[at].classes = class::NOUN | class::FILLER;
        }
        // "3, miss", "el 2 profe", 老师我选…: who is spoken to.
        if tokens[at].is(class::FILLER) && tokens[at].value == ADDRESS {
            let before = at.checked_sub(1).map(|before| tokens[before]);
            let begins = before.is_none_or(|before| before.sign().is_some());
            let next = tokens.get(at + 1);
            let ends = next.is_none_or(|next| next.sign().is_some_and(|sign| sign != ':'));
            let said = class::NUM | class::YES | class::NAY | class::NEG | class::ASSENT | class::CERTAINTY;
            let spoken_to = begins
                && (ends || next.is_some_and(|next| next.is(class::FIRST | class::CHOOSE)))
                || ends && before.is_some_and(|before| before.is(said));
            if !spoken_to {
                tokens[at].classes = 0;
            }
        }
        // 原则4的话，…
        let topic =
            at > 0 && (is_plain(&tokens[at - 1]) || tokens[at - 1].is(LIMITS | class::AVG | class::MORE));
        // 听完大家的话; "if I had to choose, I would choose 3".
        let heard = tokens[at.saturating_sub(8)..at]
            .iter()
            .any(|token| token.is(class::NOW) && token.value > 0);
        let is_if = tokens[at].is(class::IF);
        let forced = (at + 1..at + 4)
            .find(|at| is_if && begins(*at, "must"))
            .filter(|must| {
                let frame = tokens[*must..]
                    .iter()
                    .take(64)
                    .enumerate()
                    .take_while(|(place, token)| {
                        token.sign().is_none() && (*place == 0 || !token.is(class::FIRST))
                    });
                let mut frame = frame.map(|(_, token)| token);
                frame.clone().take(6).any(|token| token.is(class::CHOOSE))
                    && frame.all(|token| !token.is_number() || token.is(class::FILLER))
            });
        if let Some(must) = forced {
            tokens[must].classes = class::FILLER;
        }
        if is_if && (tokens[at].value < 0 && (topic || heard) || forced.is_some()) {
            tokens[at].classes = class::FILLER;
        }
        if !(tokens[at].is(class::IF) && tokens[at].value > 0) {
            continue;
        }
        let here = |token: &&Token| !matches!(token.sign(), Some('.' | '!' | '?' | ';' | '\n' | '。'));
        let average = tokens[..at]
            .iter()
            .rev()
            .take_while(here)
            .take(NEAR)
            .any(|token| token.is(class::AVG));
        if average {
            tokens[at].classes = class::JOIN;
        }
    }
}

/// Whether the token is a number as an option has it.
pub(super) fn is_plain(token: &Token) -> bool {
    matches!(token.kind, Kind::Digits | Kind::Spelt) && !token.is_other && token.number.fract() == 0.0
}
