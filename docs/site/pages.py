"""pages.py SOURCE STAGE XML: the folder that Sphinx reads.

The Markdown pages of the tree keep their places and their links; README.md is index.md. Files that a page links to become pages that
show them (x.cpp: x.cpp.md), headers become pages of Breathe, and the Fortran modules become pages made of their comments and
declarations. The order of the navigation is the order of the links in docs/README.md.
"""
import os
import re
import shutil
import sys
from pathlib import Path

import fortran

source, stage, xml = (Path(word).resolve() for word in sys.argv[1:])
pages = [Path(name) for name in ("CONTRIBUTING.md", "CHANGELOG.md", "abi/POLICY.md")]
pages += sorted(page.relative_to(source) for page in (source / "docs").rglob("*.md"))
LINK = re.compile(r"(`[^`]*`)|\[([^\]\[]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
shown = set()  # files of the tree that have a page of their own


def write(page, text):
    (stage / page).parent.mkdir(parents=True, exist_ok=True)
    (stage / page).write_text(text)


def with_links(page, text):
    """The text of a page. Links lead to the site's pages of README.md and of files; links named like a page have its title."""

    def mend(match):
        code, words, target, anchor = match.groups()
        if code or target.startswith(("http:", "https:", "mailto:")):
            return match[0]
        file = Path(os.path.normpath(page.parent / target))
        if words.endswith(".md") and (source / file).is_file():
            words = (source / file).read_text().split("\n", 1)[0].strip("# ")
        if file == Path("README.md"):
            target = os.path.relpath("index.md", page.parent)
        elif file.suffix not in (".md", ".png", ".svg") and (source / file).is_file():
            shown.add(file)
            target += ".md"
        return f"[{words}]({target}{anchor or ''})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if k % 2 else LINK.sub(mend, part) for k, part in enumerate(parts))


def toctree(caption, entries, hidden=True):
    options = [f":caption: {caption}"] * bool(caption) + [":hidden:"] * hidden + [":maxdepth: 1"]
    return "\n".join(["", "```{toctree}", *options, "", *map(str, entries), "```", ""])


# ---- the reference -------------------------------------------------------------------------------------------------

def headers():
    """Pages of the headers, where links to the headers lead, below a page that is docs/reference_main.md."""
    text = (source / "docs/reference_main.md").read_text().replace("# Reference of the headers", "# C and C++", 1)
    names = re.findall(r"^\| (\w+\.h) \|", text, flags=re.MULTILINE)
    files = [next((source / "include/op2").rglob(name)).relative_to(source) for name in names]
    for file in files:
        write(f"{file}.md", f"# {file.name}\n\n```{{doxygenfile}} {file.relative_to('include')}\n```\n")
        text = text.replace(f"| {file.name} |", f"| [{file.name}](../{file}.md) |")
    text = re.sub(r"`docs/(\w+\.md)` of the source tree", r"[\1](\1)", text).replace("`docs/README.md`", "[README.md](README.md)")
    space = (xml / "namespaceop2.xml").read_text()
    classes = re.findall(r'<innerclass refid="(class|struct)op2.*?>(.*?)</innerclass>', space)
    (xml / "namespaceop2.xml").write_text(re.sub(r" *<innerclass.*\n", "", space))  # they have headings of their own
    parts = [f"## {name}\n\n```{{doxygen{kind}}} {name}\n:members:\n```\n" for kind, name in classes]
    parts.append("## Functions\n\n```{doxygennamespace} op2\n:content-only:\n```\n")
    write("include/op2/op2.hpp.md", "# op2.hpp\n\nThe classes and functions of C++, namespace `op2`.\n\n" + "\n".join(parts))
    text = with_links(Path("docs/reference_main.md"), text.replace(" op2.hpp has", " [op2.hpp](../include/op2/op2.hpp.md) has"))
    write("docs/reference_main.md", text + toctree("", ["/include/op2/op2.hpp", *(f"/{file}" for file in files)]))


def modules():
    """Pages of the Fortran modules."""
    names = []
    for name, text in fortran.modules(source / "bindings/fortran"):
        page = Path(f"bindings/fortran/{name}.md")
        write(page, with_links(page, text))
        names.append(name)
    text = "# Fortran\n\nModule `op2` has all of these modules. [fortran.md](../../docs/howto/fortran.md) is the guide to them.\n"
    write("bindings/fortran/index.md", text + toctree("", names, hidden=False))


# ---- the pages of the tree, and the navigation ---------------------------------------------------------------------

def navigation():
    """The pages below docs/ that docs/README.md lists, in its order, and where each of them stands."""
    text = (source / "docs/README.md").read_text()
    listed = [Path("docs") / link for link in dict.fromkeys(re.findall(r"\]\(([\w/]+\.md)\)", text))]
    start = ["docs/install", "docs/concepts", "docs/questions", "docs/examples", "docs/gallery"]  # after the front page
    reference = ["docs/reference_main", "bindings/fortran/index", "docs/settings", "docs/plugins"]
    maintainers = ["CONTRIBUTING", "docs/architecture", "docs/walks", "docs/rooms", "docs/benchmarks", "abi/POLICY", "CHANGELOG"]
    lessons = sorted((str(page.with_suffix("")) for page in pages if page.parts[:2] == ("docs", "lessons")),
                     key=lambda page: page.replace("README", ""))
    rest = [str(page.with_suffix("")) for page in [*listed, *pages] if page.parts[0] == "docs"]
    rest = [page for page in dict.fromkeys(rest) if page not in [*start, *reference, *maintainers, *lessons, "docs/README"]]
    howtos = [page for page in rest if page.startswith("docs/howto/")]
    subjects = [page for page in rest if page not in howtos]
    return "".join([
        toctree("Start", ["Find a page <docs/README>", *(page for page in start if Path(page + ".md") in pages)]),
        toctree("Lessons", lessons) if lessons else "",
        toctree("How-to", howtos), toctree("Subjects", subjects),
        toctree("Reference", [*reference, "genindex"]), toctree("For maintainers", maintainers)])


def sources():
    """Pages that show the files which other pages link to."""
    for file in sorted(shown):
        if not (stage / f"{file}.md").exists():
            language = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".f90": "fortran", ".sh": "sh"}.get(file.suffix, "text")
            write(f"{file}.md", f"---\norphan: true\n---\n# {file}\n\n````{{code-block}} {language}\n{(source / file).read_text()}\n````\n")


headers()
modules()
for page in pages:
    if page != Path("docs/reference_main.md"):
        write(page, with_links(page, (source / page).read_text()))
front = with_links(Path("README.md"), (source / "README.md").read_text())
write("index.md", front + navigation())
sources()
shutil.copytree(source / "docs/pictures", stage / "docs/pictures")

# SPDX-License-Identifier: MIT
