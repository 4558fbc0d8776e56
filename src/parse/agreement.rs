//! Yes or no: may the vote begin, does the person take part. 1 is yes, 0 is no; words count where
//! there is no digit. An answer that says both, or hedges, is unread.

use super::clause::own_marks;
use super::digits::{Settled, is_numbered_noun, lift_first, lone_digit, settle};
use super::json;
use super::lexer::{Kind, Lexed, Lexicon, is_latin, word_length};
use super::normalize::normalize;
use super::{How, Reading, Reason};
use crate::language::Language;
use std::sync::LazyLock;

/// Reads yes or no. The language is where the answer was asked; the words of all three are
/// understood, but a Spanish "si" without its accent only where Spanish was asked.
pub fn agreement(text: &str, language: Language) -> Reading<bool> {
    let normal = normalize(text);
    if normal.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if let Some(digit) = lone_digit(&normal).or_else(|| normal.lines().next_back().and_then(lone_digit)) {
        return match truth(digit) {
            Some(value) => Reading::read(value, How::Digit),
            None => Reading::unread(Reason::AgreementUnclear),
        };
    }
    let of_json = |value: &json::Scalar<'_>| match value {
        json::Scalar::Flag(flag) => Some(*flag),
        json::Scalar::Number(number) => u8::try_from(*number).ok().and_then(truth),
        json::Scalar::Text(text) => {
            lone_digit(text).map_or_else(|| in_text(text, language).value().copied(), truth)
        }
    };
    match json::answer(&normal, of_json) {
        json::Answer::One(value, rest) => match in_text(&rest, language).value() {
            Some(other) if *other != value => Reading::unread(Reason::AgreementUnclear),
            _ => Reading::read(value, How::Json),
        },
        json::Answer::Several => Reading::unread(Reason::AgreementUnclear),
        json::Answer::None => in_text(&normal, language),
    }
}

