# reference_filter.awk: turns the plain comments of the public headers into the comments that Doxygen reads.
#
# A comment directly before a declaration documents it, and also the declarations that follow without an empty line and
# have no comment of their own: one comment often speaks of a family of functions. A comment behind code documents that
# code. The first comment is about the file. Comments inside functions stay what they are.
# The output has other line numbers than the header, so those in Doxygen's warnings are near the place only.

BEGIN { depth = 0; inside_code = 0; statement = ""; doc = ""; open_names = 0 }

FNR == 1 { c_header = FILENAME ~ /\.h$/; n = split(FILENAME, path, "/"); file = path[n] }

{ line[FNR] = $0; last = FNR }

END {
  i = file_comment()
  while (i <= last) i = next_part(i)
}

# ---- text ----------------------------------------------------------------------------------------------------------

# Escapes what Doxygen would take as commands, and dots that do not end a sentence. Text in `backticks` is code.
function plain(text,    parts, count, k, out) {
  count = split(text, parts, "`")
  out = ""
  for (k = 1; k <= count; ++k) {
    if (k % 2 == 1) {
      gsub(/\\/, "\\\\", parts[k])
      gsub(/>::/, ">\\::", parts[k]) # no link
      gsub(/[@<>#%&"]/, "\\\\&", parts[k])
      parts[k] = stars(parts[k])
      gsub(/\.\.\./, "\\.\\.\\.", parts[k])
      gsub(/e\.g\./, "e\\.g\\.", parts[k])
      gsub(/ --- /, " \\-\\-\\- ", parts[k])
    }
    out = out (k > 1 ? "`" : "") parts[k]
  }
  return out
}

# The star of *pointer must not begin an emphasis.
function stars(text,    k, out) {
  out = ""
  for (k = 1; k <= length(text); ++k) {
    if (substr(text, k, 1) == "*" && substr(text, k + 1, 1) ~ /[A-Za-z]/ && substr(" " text, k, 1) !~ /[A-Za-z0-9]/)
      out = out "\\"
    out = out substr(text, k, 1)
  }
  return out
}

# The lines of a comment, without its marks, as Doxygen text. Lines set in by two blanks or more are code.
function doxygen_text(lines, count,    k, out, code, blank) {
  out = blank = ""
  code = 0
  for (k = 1; k <= count; ++k) {
    if (lines[k] ~ /^  +[^ ]/) {
      if (!code) out = out "\n@code{." (c_header ? "c" : "cpp") "}"
      code = 1
      out = out blank "\n" substr(lines[k], 3)
      blank = ""
      continue
    }
    if (code && lines[k] ~ /^ *$/) { # inside the code, or behind it
      blank = blank "\n"
      continue
    }
    if (code) out = out "\n@endcode\n"
    code = 0
    blank = ""
    sub(/^ +/, "", lines[k])
    out = out (k > 1 ? "\n" : "") plain(lines[k])
  }
  if (code) out = out "\n@endcode"
  gsub(/[ \n]Errors: /, "\n\n<b>Errors:</b> ", out)
  return out
}

# Reads the comment that begins at line i into text[1..size]; returns the line behind it.
function read_comment(i, text,    k, s) {
  size = 0
  if (line[i] ~ /^ *\/\//) {
    while (i <= last && line[i] ~ /^ *\/\//) {
      s = line[i++]
      sub(/^ *\/\/ ?/, "", s)
      text[++size] = s
    }
    return i
  }
  for (k = i; k <= last; ++k) {
    s = line[k]
    if (k == i) sub(/^ *\/\* ?/, "", s)
    else sub(/^ *\*? ?/, "", s)
    if (line[k] ~ /\*\//) {
      if (k > i && line[k] ~ /^ *\*\/ *$/) return k + 1
      sub(/ *\*\/ *$/, "", s)
      text[++size] = s
      return k + 1
    }
    text[++size] = s
  }
  return k
}

# ---- the file ------------------------------------------------------------------------------------------------------

function file_comment(    i, text) {
  i = read_comment(1, text)
  sub("^" file ": *", "", text[1])
  text[1] = toupper(substr(text[1], 1, 1)) substr(text[1], 2)
  print "/** @file " file "\n" doxygen_text(text, size) "\n*/"
  return i
}

# One comment, or one line of code; returns the line behind it.
function next_part(i,    text, start, body) {
  if (line[i] ~ /^ *\/[*\/]/ && !inside_code) {
    start = i
    i = read_comment(i, text)
    if (line[i] ~ /^ *$/ || i > last || text[1] ~ /^ *---/) { # about nothing in particular
      doc = ""
      return i
    }
    body = doxygen_text(text, size)
    if (c_header && depth > 0) {
      heading(body)
    } else {
      doc = "/** " body " */"
      doc_depth = depth
      fresh = 1
    }
    return i
  }
  if (line[i] ~ /^ *$/) {
    doc = ""
    print ""
    return i + 1
  }
  return code_line(i)
}

# A comment on a line of its own inside a table is the heading of the entries that follow.
function heading(body,    title) {
  title = body
  sub(/[;:.\n].*/, "", title)
  body = substr(body, length(title) + 1)
  sub(/^[;:.] */, "", body)
  if (open_names) print "/** @} */"
  open_names = 1
  print "/** @name " title "\n" body "\n*/\n/** @{ */"
}

function code_line(i,    own, code, rest, at) {
  if (is_macro_line(i) == 2) { # the middle of a macro
    print line[i]
    return i + 1
  }
  code = line[i]
  at = match(code, c_header ? "[^ ] */[*]" : "[^ ] *//")
  own = at > 0 && !inside_code && code !~ /^ *}+ *\/\//
  if (doc != "" && depth == doc_depth && statement == "" && !inside_code && (fresh || at == 0) &&
      code !~ /^ *(#(if|else|endif|include|undef)|}|OP_END_DECLS|public:|private:|protected:)/)
    print doc
  fresh = 0
  if (!own) {
    track(code)
    if (open_names && c_header && depth == 0 && code ~ /^}/) {
      print "/** @} */"
      open_names = 0
    }
    print code
    return i + 1
  }
  rest = substr(code, at + 1)
  code = substr(code, 1, at)
  track(code)
  sub(/^ */, "", rest)
  if (!c_header) {
    sub(/^\/\/ ?/, "", rest)
    print code " /**< " plain(rest) " */"
    return i + 1
  }
  sub(/^\/\* ?/, "", rest)
  while (rest !~ /\*\// && i < last) { # a comment behind code may go on for some lines
    own = line[++i]
    sub(/^ *\*? */, "", own)
    rest = rest " " own
  }
  at = index(rest, "*/")
  own = substr(rest, 1, at - 1)
  sub(/ +$/, "", own)
  print code " /**< " plain(own) " */" substr(rest, at + 2)
  return i + 1
}

# 1: the first line of a preprocessor directive; 2: a line that continues one; 0: neither.
function is_macro_line(i) {
  if (i > 1 && line[i - 1] ~ /\\$/) return 2
  return line[i] ~ /^ *#/
}

# ---- where we are --------------------------------------------------------------------------------------------------

# Follows braces: `inside_code` is the number of open braces that belong to functions and initialisers, not to classes.
function track(code,    k, c) {
  if (code ~ /^ *#/ || code ~ /^ *OP_(BEGIN|END)_DECLS/) return
  if (code ~ /^ *(public|private|protected):/) return
  gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
  gsub(/'[{}]'/, "", code)
  sub(/ *\/\/.*/, "", code)
  gsub(/\/\*.*\*\//, "", code)
  for (k = 1; k <= length(code); ++k) {
    c = substr(code, k, 1)
    if (c == "{") {
      ++depth
      container[depth] = is_container(statement)
      if (!container[depth]) ++inside_code
      statement = ""
    } else if (c == "}") {
      if (!container[depth]) --inside_code
      --depth
      statement = ""
    } else if (c == ";") {
      statement = ""
    } else if (c != " " || statement != "") {
      statement = statement c
    }
  }
  if (statement != "") statement = statement " "
}

function is_container(statement) {
  while (gsub(/<[^<>]*>/, "", statement)) {
  }
  if (statement ~ /\(/) return 0
  return statement ~ /(^|[^A-Za-z0-9_])(class|struct|union|enum|namespace|extern)[^A-Za-z0-9_]/
}

# SPDX-License-Identifier: MIT
