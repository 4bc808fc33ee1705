#!/bin/bash
# identity.sh FOLDER INCLUDE LIB COMPILER TEXTFLAG GROUP [ROW...]: only code that is the program's kernel runs.
#
# Each row is a program whose kernel is easily taken for another one. It prints the library's result beside that of the
# compiled kernel, and "same" or "WRONG". FOLDER: this one. TEXTFLAG: the option that puts text into objects; empty: none
# has text, so that only the answers are judged and not the forms. GROUP: cpp, flags, stale, link, language, users.
here=$1 include=$2 lib=$3 compiler=$4 textflag=$5 group=$6
shift 6 || { sed -n '2,6s/^# //p' "$0"; exit 2; }
wanted=" $* "
[ -d "$here/$group" ] || { echo "there is no group '$group'"; exit 2; }
case $compiler in
  *clang++*) cc=${compiler/clang++/clang} fc= ;;
  */c++ | c++) cc=${compiler%++}c fc=gfortran ;; # the system's own, under names without a maker
  *) cc=${compiler/g++/gcc} fc=${compiler/g++/gfortran} ;;
esac
command -v "$compiler" >/dev/null || { echo "skipped: there is no C++ compiler"; exit 77; }
work=$(mktemp -d)
trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
export OP2_LOG=info OP2_BACKEND=seq OP2_JIT=${OP2_JIT:-on} LC_ALL=C # vectors from the first call on
unset OP2_JIT_ISA OP2_JIT_DUMP OP2_CXX OP2_SOURCE_PATH OP2_JIT_FORM CPATH CPLUS_INCLUDE_PATH
forms_judged=1
[ -n "$textflag" ] && [ "$OP2_JIT" != off ] || forms_judged=0
failures=0 rows=0 skips=0 wrongs=

# ---- what rows are made of: functions that end the row (a subshell) when a step fails ------------------------------
broken() { # broken WORDS: the row cannot be judged
  echo "broken $*" >"$dir/verdict"
  exit 1
}
skip() { # skip REASON
  echo "skipped $*" >"$dir/verdict"
  exit 0
}
quietly() { "$@" >>"$dir/build.log" 2>&1 || broken "$* ($(grep -m1 -iE 'error|undefined' "$dir/build.log"))"; }
libraries="-L $lib -lop2 -Wl,-rpath,$lib"
# cxx, c, fortran WORDS...: compile, and link where WORDS do not say -c. plain_...: without text.
flags="-O2 -ffp-contract=off -I $include -I $here"
plain_cxx() { quietly "$compiler" -std=c++20 $flags "$@" $(links "$@"); }
plain_c() { quietly "$cc" -std=gnu11 $flags "$@" $(links "$@"); }
cxx() { plain_cxx $textflag "$@"; }
c() { plain_c $textflag "$@"; }
fortran() {
  [ -n "$fc" ] && command -v "$fc" >/dev/null || skip "there is no Fortran compiler of this kind"
  [ -f "$lib/libop2_fortran.so" ] && [ -f "$lib/../fortran/op2.mod" ] || skip "the Fortran modules are not built"
  quietly "$fc" $textflag -O2 -g1 -ffp-contract=off -I "$lib/../fortran" "$@" -L "$lib" -lop2_fortran $(links "$@")
}
links() { [[ " $* " == *" -c "* || " $* " == *" -S "* || " $* " == *" -E "* || " $* " == *" -r "* ]] || echo "$libraries"; }
# run COMMAND...: run a program; what it says is judged.
run() { judged_run forms "$@"; }
# run_any COMMAND...: the same, in whatever form.
run_any() { judged_run any "$@"; }
judged_run() {
  local judge=$1 rc out
  shift
  out=$dir/out.$((++runs))
  timeout 120 "$@" >"$out" 2>&1
  rc=$?
  if grep -q WRONG "$out"; then
    echo WRONG
  elif [ $rc != 0 ]; then
    echo "ended with $rc: $(tail -1 "$out")"
  elif ! grep -q same "$out"; then
    echo "no answer"
  elif grep -q "warning.*differ" "$out"; then
    echo "found by the trial only: $(grep -m1 "warning.*differ" "$out")"
  elif [ $judge = any ]; then
    :
  else # the last form of each loop
    # own forms without a reason are waiting for generated code, or are faster
    sed -nE "s/^(op2: loop '[^']*'[^:]*: (now )?form )own .*\(no code was made.*/\1refused/; s/^(op2: loop '[^']*'[^:]*: (now )?form )own .*/\1same/
             s/^op2: loop '([^']*)'[^:]*: (now )?form ([a-z]+).*/\1\t\3/p" "$out" |
      awk -F '\t' '{ last[$1] = $2 } END { for (l in last) print last[l] }' |
      sed -E 's/^(vector|scalar)$/same/; s/^(range|element)$/refused/' | sort -u >"$dir/forms"
    grep -q "form range, by the Fortran compiler" "$out" && echo same >"$dir/forms"
    case $(wc -l <"$dir/forms") in
      0) echo "no loop in the log" ;;
      1) cat "$dir/forms" ;;
      *) echo mixed ;;
    esac
  fi >>"$dir/outcomes"
  return 0
}
# The reason that the log gives for the form of the first loop that runs as compiled, or else its form.
reason() {
  local line
  line=$(cat "$dir"/out.* 2>/dev/null | grep -m1 -E "form (range|element)|no code was made" || cat "$dir"/out.* 2>/dev/null | grep -m1 " form ")
  sed -E 's/^op2: loop[^:]*: (now )?form /form /; s/; (plan |prepared).*//' <<<"$line" | cut -c1-230
}
has_reason() { ! cat "$dir"/out.* | grep -E "^op2: loop .* form (range|element)" | grep -qvE "form (range|element)[^;]* \(.*[a-z].*\)"; }

