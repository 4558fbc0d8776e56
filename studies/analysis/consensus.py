"""Consensus by condition, with intervals: python3 consensus.py BUNDLE.zip (or its folder). Needs nothing but Python 3.9.

Intervals are Wilson's, 95 %. Outcomes of two levels are compared by the exact test of Fisher, Freeman and Halton and by Cramér's V with
Bergsma's correction. Where seeds are paired, consensus is compared within pairs by the exact test of McNemar.
"""
import csv
import io
import json
import sys
import zipfile
from collections import Counter
from itertools import combinations
from math import comb, lgamma, exp, sqrt
from pathlib import Path

Z = 1.959963984540054
NONE = "none"
# Outcomes of 38 groups of students: Frohlich and Oppenheimer (1992), as the published program's first hypothesis compares them.
PEOPLE = {"maximizing_floor": 5, "maximizing_average": 1, "maximizing_average_floor_constraint": 23, "maximizing_average_range_constraint": 2, NONE: 7}


def open_bundle(path):
    return zipfile.Path(path) if zipfile.is_zipfile(path) else Path(path)


def table(bundle, name):
    """Rows of a table. An empty cell is missing."""
    path = next(file for file in (bundle / "data").iterdir() if file.name.endswith(f"_table-{name}_data.csv"))
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def wilson(successes, n):
    """Interval of a proportion."""
    if n == 0:
        return 0.0, 1.0
    share, spread = successes / n, Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def log_choose(n, k):
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def fisher(one, other):
    """Exact p of two columns of counts: the probability of all tables that are as likely as this one, or less."""
    rows = [first + second for first, second in zip(one, other)]
    size, total = sum(one), log_choose(sum(rows), sum(one))
    limit = exp(sum(log_choose(row, first) for row, first in zip(rows, one)) - total) * (1 + 1e-7)
    # Tables with the same margins, row by row: what is left for the first column, and the logarithm of the probability.
    tables = [(size, 0.0)]
    for at, row in enumerate(rows):
        rest = sum(rows[at + 1:])
        tables = [(left - k, log + log_choose(row, k)) for left, log in tables for k in range(max(0, left - rest), min(row, left) + 1)]
    likely = (exp(log - total) for _, log in tables)
    return min(1.0, sum(p for p in likely if p <= limit))


def cramer(one, other):
    """Cramér's V with the correction of Bergsma (2013)."""
    rows = [pair for pair in zip(one, other) if sum(pair)]
    n, sums = sum(map(sum, rows)), (sum(one), sum(other))
    if len(rows) < 2 or not all(sums):
        return 0.0
    chi2 = sum((count - sum(row) * column / n) ** 2 / (sum(row) * column / n) for row in rows for count, column in zip(row, sums))
    free = len(rows) - 1
    phi2 = max(0.0, chi2 / n - free / (n - 1))
    return sqrt(phi2 / min(free - free * free / (n - 1), 1 - 1 / (n - 1)))


def mcnemar(only_one, only_other):
    """Exact p of pairs in which one side alone agreed."""
    n = only_one + only_other
    return min(1.0, 2 * sum(comb(n, k) for k in range(min(only_one, only_other) + 1)) / 2**n)


def share(successes, n):
    low, high = wilson(successes, n)
    return f"{successes} of {n} ({100 * successes / n:.0f} %, {100 * low:.0f} to {100 * high:.0f} %)"


def outcomes(runs):
    return Counter(run["outcome"] for run in runs)


def show(names, groups):
    """A line for each group of runs."""
    width = max(map(len, groups))
    for name, runs in groups.items():
        counts = outcomes(runs)
        rates = [share(sum(run[measure] for run in runs), len(runs)) for measure in names]
        print(f"  {name:{width}}  " + "  ".join(f"{rate:29}" for rate in rates) + "  " + ", ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def compare(name, what, one, other):
    kinds = sorted({*one, *other})
    columns = [[side[kind] for kind in kinds] for side in (one, other)]
    print(f"  {name}: {what} p = {fisher(*columns):.2g} (Fisher), V = {cramer(*columns):.2f}")


def compare_pairs(runs, factors, factor, one, other):
    """Runs are paired where repetition and all other levels are the same."""
    def agreed(level):
        return {tuple(run[name] for name in ["repetition", *factors] if name != factor): run["consensus"] for run in runs if run[factor] == level}
    first, second = agreed(one), agreed(other)
    pairs = Counter((first[key], second[key]) for key in first.keys() & second.keys())
    left, right = pairs[True, False], pairs[False, True]
    print(f"  {one} and {other} in {sum(pairs.values())} pairs: consensus under {one} alone {left}, under {other} alone {right}, p = {mcnemar(left, right):.2g} (McNemar)")


def main(path):
    bundle = open_bundle(path)
    study = json.loads((bundle / "study.json").read_text(encoding="utf-8"))
    begun = table(bundle, "runs")
    if "consensus_reached" not in begun[0]:
        sys.exit("The runs have no column consensus_reached.")
    runs = [run for run in begun if run["state"] == "ended"]
    if not runs:
        sys.exit("No run has ended.")
    targets = {seat["session"]: seat["target_principle"] for seat in table(bundle, "seats") if seat.get("target_principle")}
    seats = sum(int(run["seats"]) for run in runs)
    simulated = sum(int(run["seats_scripted"]) for run in runs)
    column = next((name for name in ("chosen_principle", "winner") if name in begun[0]), None)
    for run in runs:
        run["consensus"] = run["consensus_reached"] == "true"
        run["outcome"] = (run.get(column) or "some") if run["consensus"] else NONE
        run["target"] = run["consensus"] and run["outcome"] == targets.get(run["session"])
    measures = ["consensus", "target"] if targets else ["consensus"]
    print(f"{study.get('title', study['id'])}\n{len(runs)} runs ended; {simulated} of {seats} seats are simulated.")
    factors = [f"factor_{name}" for name in study.get("factors", {})]
    for factor in factors:
        name = factor.removeprefix("factor_")
        levels = {level: [run for run in runs if run[factor] == level] for level in study["factors"][name]}
        levels = {level: own for level, own in levels.items() if own}
        print(f"\nBy {name}: {', '.join(measures)}, outcomes")
        show(measures, levels)
        for one, other in combinations(levels, 2):
            compare(f"{one} and {other}", "outcomes", outcomes(levels[one]), outcomes(levels[other]))
            if targets:
                compare(f"{one} and {other}", "target", *(Counter(run["target"] for run in levels[level]) for level in (one, other)))
            if study.get("seeds", "paired") == "paired":
                compare_pairs(runs, factors, factor, one, other)
    if len(factors) != 1:
        conditions = {}
        for run in runs:
            conditions.setdefault(run["condition"], []).append(run)
        print(f"\nBy condition: {', '.join(measures)}, outcomes")
        show(measures, dict(sorted(conditions.items())))
    if column == "chosen_principle":
        print("\nAll runs, and groups of people (Frohlich and Oppenheimer 1992)")
        agreed, groups = sum(PEOPLE.values()) - PEOPLE[NONE], sum(PEOPLE.values())
        show(["consensus"], {"runs": runs})
        print(f"  people: {share(agreed, groups)}  " + ", ".join(f"{kind} {count}" for kind, count in sorted(PEOPLE.items())))
        compare("runs and people", "outcomes", outcomes(runs), Counter(PEOPLE))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
