//! Ballots as people and models write them, and texts that must not be read.

use super::{mentioned, principle, seed_regex};
use crate::language::Language;
use crate::parse::{How, Reason};
use crate::principle::Principle;
use proptest::prelude::*;

/// Answers where English was asked, and what they mean; `None`: nothing certain.
const ENGLISH: &[(Option<u8>, &str)] = &[
    (Some(3), "I vote for principle 3."),
    (Some(3), "Alice voted 2, I vote 3"),
    (Some(3), "Alice voted 2 and I vote 3"),
    (Some(3), "I vote 3. Alice voted 2."),
    (Some(3), "My vote: 3. Alice's vote: 2."),
    (Some(3), "not 2 but 3"),
    (Some(3), "Not 1, not 2, but 3."),
    (Some(3), "I would not choose 2 but 3"),
    (Some(3), "no el 2 sino el 3"),
    (Some(3), "不是2而是3"),
    (Some(3), "不选2，选3"),
    (Some(3), "I was leaning 2 before, now 3"),
    (Some(3), "I vote 2. Wait, actually 3."),
    (Some(3), "2... no wait, 3"),
    (Some(3), "My vote is 2. Actually, my vote is 3."),
    (Some(3), "Which principle, 1, 2, 3 or 4? 3"),
    (Some(3), "What about 2? I vote 3"),
    (Some(3), "Between 1 and 4, I pick 3."),
    (Some(3), "{\"vote\": 3}"),
    (Some(3), "{\"vote\": \"3\"}"),
    (
        Some(3),
        "{\"principle\": \"maximizing_average_floor_constraint\", \"amount\": 12000}",
    ),
    (Some(3), "{'vote': 3}"),
    (
        Some(3),
        "```json\n{\"choice\": 3, \"reason\": \"1 is too extreme\"}\n```",
    ),
    (None, "{\"vote\": 3}\nActually my vote is 2"),
    (None, "{\"first\": 3, \"second\": 2}"),
    (Some(3), "<think>maybe 2 or 1</think>3"),
    (
        Some(3),
        "Let me think. Principle 1 protects the poor. Principle 2 is risky.\n\n**Final answer: 3**",
    ),
    (
        Some(3),
        "3\n\nPrinciple 1 is too extreme, and 2 ignores the poor.",
    ),
    (Some(3), "3 - Principle 1 is too extreme"),
    (Some(3), "3 (average with a floor)"),
    (None, "4 (the floor)"),
    (Some(3), "I choose number three."),
    (
        Some(2),
        "I choose the second option because the first ignores growth",
    ),
    (Some(4), "the last... I mean the fourth option"),
    (
        Some(1),
        "First, I thought about it. My vote goes to the first principle.",
    ),
    (None, "First, think. Second, vote."),
    (None, "3 or 4"),
    (None, "I vote 3 or 4"),
    (None, "My vote: 3, or maybe 4"),
    (None, "2, maybe 3"),
    (None, "I'm torn between 2 and 3"),
    (None, "I do not want 2"),
    (None, "Alice voted 2"),
    (None, "Last round I voted 2"),
    (None, "everyone wants 3"),
    (Some(3), "Everyone wants 2 but I choose 3"),
    (Some(3), "As Bob suggested, 3"),
    (Some(3), "I agree with Bob, so 3."),
    (Some(3), "My second choice would be 1; my vote is 3."),
    (Some(3), "My first choice is 3, my second choice is 4."),
    (Some(3), "3 is my choice"),
    (Some(3), "Principle 3 gets my vote, not 1"),
    (Some(3), "I vote 3 because 1 is bad, and 2 is worse."),
    (Some(3), "Because 1 is risky, 3."),
    (Some(3), "Since principle 1 was rejected, so 3"),
    (Some(3), "In round 4 I vote for 3 with $15,000"),
    (Some(3), "Agent_2 and I vote 3"),
    (Some(3), "Of the 4 principles, I pick 3"),
    (Some(3), "3 out of 4"),
    (Some(3), "Option 3, with a floor of 14k"),
    (Some(3), "\\boxed{3}"),
    (Some(3), "$\\boxed{3}$"),
    (Some(3), "The answer is 3."),
    (Some(3), "Vote: 3 (floor constraint: $13,000)"),
    (
        Some(3),
        "**Vote:** Principle 3 — Maximizing average with floor constraint",
    ),
    (Some(2), "not the floor; the average"),
    (None, "the floor or the average"),
    (Some(3), "maximizing average with floor constraint"),
    (Some(4), "I support limiting the gap between rich and poor"),
    (Some(1), "We should help the worst-off"),
    (None, "I mean well"),
    (Some(2), "Overall, average."),
    (Some(1), "overall, the floor matters most"),
    (None, "the floor and the average"),
    (Some(3), "a guaranteed minimum, then the average"),
    (None, "floor or range constraint"),
    (None, "-2"),
    (None, "I'd like 7"),
    (None, "2.5"),
    (None, "20%"),
    (None, "$3"),
    (None, "3k"),
    (Some(2), "2."),
    (Some(2), "Two"),
    (Some(2), "I vote two."),
    (Some(2), "I choose two"),
    (None, "two thoughts"),
    (Some(2), "Option B? No: option 2."),
    (Some(3), "My ballot: three"),
    (Some(3), "no. 3"),
    (Some(3), "No. I vote 3."),
    (Some(3), "No, 3"),
    (Some(3), "Principle 3, no doubt"),
    (Some(3), "I have no doubt that principle 3 is best"),
    (None, "3 > 1"),
    (Some(1), "maximizing the floor income for everyone"),
    (Some(3), "Round 2 of 4. Vote: 3"),
    (
        Some(3),
        "My vote is for principle 3, maximizing the average with a floor constraint of $12,000. Although principle 1 helps the poorest, it ignores the rest.",
    ),
    (
        Some(3),
        "I considered principles 1 and 2, but principle 3 is my choice.",
    ),
    (Some(3), "The group seems to favor 1. However, I vote for 3."),
    (Some(3), "Unlike Bob, who voted 1, I vote for 3."),
    (Some(3), "If nobody objects, I vote 3."),
    (Some(3), "I'll stick with 3 as before."),
    (Some(3), "I changed my mind: 3."),
    (Some(3), "I previously voted 1. Now 3."),
    (Some(3), "I vote #3"),
    (Some(3), "voting 3 this round"),
    (Some(3), "Voting for 3, same as last round"),
    (Some(3), "I vote 3; actually principle 1 is bad"),
    (Some(3), "Actually, I think 3."),
    (None, "Alice: 2, Bob: 3"),
    (Some(3), "Alice: 2, Bob: 2, me: 3"),
    (None, "I think Alice voted 2"),
    (Some(3), "My vote is three"),
    (None, "I would vote for 2 if Alice did"),
    (None, "Vote: 5"),
    (None, "Principle 5"),
    (None, "2 and 3"),
    (None, "I like 2. I like 3."),
    (Some(3), "I like 2. I vote 3."),
    (None, "I support 2. I support 3."),
    (None, "I can't decide between principle 2 and principle 3."),
    (Some(3), "Most of us want 1, but my vote is 3"),
    (None, "Their choice is 3"),
    (None, "Bob's vote: 3"),
    (None, "neither 1 nor 2"),
    (None, "anything but 2"),
    (None, "everything except 2"),
    (None, "any principle other than 2"),
    (Some(3), "I oppose 1 and 2. I choose 3."),
    (None, "I reject 1"),
    (None, "1 is not acceptable"),
    (Some(3), "1 is not acceptable, 3 is"),
    (Some(3), "Principle 3 over principle 1"),
    (Some(3), "3 instead of 1"),
    (Some(3), "rather than 1, I vote 3"),
    (None, "I am not voting for 3"),
    (None, "I refuse to choose 3"),
    (None, "I will never vote for 3"),
    (None, "I no longer support 3"),
    (Some(2), "I no longer support 3, I vote 2"),
    (None, "We have 3 options"),
    (None, "There are 4 principles and 5 people"),
    (None, "It is round 3"),
    (None, "I need more time before I vote in round 3"),
    (None, "10, 20 or 30"),
    (Some(3), "3."),
    (Some(3), "3)"),
    (Some(3), "[3]"),
    (Some(3), "3,"),
    (Some(3), "3;"),
    (Some(3), "'3'"),
    (Some(3), "3️⃣"),
    (Some(3), "③"),
    (Some(3), "Ⅲ.3"),
    (Some(3), "Vote = 3"),
    (Some(3), "vote:3"),
    (Some(3), "VOTE 3"),
    (Some(3), "Principle #3"),
    (Some(3), "Principle: 3"),
    (Some(3), "principle3"),
    (Some(3), "Principle Three"),
    (Some(3), "principle number three"),
    (Some(3), "the third one"),
    (Some(3), "third principle please"),
    (Some(3), "I'd go with the third."),
    (Some(3), "Definitely the third option"),
    (None, "third-best is 2"),
    (None, "Bob is second"),
    (None, "one of them"),
    (None, "the one with the highest floor or average"),
    (Some(1), "the one with the highest floor"),
    (Some(1), "option one"),
    (None, "No one should choose"),
    (None, "I choose no one"),
    (None, "a"),
    (None, "B"),
    (None, "none"),
    (None, "None of the above"),
    (None, "All of them"),
    (None, "I abstain from voting in this round."),
    (None, "1.5"),
    (None, "3/5"),
    (Some(3), "3/4"),
    (None, "0"),
    (None, "What is principle 3?"),
    (None, "Should I vote 3 or 4?"),
    (Some(3), "3?"),
    (
        Some(3),
        "Maximizing average income with a minimum income of $12,000",
    ),
    (
        Some(3),
        "Average income, subject to everyone getting at least a minimum",
    ),
    (None, "I dislike the floor"),
    (None, "not average"),
    (None, "no floor"),
    (Some(4), "Range constraint, $20,000"),
    (None, "income floor vs. income range"),
    (
        Some(4),
        "maximize the average income while limiting the difference between rich and poor",
    ),
    (None, "It makes a difference"),
    (None, "the average participant"),
    (None, "on average we do not agree"),
    (None, "minimum effort"),
    (None, "Bob prefers the floor"),
    (Some(2), "Bob prefers the floor but I prefer the average"),
    (None, "I used to prefer the floor"),
    (Some(2), "I used to prefer the floor; now the average"),
    (None, "Because the floor matters"),
    (Some(2), "The average, because the floor is too expensive"),
    (Some(2), "I prefer the average over the floor"),
    (Some(2), "the average rather than the floor"),
    (None, "the floor and range constraints are both fine"),
    (
        Some(3),
        "I vote for maximizing the average with a floor constraint. The floor protects the poor.",
    ),
    (None, "I vote for the floor. I vote for the average."),
    (Some(3), "It's not 2, it's 3."),
    (Some(3), "Not principle 2 but principle 3"),
    (Some(3), "not 1 or 2, but 3"),
    (Some(3), "I won't choose 1; I choose 3."),
    (Some(3), "Forget 2, I vote 3."),
    (Some(3), "I'll take 3"),
    (Some(3), "Put me down for 3"),
    (Some(3), "3 please"),
    (Some(3), "Going with 3 this time"),
    (Some(3), "3 it is"),
    (Some(3), "3, final answer"),
    (Some(3), "Final: 3"),
    (Some(3), "My pick is the third principle."),
    (Some(3), "I cast my ballot for option three."),
    (Some(3), "Ballot #3"),
    (Some(3), "VOTE: [3]"),
    (Some(3), "<vote>3</vote>"),
    (Some(3), "### Vote\n3"),
    (Some(3), "# My vote\n\nPrinciple 3"),
    (Some(3), "Vote: 3/4"),
    (Some(3), "Three."),
    (Some(3), "3rd"),
    (Some(3), "the 3rd one"),
    (Some(3), "Number 3, floor constraint of $14,000"),
    (Some(3), "I rank them 3 > 1 > 4 > 2, so my vote is 3"),
    (None, "3 > 1 > 4 > 2"),
    (
        Some(3),
        "Principle 3 (Maximizing the average with a floor constraint), amount 15,000",
    ),
    (
        Some(4),
        "Principle 4, because the gap between rich and poor should be limited",
    ),
    (
        Some(1),
        "Principle 1: maximizing the floor. It protects the worst off.",
    ),
    (Some(2), "highest average, no strings attached"),
    (Some(3), "average + floor"),
    (Some(3), "avg with floor"),
    (Some(3), "floor-constrained average"),
    (Some(4), "range-constrained average"),
    (Some(3), "Keep a floor and then maximize the average"),
    (Some(1), "maximin"),
    (Some(2), "maximise mean income without any constraint"),
    (Some(3), "My vote (principle): 3"),
    (
        Some(3),
        "Having considered all 4 principles across 5 rounds, I vote for 3.",
    ),
    (Some(3), "Of principles 1, 2, 3 and 4 I choose 3"),
    (Some(3), "Options 1 and 2 are bad. I vote for 3."),
    (None, "Options 1 and 2 are bad."),
    (Some(3), "As Agent_4 said, 3."),
    (Some(3), "Agent 1 and Agent 2 voted 1; I vote 3."),
    (Some(3), "Carol wants 4, Dave wants 2. Me: 3"),
    (Some(3), "Carol picked 4. I pick 3."),
    (None, "Carol picked 4."),
    (None, "Carol is for 4 but I am for 3"),
    (Some(3), "Principle 3 and principle 3 only"),
    (None, "Principle 3 and principle 4"),
    (None, "I could live with 3 or 4"),
    (Some(3), "3. Not 2. Not 1."),
    (None, "It's between 3 and 4 for me"),
    (None, "I trust the group"),
    (Some(3), "My vote remains 3"),
    (Some(3), "I still vote for 3"),
    (Some(3), "I hereby vote for principle number 3."),
    (Some(3), "Vote 3: yes"),
    (Some(3), "three, because it balances both"),
    (Some(3), "I vote for the third, not the first"),
    (None, "the first rather than the second principle"),
    (
        Some(3),
        "I would go for principle 3 with a floor of 15000 dollars",
    ),
    (Some(4), "I vote in favor of 4"),
    (Some(2), "Principle 2 of the 4"),
    (None, "I vote with Alice"),
    (Some(3), "My vote goes to principle 3, as Alice proposed 3 too."),
    (None, "The vote was 3 to 2"),
    (None, "2 votes for 3"),
    (None, "principle 2 has 3 votes"),
    (Some(3), "Let's all vote 3"),
    (None, "Let me compare 1, 2, 3, and 4. 1 is safe. 2 is bold."),
    (Some(3), "I think principle 3 is the fairest."),
    (Some(3), "Principle 3 is the fairest; principle 1 is not."),
    (None, "Vote for 3? I'd rather not"),
    (None, "I was going to vote 3"),
    (None, "Don't vote 3"),
    (None, "Dave thinks 3"),
    (Some(3), "Same as Bob: 3"),
    (None, "A 3% increase of the floor or the average"),
];

