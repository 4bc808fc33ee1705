# plot_test.py OP2_PLOT: pictures have the right colours in the right places, whatever file the field comes from, and wrong
# use is told in a line. Exit code 77 where the modules are missing.
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-h5py, python3-matplotlib)")
    sys.exit(77)

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("op2_plot", sys.argv.pop(1))
op2_plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("op2_plot", loader))
loader.exec_module(op2_plot)

# Two squares side by side, and two cubes.
SQUARES = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1.0]]), np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
CUBES = (np.array([[i, j, k] for k in (0, 1.0) for j in (0, 1.0) for i in (0, 1.0, 2)]),
         np.array([[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]]))


def write_vtkhdf(path, points, cells, kind, fields):
    with h5py.File(path, "w") as file:
        group = file.create_group("VTKHDF")
        group["Points"] = np.hstack([points, np.zeros((len(points), 3 - points.shape[1]))])
        group["Connectivity"], group["Types"] = cells.ravel(), np.full(len(cells), kind, "u1")
        group["Offsets"] = np.arange(len(cells) + 1) * cells.shape[1]
        for name, values in fields.items():
            group["CellData/" + name if len(values) == len(cells) else "PointData/" + name] = values


def write_op2(path, points, cells, fields):
    with h5py.File(path, "w") as file:
        file["p_x"], file["pcell"] = points, cells.astype("i4")
        file["limit"] = np.array([0.5])
        file["limit"].attrs["dim"] = 1
        for name, values in fields.items():
            file[name] = values.reshape(len(values), -1)


