//! Which topics are about a question: those that share words with it. A rough measure, made to pick
//! three of a hundred; nothing is decided by it.

use super::Topic;

/// At most so many topics: first those that share words with the question, the most words first, then
/// the others in the order of the feed.
#[must_use]
pub fn relevant(topics: Vec<Topic>, question: &str, most: usize) -> Vec<Topic> {
    let asked = words(question);
    let shared = |topic: &Topic| {
        let told = words(&format!("{}\n{}", topic.title, topic.text));
        told.iter()
            .filter(|word| asked.binary_search(word).is_ok())
            .count()
    };
    let mut rated: Vec<(usize, Topic)> = topics.into_iter().map(|topic| (shared(&topic), topic)).collect();
    rated.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    rated.truncate(most);
    rated.into_iter().map(|(_, topic)| topic).collect()
}

/// Words of more than three letters in lower case; of scripts without spaces every two characters in
/// a row. Each once, in order.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        let mut word = String::new();
        let mut before = None;
        for c in run.chars().flat_map(char::to_lowercase) {
            if is_unspaced(c) {
                if let Some(before) = before {
                    words.push([before, c].iter().collect());
                }
                before = Some(c);
                keep(&mut words, &mut word);
            } else {
                before = None;
                word.push(c);
            }
        }
        keep(&mut words, &mut word);
    }
    words.sort();
    words.dedup();
    words
}

fn keep(words: &mut Vec<String>, word: &mut String) {
    if word.chars().count() > 3 {
        words.push(std::mem::take(word));
    }
    word.clear();
}

fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