/// Answers where Spanish was asked, and what they mean; `None`: nothing certain.
const SPANISH: &[(Option<u8>, &str)] = &[
    (Some(3), "Voto 3"),
    (Some(3), "Alice votó 2, yo voto 3"),
    (Some(3), "Mi voto es por el principio 3."),
    (Some(3), "Elijo el tercero"),
    (Some(3), "Mi voto: el tercer principio"),
    (Some(3), "En la ronda 2 voté por el 1, ahora voto por el 3"),
    (Some(3), "No voto por el 2, voto por el 3."),
    (None, "Prefiero el 3 que el 2"),
    (Some(3), "Prefiero el 3 antes que el 2"),
    (Some(3), "voto nº 3"),
    (Some(3), "De las 4 opciones, elijo la 3"),
    (Some(3), "promedio con un mínimo garantizado"),
    (Some(3), "maximizar el promedio con restricción de ingreso mínimo"),
    (Some(4), "promedio con restricción de rango"),
    (Some(2), "promedio sin restricción de ingreso mínimo"),
    (Some(1), "ayudar a los más desfavorecidos"),
    (None, "el piso o el promedio"),
    (Some(3), "Razonamiento: el 1 es extremo.\nVoto: 3"),
    (None, "Todos quieren el 3"),
    (Some(3), "Quiero cambiar mi voto: mejor dicho, 3"),
    (None, "ni el 1 ni el 2"),
    (Some(3), "ni el 1 ni el 2, el 3"),
    (None, "Alice votó 2"),
    (None, "Mi compañera prefiere el 2"),
    (Some(3), "Mi compañera prefiere el 2, pero yo elijo el 3"),
    (None, "no quiero el 2"),
    (None, "no sé si 2 o 3"),
    (None, "entre el 2 y el 3"),
    (Some(3), "Después de 4 rondas, mi voto es 3"),
    (Some(3), "principio número 3"),
    (Some(3), "Principio tres"),
    (Some(3), "opción 3: promedio con mínimo"),
    (None, "3 o 4"),
    (None, "la ronda 3"),
    (None, "$3.000"),
    (None, "3 mil"),
    (None, "dos opciones"),
    (None, "uno de ellos"),
    (Some(3), "Sí, 3"),
    (Some(3), "Por supuesto, el 3"),
    (Some(3), "voto por la tercera"),
    (Some(1), "el primero, porque protege a los pobres"),
    (None, "primero hay que pensar"),
    (None, "en primer lugar, no sé"),
    (Some(4), "limitar la diferencia de ingresos"),
    (None, "piso de la casa y rango"),
    (Some(1), "maximizar el ingreso más bajo"),
    (None, "no al piso"),
    (Some(2), "no al piso, sí al promedio"),
    (None, "Su voto fue 3"),
    (Some(3), "No 2, sino 3"),
    (Some(3), "El 2 no, el 3"),
    (Some(3), "No es el 2, es el 3."),
    (Some(3), "Voto por el principio número 3"),
    (Some(3), "Mi voto va para el 3"),
    (Some(3), "Me quedo con la tercera opción"),
    (Some(3), "Opción tres"),
    (Some(3), "Número tres"),
    (Some(3), "elijo la 3, porque la 1 es muy extrema"),
    (Some(3), "En la ronda 3 Alicia votó 1; yo voto 3."),
    (Some(3), "Respuesta final: 3"),
    (Some(3), "Creo que el 3 es el mejor"),
    (Some(1), "maximizar el ingreso de los más pobres"),
    (Some(3), "promedio con piso"),
    (Some(3), "Maximizar el promedio garantizando un mínimo"),
    (Some(4), "poner un límite a la brecha"),
    (Some(2), "el promedio más alto, sin condiciones"),
    (None, "cualquiera"),
    (None, "Alicia votó 1"),
    (Some(3), "Bajo la regla 3: voto 3"),
    (Some(4), "Estoy a favor de 4"),
    (None, "El grupo prefiere el 3"),
    (None, "Alicia y Bob votan 3"),
    (None, "No me gusta el 3"),
];

