// The ratings table: results of all debates stored here, and how well confidence was calibrated.
import { useState } from "preact/hooks";
import type { Standing } from "../../src/web/quorate.d.ts";
import { Button } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { failed, Notice, useMessage } from "../notice.tsx";
import { Avatar } from "../participants.tsx";
import type { Place } from "./memory.tsx";

/** With fewer votes a calibration is not meaningful. */
const ENOUGH = 10;
const HEADS = ["name", "elo", "course", "debates", "wins", "brier", "bias"];
const NUMBERS = new Set(["elo", "debates", "wins", "brier"]);

const digits = (value: number, count: number) =>
  number(value, { minimumFractionDigits: count, maximumFractionDigits: count });

/** The history of a rating as a line; its numbers are beside it. */
function Course({ history }: Pick<Standing, "history">) {
  if (history.length < 2) return null;
  const values = history.map(({ elo }) => elo);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number) => (at / (values.length - 1)) * 78 + 1;
  const y = (value: number) => (high === low ? 12 : 22 - ((value - low) / (high - low)) * 20);
  return (
    <svg viewBox="0 0 80 24" class="course" aria-hidden="true">
      <polyline points={values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
    </svg>
  );
}

const Row = ({ one: { name, player, elo, history, debates, wins, calibration } }: { one: Standing }) => (
  <tr>
    <th scope="row">
      <span class="who">
        <Avatar person={{ name }} size="tiny" />
        {name}
      </span>
      {player?.model && <span class="quiet">{` ${player.model}`}</span>}
    </th>
    <td class="number">
      <strong>{digits(elo, 1)}</strong>
    </td>
    <td>
      <Course history={history} />
    </td>
    <td class="number">{number(debates)}</td>
    <td class="number">{number(wins)}</td>
    <td class="number">
      {calibration.brier === null ? "–" : digits(calibration.brier, 2)}
      <span class="quiet">{` (${number(calibration.predictions)})`}</span>
    </td>
    <td>{t(`memory.bias.${calibration.predictions < ENOUGH ? "few" : calibration.bias}`)}</td>
  </tr>
);

const Table = ({ rows }: { rows: Standing[] }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={t("memory.ratings")}>
    <table class="ratings" data-testid="ratings">
      <caption class="sr-only">{t("memory.ratings")}</caption>
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th scope="col" class={NUMBERS.has(head) ? "number" : undefined}>{t(`memory.col.${head}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>{rows.map((one) => <Row key={one.name} one={one} />)}</tbody>
    </table>
  </div>
);

function Ratings({ all, Memory }: { all: Standing[]; Memory: Place["engine"]["Memory"] }) {
  const [rows, setRows] = useState(all);
  const [message, setMessage] = useMessage();
  const domains = [...new Set(all.flatMap((one) => Object.keys(one.domains)))].sort();
  const choose = async (domain: string) => setRows(await Memory.ratings(domain || undefined));
  const compute = async () => {
    setMessage({ text: t("verify.running") });
    try {
      const { same, ratings: anew } = await Memory.recomputed();
      setMessage({ text: t(same ? "memory.recompute.same" : "memory.recompute.differs"), isGood: same });
      setRows(anew);
    } catch (error) {
      setMessage(failed("verify.failed", error));
    }
  };
  return (
    <section>
      <h2 class="sr-only">{t("memory.ratings")}</h2>
      <p class="quiet">{t("memory.ratings.text")}</p>
      {domains.length > 0 && (
        <label class="field">
          {t("memory.domain")}
          <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">{t("memory.domain.all")}</option>
            {domains.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
      )}
      <div>
        <Table rows={rows} />
      </div>
      <div class="row">
        <Button data-testid="recompute" onClick={compute}>{t("memory.recompute")}</Button>
      </div>
      <Notice message={message} role="status" testid="recomputed" />
    </section>
  );
}

export async function ratings({ engine: { Memory } }: Place) {
  const all = await Memory.ratings();
  if (all.length) return <Ratings all={all} Memory={Memory} />;
  return (
    <div class="empty">
      <p>{t("memory.ratings.empty")}</p>
      <a class="button button-primary" href="#/">{t("library.begin")}</a>
    </div>
  );
}
