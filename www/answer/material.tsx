// The material of a question: tables, statements, texts, terms and their meanings.
import type { FormMaterial } from "../../src/web/quorate.d.ts";
import { Verbatim } from "../elements.tsx";

/** All material of a form, in order. */
export const Materials = ({ material }: { material: FormMaterial[] }) => (
  <>
    {material.map((one) =>
      one.isFolded
        ? (
          <details class="ask-material">
            <summary>{one.title}</summary>
            <Material of={one} />
          </details>
        )
        : (
          <section class="ask-material">
            {one.material !== "table" && one.title && <h3>{one.title}</h3>}
            <Material of={one} title={one.title} />
          </section>
        )
    )}
  </>
);

function Material({ of, title }: { of: FormMaterial; title?: string }) {
  switch (of.material) {
    case "table":
      return <Amounts {...of} title={title} />;
    case "statements":
      return (
        <>
          {of.said.map(({ who, text }) => (
            <blockquote>
              <b>
                <Verbatim>{who}</Verbatim>
              </b>
              <Paragraphs text={text} />
            </blockquote>
          ))}
        </>
      );
    case "text":
      return <>{of.text.map((text) => <Paragraphs text={text} />)}</>;
    case "terms":
      return (
        <dl class="ask-terms">
          {of.terms.map(({ name, text }) => (
            <div>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      );
  }
}

function Amounts(
  { columns, rows, notes, title }: { columns: string[]; rows: string[][]; notes: string[]; title: string | undefined },
) {
  const isInWords = rows.some((row) => row.some((text, at) => at > 0 && !/^[\d.,]+$/.test(text)));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table class={isInWords ? "amounts in-words" : "amounts"}>
          {title && <caption>{title}</caption>}
          <thead>
            <tr>{columns.map((text) => <th scope="col">{text}</th>)}</tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr>
                <th scope="row">{name}</th>
                {cells.map((text) => <td>{text}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notes.map((text) => <p class="quiet">{text}</p>)}
    </>
  );
}

const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split(/\n+/).filter((line) => line.trim()).map((line) => {
      const quoted = line.replace(/^> ?/, "");
      return quoted === line ? <p>{line}</p> : (
        <blockquote>
          <p>{quoted}</p>
        </blockquote>
      );
    })}
  </>
);
