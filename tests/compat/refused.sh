#!/usr/bin/env bash
# refused.sh SOURCE COMPILER INCLUDE FORTRAN MODULES: names of OP2 that the library does not have do not compile, and the message names what to
# take instead. SOURCE: this folder. FORTRAN, MODULES: the compiler and its modules, or none.
set -uo pipefail
source=$1 compiler=$2 include=$3 fortran=$4 modules=$5 bad=0
out=$(mktemp) program=$(mktemp --suffix=.f90)
trap 'rm -f "$out" "$program"' EXIT
flags=(-fsyntax-only -I"$include" -I"$include/op2/compat")
complain() {
  echo "FAILED: $*"
  bad=1
}

"$compiler" -std=c++11 "${flags[@]}" "$source/refused.cpp" >"$out" 2>&1 || complain "does not compile without them: $(cat "$out")"
"$compiler" -std=c++17 "${flags[@]}" -DREFUSED "$source/refused.cpp" >"$out" 2>&1 && complain "all of them compile"
number=0
while IFS= read -r line; do
  number=$((number + 1))
  [[ $line == *"ONLY("*"// refused: "* ]] || continue
  grep -q "refused.cpp:$number:" "$out" || complain "line $number compiles: $line"
  grep -qF -- "${line##*// refused: }" "$out" || complain "nothing says '${line##*// refused: }'"
done <"$source/refused.cpp"

if [[ $fortran != none ]]; then
  cat >"$program" <<'TEXT'
subroutine uses(set, dat, rows)
  use op2
  type(op_set) :: set
  type(op_dat) :: dat
  real(8) :: rows(:)
  integer(8) :: other
  other = op_decl_dat_overlay(set, rows)
  other = op_decl_dat_overlay(set, dat)
end subroutine uses
TEXT
  "$fortran" -fsyntax-only -I"$modules" "$program" >"$out" 2>&1 && complain "op_decl_dat_overlay compiles in Fortran"
  [[ $(grep -c 'take_op_decl_dat_temp_and_copy_in_a_loop' "$out") == 2 ]] || complain "Fortran does not say what to take: $(cat "$out")"
  sed -i '/overlay/d' "$program"
  "$fortran" -fsyntax-only -I"$modules" "$program" >"$out" 2>&1 || complain "Fortran: $(cat "$out")"
fi
exit $bad

# SPDX-License-Identifier: MIT
