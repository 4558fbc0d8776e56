#!/usr/bin/env python3
"""Writes src/providers/catalogue.tsv: models, their prices and what they take, from public data packages.

    python3 scripts/catalogue.py            the newest packages
    python3 scripts/catalogue.py 1.109.1 0.2.3   these versions of litellm and genai-prices

Nothing in the table is written by hand. Wants Python 3.11 with pip; nothing stays installed.
"""

import datetime
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).parent.parent / "src/providers/catalogue.tsv"
TODAY = datetime.date.today().isoformat()

# Our provider, and what litellm calls it.
PROVIDERS = {
    "openai": "openai", "anthropic": "anthropic", "gemini": "gemini", "mistral": "mistral", "groq": "groq",
    "deepseek": "deepseek", "xai": "xai", "together": "together_ai", "cerebras": "cerebras", "cohere": "cohere_chat",
    "fireworks": "fireworks_ai", "perplexity": "perplexity", "moonshot": "moonshot", "alibaba": "dashscope",
    "zai": "zai", "deepinfra": "deepinfra", "minimax": "minimax",
}  # fmt: skip
# Of the hundreds that OpenRouter passes on, those of houses whose models are asked for most.
ROUTED = ("anthropic", "deepseek", "google", "meta-llama", "mistralai", "moonshotai", "openai", "qwen", "x-ai", "z-ai")
# What talks, but is made for something else than to take part in a conversation.
SPECIAL = re.compile(
    r"embed|guard|moderat|audio|realtime|tts|transcri|image|search|research|code|computer|robot|vision|ocr|cyber|"
    r"daybreak|gemini-gemma|mistral-tiny|pplx-|llama-2|mixtral|chatgpt|rosalind|-law|translat|math|prover|instruct-0914|lyria|omni|vl-|voxtral|pixtral|multi-agent|customtools|"
    r"experimental|beta|banana|-exp|preset/|turbo-1106|-base|draft|container|ft:|learnlm|leanstral|vibe|online|build|"
    r"^accounts/fireworks/(?!models/)|accounts/fireworks/routers|chat-latest|safeguard|deepsearch|palm|devstral|lite-preview",
    re.IGNORECASE,
)
# The family from which a first try is taken: quick, cheap, general. The newest of it comes first.
FIRST = {
    "openai": r"gpt-[\d.]+-(mini|luna)", "anthropic": r"claude-haiku-[\d-]+", "gemini": r"gemini-[\d.]+-flash(-lite)?",
    "openrouter": r"openai/gpt-[\d.]+-(mini|luna)", "mistral": r"mistral-small-latest", "groq": r"openai/gpt-oss-\d+b",
    "deepseek": r"deepseek-(flash|v[\d.]+-flash)", "xai": r"grok-[\d.]+", "together": r"openai/gpt-oss-\d+b",
    "cerebras": r"gpt-oss-120b", "cohere": r"command-r-08-2024|command-a-.*", "fireworks": r"accounts/fireworks/models/gpt-oss-\d+b",
    "perplexity": r"sonar", "moonshot": r"kimi-k[\d.]+", "alibaba": r"qwen[\d.]*-flash|qwen-flash", "zai": r"glm-[\d.]+-flash|glm-[\d.]+",
    "deepinfra": r"openai/gpt-oss-\d+b", "minimax": r"MiniMax-M[\d.]+",
}  # fmt: skip
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
VERSION = re.compile(r"[-@](latest|\d{3,4}|\d{6}|\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4})$")


