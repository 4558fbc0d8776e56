//! The words that readers look for, as data: three languages in one table, because people mix them.
//! Nothing here decides anything.
//!
//! Entries are folded as `lexer::fold` folds text: lower case, without accents (but a last `í` or `ó`
//! keeps its accent: "votó" is not "voto"), hyphens inside words as spaces. They match whole words;
//! `~` at the end lets the word go on. The longest entry wins, so `Plain` entries shield phrases from
//! the words inside them.

use super::lexer::Kind::{self, *};

/// Every kind with its words, separated by `|`.
pub(super) const TABLE: &[(Kind, &str)] = &[
    // Things that have a number.
    (
        Noun,
        "principle|option|number|alternative|no.|opt|principio|opcion|numero|alternativa|num|原则|选项|方案|项目|号|项|个|种|条",
    ),
    (
        Plural,
        "principles|options|numbers|choices|points|people|persons|members|times|reasons|things|of us|of them",
    ),
    (
        Plural,
        "principios|opciones|votos|puntos|veces|personas|razones|miembros|票",
    ),
    (
        Round,
        "round|rounds|step|steps|phase|phases|stage|stages|agent|agents|participant|participants|player|players",
    ),
    (
        Round,
        "person|member|seat|day|page|class|distribution|situation|attempt|section|part|point|reason|level|year",
    ),
    (
        Round,
        "ronda|rondas|paso|pasos|fase|fases|etapa|agente|agentes|participante|participantes|jugador|persona|miembro",
    ),
    (
        Round,
        "dia|pagina|clase|distribucion|situacion|intento|seccion|parte|punto|razon|nivel",
    ),
    (
        Round,
        "轮|回合|阶段|步|步骤|代理|参与者|成员|玩家|智能体|页|天|分布|人|位",
    ),
    (
        Occasion,
        "time|place|thought|thoughts|thing|vez|lugar|cosa|次|时间",
    ),
    // Numbers in words.
    (Cardinal(1), "one|uno|una|一"),
    (Cardinal(2), "two|dos|二"),
    (Cardinal(3), "three|tres|三"),
    (Cardinal(4), "four|cuatro|四"),
    (Ordinal(1), "first|primero|primera|primer|第一"),
    (Ordinal(2), "second|segundo|segunda|第二"),
    (Ordinal(3), "third|tercero|tercera|tercer|第三"),
    (Ordinal(4), "fourth|cuarto|cuarta|第四"),
    // Who speaks.
    (I, "i|i'm|i'll|i'd|i've|im|ill|we|yo|nosotros|我|我们|本人"),
    (
        My,
        "my|mine|me|myself|our|us|mi|mis|nuestro|nuestra|我的|我们的|我个人",
    ),
    (
        Other,
        "he|she|they|his|her|their|everyone|everybody|someone|somebody|others|most|majority|group|people's",
    ),
    (
        Other,
        "ella|ellos|ellas|otros|otras|todos|todas|alguien|demas|mayoria|grupo|他|她|他们|她们|大家|其他人|别人|有人",
    ),
    (Other, "对方|多数|多数人|众人|全体|小组"),
    (
        OtherVerb,
        "votes|voted|chose|chooses|picks|picked|selects|prefers|wants|wanted|proposes|proposed|suggests|suggested",
    ),
    (
        OtherVerb,
        "supports|supported|favors|favours|backs|backed|says|said|likes|liked|argues|argued|opted|opts|insists",
    ),
    (
        OtherVerb,
        "insisted|leans|leaned|went|votó|vota|votan|votaron|eligió|elige|eligen|eligieron|escogió|escoge|prefirió",
    ),
    (
        OtherVerb,
        "agrees|thinks|believes|feels|cree|creen|piensa|piensan|agreed on|agree on|prefiere|prefieren|quiere|quieren|propuso|propone|proponen|sugirió|sugiere|apoya|apoyan|apoyó|dijo|dice",
    ),
    (
        OtherVerb,
        "dijeron|defiende|defendió|投了|选了|主张|提议|提出|建议|说|要求",
    ),
    // Naming one's answer.
    (
        Label,
        "vote|ballot|choice|answer|decision|selection|response|verdict|voto|eleccion|respuesta|seleccion|papeleta",
    ),
    (Label, "选择|投票|答案|决定|回答|选票|结论|boxed"),
    (
        Choose,
        "choose|choosing|select|selecting|pick|picking|voting|opt for|opting for|go for|going for|go with|going with",
    ),
    (
        Choose,
        "stick with|sticking with|settle on|settling on|cast|投|投给|选|选定",
    ),
    (
        ChooseMine,
        "elijo|escojo|opto|me quedo con|me decanto por|votare|elegire|escogere|voy con|voy por|elegí|escogí",
    ),
    (
        ChooseMine,
        "he elegido|he votado|he decidido|he escogido|decido|selecciono|final answer|final vote|final choice",
    ),
    (
        ChooseMine,
        "final decision|voto final|eleccion final|respuesta final|decision final|最终选择|最终投票|最终答案|最终决定",
    ),
    (
        Prefer,
        "prefer|support|favor|favour|endorse|propose|preference|favorite|favourite|prefiero|apoyo|respaldo|propongo",
    ),
    (Prefer, "同意|赞同|认为|觉得"),
    (
        Prefer,
        "preferencia|me inclino por|支持|赞成|倾向|倾向于|偏向|喜欢|偏好|首选",
    ),
    // What turns, bounds or joins.
    (
        Not,
        "not|don't|doesn't|won't|wouldn't|isn't|aren't|can't|cannot|didn't|shouldn't|wasn't|dont|wont|cant|never|neither",
    ),
    (
        Not,
        "nor|no|non|against|reject|rejecting|oppose|opposing|avoid|except|without|exclude|excluding|nunca|ni|tampoco",
    ),
    (
        Not,
        "jamas|contra|en contra de|sin|rechazo|rechazar|excepto|salvo|evitar|evito|不|不是|非|没|没有|无|别|勿|反对|拒绝",
    ),
    (Not, "避免|除了|并非|不选|不要"),
    (
        Not,
        "anything but|everything but|all but|other than|dislike|hate|refuse|refuse to|todo menos|cualquiera menos|menos el|讨厌",
    ),
    (If, "if|unless|si|如果|要是|假如|除非|倘若"),
    (
        Versus,
        "over|rather than|instead of|than|versus|vs|unlike|en vez de|en lugar de|antes que|mas que|frente a|比|胜过",
    ),
    (Versus, "优于|好于|而不是|而非|不如|不同于"),
    (
        Because,
        "because|since|given|due to|considering|cause|porque|ya que|dado que|puesto que|pues|debido a|因为|由于|毕竟",
    ),
    (Because, "考虑到|鉴于"),
    (
        Reason,
        "reason|reasons|reasoning|justification|explanation|rationale|razon|razones|razonamiento|justificacion|explicacion",
    ),
    (Reason, "motivo|motivos|理由|原因|解释|说明"),
    (
        So,
        "so|therefore|thus|hence|consequently|por eso|por tanto|por lo tanto|asi que|entonces|所以|因此|于是|故|因而|那么",
    ),
    (
        But,
        "but|although|though|however|while|whereas|yet|even though|pero|sino|aunque|sin embargo|mientras|不过|但|但是",
    ),
    (But, "而是|然而|可是|虽然|尽管|而"),
    (And, "and|&|y|和|与|以及|及|跟|而且|并且"),
    (
        Or,
        "or|either|perhaps|maybe|possibly|between|o|quiza|quizas|tal vez|entre|或|或者|也许|可能|要么",
    ),
    (
        Earlier,
        "last round|last time|last vote|previous round|previous vote|previous|previously|before|earlier|at first|initially",
    ),
    (
        Earlier,
        "originally|used to|was going to|was thinking|i thought|considered|formerly|ronda anterior|ronda pasada",
    ),
    (
        Earlier,
        "anterior|anteriormente|antes|previamente|al principio|inicialmente|al inicio|pense en|habia|上一轮|上轮|上次",
    ),
    (
        Earlier,
        "之前|以前|先前|原来|原本|本来|起初|最初|一开始|曾|曾经|考虑过",
    ),
    (
        Earlier,
        "second best|third best|fourth best|next best|fue|segunda mejor",
    ),
    (
        Correction,
        "actually|wait|no wait|sorry|scratch that|correction|on second thought|on second thoughts|on reflection|i mean",
    ),
    (
        Correction,
        "changed my mind|i changed my mind|i've changed my mind|mejor dicho|perdon|corrijo|correccion|en realidad",
    ),
    (
        Correction,
        "pensandolo bien|pensandolo mejor|cambio de opinion|he cambiado de opinion|不对|等等|更正|改为|改成|改选|改投",
    ),
    (Correction, "其实|再想想|抱歉|now|ahora|现在|如今"),
    (
        Joiner,
        "with|subject to|under|plus|provided|conditional on|as long as|then|con|sujeto a|sujeta a|bajo|luego|despues",
    ),
    (
        Joiner,
        "siempre que|再|然后|之后|加|加上|同时|基础上|条件下|的条件|前提|满足|带有",
    ),
    // What the principles are about.
    (
        Floor,
        "floor|floors|minimum|minimums|lowest|bottom|worst off|poorest|least well off|least advantaged|disadvantaged",
    ),
    (
        Floor,
        "maximin|piso|minimo|minima|minimos|minimas|mas bajo|mas baja|mas bajos|mas bajas|mas pobre|mas pobres",
    ),
    (
        Floor,
        "desfavorecid~|peor situado|peor situados|最低|最小|底线|保底|兜底|托底|最弱势|最弱|最贫困|最贫穷|最穷|最差|最不利",
    ),
    (Floor, "最底层|底层|最困难|最穷困"),
    (
        Average,
        "average|averages|avg|mean|total|overall|aggregate|promedio|promedios|media|agregado|平均|均值|总体|整体|总和|总收入",
    ),
    (
        Range,
        "range|ranges|gap|gaps|difference|differences|spread|rango|rangos|brecha|brechas|diferencia|diferencias|范围",
    ),
    (Range, "差距|区间|差额|差异|极差"),
    (
        Constraint,
        "constrain~|guarantee~|limit~|restricci~|restringi~|garanti~|约束|限制|保证|保障|限定",
    ),
    // Phrases that only look like the above.
    (
        Plain,
        "no doubt|without doubt|without a doubt|no hesitation|without hesitation|not hesitate|not only|why not|no one",
    ),
    (
        Plain,
        "no less than|no lower than|not less than|not below|not fall below|no more than|not more than|not exceed|no matter",
    ),
    (
        Plain,
        "no objection|no objections|no problem|no change|no changes|not surprisingly|if not|nothing less|i second|a second",
    ),
    (
        Plain,
        "this round|this time|this phase|this vote|as before|like before|as previously|at the bottom line|bottom line",
    ),
    (
        Plain,
        "by all means|make a difference|makes a difference|no difference|difference of opinion|wide range|range of options",
    ),
    (
        Plain,
        "range of views|in total|overall,|so far|even so|so that|so much|more than|in other words|no less",
    ),
    (
        Plain,
        "sin duda|no hay duda|sin dudarlo|no solo|no menos de|no mas de|no baje|no supere|no exceda|no mayor|no inferior",
    ),
    (
        Plain,
        "on average|average participant|average person|average member|average citizen|average worker|minimum effort|minimum wage",
    ),
    (
        Plain,
        "esta ronda|esta vez|este voto|como antes|en principio|clase media|en total|en general|por encima|un poco",
    ),
    (
        Plain,
        "毫无疑问|无疑|非常|特别|差别|区别|分别|级别|不平等|不错|不管|无论|不但|不仅|不仅仅|没错|不低于|不少于|不超过|不高于",
    ),
    (
        Plain,
        "比例|比较|对比|本轮|这轮|这一轮|这次|这一次|最小化|平均分配|平均主义|个人|每个|每个人|个体|整个|这个|那个|和之前一样|跟之前一样",
    ),
    (
        Plain,
        "与之前一样|因人而异|人人|我们认为|一个|一起|一样|一直|一定|一致|一些|统一|唯一|同一|之一|人均|可选择",
    ),
];
