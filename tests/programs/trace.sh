#!/usr/bin/env bash
# trace.sh AIRFOIL MESH: the trace of a whole program, read by a reader of other people, agrees with its timing table; a
# program that is killed leaves one that can be loaded.
set -euo pipefail
airfoil=$1 mesh=$2
command -v python3 >/dev/null || { echo "skipped: python3 is not there to read the trace"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/check.py" <<'PYTHON'
import json, re, sys

text = open(sys.argv[1], encoding="utf-8").read()
if sys.argv[2] == "killed":
    assert not text.rstrip().endswith("]"), "the trace of a killed program cannot be complete"
    text += "]"
events = json.loads(text)
spans = [e for e in events if e["ph"] == "X"]
lanes = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert list(lanes.values()) == ["loops", "plans", "data", "exchanges", "I/O"], lanes
ends = {}
for e in spans:
    assert e["dur"] >= 0 and e["tid"] in lanes
    assert e["ts"] + e["dur"] >= ends.get(e["tid"], 0) - 0.002, e
    ends[e["tid"]] = e["ts"] + e["dur"]
pieces = sys.argv[3:] == ["pieces"] or sys.argv[2] == "killed" # which has had the time to try tiles
calls, micro, numbers = {}, {}, {}
for e in spans:
    if lanes[e["tid"]] == "loops":
        name = e["name"]
        micro[name] = micro.get(name, 0) + e["dur"]
        numbers.setdefault(name, []).append(e["args"]["call"])
        calls[name] = len(set(numbers[name]))
        assert pieces or e["args"]["call"] == calls[name], e
        assert e["args"]["elements"] > 0 and e["args"]["bytes"] > 0 and e["args"]["form"], e
if sys.argv[2] == "killed":
    assert len(calls) == 5, calls
    sys.exit(print(len(spans), "spans of a killed program"))
table = {}
for line in open(sys.argv[2]):
    row = re.match(r"  (\w+_calc|save_soln|update) +(\d+) +([\d.]+) ", line)
    if row:
        table[row[1]] = (int(row[2]), float(row[3]))
assert len(table) == 5, table
for name, (count, seconds) in table.items():
    assert calls[name] == count, (name, calls[name], count)
    assert set(numbers[name]) == set(range(1, count + 1)), (name, numbers[name])
    assert len(numbers[name]) > count or not pieces or name == "bres_calc", (name, "was not cut")
    # A span holds the call that the table measures, and little more.
    assert seconds - 1e-3 <= micro[name] / 1e6 <= 1.05 * seconds + 1e-2, (name, micro[name], seconds)
prepared = [e["name"] for e in spans if lanes[e["tid"]] == "plans"]
assert sorted(prepared) == sorted("prepare " + name for name in table), prepared
print(len(spans), "spans, as in the timing table")
PYTHON

for backend in seq auto; do
  OP2_BACKEND=$backend OP2_TRACE="$work/$backend.json" "$airfoil" "$mesh" --iterations 20 >"$work/out"
  python3 "$work/check.py" "$work/$backend.json" "$work/out"
done
# In tiles, but for the first runs, in which loops are compared: the pieces of a call have its number, and together its time.
OP2_BACKEND=seq OP2_CHAIN_TILE=512 OP2_TRACE="$work/tiles.json" "$airfoil" "$mesh" --iterations 60 >"$work/out"
python3 "$work/check.py" "$work/tiles.json" "$work/out" pieces

OP2_BACKEND=seq OP2_TRACE="$work/killed.json" "$airfoil" "$mesh" --iterations 100000 >/dev/null 2>&1 &
program=$!
for ((i = 0; i < 300; i++)); do
  [[ $(grep -c '"call":' "$work/killed.json" 2>/dev/null) -gt 100 ]] && break
  sleep 0.1
done
sleep 0.3 # the trace is written once a second: this is between two writings
kill -9 $program
wait $program 2>/dev/null || true
python3 "$work/check.py" "$work/killed.json" killed

# SPDX-License-Identifier: MIT
