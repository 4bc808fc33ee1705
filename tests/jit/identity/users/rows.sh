# Rows with files of others. Some need root, to make files of another user.
as_root() { [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1 || skip "only root can make files of another user"; }
build() { cxx "$@" program.cpp -o p; }
foreign() { sed -i 's/SCALE + 0.5/SCALE + 0.75/; s/x - 2/x - 3/' "$@" && touch -d 2020-01-01 "$@"; }

world_writable_folder() { # others may write where the program runs and where it was built
  build
  foreign program.cpp helper.hpp && chmod 777 .
  run ./p
}
row folder-for-all same world_writable_folder

folder_of_other() { # a folder of another user has files of the same names, which are never compiled
  as_root
  build
  mkdir case && cp program.cpp helper.hpp case
  foreign case/program.cpp case/helper.hpp && chown -R nobody case && chmod 1777 case
  cd case && run ../p
}
row folder-of-other same folder_of_other

sources_of_other() {
  as_root
  build
  foreign program.cpp helper.hpp && chown nobody program.cpp helper.hpp
  run ./p
}
row sources-of-other same sources_of_other

cache_for_all() { # a cache that others may write to is not used
  build
  mkdir open && chmod 777 open
  OP2_JIT_CACHE=$PWD/open run_any ./p
  [ -z "$(ls -A open)" ] || echo "a cache that others may write to was used" >>"$dir/outcomes"
}
row cache-for-all either cache_for_all

cache_of_other() {
  as_root
  build
  mkdir foreign && chmod 700 foreign && chown nobody foreign
  OP2_JIT_CACHE=$PWD/foreign run_any ./p
  [ -z "$(ls -A foreign)" ] || echo "a cache of another user was used" >>"$dir/outcomes"
}
row cache-of-other either cache_of_other

cache_private() { # whatever the umask
  build
  umask 000
  OP2_JIT_CACHE=$PWD/made run_any ./p
  umask 022
  [ ! -d made ] || [ "$(stat -c %a made)" = 700 ] || echo "the cache folder has mode $(stat -c %a made)" >>"$dir/outcomes"
}
row cache-private either cache_private

# Entries of two programs, which differ in a literal only, under each other's names.
two_caches() {
  build -DSCALE=2
  OP2_JIT_CACHE=$PWD/a run_any ./p
  cp p first
  build -DSCALE=3
  OP2_JIT_CACHE=$PWD/b run_any ./p
}
cache_swapped() {
  local to from n=0
  two_caches
  [ -n "$(ls -A b 2>/dev/null)" ] || skip "nothing is kept in the cache"
  for to in $(cd b && find . -type f); do
    for from in $(cd a && find . -type f); do
      [ "${to##*.}" = "${from##*.}" ] || [ "${to//./}" = "${to/./}" ] || continue
      n=$((n + 1)) && [ $n -le 12 ] || continue
      rm -rf c && cp -rp b c && cp "a/$from" "c/$to"
      OP2_JIT_CACHE=$PWD/c run_any ./p
    done
  done
}
row cache-swapped either cache_swapped

cache_all_swapped() { # every entry of the second program has the code of the first one, by order
  local to from
  two_caches
  rm -rf c && cp -rp b c
  paste <(cd b && find . -type f | sort -t. -k3) <(cd a && find . -type f | sort -t. -k3) | while read -r to from; do
    [ -n "$to" ] && [ -n "$from" ] && cp "a/$from" "c/$to"
  done
  OP2_JIT_CACHE=$PWD/c run_any ./p
  OP2_JIT_CACHE=off:$PWD/c run_any ./p
}
row cache-all-swapped either cache_all_swapped

cache_of_both() { # all entries of the other program beside one's own
  two_caches
  mkdir -m 700 c && cp -rp b/. a/. c
  OP2_JIT_CACHE=$PWD/c run_any ./p
  OP2_JIT_CACHE=$PWD/c run_any ./first
}
row cache-of-both either cache_of_both

path_of_other() { # OP2_JIT_CACHE leads to a folder of another user, or one that all may write to
  as_root
  two_caches
  cp -rp a foreign && chown -R nobody foreign && chmod 777 foreign
  OP2_JIT_CACHE=off:$PWD/foreign run_any ./p
  OP2_JIT_CACHE=off:$PWD/foreign run_any ./first
}
row path-of-other either path_of_other

cache_damaged() { # bytes of each entry are others
  build
  OP2_JIT_CACHE=$PWD/a run_any ./p
  for entry in $(find a -type f); do
    printf 'garbage' | dd of="$entry" bs=1 seek=$(($(stat -c %s "$entry") / 2)) conv=notrunc status=none
  done
  OP2_JIT_CACHE=$PWD/a run_any ./p
}
row cache-damaged either cache_damaged

cache_linked() { # entries are links to files elsewhere, which change
  two_caches
  mkdir -m 700 c
  for entry in $(cd b && find . -type f); do
    mkdir -p "c/$(dirname "$entry")" && cp -p "b/$entry" "elsewhere.$(basename "$entry")" && ln -s "$PWD/elsewhere.$(basename "$entry")" "c/$entry"
  done
  OP2_JIT_CACHE=$PWD/c run_any ./p
  for entry in elsewhere.*; do [ -f "$entry" ] && head -c 1000 /dev/zero >"$entry"; done
  OP2_JIT_CACHE=$PWD/c run_any ./p
}
row cache-linked either cache_linked

temporary_for_all() { # where the compiler works, others may write, and files of likely names are there
  build
  mkdir -m 1777 tmp
  TMPDIR=$PWD/tmp run ./p
  [ -z "$(find tmp -mindepth 1 -perm -o+w)" ] || echo "files that others may write to" >>"$dir/outcomes"
}
row temporary-for-all same temporary_for_all

# SPDX-License-Identifier: MIT