def write_xdmf(path, points, cells, steps):
    def data(name, values):
        file[name] = values
        return f'<DataItem Dimensions="{" ".join(map(str, values.shape))}" Format="HDF">steps.h5:/{name}</DataItem>'
    with h5py.File(os.path.join(os.path.dirname(path), "steps.h5"), "w") as file:
        mesh = (f'<Topology TopologyType="Quadrilateral">{data("cells", cells)}</Topology>'
                f'<Geometry GeometryType="XY">{data("points", points)}</Geometry>')
        grids = [f'<Grid><Time Value="{time}"/>{mesh}<Attribute Name="p &amp; q" Center="Cell">'
                 f'{data(f"p{n}", values)}</Attribute></Grid>' for n, (time, values) in enumerate(steps)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<Xdmf><Domain><Grid GridType="Collection">{"".join(grids)}</Grid></Domain></Xdmf>')


class Pictures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        fields = {"p": np.array([0.0, 1.0]), "q": np.array([[0, 5.0], [1, 5]]), "T": SQUARES[0][:, 0]}
        write_vtkhdf(self.path("a.vtkhdf"), *SQUARES, 9, fields)
        write_op2(self.path("a.h5"), *SQUARES, fields)
        write_xdmf(self.path("a.xdmf"), *SQUARES, [(0.0, np.array([1.0, 1.0])), (0.5, np.array([0.0, 1.0]))])
        write_vtkhdf(self.path("box.vtkhdf"), *CUBES, 12, {"p": np.array([0.0, 1.0]), "T": CUBES[0][:, 0]})

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_plot(self, *arguments):
        """Exit code, and what is printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = op2_plot.main(list(arguments))
            except SystemExit as end:
                code = end.code
        matplotlib.pyplot.close("all")
        return code, out.getvalue()

    def picture(self, file, *arguments):
        code, text = self.run_plot(self.path(file), *arguments, "-o", self.path("out.png"))
        self.assertEqual(0, code, text)
        return matplotlib.image.imread(self.path("out.png"))[:, :, :3]

    def where(self, picture, value):
        """Columns of the pixels with the colour of this value, beside the colour bar."""
        colour = np.array(matplotlib.colormaps["viridis"](value)[:3])
        plot = picture[:, :int(0.885 * picture.shape[1])]
        return np.nonzero((np.abs(plot - colour) < 0.006).all(axis=2))[1]

    def expect_halves(self, picture):
        left, right = self.where(picture, 0.0), self.where(picture, 1.0)
        self.assertGreater(len(left), 20000)
        self.assertLess(abs(len(left) - len(right)), 0.02 * len(left))
        self.assertLessEqual(left.max(), right.min())

    def test_values_of_cells_have_their_colours(self):
        self.expect_halves(self.picture("a.vtkhdf", "p"))

    def test_all_formats_give_the_same_picture(self):
        first = self.picture("a.vtkhdf", "p", "--title", "t", "--expr", "p")
        self.assertTrue((first == self.picture("a.h5", "--title", "t", "--expr", "p")).all())
        self.expect_halves(self.picture("a.xdmf"))
        self.expect_halves(self.picture("a.xdmf", "p & q", "--time", "0.4"))

    def test_rows_in_subfiles(self):
        first = self.picture("a.h5", "p", "--title", "t")
        with h5py.File(self.path("a.h5"), "a") as file:
            layout = h5py.VirtualLayout(shape=file["p"].shape, dtype=file["p"].dtype)
            for row, values in enumerate(file["p"][()]):
                with h5py.File(self.path(f"a%h5.{row}"), "w") as part:
                    part["p"] = values.reshape(1, -1)
                layout[row:row + 1] = h5py.VirtualSource(f"a%%h5.{row}", "p", shape=(1, file["p"].shape[1]))
            del file["p"]
            file.create_virtual_dataset("p", layout)
        self.assertTrue((first == self.picture("a.h5", "p", "--title", "t")).all())
        os.remove(self.path("a%h5.1"))
        code, text = self.run_plot(self.path("a.h5"), "p", "-o", self.path("never.png"))
        self.assertEqual(2, code, text)
        self.assertIn("a%h5.1", text)

    def test_steps_components_and_expressions(self):
        self.expect_halves(self.picture("a.vtkhdf", "q", "--component", "0"))
        self.expect_halves(self.picture("a.vtkhdf", "--expr", "q[0] * 3 - 1", "--range", "-1,2"))
        self.expect_halves(self.picture("a.h5", "--expr", "x > limit * 2"))
        same = self.picture("a.xdmf", "--step", "0", "--range", "0,1")
        self.assertEqual(0, len(self.where(same, 0.0)))
        self.assertGreater(len(self.where(same, 1.0)), 40000)

    def test_a_window_shows_a_part(self):
        left = self.picture("a.vtkhdf", "p", "--window", "-0.5,0.9,0,1", "--range", "0,1")
        self.assertEqual(0, len(self.where(left, 1.0)))
        self.assertGreater(len(self.where(left, 0.0)), 20000)

    def test_where_chooses_cells(self):
        right = self.picture("a.vtkhdf", "p", "--where", "p > 0.5", "--range", "0,1")
        self.assertEqual((0, True), (len(self.where(right, 0.0)), len(self.where(right, 1.0)) > 20000))

    def test_a_slice_cuts_solid_cells(self):
        self.expect_halves(self.picture("box.vtkhdf", "p", "--slice", "z=0.25"))
        self.expect_halves(self.picture("box.vtkhdf", "p", "--slice", "y = 0.5"))
        node_values = self.picture("box.vtkhdf", "T", "--slice", "z=0.5")
        columns = [np.median(self.where(node_values, value)) for value in (0.1, 0.5, 0.9)]
        self.assertTrue((np.diff(columns) > 50).all(), columns)

    def test_named_boundaries(self):
        sides = np.array([[0, 1, 7, 6], [1, 2, 8, 7], [3, 4, 10, 9], [0, 3, 9, 9]])
        with h5py.File(self.path("mesh.h5"), "w") as file:
            file["x"], file["hexahedra_nodes"], file["bface_nodes"] = CUBES[0], CUBES[1], sides
            file["hexahedra_cells"], file["p"] = np.array([[1], [0]]), np.array([[1.0], [0]])
            file["bface_cells"], file["bface_patch"] = np.array([[1], [0], [1], [1]]), np.array([[7], [7], [8], [9]])
            file["bface_patch"].attrs["patches"] = np.bytes_("7 the wall\n8 inlet\n9 -\n")
        self.expect_halves(self.picture("mesh.h5", "p", "--slice", "z=0.5"))
        self.expect_halves(self.picture("mesh.h5", "p", "--boundary", "the wall", "--along", "y"))
        code, text = self.run_plot(self.path("mesh.h5"), "p", "--boundary", "outlet")
        self.assertEqual((2, True), (code, "no boundary 'outlet'; there are the wall, inlet, -" in text), text)

    def test_boundaries_of_polyhedra(self):
        """Of their cells a file has nothing but the faces; rows of those with fewer nodes repeat the last one."""
        sides = np.array([[0, 1, 7, 6, 6], [1, 2, 8, 7, 7], [3, 4, 10, 9, 9], [0, 3, 9, 9, 9]])
        with h5py.File(self.path("poly.h5"), "w") as file:
            file["x"], file["cells"], file["p"] = CUBES[0], np.array([2], "i4"), np.array([[1.0], [0]])
            file["face_cells"], file["face_nodes"] = np.array([[1, 0]]), np.array([[1, 4, 10, 7, 7]])
            file["bface_nodes"], file["bface_cells"] = sides, np.array([[1], [0], [1], [1]])
            file["bface_patch"] = np.array([[7], [7], [8], [9]])
            file["bface_patch"].attrs["patches"] = np.bytes_("7 wall\n8 inlet\n9 side\n")
        self.expect_halves(self.picture("poly.h5", "p", "--boundary", "wall", "--along", "y"))
        self.expect_halves(self.picture("poly.h5", "p", "--boundary", "wall", "--boundary", "side", "--along", "y"))
        code, text = self.run_plot(self.path("poly.h5"), "p")
        self.assertEqual(2, code, text)

    def test_smooth_and_nodes_are_between(self):
        columns = [np.median(self.where(self.picture("a.vtkhdf", "T"), value)) for value in (0.1, 0.5, 0.9)]
        self.assertTrue((np.diff(columns) > 50).all(), columns)
        self.assertGreater(len(self.where(self.picture("a.vtkhdf", "p", "--smooth"), 0.5)), 50)

    def test_lists_what_is_there(self):
        code, text = self.run_plot(self.path("box.vtkhdf"), "--list")
        self.assertEqual(0, code)
        self.assertIn("12 nodes; 2 hexahedron", text)
        self.assertIn("T: nodes, 1 component, float64, 0 to 2", text)

    def write_trace(self, name, rank, processes, clock, spans, end="]"):
        """spans: lane, name, begin and end in seconds; clock: what this process' own clock shows at the start of all."""
        lanes = ["loops", "exchanges", "streamlines", "data", "plans"]
        events = [{"name": "thread_name", "ph": "M", "pid": rank, "tid": n, "args": {"name": lane}} for n, lane in enumerate(lanes)]
        events.append({"name": "start", "ph": "i", "s": "p", "pid": rank, "tid": 0, "ts": 1e6 * clock,
                       "args": {"processes": processes, "unix_seconds": 1e9}})
        events += [{"name": what, "ph": "X", "pid": rank, "tid": lanes.index(lane), "ts": 1e6 * (clock + begin),
                    "dur": 1e6 * (finish - begin), "args": {}} for lane, what, begin, finish in spans]
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(map(json.dumps, events)) + "\n" + end)

    def test_processes_in_time(self):
        self.write_trace("t.json", 0, 2, 5, [("loops", "res", 0, 4), ("plans", "prepare res", 0, 0.5), ("exchanges", "barrier", 2, 3),
                                             ("data", "upload x", 1, 1.5), ("data", "fetch x", 4, 5)])
        self.write_trace("t.1.json", 1, 2, 70, [("streamlines", "trace", 1, 2), ("streamlines", "wait", 2, 4),
                                                ("streamlines", "messages", 4, 5), ("loops", "res", 5, 6)], end="")
        self.write_trace("t.2.json", 2, 3, 70, [("loops", "res", 0, 9)])  # of an earlier job
        self.write_trace("other.json", 0, 1, 5, [("loops", "res", 0, 4)])
        self.write_trace("other.1.json", 0, 1, 5, [("loops", "res", 0, 8)])  # another job
        colours = {kind: matplotlib.colors.to_rgb(colour) for kind, colour in
                   (("work", "tab:green"), ("communication", "tab:red"), ("data", "tab:blue"), ("waiting", "0.85"))}

        def where(picture, kind, row, low, high):
            """Begin and end of a colour in a process' row, in seconds, and how much of it there is."""
            axes = np.argwhere((picture < 0.1).all(axis=2).mean(axis=0) > 0.4)  # left and right ends
            left, right = axes.min(), axes.max()
            lines = picture[int(picture.shape[0] * (0.35 if row == 0 else 0.65))]
            hit = np.flatnonzero((np.abs(lines - np.array(colours[kind])) < 0.02).all(axis=1))
            second = low + (high - low) * (hit - left) / (right - left)
            return [round(second.min(), 1), round(second.max(), 1), round(len(hit) / (right - left) * (high - low), 1)]
        for file in ("t.json", "t.1.json"):
            picture = self.picture(file)
            self.assertEqual([[0, 4, 2.5], [2, 3, 1], [1, 5, 1.5]],
                             [where(picture, kind, 0, 0, 6) for kind in ("work", "communication", "data")])
            self.assertEqual([[1, 6, 2], [4, 5, 1], [2, 4, 2]],
                             [where(picture, kind, 1, 0, 6) for kind in ("work", "communication", "waiting")])
        code, text = self.run_plot(self.path("t.json"), "--range", "0,4", "-o", self.path("part.png"))
        self.assertEqual((0, True), (code, "2 processes, 4 s; work: 1.75 s each, the most 2.5 s, imbalance 1.43 (loops" in text), text)
        for file, seconds in (("other.json", 4), ("other.1.json", 8)):
            code, text = self.run_plot(self.path(file), "-o", self.path("part.png"))
            self.assertEqual((0, True), (code, f"1 processes, {seconds} s; work: {seconds} s each" in text), text)
        os.remove(self.path("part.png"))
        code, text = self.run_plot(self.path("t.json"), "--list", "-o", self.path("part.png"))
        self.assertEqual((0, False), (code, os.path.exists(self.path("part.png"))), text)
        self.assertEqual("process 0 of 2: work 2 spans, 4 s; waiting 0 spans, 0 s; data and files 2 spans, 1.5 s; communication 1 spans, 1 s",
                         text.splitlines()[0])
        self.assertEqual(2, len(text.splitlines()), text)

        def expect_trouble(words, file, *arguments):
            code, text = self.run_plot(self.path(file), *arguments, "-o", self.path("never.png"))
            self.assertEqual((2, True, False), (code, words in text, os.path.exists(self.path("never.png"))), text)
        for words, arguments in (("no use for --component", ["--component", "0"]), ("no use for --expr", ["--expr", "p"]),
                                 ("no use for --window", ["--window", "0,1,0,1"]), ("no use for --lines", ["--lines"]),
                                 ("no use for --step", ["--step", "0"]), ("no fields", ["p"])):
            expect_trouble(words, "t.json", *arguments)
        self.write_trace("t.0.json", 0, 2, 5, [("loops", "res", 0, 4)])
        expect_trouble("t.0.json is a second trace of process 0", "t.1.json")
        os.remove(self.path("t.0.json"))
        self.write_trace("t.1.json", 1, 3, 70, [("loops", "res", 0, 4)])
        expect_trouble("t.1.json is of a job of 3 processes", "t.json")
        os.remove(self.path("t.1.json"))
        self.write_trace("bad.json", 0, 1, 5, [])
        self.write_trace("half.json", 0, 1, 5, [("loops", "res", 0, 4)], end="{")
        for words, arguments in (("the trace of process 1 of 2 is missing", ["t.json"]), ("nothing that was done", ["bad.json"]),
                                 ("is no trace", ["half.json"]), ("No such file", ["none.json"]),
                                 ("give the smaller number first", ["other.json", "--range", "4,2"])):
            expect_trouble(words, *arguments)

    def test_wrong_use_is_told(self):
        with open(self.path("broken.xdmf"), "w", encoding="utf-8") as file:
            file.write("<Xdmf><Domain>")
        write_op2(self.path("no_cells.h5"), SQUARES[0], SQUARES[1][:, :2], {})
        for arguments, words in (
                (("none.vtkhdf",), "there is no file"),
                (("broken.xdmf",), "is no XDMF file"),
                (("a.vtkhdf", "r"), "there is no field 'r'; there are T, p, q"),
                (("a.vtkhdf", "q"), "choose one: --component 0 to 1"),
                (("a.vtkhdf", "q", "--component", "2"), "components 0 to 1"),
                (("a.vtkhdf", "--expr", "p.real"), "arithmetic, comparisons"),
                (("a.vtkhdf", "--expr", "open('x')"), "'open', which is none of"),
                (("a.vtkhdf", "--expr", "q"), "say which component"),
                (("a.vtkhdf", "--window", "0,1,2"), "--window needs 4 numbers"),
                (("a.vtkhdf", "--window", "5,6,0,1"), "the mesh reaches from 0 to 2"),
                (("a.vtkhdf", "--range", "2,1"), "the smaller number first"),
                (("a.vtkhdf", "--slice", "w=1"), "as in z=0.5"),
                (("a.vtkhdf", "--slice", "z=0"), "cuts no solid cell"),
                (("box.vtkhdf", "p"), "--slice z=0"),
                (("box.vtkhdf", "p", "--boundary", "wall"), "by --where"),
                (("a.h5", "p", "--boundary", "wall"), "names no parts of the boundary"),
                (("a.xdmf", "--step", "2"), "there is no step 2"),
                (("no_cells.h5",), "--cells: none fits"),
                (("a.h5", "--cells", "pcell:pentagon"), "no cell type 'pentagon'"),
                (("a.h5", "--coordinates", "y"), "no array 'y'")):
            with self.subTest(arguments=arguments):
                code, text = self.run_plot(self.path(arguments[0]), *arguments[1:], "-o", self.path("never.png"))
                self.assertEqual(2, code, text)
                self.assertIn(words, text)
                self.assertEqual(1, text.count("\n"), text)
                self.assertFalse(os.path.exists(self.path("never.png")))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: MIT
