//! The published program's keyword scores: tables and arithmetic, as they were.

use crate::language::Language;
use crate::principle::Principle;

/// What the scores say about a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeywordMatch {
    /// The language that the program took the text for.
    pub detected: Language,
    /// The best principle, if its score reaches 0.3.
    pub principle: Option<Principle>,
    /// The best score, 0 to 1.
    pub confidence: f64,
}

/// The words of one principle, by what a hit of each category weighs.
struct Words {
    /// 1.0
    primary: &'static [&'static str],
    /// 0.8
    descriptive: &'static [&'static str],
    /// 1.2
    phrases: &'static [&'static str],
    /// 3.0
    constraints: &'static [&'static str],
    /// -0.5
    negatives: &'static [&'static str],
}

/// The lowest score that counts.
const THRESHOLD: f64 = 0.3;

/// Words that made a text Spanish.
const SPANISH_SIGNS: [&str; 5] = ["maximizar", "restricción", "promedio", "mínimo", "ingreso"];

/// Scores a text; ties go to the lower number.
#[must_use]
pub fn keyword_match(text: &str) -> KeywordMatch {
    let text = text.trim().to_lowercase();
    let detected = detect(&text);
    let table = match detected {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
        Language::Mandarin => &MANDARIN,
    };
    let mut best: (Option<Principle>, f64) = (None, 0.0);
    for (words, principle) in table.iter().zip(Principle::ALL) {
        let score = words.score(&text);
        if score > best.1 {
            best = (Some(principle), score);
        }
    }
    KeywordMatch {
        detected,
        principle: best.0.filter(|_| best.1 >= THRESHOLD),
        confidence: best.1,
    }
}

fn detect(lower: &str) -> Language {
    if lower.contains(|c| matches!(c, '\u{4e00}'..='\u{9fff}')) {
        Language::Mandarin
    } else if SPANISH_SIGNS.iter().any(|sign| lower.contains(sign)) {
        Language::Spanish
    } else {
        Language::English
    }
}

impl Words {
    /// The weights of the categories with a hit, over the weights of all.
    fn score(&self, lower: &str) -> f64 {
        let categories = [
            (self.primary, 1.0),
            (self.descriptive, 0.8),
            (self.phrases, 1.2),
            (self.constraints, 3.0),
            (self.negatives, -0.5),
        ];
        let (mut sum, mut all) = (0.0, 0.0);
        for (words, weight) in categories.iter().filter(|category| !category.0.is_empty()) {
            all += f64::abs(*weight);
            if words.iter().any(|word| lower.contains(word)) {
                sum += weight;
            }
        }
        (sum / all).clamp(0.0, 1.0)
    }
}

const ENGLISH: [Words; 4] = [
    Words {
        primary: &["floor", "minimum", "lowest", "bottom"],
        descriptive: &["worst off", "most disadvantaged", "poorest", "least well off"],
        phrases: &[
            "maximizing floor",
            "maximizing minimum",
            "maximizing lowest",
            "maximize floor income",
            "maximize minimum income",
        ],
        constraints: &[],
        negatives: &["not average", "not constraint", "not range"],
    },
    Words {
        primary: &["average", "mean", "total"],
        descriptive: &["aggregate", "sum", "overall", "society total"],
        phrases: &[
            "maximizing average",
            "maximize average income",
            "maximizing total",
            "maximize overall income",
            "maximize society income",
        ],
        constraints: &[],
        negatives: &["not constraint", "not floor", "not range", "no constraint"],
    },
    Words {
        primary: &["floor constraint", "minimum constraint", "guaranteed minimum"],
        descriptive: &["average with floor", "constrained by floor", "floor first"],
        phrases: &[
            "maximizing average with floor constraint",
            "maximize average floor constraint",
            "average income with minimum constraint",
            "average subject to floor",
        ],
        constraints: &[
            "with floor",
            "floor of",
            "minimum of",
            "guarantee",
            "floor constraint",
        ],
        negatives: &[],
    },
    Words {
        primary: &["range constraint", "gap constraint", "difference constraint"],
        descriptive: &["average with range", "constrained by range", "limited difference"],
        phrases: &[
            "maximizing average with range constraint",
            "maximize average range constraint",
            "average income with range limit",
            "average subject to range",
        ],
        constraints: &[
            "with range",
            "range of",
            "gap of",
            "difference of",
            "range constraint",
        ],
        negatives: &[],
    },
];

