#!/bin/bash
# constants.sh FOLDER INCLUDE LIB COMPILER [SANITIZERS]: a kernel computes with the variable that it names, whatever other
# variables of that name a program has and declares.
here=$1 include=$2 lib=$3 compiler=$4 sanitizers=$5
. "$here/../common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
export OP2_JIT_ISA=scalar # compiled sooner, and constants are read in the same way
cp "$here"/*.cpp "$here"/*.h "$here"/*.hpp "$work" && cd "$work" || exit 1
keeper=${lib}/op2/compiler/ # keeps the texts of kernels in programs
flags=(-std=c++17 -B"$keeper" ${sanitizers:+-fsanitize=$sanitizers} -ffp-contract=off -O2 -I "$include")
link=(-L "$lib" -lop2 "-Wl,-rpath,$lib" "-Wl,-rpath,$work")

build() { # build PROGRAM FILES AND FLAGS...
  local program=$1
  shift
  "$compiler" "${flags[@]}" "$@" -o "$program" "${link[@]}" || { complain "$program does not compile"; return 1; }
}
# check PROGRAM [ARGUMENTS]: right results now and from the cache; leaves what the first run said in PROGRAM.log and what
# the second one said in PROGRAM.again. A program that was not built yet: of the file with its name.
check() {
  local program=$1
  shift
  [ -x "$program" ] || build "$program" "$program.cpp" || return
  for log in "$program.log" "$program.again"; do
    "./$program" "$@" >"$log" 2>&1 || complain "$log: exit code $?"
    expect "$log" "^0 wrong"
  done
}
has_code() { for log in "$1.log" "$1.again"; do expect "$log" "loop '$2'.* form (vector|scalar)"; done; }
has_none() { for log in "$1.log" "$1.again"; do expect "$log" "loop '$2'.* form (range|element|own .*no code was made).*$3"; done; }

# Two source files, each with its own variable.
build modules modules.cpp module_a.cpp module_b.cpp && check modules
has_code modules scale_a
has_code modules scale_b
build unnamed modules.cpp unnamed_a.cpp unnamed_b.cpp && check unnamed
has_code unnamed scale_a
has_code unnamed scale_b
build types modules.cpp module_a.cpp module_float.cpp && check types
has_code types scale_a
has_code types scale_b
build one_static modules.cpp module_a.cpp external_b.cpp && check one_static
has_code one_static scale_a
has_code one_static scale_b

# A variable of a header, of which each source file has its own.
build own_copy own_copy.cpp own_copy_flux.cpp && check own_copy
has_none own_copy flux "'gam' is static"

# Variables that source files share.
build extern extern.cpp extern_flux.cpp && check extern
has_code extern flux
has_code extern in_namespace

# Other variables under the name of the kernel's; also after a run in which it was the right one.
build chosen chosen.cpp chosen_other.cpp && check chosen own
has_code chosen flux
for which in other member local; do
  check chosen $which
  has_none chosen flux "constant 'gam'.* is another variable"
done
check chosen own
has_code chosen flux
check anew
has_code anew "flux anew"

# Programs without symbols.
build stripped_static modules.cpp module_a.cpp module_b.cpp -s && check stripped_static
has_none stripped_static scale_a "has no symbols"
build stripped_extern extern.cpp extern_flux.cpp -s && check stripped_extern
has_code stripped_extern flux

# Programs that were optimised as a whole.
build whole_static modules.cpp module_a.cpp module_b.cpp -flto && check whole_static
build whole_copy own_copy.cpp own_copy_flux.cpp -flto && check whole_copy
build whole_extern extern.cpp extern_flux.cpp -flto && check whole_extern

# Shared libraries: with their own variables, with hidden ones, and with one that both export.
libraries() { # libraries PROGRAM MAIN A B FLAGS...
  local program=$1 main=$2 a=$3 b=$4
  shift 4
  build lib${program}_a.so "$a" -shared -fPIC "$@" && build lib${program}_b.so "$b" -shared -fPIC "$@" &&
    build "$program" "$main" -L. -l${program}_a -l${program}_b && check "$program"
}
hidden='extern double gam __attribute__((visibility("hidden")));'
for module in a b; do { echo "$hidden"; cat external_$module.cpp; } >hidden_$module.cpp; done
libraries own_in_libraries modules.cpp module_a.cpp module_b.cpp
has_code own_in_libraries scale_a
has_code own_in_libraries scale_b
libraries hidden modules.cpp hidden_a.cpp hidden_b.cpp
has_code hidden scale_a
has_code hidden scale_b
libraries exported exported.cpp external_a.cpp external_b.cpp
has_code exported scale_a
libraries symbolic modules.cpp external_a.cpp external_b.cpp -Wl,-Bsymbolic

# However a constant is declared anew within a chain: also for the program's own code, unless the value comes from
# memory that is not its variable.
build in_chain in_chain.cpp
for spelling in op_decl_const op_decl_const_named cast op_decl_const_char op2::constant; do
  OP2_JIT=off check in_chain $spelling
  expect in_chain.log "^declared"
  check in_chain $spelling
  expect in_chain.log "^declared"
done
OP2_JIT=off check in_chain stack
expect in_chain.log "^refused"
finish

# SPDX-License-Identifier: MIT
