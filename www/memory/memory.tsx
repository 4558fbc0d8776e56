// What debates have stored in this browser: ratings, knowledge, receipts. #/memory/PART
import type { ComponentChildren } from "preact";
import { drawing } from "../elements.tsx";
import { t } from "../i18n.js";
import { knowledge } from "./knowledge.tsx";
import { ratings } from "./ratings.tsx";
import { receipts } from "./receipts.tsx";

export interface Place {
  engine: typeof import("../engine.js");
  announce: (text: string) => void;
}

/** Each loads what is stored and resolves to a component. */
const PARTS = { ratings, knowledge, receipts };

const Page = ({ part, children }: { part: string; children: ComponentChildren }) => (
  <div class="page left-behind">
    <div class="page-head">
      <div>
        <h1>{t("memory.title")}</h1>
        <p class="lead">{t("memory.lead")}</p>
      </div>
    </div>
    <nav class="parts" aria-label={t("memory.title")}>
      {Object.keys(PARTS).map((name) => (
        <a key={name} href={`#/memory/${name}`} aria-current={name === part ? "page" : undefined}
          data-testid={`memory-${name}`}>
          {t(`memory.${name}`)}
        </a>
      ))}
    </nav>
    {children}
  </div>
);

export async function view({ args: [wanted], ...place }: Place & { args: string[] }) {
  const part = Object.keys(PARTS).find((name) => name === wanted) as keyof typeof PARTS | undefined ?? "ratings";
  const content = await PARTS[part](place);
  const { node, leave } = drawing(<Page part={part}>{content}</Page>);
  return { node, leave, title: t("memory.title") };
}
