#!/usr/bin/env bash
# says.sh CODE WORDS... -- COMMAND...: the command ends with this exit code, and each of the extended regular expressions WORDS matches a
# line of its output. CTest's PASS_REGULAR_EXPRESSION alone does not look at the exit code.
set -uo pipefail
code=$1
shift
words=()
while [[ $1 != -- ]]; do
  words+=("$1")
  shift
done
shift
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$@" >"$out" 2>&1
got=$?
cat "$out"
failed=0
if ((got != code)); then
  echo "FAILED: exit code $got instead of $code"
  failed=1
fi
for word in "${words[@]}"; do
  if ! grep -qE -- "$word" "$out"; then
    echo "FAILED: no line of the output matches '$word'"
    failed=1
  fi
done
exit $failed

# SPDX-License-Identifier: MIT