/// Answers where Mandarin was asked, and what they mean; `None`: nothing certain.
const MANDARIN: &[(Option<u8>, &str)] = &[
    (Some(3), "我选择3"),
    (Some(3), "我投3"),
    (Some(3), "我选原则三"),
    (Some(3), "我的选择是第三个"),
    (Some(3), "小明投2，我投3"),
    (Some(3), "爱丽丝投了2，我投3"),
    (Some(3), "他们选2，但我选3"),
    (None, "大家都选2"),
    (Some(3), "第2轮我投3"),
    (Some(3), "第二轮，我选择第三个原则"),
    (Some(3), "因为1太冒险，所以选3"),
    (Some(3), "4个原则中我选3"),
    (Some(3), "四个原则中，我选第三个"),
    (Some(3), "我不选1，也不选2，我选3"),
    (Some(1), "帮助最穷的人"),
    (Some(3), "在保障最低收入的前提下最大化平均收入"),
    (Some(4), "缩小贫富差距"),
    (Some(2), "最大化平均收入，不设任何约束"),
    (None, "1或2"),
    (Some(3), "3比2更好，所以3"),
    (Some(3), "而不是2，我选3"),
    (Some(3), "选3，而不是2"),
    (Some(3), "投票：3"),
    (Some(3), "答案：3"),
    (Some(3), "其实，我改投3"),
    (None, "第3轮"),
    (None, "3个人"),
    (None, "我不选3"),
    (None, "3不好"),
    (None, "他选3"),
    (None, "小明的选择是3"),
    (None, "选2还是选3"),
    (None, "2和3都可以"),
    (Some(3), "第三"),
    (None, "第三轮"),
    (None, "第三个人选2"),
    (Some(3), "我支持原则3"),
    (Some(3), "三号"),
    (Some(3), "选项三"),
    (Some(3), "我投给第三个选项"),
    (None, "三个原则都可以"),
    (None, "一定要公平"),
    (None, "一起讨论"),
    (None, "最低和平均"),
    (Some(1), "让最低收入最高"),
    (Some(2), "整体收入最高"),
    (Some(4), "限制收入差距"),
    (None, "不要平均"),
    (Some(1), "不要平均，要保底"),
    (Some(3), "平均收入加最低保障"),
    (None, "1万5千"),
    (None, "3千"),
    (Some(3), "3。"),
    (Some(3), "（3）"),
    (Some(3), "我的最终选择：3"),
    (Some(3), "虽然2也不错，但我选3"),
    (None, "大家同意3"),
    (Some(3), "不是原则2，是原则3"),
    (Some(3), "不要2，要3"),
    (Some(3), "2不行，选3"),
    (Some(3), "我选第三项"),
    (Some(3), "我投票给原则3"),
    (Some(3), "第三种"),
    (Some(3), "我认为3最好"),
    (Some(3), "最后我决定选3"),
    (Some(3), "小红选了1，我选3"),
    (Some(1), "照顾最穷的人"),
    (Some(1), "优先帮助最贫穷的人"),
    (Some(3), "在保证最低收入的基础上提高平均收入"),
    (Some(4), "控制贫富差距范围"),
    (Some(2), "平均收入最高，没有约束"),
    (None, "随便"),
    (None, "都可以"),
    (Some(3), "三"),
    (Some(3), "原则3（最低收入约束）"),
    (Some(3), "我的投票是原则三。"),
    (Some(3), "经过5轮讨论，我投3"),
    (None, "小红选了1"),
    (Some(3), "投3，不投1"),
    (Some(3), "3，因为1太极端"),
    (Some(3), "我支持在设定最低收入的条件下最大化平均收入"),
    (None, "小红认为3最好"),
    (None, "听说3不错"),
];

