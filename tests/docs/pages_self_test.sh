#!/usr/bin/env bash
# pages_self_test.sh SOURCE BUILD: snippets.sh and links.sh must notice pages that do not keep their word.
set -euo pipefail
source=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/docs" "$work/tree/tests"
ln -s "$source/include" "$work/tree/include"
ln -s "$source/tests/docs" "$work/tree/tests/docs"
printf 'int answer(void);\nint answer(void) {\n  return 42;\n}\n' >"$work/tree/answer.c"
failed=0

# page: writes the standard input as the page to look at; 'x' fences become blocks.
page() { sed "s/^'''/\`\`\`/" >"$work/tree/docs/page.md"; }
# verdict WANT PATTERN NAME COMMAND...: WANT is pass or fail; a failure must name PATTERN.
verdict() {
  local want=$1 pattern=$2 name=$3 got=pass
  shift 3
  "$@" >"$work/out" 2>&1 || got=fail
  if [[ $got != "$want" ]] || ! grep -q -- "$pattern" "$work/out"; then
    echo "$name: $want was expected with '$pattern'; it was $got:"
    cat "$work/out"
    failed=1
  fi
}
snippets() { verdict "$1" "$2" "$3" bash "$here/snippets.sh" "$work/tree" "$build" "" docs/page.md; }

hello() { # a page with a program that prints $1 and claims $2
  page <<TEXT
<!-- file: hello.c -->
'''c
#include <op2/op2.h>
int main(int argc, char **argv) {
  op_init(argc, argv, 1);
'''
<!-- file: hello.c -->
'''c
  op_printf("$1\n");
  op_exit();
  return ${3:-0};
}
'''
<!-- output: hello ${4:-} -->
'''text
$2
'''
TEXT
}
hello good good && snippets pass "3 blocks" "a good page"
hello good bad && snippets fail "prints something else" "another output"
hello "took 3 s" "took 4 s" && snippets fail "prints something else" "another number"
hello "took 3 s" "took 14.5 s" 0 "seq like" && snippets pass "3 blocks" "another number where numbers may differ"
hello good good 1 && snippets fail "failed with 1" "a program that fails"
hello good good 0 "seq fails" && snippets fail "was to fail" "a program that does not fail"
hello good good 1 "seq fails" && snippets pass "3 blocks" "a program that is to fail"
hello 'good" + ' good && snippets fail "does not compile" "a program that does not compile"
page <<'TEXT'
<!-- run: from=docs copy -->
'''sh
cp page.md copy
'''
TEXT
snippets pass "1 blocks" "files of a folder are brought"
page <<'TEXT'
<!-- run: from=nowhere -->
'''sh
true
'''
TEXT
snippets fail "there is no folder nowhere" "a folder that does not exist"
page <<'TEXT'
<!-- file: twice.cpp -->
'''cpp
#include <op2/op2.hpp>
int main(int argc, char **argv) {
  const op2::context library(argc, argv);
  op_printf("%d\n", 2 * 21);
}
'''
<!-- output: twice seq -->
'''text
42
'''
<!-- run: list -->
'''sh
ls twice >list
op2_info >/dev/null
'''
TEXT
snippets pass "3 blocks" "a program in C++, commands that leave a file"
sed -i 's/^42/43/' "$work/tree/docs/page.md" && snippets fail "prints something else" "another output of a program in C++"
sed -i 's/^43/42/; s/>list/>another/' "$work/tree/docs/page.md" && snippets fail "no file list" "commands that leave no file"
sed -i 's/ls twice/ls thrice/' "$work/tree/docs/page.md" && snippets fail "a command failed" "commands that fail"
page <<'TEXT'
<!-- run: -->
'''sh
gfortran --no-such-option
'''
<!-- output: nothing -->
'''text
'''
TEXT
FC='' snippets pass "left out, the library has no modules of gfortran" "a page in Fortran without modules"
FC=gfortran snippets fail "a command failed" "a page in Fortran whose command fails"
page <<<$'text\n\'\'\'c\nint x;\n\'\'\'' && snippets fail "without a mark" "code without a mark"
hello "good news" bad && DOCS_UPDATE=1 snippets fail "prints something else" "an update"
snippets pass "3 blocks" "a page that was updated"
marked() { printf "<!-- %s -->\n'''c\n%b\n'''\n" "$1" "$2" | page; } # a page with one block
marked "frame: plain.c" "u[0] = undeclared;" && snippets fail "not compile in the frame" "a wrong fragment"
marked "frame: plain.c" "u[0] = 1;" && snippets pass "1 blocks" "a fragment that compiles"
marked "from: answer.c" "int answer(void) {\n  return 42;" && snippets pass "1 blocks" "an excerpt"
marked "from: answer.c" "int answer(void) {\n  return 43;" && snippets fail "does not stand like this" "a change"
marked "from: answer.c" "int answer(void);\n  return 42;" && snippets fail "does not stand like this" "a gap"
page <<<'no code' && snippets fail "no marked block" "a page without code"

