# layouts.awk: reads public C headers and prints what the list of layouts is about, one fact a line and fields separated
# by "|":  file|NAME  type|NAME|TEXT  opaque|NAME|TEXT  struct|NAME|frozen or growing  field|STRUCT|NAME|TEXT
#          constant|NAME|number or text  unknown|TEXT (what these rules do not understand)
# It knows the C that the public headers are written in, not all of C. layouts.sh lets compilers check the result.

function trim(s) { gsub(/[ \t\n]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s); return s }

# "op_exec *exec, size_t" -> "op_exec *, size_t": names of parameters are not part of a type.
function nameless(parameters, n, parts, i, out, p) {
  n = split(parameters, parts, ",")
  for (i = 1; i <= n; ++i) {
    p = trim(parts[i])
    if (match(p, /[ *][A-Za-z_][A-Za-z_0-9]*$/) && p !~ /[ *](int|long|short|char|float|double|signed|unsigned|void)$/)
      p = trim(substr(p, 1, RSTART))
    out = out (i > 1 ? ", " : "") p
  }
  return out
}

# Splits "void (*f)(int a)" or "const char *s[4]" into the globals declared_name and declared_type.
function take_apart(text, stars, tail) {
  text = trim(text)
  declared_name = declared_type = ""
  if (match(text, /\(\*[A-Za-z_0-9]+\)\(/)) { # a pointer to a function
    declared_name = substr(text, RSTART + 2, RLENGTH - 4)
    tail = substr(text, RSTART + RLENGTH)
    if (tail !~ /^[^()]*\)$/) { declared_name = ""; return }
    declared_type = trim(substr(text, 1, RSTART - 1)) " (*)(" nameless(substr(tail, 1, length(tail) - 1)) ")"
    return
  }
  tail = ""
  if (match(text, /\[[A-Za-z_0-9]+\]$/)) {
    tail = substr(text, RSTART)
    text = trim(substr(text, 1, RSTART - 1))
  }
  if (text !~ /^[A-Za-z_0-9 *]+$/ || !match(text, /[A-Za-z_][A-Za-z_0-9]*$/)) return
  declared_name = substr(text, RSTART)
  declared_type = trim(substr(text, 1, RSTART - 1)) tail
}

function print_field(owner, text) {
  take_apart(text)
  if (declared_name == "" || declared_type == "") { print "unknown|" owner ": " trim(text); return }
  print "field|" owner "|" declared_name "|" declared_type
}

function print_struct(name, body, n, lines, i, m, declarators, j, base) {
  print "struct|" name "|" (body ~ /^ *size_t +size *;/ ? "growing" : "frozen")
  n = split(body, lines, ";")
  for (i = 1; i <= n; ++i) {
    if (trim(lines[i]) == "") continue
    if (lines[i] ~ /\(/) { print_field(name, lines[i]); continue }
    m = split(lines[i], declarators, ",") # "const char *file, *text"
    base = trim(declarators[1])
    print_field(name, base)
    sub(/[ *]*[A-Za-z_0-9]+(\[[A-Za-z_0-9]+\])?$/, "", base)
    for (j = 2; j <= m; ++j) print_field(name, base " " declarators[j])
  }
}

function statement(text, name) {
  gsub(/OP_BEGIN_DECLS|OP_END_DECLS/, "", text)
  text = trim(text)
  if (text == "" || text ~ /^OP_API /) return
  if (match(text, /^(typedef )?struct [A-Za-z_0-9]+ \{/) && text ~ /^[^{]*\{[^{}]*\}[A-Za-z_0-9 ]*$/) {
    name = substr(text, 1, RLENGTH - 2)
    sub(/.* /, "", name)
    sub(/^[^{]*\{/, "", text)
    sub(/\}[^}]*$/, "", text)
    print_struct(name, text)
  } else if (text ~ /^typedef [^{}]*$/) {
    sub(/^typedef /, "", text)
    take_apart(text)
    if (declared_name == "") print "unknown|" text
    else print (declared_type ~ /^struct [A-Za-z_0-9]+$/ ? "opaque|" : "type|") declared_name "|" declared_type
  } else {
    print "unknown|" text
  }
}

function directive(line, name, value) {
  if (line !~ /^# *define +[A-Za-z_0-9]+[ \t]/) return # no value, or a macro with parameters
  sub(/^# *define +/, "", line)
  name = line
  sub(/[ \t].*/, "", name)
  value = trim(substr(line, length(name) + 1))
  # What is no constant, or changes with every release.
  if (value == "" || name ~ /^OP2_VERSION/) return
  if (name ~ /^(OP_API|OP_BEGIN_DECLS|OP_END_DECLS|OP_ID|OP_GBL|OP_INIT_PARAMS|OP_PARTITION_PARAMS|OP_RENUMBER_PARAMS|OP_REPARTITION_PARAMS|OP_TRACE_PARAMS|OP2_PLUGIN_ENTRY)$/) return
  print "constant|" name "|" (value ~ /^"/ ? "text" : "number")
}

function header(text, n, lines, i, rest, depth, at, c, start) {
  while ((at = index(text, "/*")) > 0) {
    rest = substr(text, at + 2)
    text = substr(text, 1, at - 1) " " substr(rest, index(rest, "*/") + 2)
  }
  gsub(/\\\n/, " ", text)
  n = split(text, lines, "\n")
  text = ""
  for (i = 1; i <= n; ++i) {
    if (lines[i] ~ /^ *#/) directive(lines[i])
    else text = text lines[i] " "
  }
  for (at = start = 1; at <= length(text); ++at) {
    c = substr(text, at, 1)
    depth += (c == "{") - (c == "}")
    if (c == "}" && depth == 0 && substr(text, start, at - start) ~ /^[ \t]*static inline /) start = at + 1 # code, no layout
    if (c == ";" && depth == 0) {
      statement(substr(text, start, at - start))
      start = at + 1
    }
  }
  statement(substr(text, start))
}

FNR == 1 && NR > 1 { header(whole); whole = "" }
FNR == 1 { print "file|" FILENAME }
{ whole = whole $0 "\n" }
END { header(whole) }

# SPDX-License-Identifier: MIT
