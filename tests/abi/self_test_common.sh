# self_test_common.sh: what the tests of the checks share; to be sourced (bash).
# shellcheck shell=bash
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
caught=0

# must_fail WORDS COMMAND...: the script fails with code 1 and says WORDS.
must_fail() {
  local words=$1 output code=0
  shift
  output=$(bash "$@" 2>&1) || code=$?
  if ((code != 1)); then
    complain "exit code $code instead of 1 for: $words; it says: $output"
  elif [[ $output != *"$words"* ]]; then
    complain "it does not say '$words' but: $output"
  else
    caught=$((caught + 1))
  fi
}

# must_pass COMMAND...: the script finds nothing.
must_pass() {
  local output code=0
  output=$(bash "$@" 2>&1) || code=$?
  ((code == 0)) || complain "exit code $code for what is right; it says: $output"
}

# must_note WORDS COMMAND...: the script finds nothing wrong, and mentions WORDS.
must_note() {
  local words=$1 output
  shift
  must_pass "$@"
  output=$(bash "$@" 2>&1) || true
  [[ $output == *"note: $words"* ]] || complain "it does not mention '$words' but says: $output"
}

# SPDX-License-Identifier: MIT
