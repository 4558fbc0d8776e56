//! The reference page of all prompts, made from their declarations.

use quorate::language::prompts::Declared;
use quorate::procedures::ALL;
use std::fmt::Write;

const HEAD: &str = "\
# Prompts

What participants are asked, by procedure. The wordings are in `src/procedures/*/prompts/*.txt`, one file for each
language. A configuration replaces a prompt as a whole:

```yaml
protocol: delphi
prompts:
  en:
    system: |-
      You are {name}, an expert for building costs.

      {?personality}{personality}

      This is a Delphi poll with {rounds} rounds at most.
```

- `{name}` is replaced by the value of the variable. Text by participants is quoted, each line after `>`.
- `{?name}` at the beginning of a paragraph keeps the paragraph only if the variable has a value, `{?!name}` only if it
  has none. On a later line of a paragraph it governs that line alone. Several conditions in a row must all hold.
- A blank line separates paragraphs.
- `check` reports unknown variables, missing braces and misplaced conditions with their lines.

Smaller texts that stand within prompts, such as names of roles, can be replaced by their keys in the same way. The
function `prompts(language)` lists them.

Generated from `src/procedures/*/prompts.rs`; do not edit.
";

/// The page.
pub(super) fn text() -> String {
    let mut text = HEAD.to_owned();
    for procedure in ALL {
        write!(text, "\n## {}\n", procedure.name).unwrap();
        let variables = |prompt: &Declared| {
            let described = prompt.variables.iter().map(|one| (one.name, one.about));
            described.collect::<Vec<_>>()
        };
        let is_alike = |a: &Declared, b: &Declared| variables(a) == variables(b);
        for alike in procedure.prompts.declared.chunk_by(is_alike) {
            text.push('\n');
            for prompt in alike {
                writeln!(text, "- **`{}`**: {}", prompt.name, prompt.about).unwrap();
            }
            text.push_str("\n| Variable | Value |\n| --- | --- |\n");
            for variable in alike.iter().take(1).flat_map(|prompt| prompt.variables) {
                writeln!(text, "| `{}` | {} |", variable.name, variable.about).unwrap();
            }
        }
    }
    text
}
