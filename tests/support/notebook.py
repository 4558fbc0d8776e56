"""Runs a published notebook: python3 notebook.py NOTEBOOK, in its folder. Of one that also makes and runs configurations, it runs the
cells that import and that name folders, and all after the heading of the analysis."""
import json
import re
import sys

SETTING = re.compile(r"\A(# Imports|import |from )|^(RESULTS_\w+|GROUPS|LANG_SETS)\s*=", re.M)
ANALYSIS = re.compile(r"^## .*Analysis", re.M)

cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
texts = ["".join(cell["source"]) for cell in cells]
makes_runs = any("run_configs_in_parallel(" in text for text in texts)
first = next(at for at, text in enumerate(texts) if ANALYSIS.search(text)) if makes_runs else 0
names = {"__name__": "__main__"}
for at, cell in enumerate(cells):
    if cell["cell_type"] == "code" and (at > first or SETTING.search(texts[at])):
        exec(compile(texts[at], f"cell {at}", "exec"), names)