fn truth(digit: u8) -> Option<bool> {
    match digit {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn in_text(normal: &str, language: Language) -> Reading<bool> {
    let mut lexed = Lexed::new(normal);
    drop_echoes(&mut lexed);
    let mut kept = own_marks(&lexed);
    kept.retain(|kept| !is_numbered_noun(&lexed, kept.mark));
    lift_first(&lexed, &mut kept);
    let words = Words::of(&lexed.text, language);
    match settle(&lexed, &kept, |digit| digit <= 1) {
        Settled::One(digit, how) => {
            let value = digit == 1;
            match words.plain {
                Some(said) if said != value => Reading::unread(Reason::AgreementUnclear),
                _ => Reading::read(value, how),
            }
        }
        Settled::Several => Reading::unread(Reason::AgreementUnclear),
        Settled::Nothing | Settled::Beyond => words.reading(),
    }
}

/// "1 or 0", "1/0": the question, not an answer.
fn drop_echoes(lexed: &mut Lexed) {
    for i in 2..lexed.marks.len() {
        let pair = (
            lexed.marks[i - 2].kind,
            lexed.marks[i - 1].kind,
            lexed.marks[i].kind,
        );
        if matches!(
            pair,
            (Kind::Digit(0), Kind::Or, Kind::Digit(1)) | (Kind::Digit(1), Kind::Or, Kind::Digit(0))
        ) {
            lexed.marks[i - 2].kind = Kind::Amount;
            lexed.marks[i].kind = Kind::Amount;
        }
    }
}

/// What a phrase says about agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Yes, where a clause begins with it.
    YesFirst,
    /// Yes, where it is a clause of its own.
    YesClause,
    /// Yes, where it is the whole answer; else a way to begin.
    YesAlone,
    /// Yes, anywhere.
    Yes,
    /// No, where the answer begins with it; turns what follows in the clause.
    NoFirst,
    /// No, anywhere.
    No,
    /// No, anywhere; turns what follows in the clause.
    NotYet,
    /// Turns what follows in the clause.
    Not,
    /// An objection or problem: without one, yes.
    Objection,
    /// Neither yes nor no.
    Hedge,
    /// Somebody else.
    Other,
    /// What follows is a reason.
    Because,
    /// Starts a clause.
    Turn,
    /// Says nothing at the start of an answer.
    Filler,
    /// Only looks like one of the others.
    Shield,
}

use Sign::*;

/// The phrases of agreement, folded as `lexer::fold` folds.
const TABLE: &[(Sign, &str)] = &[
    (
        YesFirst,
        "yes|yeah|yep|yup|sure|agree|agreed|affirmative|absolutely|definitely|certainly|of course|true|sí|claro|confirmed",
    ),
    (
        YesFirst,
        "de acuerdo|acepto|confirmado|afirmativo|verdadero|por supuesto|desde luego|是的|好的|好啊|好吧|同意|可以|当然|对的",
    ),
    (YesClause, "correct|exactly|correcto|exacto|是|对|行吧|没错"),
    (YesAlone, "ok|okay|right|y|vale|dale|bueno|好|行|嗯"),
    (
        Yes,
        "i agree|i do agree|we agree|agree to|agree with starting|let's vote|let us vote|vote now|ready|prepared|start the vote",
    ),
    (
        Yes,
        "start voting|begin voting|begin the vote|time to vote|go ahead|count me in|in favor|in favour|call the vote|i'm in",
    ),
    (
        Yes,
        "i am in|let's proceed|let us proceed|proceed|want to vote|like to vote|happy to vote|willing to vote|i accept|i confirm",
    ),
    (
        Yes,
        "we should vote|should vote now|should start|should begin|debemos votar|deberiamos votar|应该投票|discussed enough|enough discussion|let's do it|let us do it|sounds good|by all means|i'm on board|yes please",
    ),
    (
        Yes,
        "estoy de acuerdo|claro que sí|votemos|listo|lista|listos|preparado|preparada|preparados|adelante|a favor|vamos a votar",
    ),
    (
        Yes,
        "votar ahora|votar ya|quiero votar|empecemos|iniciemos|que sí|hagamoslo|cuenten conmigo|me parece bien|es el momento",
    ),
    (
        Yes,
        "es hora de votar|sí quiero|yo acepto|confirmo|iniciar la votacion",
    ),
    (
        Yes,
        "赞成|没问题|没意见|没有意见|没有异议|准备好|开始投票|投票吧|现在投票|愿意|是时候|我同意|我可以|我接受|接受|我确认|讨论够了",
    ),
    (
        NoFirst,
        "no|nope|nah|not|never|negative|false|disagree|nunca|falso|negativo|todavia no|aun no|ahora no|否|不|没|没有|不是",
    ),
    (
        No,
        "too early|too soon|premature|keep talking|keep discussing|keep on talking|keep the discussion|continue the discussion",
    ),
    (
        No,
        "continue discussing|continue to discuss|continue talking|go on talking|go on discussing|more discussion|further discussion",
    ),
    (
        No,
        "discuss more|discuss further|discuss first|talk more|talk first|talk it over|more to discuss|more time|more debate",
    ),
    (
        No,
        "rather wait|prefer to wait|let us wait|let's wait|want to wait|like to wait|should wait|hold off|i disagree|disagree with",
    ),
    (
        No,
        "decline|i oppose|opposed|postpone|delay|count me out|rather not|prefer not|another round|one more round|next round|later",
    ),
    (
        No,
        "next time|i'd wait|i would wait|i'll wait|wait a bit|wait for now|i'll pass|i pass|refuse|against",
    ),
    (
        No,
        "prefiero esperar|mejor esperar|esperemos|quiero esperar|debemos esperar|deberiamos esperar|hay que esperar|seguir hablando",
    ),
    (
        No,
        "sigamos|seguir discutiendo|seguir debatiendo|seguir la discusion|seguir conversando|seguir dialogando|sigo prefiriendo",
    ),
    (
        No,
        "continuar la discusion|continuar discutiendo|continuemos|mas discusion|mas tiempo|mas debate|me opongo|en contra|rechazo",
    ),
    (
        No,
        "demasiado pronto|muy pronto|es pronto|prematuro|mas tarde|mas adelante|otra ronda|proxima ronda|hablemos mas|discutir mas",
    ),
    (
        No,
        "hablar mas|debatir mas|preferiria esperar|preferiria no|prefiero no|mejor no",
    ),
    (
        No,
        "再等|等等|等一等|等一下|再讨论|继续讨论|继续谈|继续聊|继续商量|先讨论|先谈|再谈|再聊|再商量|再议|多讨论|反对|拒绝|太早|为时过早",
    ),
    (
        No,
        "过早|需要更多|需要讨论|要讨论|更多讨论|更多时间|下一轮|下轮|晚点|以后再|稍后|改天|弃权|不同意|不赞成|不可以|不行|不好|不愿意|不接受|不是时候",
    ),
    (
        NotYet,
        "not yet|not ready|not now|still no|still not|don't think so|do not think so|no thanks|no thank you|aun no|todavia no",
    ),
    (
        NotYet,
        "no estoy list~|que no|por ahora no|por el momento no|de momento no|还没|还没有|还不|尚未|暂不|暂时不|暂时还不|先不|先别|现在不|不想|不要|不用|不必|不需要|未",
    ),
    (
        Not,
        "don't|doesn't|won't|wouldn't|isn't|aren't|can't|cannot|didn't|shouldn't|dont|wont|cant|without|nor|tampoco|sin|ni|别|无|非",
    ),
    (
        Objection,
        "objection|objections|problem|problems|issue|issues|inconveniente|inconvenientes|objecion|objeciones|problema|problemas",
    ),
    (
        Objection,
        "reason to wait|need to wait|reason to delay|motivo para esperar|问题|意见|异议|need for more|necesidad de",
    ),
    (
        Hedge,
        "maybe|perhaps|not sure|unsure|don't know|do not know|hard to|could go either|either way|depends|undecided|whatever",
    ),
    (
        Hedge,
        "up to you|if|unless|not certain|on the fence|torn|probably|might|tal vez|quiza|quizas|no se|depende|no estoy segur~",
    ),
    (
        Hedge,
        "a lo mejor|puede que|me da igual|si no|indecis~|不确定|也许|可能|或许|不知道|随便|看情况|是否|是不是|如果|无所谓|都行|没想好",
    ),
    (
        Other,
        "he|she|they|everyone|everybody|someone|others|alice|bob|the group|ellos|ellas|otros|todos|alguien|el grupo|他|她|他们|大家",
    ),
    (Other, "别人|其他人|有人"),
    (
        Because,
        "because|since|given that|considering|porque|ya que|dado que|puesto que|pues|因为|由于",
    ),
    (
        Turn,
        "but|although|though|however|and|so|therefore|while|pero|aunque|sin embargo|asi que|por eso|y|但|但是|不过|而|而且|所以|因此|那",
    ),
    (
        Filler,
        "i|we|my|answer|is|well|hmm|hm|uh|um|oh|vote|response|decision|i'd say|i would say|i say|i think|mi|respuesta|es|yo|pues sí",
    ),
    (
        Filler,
        "bien|我|我的|回答|答案|我们|觉得|认为|哦|呃|嗯嗯|说|the|your|choice|tu|voto|decision",
    ),
    (
        Shield,
        "no doubt|no one|no matter|not only|why not|if you like|if you want|sin duda|no hay duda|no solo|无疑|毫无疑问|否则|对于|对我来说|不错",
    ),
    (
        Shield,
        "不仅|不但|非常|别人们|未来|问题是|意见领袖|不管|无论|不断|right now|as soon|so far|even so|all agree|never mind",
    ),
];

static LEXICON: LazyLock<Lexicon<Sign>> = LazyLock::new(|| Lexicon::new(TABLE));

/// What the words of an answer say.
#[derive(Debug, Default)]
struct Words {
    yes: bool,
    no: bool,
    hedged: bool,
    /// A bare "yes" or "no" as a clause of its own.
    plain: Option<bool>,
    /// The answer begins with its word.
    first: bool,
    /// "yes" as well as "no" stood alone.
    both: bool,
}

impl Words {
    fn of(text: &str, language: Language) -> Self {
        let mut words = Self::default();
        let mut begun = false;
        let sentences: Vec<&str> = text.split_inclusive(['.', '!', '?', ';', '\n', '。']).collect();
        let answered = sentences
            .iter()
            .any(|s| !s.ends_with('?') && s.chars().any(char::is_alphabetic));
        for sentence in sentences {
            if sentence.ends_with('?') && answered {
                continue;
            }
            let mut because = false;
            for (index, clause) in sentence
                .split([',', '(', ')', ':', '、', '—', '=', '[', ']', '"', '-'])
                .enumerate()
            {
                if because && index == 1 && sentence.trim_start().starts_with(|c: char| !c.is_ascii_digit()) {
                    because = false;
                }
                words.clause(text, clause, &mut because, &mut begun, language, index);
            }
        }
        if words.both {
            words.plain = None;
        }
        words
    }

    fn clause(
        &mut self,
        text: &str,
        clause: &str,
        because: &mut bool,
        begun: &mut bool,
        language: Language,
        index: usize,
    ) {
        let trimmed = clause.trim_matches(|c: char| !c.is_alphanumeric());
        if trimmed.is_empty() || trimmed.chars().all(|c| c.is_ascii_digit()) {
            return;
        }
        let lone_si = trimmed == "si" && language == Language::Spanish;
        let mut at = 0;
        let mut state = Clause {
            at_start: true,
            ..Clause::default()
        };
        let mut started_because = false;
        while let Some(character) = trimmed.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = trimmed.get(at..).unwrap_or_default();
            let found = if lone_si {
                Some((YesFirst, 2))
            } else {
                LEXICON.look_up(rest)
            };
            let Some((sign, length)) = found else {
                let word = if is_latin(character) {
                    word_length(rest).max(1)
                } else {
                    character.len_utf8()
                };
                if character.is_alphabetic() {
                    state.at_start = false;
                    state.unknown = true;
                }
                at += word;
                continue;
            };
            let alone = state.at_start && at + length == trimmed.len();
            at += length;
            match sign {
                Because => {
                    started_because = index == 0 && state.at_start;
                    *because = true;
                }
                Turn => {
                    self.take(&mut state, *because && !started_because);
                    state = Clause {
                        at_start: true,
                        ..Clause::default()
                    };
                    continue;
                }
                Filler if state.at_start => continue,
                Filler | Shield => {}
                _ if *because => {}
                YesAlone
                    if alone && trimmed.len() == text.trim_matches(|c: char| !c.is_alphanumeric()).len() =>
                {
                    state.say(true)
                }
                YesFirst | YesClause | NoFirst if alone => {
                    let value = sign != NoFirst;
                    self.both |= self.plain.is_some_and(|plain| plain != value);
                    self.plain = Some(value);
                    self.first = true;
                    state.say(value);
                }
                YesFirst if state.at_start && !*begun => {
                    self.first = true;
                    state.say(true);
                }
                YesFirst if state.not => state.say(true),
                NoFirst => {
                    if state.at_start && !*begun {
                        state.opening_no = true;
                    }
                    state.not = true;
                }
                Yes => state.say(true),
                No => state.say(false),
                NotYet => {
                    state.opening_no |= !state.not;
                    state.not = true;
                }
                Not => state.not = true,
                Objection if state.not => {
                    state.not = false;
                    state.opening_no = false;
                    state.yes = true;
                }
                Hedge => state.hedged = true,
                Other => state.other = true,
                YesFirst | YesClause | YesAlone | Objection => {}
            }
            state.at_start = false;
        }
        *begun = true;
        self.take(&mut state, *because);
    }

    fn take(&mut self, state: &mut Clause, dropped: bool) {
        self.hedged |= state.hedged;
        if dropped && !state.opening_no || state.other {
            return;
        }
        self.yes |= state.yes;
        self.no |= state.no || state.opening_no;
        self.first |= state.opening_no;
    }

    fn reading(&self) -> Reading<bool> {
        let how = if self.first { How::Word } else { How::Keyword };
        match (self.yes, self.no) {
            _ if self.hedged => Reading::unread(Reason::AgreementUnclear),
            (true, false) => Reading::read(true, how),
            (false, true) => Reading::read(false, how),
            _ => Reading::unread(Reason::AgreementUnclear),
        }
    }
}

/// What one clause has said so far.
#[derive(Debug, Default)]
struct Clause {
    at_start: bool,
    unknown: bool,
    not: bool,
    opening_no: bool,
    yes: bool,
    no: bool,
    hedged: bool,
    other: bool,
}

impl Clause {
    /// Takes a yes or no; after "not" a yes is a no, and a no says nothing, nor does the "not".
    fn say(&mut self, value: bool) {
        match (value, self.not) {
            (true, false) => self.yes = true,
            (false, false) => self.no = true,
            (true, true) => self.no = true,
            (false, true) => self.opening_no = false,
        }
    }
}

#[cfg(test)]
mod tests;
