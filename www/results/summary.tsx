// What an experiment meant for people: for the poorest, for the richest and for who sat there; what the other rules would
// have brought; and who changed their mind.
import { Verbatim } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { Face, isProgram } from "../pictures/people.tsx";
import { RulePicture } from "../pictures/rules.tsx";
import { IncomeRow, scaleOf } from "./income-rows.tsx";
import { type Fate, type Figures, hasChanged, highest, lowest, type Mind, type World } from "./worlds.ts";

function Fates({ world, you }: { world: World | null; you: Fate | undefined }) {
  const card = (name: string, income: number, at: number, of?: Fate) => (
    <li class={of ? "fate own" : "fate"} data-testid={`fate-${name}`}>
      {of
        ? <Face index={of.index} kind={of.kind} size={44} />
        : (
          <svg viewBox="0 0 12 20" class={`fate-person step${at + 1}`} aria-hidden="true">
            <circle cx="6" cy="4" r="4" />
            <path d="M1 20v-6a5 5 0 0 1 10 0v6z" />
          </svg>
        )}
      <span>{t(`results.for.${name}`)}</span>
      <b>{number(income)}</b>
    </li>
  );
  return (
    <ul class="plain fates">
      {world && card("poorest", lowest(world), 0)}
      {you && card("you", you.income, you.at, you)}
      {world && card("richest", highest(world), 4)}
    </ul>
  );
}

/** What each rule would have brought, on one scale; that of the group first. */
function UnderRules({ figures, you }: { figures: Figures; you: Fate | undefined }) {
  const { worlds, chosen, shares } = figures;
  const scale = scaleOf(worlds);
  const ordered = [...worlds].sort((a, b) => Number(b === chosen) - Number(a === chosen));
  return (
    <section>
      <h2>{t("results.under")}</h2>
      <ul class="plain under-rules">
        {ordered.map((world) => (
          <li key={world.rule} class={world === chosen ? "chosen" : undefined} data-testid="under-rule">
            <RulePicture rule={world.rule} />
            <span class="rule-name">
              {t(`rule.${world.rule}`)}
              {world === chosen && <span class="tag">{t("results.chosen")}</span>}
            </span>
            <IncomeRow world={world} shares={shares} scale={scale} you={you} />
            <span class="quiet">
              {t("results.under.text", { poorest: lowest(world), richest: highest(world),
                average: Math.round(world.average) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const Changed = ({ of: { seat, index, kind, from, to } }: { of: Mind }) => (
  <li>
    <Face index={index} kind={kind} size={36} />
    <b>
      <Verbatim>{seat}</Verbatim>
    </b>
    {isProgram(kind) && <span class="face-kind">{t("room.computer")}</span>}
    <span class="from-to">
      <RulePicture rule={from} />
      <span aria-hidden="true">→</span>
      <RulePicture rule={to} />
      <span class="sr-only">{t("results.changed.from", { from: t(`rule.${from}`), to: t(`rule.${to}`) })}</span>
    </span>
  </li>
);

/** How many changed their mind, and who of those that the reader may know. */
const Changes = ({ minds, mayKnow }: { minds: Mind[]; mayKnow: (seat: string) => boolean }) => {
  const changed = minds.filter(hasChanged);
  return (
    <section data-testid="changes">
      <h2>{t("results.changed")}</h2>
      <p>{t("results.changed.count", { n: changed.length, of: minds.length })}</p>
      <ul class="plain changes">
        {changed.filter(({ seat }) => mayKnow(seat)).map((one) => <Changed key={one.seat} of={one} />)}
      </ul>
    </section>
  );
};

/** `you`: whose results these are; null if several people sat there. `mayKnow`: whose rankings the reader may know. */
export function Summary(
  { figures, you, mayKnow }: { figures: Figures; you: string | null; mayKnow: (seat: string) => boolean },
) {
  const own = figures.fates.find(({ seat }) => seat === you);
  return (
    <div data-testid="summary">
      <Fates world={figures.chosen} you={own} />
      <UnderRules figures={figures} you={own} />
      {figures.minds.length > 0 && <Changes minds={figures.minds} mayKnow={mayKnow} />}
    </div>
  );
}
