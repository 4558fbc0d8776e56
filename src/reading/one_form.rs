//! One form per character: NFKC for the scripts of the three languages. Not for Arabic, Korean, Japanese or CJK
//! compatibility forms: what stands in no table here is kept as it is.

/// What is written in another way, a character and its plain form a line, in order of the characters:
/// spacing accents, superscripts, fractions, Roman numerals, circled and parenthesised numbers,
/// letter-like signs, ligatures, small, vertical, half- and full-width forms. Source: Unicode 17.
const PLAIN: &str = include_str!("one_form.txt");

/// Letters with an accent: the accent, then pairs of a letter without and with it.
const ACCENTED: [(char, &str); 26] = [
    (
        '\u{300}',
        "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừ",
    ),
    (
        '\u{301}',
        "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzźÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứ",
    ),
    (
        '\u{302}',
        "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ",
    ),
    (
        '\u{303}',
        "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ",
    ),
    (
        '\u{304}',
        "AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱḶḸḷḹṚṜṛṝ",
    ),
    ('\u{306}', "AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝẠẶạặ"),
    (
        '\u{307}',
        "AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏzżŚṤśṥŠṦšṧṢṨṣṩ",
    ),
    ('\u{308}', "AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻ"),
    ('\u{309}', "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"),
    ('\u{30a}', "AÅUŮaåuůwẘyẙ"),
    ('\u{30b}', "OŐUŰoőuű"),
    (
        '\u{30c}',
        "AǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ",
    ),
    ('\u{30f}', "AȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕ"),
    ('\u{311}', "AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ"),
    ('\u{31b}', "OƠUƯoơuư"),
    (
        '\u{323}',
        "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓƠỢơợƯỰưự",
    ),
    ('\u{324}', "UṲuṳ"),
    ('\u{325}', "AḀaḁ"),
    ('\u{326}', "SȘTȚsștț"),
    ('\u{327}', "CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ"),
    ('\u{328}', "AĄEĘIĮOǪUŲaąeęiįoǫuų"),
    ('\u{32d}', "DḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ"),
    ('\u{32e}', "HḪhḫ"),
    ('\u{330}', "EḚIḬUṴeḛiḭuṵ"),
    ('\u{331}', "BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ"),
    ('\u{338}', "<≮=≠>≯"),
];

/// The text with one form per character, as NFKC has it for Latin letters, Chinese text and the signs
/// around them. Applying it twice changes nothing more.
///
/// Differs from NFKC in that accents above and below one letter keep the order they are written in.
pub(crate) fn one_form(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\0'..'\u{a0}' | 'À'..'Ĳ' | '一'..='鿿' => out.push(character),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => out.push(' '),
            '！'..='～' => out.extend(char::from_u32(character as u32 - 0xfee0)),
            '\u{1d400}'..='\u{1d6a3}' => out.push(letter((character as u32 - 0x1d400) % 52)),
            '\u{1d7ce}'..='\u{1d7ff}' => out.extend(char::from_digit((character as u32 - 0x1d7ce) % 10, 10)),
            '\u{1f130}'..='\u{1f149}' => out.push(letter(character as u32 - 0x1f130)),
            _ => match plain(character) {
                Some(plain) => plain.chars().for_each(|character| append(&mut out, character)),
                None => append(&mut out, character),
            },
        }
    }
    out
}

/// Appends a character; an accent becomes one with the letter before it.
fn append(out: &mut String, character: char) {
    let whole = out.chars().next_back().and_then(|last| accented(last, character));
    if whole.is_some() {
        out.pop();
    }
    out.push(whole.unwrap_or(character));
}

/// The letter at a place of A to Z, a to z.
fn letter(place: u32) -> char {
    let first = if place < 26 { 'A' } else { 'a' };
    char::from_u32(first as u32 + place % 26).unwrap_or(first)
}

fn accented(letter: char, accent: char) -> Option<char> {
    let (_, pairs) = ACCENTED.iter().find(|(mark, _)| *mark == accent)?;
    let mut pairs = pairs.chars();
    while let (Some(without), Some(with)) = (pairs.next(), pairs.next()) {
        if without == letter {
            return Some(with);
        }
    }
    None
}

/// The plain form of a character, by bisection.
fn plain(character: char) -> Option<&'static str> {
    let mut lines = PLAIN;
    while !lines.is_empty() {
        // No byte of a longer UTF-8 sequence looks like a line end.
        let half = lines.as_bytes().get(..lines.len() / 2).unwrap_or_default();
        let start = half
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let (before, from) = lines.split_at_checked(start)?;
        let (line, after) = from.split_once('\n')?;
        let found = line.chars().next()?;
        match character.cmp(&found) {
            std::cmp::Ordering::Less => lines = before,
            std::cmp::Ordering::Greater => lines = after,
            std::cmp::Ordering::Equal => return line.get(found.len_utf8()..),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::one_form;
    use unicode_normalization::UnicodeNormalization;

    fn assert_is_nfkc(text: &str) {
        assert_eq!(one_form(text), text.nfkc().collect::<String>(), "{text:?}");
    }

    fn characters(ranges: &[std::ops::RangeInclusive<u32>]) -> impl Iterator<Item = char> {
        ranges.iter().cloned().flatten().filter_map(char::from_u32)
    }

    #[test]
    fn is_nfkc_for_latin_chinese_and_the_signs_around_them() {
        let ranges = [
            0x0..=0x345,
            0x1e00..=0x1e99,
            0x1ea0..=0x1eff,
            0x2000..=0x218f,
            0x2300..=0x2328,
            0x2460..=0x27ff,
            0x3000..=0x303f,
            0x3220..=0x3247,
            0x3280..=0x32b0,
            0x4e00..=0x9fff,
            0xfb00..=0xfb06,
            0xfe10..=0xfe19,
            0xfe30..=0xfe6b,
            0xff00..=0xffef,
            0x1d7ce..=0x1d7ff,
            0x1f100..=0x1f149,
            0x1f300..=0x1faff,
        ];
        let differs = |c: &char| !one_form(&c.to_string()).chars().eq([*c].into_iter().nfkc());
        let differing: String = characters(&ranges).filter(differs).collect();
        assert_eq!(differing, "");
    }

    #[test]
    fn mathematical_letters_and_digits() {
        assert_is_nfkc("𝐈 𝗰𝗵𝗼𝗼𝘀𝗲 𝐩𝐫𝐢𝐧𝐜𝐢𝐩𝐥𝐞 𝟑, 𝟭𝟱,𝟶𝟘𝟎 𝒜𝓏𝕫𝙯𝚉");
    }

    #[test]
    fn is_nfkc_for_letters_with_accents() {
        for accent in characters(&[0x300..=0x36f]) {
            for letter in ('A'..='Z').chain('a'..='z').chain(['=', '<', 'ü', 'ç', 'ơ']) {
                // An accent below goes before one above: left as written.
                if letter.is_ascii() || accent <= '\u{304}' {
                    assert_is_nfkc(&format!("{letter}{accent}"));
                }
            }
            for letter in characters(&[0x0..=0x24f]) {
                let text = format!("{letter}{accent}");
                assert!(one_form(&text).nfkc().eq(text.nfkc()), "{text:?}");
            }
        }
        assert_is_nfkc("Gu\u{308}\u{301} mi\u{301}nimo an\u{303}o e\u{323}\u{302} A\u{30a}");
    }

    #[test]
    fn keeps_what_is_in_no_table() {
        for text in ["", "plain", "ガ", "한국", "豈", "\u{301}", "👍🏽"] {
            assert_eq!(one_form(text), text);
        }
    }
}
