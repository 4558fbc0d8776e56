// The studies of this browser, and where another is loaded or pasted. #/study
import { useState } from "preact/hooks";
import { parserFor } from "../configtext.js";
import { Button } from "../elements.tsx";
import { language, t } from "../i18n.js";
import { FileButton, type Message, Notice } from "../notice.tsx";
import type { Language, StudyFault } from "../pkg/quorate.d.ts";
import type { StudyFile } from "../pkg/config.d.ts";
import { textOf } from "../text-file.js";
import type { Engine } from "../view-types.ts";
import { storedStudy, studyIds } from "./stored-studies.js";
import { keepStudy } from "./studies.js";

/** Most bytes of a study's file. */
const LARGEST_FILE = 2_000_000;

/** Two conditions with simulated participants, to try it out. */
const EXAMPLE = `study: 1
id: example-{code}
title: "{title}"
base:
  protocol: debate
  language: {language}
  question: "{question}"
  agents:
    - { name: Ada, stance: affirmative }
    - { name: Ben, stance: negative }
    - { name: Cleo, role: critic }
    - { name: Dan, role: critic }
    - { name: Eve, role: critic }
  schedule: [{ kind: propose }, { kind: critique }, { kind: revise }, { kind: vote }]
  sources: []
  max_extended_rounds: 0
  consensus_threshold: 0.5
factors:
  rule:
    majority: { consensus: majority }
    unanimity: { consensus: unanimous }
n: 15
seed: 5
seeds: paired
outcomes: [consensus_reached]
`;
const LANGUAGES: { [code: string]: string } = { en: "English", es: "Spanish", zh: "Mandarin" };
const example = () =>
  EXAMPLE.replace("{title}", t("study.example.title")).replace("{question}", t("study.example.question"))
    .replace("{language}", LANGUAGES[language()]!).replace("{code}", language());

const where = ({ cell, path, message }: StudyFault) => [cell, path, message].filter(Boolean).join(": ");

export function Studies({ engine }: { engine: Engine }) {
  const [text, setText] = useState("");
  const [message, setMessage] = useState<Message>({});
  const [faults, setFaults] = useState<string[]>([]);
  async function take(typed: string) {
    setMessage({});
    setFaults([]);
    try {
      const file = await (await parserFor("yaml"))(typed) as StudyFile;
      const checked = engine.study.check(file, language() as Language);
      if (checked.faults.length) return setFaults(checked.faults.map(where));
      await keepStudy(file);
      location.hash = `#/study/${file.id}`;
    } catch (error) {
      setMessage({ text: (error as Error).message, isGood: false });
    }
  }
  async function load(file: File) {
    try {
      const typed = await textOf(file, LARGEST_FILE);
      setText(typed);
      await take(typed);
    } catch (error) {
      setMessage({ text: (error as Error).message, isGood: false });
    }
  }
  const all = studyIds().map(storedStudy).filter((one) => one !== null);
  return (
    <div class="page narrow">
      <h1>{t("study.title")}</h1>
      <p class="lead">{t("study.lead")}</p>
      {all.length > 0 && (
        <ul class="plain list" data-testid="studies">
          {all.map(({ file: { id, title }, isGoing }) => (
            <li key={id}>
              <a href={`#/study/${id}`}>
                <bdi>{title || id}</bdi>
              </a>{" "}
              <span class="quiet">{isGoing && t("study.going")}</span>
            </li>
          ))}
        </ul>
      )}
      <section class="stack" aria-labelledby="study-new">
        <h2 id="study-new">{t("study.new")}</h2>
        <div class="row">
          <FileButton id="study-file" accept=".yaml,.yml,.json" testid="study-file" onPick={load}>
            {t("study.load")}
          </FileButton>
          <Button kind="quiet" data-testid="study-example" onClick={() => setText(example())}>
            {t("study.example")}
          </Button>
        </div>
        <label for="study-text">{t("study.paste")}</label>
        <textarea id="study-text" class="code" rows={14} spellcheck={false} autocapitalize="off"
          data-testid="study-text" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        <Notice message={message} testid="study-message" />
        {faults.length > 0 && (
          <div role="alert" data-testid="study-faults">
            <p class="bad">{t("setup.faults", { n: faults.length })}</p>
            <ul>{faults.map((fault) => <li key={fault}>{fault}</li>)}</ul>
          </div>
        )}
        <p>
          <Button kind="primary" data-testid="study-open" disabled={!text.trim()} onClick={() => void take(text)}>
            {t("study.open")}
          </Button>
        </p>
      </section>
    </div>
  );
}
