"""Loads tables of runs: load("folder")["runs"] is a pandas data frame."""
import re
import sys
from pathlib import Path

import pandas as pd

# An apostrophe keeps spreadsheets from taking text for a formula, also after characters that nobody sees.
UNSEEN = (r"\s\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
          r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
          r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff")
GUARD = re.compile(rf"^'('*(?:[\t\r\n]|[{UNSEEN}]*[=+@＝＋－＠﹦﹢﹣﹫−﬩⁼⁺-]))")

TYPES = {"integer": "Int64", "number": "Float64", "boolean": "boolean"}


def path_of(folder, name):
    """A table lies in the folder, or in data/ of a bundle."""
    return next(Path(folder).glob(f"data/*_table-{name}_data.csv"), Path(folder) / f"{name}.csv")


def table(folder, name, types):
    """Reads one table: cells that are empty are missing, and nothing else is."""
    data = pd.read_csv(path_of(folder, name), dtype="string", keep_default_na=False, na_values=[""])
    for column, kind in types.items():
        if kind in ("text", "json"):
            data[column] = data[column].str.replace(GUARD, r"\1", regex=True)
        elif kind == "time":
            data[column] = pd.to_datetime(data[column], utc=True)
        elif kind == "boolean":
            data[column] = data[column].map({"true": True, "false": False}).astype("boolean")
        else:
            data[column] = pd.to_numeric(data[column]).astype(TYPES[kind])
    return data


def load(folder="."):
    """All tables by their names, with the types of the codebook."""
    codebook = table(folder, "codebook", {})
    return {
        name: table(folder, name, dict(zip(columns["column"], columns["type"])))
        for name, columns in codebook.groupby("table", sort=False)
    }


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    own = here if (here / "codebook.csv").exists() else here.parent
    for name, data in load(sys.argv[1] if len(sys.argv) > 1 else own).items():
        print(name, len(data), len(data.columns))