# A program on several processes.
together() {
  page <<TEXT
<!-- file: many.c -->
'''c
#include <op2/op2.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  op_printf("%s\n", getenv("OP2_LAUNCH_SIZE") ? "$1" : "alone");
  op_exit();
  return 0;
}
'''
<!-- output: many seq processes=2 -->
'''text
alone
'''
TEXT
}
if [[ -e $build/lib/op2/op2_comm_shm.so ]]; then
  together alone && snippets pass "2 runs of programs" "the same on two processes"
  together another && snippets fail "many on shm+seq prints something else" "something else on two processes"
fi

# Sessions.
session() { printf "<!-- session: %s -->\n'''text\n%b\n'''\n" "$1" "$2" | page; }
session "" '$ printf "a 1\\\\nb 2\\\\n"\na ...\nb 2' && snippets pass "1 blocks" "a session"
session "" '$ printf "a 1\\\\nb 2\\\\nc\\\\n"\n...\nb 2\nc' && snippets pass "1 blocks" "a session with lines that are left out"
session "" '$ printf "a 1\\\\nb 2\\\\n"\na 1' && snippets fail "one more line: 'b 2'" "a session that prints more"
session "" '$ printf "a 1\\\\nb 2\\\\n"\nb 2\na 1' && snippets fail "no line 'b 2' where" "a session in another order"
session "" '$ printf "a 1\\\\nb 2\\\\n"\n...\nb [0-9]' && snippets fail "no line 'b .0-9.' where" "signs that are not patterns"
session "unordered" '$ printf "a 1\\\\nb 2\\\\n"\nb 2\na ...' && snippets pass "1 blocks" "a session in any order"
session "unordered" '$ printf "a 1\\\\nb 2\\\\nc\\\\n"\nb 2\n...' && snippets pass "1 blocks" "other lines, which dots allow, in any order"
session "unordered" '$ printf "a 1\\\\nb 2\\\\n"\nb 2' && snippets fail "one more line: 'a 1'" "a session in any order that prints more"
session "unordered" '$ printf "a 1\\\\n"\na 1\na 1' && snippets fail "no line 'a 1'" "a line in any order that is there once only"
session "" '$ echo a && false\na' && snippets fail "failed" "a session with a command that fails"
session "needs=no_such_tool" '$ no_such_tool' && snippets fail "skipped: there is no no_such_tool" "a session without its tool"
bash "$here/snippets.sh" "$work/tree" "$build" "" docs/page.md >"$work/out" 2>&1 && status=0 || status=$?
((status == 77)) || { echo "a session without its tool: the status is $status, not 77" && failed=1; }
session "needs=gfortran" '$ gfortran --no-such-option'
FC='' snippets fail "skipped: the library has no modules of gfortran" "a session in Fortran without modules"
FC=gfortran snippets fail "failed" "a session in Fortran whose command fails"
if command -v gdb >/dev/null; then
  session "needs=gdb" '$ gdb -q\n(gdb) print 6 * 7\n$1 = 42' && verdict_of_gdb=$(bash "$here/snippets.sh" "$work/tree" "$build" "" docs/page.md 2>&1) ||
    [[ $verdict_of_gdb == *skipped* ]] || { echo "a session of gdb: $verdict_of_gdb" && failed=1; }
  [[ $verdict_of_gdb == *skipped* ]] || { session "needs=gdb" '$ gdb -q\n(gdb) print 6 * 7\n$1 = 43' &&
    snippets fail 'no line .$1 = 43. where' "a value that gdb does not print"; }
fi

links() { verdict "$1" "$2" "$3" bash "$here/links.sh" "$work/tree"; }
echo '# Index' | tee "$work/tree/README.md" >"$work/tree/CONTRIBUTING.md"
{ for _ in {1..12}; do echo '[page](page.md#a-heading)'; done; } >"$work/tree/docs/README.md"
echo '# A heading' >"$work/tree/docs/page.md" && links pass "12 links" "good links"
echo '# A header' >"$work/tree/docs/page.md" && links fail "no such heading" "a link to no heading"
echo '# A heading [x](nowhere.md)' >"$work/tree/docs/page.md" && links fail "leads nowhere" "a link to no file"
echo '# A heading' >"$work/tree/docs/page.md"
printf '# A heading\n%140s.\n' ' ' >"$work/tree/docs/page.md" && links fail "longer than 140 characters" "a long line"
printf '# A heading\n%139s.\n```\n%200s\n```\n' ' ' ' ' >"$work/tree/docs/page.md" && links pass "12 links" "lines that are not too long"
echo '# Lost' >"$work/tree/docs/lost.md" && links fail "does not list docs/lost.md" "a page that is not listed"

((failed)) || echo "every planted fault was noticed"
exit $failed

# SPDX-License-Identifier: MIT
