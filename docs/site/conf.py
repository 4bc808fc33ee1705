"""conf.py: how Sphinx makes the site; docs/site.sh passes the version and the folder of Doxygen's XML."""
import re
from pathlib import Path

from sphinx.search.en import SearchEnglish

project = author = "libop2"
extensions = ["myst_parser", "breathe"]

myst_heading_anchors = 6  # anchors are those that hosts of git repositories make, and tests/docs/links.sh checks
breathe_default_project = "op2"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
suppress_warnings = ["misc.highlighting_failure"]  # pieces of code in comments need not be whole

# Pages are found by the other words of a question: "should I use chains on tetrahedra?"
SearchEnglish.stopwords |= set("i my me you your do does did can could should would how what when where which who why use has have from "
                               "than".split())
html_search_scorer = str(Path(__file__).with_name("scorer.js"))

html_theme = "furo"
html_title = "libop2"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_show_sphinx = html_show_copyright = html_copy_source = False
pygments_style = "friendly"
highlight_language = "none"


def whole_theme(app, failure):
    """Debian's build of Furo lacks dark mode by the reader's settings, and its script stops at an import. Both are mended here."""
    if failure:
        return
    static = Path(app.outdir) / "_static"
    css, js, spy = (static / name for name in ("styles/furo.css", "scripts/furo.js", "scripts/gumshoe-patched.js"))
    text = css.read_text()
    dark = re.search(r'body\[data-theme="dark"\] ({.*?})', text, flags=re.DOTALL)
    if dark and "prefers-color-scheme" not in text:
        css.write_text(text + f'@media screen and (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark[1]} }}\n')
    if js.read_text().startswith("import Gumshoe"):
        js.write_text(spy.read_text() + js.read_text().split("\n", 1)[1])


def setup(app):
    app.connect("build-finished", whole_theme)

# SPDX-License-Identifier: MIT
