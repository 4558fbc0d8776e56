//! Yes and no as people and models write them, and texts that must not be read.

use super::agreement;
use crate::language::Language;
use crate::parse::{How, Reading, Reason};
use proptest::prelude::*;

/// Answers where English was asked, and what they mean; `None`: nothing certain.
const ENGLISH: &[(Option<bool>, &str)] = &[
    (Some(false), "nah"),
    (Some(false), "let us keep talking"),
    (Some(false), "let us go on talking"),
    (Some(false), "I would rather wait"),
    (Some(true), "Yes."),
    (Some(true), "Yes, let's vote."),
    (Some(false), "No, not yet."),
    (Some(false), "Not yet."),
    (Some(false), "I don't think we are ready."),
    (Some(true), "I'm ready to vote"),
    (Some(false), "I'm not ready to vote"),
    (None, "Yes, but not yet"),
    (None, "Maybe yes"),
    (None, "I'm not sure"),
    (Some(true), "Absolutely."),
    (Some(true), "Sure!"),
    (Some(true), "Let us vote"),
    (Some(true), "I agree"),
    (Some(true), "{\"vote\": 1}"),
    (Some(false), "{\"initiate_vote\": false}"),
    (Some(true), "{\"answer\": \"yes\"}"),
    (Some(true), "{\"vote\": true, \"reason\": \"no more to discuss\"}"),
    (Some(true), "<think>0 or 1?</think>\n1"),
    (Some(true), "My answer: 1"),
    (Some(false), "Alice voted 1, I say 0"),
    (None, "not sure, 1 or 0"),
    (Some(true), "Should we vote? Yes."),
    (Some(false), "Should we vote now (1 = yes, 0 = no)? 0"),
    (Some(true), "1\n\nThe group has 0 disagreements."),
    (Some(true), "No objections, let's vote"),
    (Some(true), "I have no objection"),
    (Some(true), "No problem."),
    (Some(false), "There is no need to vote now"),
    (None, "Okay, let me think"),
    (Some(true), "ok"),
    (Some(false), "I'd prefer more discussion"),
    (Some(false), "We need more time"),
    (Some(true), "No need for more discussion, let's vote"),
    (Some(false), "Round 1: 0"),
    (Some(true), "We agree on principle 3, so 1"),
    (Some(false), "I vote no"),
    (Some(true), "I vote yes"),
    (Some(true), "My vote is yes"),
    (Some(false), "My answer is no."),
    (None, "Bob wants to vote"),
    (None, "If everyone agrees, yes"),
    (
        Some(false),
        "No. Because I agree with principle 1 we should talk.",
    ),
    (
        Some(true),
        "Yes, because the discussion is going in circles and more discussion will not help.",
    ),
    (Some(false), "0 (No)"),
    (None, "0 (Yes)"),
    (None, "No: 1"),
    (Some(true), "1 (Yes)"),
    (Some(true), "**Yes**"),
    (Some(false), "Let's wait another round"),
    (Some(false), "It is too early to vote"),
    (Some(true), "It's time to vote."),
    (Some(true), "count me in"),
    (Some(false), "count me out"),
    (Some(true), "yep"),
    (Some(false), "no thanks"),
    (Some(false), "Never"),
    (None, "Principle 1"),
    (None, "principle 1 is best"),
    (Some(true), "Principle 3 has support from all of us, so yes"),
    (Some(true), "affirmative"),
    (None, "hello"),
    (Some(false), "decline"),
    (Some(true), "ok."),
    (Some(true), "OK, let's vote"),
    (Some(true), "We don't need more time, let's vote"),
    (Some(false), "I vote 0 because 1 is too early"),
    (Some(true), "I've thought about it. Yes."),
    (Some(false), "I'd rather not"),
    (Some(false), "not now"),
    (Some(true), "why not, let's vote"),
    (Some(false), "I want to hear Bob first, so no"),
    (None, "Bob said no"),
    (Some(true), "Bob said no, I say yes"),
    (Some(false), "I am against voting now"),
    (None, "I am not against it"),
    (Some(true), "Ready."),
    (Some(true), "Let's do it"),
    (Some(false), "nope, more talk needed"),
    (Some(false), "Hmm, no"),
    (Some(true), "Well, yes"),
    (Some(false), "Honestly, no."),
    (Some(false), "No - we still disagree about the amount"),
    (Some(false), "0 - we still disagree on principle 1"),
    (Some(true), "1 – all agree on $15,000"),
    (Some(true), "I would like to initiate voting: 1"),
    (Some(true), "Answer: yes"),
    (Some(false), "I think we should continue to discuss."),
    (Some(true), "I think we should vote"),
    (Some(true), "I want to start the vote now."),
    (Some(false), "I do not want to start the vote now."),
];

