# op2_plot_trace.py: what processes do when, from the files of OP2_TRACE: a row for each process, work and communication
# in different colours, and how even the work is.
import json
import os
import re

import numpy as np
from matplotlib import pyplot
from matplotlib.ticker import MaxNLocator
from op2_plot_files import Trouble

# What lies farther down is drawn over what is above it: what a loop's span contains is no work, and must be seen.
KINDS = {"work": "tab:green", "waiting": "0.85", "data and files": "tab:blue", "communication": "tab:red"}
LANES = {"loops": "work", "plans": "work", "exchanges": "communication", "data": "data and files", "I/O": "data and files"}
OF_LINES = {"trace": "work", "messages": "communication", "wait": "waiting"}  # lane "streamlines"


class Process:
    """spans: {kind: [spans][2]}, begin and end in seconds since 1970."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:  # that of a program that was ended has no end
            events = json.loads(text if text.rstrip().endswith("]") else text.rstrip().rstrip(",") + "]")
            lanes = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
            start = next(event for event in events if event["name"] == "start" and event["ph"] == "i")
            self.rank = start["pid"]
            self.processes = start["args"]["processes"]
            clock = start["args"]["unix_seconds"] - 1e-6 * start["ts"]  # nodes do not agree on other clocks
            spans = {kind: [] for kind in KINDS}
            for event in events:
                if event["ph"] != "X":
                    continue
                lane = lanes.get(event["tid"], "")
                kind = OF_LINES.get(event["name"]) if lane == "streamlines" else LANES.get(lane)
                if kind:
                    begin = clock + 1e-6 * event["ts"]
                    spans[kind].append((begin, begin + 1e-6 * event["dur"]))
        except (ValueError, TypeError, KeyError, StopIteration):
            raise Trouble(f"{path} is no trace of OP2_TRACE") from None
        self.spans = {kind: np.array(sorted(its)).reshape(-1, 2) for kind, its in spans.items()}


def read_traces(path):
    """The processes of a job: those of NAME.json, NAME.1.json, ... What an earlier job of more processes has left is not read."""
    asked = Process(path)
    if asked.processes == 1:
        return [asked]
    stem = re.sub(r"(\.\d+)?\.json$", "", path)
    names = [stem + ".json"] + [f"{stem}.{rank}.json" for rank in range(asked.processes)]
    found = {}
    for name in filter(os.path.exists, names):
        process = Process(name)
        if process.processes != asked.processes:
            raise Trouble(f"{name} is of a job of {process.processes} processes, {path} of one of {asked.processes}; remove the older one")
        if process.rank in found:
            raise Trouble(f"{name} is a second trace of process {process.rank} beside {path}; remove the older one")
        found[process.rank] = process
    missing = set(range(asked.processes)) - set(found)
    if missing:
        raise Trouble(f"{path}: the trace of process {min(missing)} of {asked.processes} is missing beside it")
    return [found[rank] for rank in sorted(found)]


def seconds_of(spans):
    """What spans cover; where they overlap it counts once."""
    covered, end = 0.0, -np.inf
    for begin, finish in spans[np.argsort(spans[:, 0])]:
        covered += max(0.0, finish - max(begin, end))
        end = max(end, finish)
    return covered


def work_of(spans):
    """Seconds of work that neither waiting nor data nor communication covers."""
    others = np.concatenate([its for kind, its in spans.items() if kind != "work"])
    return seconds_of(np.concatenate([others, spans["work"]])) - seconds_of(others)


def list_traces(processes):
    for process in processes:
        kinds = [f"{kind} {len(its)} spans, {seconds_of(its):.3g} s" for kind, its in process.spans.items()]
        print(f"process {process.rank} of {process.processes}: {'; '.join(kinds)}")


def draw_traces(processes, options):
    """A figure; options.range: seconds after the first span."""
    every = [its for process in processes for its in process.spans.values() if len(its)]
    if not every:
        raise Trouble("the trace shows nothing that was done")
    start = min(its[0, 0] for its in every)
    low, high = options.range or (0, max(its[:, 1].max() for its in every) - start)
    if low >= high:
        raise Trouble(f"--range goes from {low:g} to {high:g}; give the smaller number first")
    height = min(max(300, 90 + 26 * len(processes)), 2000)
    figure, axes = pyplot.subplots(figsize=(options.width / options.dpi, height / options.dpi), dpi=options.dpi, layout="constrained")
    working = []
    for row, process in enumerate(processes):
        shown = {kind: np.clip(its - start, low, high) for kind, its in process.spans.items()}
        for kind, colour in KINDS.items():
            its = shown[kind][shown[kind][:, 1] > shown[kind][:, 0]]
            axes.broken_barh(np.stack([its[:, 0], its[:, 1] - its[:, 0]], axis=1), (row - 0.4, 0.8), color=colour, linewidth=0)
        working.append(work_of(shown))
    for kind, colour in KINDS.items():
        axes.barh(0, 0, color=colour, label=kind)
    axes.set(xlim=(low, high), ylim=(len(processes) - 0.5, -0.5), xlabel="seconds", ylabel="process")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(KINDS), frameon=False)
    imbalance = max(working) / np.mean(working) if sum(working) > 0 else 1
    print(f"{len(processes)} processes, {high - low:g} s; work: {np.mean(working):.3g} s each, the most {max(working):.3g} s, imbalance {imbalance:.2f} "
          "(loops count with the messages inside them)")
    if options.title:
        figure.suptitle(options.title)
    return figure

# SPDX-License-Identifier: MIT
