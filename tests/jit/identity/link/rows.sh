# Rows that need more than one step of the linker.
x86() { [ "$(uname -m)" = x86_64 ] || skip "this is not an x86-64 processor"; }
linker() { command -v "ld.$1" >/dev/null || skip "there is no linker $1"; }

chosen_at_start() {
  x86
  cxx ifunc.cpp -o p
  run ./p
}
row ifunc either chosen_at_start

with_linker() { # with_linker NAME FLAGS...
  linker "$1"
  cxx -fuse-ld="$1" "${@:2}" -o p
  run ./p
}
row gold same with_linker gold plain.cpp
row lld same with_linker lld plain.cpp
row lld-gc-sections same with_linker lld -ffunction-sections -fdata-sections -Wl,--gc-sections plain.cpp
row gold-icf either with_linker gold -ffunction-sections -Wl,--icf=all same-shape.cpp
row lld-icf either with_linker lld -ffunction-sections -Wl,--icf=all same-shape.cpp

two_files() { # two_files FLAGS...
  cxx "$@" -c -DPART=first_ -DMOST=5 part.cpp -o first.o
  cxx "$@" -c -DPART=second_ -DMOST=6 part.cpp -o second.o
  cxx "$@" two-files.cpp first.o second.o -o p
  run ./p
  cxx "$@" two-files.cpp second.o first.o -o p # the other order
  run ./p
}
row two-files either two_files
row two-files-lto either two_files -flto
row two-files-debug either two_files -g

kept_by_linker() { # the first file's function is the one that is called
  cxx -O1 -c comdat.cpp -o a.o
  cxx -O1 -funsigned-char -c comdat-2.cpp -o b.o
  plain_cxx b.o a.o -o p
  run ./p
  plain_cxx a.o b.o -o p
  run ./p
}

c_linkage() {
  cxx c-linkage.cpp c-linkage-2.cpp -o p
  run ./p
}
row c-linkage-elsewhere either c_linkage

archive() {
  cxx -c kernel.cpp -o kernel.o
  cxx -c limit.cpp -o limit.o
  quietly ar rcs libpart.a kernel.o limit.o
  cxx kernel-elsewhere.cpp libpart.a -o p
  run ./p
  cxx hidden-static.cpp static-limit.cpp libpart.a -o p
  run ./p
}
row archive either archive

archive_of_loops() {
  cxx -c -DPART=first_ -DMOST=5 part.cpp -o first.o
  cxx -c -DPART=second_ -DMOST=6 part.cpp -o second.o
  quietly ar rcs libpart.a first.o second.o
  cxx two-files.cpp libpart.a -o p
  run ./p
}
row archive-of-loops either archive_of_loops

two_mains() { # each compiled in its folder, by the same relative name
  (cd one && cxx -c main.cpp -o main.o) && (cd two && cxx -c main.cpp -o main.o) || exit 1
  plain_cxx one/main.o two/main.o -o p
  run ./p
  (cd one && run ../p)
  (cd two && run ../p)
}
row two-mains same two_mains

library_with() { cxx -fPIC -shared "$@"; }
interposed() { # interposed LIBRARY-FLAGS... -- PROGRAM-FLAGS...
  local words=()
  while [ "$1" != -- ]; do words+=("$1") && shift; done
  shift
  library_with -DMOST=5 library.cpp "${words[@]}" -o libpart.so
  cxx "$@" interposed.cpp -o p -L . -lpart -Wl,-rpath,"$PWD"
  run ./p
}
row interposed-helper either interposed --
row interposed-kernel either interposed -- -DKERNEL
row interposed-symbolic either interposed -Wl,-Bsymbolic -- -DKERNEL
row interposed-functions either interposed -Wl,-Bsymbolic-functions --
row interposed-hidden same interposed -DHIDDEN -- -DKERNEL
row interposed-visibility either interposed -fvisibility=hidden --
row interposed-no-semantic either interposed -fno-semantic-interposition -- -DKERNEL
row interposed-unoptimised either interposed -O0 -- -DKERNEL
row interposed-lto either interposed -flto -- -DKERNEL

preloaded() {
  library_with -DMOST=6 library.cpp -o libpart.so
  cxx -fPIC -shared limit.cpp -o libother.so
  sed 's/^double limit(double x) .*//; s/^double limit(double x);//' interposed.cpp >plain-user.cpp
  cxx plain-user.cpp -o p -L . -lpart -Wl,-rpath,"$PWD"
  run env LD_PRELOAD="$PWD/libother.so" ./p
  run ./p
}
row preloaded-helper either preloaded

preloaded_exp() {
  plain_cxx -fPIC -shared -fno-builtin own-exp.cpp -o libexp.so
  cxx math-elsewhere.cpp -o p
  run env LD_PRELOAD="$PWD/libexp.so" ./p
  run ./p
}
row preloaded-exp either preloaded_exp

two_libraries() { # two_libraries FLAGS...
  library_with "$@" -DMOST=5 -DSTEP=first_step library.cpp -o libfirst.so
  library_with "$@" -DMOST=6 -DSTEP=second_step library.cpp -o libsecond.so
  cxx two-libraries.cpp -o p -L . -lfirst -lsecond -Wl,-rpath,"$PWD"
  run ./p
}
row two-libraries either two_libraries
row two-libraries-hidden same two_libraries -DHIDDEN
row two-libraries-symbolic either two_libraries -Wl,-Bsymbolic
row two-libraries-stripped same two_libraries -DHIDDEN -s

loaded() { # loaded KEEP-OR-CLOSE FLAGS...: libraries of one program, one after the other
  library_with "${@:2}" -DMOST=5 library.cpp -o first.so
  library_with "${@:2}" -DMOST=6 library.cpp -o second.so
  cxx loads.cpp -o p -ldl
  run ./p "$1" ./first.so ./second.so ./first.so
}
row loaded-both either loaded keep
row loaded-both-hidden either loaded keep -DHIDDEN
row unloaded either loaded close
row unloaded-hidden same loaded close -DHIDDEN
row unloaded-no-build-id same loaded close -DHIDDEN -Wl,--build-id=none

same_path() { # unloaded, rebuilt at the same path while the program runs, loaded again
  library_with -DHIDDEN -DMOST=6 library.cpp -o second.so
  library_with -DHIDDEN -DMOST=5 library.cpp -o part.so
  sed 's/if (close) dlclose(library);/if (dlclose(library) == 0 \&\& i == 2) std::rename("second.so", "part.so");/' loads.cpp >renames.cpp
  cxx renames.cpp -o p -ldl
  run ./p close ./part.so ./part.so
}
row unloaded-same-path same same_path

half() { # half FLAG-OF-THIS FLAG-OF-THE-OTHER
  plain_cxx $1 -c half.cpp -o half.o
  plain_cxx $2 -c plain-kernel.cpp -o other.o
  plain_cxx half.o other.o -o p
  run ./p
  plain_cxx other.o half.o -o p
  run ./p
}
row half-with-text either half "$textflag" ""
row other-half-with-text either half "" "$textflag"

other_compiler() { # one object by another compiler, which puts no text
  command -v clang++ >/dev/null || skip "there is no clang++"
  cxx -c half.cpp -o half.o
  quietly clang++ -std=c++20 $flags -c plain-kernel.cpp -o other.o
  plain_cxx half.o other.o -o p
  run ./p
}
row other-compiler either other_compiler

# SPDX-License-Identifier: MIT
