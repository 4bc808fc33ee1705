#!/usr/bin/env bash
# deb_root.sh: the packages install with dpkg into an empty root and run there in a chroot: op2_info, and a program
# built against the installed package; they refuse to install where a dependence is missing, and leave nothing behind.
source "$(dirname "$0")/common.sh"
((EUID == 0)) || skip "chroot needs root"
need dpkg-deb dpkg
need chroot coreutils
compgen -G "$work/deb/*.deb" >/dev/null || skip "there are no packages, see package.deb"
root=$work/root
fresh "$root"
chroot / /bin/true 2>/dev/null || skip "chroot is not permitted here"
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

# closure PACKAGE...: these and all they depend on, of alternatives those that are installed here.
closure() {
  local queue=("$@") package name
  declare -A seen=()
  while ((${#queue[@]})); do
    package=${queue[0]}
    queue=("${queue[@]:1}")
    [[ -z ${seen[$package]:-} ]] || continue
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || continue
    seen[$package]=1
    while IFS= read -r name; do [[ -z $name ]] || queue+=("$name"); done < <(
      dpkg-query -W -f '${Pre-Depends}, ${Depends}\n' "$package" | tr ',|' '\n' | sed 's/(.*//; s/:any//; s/ //g')
  done
  printf '%s\n' "${!seen[@]}" | sort
}

# populate PACKAGE...: copies these packages of this system with their records into the root, so that dpkg sees an
# installed base system without any download.
populate() {
  local package file
  mkdir -p "$root"/{var/lib/dpkg/{info,updates,triggers},var/log,usr/bin,usr/sbin,usr/lib,tmp,dev/shm,etc}
  cp /var/lib/dpkg/info/format "$root/var/lib/dpkg/info/"
  for file in bin sbin lib lib64; do
    [[ ! -L /$file ]] || { mkdir -p "$root/$(readlink "/$file")" && ln -sfn "$(readlink "/$file")" "$root/$file"; }
  done
  for package in "$@"; do
    dpkg-query -s "$package" >>"$root/var/lib/dpkg/status"
    echo >>"$root/var/lib/dpkg/status"
    cp "/var/lib/dpkg/info/$package"[.:]* "$root/var/lib/dpkg/info/"
    dpkg-query -L "$package" | while IFS= read -r file; do
      [[ $file == /usr/share/* || ! -e $file && ! -L $file || -d $file ]] || echo "$file"
    done
  done | sort -u | tar -C / --no-recursion -cf - -T - 2>/dev/null | tar -C "$root" --keep-directory-symlink -xf -
}

in_root() {
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C OMP_WAIT_POLICY=passive \
    OP2_NUM_THREADS=2 "$@"
}
install_debs() { dpkg --root="$root" -i "$@" >"$work/root.log" 2>&1; }
# contents: every file of the root that is not a record of dpkg's or the linker's, nor what programs without a home keep of loops.
contents() { (cd "$root" && find . ! -path './var/*' ! -path './tmp/op2-*' ! -path './etc/ld.so.cache' ! -type d | sort); }

# shellcheck disable=SC2046
run=$(echo "$work"/deb/libop2-1_*.deb) dev=$(echo "$work"/deb/libop2-dev_*.deb)
# shellcheck disable=SC2046
populate $(closure libc6 libc-bin dash coreutils)
install_debs "$run" && complain "the package installs without the C++ library"
grep -q 'depends on libstdc++6' "$work/root.log" || complain "dpkg does not say why: $(cat "$work/root.log")"
dpkg --root="$root" --purge libop2-1 >/dev/null 2>&1 || true

fresh "$root"
# Everything the package says it needs, nothing it does not say.
needs=$(dpkg-deb -f "$run" Depends | tr ',' '\n' | sed 's/(.*//; s/ //g')
# shellcheck disable=SC2046,SC2086
populate $(closure libc6 libc-bin dash coreutils $needs)
before=$(contents)
install_debs "$dev" && complain "libop2-dev installs without libop2-1"
install_debs "$run" "$dev" || { complain "dpkg -i fails"; cat "$work/root.log"; }
for package in libop2-1 libop2-dev; do
  state=$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${db:Status-Status}' "$package")
  same "state of $package" "$state" installed
done

in_root op2_info >"$work/root.info" || complain "op2_info does not run in the root"
sed -n 1,2p "$work/root.info"
grep -qF "library folder: /usr/lib/$multiarch" "$work/root.info" || complain "the library lies elsewhere"
grep -q refused "$work/root.info" && complain "a plugin is refused: $(grep refused "$work/root.info")"
same "op2-config --cflags" "$(in_root op2-config --cflags)" "-B/usr/lib/$multiarch/op2/compiler/"
same "op2-config --libs" "$(in_root op2-config --libs)" "-lop2"
same "op2-config --plugins" "$(in_root op2-config --plugins)" \
  "$("$tree/bin/op2-config" --plugins | grep -vE '^(comm_mpi|comm_mpich|io_hdf5_mpi|part_ptscotch|part_parmetis)$')"

# Plugins for many processes are packages of their own, which ask for their MPI.
for package in "$work"/deb/libop2-1-mpi*.deb; do
  [[ -f $package ]] || continue
  name=$(dpkg-deb -f "$package" Package)
  install_debs "$package" && complain "$name installs without MPI"
  grep -qE 'depends on lib(openmpi|mpich)' "$work/root.log" || complain "dpkg does not say why: $(cat "$work/root.log")"
  dpkg --root="$root" --purge "$name" >/dev/null 2>&1 || true
done

# A program built against the package, on every executor in it.
flags=(-I "$root/usr/include" -L "$root/usr/lib/$multiarch" -lop2)
"$CC" "$here/outside/loop.c" "${flags[@]}" -o "$root/tmp/loop_c"
"$CXX" -std=c++17 "$here/outside/loop.cpp" "${flags[@]}" -o "$root/tmp/loop_cpp"
executors=$(in_root op2_info | awk '$1 == "exec" && $3 == "score" && $4 > 0 { print $2 }')
grep -qx seq <<<"$executors" || complain "op2_info lists no executor seq, only: $executors"
for executor in $executors; do
  for program in loop_c loop_cpp; do
    in_root OP2_BACKEND="$executor" "/tmp/$program" "$executor" || complain "$program on $executor: exit code $?"
  done
done

rm "$root"/tmp/loop_c*
dpkg --root="$root" --purge libop2-dev libop2-1 >"$work/root.log" 2>&1 ||
  { complain "dpkg --purge fails"; cat "$work/root.log"; }
same "files left behind or taken away" "$(diff <(contents) <(echo "$before"))" ""
rm -rf "$root"
verdict "packages in an empty root"

# SPDX-License-Identifier: MIT