#[test]
fn ballots() {
    let mut wrong = Vec::new();
    for (language, cases) in [
        (Language::English, ENGLISH),
        (Language::Spanish, SPANISH),
        (Language::Mandarin, MANDARIN),
    ] {
        for (want, text) in cases {
            let reading = principle(text, language, false);
            if reading.value().map(|principle| principle.number()) != *want {
                wrong.push(format!("{text:?}: {reading:?}, not {want:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn how_it_was_read() {
    let how = |text: &str| match principle(text, Language::English, false) {
        crate::parse::Reading::Read { how, .. } => Some(how),
        crate::parse::Reading::Unread { .. } => None,
    };
    assert_eq!(how("(3)"), Some(How::Digit));
    assert_eq!(how("thinking about 1 and 2\n3"), Some(How::Digit));
    assert_eq!(how("My vote: 3"), Some(How::Label));
    assert_eq!(how("Principle 3"), Some(How::Noun));
    assert_eq!(how("hence 3"), Some(How::Number));
    assert_eq!(how("the third option"), Some(How::Word));
    assert_eq!(how("raise the floor"), Some(How::Keyword));
    assert_eq!(how("{\"my_vote\": 3}"), Some(How::Json));
}

#[test]
fn why_it_was_not() {
    let reason = |text: &str| principle(text, Language::English, false).reason();
    assert_eq!(reason(" "), Some(Reason::EmptyResponse));
    assert_eq!(reason("<think>3"), Some(Reason::EmptyResponse));
    assert_eq!(reason("8"), Some(Reason::NumberOutOfRange));
    assert_eq!(reason("88"), Some(Reason::NumberOutOfRange));
    assert_eq!(reason("option 6"), Some(Reason::NumberOutOfRange));
    assert_eq!(reason("2 or 3"), Some(Reason::MultipleValidNumbers));
    assert_eq!(reason("whatever you like"), Some(Reason::PrincipleContentUnclear));
}

#[test]
fn the_last_attempt_takes_the_first_digit_left() {
    let last = |text: &str| principle(text, Language::English, true);
    assert_eq!(last("2 or 3").value(), Some(&Principle::Average));
    assert_eq!(
        last("Round 1: $3,000, 4 or 2").value(),
        Some(&Principle::RangeConstraint)
    );
    assert_eq!(
        last("not 2, perhaps 3 or 1").value(),
        Some(&Principle::FloorConstraint)
    );
    assert_eq!(last("7").reason(), Some(Reason::NumberOutOfRange));
    assert_eq!(last("no idea").reason(), Some(Reason::PrincipleContentUnclear));
}

#[test]
fn the_seed_pattern_needs_bounds() {
    assert_eq!(seed_regex("vote 3, then 2"), Some(3));
    assert_eq!(seed_regex("v3 13 3rd 选3 3_"), None);
    assert_eq!(seed_regex("$4,000"), Some(4));
}

#[test]
fn what_a_text_mentions() {
    assert_eq!(
        mentioned("Let us cap the spread"),
        Some(Principle::RangeConstraint)
    );
    assert_eq!(
        mentioned("media con restricción de mínimo"),
        Some(Principle::FloorConstraint)
    );
    assert_eq!(mentioned("floor or average"), None);
    assert_eq!(mentioned("principle 3"), None);
}

/// Pieces that meet in answers, in all three languages.
const PIECES: &str = "([1-9]|[ ,.;:()?\n\"'{}/#-]|not |vote |Alice |voted |principle |第|原则|选|不|因为|一|floor |no |el |promedio |\\$|万|k |because |my |: |, |í|ñ|界|😀){0,40}";

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,80}") {
        let _ = principle(&text, Language::English, true);
    }

    #[test]
    fn never_panics_on_pieces(text in PIECES) {
        let _ = principle(&text, Language::Mandarin, true);
        let _ = mentioned(&text);
    }

    #[test]
    fn a_lone_digit_is_itself(digit in 1u8..=4, before in "[ \t\n\r\u{3000}\u{a0}]{0,5}", after in "[ \t\n\r\u{3000}\u{a0}]{0,5}") {
        for language in Language::ALL {
            let reading = principle(&format!("{before}{digit}{after}"), language, false);
            prop_assert_eq!(reading.value().map(|principle| principle.number()), Some(digit));
        }
    }

    #[test]
    fn two_answers_are_none(first in 1u8..=4, other in 1u8..=3, joint in "( or | and | / |, )") {
        let second = (first + other - 1) % 4 + 1;
        let reading = principle(&format!("{first}{joint}{second}"), Language::English, false);
        prop_assert_eq!(reading.reason(), Some(Reason::MultipleValidNumbers));
    }
}
