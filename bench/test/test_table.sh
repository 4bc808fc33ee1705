#!/usr/bin/env bash
# test_table.sh BENCH_TABLE: what the merging program makes of good, bad and strange lines.
set -euo pipefail
table=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
json=$scratch/out.json
failures=0

# expect CODE NAME LINES: feeds the lines; the exit code must be CODE and the JSON must be sound.
expect() {
  local code=0
  printf '%s\n' "$3" | "$table" --json "$json" >"$scratch/table" 2>"$scratch/errors" || code=$?
  if ((code != $1)); then
    echo "FAILED: $2: exit code $code, not $1"
    failures=$((failures + 1))
  fi
}
# contains FILE TEXT: after expect.
contains() {
  if ! grep -qF -- "$2" "$1"; then
    echo "FAILED: '$2' is not in:"
    cat "$1"
    failures=$((failures + 1))
  fi
}
# sound NAMES [EXACT]: the JSON has these checks, these of them exact.
sound() {
  if ! cmake "-DFILE=$json" "-DNAMES=$1" "-DEXACT=${2:-}" -P "$here/test_json.cmake" >"$scratch/verdict" 2>&1; then
    cat "$scratch/verdict"
    failures=$((failures + 1))
  fi
}

good=$'result a.row.x 1.5 ns some detail\nresult a.row.y 2 ns\n'
good+=$'check a.row.ratio 1.15 1.15 below x\ncheck b 1.7 1.6 above x'
expect 0 "checks at and within their limits" "$good"
sound "a.row.ratio;b"
contains "$scratch/verdict" "failed: 0"
contains "$scratch/table" "some detail"
if cmake "-DFILE=$json" -DNAMES=missing -P "$here/test_json.cmake" >/dev/null 2>&1; then
  echo "FAILED: nobody misses a check that is not there"
  failures=$((failures + 1))
fi
# unsound EXACT WORDS: an exact check is missing, is not exact, or does not hold.
unsound() {
  if cmake "-DFILE=$json" "-DEXACT=$1" -P "$here/test_json.cmake" >"$scratch/verdict" 2>&1; then
    echo "FAILED: nobody misses '$1'"
    failures=$((failures + 1))
  fi
  contains "$scratch/verdict" "$2"
}
exact=$'\ncheck d.e 0 0 below counts exact'
expect 0 "an exact check" "$good$exact"
sound "b;d.e" "d.e"
contains "$json" '"name": "d.e", "value": 0, "limit": 0, "better": "below", "unit": "counts", "exact": true, "ok": true'
contains "$json" '"name": "b", "value": 1.7, "limit": 1.6, "better": "above", "unit": "x", "exact": false, "ok": true'
contains "$scratch/table" "limit <= 0, exact"
unsound "b" "no exact check b"
unsound "missing" "no exact check missing"
expect 1 "an exact check that fails" "$good"$'\ncheck d.e 1 0 below counts exact'
unsound "" "exact check d.e"
expect 1 "an exact check that is not a number" "$good"$'\ncheck d.e nan 0 below counts exact'
unsound "" "checks;2;value"
expect 1 "a value above its limit" "$good"$'\ncheck c 1.16 1.15 below x'
sound "a.row.ratio;b;c"
contains "$scratch/verdict" "failed: 1"
contains "$scratch/table" "FAILED c"
expect 1 "a value below its limit" $'check c 1.59 1.6 above x'
sound c
expect 1 "not a number" $'check c nan 1 below x'
contains "$json" '"value": null'
expect 1 "infinite" $'check c inf 1 above x'
expect 0 "a skipped check is no failure" $'skip d no such thing here\n'"$good"
sound "d;b"
contains "$scratch/table" "no such thing here"
expect 0 "quotes and backslashes" $'result a 1 s say "\\" and\ttab\n'"$good"
sound b
expect 0 "chatter" $'hello\n'"$good"
contains "$scratch/errors" hello
expect 1 "nothing" ""
contains "$json" "nothing was measured"
expect 1 "said twice" "$good"$'\ncheck b 1.7 1.6 above x'
for line in "check" "check c" "check c 1" "check c 1 2" "check c 1 2 beside x" "check c 1 2 below" \
            "check c 1 2 below x y" "check c 1 2 below x exact y" "check c one 2 below x" "result" "result r" "result r 1" \
            "result r 1.0.0 s" "skip" "skip s"; do
  expect 1 "the line '$line'" "$good"$'\n'"$line"
  contains "$json" "not understood: $line"
done

for arguments in "--json" "--colour red" "extra"; do
  code=0
  # shellcheck disable=SC2086
  "$table" $arguments </dev/null >/dev/null 2>&1 || code=$?
  if ((code != 2)); then
    echo "FAILED: bench_table $arguments: exit code $code, not 2"
    failures=$((failures + 1))
  fi
done
code=0
echo "$good" | "$table" --json "$scratch/no/such/folder.json" >/dev/null 2>&1 || code=$?
if ((code != 2)); then
  echo "FAILED: a file that cannot be written: exit code $code, not 2"
  failures=$((failures + 1))
fi
((failures == 0)) && echo "all passed"

# SPDX-License-Identifier: MIT
