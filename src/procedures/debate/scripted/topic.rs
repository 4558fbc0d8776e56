//! What a question is about: the question itself, short enough to be quoted, and the words of it that
//! stand out. Knows no grammar; what it finds is fit to be mentioned, not to be reasoned from.

use crate::sorted::sort_few;

/// Words that say little about what a question is about, English and Spanish; a stem ends with `*`.
const PLAIN: &str = "\
    a an the and or but if of to in on at by for from with without within into onto than then that this these \
    those there their its his her our your my we us you they he she it i is are was were be been being do does \
    did has have had can could may might must shall should will would what which who whom whose when where why \
    how not no nor so as all any each every some more most less least very much many before after until during \
    between against about over under again still yet only also just too own same other another such stop* \
    year years month months week weeks day days age one two three four five six seven eight nine ten twelve \
    thirteen fourteen fifteen sixteen eighteen twenty hundred thousand million percent \
    año años mes meses semana semanas día días edad dos tres cuatro cinco seis siete ocho nueve diez doce trece \
    catorce quince dieciséis dieciocho veinte cien mil millones ciento \
    give* giving close* make* making take* taking use* using allow* ban* let keep* need* get* go* put* start* \
    better best worse worst good bad way ways \
    el la los las un una unos unas lo y o u e ni pero si de del al en con sin por para entre sobre bajo desde \
    hasta hacia según que qué quién cuál cuáles cómo cuándo dónde cuánto es son era fue ser sea estar está están \
    ha han haber hay debe deben debería deberían deberíamos debemos puede pueden podría podrían tiene tienen \
    tener su sus mi mis tu tus nuestro nuestra nuestros nuestras este esta estos estas ese esa esos esas no sí \
    más menos muy mucho muchos todo toda todos todas cada otro otra otros otras antes después mejor peor dejar \
    dejen cerrar prohib* hacer usar dar poner permit* como cuando donde se le les nos ya aún también solo";

/// What parts Chinese words that say something; the longest first.
const PLAIN_ZH: [&str; 52] = [
    "是不是",
    "为什么",
    "什么",
    "怎么",
    "如何",
    "是否",
    "应该",
    "应当",
    "能否",
    "可否",
    "可以",
    "需要",
    "必须",
    "我们",
    "他们",
    "你们",
    "以及",
    "或者",
    "还是",
    "因为",
    "所以",
    "如果",
    "对于",
    "关于",
    "进行",
    "禁止",
    "停止",
    "允许",
    "进入",
    "使用",
    "取消",
    "之前",
    "之后",
    "以前",
    "以内",
    "之内",
    "哪个",
    "一个",
    "一座",
    "哪些",
    "的",
    "了",
    "在",
    "是",
    "对",
    "和",
    "与",
    "吗",
    "呢",
    "内",
    "向",
    "把",
];

/// Characters of a question that are quoted at most.
const LONGEST: usize = 140;
/// Characters of a word at most.
const LONGEST_WORD: usize = 24;

/// What a question is about.
pub(super) struct Topic {
    /// The question on one line, shortened where it is long; no quotation marks in it.
    pub(super) question: String,
    /// Up to three words of it that stand out.
    pub(super) words: Vec<String>,
}

impl Topic {
    pub(super) fn of(question: &str) -> Self {
        let spoken = question.split_whitespace().collect::<Vec<_>>().join(" ");
        let bare: String = spoken
            .chars()
            .map(|c| match c {
                '“' | '”' | '«' | '»' | '"' => '\'',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        let mut short: String = bare.chars().take(LONGEST).collect();
        if short.len() < bare.len() {
            short.truncate(short.rfind(' ').unwrap_or(short.len()));
            short.push('…');
        }
        let words = if bare.contains(is_han) {
            chinese(&bare)
        } else {
            spaced(&bare)
        };
        Self {
            question: short,
            words,
        }
    }
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

fn is_plain(word: &str) -> bool {
    PLAIN.split(' ').any(|plain| match plain.strip_suffix('*') {
        Some(stem) => word.starts_with(stem) && word.len() < stem.len() + 5,
        None => plain == word,
    })
}

/// The words that stand out; two with nothing but a space between them are one.
fn spaced(question: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in question.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | ' ')) {
        let mut follows = false;
        for word in part.split(' ') {
            let word = word.trim_matches(['-', '\'']);
            let length = word.chars().count();
            let says = length > 3 && length <= LONGEST_WORD && word.chars().any(char::is_alphabetic);
            if !says || is_plain(&word.to_lowercase()) {
                follows = false;
                continue;
            }
            match found.last_mut() {
                Some(before) if follows && !before.contains(' ') => {
                    before.push(' ');
                    before.push_str(word);
                }
                _ => found.push(word.to_owned()),
            }
            follows = true;
        }
    }
    longest(found)
}

fn chinese(question: &str) -> Vec<String> {
    let mut parted = question.to_owned();
    for plain in PLAIN_ZH {
        parted = parted.replace(plain, " ");
    }
    let runs = parted.split(|c: char| !is_han(c));
    let mut found: Vec<String> = Vec::new();
    for run in runs {
        let run: String = run.chars().take(6).collect();
        if run.chars().count() >= 2 && !found.contains(&run) {
            found.push(run);
        }
    }
    longest(found)
}

/// The three longest, the longest first, each once.
fn longest(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        let lower = word.to_lowercase();
        if !kept.iter().any(|known| known.to_lowercase() == lower) {
            kept.push(word);
        }
    }
    sort_few(&mut kept, |one, other| {
        one.chars().count() > other.chars().count()
    });
    kept.truncate(3);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(question: &str) -> Vec<String> {
        Topic::of(question).words
    }

    #[test]
    fn words_that_stand_out() {
        let city = "Should a city of 200,000 close its centre to private cars within five years?";
        assert_eq!(words(city), ["private cars", "centre", "city"]);
        assert_eq!(
            words("¿Deberían las escuelas dejar de poner notas antes de los catorce años?"),
            ["escuelas", "notas"]
        );
        assert_eq!(
            words("城市应该在五年内禁止私家车进入市中心吗？"),
            ["私家车", "市中心", "城市"]
        );
        assert!(words("Why?").is_empty());
    }

    #[test]
    fn a_long_question_is_shortened_and_bears_no_quotes() {
        let topic = Topic::of(&"Is “this” so?\n ".repeat(50));
        assert!(topic.question.starts_with("Is 'this' so? Is"));
        assert!(topic.question.chars().count() <= LONGEST + 1);
    }

    proptest! {
        #[test]
        fn any_question_has_at_most_three_words(question in "\\PC{0,200}") {
            let topic = Topic::of(&question);
            prop_assert!(topic.words.len() <= 3);
            prop_assert!(topic.words.iter().all(|word| word.chars().count() <= 2 * LONGEST_WORD + 1));
        }
    }
}
