# Rows in which something changes after the program was built. Each kind of edit changes the answer at the cells that tell.
edit() {
  case $1 in
    kernel) sed -i 's/SCALE + 0.5/SCALE + 0.75/' program.cpp ;;
    helper) sed -i 's/x - 2/x - 3/' helper.hpp ;;
    literal) sed -i 's/until = 10/until = 6/' program.cpp ;;
  esac
}
build() { cxx "$@" program.cpp -o p; }
old() { touch -d '2020-01-01' "$@"; }

edited() {
  build && run ./p
  edit "$1" && run ./p
  OP2_JIT_CACHE=$dir/cold run ./p
}
row edited-kernel same edited kernel
row edited-helper same edited helper
row edited-literal same edited literal

edited_before() { # before the first run, with the old time
  build
  edit kernel && edit helper && old program.cpp helper.hpp
  run ./p
}
row edited-before-run same edited_before

edited_same_size() { # size and time are what they were
  touch -r program.cpp stamp
  build
  sed -i 's/+ 0.5/+ 0.7/' program.cpp && touch -r stamp program.cpp
  run ./p
}
row edited-same-size same edited_same_size

copied() { # copied WITH...: the copy is newer than the edit
  build
  edit kernel && edit helper
  "$@" && old program.cpp helper.hpp
  run ./q
}
row copied-cp same copied cp p q
row copied-cp-times same copied cp -p p q
row copied-install same copied install -m 755 p q
row copied-install-strip same copied install -s -m 755 p q
row copied-linked same copied ln p q
row copied-symlink same copied ln -s p q
row copied-cat same copied bash -c 'cat p >q && chmod +x q'
row stripped same copied bash -c 'strip p -o q'
row stripped-all same copied bash -c 'strip -s p -o q'
row stripped-debug same copied bash -c 'strip --strip-debug p -o q'
row stripped-unneeded same copied bash -c 'objcopy --strip-unneeded p q'
row stripped-comment same copied bash -c 'strip -s -R .comment -R .note.gnu.build-id p -o q'
row moved same copied bash -c 'mkdir away && mv p away/q && ln -s away/q q'

linked_stripped() {
  cxx -s program.cpp -o p
  edit kernel && run ./p
}
row linked-stripped same linked_stripped

relinked() { # the objects are older than the edit, the program is newer
  cxx -c program.cpp -o program.o
  edit kernel && edit helper && sleep 0.1
  plain_cxx program.o -o p
  run ./p
  quietly ld -r program.o -o whole.o
  plain_cxx whole.o -o p
  run ./p
}
row relinked same relinked

stripped_object() {
  cxx -g -c program.cpp -o program.o
  quietly strip --strip-debug program.o
  edit kernel
  plain_cxx program.o -o p
  run ./p
}
row stripped-object same stripped_object

touched() {
  build
  edit kernel && old program.cpp && touch p
  run ./p
  touch program.cpp helper.hpp
  OP2_JIT_CACHE=$dir/cold run ./p
}
row touched same touched

