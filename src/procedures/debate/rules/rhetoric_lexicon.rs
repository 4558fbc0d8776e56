//! The words by which patterns of speech are recognised, in three languages. The English lists are
//! those of the published observer; the Spanish and the Chinese ones are ours. Phrases are written as
//! [`super::scan`] tells.

use super::rhetoric::Pattern;
use crate::language::Language;

/// The signs of one pattern.
pub(super) struct Signs {
    pub(super) pattern: Pattern,
    /// Words that hint at it.
    pub(super) keywords: &'static [&'static str],
    /// Turns of phrase that show it.
    pub(super) turns: &'static [&'static str],
}

const fn signs(pattern: Pattern, keywords: &'static [&'static str], turns: &'static [&'static str]) -> Signs {
    Signs {
        pattern,
        keywords,
        turns,
    }
}

/// The signs of all patterns in a language, in the order of [`Pattern`].
pub(super) fn lexicon(language: Language) -> &'static [Signs; 9] {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
        Language::Mandarin => &MANDARIN,
    }
}

/// How a question begins that expects no answer.
pub(super) fn openers(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["what if", "why would", "how can", "isn't it", "shouldn't we"],
        Language::Spanish => &[
            "y si",
            "por qué habría|habríamos|iba|íbamos",
            "cómo es_posible|podemos|podría",
            "acaso",
            "no deberíamos|sería",
        ],
        Language::Mandarin => &[
            "如果 会怎样|会怎么样|呢",
            "难道",
            "何不|为何不|为什么不",
            "怎么可能|怎么能",
            "岂不|岂能",
        ],
    }
}

/// What turns the end of a statement into a question.
pub(super) fn tags(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["right", "no", "isn't it"],
        Language::Spanish => &["verdad", "no", "cierto"],
        Language::Mandarin => &["对吧", "不是吗", "对不对", "是吧"],
    }
}

use Pattern::{
    Analogy, AppealToAuthority, AppealToEvidence, Concession, Qualification, Rebuttal, RhetoricalQuestion,
    Synthesis, TechnicalDepth,
};

static ENGLISH: [Signs; 9] = [
    signs(
        Concession,
        &[
            "acknowledge",
            "fair point",
            "you're right",
            "i agree",
            "valid point",
            "granted",
            "i concede",
            "admittedly",
            "while true",
            "that said",
            "indeed",
        ],
        &[
            "i must? acknowledge|admit|concede",
            "fair|valid|good point",
            "you're|you_are right|correct",
        ],
    ),
    signs(
        Rebuttal,
        &[
            "however",
            "but",
            "on the contrary",
            "disagree",
            "actually",
            "in fact",
            "not quite",
            "that's not",
            "i would argue",
            "counter to",
            "misses",
        ],
        &[
            "however|but",
            "i would? disagree|argue",
            "actually|in_fact",
            "on the contrary",
        ],
    ),
    signs(
        Synthesis,
        &[
            "combining",
            "both perspectives",
            "integrate",
            "bringing together",
            "middle ground",
            "reconcile",
            "common ground",
            "bridge",
            "synthesis",
            "merge",
        ],
        &[
            "combine|combining|integrate|integrating|reconcile|reconciling|merge|merging",
            "both|all perspective|perspectives|view|views|point|points",
            "middle|common ground",
        ],
    ),
    signs(
        AppealToAuthority,
        &[
            "according to",
            "research shows",
            "experts say",
            "studies indicate",
            "as per",
            "documentation states",
            "best practices",
            "industry standard",
        ],
        &[
            "according to",
            "research|studies|expert|experts show|shows|indicate|indicates|say|says|suggest|suggests",
            "best practice|practices",
        ],
    ),
    signs(
        AppealToEvidence,
        &[
            "for example",
            "such as",
            "specifically",
            "consider the case",
            "evidence suggests",
            "data shows",
            "looking at",
            "we can see",
            "demonstrated by",
        ],
        &[
            "for example|instance",
            "such_as|specifically|e.g",
            "evidence|data shows|suggests|indicates",
        ],
    ),
    signs(
        TechnicalDepth,
        &[
            "implementation",
            "architecture",
            "algorithm",
            "complexity",
            "performance",
            "scalability",
            "database",
            "api",
            "protocol",
            "async",
            "threading",
        ],
        &[
            "implement|implemented|implementing|architect|architected|architecture|design|designed|designing",
            "async|await|threading|concurrent",
        ],
    ),
    signs(RhetoricalQuestion, &[], &[]),
    signs(
        Analogy,
        &[
            "like",
            "similar to",
            "just as",
            "analogous",
            "think of it as",
            "imagine",
            "metaphorically",
            "in the same way",
            "comparable to",
        ],
        &[
            "like a|the|when",
            "similar to",
            "just as ~ so",
            "think of it like|as",
        ],
    ),
    signs(
        Qualification,
        &[
            "depends on",
            "in some cases",
            "typically",
            "usually",
            "often",
            "sometimes",
            "it varies",
            "context dependent",
            "nuanced",
        ],
        &[
            "depends_on|in_some_cases",
            "typically|usually|often|sometimes",
            "it's|it_is nuanced|complex|complicated",
        ],
    ),
];

