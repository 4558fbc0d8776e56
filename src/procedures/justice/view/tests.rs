use super::*;
use crate::core::block::{Block, Chart, Tone};
use crate::core::view::{TypedData, View};
use crate::export::samples;
use crate::language::Language;
use crate::procedures::view::view_of;

fn chart_of(view: &View, title: &str) -> Chart {
    let blocks = view.results().into_iter();
    let mut charts = blocks.filter_map(|block| match block {
        Block::Chart(chart) => Some(*chart),
        _ => None,
    });
    charts.find(|chart| chart.title == title).unwrap()
}

#[test]
fn a_distribution_has_the_number_of_the_record() {
    for language in Language::ALL {
        let words = VIEW.words(language, &Value::Null);
        for number in 1..=4 {
            let mut item = DistributionItem::default();
            item.drawn.distribution = Some(number);
            let blocks = TypedData::blocks(&item, &words, &Value::Null);
            let Block::Text {
                text,
                tone: Tone::Plain,
            } = &blocks[0]
            else {
                panic!("{blocks:?}")
            };
            assert_eq!(
                text.matches(|letter: char| letter.is_ascii_digit())
                    .collect::<String>(),
                number.to_string()
            );
        }
    }
}

#[test]
fn charts_have_the_mean_places_the_votes_and_what_was_paid() {
    let view = view_of(&samples::whole_record(), Role::Owner);
    let places = chart_of(&view, "Rankings over the four moments");
    // Ana's first and last ranking; one of Bo's could not be read.
    let values: Vec<_> = places.lines.iter().map(|line| line.values.clone()).collect();
    assert_eq!(values[0], [Some(2.0), None, None, Some(2.0)]);
    assert_eq!(values[2], [Some(1.0), None, None, Some(1.0)]);
    let votes = chart_of(&view, "Votes by round");
    let counts: Vec<_> = votes.lines.iter().map(|line| line.values.clone()).collect();
    assert_eq!(
        counts,
        [[Some(0.0)], [Some(0.0)], [Some(2.0)], [Some(0.0)], [Some(0.0)]]
    );
    let paid = chart_of(&view, "What each would have got under the other principles");
    assert_eq!(paid.lines[0].values[0], Some(1.6));
    assert_eq!(paid.lines[1].values[0], Some(1.2));
}
