#!/usr/bin/env bash
# deb.sh: cpack makes the Debian packages; names, dependences, fields, owners and contents are what they must be.
source "$(dirname "$0")/common.sh"
need dpkg-deb dpkg
need dpkg-shlibdeps dpkg-dev
deb=$work/deb
fresh "$deb"
unset CCACHE_DISABLE # the files compiled are those of every release build
configure "$deb/build" "$source_folder" --preset deb || exit 1
build "$deb/build" all || exit 1
(cd "$deb/build" && cpack -G DEB -B "$deb" >"$deb/cpack.log" 2>&1) || { cat "$deb/cpack.log"; exit 1; }
grep -i 'warning\|error' "$deb/cpack.log" && complain "cpack warns"

version=$("$tree/bin/op2-config" --version)
machine=$(dpkg --print-architecture) multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
names=(libop2-1 libop2-dev) plugins=$tree/$libdir/op2 mpi_packages=()
for library in mpi mpich; do
  if [[ -f $plugins/op2_comm_$library.so ]]; then names+=("libop2-1-$library"); fi
done
[[ ! -f $tree/$libdir/libop2_fortran.so ]] || names+=(libop2-fortran)
packages=("${names[@]/%/_${version}_$machine.deb}")
packages=("${packages[@]/#/$deb/}")
same "packages" "$(ls "$deb"/*.deb)" "$(printf '%s\n' "${packages[@]}" | sort)"
run=${packages[0]} dev=${packages[1]} mpi_packages=("${packages[@]:2}") # and that of the Fortran modules

# field FILE NAME PATTERN: the field matches the extended regular expression.
field() {
  local value
  value=$(dpkg-deb -f "$1" "$2")
  [[ $value =~ ^($3)$ ]] || complain "$(basename "$1"): $2: '$value' does not match $3"
}
for package in "${packages[@]}"; do
  field "$package" Version "$version"
  field "$package" Architecture "$machine"
  field "$package" Maintainer '.+ <.+@.+>'
  field "$package" Installed-Size '[1-9][0-9]*'
  field "$package" Description '[^.]+[^.]'$'\n''.+'
done
field "$run" Section libs
field "$dev" Section libdevel
depends=$(dpkg-deb -f "$run" Depends)
for library in libc6 libstdc++6 libgcc-s1; do
  [[ $depends =~ (^|, )"$library"( |,|$) ]] || complain "$library is not among the dependences: $depends"
done
if [[ -f $tree/$libdir/op2/op2_exec_openmp.so ]]; then
  [[ $depends =~ (^|, )lib(g)?omp ]] || complain "no OpenMP library among the dependences: $depends"
fi
field "$run" Recommends '.*g\+\+.*' # at run time, and it works without
[[ $depends != *libop2* ]] || complain "the package depends on itself"
field "$dev" Depends "libop2-1 \\(= $version\\)"
# MPI is for those who want it.
[[ $depends != *mpi* && $depends != *ptscotch* ]] || complain "the package needs MPI: $depends"
for package in ${mpi_packages[@]+"${mpi_packages[@]}"}; do
  if [[ $package == */libop2-fortran_* ]]; then
    field "$package" Depends ".*libop2-dev \\(= $version\\).*"
    field "$package" Depends '.*libgfortran.*'
    continue
  fi
  field "$package" Section libs
  field "$package" Depends ".*libop2-1 \\(= $version\\).*"
  field "$package" Depends '.*lib(openmpi|mpich|mpi)[0-9t.-].*'
  dpkg-deb -c "$package" | awk '$1 !~ /^d/ { print $6 }' |
    grep -vE '/op2/op2_(comm_mpi|comm_mpich|io_hdf5_mpi|part_ptscotch|part_parmetis)\.so$|/copyright$' &&
    complain "more than plugins for many processes in $package"
done
same "shlibs" "$(dpkg-deb --ctrl-tarfile "$run" | tar -xO ./shlibs)" \
  "libop2 1 libop2-1 (>= $version)"$'\n'"libop2_trace 1 libop2-1 (>= $version)"

for package in "${packages[@]}"; do
  same "owners in $(basename "$package")" "$(dpkg-deb -c "$package" | awk '{ print $2 }' | sort -u)" "root/root"
  modes=$(dpkg-deb -c "$package" | awk '{ print $1 }' | sort -u | tr '\n' ' ')
  [[ $modes =~ ^-rw-r--r--\ (-rwxr-xr-x\ )?drwxr-xr-x\ (lrwxrwxrwx\ )?$ ]] || complain "modes in $package: $modes"
  dpkg-deb -x "$package" "$deb/files"
done
both=$(for package in "${packages[@]}"; do dpkg-deb -c "$package" | awk '$1 !~ /^d/ { print $6 }'; done | sort | uniq -d)
same "files in both packages" "$both" ""
bash "$here/manifest.sh" "$deb/files/usr" "lib/$multiarch" 'share/doc/libop2-(1|dev|1-mpi|1-mpich|fortran)/copyright' || complain "contents"
TEST_CONFIG=Release bash "$here/leaks.sh" "$deb/files" || complain "search paths or leaks"
dpkg-deb -c "$run" | grep -E '/(include|cmake|pkgconfig)/|\.so$' | grep -v '/op2/op2_' &&
  complain "development files are in $run"
verdict "Debian packages"

# SPDX-License-Identifier: MIT
