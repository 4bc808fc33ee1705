#!/usr/bin/env bash
# out_of_core.sh AIRFOIL MESH EXECUTOR...: airfoil with less memory than its data needs has the bits of a run in memory, keeps
# the limit, and leaves no file behind; what cannot work is refused in the words of the user.
# With LAUNCHER="mpirun -n 2" and LIMITS="LIMIT,CHUNK ...": two processes, each of which keeps the limit; EXECUTOR such as mpi+seq.
# With the first of the limits a chain has one exchange. ALONE="alone,LIMIT,CHUNK ...": also loop after loop.
set -euo pipefail
airfoil=$1 mesh=$2
shift 2
read -ra launcher <<<"${LAUNCHER:-}"
work=$(mktemp -d -p .)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$work/out" 2>/dev/null
  exit 1
}
run() { "${launcher[@]}" "$airfoil" "$mesh" "$@"; }
numbers() { # NAME: of the paging of a run, in its JSON, for each process
  grep -o '"paging": {[^}]*}' "$work/times.json" | sed -nE 's/.*"'"$1"'": ([0-9]+).*/\1/p'
}
export OP2_OOC_DIR=$work/disk OP2_NUM_THREADS=2 OP2_CHAIN=auto OP2_JIT=off OP2_RENUMBER=off
mkdir "$OP2_OOC_DIR"
iterations=100 processes=1
if ((${#launcher[@]} > 0)); then # chains of one iteration: longer ones need more layers of copies
  iterations=8 processes=${launcher[-1]} OP2_CHAIN=9
fi

alone=${ALONE:-} # for executors behind the first one the last of them
for executor in "$@"; do
  export OP2_BACKEND=$executor
  run --iterations $iterations >"$work/memory" || fail "$executor in memory"
  case $executor in
    seq) limits="2500K,8 1700K,4 1M,16" ;;
    *+*) limits=$LIMITS ;;
    *) limits="2500K,16" ;;
  esac
  [[ $executor != "$1" ]] && alone=${alone##* }
  for limit in $limits $alone; do
    chain=$OP2_CHAIN units='chain.*tiles.* units, .* MB read'
    if [[ $limit == alone,* ]]; then # loop after loop
      limit=${limit#alone,} chain=off units="loop 'res_calc' by itself: .* units, .* MB read"
    fi
    what="$executor, limit $limit, chain $chain"
    rm -f "$work/times.json"
    OP2_CHAIN=$chain OP2_MEMORY_LIMIT=${limit%,*} OP2_OOC_CHUNK=${limit#*,} OP2_LOG=info run --iterations $iterations \
      --output "$work/times.json" >"$work/out" 2>"$work/log" || fail "$what: $(cat "$work/log")"
    diff <(grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$work/memory") <(grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$work/out") ||
      fail "$what: other bits"
    grep -qE "$units" "$work/log" || fail "$what: nothing runs in units"
    mapfile -t peak < <(numbers peak) && mapfile -t bound < <(numbers limit) && mapfile -t read < <(numbers read)
    ((${#read[@]} == processes)) || fail "$what: ${#read[@]} processes have data in a file"
    # Page faults, of loops outside of units on threads and of rows that are sent: what an instruction needs at once may be there
    # beyond the limit.
    beyond=0
    [[ $executor == *+* && ($executor != *+seq || $chain == off) ]] && beyond=$((8 * 1024 * ${limit#*,}))
    for p in "${!peak[@]}"; do
      ((read[p] > 1000000)) || fail "$what: process $p has read nothing from the file"
      ((peak[p] <= bound[p] + beyond)) || fail "$what: process $p has ${peak[p]} bytes in memory, ${bound[p]} are allowed"
    done
    if ((processes > 1)) && [[ $chain != off && $limit == "${limits%% *}" ]]; then
      awk '$1 == "iterations" && $2 == 9 && $4 == $5 { found = 1 } END { exit !found }' "$work/out" ||
        fail "$what: a chain has not one exchange"
    fi
    [[ -z $(ls -A "$OP2_OOC_DIR") ]] || fail "$what: a file is left"
    echo "$what: read ${read[*]}, written $(numbers written | xargs), $(numbers faults | xargs) chunks by page faults"
  done
done
if ((${#launcher[@]} > 0)); then
  if [[ -n ${CHECKED:-} ]]; then # LIMIT,CHUNK of executor check, which looks at the units of seq
    OP2_BACKEND=${1%%+*}+check OP2_MEMORY_LIMIT=${CHECKED%,*} OP2_OOC_CHUNK=${CHECKED#*,} OP2_LOG=info run --iterations 6 \
      >"$work/out" 2>"$work/log" || fail "check: $(cat "$work/log")"
    for words in "loop 'adt_calc' by itself: .* units" "chain '[a-z]+' from loop .* uses of rows verified to be in memory"; do
      grep -qE "$words" "$work/log" || fail "check: not in the log: $words"
    done
    grep -E "chain.* verified" "$work/log"
  fi
  echo "all passed"
  exit 0
fi

refused() { # WORDS VARIABLE=VALUE...
  local words=$1
  shift
  ! env "$@" "$airfoil" "$mesh" --iterations 2 >"$work/out" 2>&1 || fail "$*: not refused"
  grep -qE "$words" "$work/out" || fail "$*: not in these words: $words"
}
refused "OP2_MEMORY_LIMIT='8X'.*number of bytes" OP2_MEMORY_LIMIT=8X
refused "OP2_OOC_CHUNK='5'.*power of two" OP2_MEMORY_LIMIT=1M OP2_OOC_CHUNK=5
refused "$work/nowhere" OP2_MEMORY_LIMIT=1M OP2_OOC_DIR="$work/nowhere"
echo "all passed"
# SPDX-License-Identifier: MIT
