#!/usr/bin/env python3
"""report.py: what tests/run.sh prints at its end: which tests were skipped and why, what each folder of tests took, and what failed.

report.py --budget FILE --compilation SECONDS... --page MICROSECONDS... --spent [NAME SECONDS]... --builds FOLDER...
Each build FOLDER holds tests.xml, which ctest --output-junit wrote. FILE has lines `name minutes`; without it (an empty word)
nothing is judged. The exit code is 1 when the total took longer than its budget, another line a quarter longer, or a folder has no budget.

Minutes are those of a machine that needs the seconds of FILE's line `compilation` for what took SECONDS here, several times. A slower
machine, or one that is busy, has more of them; a faster one has no fewer.
Two kinds of machines have only the total of FILE's line `total_elsewhere`, in their own minutes: one whose compilations take more than
1.5 times as long, and one where a page of memory costs more than 4 us (a virtual machine whose host keeps its page tables), since
compilations do not tell what processes and their memory cost there.
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys
import xml.etree.ElementTree as xml

CORES = 2  # budgets are minutes of a machine with so many


def properties(build):
    """{test: (folder below tests/, cores it occupies)}, as ctest knows them."""
    listed = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, check=True).stdout)
    known = {}
    for test in listed["tests"]:
        words = {one["name"]: one["value"] for one in test.get("properties", [])}
        below = os.path.relpath(words["WORKING_DIRECTORY"], os.path.realpath(build)).split(os.sep)
        folder = below[1] if below[0] == "tests" and len(below) > 1 else below[0]
        known[test["name"]] = (folder if folder != "." else "cuda", min(int(words.get("PROCESSORS", 1)), CORES))
    return known


REASONS = [re.compile(r"(?im)^skipped:? *(.+)$"), re.compile(r"(?m): Skipped\n(.+)$"), re.compile(r"(?im)\bleft out[,:] *(.+)$")]
# Lines of several processes mingle: what stands behind ": Skipped" may be the place of another one's, or a message of the library.
NO_REASON = re.compile(r": Skipped$|^op2: |^\[")


def reasons(text):
    """What a test's output says of skipped things, each once."""
    found = [re.sub(r"\x1b\[[0-9;]*m", "", match).strip() for pattern in REASONS for match in pattern.findall(text)]
    return list(dict.fromkeys(reason for reason in found if not NO_REASON.search(reason)))


def results(file):
    """The tests of a file; what they print may hold bytes that no XML may."""
    text = open(file, encoding="utf-8", errors="replace").read()
    return xml.fromstring(re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text).encode())


def read(builds):
    """Seconds of cores per folder, numbers of tests per folder, {reason: [tests]}. More tests run at a time than there are cores, and
    wait for each other: a folder's seconds are its share of what all tests together took by the clock."""
    spent, count, skipped = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for build in builds:
        known, suite = properties(build), results(os.path.join(build, "tests.xml"))
        occupied = sum(float(case.get("time")) * known[case.get("name")][1] for case in suite.iter("testcase"))
        share = min(1, float(suite.get("time") or occupied) * CORES / max(occupied, 1e-9))
        for case in suite.iter("testcase"):
            name, text = case.get("name"), case.findtext("system-out") or ""
            folder, cores = known[name]
            spent[folder] += float(case.get("time")) * cores * share
            count[folder] += 1
            whole = case.find("skipped") is not None
            for reason in reasons(text) or ([case.find("skipped").get("message")] if whole else []):
                skipped[reason].append(name + ("" if whole else " (a part)"))
    return spent, count, skipped


def failures(builds, most=6, lines=12):
    """Lines about the tests that failed: name, seconds, and the end of what each printed, of the first `most` of them."""
    def failed(case):
        skipped = case.find("skipped")
        return case.get("status") == "fail" or (skipped is not None and "Unable to find" in skipped.get("message", ""))

    found = [(os.path.basename(build), case) for build in builds for case in results(os.path.join(build, "tests.xml")).iter("testcase")
             if failed(case)]
    for place, (build, case) in enumerate(found):
        yield f"  {build}: {case.get('name')}, {float(case.get('time') or 0):.1f} s"
        if place < most:
            yield from (f"    | {line[:200]}" for line in (case.findtext("system-out") or "").rstrip().splitlines()[-lines:])


def budgets(file):
    out = {}
    if file:
        for line in open(file, encoding="utf-8"):
            words = line.split("#")[0].split()
            if words:
                out[words[0]] = float(words[1])
    return out


JUDGED = 1.5  # times as slow as the machine of the budgets
PAGE = 4.0  # microseconds
NEAR = 1.25  # times its budget a folder or step may take, as long as the total is within its own


def slower(limits, seconds):
    """How many times slower than the machine of the budgets this one has been."""
    known = limits.pop("compilation", None)
    return max(1, statistics.median(seconds) / known) if known and seconds else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="")
    parser.add_argument("--compilation", nargs="*", type=float, default=[])
    parser.add_argument("--page", nargs="*", type=float, default=[])
    parser.add_argument("--spent", nargs="*", default=[])
    parser.add_argument("--builds", nargs="+", required=True)
    words = parser.parse_args()
    spent, count, skipped = read(words.builds)
    print("== skipped" if skipped else "== nothing was skipped")
    for reason, tests in sorted(skipped.items()):
        shown = ", ".join(tests[:3]) + (f" and {len(tests) - 3} more" if len(tests) > 3 else "")
        print(f"  {reason}: {shown}")

    minutes = {name: seconds / 60 / CORES for name, seconds in spent.items()}
    steps = {words.spent[i]: float(words.spent[i + 1]) / 60 for i in range(0, len(words.spent), 2)}
    limits, over = budgets(words.budget), []
    elsewhere = limits.pop("total_elsewhere", None)
    factor, page = slower(limits, words.compilation), statistics.median(words.page or [0])
    another_kind = factor > JUDGED or page > PAGE
    print(f"== minutes of {CORES} cores; budgets times {factor:.2f}, as slow as this machine has been: compilations took "
          f"{', '.join(map(str, words.compilation))} s, a page {', '.join(map(str, words.page))} us\n"
          f"  {'':14} {'tests':>6} {'used':>7} {'budget':>7}")
    for name, used in [*steps.items(), *sorted(minutes.items(), key=lambda one: -one[1])]:
        limit = limits[name] * factor if name in limits else None
        if another_kind and name == "total":
            limit = elsewhere
        red = bool(words.budget) and (limit is None or used > limit)
        fails = limit is None or (used > limit if name == "total" else not another_kind and used > limit * NEAR)
        over += [name] * (red and fails)
        shown = "none" if limit is None else f"{limit:.1f}"
        print(f"  {name:14} {count.get(name, ''):>6} {used:7.1f} {shown if words.budget else '':>7}{'  OVER' if red else ''}")
    if another_kind:
        print(f"  a machine of another kind (compilations above {JUDGED} times their time, or pages above {PAGE} us): the total is judged, by "
              "the minutes that it has there, and no other line")
    failed = list(failures(words.builds))
    if failed:
        print("== tests that failed, and the end of what they printed", *failed, sep="\n")
    if over:
        print(f"FAILED: over the budget of {words.budget}: {', '.join(over)}. Make its tests cheaper, or move minutes from another line")
    return 1 if over else 0


sys.exit(main())

# SPDX-License-Identifier: MIT
