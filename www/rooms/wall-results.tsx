// The tables of a room at the end, side by side. The sentence on top and the question are made of the figures.
import { number, t } from "../i18n.js";
import { RulePicture } from "../pictures/rules.tsx";
import { IncomeRow, IncomeScale, ruleText, scaleOf } from "../results/income-rows.tsx";
import { highest, lowest, type World } from "../results/worlds.ts";
import type { WallEnd, WallResult } from "./wall-view.ts";

const CLASSES = ["poorest", "second", "middle", "fourth", "richest"];

/** What the tables have in common, in a sentence. */
function headline({ results, experiment }: WallEnd): string {
  const agreed = results.filter(({ world }) => world);
  const rules = new Set(agreed.map(({ world }) => world!.rule));
  if (!agreed.length) return t("wall.end.none");
  if (rules.size === 1 && agreed.length === results.length && results.length > 1) {
    return t("wall.end.same", { rule: t(`rule.${[...rules][0]}`) });
  }
  const { gaveUp } = experiment!;
  if (gaveUp) return t("wall.end.gave", { n: gaveUp, of: results.length });
  return t("wall.end.rules", { n: agreed.length, of: results.length });
}

/** From the table with the poorest poorest to the one with the richest: what it took. */
function Question({ from, to }: { from: WallResult & { world: World }; to: WallResult & { world: World } }) {
  const rows = [["poorest", lowest], ["middle", ({ incomes }: World) => incomes[2]!], ["richest", highest]] as const;
  const [poorest, ...others] = rows.map(([name, of]) => ({ name, change: of(to.world) - of(from.world) }));
  const loser = others.sort((a, b) => a.change - b.change)[0]!;
  return (
    <>
      <table class="wall-from">
        <caption>{t("wall.end.from", { from: from.number, to: to.number })}</caption>
        <tbody>
          {rows.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{t(`class.${name}`)}</th>
              <td>{`${number(of(from.world))} → ${number(of(to.world))}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {poorest!.change > 0 && (
        <div class="wall-question">
          <p>{t("wall.end.talk")}</p>
          <p>
            {loser.change < 0
              ? t(`wall.end.question.${loser.name}`, { gain: poorest!.change, loss: -loser.change })
              : t("wall.end.question.all", { gain: poorest!.change })}
          </p>
        </div>
      )}
    </>
  );
}

const hasWorld = (one: WallResult): one is WallResult & { world: World } => one.world !== null;

function Experiment({ end }: { end: WallEnd }) {
  const { results } = end;
  const { shares, isScaled, changed, ranked } = end.experiment!;
  const agreed = results.filter(hasWorld);
  const scale = scaleOf(agreed.map(({ world }) => world));
  const [first, last] = [agreed[0], agreed.at(-1)];
  // Incomes on another scale are rounded: a difference below a percent is none.
  const isCompared = first && last && lowest(last.world) - lowest(first.world) > first.world.average / 100;
  return (
    <div class="wall-end">
      <h1 data-testid="wall-headline">{headline(end)}</h1>
      <div class={isCompared ? "wall-columns" : ""}>
        <div class="wall-rows">
          {agreed.length > 0 && (
            <div class="scale-row" aria-hidden="true">
              <span />
              <span />
              <IncomeScale scale={scale} />
              <span class="quiet">{t("wall.average")}</span>
            </div>
          )}
          <ol class="plain">
            {results.map(({ number: n, world, outcome }) => (
              <li key={n} class={world ? "wall-row over" : "wall-row over none"} data-testid="wall-table">
                <div>
                  <h2>{t("room.table", { n })}</h2>
                  <p>{world ? (isScaled ? t(`rule.${world.rule}`) : ruleText(world)) : t("wall.end.open")}</p>
                </div>
                {world && <RulePicture rule={world.rule} />}
                {world
                  ? <IncomeRow world={world} shares={shares} scale={scale} />
                  : <span class="income-none" role="img" aria-label={outcome}>?</span>}
                <b class="figure">{world ? number(Math.round(world.average)) : ""}</b>
              </li>
            ))}
          </ol>
          {agreed.length > 0 && (
            <ul class="plain wall-key">
              {CLASSES.map((name, at) => (
                <li key={name}>
                  <i class={`dot-step${at + 1}`} />
                  {t(`class.${name}`)} {t("class.share", { n: Math.round(shares[at]! * 20) })}
                </li>
              ))}
            </ul>
          )}
          {isScaled && agreed.length > 1 && <p class="quiet">{t("wall.end.scaled")}</p>}
        </div>
        <aside>
          {isCompared && <Question from={first} to={last} />}
          {ranked > 0 && (
            <p class="wall-changed" data-testid="wall-changed">{t("wall.end.changed", { n: changed, of: ranked })}</p>
          )}
        </aside>
      </div>
    </div>
  );
}

/** Other procedures: a sentence for each table. */
const Sentences = ({ title, end }: { title: string; end: WallEnd }) => (
  <div class="wall-end">
    <h1>{title}</h1>
    <ul class="plain wall-sentences">
      {end.results.map(({ number: n, outcome }) => (
        <li key={n} class="over" data-testid="wall-table">
          <h2>{t("room.table", { n })}</h2>
          <p>{outcome}</p>
        </li>
      ))}
    </ul>
  </div>
);

export const WallResults = ({ title, end }: { title: string; end: WallEnd }) =>
  end.experiment ? <Experiment end={end} /> : <Sentences title={title} end={end} />;
