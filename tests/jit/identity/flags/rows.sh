# Rows of flags that are more than one call of the compiler.
x86() { [ "$(uname -m)" = x86_64 ] || skip "this is not an x86-64 processor"; }

without_text() {
  plain_cxx -DLIMIT=5 default-header.cpp -o p
  run ./p
}
row without-text refused without_text

avx2_macro() {
  x86
  grep -qw avx2 /proc/cpuinfo || skip "this processor has no AVX2"
  cxx -mavx2 predefined.cpp -o p
  run ./p
}
row macros-avx2 either avx2_macro

long_double() {
  x86
  cxx "$@" wide.cpp -o p
  run ./p
}
row long-double either long_double
row long-double-64 either long_double -mlong-double-64
row x87 either long_double -mfpmath=387

system_edited() { # a header of the -isystem folder is edited after the program was built
  mkdir system && cp one/helper.hpp system
  cxx -isystem system helper.cpp -o p
  sed -i 's/? 5/? 6/' system/helper.hpp
  run ./p
}
row system-folder-edited either system_edited

pragma_edited() { # so is one that says it is of the system
  cxx -DMOST=5 system-header.cpp -o p
  sed -i 's/x < 10/x < 1/' system-header.hpp
  run ./p
}
row system-header-edited either pragma_edited

environment_path() {
  export CPLUS_INCLUDE_PATH=$PWD/one
  cxx helper.cpp -o p
  unset CPLUS_INCLUDE_PATH
  export CPATH=$PWD/two
  run ./p
}
row environment-path either environment_path

from_stdin() {
  quietly bash -c 'cat default-header.cpp | "$@"' - "$compiler" -std=c++20 $textflag $flags -I . -DLIMIT=5 -x c++ - -o p $libraries
  run ./p
}
row from-stdin either from_stdin

by_assembler() {
  cxx -DLIMIT=5 -S default-header.cpp -o p.s
  plain_cxx p.s -o p
  run ./p
}
row by-assembler same by_assembler

preprocessed() {
  cxx -DLIMIT=5 -E default-header.cpp -o p.ii
  sed -i 's/define LIMIT 6/define LIMIT 7/' limit.h
  cxx p.ii -o p
  run ./p
}
row preprocessed either preprocessed

other_suffix() {
  cp default-header.cpp text.kernel
  cxx -DLIMIT=5 -x c++ text.kernel -x none -o p
  run ./p
}
row other-suffix same other_suffix

response_file() {
  echo "-DLIMIT=5 default-header.cpp -o p" >words
  cxx @words
  run ./p
}
row response-file same response_file

precompiled() {
  cp "$here/row.hpp" . && cxx -c -x c++-header row.hpp -o row.hpp.gch
  cxx -Winvalid-pch -I . -include row.hpp -DLIMIT=5 default-header.cpp -o p
  run ./p
}
row precompiled-header either precompiled

through_ccache() {
  command -v ccache >/dev/null || skip "there is no ccache"
  export CCACHE_DIR=$PWD/ccache
  for limit in 5 5.5 5; do # the last one comes from ccache
    quietly ccache "$compiler" -std=c++20 $textflag $flags -DLIMIT=$limit -c default-header.cpp -o p.o
    plain_cxx p.o -o p
    run ./p
  done
}
row ccache same through_ccache

c_as_cpp() { # a file of C, compiled as C++: sizeof 'a' and the rest are those of C++
  plain_cxx $textflag -x c++ as-cpp.c -x none -o p
  run ./p
}
row c-as-cpp same c_as_cpp

# SPDX-License-Identifier: MIT