/// Answers where Spanish was asked, and what they mean; `None`: nothing certain.
const SPANISH: &[(Option<bool>, &str)] = &[
    (Some(true), "claro que sí"),
    (Some(false), "prefiero esperar"),
    (Some(true), "Sí"),
    (Some(true), "Si"),
    (Some(true), "Sí, votemos ya"),
    (Some(false), "No, sigamos hablando"),
    (Some(false), "Todavía no"),
    (Some(false), "Aún no estoy listo"),
    (Some(true), "Estoy listo"),
    (Some(false), "No estoy de acuerdo"),
    (Some(true), "Por supuesto"),
    (None, "Tal vez"),
    (None, "No sé"),
    (Some(true), "No tengo objeciones"),
    (Some(true), "No veo inconveniente, adelante"),
    (Some(false), "Necesitamos más tiempo"),
    (Some(false), "mejor esperar"),
    (Some(false), "Prefiero seguir discutiendo"),
    (Some(true), "vale"),
    (None, "si todos están listos"),
    (Some(false), "Prefiero que no"),
    (Some(true), "Mi respuesta es sí"),
    (Some(false), "Creo que no es el momento"),
    (Some(true), "claro"),
    (Some(false), "0, todavía no"),
    (Some(true), "1, estoy de acuerdo"),
    (Some(false), "no"),
    (Some(false), "Creo que deberíamos seguir debatiendo."),
    (Some(true), "Creo que deberíamos votar ya."),
    (Some(true), "sí, adelante"),
    (Some(false), "Voto 0"),
    (Some(true), "Respuesta: 1"),
    (Some(false), "por ahora no"),
    (Some(false), "ahora no"),
    (Some(true), "Sí, acepto participar"),
];

/// Answers where Mandarin was asked, and what they mean; `None`: nothing certain.
const MANDARIN: &[(Option<bool>, &str)] = &[
    (Some(true), "可以"),
    (Some(false), "暂时不"),
    (Some(true), "是"),
    (Some(true), "好"),
    (Some(true), "同意"),
    (Some(true), "我同意投票"),
    (Some(false), "不同意"),
    (Some(false), "我不同意"),
    (Some(false), "还没准备好"),
    (Some(true), "准备好了"),
    (Some(false), "不"),
    (Some(false), "不，继续讨论"),
    (Some(false), "再等等"),
    (Some(false), "再讨论一下吧"),
    (Some(true), "没问题"),
    (Some(true), "没有异议"),
    (None, "不确定"),
    (None, "也许"),
    (None, "是否投票由大家决定"),
    (Some(true), "好的，开始投票"),
    (Some(false), "暂不投票"),
    (Some(true), "行"),
    (Some(false), "不行"),
    (Some(true), "我觉得可以"),
    (Some(false), "我认为还不是时候"),
    (Some(true), "不用再讨论了，投票吧"),
    (Some(true), "1（同意）"),
    (Some(false), "否"),
    (Some(false), "我们需要更多讨论"),
    (Some(true), "愿意"),
    (Some(false), "不愿意"),
    (Some(true), "当然可以"),
    (Some(true), "可以开始投票了"),
    (Some(false), "先不投票"),
    (Some(false), "我想先听听其他人的意见，暂时不投票"),
    (Some(true), "我同意参加投票"),
    (Some(false), "我还想再讨论"),
    (Some(true), "现在投票"),
    (Some(true), "是的，我同意"),
    (Some(false), "不，我还没准备好"),
    (Some(false), "还需要讨论"),
    (Some(true), "应该开始投票了"),
    (Some(false), "先别投票"),
];

#[test]
fn answers() {
    let mut wrong = Vec::new();
    for (language, cases) in [
        (Language::English, ENGLISH),
        (Language::Spanish, SPANISH),
        (Language::Mandarin, MANDARIN),
    ] {
        for (want, text) in cases {
            let reading = agreement(text, language);
            if reading.value() != want.as_ref() {
                wrong.push(format!("{text:?}: {reading:?}, not {want:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn how_it_was_read() {
    assert_eq!(
        agreement("0", Language::English),
        Reading::read(false, How::Digit)
    );
    assert_eq!(
        agreement("I vote 1", Language::English),
        Reading::read(true, How::Label)
    );
    assert_eq!(
        agreement("yes!", Language::English),
        Reading::read(true, How::Word)
    );
    assert_eq!(
        agreement("we keep talking", Language::English),
        Reading::read(false, How::Keyword)
    );
    assert_eq!(
        agreement("{\"start\": 1}", Language::English),
        Reading::read(true, How::Json)
    );
    assert_eq!(
        agreement("", Language::English),
        Reading::unread(Reason::EmptyResponse)
    );
    assert_eq!(
        agreement("0 and 1", Language::English),
        Reading::unread(Reason::AgreementUnclear)
    );
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,80}|([0-2]|yes|no| |,|not |que |sí|还没|同意|不|因为|\n|\"|\\?|if |😀){0,30}") {
        for language in Language::ALL {
            let _ = agreement(&text, language);
        }
    }

    #[test]
    fn a_lone_digit_is_itself(value: bool, before in "[ \t\n\u{3000}]{0,5}", after in "[ \t\n\u{3000}]{0,5}") {
        let reading = agreement(&format!("{before}{}{after}", u8::from(value)), Language::English);
        prop_assert_eq!(reading, Reading::read(value, How::Digit));
    }
}