static SPANISH: [Signs; 9] = [
    signs(
        Concession,
        &[
            "reconozco",
            "buen punto|argumento",
            "tienes|tiene razón",
            "estoy de acuerdo",
            "punto válido",
            "concedo",
            "admito",
            "ciertamente|cierto",
            "es verdad",
            "dicho esto",
            "en efecto",
        ],
        &[
            "debo? reconocer|reconozco|admitir|admito|conceder|concedo",
            "buen|válido punto|argumento",
            "tienes|tiene|tienen razón",
        ],
    ),
    signs(
        Rebuttal,
        &[
            "sin embargo",
            "pero",
            "por el contrario",
            "al contrario",
            "discrepo",
            "en realidad",
            "de hecho",
            "no exactamente",
            "eso no",
            "no obstante",
            "no estoy de acuerdo",
        ],
        &[
            "sin_embargo|pero|no_obstante",
            "discrepo|no_estoy_de_acuerdo|yo_diría",
            "en_realidad|de_hecho",
            "por_el|al contrario",
        ],
    ),
    signs(
        Synthesis,
        &[
            "combinando",
            "ambas perspectivas",
            "integrar",
            "reunir",
            "punto medio",
            "reconciliar|conciliar",
            "puntos en común",
            "puente",
            "síntesis",
            "fusionar|unir",
        ],
        &[
            "combinar|combinando|integrar|integrando|conciliar|conciliando|reconciliar|fusionar|fusionando",
            "ambas|ambos|todas_las|todos_los perspectivas|posturas|posiciones|puntos|argumentos",
            "punto_medio|terreno_común|puntos_en_común",
        ],
    ),
    signs(
        AppealToAuthority,
        &[
            "según",
            "la investigación muestra",
            "los expertos dicen",
            "los estudios indican",
            "de acuerdo con",
            "la documentación dice|indica",
            "mejores|buenas prácticas",
            "estándar de_la_industria|del_sector",
        ],
        &[
            "según|de_acuerdo_con",
            "investigación|estudios|experto|expertos|investigaciones muestra|muestran|indica|indican|dice|dicen|sugiere|sugieren",
            "mejores|buenas prácticas",
        ],
    ),
    signs(
        AppealToEvidence,
        &[
            "por ejemplo",
            "tal_como|tales_como",
            "en concreto|específicamente|concretamente",
            "consideremos el caso",
            "la evidencia sugiere",
            "los datos muestran",
            "si miramos|observamos",
            "podemos ver",
            "demostrado por",
        ],
        &[
            "por ejemplo",
            "tales_como|tal_como|en_concreto|concretamente|específicamente|p.ej",
            "evidencia|datos|pruebas muestra|muestran|sugiere|sugieren|indica|indican",
        ],
    ),
    signs(
        TechnicalDepth,
        &[
            "implementación",
            "arquitectura",
            "algoritmo",
            "complejidad",
            "rendimiento",
            "escalabilidad",
            "base de datos",
            "api",
            "protocolo",
            "asíncrono|asíncrona",
            "hilos",
        ],
        &[
            "implementar|implementado|implementando|implementación|arquitectura|diseñar|diseñado|diseñando|diseño",
            "asíncrono|asíncrona|async|await|hilos|concurrente|concurrencia",
        ],
    ),
    signs(RhetoricalQuestion, &[], &[]),
    signs(
        Analogy,
        &[
            "como un|una",
            "similar a",
            "parecido a",
            "al igual que",
            "análogo|análoga",
            "piénsalo como",
            "imagina|imaginemos|imaginen",
            "metafóricamente",
            "de la misma manera|forma",
            "comparable a",
        ],
        &[
            "como un|una|cuando|si",
            "similar|parecido|parecida a",
            "así_como|igual_que",
            "piénsalo|piénsenlo|pensemos como",
        ],
    ),
    signs(
        Qualification,
        &[
            "depende de|del",
            "en algunos casos",
            "típicamente",
            "normalmente|usualmente",
            "a menudo",
            "a veces",
            "varía",
            "según el contexto",
            "matices|matizado|matizada",
        ],
        &[
            "depende_de|depende_del|en_algunos_casos",
            "típicamente|normalmente|usualmente|a_menudo|a_veces",
            "es complejo|compleja|complicado|complicada|matizado",
        ],
    ),
];