const SPANISH: [Words; 4] = [
    Words {
        primary: &["mínimo", "más bajo", "piso"],
        descriptive: &[
            "peor situado",
            "más desfavorecido",
            "más pobre",
            "menos favorecido",
        ],
        phrases: &[
            "maximizar mínimo",
            "maximización mínimo",
            "maximizar piso",
            "maximizar ingreso mínimo",
            "maximización ingreso mínimo",
        ],
        constraints: &[],
        negatives: &["no promedio", "no restricción", "no rango"],
    },
    Words {
        primary: &["promedio", "media", "total"],
        descriptive: &["agregado", "suma", "general", "total sociedad"],
        phrases: &[
            "maximizar promedio",
            "maximización promedio",
            "maximizar total",
            "maximizar ingreso promedio",
            "maximización ingreso promedio",
        ],
        constraints: &[],
        negatives: &["no restricción", "no mínimo", "no rango", "sin restricción"],
    },
    Words {
        primary: &["restricción mínimo", "restricción piso", "mínimo garantizado"],
        descriptive: &["promedio con mínimo", "restringido por mínimo", "mínimo primero"],
        phrases: &[
            "maximizar promedio con restricción mínimo",
            "maximización promedio restricción mínimo",
            "ingreso promedio con restricción mínima",
            "promedio sujeto a mínimo",
        ],
        constraints: &["con mínimo", "mínimo de", "garantizar", "restricción mínimo"],
        negatives: &[],
    },
    Words {
        primary: &[
            "restricción rango",
            "restricción diferencia",
            "restricción brecha",
        ],
        descriptive: &[
            "promedio con rango",
            "restringido por rango",
            "diferencia limitada",
        ],
        phrases: &[
            "maximizar promedio con restricción rango",
            "maximización promedio restricción rango",
            "ingreso promedio con límite rango",
            "promedio sujeto a rango",
        ],
        constraints: &[
            "con rango",
            "rango de",
            "brecha de",
            "diferencia de",
            "restricción rango",
        ],
        negatives: &[],
    },
];

const MANDARIN: [Words; 4] = [
    Words {
        primary: &["最低", "最小", "底线"],
        descriptive: &["最差", "最弱势", "最贫困", "最不利"],
        phrases: &["最大化最低", "最低收入最大化", "最大化底线", "最大化最低收入"],
        constraints: &[],
        negatives: &["非平均", "非约束", "非范围"],
    },
    Words {
        primary: &["平均", "均值", "总体"],
        descriptive: &["汇总", "总和", "整体", "社会总体"],
        phrases: &["最大化平均", "平均收入最大化", "最大化总体", "最大化平均收入"],
        constraints: &[],
        negatives: &["无约束", "非最低", "非范围", "没有约束"],
    },
    Words {
        primary: &["最低约束", "底线约束", "保证最低"],
        descriptive: &["约束下平均", "最低约束条件", "底线优先"],
        phrases: &[
            "在最低收入约束条件下最大化平均收入",
            "最低约束下平均最大化",
            "约束最低的平均收入",
            "受最低约束的平均",
        ],
        constraints: &["约束条件下", "最低约束", "保证最低", "约束为", "底线约束"],
        negatives: &[],
    },
    Words {
        primary: &["范围约束", "差距约束", "区间约束"],
        descriptive: &["约束下平均", "范围约束条件", "差距限制"],
        phrases: &[
            "在范围约束条件下最大化平均收入",
            "范围约束下平均最大化",
            "约束范围的平均收入",
            "受范围约束的平均",
        ],
        constraints: &["约束条件下", "范围约束", "差距约束", "约束为", "范围限制"],
        negatives: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::keyword_match;
    use crate::language::Language;
    use crate::principle::Principle;

    #[test]
    fn scores_are_shares_of_the_weights() {
        let floor = keyword_match("The minimum");
        assert_eq!((floor.principle, floor.detected), (None, Language::English));
        assert!((floor.confidence - 1.0 / 3.5).abs() < 1e-9);
        let gap = keyword_match("a gap of my choosing");
        assert_eq!(gap.principle, Some(Principle::RangeConstraint));
        assert!((gap.confidence - 0.5).abs() < 1e-9);
        assert_eq!(keyword_match("el ingreso").detected, Language::Spanish);
        assert_eq!(
            keyword_match("保证最低 promedio").principle,
            Some(Principle::FloorConstraint)
        );
    }
}
