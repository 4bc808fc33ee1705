"""fortran.py: pages of the Fortran modules, made of their comments and declarations in bindings/fortran."""
import re
import textwrap

KINDS = "`VALUES` stands for each of `integer(4)`, `integer(8)`, `real(4)`, `real(8)`, `logical(4)`, `logical(1)`."


def modules(folder):
    """(name, Markdown) of each module that module op2 exports."""
    for name in re.findall(r"^  use (op2_\w+)", (folder / "op2.f90").read_text(), flags=re.MULTILINE):
        file = folder / f"{name}.f90"
        yield name, page(name, (file if file.exists() else folder / f"{name}.f90.in").read_text())


def page(name, text):
    text = re.sub(r" *&\n *(?=[^ !])", " ", text)  # one declaration, one line
    text = re.sub(r"^ *!(each-\w+|end)\n", "", text, flags=re.MULTILINE)
    text = text.replace("@type@", "VALUES").replace("@args@", "a1, a2, ... an").replace("@n@", "n").replace("@kind@", "kind")
    lines = text.splitlines()
    out = [f"# {name}", "", prose(above(lines, lines.index(f"module {name}")), f"{name}: ")]
    if "VALUES" in text:
        out += [KINDS, ""]
    for at, line in enumerate(lines):  # constants and variables
        if re.match(r"  .*, public ::", line):
            out += [prose(above(lines, at)), "```fortran"]
            out += [textwrap.fill(line.strip().replace(" = ", "="), 100, subsequent_indent="  ").replace("\n", " &\n"), "```", ""]
    for public in dict.fromkeys(re.findall(r"\w+", " ".join(re.findall(r"^  public :: ([^!\n]*)", text, flags=re.MULTILINE)))):
        if public in ("set_of", "map_of", "dat_of"):  # for other modules
            continue
        comment, code = item(lines, public)
        out += [f"## {public}", "", prose(comment), "```fortran", *code, "```", ""]
    return "\n".join(out)


def above(lines, at):
    """The comment before a line."""
    first = at
    while first and re.match(r" *!", lines[first - 1]):
        first -= 1
    return [re.sub(r"^ *! ?", "", line) for line in lines[first:at]]


def item(lines, name):
    """The comment and the declaration of a type, of a procedure or of all procedures of an interface."""
    comment, code = [], []
    for at, line in enumerate(lines):
        if re.fullmatch(rf"  type(, bind\(c\))? :: {name}", line):
            end = lines.index(f"  end type {name}", at)
            comment, code = comment + above(lines, at), code + [inner[2:] for inner in lines[at:end + 1]]
        elif line == f"  interface {name}":
            comment += above(lines, at)
            for inner in lines[at + 1:lines.index(f"  end interface {name}", at)]:
                for procedure in re.findall(r"\w+", inner.split("procedure", 1)[1]):
                    more, declaration = item(lines, procedure)
                    comment += [""] * bool(comment and more) + more
                    code += [""] * bool(code) + [declaration[0].replace(procedure + "(", name + "(")] + declaration[1:]
        elif re.match(rf" +([\w() ]+ )?(subroutine|function) {name}\(", line):
            code += [""] * bool(code) + [line.strip()] + arguments(lines, at + 1)
            comment += [""] * bool(comment) + above(lines, at)
    if not code:
        raise SystemExit(f"fortran.py: there is no declaration of {name}")
    return comment, code


def arguments(lines, at):
    found = []
    while at < len(lines) and re.match(r" +(import|external|[\w() ,*]+(\(.*\))?[\w(), :.]*::)", lines[at]):
        if re.search(r"external|intent\(|\bvalue\b", lines[at]):
            found.append("  " + lines[at].strip())
        at += 1
    return found


def prose(comment, without=""):
    """A comment as Markdown: lines set in by two blanks or more are code."""
    out, code = [], False
    for line in comment:
        if code != (line.startswith("  ") or code and not line):
            code = not code
            out += ["", "```fortran"] if code else ["```", ""]
        line = line[2:] if code else re.sub(r"\bdocs/[\w/]+\.md", r"[\g<0>](../../\g<0>)", re.sub(r"([*<\[])", r"\\\1", line))
        out.append(line)
    text = "\n".join(out + ["```"] * code).removeprefix(without)
    return text[:1].upper() + text[1:] + "\n"

# SPDX-License-Identifier: MIT
