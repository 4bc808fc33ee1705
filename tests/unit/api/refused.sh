#!/usr/bin/env bash
# refused.sh SOURCE COMPILER INCLUDE WORDS: SOURCE compiles; with -DREFUSED each line that ends with "// refused" does not, and the compiler
# says WORDS as often.
set -uo pipefail
source=$1 compiler=$2 include=$3 words=$4 bad=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
complain() {
  echo "FAILED: $*"
  bad=1
}
flags=(-std=c++17 -fsyntax-only "-I$include")
[[ $("$compiler" --version) != *clang* ]] || flags+=(-ferror-limit=0)
"$compiler" "${flags[@]}" -Wall -Wextra -Wno-unused-function -Werror "$source" >"$out" 2>&1 || complain "does not compile: $(head -20 "$out")"
"$compiler" "${flags[@]}" -DREFUSED "$source" >"$out" 2>&1 && complain "all of it compiles"
number=0 lines=0
while IFS= read -r line; do
  number=$((number + 1))
  [[ $line == *"// refused" ]] || continue
  lines=$((lines + 1))
  grep -q "$(basename "$source"):$number:" "$out" || complain "line $number compiles: $line"
done <"$source"
said=$(grep -F -- "$words" "$out" | grep -c "error")
((lines > 0 && said == lines)) || complain "$said times instead of $lines the compiler says '$words'"
exit $bad

# SPDX-License-Identifier: MIT
