# What the tests of this folder share.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OP2_JIT_CACHE=$work/cache OP2_LOG=info OP2_BACKEND=seq OP2_JIT=on # vectors from the first call on
unset OP2_JIT_ISA OP2_JIT_DUMP OP2_CXX
failures=0

complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
# expect NAME PATTERN: the file $work/NAME has a line that matches.
expect() { grep -Eq -- "$2" "$work/$1" || { complain "$1: no line matches '$2'"; tail -40 "$work/$1"; }; }
# refuse NAME PATTERN: it has none.
refuse() { ! grep -Eq -- "$2" "$work/$1" || { complain "$1: a line matches '$2'"; grep -E -- "$2" "$work/$1" | head -5; }; }
# count NAME PATTERN NUMBER
count() {
  local found
  found=$(grep -Ec -- "$2" "$work/$1")
  [ "$found" = "$3" ] || { complain "$1: $found lines match '$2', expected $3"; tail -40 "$work/$1"; }
}
finish() {
  [ $failures = 0 ] && echo "all as expected"
  exit $((failures > 0))
}
have_compiler() { command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null; }

# SPDX-License-Identifier: MIT
