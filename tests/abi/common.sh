# common.sh: helpers of the checks in this folder; to be sourced (bash).
# shellcheck shell=bash disable=SC2034
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failures=0

# complain MESSAGE...: notes a failure and goes on, so that one run shows all of them.
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# need TOOL...: without one of them the check is skipped.
need() {
  local tool
  for tool in "$@"; do
    if ! command -v "$tool" >/dev/null; then
      echo "SKIPPED: $tool is not installed"
      exit 77
    fi
  done
}

# verdict WHAT: ends the script.
verdict() {
  if ((failures)); then
    echo "$1: $failures failures"
    exit 1
  fi
  echo "$1: ok"
  exit 0
}

# exported FILE: names of the dynamic symbols that FILE defines, with their versions ("op_init@@OP2_1.0"); version nodes
# are left out.
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort; }

# dynamic FILE TAG: values of a tag of the dynamic section, e.g. NEEDED.
dynamic() { readelf -d "$1" | sed -n "s/.*($2).*\[\(.*\)\]/\1/p"; }

# compare NAME-A LIST-A NAME-B LIST-B: complains about each line that only one of the two sorted lists has.
compare() {
  local name
  while IFS= read -r name; do complain "$name is in $1, but not in $3"; done < <(comm -23 <(echo "$2") <(echo "$4"))
  while IFS= read -r name; do complain "$name is in $3, but not in $1"; done < <(comm -13 <(echo "$2") <(echo "$4"))
}
