// What came out, for the one who took part: the sentence, the poorest, oneself and the richest, and the other rules.
import type { GuestState } from "../../src/web/guest.d.ts";
import type { DrawnItem, JusticeResult } from "./justice.ts";
import { Button } from "../elements.tsx";
import { type Step, stepColour, twenty } from "../pictures/incomes.tsx";
import { Face } from "../pictures/people.tsx";
import { RulePicture, ruleOf } from "../pictures/rules.tsx";
import { shareCard } from "./share-card.ts";
import { ownFace, seatedAt } from "./table.tsx";
import { income, t } from "./words.js";

type View = NonNullable<GuestState["view"]>;

/** The incomes of the distribution that held for this guest, from the lowest, and the guest's own payment. */
function shares({ view, table }: GuestState) {
  const result = view?.result as JusticeResult | undefined;
  const drawn = view?.items.find(({ type }) => type === "drawn") as DrawnItem | undefined;
  const own = result?.payoffs?.[table?.seat ?? ""];
  const incomes = own && drawn?.drawn.distributions?.[own.distribution - 1];
  if (!own || !incomes) return null;
  const people = twenty(drawn.drawn.probabilities ?? incomes.map(() => 1 / incomes.length));
  const steps: Step[] = incomes.map((one, at) => ({ income: one, people: people[at]! })).sort((a, b) =>
    a.income - b.income
  );
  return { own, steps };
}

function Tiles({ state }: { state: GuestState }) {
  const of = shares(state);
  if (!of) return null;
  const { own, steps } = of;
  const me = ownFace(state);
  const at = steps.findIndex((step) => step.income === own.income);
  const tile = (name: string, value: number, step: number, isOwn = false) => (
    <li class={`step-tile${isOwn ? " own" : ""} step${stepColour(step, steps.length)}`}>
      {isOwn && me ? <Face index={me.index} size={32} /> : <i />}
      <span>{t(name)}</span>
      <b>{income(value)}</b>
    </li>
  );
  const names = ruleNames(state.view!);
  const most = Math.max(...Object.values(own.counterfactuals), own.payoff);
  const rules = Object.entries(own.counterfactuals).map(([value, payoff]) => ({ rule: ruleOf(value) ?? 1, payoff }))
    .sort((a, b) => a.rule - b.rule);
  return (
    <>
      <ul class="tiles plain">
        {tile("result.poorest", steps[0]!.income, 0)}
        {tile("result.you", own.income, Math.max(0, at), true)}
        {tile("result.richest", steps.at(-1)!.income, steps.length - 1)}
      </ul>
      <h3>{t("result.rules")}</h3>
      <ul class="under-rules plain">
        {rules.map(({ rule, payoff }) => (
          <li key={rule} class={`p${rule}`}>
            <RulePicture rule={rule} />
            <span>{names[rule]}</span>
            <i style={{ "--part": payoff / most }} />
            <b>{`≈ ${income(own.payoff ? Math.round((payoff / own.payoff) * own.income / 100) * 100 : 0)}`}</b>
          </li>
        ))}
      </ul>
      <Mind state={state} />
    </>
  );
}

/** Short names of the rules by number, from what was chosen. */
function ruleNames({ items }: View): { [rule: number]: string } {
  const choices = items.flatMap(({ blocks }) => blocks.flatMap((one) => (one.block === "choices" ? one.items : [])));
  return Object.fromEntries(choices.flatMap(({ number, name, short }) => (number ? [[number, short ?? name]] : [])));
}

/** Whether this guest found another rule the fairest at the end than at the beginning. */
function Mind({ state: { view, table } }: { state: GuestState }) {
  const result = view?.result as JusticeResult;
  const [first, last] = [result.phase1?.[table!.seat]?.rankings.initial, result.final_rankings?.[table!.seat]]
    .map((ranking) => ruleOf(ranking?.order[0] ?? ""));
  if (!first || !last || first === last) return null;
  return (
    <>
      <h3>{t("result.mind")}</h3>
      <p class="mind">
        <RulePicture rule={first} /> → <RulePicture rule={last} />
      </p>
    </>
  );
}

/** Whether a group agreed, where that is the question; undefined elsewhere. */
const agreedIn = (view: View) => (view.result as { consensus_reached?: boolean } | undefined)?.consensus_reached;

export function Result({ state }: { state: GuestState }) {
  const { view, room } = state;
  if (!view?.outcome) return null;
  const agreed = agreedIn(view);
  const { final_answer: answer } = (view.result ?? {}) as { final_answer?: string };
  const hasNames = seatedAt(state).some(({ name, seat }) => [name, seat].some((one) => view.outcome!.includes(one)));
  const save = () => {
    const card = shareCard({ title: room?.title ?? "", headline: hasNames ? t("card.done") : view.outcome!,
      question: t("card.you"), steps: shares(state)?.steps ?? null });
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