def fetched(folder, package, version):
    wanted = f"{package}=={version}" if version else package
    options = [] if package == "genai-prices" else ["--no-deps"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
    subprocess.run([*command, *options, wanted], check=True)
    name = package.replace("-", "_")
    return next(Path(folder).glob(f"{name}-*.dist-info")).name.removeprefix(f"{name}-").removesuffix(".dist-info")


def number(value):
    return f"{value:.6g}" if value else ""


def efforts(row):
    """The levels of effort that a model takes, `budget` where it wants tokens instead, nothing where it does not think."""
    if not row.get("supports_reasoning"):
        return ""
    if row.get("litellm_provider") == "anthropic" and not row.get("supports_adaptive_thinking"):
        return "budget"
    levels = row.get("reasoning_effort_levels")
    if not levels:
        usual = {"low", "medium", "high"}
        levels = [level for level in EFFORTS if row.get(f"supports_{level}_reasoning_effort", level in usual)]
    return " ".join(level for level in EFFORTS if level in levels)


def from_litellm(path):
    for name, row in json.loads(path.read_text()).items():
        ours = next((id for id, theirs in PROVIDERS.items() if theirs == row.get("litellm_provider")), None)
        if ours is None or row.get("mode") not in ("chat", "responses"):
            continue
        model = name.removeprefix(f"{row['litellm_provider']}/").removeprefix("cohere/")
        price = [(row.get(f"{way}_token") or 0) * 1e6 for way in ("input_cost_per", "output_cost_per")]
        if min(price) <= 0 or (row.get("deprecation_date") or "9") <= TODAY or SPECIAL.search(model) or (ours == "perplexity" and not model.startswith("sonar")):
            continue
        cached = (row.get("cache_read_input_token_cost") or 0) * 1e6
        # Those that host the models of others list hundreds: what is asked for today has a price for cached questions.
        if ours in ("fireworks", "deepinfra", "together") and not cached and "gpt-oss" not in model:
            continue
        takes = [word for word, flag in (("schema", "supports_response_schema"),) if row.get(flag)]
        if row.get("supports_sampling_params") is False:
            takes.append("unsampled")
        yield ours, model, price, cached if cached < price[0] else 0, row.get("max_input_tokens"), efforts(row), takes


def from_genai_prices(folder):
    code = (
        "import json; from genai_prices.data import providers\n"
        "def mtok(v): v = getattr(v, 'base', v); return float(v) if v is not None else 0\n"
        "def price(p): p = p[-1].prices if isinstance(p, list) else p; return [mtok(p.input_mtok), mtok(p.output_mtok), mtok(p.cache_read_mtok)]\n"
        "print(json.dumps([[m.id, *price(m.prices), m.context_window, bool(m.deprecated)] for p in providers if p.id == 'openrouter' for m in p.models]))"
    )
    told = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": folder}, capture_output=True, text=True, check=True)
    for model, given, taken, cached, context, retired in json.loads(told.stdout):
        if ":" in model or retired or min(given, taken) <= 0 or SPECIAL.search(model) or not model.startswith(tuple(f"{house}/" for house in ROUTED)):
            continue
        yield "openrouter", model, [given, taken], cached if cached < given else 0, context, "", []


def newest(model):
    """Its version as decimals: 4.20 came before 4.3."""
    return [float(part) for part in re.findall(r"\d+(?:\.\d+)?", VERSION.sub("", model))]


def main():
    versions = [*sys.argv[1:], "", ""]
    with tempfile.TemporaryDirectory() as folder:
        packages = [(name, fetched(folder, name, version)) for name, version in zip(("litellm", "genai-prices"), versions)]
        rows = [*from_litellm(Path(folder) / "litellm/model_prices_and_context_window_backup.json"), *from_genai_prices(folder)]
    names = {row[:2]: row for row in rows}
    kept = []
    for provider, model, price, cached, context, thinking, takes in sorted(names.values(), key=lambda row: row[:2]):
        undated = names.get((provider, VERSION.sub("", model)))
        if undated and undated[1] != model and undated[2] == price:
            continue
        # What OpenRouter passes on of the generations before goes without.
        if provider == "openrouter" and re.search(r"/(gpt-[34]\b|gpt-[34]-|claude-[23]|claude-v|gemini-(1|2\.0)|gemini-pro|gemini-flash|gemma-[12]|llama-[23]|codellama|mixtral|mistral-7b|mistral-tiny|grok-[23]|grok-beta|qwen-2|qwen-[a-z]|qwq|o1|kimi-(dev|vl)|moonlight|openchat)", model):
            continue
        kept.append((provider, model, number(price[0]), number(price[1]), number(cached), str(context or ""), thinking, " ".join(takes)))
    order = {provider: place for place, provider in enumerate(["openai", "anthropic", "gemini", "openrouter", *PROVIDERS])}
    kept.sort(key=lambda row: order[row[0]])
    lines = [
        f"# Made by scripts/catalogue.py on {TODAY} from " + " and ".join(f"{name} {version}" for name, version in packages) + ". Not to be edited.",
        "# US dollars for a million tokens of question, answer and cached question; tokens of context; levels of effort; what it takes.",
    ]
    for provider in dict.fromkeys(row[0] for row in kept):
        own = [row for row in kept if row[0] == provider]
        wanted = [row[1] for row in own if re.fullmatch(FIRST[provider], row[1])]
        wanted.sort(key=lambda model: (newest(model), -len(model)), reverse=True)
        lines.append("\t".join([f"[{provider}]", *wanted[:4]]))
        lines += ["\t".join(row[1:]).rstrip("\t") for row in own]
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"{TABLE}: {len(kept)} models, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