static MANDARIN: [Signs; 9] = [
    signs(
        Concession,
        &[
            "承认",
            "有道理",
            "你说得对|您说得对",
            "我同意",
            "说得好|好观点",
            "诚然",
            "我认可",
            "不可否认",
            "的确",
            "确实",
            "话虽如此",
        ],
        &[
            "我 承认|认可|同意",
            "有道理|合理的观点|好的观点",
            "你|您 说得对|是对的|没错",
        ],
    ),
    signs(
        Rebuttal,
        &[
            "然而",
            "但是|但",
            "相反",
            "不同意|不赞同",
            "其实",
            "事实上",
            "并非如此|不完全是",
            "这不是",
            "我认为不",
            "不过",
            "忽略了|忽视了",
        ],
        &[
            "然而|但是|不过|可是",
            "我 不同意|不赞同|反对",
            "其实|事实上|实际上",
            "恰恰相反|正相反|与此相反",
        ],
    ),
    signs(
        Synthesis,
        &[
            "结合",
            "两种观点|双方观点",
            "整合",
            "汇集|综合",
            "折中|中间立场",
            "调和",
            "共同点|共识",
            "桥梁",
            "融合",
            "兼顾",
        ],
        &[
            "结合|整合|调和|融合|综合",
            "两种|双方|各方 观点|意见|看法|立场",
            "折中|中间立场|共同点|共识",
        ],
    ),
    signs(
        AppealToAuthority,
        &[
            "根据",
            "研究表明|研究显示",
            "专家说|专家认为|专家指出",
            "调查显示",
            "按照",
            "文档说明|文件指出",
            "最佳实践",
            "行业标准",
        ],
        &[
            "根据|依据|按照",
            "研究|专家|学者 表明|显示|认为|指出|建议",
            "最佳实践|行业标准",
        ],
    ),
    signs(
        AppealToEvidence,
        &[
            "例如",
            "比如",
            "具体来说|具体而言",
            "以 为例",
            "证据表明|证据显示",
            "数据显示|数据表明",
            "我们可以看到|可以看出",
            "实例",
            "由此可见",
        ],
        &[
            "例如|比如|譬如",
            "具体来说|具体而言|以 为例",
            "证据|数据 表明|显示|说明",
        ],
    ),
    signs(
        TechnicalDepth,
        &[
            "实现",
            "架构",
            "算法",
            "复杂度",
            "性能",
            "可扩展性|扩展性",
            "数据库",
            "接口",
            "协议",
            "异步",
            "线程|多线程",
        ],
        &["实现|架构|设计", "异步|线程|并发|同步"],
    ),
    signs(RhetoricalQuestion, &[], &[]),
    signs(
        Analogy,
        &[
            "就像|好像",
            "类似于|类似",
            "正如",
            "好比",
            "可以想象成|可以看作",
            "想象一下|试想",
            "打个比方",
            "同样地|同理",
            "相当于",
        ],
        &[
            "就像|好像|犹如|如同",
            "类似于|与 类似",
            "正如 一样|也|那样",
            "看作|想象成|视为",
        ],
    ),
    signs(
        Qualification,
        &[
            "取决于",
            "在某些情况下",
            "通常",
            "一般来说",
            "往往|经常",
            "有时",
            "因 而异",
            "视情况而定|视具体情况",
            "微妙|细微差别",
        ],
        &[
            "取决于|在某些情况下|视情况而定",
            "通常|往往|经常|有时|一般来说",
            "很复杂|比较复杂|较为复杂",
        ],
    ),
];
