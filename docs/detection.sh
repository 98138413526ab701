#!/bin/sh
# Writes docs/detection.md from the labelled corpus in ../shared/corpus. It needs Go and Python 3.
set -eu
cd "$(dirname "$0")/.."
corpus=../shared/corpus
[ -d "$corpus" ] || { echo "detection: $corpus is not beside the project: nothing measured, docs/detection.md is as it was" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

CGO_ENABLED=0 go build -o "$work/otelcol-agentleak" ./cmd/otelcol-agentleak
cat "$corpus"/*.jsonl >"$work/corpus.jsonl"
"$work/otelcol-agentleak" detect --jsonl "$work/corpus.jsonl" >"$work/findings.jsonl"
python3 "$corpus/score.py" --corpus "$corpus" --pred "$work/findings.jsonl" --json "$work/score.json" >"$work/score.txt"
# It exits 1 when a target falls short, which the table then says.
python3 "$corpus/targets.py" "$work/score.json" >"$work/targets.txt" || [ $? = 1 ]
tail -n 1 "$work/targets.txt" | grep -q 'targets met$' || { echo "detection: targets.py did not finish" >&2; exit 1; }

{
cat <<'HEAD'
# Detection, measured

Written by `make detection`, which needs Go, Python 3 and the corpus beside the project, in `../shared/corpus`. Edit
`docs/detection.sh` for the text. What the detectors are is in [detectors.md](detectors.md).

## The corpus

Texts as they occur in traces of agents (prompts, completions, tool arguments and results, logs, code), with each
sensitive value labelled, and texts with none that look as if they had some. Part of it was generated, part is from the
published tests of other scanners. All credentials are dummies. This is the public half, against which the detectors
were tuned: expect less on texts of your own. A second half of the same make is kept back and was not measured here.

Every document is scanned as plain text. A value in a trace also has the name of its attribute, which helps.

## What others reach

On the same corpus, as stated to this project and not measured again here:

| | L4 precision | L4 recall | False alarms per MB of innocent trace text |
|---|---:|---:|---:|
| gitleaks with the AgentLeak detectors | 51 | 55 | 639 |
| gitleaks alone | 87 | 34 | 19 |

The figures to hold against these are "L4, all sources" and the two of false positives per MB, below. The comparison
favours this project: its detectors were tuned on this half, those of others were not.

## Innocence

Placeholders, references, masks, public keys, digests, identifiers and media are no secrets by rule. What looks like one and
is known to be harmless the operator says: rows of [the allow list](policy.md#the-allow-list) take single findings out, by
key path, channel, data type, rule, value or fingerprint, and leave everything else in their text. What the row's find had
covered comes forth in its place, so that no other finding is lost.

## What falls short

- The speed target of the detection work is not met. `make bench` measures.
- Passwords without a digit in other people's code. They look like any other word.
- Private formats of tokens that have no prefix, where no key names them.
- Names in prose without a title, a key or an introduction, unless the given name is a common one.

## Known limits

- Inline media (images, audio, documents in base64) is not looked into; base64 of a text is, whatever it claims to be.
- A value cut across chunks that arrive in different batches is not put together again. Each part is looked at alone.
HEAD
python3 - "$work/score.json" "$work/targets.txt" <<'TABLES'
import json, re, sys

score = json.load(open(sys.argv[1]))
lines = open(sys.argv[2]).read().splitlines()
every, l4 = score["all"], score["l4"]


def pct(x):
    return "-" if x is None or x != x else f"{100 * x:.2f}"


print(f"""
## Targets

{lines[-1]}. In percent, but for those per MB. Rows of fewer than 20 labels are not judged ("few").

| Figure | Measured | Target | |
|---|---:|---:|---|""")
for line in lines[:-1]:
    m = re.match(r"(MISS|few|) +(.*?) +(-?[\d.]+) +want ([<>]=) ([\d.]+)$", line)
    if not m:
        sys.exit("targets.py: a line of another form: " + line)
    mark, name, got, op, want = m.groups()
    print(f"| {name} | {got} | {'at most' if op == '<=' else 'at least'} {want} | {mark or 'met'} |")

a, b = every["all"], l4["all"]
print(f"""
{a["docs"]} documents, {a["labels"]} labels. Of {a["negatives"]} documents with nothing sensitive, {a["negatives_flagged"]} were flagged, {b["negatives_flagged"]} at L4.
Found counts labels, precision counts places; false are findings that point at nothing labelled.""")


def table(title, prefix, rows, note=""):
    print(f"\n## {title}\n" + (f"\n{note}\n" if note else ""))
    print(f"| | Labels | Found | False | Precision | Recall |\n|---|---:|---:|---:|---:|---:|")
    for k in sorted(k for k in rows if k.startswith(prefix)):
        x = rows[k]
        if x["labels"] or x["fp"]:
            name = k[len(prefix):]
            name = f"`{name}`" if prefix == "type:" else name.replace("_", " ")
            print(f"| {name} | {x['labels']} | {x['found']} | {x['fp']} | {pct(x['precision'] if x['tp'] + x['fp'] else None)} | {pct(x['recall'] if x['labels'] else None)} |")


table("By level", "level:", every)
table("By kind of text", "kind:", every)
table("L4 by kind of text", "kind:", l4, "Only what is found as L4 counts.")
table("By data type", "type:", every, "Labels, found and recall go by the label's type, whatever type the finding has. False and precision go by the\nfinding's type, which has to be of the label's family; - says that no finding has the type.")
TABLES
} >"$work/detection.md"
cp "$work/detection.md" docs/detection.md
tail -n 1 "$work/targets.txt"
