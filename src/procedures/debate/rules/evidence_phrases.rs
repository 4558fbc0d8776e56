//! The words by which claims, vagueness, evidence and reasoning are recognised, in three languages. The
//! English lists are those of the published measure; the Spanish and the Chinese ones are ours. Phrases
//! are written as [`super::scan`] tells.

use crate::language::Language;

/// The words of one language.
pub(super) struct Phrases {
    /// Before the name of a source.
    pub(super) according: &'static [&'static str],
    /// Before a source, with a colon.
    pub(super) source: &'static [&'static str],
    /// An example; true where a word has to follow.
    pub(super) example: &'static [(&'static str, bool)],
    /// Before a number that says by how much something changed.
    pub(super) changed: &'static [&'static str],
    /// Between such a word and its number.
    pub(super) by: &'static [&'static str],
    /// Units of time; the first that fits is taken.
    pub(super) time: &'static [&'static str],
    /// Words that say little.
    pub(super) vague: &'static [&'static str],
    /// Words that announce something exact.
    pub(super) specific: &'static [&'static str],
    /// Words between a reason and what follows.
    pub(super) connectors: &'static [&'static str],
    /// First words of a question.
    pub(super) questions: &'static [&'static str],
    /// First words of what is only guessed.
    pub(super) hedges: &'static [&'static str],
    /// Signs of a claim.
    pub(super) claims: &'static [&'static str],
}

/// The words of a language.
pub(super) fn phrases(language: Language) -> &'static Phrases {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
        Language::Mandarin => &MANDARIN,
    }
}

/// Signs of data that need no language.
pub(super) const CURRENCY: [char; 5] = ['$', '€', '£', '¥', '￥'];
/// Units of size.
pub(super) const SIZES: [&str; 4] = ["kb", "mb", "gb", "tb"];

static ENGLISH: Phrases = Phrases {
    according: &["according to"],
    source: &["source"],
    example: &[
        ("for example", false),
        ("for instance", false),
        ("such as", true),
        ("e.g.", false),
        ("specifically,", false),
        ("in practice,", false),
        ("case in point", false),
    ],
    changed: &["increased", "decreased", "improved", "reduced"],
    by: &["by"],
    time: &["ms", "s", "seconds", "minutes", "hours", "days"],
    vague: &[
        "generally",
        "typically",
        "usually",
        "often",
        "sometimes",
        "might",
        "could potentially",
        "may or may not",
        "it depends",
        "in some cases",
        "various factors",
        "many considerations",
        "significant impact",
        "important aspects",
        "key elements",
        "best practices",
        "industry standard",
        "common approach",
    ],
    specific: &[
        "specifically",
        "precisely",
        "exactly",
        "measured at",
        "observed in",
        "documented in",
        "tested with",
        "verified by",
    ],
    connectors: &[
        "therefore",
        "thus",
        "consequently",
        "because",
        "since",
        "given that",
        "it follows that",
        "this implies",
        "as a result",
        "hence",
    ],
    questions: &["what|why|how|when|where|who|which"],
    hedges: &[
        "maybe|perhaps|possibly|potentially",
        "i think|guess",
        "it seems|appears",
    ],
    claims: &[
        "is|are|was|were|will_be|should_be|must_be|cannot_be *",
        "we|they|it|this|the should|must|need_to|have_to|ought_to",
        "therefore|thus|hence|consequently|as_a_result",
        "i|we believe|argue|propose|suggest|recommend|conclude",
        "this|that|it causes|prevents|enables|leads_to|results_in",
    ],
};

