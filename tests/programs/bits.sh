#!/usr/bin/env bash
# bits.sh PROGRAM KINDS SETTING...: lines of these kinds (e.g. 'plain|sums') that bits.cpp prints under the settings must be those of
# the program's own code on seq.
set -euo pipefail
program=$1
kinds=$2
shift 2
results() { env "$@" "$program" | grep -E "^($kinds) "; }
# In the same order on both: what adds up depends on it.
expected=$(results OP2_BACKEND=seq OP2_JIT=off OP2_RENUMBER=off OP2_FALLBACK=error)
found=$(results OP2_RENUMBER=off OP2_FALLBACK=error "$@")
if [[ $expected != "$found" ]]; then
  printf 'FAILED: with %s\n%s\non seq\n%s\n' "$*" "$found" "$expected"
  exit 1
fi
printf 'the same bits as seq:\n%s\n' "$found"

# SPDX-License-Identifier: MIT
