#!/usr/bin/env bash
# outside.sh find_package|pkg-config|make [TREE]: somebody else's project is built against the installed library in that
# way, in C and C++ (and in Fortran by pkg-config, where its modules are), and gives the right answer on every executor.
source "$(dirname "$0")/common.sh"
way=$1 root=${2:-$tree}
project=$work/outside-$way
more=()
fresh "$project"

case $way in
  find_package)
    configure "$project/build" "$here/outside" -DCMAKE_PREFIX_PATH="$root" || exit 1
    grep -q "op2_DIR=$root/" "$project/build.log" || complain "another libop2 was found: $(grep op2_DIR "$project/build.log")"
    build "$project/build" loop_c loop_cpp loop_op2 line_c || exit 1
    programs=$project/build
    ;;
  pkg-config)
    need pkg-config pkg-config
    export PKG_CONFIG_PATH=$root/$libdir/pkgconfig
    pkg-config --validate op2 || complain "op2.pc is not valid"
    same "version" "$(pkg-config --modversion op2)" "$("$root/bin/op2-config" --version)"
    same "plugin folder" "$(realpath "$(pkg-config --variable=plugindir op2)")" "$(realpath "$root/$libdir/op2")"
    # The words of the answer are separate options.
    # shellcheck disable=SC2046
    "$CC" "$here/outside/loop.c" $(pkg-config --cflags --libs op2) -o "$project/loop_c"
    pkg-config --validate op2_trace || complain "op2_trace.pc is not valid"
    # shellcheck disable=SC2046
    "$CC" "$here/outside/line.c" $(pkg-config --cflags --libs op2_trace) -o "$project/line_c"
    # shellcheck disable=SC2046
    "$CXX" -std=c++17 "$here/outside/loop.cpp" $(pkg-config --cflags --libs op2) -o "$project/loop_cpp"
    if [[ -f $root/$libdir/libop2_fortran.so ]] && command -v gfortran >/dev/null; then
      pkg-config --validate op2-fortran || complain "op2-fortran.pc is not valid"
      same "version" "$(pkg-config --modversion op2-fortran)" "$(pkg-config --modversion op2)"
      same "its compiler" "$(pkg-config --variable=compiler op2-fortran)" "GNU $(gfortran -dumpfullversion)"
      # shellcheck disable=SC2046
      gfortran $(pkg-config --cflags op2-fortran) "$here/outside/loop_fortran.f90" $(pkg-config --libs op2-fortran) -o "$project/loop_fortran"
      more=(loop_fortran)
    fi
    export LD_LIBRARY_PATH=$root/$libdir
    programs=$project
    ;;
  make)
    need make make
    make -s -C "$project" -f "$here/outside/Makefile" SOURCE="$here/outside/" OP2_CONFIG="$root/bin/op2-config" \
      CC="$CC" CXX="$CXX" || exit 1
    programs=$project
    ;;
  *) echo "unknown way '$way'" && exit 2 ;;
esac

programs_made=(loop_c loop_cpp line_c "${more[@]}")
[[ $way == pkg-config ]] || programs_made+=(loop_op2)
for program in "${programs_made[@]}"; do
  run_everywhere "$root" "$programs/$program"
  loaded=$(ldd "$programs/$program" | sed -n 's/.*libop2\.so\.1 => \(.*\) (.*/\1/p')
  same "library of $program" "$(realpath "$loaded")" "$(realpath "$root/$libdir/libop2.so.1")"
done
verdict "an outside project by $way"

# SPDX-License-Identifier: MIT
