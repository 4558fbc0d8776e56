use super::{FeedError, TEXT, Topic, best, encoding, topics};
use crate::memory::words_about;
use proptest::prelude::*;

fn titles(feed: &str) -> Vec<String> {
    topics(feed)
        .unwrap()
        .into_iter()
        .map(|topic| topic.title)
        .collect()
}

fn topic(title: &str, text: &str, link: &str, at: Option<u64>) -> Topic {
    Topic {
        title: title.to_owned(),
        text: text.to_owned(),
        link: link.to_owned(),
        at,
    }
}

#[test]
fn rss() {
    let feed = r#"<?xml version="1.0"?>
<!DOCTYPE rss [<!ENTITY own "x">]>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"
     xmlns:media="http://search.yahoo.com/mrss/">
 <channel><title>The channel</title><link>https://example.org/</link><description>All news</description>
  <atom:link href="https://example.org/feed" rel="self"/>
  <item>
    <media:title>Not this one</media:title>
    <title>Trams &amp; buses</title><link> https://example.org/1?a=1&amp;b=2 </link>
    <description><![CDATA[<p>The <b>city</b> plans&nbsp;a line.</p><script>alert("x")</script><p>It costs &euro;5&#8202;m.</p>]]></description>
    <pubDate>Sat, 13 Dec 2003 18:30:02 +0100</pubDate><guid>1</guid>
    <media:group><media:thumbnail url="x"/><title>Inside something else</title></media:group>
  </item>
  <item><description>&lt;p&gt;AT&amp;amp;T says &amp;lt;nothing&amp;gt; &lt;!-- hidden --&gt;at all&lt;/p&gt;</description></item>
  <item><title>Text only in content</title><content:encoded>&lt;em&gt;Long&lt;/em&gt; text</content:encoded>
    <link>javascript:alert(1)</link></item>
  <item><guid>nothing to read</guid></item>
 </channel></rss>"#;
    assert_eq!(
        topics(feed).unwrap(),
        [
            topic(
                "Trams & buses",
                "The city plans a line. It costs €5 m.",
                "https://example.org/1?a=1&b=2",
                Some(1_071_336_602_000)
            ),
            topic(
                "AT&T says <nothing> at all",
                "AT&T says <nothing> at all",
                "",
                None
            ),
            topic("Text only in content", "Long text", "", None),
        ]
    );
}

#[test]
fn atom() {
    let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><updated>2020-01-01T00:00:00Z</updated>
 <entry><title type="html">&lt;i&gt;Less&lt;/i&gt; is &amp;lt; more</title>
  <link rel="enclosure" href="https://example.org/sound"/><link href="https://example.org/a?x=1&amp;y"/><link rel="alternate" href="https://example.org/later"/>
  <updated>2021-03-01T00:00:00Z</updated><published>2020-02-29T23:59:59.5-01:00</published>
  <author><title>Dr</title><name>Ana</name></author>
  <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p>Two</p></div></content></entry>
 <entry><title>Only changed</title><updated>2021-03-01</updated><summary/></entry></feed>"#;
    assert_eq!(
        topics(feed).unwrap(),
        [
            topic(
                "Less is < more",
                "One Two",
                "https://example.org/a?x=1&y",
                Some(1_583_024_399_000)
            ),
            topic("Only changed", "", "", Some(1_614_556_800_000)),
        ]
    );
}

#[test]
fn prefixes() {
    let atom = r#"<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><title>No</title><a:title>Yes</a:title>
        <a:link href="https://example.org"/></a:entry></a:feed>"#;
    assert_eq!(topics(atom).unwrap()[0].link, "https://example.org");
    // Names without a prefix count as well. The first of two stays.
    assert_eq!(titles(atom), ["No"]);
    let rdf = r#"<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel><title>C</title></channel><item><title>One</title><dc:title>Two</dc:title><dc:date>1970-01-02</dc:date></item></rdf:RDF>"#;
    assert_eq!(topics(rdf).unwrap(), [topic("One", "", "", Some(86_400_000))]);
}

#[test]
fn json_feeds() {
    let feed = r#"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[
        {"id":"1","title":"a <b> c &amp; d","url":"https://example.org/1","content_html":"<p>x<br>y</p>","date_published":"2010-02-07T14:04:00-05:00"},
        {"id":"2","content_text":"if a<b then c","date_modified":"1970-01-01T00:00:01Z"},
        {"id":3,"title":4}, null, "x"]}"#;
    assert_eq!(
        topics(feed).unwrap(),
        [
            topic(
                "a <b> c &amp; d",
                "x y",
                "https://example.org/1",
                Some(1_265_569_440_000)
            ),
            topic("if a<b then c", "if a<b then c", "", Some(1000)),
        ]
    );
    assert_eq!(topics(r#"{"items":[]}"#), Err(FeedError::Unknown));
    assert_eq!(
        topics(r#"{"version":"https://jsonfeed.org/version/1","items":[]}"#),
        Ok(vec![])
    );
    assert_eq!(
        topics(r#"{"version":"https://jsonfeed.org/version/1","items""#),
        Err(FeedError::Unknown)
    );
}

#[test]
fn other_documents_are_rejected() {
    for (text, why) in [
        ("", FeedError::Empty),
        (" \n\u{feff}", FeedError::Unknown),
        ("\u{feff} \n", FeedError::Empty),
        ("not found", FeedError::Unknown),
        (
            "<!doctype html><HTML lang=en><head><title>x</title><item><title>t</title></item>",
            FeedError::Page,
        ),
        (
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>",
            FeedError::Page,
        ),
        ("<opml version='2.0'><body/></opml>", FeedError::Unknown),
        ("<", FeedError::Unknown),
        ("<!-- nothing else -->", FeedError::Unknown),
    ] {
        assert_eq!(topics(text), Err(why), "{text:?}");
    }
    assert_eq!(topics("<rss/>"), Ok(vec![]));
}

#[test]
fn a_broken_feed_gives_the_topics_before_the_break() {
    let feed = "<rss><channel><item><title>One</title></item><item><title>Two</titel></item><item><title>Three</title></item>";
    assert_eq!(titles(feed), ["One", "Two", "Three"]);
    assert_eq!(
        titles("<rss><item><title>One</title></item><item><title>Half a ti"),
        ["One"]
    );
    assert_eq!(
        titles("<rss><item><title>One</title></item><item><title><![CDATA[no end"),
        ["One"]
    );
    assert_eq!(
        titles("<rss><item><title>A & B &unknown; &nbsp; C</title></item>"),
        ["A & B &unknown; C"]
    );
    assert_eq!(
        titles("<rss><p></q></r><item><title>a</title></item></rss></rss></rss>"),
        ["a"]
    );
    let deep = format!("<rss>{}<item><title>a</title></item>", "<x>".repeat(100));
    assert_eq!(titles(&deep), Vec::<String>::new());
}

#[test]
fn entities_are_not_expanded() {
    let bomb = r#"<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
        <rss><channel><item><title>&b;&f;</title></item></channel></rss>"#;
    assert_eq!(titles(bomb), ["&b;&f;"]);
}

#[test]
fn texts_are_plain_and_short() {
    let one = |markup: &str| {
        titles(&format!(
            "<rss><item><title><![CDATA[{markup}]]></title></item></rss>"
        ))
    };
    assert_eq!(one("a<STYLE>p{}</Style >b"), ["a b"]);
    assert_eq!(
        one("wo<b>r</b>d <a href='x>y'>link</a>, 1 < 2 <3"),
        ["word link, 1 < 2 <3"]
    );
    assert_eq!(
        one("x<img alt=\"it's\" src=y>z&#x202e;&#0;&zwnj;&#xD800;"),
        ["x z&#0;&zwnj;&#xD800;"]
    );
    assert_eq!(
        one("<script>one</script><script>never ends"),
        Vec::<String>::new()
    );
    assert_eq!(one("left <a title=\"open>right</a>"), ["left right"]);
    let long = format!(
        "<rss><item><title>{}</title><description>{}</description></item></rss>",
        "选".repeat(300),
        "word ".repeat(5000)
    );
    let topic = &topics(&long).unwrap()[0];
    assert_eq!(topic.title.chars().count(), 201);
    assert!(topic.text.ends_with("word…") && topic.text.chars().count() <= TEXT + 1);
}

#[test]
fn dates() {
    let at = |date: &str| {
        topics(&format!(
            "<rss><item><title>a</title><pubDate>{date}</pubDate></item></rss>"
        ))
        .unwrap()[0]
            .at
    };
    for (date, seconds) in [
        ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
        ("1 January 1970 00:01 UT", Some(60)),
        ("Tue, 29 Feb 2000 12:00:00 EST", Some(951_843_600)),
        ("Wed, 02 Oct 02 13:00:00 GMT", Some(1_033_563_600)),
        ("2002-10-02T15:00:00.125+02:00", Some(1_033_563_600)),
        ("2002-10-02 13:00Z", Some(1_033_563_600)),
        // Time zones.
        ("Wed, 02 Oct 2002 13:00:00", Some(1_033_563_600)),
        ("2002-10-02T13:00:00", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 15:00:00 CEST", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 14:00:00 BST", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 22:00:00 jst", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 18:30:00 IST", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 15:00:00 GMT+0200", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 15:00:00 UTC+2", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 15:00:00 +0200 (CEST)", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 15:00:00 +02:00 CEST", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 09:30:00 \u{2212}03:30", Some(1_033_563_600)),
        ("2002-10-02 15:00:00 +0200", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 13:00:00 Mars", None),
        ("Wed, 02 Oct 2002 13:00:00 Europe/Berlin", None),
        ("Wed, 02 Oct 2002 13:00:00 +2500", None),
        // Other orders and forms.
        ("Wed, Oct 02 2002 13:00:00 +0000", Some(1_033_563_600)),
        ("October 2nd, 2002 1:00 PM", Some(1_033_563_600)),
        ("Oct 2, 2002 at 09:00 EDT", Some(1_033_563_600)),
        ("Wed Oct  2 13:00:00 2002", Some(1_033_563_600)),
        ("Wed Oct 2 15:00:00 CEST 2002", Some(1_033_563_600)),
        ("Wednesday, 02-Oct-02 13:00:00 GMT", Some(1_033_563_600)),
        (
            "Wed Oct 02 2002 15:00:00 GMT+0200 (Central European Summer Time)",
            Some(1_033_563_600),
        ),
        ("Wed, 2 Sept 2002 13:00:00 GMT", Some(1_030_971_600)),
        ("20021002T130000Z", Some(1_033_563_600)),
        ("20021002T1500+0200", Some(1_033_563_600)),
        ("2002/10/02 13:00:00", Some(1_033_563_600)),
        ("02.10.2002 13:00", Some(1_033_563_600)),
        ("10/22/2002 1:00:00 PM", Some(1_035_291_600)),
        ("22/10/2002 13:00", Some(1_035_291_600)),
        ("mié, 02 oct 2002 13:00:00 +0000", Some(1_033_563_600)),
        ("2 de octubre de 2002", Some(1_033_516_800)),
        ("Mi., 02. Okt. 2002 15:00:00 MESZ", Some(1_033_563_600)),
        ("2002年10月2日 13:00", Some(1_033_563_600)),
        ("15/Aug/2002 00:00", Some(1_029_369_600)),
        ("August 15 2002", Some(1_029_369_600)),
        ("20021002", Some(1_033_516_800)),
        ("1033563600", Some(1_033_563_600)),
        ("1033563600000", Some(1_033_563_600)),
        ("Wed, 02 Oct 2002 24:00:00 GMT", Some(1_033_603_200)),
        // More than one meaning, or none.
        ("03/04/2002 13:00", None),
        ("2002", None),
        ("2002-10", None),
        ("31 Dec 1969 23:59:59 GMT", None),
        ("29 Feb 2001 12:00 GMT", None),
        ("Wed, 02 Oct 2002 25:00:00 GMT", None),
        ("Wed, 02 Oct 2002 13:00 AM", None),
        ("Wed, 02 Foo 2002 13:00:00 GMT", None),
        ("yesterday", None),
        ("", None),
        ("+-:é", None),
        ("2002-10-02T15:00:00+é", None),
    ] {
        assert_eq!(at(date), seconds.map(|seconds: u64| seconds * 1000), "{date:?}");
    }
}

#[test]
fn a_date_that_cannot_be_read_gives_way_to_that_of_the_last_change() {
    let feed = "<rss><item><title>a</title><pubDate>soon</pubDate><atom:updated>1970-01-02</atom:updated></item></rss>";
    assert_eq!(topics(feed).unwrap()[0].at, Some(86_400_000));
    let feed = r#"{"version":"https://jsonfeed.org/version/1","items":[{"title":"a","date_published":"soon","date_modified":"1970-01-02"}]}"#;
    assert_eq!(topics(feed).unwrap()[0].at, Some(86_400_000));
}

#[test]
fn encodings() {
    let feed = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><rss><item><title>Zug</title></item></rss>";
    let little: Vec<u8> = feed.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = feed.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for (content_type, bytes, name) in [
        (None, marked(&[0xff, 0xfe], &little), Some("utf-16le")),
        (None, marked(&[0xfe, 0xff], &big), Some("utf-16be")),
        (None, little.clone(), Some("utf-16le")),
        (None, big, Some("utf-16be")),
        // The bytes are right, whatever the server says.
        (Some("text/xml; charset=utf-8"), little, Some("utf-16le")),
        (
            Some("text/xml; charset=latin1"),
            marked(&[0xef, 0xbb, 0xbf], feed.as_bytes()),
            Some("utf-8"),
        ),
        // A program that converted the text kept its declaration.
        (None, feed.as_bytes().to_vec(), None),
        (Some("text/xml; charset=UTF-16"), feed.as_bytes().to_vec(), None),
        (
            Some("text/xml; charset=\"windows-1252\""),
            feed.as_bytes().to_vec(),
            Some("windows-1252"),
        ),
        (
            Some("text/xml"),
            b"<?xml version='1.0' encoding='GBK' ?><rss/>".to_vec(),
            Some("gbk"),
        ),
        (None, b"<rss encoding='gbk'/>".to_vec(), None),
        (None, Vec::new(), None),
    ] {
        assert_eq!(
            encoding(content_type, &bytes).as_deref(),
            name,
            "{content_type:?} {bytes:?}"
        );
    }
}

#[test]
fn only_topics_about_the_question_are_picked() {
    let picked = |titles: &[&str], question: &str| -> Vec<String> {
        let all = titles.iter().map(|title| topic(title, "", "", None)).collect();
        let about = |topic: &Topic| words_about(question, &topic.title);
        best(all, 3, about).into_iter().map(|topic| topic.title).collect()
    };
    let news = [
        "Cup final",
        "New trams for the city",
        "What should I wear?",
        "Trams: who pays?",
        "The end",
    ];
    assert_eq!(
        picked(&news, "Should the CITY buy a tram?"),
        ["New trams for the city", "Trams: who pays?"]
    );
    assert_eq!(picked(&news, "Should schools close?"), Vec::<String>::new());
    assert_eq!(
        picked(
            &["El fin", "Más coches en la ciudad"],
            "¿Debería prohibirse el coche?"
        ),
        ["Más coches en la ciudad"]
    );
    assert_eq!(
        picked(&["下雨", "电车线路", "公园"], "要不要建电车？"),
        ["电车线路"]
    );
    assert_eq!(picked(&[], "x"), Vec::<String>::new());
}

proptest! {
    #[test]
    fn anything_is_read_or_refused(text in "[<>&;/!\\[\\]\"'= a-z\u{e9}\u{9009}]{0,200}", inside in any::<bool>()) {
        let feed = if inside { format!("<rss><item><title>{text}</title><description><![CDATA[{text}") } else { text };
        let _ = topics(&feed);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = topics(&format!("<feed><entry>{}", String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn any_date_is_read_or_refused(date in "[0-9A-Za-z:+. ,é-]{0,30}") {
        let _ = super::date::read(&date);
    }
}
