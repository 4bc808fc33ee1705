#!/bin/bash
# run_airfoil.sh: from a bare Debian 12 to the verdict on the reference airfoil case: installs what is missing, builds
# the library and the program, generates the mesh of 720 000 cells, runs 1000 iterations, and draws the pressure.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: run_airfoil.sh [--c] [--help] [ARGUMENT...]
Build libop2, run the airfoil example for 1000 iterations on the reference mesh of 720 000 cells, and draw the pressure around the wing.
  --c        run the C program instead of the C++ one
  ARGUMENT   passed on to the program, e.g. --iterations 100 or OP2_NUM_THREADS=2
The environment variable OP2_BACKEND chooses the back end (auto when not set), e.g. OP2_BACKEND=openmp run_airfoil.sh
OP2_RANKS=4 run_airfoil.sh starts the same program as 4 processes of MPI, which share the cores.
Exit code: 0 passed, 1 failed, 2 something could not be built, read or understood.
TEXT
}

program=airfoil
arguments=()
while (($#)); do
  case $1 in
    --c) program=airfoil_c ;;
    -h | --help) usage; exit 0 ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

ranks=${OP2_RANKS:-}
unset OP2_RANKS # it is this script's, not a setting of the library
if [[ -n $ranks && ! $ranks =~ ^[1-9][0-9]*$ ]]; then
  echo "run_airfoil.sh: OP2_RANKS='$ranks' is not a number of processes" >&2
  exit 2
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
mesh=$root/build/meshes/naca_400x600.dat
view=$root/build/airfoil_pressure.vtkhdf
picture=${view%.vtkhdf}.png
for argument in ${arguments[@]+"${arguments[@]}"}; do
  if [[ $argument == --view ]]; then view=; fi # the caller's own, and no picture
done

# Everything up to the run itself: a failure here is not a failed test.
prepare() {
  # shellcheck source=SCRIPTDIR/../tests/packages.sh
  source "$root/tests/packages.sh" && op2_need_packages g++ cmake make || return
  # Without these there is a verdict, and no picture.
  if [[ -n $view ]] && ! op2_need_packages libhdf5-dev pkg-config python3-h5py python3-matplotlib; then
    echo "run_airfoil.sh: there will be no picture of the pressure, for the reason above"
    view=
  fi
  if [[ ! -e $build/Makefile && ! -e $build/build.ninja ]]; then
    [[ -z $ranks ]] || op2_need_packages libopenmpi-dev openmpi-bin libptscotch-dev || return
    cmake -S "$root" --preset release || return
  elif [[ -n $ranks && ! -e $build/lib/op2/op2_comm_mpi.so ]]; then # it may have been configured without MPI
    op2_need_packages libopenmpi-dev openmpi-bin libptscotch-dev && cmake "$build" || return
  fi
  if [[ -n $view && ! -e $build/lib/op2/op2_io_hdf5.so && -e $build/CMakeCache.txt ]]; then # or without HDF5
    cmake "$build" || return
  fi
  cmake --build "$build" --parallel "$(nproc)" --target make_naca_mesh "$program" || return
  if [[ ! -e $mesh ]]; then
    mkdir -p "$(dirname "$mesh")" && "$build/bin/make_naca_mesh" 400 600 "$mesh" || return
  fi
}
if ! prepare >&2; then
  echo "run_airfoil.sh: preparing the run failed" >&2
  exit 2
fi
if [[ -n $view && ! -e $build/lib/op2/op2_io_hdf5.so ]]; then
  echo "run_airfoil.sh: there will be no picture, this build has no files hdf5; see the summary of cmake $build" >&2
  view=
fi

export OP2_BACKEND=${OP2_BACKEND:-auto}
command=("$build/bin/$program" "$mesh" --iterations 1000 ${view:+--view "$view"} ${arguments[@]+"${arguments[@]}"})

# many_processes: puts the launcher in front of the command.
many_processes() {
  local launcher cores threads
  launcher=$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' "$build/CMakeCache.txt") # that of the MPI the plugin uses
  if [[ ! -x $launcher || ! -e $build/lib/op2/op2_comm_mpi.so ]]; then
    echo "run_airfoil.sh: this build has no communicator mpi; see the summary of cmake $build" >&2
    return 1
  fi
  case +$OP2_BACKEND+ in
    *+auto+* | *+mpi+* | *+mpich+* | *+self+*) ;;
    *) OP2_BACKEND=mpi+$OP2_BACKEND ;; # an executor alone is a program for one process
  esac
  cores=$(nproc)
  # Open MPI does not start as root, nor more processes than cores, unless it is told to.
  if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
  if ((ranks > cores)); then
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
  fi
  if [[ -z ${OP2_NUM_THREADS:-}${OMP_NUM_THREADS:-} ]]; then
    threads=$((cores / ranks))
    export OP2_NUM_THREADS=$((threads > 0 ? threads : 1))
  fi
  command=("$launcher" --bind-to none -n "$ranks" "${command[@]}")
}
if [[ -n $ranks ]]; then many_processes || exit 2; fi

# draw: the pressure around the wing, and says where it is.
draw() {
  /usr/bin/python3 "$root/src/tools/op2_plot" "$view" pressure -o "$picture" --window=-0.25,1.25,-0.45,0.45 --range 0.93,1.07 --contours 27 \
    --title "NACA 0012 at Mach 0.4: pressure" >/dev/null && echo "Picture of the pressure around the wing: $picture"
}

code=0
if [[ -n $view ]]; then rm -f "$view" "$picture"; fi
"${command[@]}" || code=$?
if [[ -n $view && -e $view && $code != 2 ]]; then
  draw || echo "run_airfoil.sh: there is no picture, for the reason above; the pressure is in $view" >&2
fi
exit "$code"

# SPDX-License-Identifier: MIT
