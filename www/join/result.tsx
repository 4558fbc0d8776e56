// What came out, for the one who took part: the sentence, the poorest, oneself and the richest, and the other rules.
import type { GuestState } from "../../src/web/guest.d.ts";
import type { DelphiResult, JusticeFigures, JusticeView } from "../../src/web/quorate.d.ts";
import { Button } from "../elements.tsx";
import { drawCard } from "../pictures/card.ts";
import { type Step, stepColour, twenty } from "../pictures/incomes.tsx";
import { Face } from "../pictures/people.tsx";
import { RulePicture } from "../pictures/rules.tsx";
import { ownFace, seatedAt } from "./table.tsx";
import { income, t } from "./words.js";

type View = NonNullable<GuestState["view"]>;

/** What this guest was given, and the incomes that applied to it, from the lowest. */
function fateOf({ view, table }: GuestState) {
  const figures = (view as JusticeView | null)?.figures;
  const own = figures?.fates.find(({ seat }) => seat === table?.seat);
  if (!figures || !own) return null;
  const people = twenty(figures.shares);
  return { figures, own, steps: own.incomes.map((income, at): Step => ({ income, people: people[at]! })) };
}

function Tiles({ state }: { state: GuestState }) {
  const fate = fateOf(state);
  if (!fate) return null;
  const { own, steps, figures: { worlds, minds } } = fate;
  const me = ownFace(state);
  const tile = (name: string, value: number, step: number, isOwn = false) => (
    <li class={`step-tile${isOwn ? " own" : ""} step${stepColour(step, steps.length)}`}>
      {isOwn && me ? <Face index={me.index} size={32} /> : <i />}
      <span>{t(name)}</span>
      <b>{income(value)}</b>
    </li>
  );
  const names = ruleNames(state.view!);
  const most = Math.max(...worlds.map(({ incomes }) => incomes[own.at]!));
  return (
    <>
      <ul class="tiles plain">
        {tile("result.poorest", steps[0]!.income, 0)}
        {tile("result.you", own.income, own.at, true)}
        {tile("result.richest", steps.at(-1)!.income, steps.length - 1)}
      </ul>
      <h3>{t("result.rules")}</h3>
      <ul class="under-rules plain">
        {worlds.map(({ rule, incomes }) => (
          <li key={rule} class={`p${rule}`}>
            <RulePicture rule={rule} />
            <span>{names[rule]}</span>
            <i style={{ "--part": incomes[own.at]! / most }} />
            <b>{income(incomes[own.at]!)}</b>
          </li>
        ))}
      </ul>
      {minds && <Minds minds={minds} seat={own.seat} />}
    </>
  );
}

/** Short names of the rules by number, from what was chosen. */
function ruleNames({ items }: View): { [rule: number]: string } {
  const choices = items.flatMap(({ blocks }) => blocks.flatMap((one) => (one.block === "choices" ? one.items : [])));
  return Object.fromEntries(choices.flatMap(({ number, name, short }) => (number ? [[number, short ?? name]] : [])));
}

/** How many changed their mind, and whether this guest did. */
function Minds(
  { minds: { changed, ranked, of }, seat }: { minds: NonNullable<JusticeFigures["minds"]>; seat: string },
) {
  const own = of.find((one) => one.seat === seat && one.from !== one.to);
  return (
    <>
      {changed !== undefined && <h3>{t("result.minds", { changed, ranked })}</h3>}
      {own && (
        <p class="mind">
          {t("result.mind")} <RulePicture rule={own.from} /> → <RulePicture rule={own.to} />
        </p>
      )}
    </>
  );
}

/** Whether a group agreed, where that is the question; undefined elsewhere. */
const agreedIn = (view: View) => (view.result as { consensus_reached?: boolean } | undefined)?.consensus_reached;

export function Result({ state }: { state: GuestState }) {
  const { view, room } = state;
  if (!view?.outcome) return null;
  const agreed = agreedIn(view);
  const { final_answer: answer, truth } = (view.result ?? {}) as { final_answer?: string;
    truth?: DelphiResult["truth"] };
  const hasNames = seatedAt(state).some(({ name, seat }) => [name, seat].some((one) => view.outcome!.includes(one)));
  const save = () => {
    const card = document.createElement("canvas");
    drawCard(card, { title: room?.title ?? "", sentence: hasNames ? t("card.done") : view.outcome!,
      question: t("card.you"), steps: fateOf(state)?.steps ?? [], floor: null });
    const link = document.createElement("a");
    card.toBlob((picture) => {
      if (!picture) return;
      link.href = URL.createObjectURL(picture);
      link.download = "quorate.png";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  };
  return (
    <div class="join-result" data-testid="result">
      {agreed !== undefined && (
        <p class={agreed ? "result-chip agreed" : "result-chip"}>
          {t(agreed ? "result.agreed" : "result.not")}
          {agreed && " ✓"}
        </p>
      )}
      <h2 class="result-line">{view.outcome}</h2>
      {truth?.source && <p class="quiet">{t("result.source", { source: truth.source })}</p>}
      {answer && (
        <>
          <b>{t("answer")}</b>
          {answer.split(/\n+/).filter((line) => line.trim()).map((line) => <p>{line}</p>)}
        </>
      )}
      <Tiles state={state} />
      <p class="row no-print">
        <Button kind="primary" more="button-wide" data-testid="share" onClick={save}>{t("card.save")}</Button>
      </p>
      <p class="quiet no-print">{t("card.names")}</p>
    </div>
  );
}
