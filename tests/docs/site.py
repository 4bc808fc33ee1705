"""site.py SITE: every page can be reached from the front page, every link leads to a page and to a place on it, and the search
finds what a user asks for."""
import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

site = Path(sys.argv[1]).resolve()
bad = []


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.places = [], {""}
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name, tag) == ("name", "a"):
                self.places.add(value)
            elif name in ("href", "src", "action"):
                self.links.append(value)


pages = {file: Page(file) for file in site.rglob("*.html")}
reached, left = set(), [site / "index.html"]
while left:
    file = left.pop()
    if file in reached:
        continue
    reached.add(file)
    for link in pages[file].links:
        parts = urlsplit(link)
        if parts.scheme or link == "#":
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.is_file():
            bad.append(f"{file.relative_to(site)}: {link} leads nowhere")
        elif target in pages:
            left.append(target)
            if unquote(parts.fragment) not in pages[target].places:
                bad.append(f"{file.relative_to(site)}: {link}: that page has no such place")
bad += [f"{file.relative_to(site)} cannot be reached" for file in pages if file not in reached]

index = json.loads((site / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")"))
for word, page in [("tetrahedra", "docs/chains"), ("valgrind", "docs/howto/debug_with_valgrind"), ("group", "docs/meshes"),
                   ("ident", "docs/kernel_identity"), ("op_par_loop", "include/op2/loop.h"), ("op_mesh_patch_map", "bindings/fortran/op2_mesh")]:
    found = [index[kind].get(word, []) for kind in ("terms", "titleterms")]
    if page not in [index["docnames"][number] for one in found for number in (one if isinstance(one, list) else [one])]:
        bad.append(f"the search for {word} does not find {page}")

print("\n".join(bad) or f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, all lead somewhere")
sys.exit(bool(bad))

# SPDX-License-Identifier: MIT
