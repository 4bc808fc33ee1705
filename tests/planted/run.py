#!/usr/bin/env python3
"""Plants mistakes in the library, one at a time, and counts how many the tests notice. See README.md beside it."""

import argparse
import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MOST_NAMED = 3  # failed tests in a line of the table
QUICK = 2.0  # seconds; such tests come first, since the first failure ends the search
SLOWER = 10  # times as long as without a mistake is for ever
STARTERS = {"op2_launch"}  # build it when a test needs it, but all that it starts are not meant


class WrongTable(Exception):
    """An entry that cannot be judged: it is out of date, does not compile, or its tests fail without it."""


@dataclasses.dataclass
class Mistake:
    name: str
    file: str
    old: str
    new: str
    what: str
    targets: list
    tests: list  # regular expressions of names of tests
    preset: str
    seconds: int  # what the tests may take, all together, unless they take long without the mistake


@dataclasses.dataclass
class KnownTest:
    number: int
    command: list


@dataclasses.dataclass
class Result:
    mistake: Mistake
    verdict: str  # caught, MISSED or ERROR
    by: str
    seconds: float


def read_table(path, preset):
    table = tomllib.loads(path.read_text())
    groups = table.get("tests", {})
    out = []
    for entry in table["mistake"]:
        known = {"name", "file", "old", "new", "what", "tests", "preset", "seconds"}
        if unknown := set(entry) - known:
            sys.exit(f"{path}: {entry.get('name')}: there is no key {', '.join(sorted(unknown))}")
        targets, tests = [], []
        for group in entry["tests"]:
            if group not in groups:
                sys.exit(f"{path}: {entry['name']}: there is no [tests.{group}]")
            targets += [t for t in groups[group]["targets"] if t not in targets]
            tests += [r for r in groups[group]["names"] if r not in tests]
        out.append(Mistake(entry["name"], entry["file"], entry["old"], entry["new"], entry["what"], targets, tests,
                           preset or entry.get("preset", "release"), entry.get("seconds", 600)))
    if len({mistake.name for mistake in out}) != len(out):
        sys.exit(f"{path}: two entries have one name")
    return out


def replaced(mistake, text):
    count = text.count(mistake.old)
    if count != 1:
        raise WrongTable(f"the old text stands {count} times in {mistake.file}, not once")
    if mistake.old == mistake.new:
        raise WrongTable("the new text is the old one")
    return text.replace(mistake.old, mistake.new)


