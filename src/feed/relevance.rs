//! Ranks topics by words shared with a question. A rough measure for picking three of a hundred topics.

use super::Topic;

/// Returns at most `most` topics: those with the most words shared with the question first, then the others
/// in the order of the feed.
#[must_use]
pub fn relevant(topics: Vec<Topic>, question: &str, most: usize) -> Vec<Topic> {
    let wanted = words(question);
    let shared = |topic: &Topic| {
        let found = words(&format!("{}\n{}", topic.title, topic.text));
        found
            .iter()
            .filter(|word| wanted.binary_search(word).is_ok())
            .count()
    };
    let mut rated: Vec<(usize, Topic)> = topics.into_iter().map(|topic| (shared(&topic), topic)).collect();
    rated.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    rated.truncate(most);
    rated.into_iter().map(|(_, topic)| topic).collect()
}

/// Returns the words of more than three letters in lower case, sorted, without duplicates. In scripts
/// without spaces, pairs of adjacent characters are words.
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
                add_word(&mut words, &mut word);
            } else {
                before = None;
                word.push(c);
            }
        }
        add_word(&mut words, &mut word);
    }
    words.sort();
    words.dedup();
    words
}

fn add_word(words: &mut Vec<String>, word: &mut String) {
    if word.chars().count() > 3 {
        words.push(std::mem::take(word));
    }
    word.clear();
}

fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
