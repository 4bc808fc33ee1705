"""site.py SITE: every page can be reached from the front page, every link leads to a page and to a place on it, and the search
finds what a user asks for."""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.search.en import SearchEnglish

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
english = SearchEnglish({})


def found(word):
    """The points that a word gives to pages: a word of a title or heading counts more, as in the site's search."""
    points = {}
    for kind, worth in (("terms", 5), ("titleterms", 15)):
        numbers = index[kind].get(word, [])
        points |= {index["docnames"][number]: worth for number in (numbers if isinstance(numbers, list) else [numbers])}
    return points


def liked(page, words):
    """The points of docs/site/scorer.js."""
    title = re.split(r"\W+", index["titles"][index["docnames"].index(page)].lower())
    points = sum(any(len(one) > 2 and word.startswith(one) for one in words.lower().split()) for word in title)
    if page == "docs/questions":
        return points + 6
    if re.match("docs/(architecture|walks|rooms|benchmarks)|abi|tests|src|CHANGELOG|CONTRIBUTING", page):
        return points - 12
    return points + (2 if re.match("docs/(howto|lessons)/", page) else 0)


for words, page in [("tetrahedra", "docs/chains"), ("valgrind", "docs/howto/debug_with_valgrind"), ("group", "docs/meshes"),
                    ("identity", "docs/kernel_identity"), ("op_par_loop", "include/op2/loop.h"),
                    ("op_mesh_patch_map", "bindings/fortran/op2_mesh"), ("vectorised", "docs/specialised_loops"),
                    ("SIMD", "docs/specialised_loops"), ("MPI ranks or threads", "docs/processes"), ("physical group", "docs/meshes"),
                    ("boundary patch loop", "docs/howto/forces_on_a_patch"), ("slow loop profile", "docs/howto/read_the_timing_table"),
                    ("hybrid MPI OpenMP", "docs/processes"), ("restart file", "docs/howto/restart"),
                    ("paraview output", "docs/looking_at_results"), ("race condition", "docs/howto/access_modes"), ("debug segfault", "docs/howto/debug_with_gdb")]:
    asked = [english.stem(word.lower()) for word in words.split() if word.lower() not in english.stopwords]
    points = [found(word) for word in asked]
    score = {one: max(each[one] for each in points) + liked(one, words) for one in points[0] if all(one in each for each in points)}
    if page not in score or len(words.split()) > 1 and sum(other > score[page] for other in score.values()) > 2:
        bad.append(f"the search for '{words}' does not find {page}" + " among its first pages" * (page in score))

print("\n".join(bad) or f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, all lead somewhere")
sys.exit(bool(bad))

# SPDX-License-Identifier: MIT