# ---- one row ---------------------------------------------------------------------------------------------------------
row() { # row NAME EXPECTED COMMAND...
  local name=$1 expected=$2 outcome why
  shift 2
  [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
  rows=$((rows + 1))
  dir=$work/$name
  mkdir -p "$dir"
  cp -r "$here/$group" "$dir/src"
  (
    runs=0
    export OP2_JIT_CACHE=$dir/cache
    cd "$dir/src" && "$@"
  ) >"$dir/said" 2>&1
  if [ -f "$dir/verdict" ]; then
    outcome=$(cat "$dir/verdict")
  elif [ ! -f "$dir/outcomes" ]; then
    outcome="broken: nothing was run ($(tail -1 "$dir/said"))"
  else # the worst of all runs
    outcome=$(grep -m1 -vE '^(same|refused|mixed)$' "$dir/outcomes" | cut -c1-200)
    if [ -n "$outcome" ]; then
      grep -q '^WRONG' "$dir/outcomes" && outcome=WRONG
    else
      outcome=$(sort -u "$dir/outcomes")
      [ "$(wc -l <<<"$outcome")" = 1 ] || outcome=mixed
      [ -n "$outcome" ] || outcome=right
    fi
  fi
  why=$(reason)
  case $outcome in
    skipped*) skips=$((skips + 1)) ;;
    same | refused | mixed)
      if [ $forms_judged = 1 ]; then
        if [ "$expected" != either ] && [ "$outcome" != "$expected" ]; then
          outcome="$outcome, MISSED"
        elif [ "$outcome" != same ] && ! has_reason; then
          outcome="$outcome, MISSED: without a reason"
        fi
      fi
      ;;
    WRONG) wrongs="$wrongs $name" ;;
  esac
  case $outcome in
    same | refused | mixed | right | skipped*) printf '%-26s %-9s expected %-8s %s\n' "$name" "$outcome" "$expected" "$why" ;;
    *)
      failures=$((failures + 1))
      printf '%-26s %-9s expected %-8s %s   FAILED\n' "$name" "$outcome" "$expected" "$why"
      cat "$dir"/out.* 2>/dev/null | grep -E "WRONG|same|warning|error" | head -6 | cut -c1-230 | sed 's/^/    /'
      ;;
  esac
  rm -rf "$dir" 2>/dev/null
}
# In `table`: NAME EXPECTED WORDS..., the program is built from WORDS by `cxx` (by `c` and `fortran` where a source says so) and run.
simple() {
  case " $* " in
    *.f90\ *) fortran "$@" -o p ;;
    *.c\ *) c "$@" -o p ;;
    *) cxx "$@" -o p ;;
  esac
  run ./p
}
rows_of_table() {
  local name expected words
  while read -r name expected words; do
    case $name in '' | '#'*) continue ;; esac
    row "$name" "$expected" simple $words
  done <"$here/$group/table"
}

[ -f "$here/$group/table" ] && rows_of_table
if [ -f "$here/$group/rows.sh" ]; then
  . "$here/$group/rows.sh" || { echo "rows.sh cannot be read"; exit 1; }
fi

[ $rows -gt 0 ] || { echo "there is no such row"; exit 2; }
echo "$group: $rows rows, $failures failed, $skips skipped${wrongs:+; WRONG:$wrongs}"
[ $forms_judged = 1 ] || echo "(only answers were judged, not whether code was generated)"
exit $((failures > 0))

# SPDX-License-Identifier: MIT
