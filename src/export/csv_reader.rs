//! A strict reader of CSV by RFC 4180, for tests.

/// Returns the cells of all rows.
pub(crate) fn read(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                assert!(cell.is_empty(), "a quote inside a plain cell");
                loop {
                    match characters.next().expect("the quotes are closed") {
                        '"' if characters.peek() == Some(&'"') => cell.extend(characters.next()),
                        '"' => break,
                        other => cell.push(other),
                    }
                }
                assert!(
                    matches!(characters.peek(), Some(',' | '\r')),
                    "text after the closing quote"
                );
            }
            ',' => row.push(std::mem::take(&mut cell)),
            '\r' => {
                assert_eq!(characters.next(), Some('\n'));
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\n' => panic!("a bare line feed"),
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty(), "the last row is not ended");
    rows
}

/// The cells of a column by its name, without the header.
pub(crate) fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let at = rows[0].iter().position(|cell| cell == name);
    let at = at.unwrap_or_else(|| panic!("no column {name}"));
    rows[1..].iter().map(|row| row[at].clone()).collect()
}
