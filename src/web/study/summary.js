// Outcomes of a study by cell, from the table `runs`.
import { rowsOf } from "./csv.js";

/** Of the standard normal distribution, for intervals of 95 %. */
const Z = 1.959964;

/** Wilson's interval of a share. */
function wilson(count, n) {
  const [share, z2] = [count / n, Z * Z];
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

const sum = (of) => of.reduce((all, one) => all + one, 0);

/** Of texts that are all true or false, or all numbers; else null. */
function summed(texts) {
  const n = texts.length;
  if (!n) return null;
  if (texts.every((text) => text === "true" || text === "false")) {
    const count = texts.filter((text) => text === "true").length;
    const [low, high] = wilson(count, n);
    return { n, count, share: count / n, low, high };
  }
  const numbers = texts.map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  const mean = sum(numbers) / n;
  return { n, mean, deviation: n > 1 ? Math.sqrt(sum(numbers.map((one) => (one - mean) ** 2)) / (n - 1)) : null };
}

/**
 * The outcomes of ended runs by cell, without void tables of people: of yes and no the share with an interval of 95 %, of numbers the
 * mean with its standard deviation. Without `outcomes` in the study, of the columns of its procedure that are yes or no, or if there are none, numbers. `csv`:
 * the table `runs`.
 */
export function summaryOf({ outcomes }, { cells }, csv) {
  const [header = [], ...rows] = rowsOf(csv);
  const at = new Map(header.map((name, index) => [name, index]));
  const added = header.slice(header.findLastIndex((name) => name === "repetition" || name === "void" || name.startsWith("factor_")) + 1);
  const named = typeof outcomes === "string" ? outcomes.split("\n") : outcomes;
  const ended = rows.filter((row) => row[at.get("state")] === "ended" && row[at.get("void")] !== "true");
  const names = new Map(cells.map(({ name, levels }) => [JSON.stringify(Object.entries(levels)), name]));
  const factors = Object.keys(cells[0].levels);
  const rowsOfCell = new Map(cells.map(({ name }) => [name, []]));
  for (const row of ended) rowsOfCell.get(names.get(JSON.stringify(factors.map((factor) => [factor, row[at.get(`factor_${factor}`)]]))))?.push(row);
  const outcomeOf = (of, column) => (at.has(column) ? summed(of.map((row) => row[at.get(column)]).filter(Boolean)) : null);
  const total = new Map((named ?? added).map((column) => [column, outcomeOf(ended, column)]));
  const known = [...total.keys()].filter((column) => total.get(column));
  const yesOrNo = known.filter((column) => "share" in total.get(column));
  const columns = named || !yesOrNo.length ? known : yesOrNo;
  const seatsIn = (column) => sum(ended.map((row) => Number(row[at.get(column)])));
  return {
    seats: seatsIn("seats"),
    simulated: seatsIn("seats_scripted"),
    outcomes: columns,
    cells: cells.map(({ name }) => ({ name, outcomes: Object.fromEntries(columns.map((column) => [column, outcomeOf(rowsOfCell.get(name), column)])) })),
  };
}