class Copy:
    """A copy of the working tree, in which everything happens; kept between runs, so that little is built again."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        self.tree, self.cache = folder / "tree", folder / "jit_cache"
        self.clean_cache = folder / "jit_cache.clean"
        self.seconds = {}  # of tests, without mistakes
        self.environment = dict(os.environ, OP2_JIT_CACHE=str(self.cache))
        self.environment.setdefault("CMAKE_GENERATOR", "Ninja")
        if shutil.which("ccache") and "CMAKE_CXX_COMPILER_LAUNCHER" not in os.environ:
            # What was right before a mistake is so again behind it.
            self.environment.update(
                CMAKE_C_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache", CCACHE_DIR=str(folder / "ccache"),
                CCACHE_BASEDIR=str(self.tree), CCACHE_NOHASHDIR="1", CCACHE_MAXSIZE="2G",
                CCACHE_SLOPPINESS="file_macro,locale,pch_defines,time_macros")

    def follow_working_tree(self):
        listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                                capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (ROOT / name).is_file()}
        for name in sorted(wanted):
            source, target = ROOT / name, self.tree / name
            if target.is_file() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        for path in list(self.tree.rglob("*")):
            name = path.relative_to(self.tree)
            if path.is_file() and name.parts[0] != "build" and str(name) not in wanted:
                path.unlink()

    def run(self, command, log, limit=None):
        """Returns the exit code, or None when the time was over."""
        with open(log, "a") as out:
            out.write(f"\n$ {' '.join(map(str, command))[:2000]}\n")
            out.flush()
            process = subprocess.Popen(list(map(str, command)), cwd=self.tree, env=self.environment, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                end_all(process)
                return None
            except BaseException:
                end_all(process)
                raise

    def configure(self, preset):
        log = self.folder / f"{preset}.log"
        if (self.tree / "build" / preset / "build.ninja").exists():
            return  # the build looks for itself whether it is out of date
        self.tree.joinpath("build").mkdir(parents=True, exist_ok=True)
        # A library that was only linked anew needs no programs linked anew; what is compiled again is little.
        options = ["-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DCMAKE_UNITY_BUILD=OFF"]
        if self.run(["cmake", "--preset", preset, *options], log) != 0:
            sys.exit(f"{preset} cannot be configured; see {log}")

    def build(self, preset, targets, log):
        """Also what is left of the mistake before: all that tests run is in `targets`, or in the library and its plugins."""
        return self.run(["cmake", "--build", "--preset", preset, "--parallel", self.jobs, "--target", "op2", *targets], log) == 0

    def known_tests(self, preset):
        """All tests: the number that ctest gives each, and the words of its command."""
        shown = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=self.tree, env=self.environment,
                               check=True, capture_output=True).stdout
        tests = json.loads(shown)["tests"]
        return {test["name"]: KnownTest(n, test.get("command", [])) for n, test in enumerate(tests, 1)}

    # By number: thousands of names are too much for one regular expression.
    def test(self, preset, numbers, log, limit=None, stop=False):
        """Returns what failed, what passed, and whether the time was over. Tests by name, with seconds."""
        report = self.folder / "report.xml"
        report.unlink(missing_ok=True)
        command = ["ctest", "--preset", preset, "--parallel", self.jobs, "--output-on-failure",
                   "--output-junit", report, "-I", "0,0,0," + ",".join(map(str, sorted(numbers)))]
        over = self.run(command + (["--stop-on-failure"] if stop else []), log, limit) is None
        failed, passed = {}, {}
        for case in xml.parse(report).getroot().iter("testcase") if report.exists() else []:
            name, seconds = case.get("name"), float(case.get("time") or 0)
            if case.get("status") == "fail":
                failure = case.find("failure")
                late = failure is not None and "Timeout" in (failure.get("message") or "")
                failed[name + (" (timeout)" if late else "")] = seconds
            elif case.get("status") == "run":
                passed[name] = seconds
        return failed, passed, over

    def keep_cache(self):
        shutil.rmtree(self.clean_cache, ignore_errors=True)
        if self.cache.exists():
            shutil.copytree(self.cache, self.clean_cache)

    # A mistake may leave wrong code in the cache of generated code.
    def restore_cache(self):
        shutil.rmtree(self.cache, ignore_errors=True)
        if self.clean_cache.exists():
            shutil.copytree(self.clean_cache, self.cache)


def end_all(process):
    """The processes of a command: its tests and what they started in its session."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    except ProcessLookupError:
        pass


def tests_of(mistake, known):
    """What the names choose, as far as it runs a program that is built for this mistake."""
    chosen = [name for name in known if any(re.search(one, name) for one in mistake.tests)]
    built = set(mistake.targets) - STARTERS
    out = [name for name in chosen if any(Path(word).name in built for word in known[name].command)]
    if not out:
        raise WrongTable(f"no test of {', '.join(mistake.targets)} has a name like {' or '.join(mistake.tests)}")
    return {known[name].number: name for name in out}


def names_in(tests):
    return ", ".join(tests[:MOST_NAMED]) + (f" and {len(tests) - MOST_NAMED} more" if len(tests) > MOST_NAMED else "")


def judge(copy, mistake, tests, log):
    if not copy.build(mistake.preset, mistake.targets, log):
        raise WrongTable("it does not compile")
    limit = max(mistake.seconds, SLOWER * sum(copy.seconds.get(name, 0) for name in tests.values()))
    passed, end = 0, time.monotonic() + limit
    quick = {number for number, name in tests.items() if copy.seconds.get(name, 0) < QUICK}
    for numbers in (quick, set(tests) - quick):
        if not numbers:
            continue
        failed, right, over = copy.test(mistake.preset, numbers, log, max(1, end - time.monotonic()), True)
        if over:
            failed[f"timeout after {limit:.0f} s"] = limit
        if failed:
            return "caught", names_in(list(failed))
        passed += len(right)
    if passed == 0:
        raise WrongTable("no test has run")
    return "MISSED", f"{passed} tests passed"


def plant(copy, mistake, tests, log):
    path = copy.tree / mistake.file
    right = path.read_text()
    start = time.monotonic()
    try:
        path.write_text(replaced(mistake, right))
        verdict, by = judge(copy, mistake, tests, log)
    except WrongTable as error:
        verdict, by = "ERROR", str(error)
    finally:  # also when a person has had enough
        path.write_text(right)
        copy.restore_cache()
    return Result(mistake, verdict, by, time.monotonic() - start)