static SPANISH: Phrases = Phrases {
    according: &["según", "de acuerdo con"],
    source: &["fuente"],
    example: &[
        ("por ejemplo", false),
        ("tales como", true),
        ("tal como", true),
        ("p. ej.", false),
        ("p.ej.", false),
        ("en concreto,", false),
        ("en la práctica,", false),
        ("a modo de ejemplo", false),
    ],
    changed: &[
        "aumentó",
        "disminuyó",
        "mejoró",
        "redujo",
        "aumentado",
        "disminuido",
        "mejorado",
        "reducido",
        "creció",
        "cayó",
    ],
    by: &["en un", "un", "en", "en el", "el"],
    time: &["ms", "segundos", "minutos", "horas", "días", "dias", "s"],
    vague: &[
        "generalmente|en_general",
        "típicamente",
        "normalmente|habitualmente",
        "a menudo",
        "a veces",
        "quizás|quizá|tal_vez",
        "podría|podrían",
        "puede que",
        "depende",
        "en algunos casos",
        "diversos|varios|múltiples factores",
        "muchas consideraciones",
        "impacto significativo",
        "aspectos importantes",
        "elementos clave",
        "mejores|buenas prácticas",
        "estándar de_la_industria|del_sector",
        "enfoque común|habitual",
    ],
    specific: &[
        "específicamente|concretamente",
        "precisamente",
        "exactamente",
        "medido|medida|medidos|medidas en",
        "observado|observada|observados|observadas en",
        "documentado|documentada en",
        "probado|probada con",
        "verificado|verificada por",
    ],
    connectors: &[
        "por lo_tanto|tanto",
        "así",
        "en consecuencia|por_consiguiente",
        "porque",
        "ya que",
        "puesto que",
        "dado que",
        "se sigue que",
        "esto implica",
        "como resultado",
        "de ahí",
    ],
    questions: &["qué|cómo|cuándo|dónde|quién|cuál|cuáles|por_qué"],
    hedges: &["quizás|quizá|tal_vez|posiblemente", "creo|supongo", "parece"],
    claims: &[
        "es|son|fue|fueron|era|eran|será|serán|está|están *",
        "debe|deben|debemos|debería|deberían|deberíamos|tenemos_que|hay_que|hace_falta",
        "por_lo_tanto|por_tanto|en_consecuencia|por_consiguiente|como_resultado",
        "creemos|sostengo|sostenemos|propongo|proponemos|sugiero|sugerimos|recomiendo|recomendamos|concluyo|concluimos",
        "causa|causan|impide|impiden|permite|permiten|conduce_a|conducen_a",
    ],
};

static MANDARIN: Phrases = Phrases {
    according: &["根据", "依据", "按照"],
    source: &["来源", "出处"],
    example: &[
        ("例如", false),
        ("比如", false),
        ("譬如", false),
        ("具体来说", false),
        ("举例来说", false),
        ("实践中", false),
    ],
    changed: &[
        "增加", "减少", "提高", "降低", "增长", "下降", "上升", "提升", "缩短",
    ],
    by: &["了", "到"],
    time: &["毫秒", "秒", "分钟", "小时", "天", "个月", "年", "ms", "s"],
    vague: &[
        "一般来说|一般而言|总的来说",
        "通常",
        "往往|经常",
        "有时",
        "可能|也许|或许",
        "视情况而定|要看情况",
        "在某些情况下",
        "各种因素|多种因素",
        "很多考虑|诸多考虑",
        "重大影响|显著影响",
        "重要方面",
        "关键要素|关键因素",
        "最佳实践",
        "行业标准",
        "常见做法|常用方法",
    ],
    specific: &[
        "具体而言|具体来说",
        "准确地说",
        "精确|确切",
        "测得|测量",
        "观察到",
        "记录在|记载",
        "经测试|测试表明",
        "经验证|已验证",
    ],
    connectors: &[
        "因此",
        "所以",
        "因为",
        "由于",
        "从而",
        "鉴于",
        "由此可见",
        "这意味着",
        "结果",
        "故而",
    ],
    questions: &["什么|为什么|怎么|如何|何时|哪里|谁|哪个"],
    hedges: &["也许|或许|可能", "我觉得|我猜", "似乎|好像|看来"],
    claims: &[
        "是",
        "应该|应当|必须|需要",
        "因此|所以|从而",
        "我们认为|我认为|我建议|我们建议|我主张|提议",
        "导致|使得|防止|避免|能够",
    ],
};
