# spans.py TRACE: how often the spans of a trace occur, and how long they take.
import json, sys

calls, seconds = {}, {}
for line in open(sys.argv[1]):
    if not line.startswith("{"):
        continue
    event = json.loads(line.rstrip(",\n"))
    if event["ph"] == "X" and event["name"] != "write trace":  # a span: begin and duration; a long run writes in between
        name = event["name"]
        calls[name] = calls.get(name, 0) + 1
        seconds[name] = seconds.get(name, 0) + event["dur"] / 1e6
for name in sorted(calls):
    print(f"{name:16} {calls[name]:5} {seconds[name]:9.4f} s")

# SPDX-License-Identifier: MIT
