//! Texts come from others: a long one made to be slow to read must not hold up a debate.

use crate::support::{seconds_computed, times};
use quorate::language::Language;
use quorate::procedures::debate::rules::contradiction::is_contradictory;
use quorate::procedures::debate::rules::crosscheck::cross_check;
use quorate::procedures::debate::rules::evidence::evidence_quality;
use quorate::procedures::debate::rules::rhetoric::observe;
use quorate::procedures::debate::rules::similarity::{jaccard, lexical};
use quorate::procedures::debate::rules::stance::{detect_stance, sources};
use quorate::procedures::debate::rules::taint::taints;

/// Pieces that begin many forms and end none, or end them over and over.
const PIECES: [&str; 16] = [
    "send ignore all ",
    "发送忽略请求",
    "according to ",
    "just as ",
    "((((",
    "[1 ",
    "1,234,567",
    "source:   ",
    "It is a b c d e f g h i. ",
    "What if? ",
    "根据",
    "如果因为难道",
    "reduced by ",
    "e.g. ",
    "no, right? ",
    "from Aa ",
];

#[test]
fn hostile_texts_are_read_in_time() {
    let all = PIECES.into_iter().zip(Language::ALL.into_iter().cycle());
    for (piece, language) in all.step_by(times(5, 1)) {
        let text = piece.repeat(30_000 / piece.len());
        let other = format!("{text} and then");
        let start = seconds_computed();
        let _ = evidence_quality(&text, language, 2026);
        let _ = cross_check(&[("a", &text), ("b", &other)], language);
        let _ = observe(&text, language);
        let _ = taints(&text);
        let _ = (jaccard(&text, &other), lexical(&text, &other));
        let _ = (
            is_contradictory(&text, &other),
            detect_stance(&text),
            sources(&text),
        );
        let seconds = seconds_computed() - start;
        eprintln!("{piece:?} {language:?}: {seconds:.2} s");
        assert!(seconds < 20.0, "{piece:?} {language:?}");
    }
}