def prove_clean(copy, mistakes, log):
    """Tests must pass without a mistake, or they prove nothing. Returns those of each mistake, or why it has none."""
    chosen = {}
    for preset in sorted({mistake.preset for mistake in mistakes}):
        here = [mistake for mistake in mistakes if mistake.preset == preset]
        copy.configure(preset)
        targets = sorted({target for mistake in here for target in mistake.targets})
        print(f"{preset}: building {len(targets)} targets without mistakes", flush=True)
        if not copy.build(preset, targets, log):
            sys.exit(f"the tree without mistakes cannot be built; see {log}")
        known = copy.known_tests(preset)
        for mistake in here:
            try:
                replaced(mistake, (copy.tree / mistake.file).read_text())
                chosen[mistake.name] = tests_of(mistake, known)
            except (WrongTable, OSError) as error:
                chosen[mistake.name] = WrongTable(str(error))
        every = {number for mistake in here if not isinstance(chosen[mistake.name], WrongTable)
                 for number in chosen[mistake.name]}
        if not every:
            continue
        print(f"{preset}: {len(every)} tests without mistakes", flush=True)
        start = time.monotonic()
        failed, passed, _ = copy.test(preset, every, log)
        copy.seconds.update(passed)
        print(f"{preset}: {len(passed)} passed in {time.monotonic() - start:.0f} s", flush=True)
        wrong = {name.removesuffix(" (timeout)") for name in failed}
        for mistake in here:
            tests = chosen[mistake.name]
            if isinstance(tests, WrongTable):
                continue
            if bad := [name for name in tests.values() if name in wrong]:
                chosen[mistake.name] = WrongTable(f"fails without the mistake: {names_in(bad)}")
    copy.keep_cache()
    return chosen


def report(results):
    width = max(len(result.mistake.name) for result in results)
    where = max(len(result.mistake.file) for result in results)
    print(f"\n{'mistake':<{width}}  {'where':<{where}}  seconds  verdict  by")
    for result in results:
        print(f"{result.mistake.name:<{width}}  {result.mistake.file:<{where}}  {result.seconds:7.0f}  {result.verdict:<7}  "
              f"{result.by}")
    caught = sum(result.verdict == "caught" for result in results)
    print(f"\n{caught} of {len(results)} caught")
    return caught


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the mistakes, check that they fit the sources, and end")
    parser.add_argument("--only", metavar="NAME", nargs="+", default=[], help="these mistakes only")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="compilers and tests at a time (2)")
    parser.add_argument("--preset", help="of CMake, for all mistakes (what the table says, else release)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "planted", help="for the copy (build/planted)")
    parser.add_argument("--table", type=Path, default=HERE / "mistakes.toml", help="of mistakes (mistakes.toml)")
    options = parser.parse_args()
    mistakes = read_table(options.table, options.preset)
    if unknown := set(options.only) - {mistake.name for mistake in mistakes}:
        sys.exit(f"there is no mistake {', '.join(sorted(unknown))}; --list names all")
    if options.only:
        mistakes = [mistake for mistake in mistakes if mistake.name in options.only]

    if options.list:
        stale = 0
        for mistake in mistakes:
            try:
                replaced(mistake, (ROOT / mistake.file).read_text())
                note = ""
            except (WrongTable, OSError) as error:
                note, stale = f"  OUT OF DATE: {error}", stale + 1
            print(f"{mistake.name}: {mistake.file}: {mistake.what}{note}")
        return 1 if stale else 0

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, lambda *_: sys.exit("interrupted"))  # what runs is ended, and the mistake taken back
    copy = Copy(options.folder.resolve(), options.jobs)
    copy.folder.mkdir(parents=True, exist_ok=True)
    copy.follow_working_tree()
    log = copy.folder / "clean.log"
    log.unlink(missing_ok=True)
    chosen = prove_clean(copy, mistakes, log)
    results = []
    for mistake in mistakes:
        log = copy.folder / f"{mistake.name}.log"
        log.unlink(missing_ok=True)
        tests = chosen[mistake.name]
        wrong = isinstance(tests, WrongTable)
        results.append(Result(mistake, "ERROR", str(tests), 0) if wrong else plant(copy, mistake, tests, log))
        print(f"{mistake.name}: {results[-1].verdict}: {results[-1].by} ({results[-1].seconds:.0f} s)", flush=True)
    return 0 if report(results) == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
