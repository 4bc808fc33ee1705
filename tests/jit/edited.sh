#!/bin/bash
# edited.sh FOLDER INCLUDE LIB COMPILER [SANITIZERS]: a kernel's text that is not the program's never decides the answer.
here=$1 include=$2 lib=$3 compiler=$4 sanitizers=$5
. "$(dirname "$0")/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
cp "$here/edited.cpp" "$here/edited_kernel.h" "$work"
cd "$work" || exit 1
"$compiler" -std=c++17 ${sanitizers:+-fsanitize=$sanitizers} -ffp-contract=off -O2 "$work/edited.cpp" -I "$include" -L "$lib" -lop2 \
  -Wl,-rpath,"$lib" -o program || exit 1

run() { # run NAME SETTINGS...
  local name=$1
  shift
  env "$@" ./program >"$name" 2>&1 || complain "$name: exit code $?"
  expect "$name" "^0 wrong"
}

run as_built
expect as_built "form (vector|scalar)"

# The sources have names relative to the folder where the program was built, and it runs in another one.
mkdir built && (cd built && "$compiler" -std=c++17 ${sanitizers:+-fsanitize=$sanitizers} -ffp-contract=off -O2 ../edited.cpp \
  -I "$include" -L "$lib" -lop2 -Wl,-rpath,"$lib" -o program) || exit 1
(cd / && "$work/built/program") >relative 2>&1 || complain "relative: exit code $?"
expect relative "form (vector|scalar)"

# Edited, as an editor does it: the file is newer than the program.
sed 's/2\.0/3.0/' edited_kernel.h >new && sleep 0.05 && cat new >edited_kernel.h
run newer
expect newer "form range.*newer than the program"

# Edited, with the old time: the trial finds the difference.
touch -d '2001-01-01' edited_kernel.h
run other_text
expect other_text "warning.*'scale'.*differ.*dat 'b'"
expect other_text "form range"

# No text at all.
rm edited_kernel.h
run gone
expect gone "form range"

# The right text, given.
cat >given.cpp <<'END'
#include <op2/op2.h>
static const int once = (op_source_text("edited_kernel.h", "static inline void scale(const double *a, double *b) { *b = 2.0 * *a; }"), 0);
END
cp "$here/edited_kernel.h" . && "$compiler" -std=c++17 ${sanitizers:+-fsanitize=$sanitizers} -ffp-contract=off -O2 edited.cpp given.cpp \
  -I "$include" -L "$lib" -lop2 -Wl,-rpath,"$lib" -o program 2>/dev/null || complain "given.cpp does not compile"
rm edited_kernel.h
run given
expect given "form (vector|scalar)"
finish
