#!/usr/bin/env bash
# test_exact.sh BENCH_TABLE CHECKS COMMAND...: a benchmark program runs to its end, and its exact checks hold; CHECKS (a;b;c) are among them.
# Its times are not judged.
set -euo pipefail
table=$1 checks=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$@" | tee "$scratch/lines"
code=0
"$table" --json "$scratch/out.json" <"$scratch/lines" >"$scratch/table" || code=$?
if ((code > 1)) || ! grep -qE '^(check|result|skip) ' "$scratch/lines"; then
  echo "FAILED: bench_table cannot read this"
  exit 1
fi
if grep -q '^check ' "$scratch/lines"; then # else there are no names to look for
  cmake "-DFILE=$scratch/out.json" "-DEXACT=$checks" -P "$here/test_json.cmake"
elif [[ -n $checks ]]; then
  echo "FAILED: there are no checks, but $checks are expected"
  exit 1
fi

# SPDX-License-Identifier: MIT
