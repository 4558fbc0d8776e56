// The material of a question: tables, statements, texts, terms and their meanings.
import { Component } from "preact";
import type { ComponentChildren } from "preact";
import type { FormField, FormMaterial } from "../../src/web/quorate.d.ts";
import { Button, Verbatim } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { IncomeColumn, scaleOf, type Step, twenty } from "../pictures/incomes.tsx";
import { ruleOf } from "../pictures/rules.tsx";
import type { Range } from "./fields.tsx";

/** What is drawn into pictures of incomes: a rule by its number, and its amount. */
export interface Drawn {
  rule: number | undefined;
  amount: number | undefined;
}
type Figures = NonNullable<Extract<FormMaterial, { material: "table" }>["incomes"]>;

/** The steps of each distribution, from the lowest. */
const stepsOf = ({ shares, of }: Figures): Step[][] => {
  const people = twenty(shares.map((share) => share / 100));
  return of.map((incomes) => incomes.map((income, at) => ({ income, people: people[at]! })).reverse());
};

/** Sensible amounts of a rule: around the lowest incomes of all distributions, or around their gaps. */
export function rangeIn(material: FormMaterial[], field: FormField): Range | undefined {
  const figures = material.map((one) => one.material === "table" && one.incomes).find(Boolean);
  if (!figures || field.input !== "amount") return undefined;
  const isGap = field.when?.values.some((value) => ruleOf(value) === 4);
  const ends = figures.of.map((incomes) => Math.min(...incomes)).map((least, at) =>
    isGap ? Math.max(...figures.of[at]!) - least : least
  );
  const { step } = field;
  return { least: Math.max(0, Math.floor(Math.min(...ends) / step - 1) * step), step,
    most: Math.ceil(Math.max(...ends) / step + 1) * step };
}

/** All material of a form, in order. */
export const Materials = ({ material, drawn }: { material: FormMaterial[]; drawn?: Drawn }) => (
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
            <Material of={one} title={one.title} drawn={drawn} />
          </section>
        )
    )}
  </>
);

function Material({ of, title, drawn }: { of: FormMaterial; title?: string; drawn?: Drawn | undefined }) {
  switch (of.material) {
    case "table":
      return of.incomes
        ? (
          <Worlds figures={of.incomes} names={of.columns.slice(1)} drawn={drawn}>
            <Amounts {...of} title={title} />
          </Worlds>
        )
        : <Amounts {...of} title={title} />;
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

interface WorldsProps {
  figures: Figures;
  /** Of the distributions. */
  names: string[];
  drawn: Drawn | undefined;
  /** The same as numbers. */
  children: ComponentChildren;
}

/** Distributions side by side on one scale; the numbers are one tap away. What a rule's amount forbids is pale. */
class Worlds extends Component<WorldsProps, { isNumbers: boolean }> {
  override render({ figures, names, drawn, children }: WorldsProps, { isNumbers = false }: { isNumbers: boolean }) {
    const all = stepsOf(figures);
    const scale = scaleOf(all);
    const { rule, amount } = drawn ?? {};
    const forbids = ([low, ...rest]: Step[]) =>
      amount !== undefined && (rule === 3
        ? low!.income < amount
        : rule === 4 && rest.at(-1)!.income - low!.income > amount);
    return (
      <>
        {isNumbers ? children : (
          <ul class={`worlds p${rule}`}>
            {all.map((steps, at) => {
              const [low, high] = [steps[0]!.income, steps.at(-1)!.income].map((income) => number(income));
              return (
                <li class={forbids(steps) ? "forbidden" : undefined}>
                  <b>{names[at]}</b>
                  <span class="step5">{high}</span>
                  <IncomeColumn steps={steps} scale={scale} label={t("world", { name: names[at], low, high })}
                    line={rule === 3 ? amount : undefined} />
                  <span class="step1">{low}</span>
                </li>
              );
            })}
          </ul>
        )}
        <Button kind="quiet" more="worlds-switch" aria-pressed={isNumbers}
          onClick={() => this.setState({ isNumbers: !isNumbers })}>
          {t(isNumbers ? "world.people" : "world.numbers")}
        </Button>
      </>
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