other_folder() { # where the program runs is another, older program.cpp
  mkdir away && cp program.cpp helper.hpp away
  build
  edit kernel && edit helper && mv program.cpp helper.hpp away && old away/*
  cd away && run ../p
}
row other-folder same other_folder

own_folder() { # another one lies beside the program, which is started from elsewhere
  build
  edit kernel && edit helper && old program.cpp helper.hpp
  local here_now=$PWD
  cd / && run "$here_now/p"
}
row other-beside same own_folder

deleted() {
  build
  rm program.cpp helper.hpp
  run ./p
}
row source-deleted same deleted

header_only() {
  build && run ./p
  edit helper && old helper.hpp
  OP2_JIT_CACHE=$dir/cold run ./p
  mkdir folder && mv helper.hpp folder
  OP2_JIT_CACHE=$dir/colder run ./p
}
row header-only same header_only

rebuilt() { # rebuilt KIND FLAGS...: into the same place, with the same cache
  build && run ./p && run ./p
  edit "$1"
  shift
  build "$@" && run ./p && run ./p
  # with all times as they were
  old p program.cpp helper.hpp
  run ./p
}
row rebuilt-kernel same rebuilt kernel
row rebuilt-helper same rebuilt helper
row rebuilt-literal same rebuilt literal
row rebuilt-define same rebuilt none -DSCALE=3
row rebuilt-include either rebuilt none -include cmath '-DSCALE=std::sqrt(9.0)'
row rebuilt-optimised same rebuilt none -O0 -DSCALE=2

rebuilt_same_time() { # each build has the same time, and the program the same size
  local scale
  for scale in 2 3 4; do
    old program.cpp helper.hpp
    build -DSCALE=$scale && old p
    run ./p
  done
}
row rebuilt-same-time same rebuilt_same_time

rebuilt_back() { # to an earlier state: what the cache holds is right again
  build -DSCALE=2 && run ./p
  build -DSCALE=3 && run ./p
  build -DSCALE=2 && run ./p
}
row rebuilt-back same rebuilt_back

rebuilt_flag() { # the text is the same, a flag is not
  sed -i 's/limit(\*x) \* SCALE/(static_cast<char>(*x * 30) < 0 ? 1 : 2)/' program.cpp
  build && run ./p
  build -funsigned-char && run ./p
  build && run ./p
}
row rebuilt-flag either rebuilt_flag

while_running() { # the source is edited after the start of the program
  build
  run ./p "sed -i 's/SCALE + 0.5/SCALE + 0.75/' program.cpp; touch -d 2020-01-01 program.cpp"
}
row edited-while-running same while_running

replaced_while_running() { # make replaces the program that runs; /proc/self/exe has the old one, its path the new one
  build -DSCALE=2
  cxx -DSCALE=3 program.cpp -o next
  run ./p "mv next p"
  build -DSCALE=2
  cxx -DSCALE=3 program.cpp -o next
  run ./p "rm p; mv next p"
  build -DSCALE=2
  run ./p "rm p"
}
row replaced-while-running either replaced_while_running

library_replaced() { # so with a library
  cxx -DMOST=5 -fPIC -shared plugin.cpp -o libplugin.so
  cxx -DMOST=6 -fPIC -shared plugin.cpp -o next.so
  cxx -DMAIN plugin.cpp -o p -L . -lplugin -Wl,-rpath,"$PWD"
  cp libplugin.so first.so
  run ./p "mv next.so libplugin.so"
  run ./p # the new one
  cp first.so libplugin.so && run ./p "rm libplugin.so"
}
row library-replaced either library_replaced

library_rebuilt() { # a new library under an old program, with the same cache
  local most
  cxx -DMOST=5 -fPIC -shared plugin.cpp -o libplugin.so
  cxx -DMAIN plugin.cpp -o p -L . -lplugin -Wl,-rpath,"$PWD"
  for most in 5 6 5; do
    cxx -DMOST=$most -fPIC -shared plugin.cpp -o libplugin.so
    old libplugin.so p plugin.cpp
    run ./p
  done
}
row library-rebuilt same library_rebuilt

other_start() { # other ways to start a program
  build
  edit kernel && edit helper && old program.cpp helper.hpp
  run bash -c 'exec -a sh ./p'
  PATH=$PWD:$PATH run p
  local loader
  loader=$(LC_ALL=C readelf -l p | sed -nE 's/.*interpreter: (.*)\]/\1/p')
  [ -x "$loader" ] || skip "the dynamic linker is not found"
  OP2_JIT_CACHE=$dir/cold run_any "$loader" ./p # /proc/self/exe is the dynamic linker
}
row other-start same other_start

replaced_file() { # by the program of another build, before its loops run
  cxx -DLEAVES="system(\"mv q p\")" moves.cpp -o p
  cxx -DSWAPPED -fno-toplevel-reorder moves.cpp -o q
  run ./p
}
row replaced-while-running either replaced_file

other_folder_now() { # the program goes to a folder with another program of its name
  mkdir away
  cxx -DLEAVES="chdir(\"away\")" -fno-toplevel-reorder moves.cpp -o p
  cxx -DSWAPPED -fno-toplevel-reorder moves.cpp -o away/p
  run ./p
}
row folder-changed either other_folder_now

# SPDX-License-Identifier: MIT
