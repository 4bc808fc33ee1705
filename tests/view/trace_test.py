# trace_test.py OP2_TRACE OP2_MESH OP2_LAUNCH OP2_PLOT: lines of op2_trace are what is known of a solid rotation and of a
# screw, alike on 1 and 3 processes and for VTK; pictures of them; wrong use is told. Exit code 77 where modules are missing.
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import matplotlib.image
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-h5py, python3-matplotlib)")
    sys.exit(77)
try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    vtkXMLPolyDataReader = None
try:
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import VTK_HEXAHEDRON, vtkCellArray, vtkPolyData, vtkUnstructuredGrid
    from vtkmodules.vtkFiltersFlowPaths import vtkStreamTracer
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
except ImportError:
    vtkStreamTracer = None

TRACE, MESH, LAUNCH, PLOT = sys.argv[1:5]
del sys.argv[1:5]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("op2_plot", PLOT)
op2_plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("op2_plot", loader))
loader.exec_module(op2_plot)
read_lines = op2_plot.read_lines

LEFT, OUTSIDE = 5, 6


def command(*words, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=100, check=False, **more)
    return done.returncode, done.stdout


def write_medit(path, points, kind, cells):
    rows = ["MeshVersionFormatted 2", f"Dimension {points.shape[1]}", "Vertices", str(len(points))]
    rows += [" ".join(map(repr, map(float, point))) + " 0" for point in points]
    rows += [kind, str(len(cells))] + [" ".join(str(n + 1) for n in cell) + " 0" for cell in cells.tolist()] + ["End"]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(rows) + "\n")


def add_dats(path, **velocities):
    """Dats of OP2's layout: functions of places on nodes, and with a name that ends in _c of centres on cells."""
    with h5py.File(path, "a") as file:
        nodes = file["x"][()]
        centres = nodes[file["cell_nodes"][()]].mean(axis=1)
        for name, velocity in velocities.items():
            file[name] = np.stack(velocity((centres if name.endswith("_c") else nodes).T), axis=1)


class Traced(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        n = 12
        row = np.linspace(-1, 1, n + 1)
        points = np.array([(x, y) for y in row for x in row])
        squares = np.array([[a, a + 1, a + n + 2, a + n + 1] for j in range(n) for a in range(j * (n + 1), j * (n + 1) + n)])
        write_medit(cls.path("square.mesh"), points, "Triangles", np.concatenate([squares[:, [0, 1, 2]], squares[:, [0, 2, 3]]]))
        m = 5
        row = np.linspace(-1, 1, m)
        points = np.array([(x, y, z) for z in row for y in row for x in row])
        corner = np.array([(k * m + j) * m + i for k in range(m - 1) for j in range(m - 1) for i in range(m - 1)])
        cubes = corner[:, None] + [0, 1, m + 1, m, m * m, m * m + 1, m * m + m + 1, m * m + m]
        write_medit(cls.path("box.mesh"), points, "Hexahedra", cubes)
        for name in ("square", "box"):
            code, text = command(MESH, "convert", cls.path(name + ".mesh"), cls.path(name + ".h5"))
            assert code == 0, text
        add_dats(cls.path("square.h5"), u=lambda x: [-x[1], x[0]], right_c=lambda x: [1 + 0 * x[0], 0 * x[0]],
                 wide=lambda x: [x[0], x[0], x[0]])
        add_dats(cls.path("box.h5"), u=lambda x: [-x[1], x[0], 0.25 + 0 * x[0]],
                 w=lambda x: [np.sin(2 * x[2]) + 0.5 * np.cos(x[1]), np.cos(2 * x[0]), 0.4 * np.sin(3 * x[1])])
        with h5py.File(cls.path("square.h5")) as file, h5py.File(cls.path("flow.h5"), "w") as flow:
            flow["groups/u"], flow["odd"] = file["u"][()], np.zeros((5, 2))

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def trace(self, *words, launcher=(), backend="self+seq", out="lines.vtp"):
        code, text = command(*launcher, TRACE, *words, "-o", self.path(out), f"OP2_BACKEND={backend}")
        self.assertEqual(0, code, text)
        return read_lines(self.path(out)), text

    ROTATION = ("u", "--seeds", "line:0.1,0:0.9,0:9", "--seeds", "grid:-2,0.5:0,0.5:3,1", "--step", "0.05",
                "--longest-time", "2")

    def test_a_rotation(self):
        lines, text = self.trace(self.path("square.h5"), *self.ROTATION, "--json", self.path("info.json"))
        time = lines.of_points["time"]
        seeds = np.array([(0.1 * k, 0) for k in range(1, 10)] + [(-1, 0.5), (0, 0.5)])
        begins = lines.begins()
        np.testing.assert_allclose(lines.points[begins, :2], seeds, atol=1e-15)
        begin = np.repeat(lines.points[begins], np.diff(lines.ends, prepend=0), axis=0)
        expected = np.stack([begin[:, 0] * np.cos(time) - begin[:, 1] * np.sin(time),
                             begin[:, 0] * np.sin(time) + begin[:, 1] * np.cos(time), 0 * time], axis=1)
        np.testing.assert_allclose(lines.points, expected, atol=2e-7)
        np.testing.assert_allclose(lines.of_points["speed"], np.hypot(*expected.T[:2]), atol=2e-7)
        np.testing.assert_array_equal(lines.of_lines["seed"], list(range(9)) + [10, 11])  # 9 is outside
        self.assertEqual(2.0, lines.of_lines["end_time"][0])
        self.assertIn(f"lines       11 from 12 seeds, {len(lines.points)} points", text)
        self.assertRegex(text, r"ends        .*outside[^:]*: 1\b")
        with open(self.path("info.json"), encoding="utf-8") as file:
            info = json.load(file)
        self.assertEqual((1, lines.of_lines["steps"].sum()), (info["processes"], info["steps"]))

    def test_a_screw_in_both_directions(self):
        """Values of cells' corners are mixed linearly, so that all is exact but the method."""
        lines, _ = self.trace(self.path("box.h5"), "u", "--seeds", "line:0.5,0,0:0.5,0,0:1", "--direction", "both",
                              "--method", "rk45", "--tolerance", "1e-9", "--step", "0.1", "--least-speed", "0.01")
        time = lines.of_points["time"]
        np.testing.assert_allclose(lines.points, np.stack([0.5 * np.cos(time), 0.5 * np.sin(time), 0.25 * time], 1), atol=1e-6)
        self.assertEqual([LEFT, LEFT], lines.of_lines["end"].tolist())
        np.testing.assert_allclose(lines.of_lines["end_time"], [4, -4], atol=0.3)
        np.testing.assert_allclose(np.abs(lines.points[lines.ends - 1, 2]), 1, atol=0.1)

    def test_values_of_cells_and_files_of_seeds(self):
        with open(self.path("seeds.txt"), "w", encoding="ascii") as file:
            file.write("# x y\n-0.95 0.3\n\n-0.9, -0.31  # the second\n")
        lines, _ = self.trace(self.path("square.h5"), "right_c", "--seeds", "file:" + self.path("seeds.txt"), "--unit", "cells",
                              "--step", "0.4", "--every", "0")
        self.assertEqual([2, 4], lines.ends.tolist())  # the ends only
        np.testing.assert_allclose(lines.points[[0, 2], :2], [(-0.95, 0.3), (-0.9, -0.31)])
        np.testing.assert_allclose(lines.points[[1, 3], 1], [0.3, -0.31], atol=1e-15)
        self.assertTrue((lines.points[[1, 3], 0] > 0.9).all(), lines.points)

    def test_a_mesh_of_another_format_and_a_velocity_in_another_file(self):
        first, _ = self.trace(self.path("square.h5"), *self.ROTATION)
        other, _ = self.trace(self.path("square.mesh"), "groups/u", *self.ROTATION[1:], "--data", self.path("flow.h5"),
                              out="other.vtp")
        np.testing.assert_array_equal(first.points, other.points)

    def test_as_many_nodes_as_cells(self):
        angle = np.arange(24) * 2 * np.pi / 24
        ring = np.concatenate([np.stack([r * np.cos(angle), r * np.sin(angle)], 1) for r in (1, 2)])
        a, b = np.arange(24), (np.arange(24) + 1) % 24
        write_medit(self.path("ring.mesh"), ring, "Triangles", np.concatenate([np.stack([a, a + 24, b + 24], 1),
                                                                               np.stack([a, b + 24, b], 1)]))
        code, text = command(MESH, "convert", self.path("ring.mesh"), self.path("ring.h5"))
        self.assertEqual(0, code, text)
        add_dats(self.path("ring.h5"), u=lambda x: [-x[1], x[0]], same_c=lambda x: [0 * x[0], 1 + 0 * x[0]])
        arguments = ("--seeds", "line:1.5,0:1.5,0:1", "--step", "0.05", "--longest-time", "0.2")
        code, text = command(TRACE, self.path("ring.h5"), "u", *arguments, "OP2_BACKEND=self+seq")
        self.assertEqual((2, True), (code, "say by --on nodes or --on cells" in text), text)
        lines, _ = self.trace(self.path("ring.h5"), "u", *arguments, "--on", "nodes")
        np.testing.assert_allclose(lines.points[-1], [1.5 * np.cos(0.2), 1.5 * np.sin(0.2), 0], atol=1e-7)
        lines, _ = self.trace(self.path("ring.h5"), "same_c", *arguments, "--on", "cells")
        np.testing.assert_allclose(lines.points[-1], [1.5, 0.2, 0], atol=1e-15)

    def test_processes_write_the_same_bytes(self):
        for mesh, more in (("square.h5", self.ROTATION), ("box.h5", ("u", "--seeds", "grid:-0.9,-0.9,-1:0.9,0.9,-1:4,4,1",
                                                                    "--unit", "cells", "--step", "0.5"))):
            self.trace(self.path(mesh), *more, out="one.vtp")
            for division in ("blocks", "mesh"):
                _, text = self.trace(self.path(mesh), *more, "--division", division, "--json", self.path("three.json"),
                                     out="three.vtp", launcher=(LAUNCH, "-n", "3"), backend="shm+seq")
                self.assertEqual(1, text.count("lines       "), text)
                with open(self.path("three.json"), encoding="utf-8") as file:
                    info = json.load(file)
                self.assertEqual((3, True), (info["processes"], info["handed_over"] > 0), info)
                with open(self.path("one.vtp"), "rb") as one, open(self.path("three.vtp"), "rb") as three:
                    self.assertEqual(one.read(), three.read(), (mesh, division))

    def test_vtkhdf_is_as_specified_and_the_same(self):
        """VTKHDF format specification, "Poly data": one part here."""
        words = (*self.ROTATION, "--direction", "both")
        lines, _ = self.trace(self.path("square.h5"), *words)
        for name, more in (("one", {}), ("three", {"launcher": (LAUNCH, "-n", "3"), "backend": "shm+seq"})):
            path = self.path(name + ".vtkhdf")
            code, text = command(*more.get("launcher", ()), TRACE, self.path("square.h5"), *words, "-o", path,
                                 f"OP2_BACKEND={more.get('backend', 'self+seq')}")
            self.assertEqual(0, code, text)
            with h5py.File(path) as file:
                root = file["VTKHDF"]
                self.assertEqual(([2, 0], b"PolyData"), (root.attrs["Version"].tolist(), bytes(root.attrs["Type"])))
                points, = root["NumberOfPoints"][()]
                self.assertEqual((points, 3), root["Points"].shape)
                cells = 0
                for kind in ("Vertices", "Lines", "Polygons", "Strips"):
                    its = root[kind]
                    number, = its["NumberOfCells"][()]
                    entries, = its["NumberOfConnectivityIds"][()]
                    self.assertEqual(((entries,), (number + 1,)), (its["Connectivity"].shape, its["Offsets"].shape))
                    offsets = its["Offsets"][()]
                    self.assertEqual((0, entries), (offsets[0], offsets[-1]))
                    self.assertTrue((np.diff(offsets) > 0).all())
                    self.assertEqual(kind == "Lines", number > 0)
                    cells += number
                    self.assertTrue(all(array.dtype == np.int64 for array in its.values()), kind)
                self.assertEqual(["speed", "time", "velocity"], sorted(root["PointData"]))
                self.assertEqual(["end", "end_time", "length", "seed", "steps"], sorted(root["CellData"]))
                for group, rows in (("PointData", points), ("CellData", cells)):
                    for array in root[group].values():
                        self.assertEqual(rows, len(array))
                self.assertEqual((points, 3), root["PointData/velocity"].shape)
                # The file .vtp has the same, in the same order.
                np.testing.assert_array_equal(lines.points, root["Points"][()])
                np.testing.assert_array_equal(np.arange(points), root["Lines/Connectivity"][()])
                np.testing.assert_array_equal(lines.ends, root["Lines/Offsets"][1:])
                for array in ("speed", "velocity", "time"):
                    np.testing.assert_array_equal(lines.of_points[array], root["PointData"][array][()])
                for array in ("seed", "end", "steps", "end_time", "length"):
                    np.testing.assert_array_equal(lines.of_lines[array], root["CellData"][array][()])

    def test_progress(self):
        for more in ({}, {"launcher": (LAUNCH, "-n", "3"), "backend": "shm+seq"}):
            _, text = self.trace(self.path("square.h5"), *self.ROTATION, "--progress", out="one.vtp", **more)
            said = [line for line in text.splitlines() if line.startswith("op2: ") and " lines, " in line]
            self.assertRegex(said[-1], r"^op2: (\d+) of \1 lines, 100 %$", text)
            self.assertEqual(1, sum("100 %" in line for line in said), text)
            _, text = self.trace(self.path("square.h5"), *self.ROTATION, out="one.vtp", **more)
            self.assertNotIn(" lines, ", text)

    @unittest.skipIf(vtkXMLPolyDataReader is None, "there are no modules of VTK (package python3-vtk9)")
    def test_vtk_reads_the_same(self):
        lines, _ = self.trace(self.path("square.h5"), *self.ROTATION)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(self.path("lines.vtp"))
        reader.Update()
        read = reader.GetOutput()
        self.assertEqual((len(lines.points), len(lines.ends)), (read.GetNumberOfPoints(), read.GetNumberOfLines()))
        np.testing.assert_array_equal(lines.points, vtk_to_numpy(read.GetPoints().GetData()))
        np.testing.assert_array_equal(lines.ends, vtk_to_numpy(read.GetLines().GetOffsetsArray())[1:])
        for name, values in lines.of_points.items():
            np.testing.assert_array_equal(values, vtk_to_numpy(read.GetPointData().GetArray(name)))
        for name, values in lines.of_lines.items():
            np.testing.assert_array_equal(values, vtk_to_numpy(read.GetCellData().GetArray(name)))

    @unittest.skipIf(vtkStreamTracer is None, "there are no modules of VTK (package python3-vtk9)")
    def test_vtk_draws_the_same(self):
        """The classical method in steps of equal length, through hexahedra."""
        step, longest = 0.02, 0.8
        lines, _ = self.trace(self.path("box.h5"), "w", "--seeds", "grid:-0.3,-0.3,-0.3:0.3,0.3,0.3:4,4,4", "--unit", "length",
                              "--step", str(step), "--longest-length", str(longest))
        with h5py.File(self.path("box.h5")) as file:
            nodes, cells, velocity = file["x"][()], file["cell_nodes"][()].astype(np.int64), file["w"][()]

        def points(rows):
            out = vtkPoints()
            out.SetData(numpy_to_vtk(np.ascontiguousarray(rows), deep=True))
            return out
        mesh, seeds, array = vtkUnstructuredGrid(), vtkPolyData(), vtkCellArray()
        array.SetData(8, numpy_to_vtkIdTypeArray(cells.ravel(), deep=True))
        mesh.SetPoints(points(nodes))
        mesh.SetCells(VTK_HEXAHEDRON, array)
        vectors = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
        vectors.SetName("w")
        mesh.GetPointData().SetVectors(vectors)
        seeds.SetPoints(points(lines.points[lines.begins()]))
        tracer = vtkStreamTracer()
        tracer.SetInputData(mesh)
        tracer.SetSourceData(seeds)
        tracer.SetIntegratorTypeToRungeKutta4()
        tracer.SetIntegrationDirectionToForward()
        tracer.SetIntegrationStepUnit(vtkStreamTracer.LENGTH_UNIT)
        tracer.SetInitialIntegrationStep(step)
        tracer.SetMaximumPropagation(longest)
        tracer.SetMaximumNumberOfSteps(1000)
        tracer.SetTerminalSpeed(0)
        tracer.Update()
        drawn = tracer.GetOutput()
        self.assertEqual((64, 64), (len(lines.ends), drawn.GetNumberOfLines()))
        ends = vtk_to_numpy(drawn.GetLines().GetOffsetsArray())[1:]
        theirs = vtk_to_numpy(drawn.GetPoints().GetData())[vtk_to_numpy(drawn.GetLines().GetConnectivityArray())[ends - 1]]
        # Theirs go on to the end of the step that reaches the length: how far is each from our line?
        for line, (first, last) in enumerate(zip(lines.begins(), lines.ends)):
            ours, end = lines.points[last - 1], theirs[line]
            along = ours - lines.points[last - 2]
            along /= np.linalg.norm(along)
            beside = (end - ours) - np.dot(end - ours, along) * along
            self.assertLess(abs(np.dot(end - ours, along)), step, line)
            self.assertLess(np.linalg.norm(beside), 1e-6, line)
            self.assertGreater(np.linalg.norm(ours - lines.points[first]), 0.3, line)

    def test_wrong_use_is_told(self):
        seeds = ("--seeds", "line:0,0:1,1:3")
        square, flow = self.path("square.h5"), self.path("flow.h5")
        with open(self.path("bad.txt"), "w", encoding="ascii") as file:
            file.write("1 2\n1 2 3\n")
        for code, words, arguments in (
                (2, "a mesh and the name of a velocity", (square, *seeds, "--step", "1")),
                (2, "--seeds is missing", (square, "u", "--step", "1")),
                (2, "--step is missing", (square, "u", *seeds)),
                (2, "option '--steps' is unknown", (square, "u", *seeds, "--steps", "1")),
                (2, "lacks its value", (square, "u", *seeds, "--step")),
                (2, "--step long: a number is expected", (square, "u", *seeds, "--step", "long")),
                (2, "--every -1: a whole number", (square, "u", *seeds, "--step", "1", "--every", "-1")),
                (2, "begins with line:, grid: or file:", (square, "u", "--seeds", "ring:0,0:1,1:3", "--step", "1")),
                (2, "line:POINT:POINT:N is expected", (square, "u", "--seeds", "line:0,0:3", "--step", "1")),
                (2, "'0,a' is no point", (square, "u", "--seeds", "line:0,a:1,1:3", "--step", "1")),
                (2, "'0' is no number of points", (square, "u", "--seeds", "line:0,0:1,1:0", "--step", "1")),
                (2, "as many numbers as coordinates", (square, "u", "--seeds", "grid:0,0:1,1:3", "--step", "1")),
                (2, "and those of the mesh 2", (square, "u", "--seeds", "line:0,0,0:1,1,1:3", "--step", "1")),
                (2, "name the one with the velocity by --data", (self.path("square.mesh"), "u", *seeds, "--step", "1")),
                (2, "lines are written to files .vtp", (square, "u", *seeds, "--step", "1", "-o", "lines.vtk")),
                (2, "--on faces: the mesh has 169 nodes, 288 cells", (square, "u", *seeds, "--step", "1", "--on", "faces")),
                (1, "it can be \"rk4\"", (square, "u", *seeds, "--step", "1", "--method", "euler")),
                (1, "No such file or directory", (self.path("none.h5"), "u", *seeds, "--step", "1")),
                (1, "there is no dat 'v' in '" + square, (square, "v", *seeds, "--step", "1")),
                (1, "has dim 3, but the coordinates 'x' have dim 2", (square, "wide", *seeds, "--step", "1")),
                (1, "has 5 rows, but the mesh has 169 nodes, 288 cells", (square, "odd", "--data", flow, *seeds, "--step", "1")),
                (1, "line 2 has 3 numbers instead of 2", (square, "u", "--seeds", "file:" + self.path("bad.txt"), "--step", "1")),
                (1, "cannot write '/no/such/x.vtp'", (square, "u", *seeds, "--step", "1", "-o", "/no/such/x.vtp")),
                (1, "which reaches from -1,-1 to 1,1", (square, "u", "--seeds", "line:3,3:4,4:2", "--step", "1"))):
            with self.subTest(words=words):
                got, text = command(TRACE, *arguments, cwd=self.folder.name, env=dict(os.environ, OP2_BACKEND="self+seq"))
                self.assertEqual(code, got, text)
                self.assertIn(words, text)
        got, text = command(LAUNCH, "-n", "2", TRACE, square, "v", *seeds, "--step", "1", "OP2_BACKEND=shm+seq")
        self.assertEqual((1, 1), (got, text.count("there is no dat")), text)
        self.assertEqual((0, True), (command(TRACE, "--help")[0], "usage: op2_trace" in command(TRACE, "--help")[1]))

    # ---- pictures ----

    def plot(self, *arguments):
        """Exit code, and what is printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = op2_plot.main(list(arguments))
            except SystemExit as end:
                code = end.code
        matplotlib.pyplot.close("all")
        return code, out.getvalue()

    def picture(self, *arguments):
        code, text = self.plot(*arguments, "-o", self.path("out.png"))
        self.assertEqual(0, code, text)
        return matplotlib.image.imread(self.path("out.png"))[:, :, :3]

    def near(self, picture, colour):
        """Pixels with this colour, left of the colour bar."""
        plot = picture[:, :int(0.85 * picture.shape[1])]
        return np.argwhere((np.abs(plot - np.array(colour[:3])) < 0.02).all(axis=2))

    def test_pictures_in_the_plane(self):
        colours = matplotlib.colormaps["viridis"]
        self.trace(self.path("square.h5"), "u", "--seeds", "line:0.2,0:0.8,0:2", "--step", "0.02", "--longest-time", "2")
        lines = self.path("lines.vtp")
        speed = self.picture(self.path("square.h5"), "--lines", lines)
        slow, fast = self.near(speed, colours(0.0)), self.near(speed, colours(1.0))
        self.assertGreater(len(slow), 100)
        # The faster line is four times as far from the middle.
        self.assertAlmostEqual(4, np.ptp(fast[:, 1]) / np.ptp(slow[:, 1]), delta=0.2)
        frame = self.near(speed, (0.1255, 0.1255, 0.1255))
        self.assertGreater(len(frame), 1000)  # the outline
        alone = self.picture(lines)
        self.assertGreater(np.ptp(self.near(alone, colours(1.0))[:, 0]), 1.2 * np.ptp(fast[:, 0]))
        time = self.picture(self.path("square.h5"), "--lines", lines, "--color", "time")
        first, last = self.near(time, colours(0.0)), self.near(time, colours(1.0))
        self.assertGreater(first[:, 1].min(), last[:, 1].max())  # from the right to the left
        dark = self.picture(self.path("square.h5"), "--lines", lines, "--color", "none")
        self.assertEqual((0, True), (len(self.near(dark, colours(1.0))), len(self.near(dark, (0.063, 0.227, 0.361))) > 300))
        field = self.picture(self.path("square.h5"), "right_c", "--component", "0", "--lines", lines)
        self.assertGreater(len(self.near(field, (0.1255, 0.1255, 0.1255))), 600)

    def test_pictures_in_space(self):
        self.trace(self.path("box.h5"), "u", "--seeds", "line:0.1,0,-1:0.7,0,-1:3", "--unit", "cells", "--step", "0.1")
        picture = self.picture(self.path("box.h5"), "--lines", self.path("lines.vtp"), "--color", "time")
        low, high = (self.near(picture, matplotlib.colormaps["viridis"](value)) for value in (0.02, 0.98))
        self.assertGreater(min(len(low), len(high)), 10)
        self.assertGreater(np.median(low[:, 0]), np.median(high[:, 0]) + 150)  # from the bottom to the top
        other = self.picture(self.path("box.h5"), "--lines", self.path("lines.vtp"), "--color", "time", "--view", "60,20")
        self.assertTrue((picture != other).any())

    def test_pictures_that_cannot_be(self):
        self.trace(self.path("box.h5"), "u", "--seeds", "line:0.1,0,-1:0.7,0,-1:3", "--unit", "cells", "--step", "0.1")
        lines, square = self.path("lines.vtp"), self.path("square.h5")
        with open(lines, "rb") as file, open(self.path("half.vtp"), "wb") as half:
            content = file.read()
            half.write(content[:content.index(b"<Appended") + 1000])
        with open(self.path("text.vtp"), "w", encoding="ascii") as file:
            file.write("lines\n")
        for words, arguments in (("is not whole", (self.path("half.vtp"),)),
                                 ("is no file of VTK's XML format", (self.path("text.vtp"),)),
                                 ("No such file", (square, "--lines", self.path("none.vtp"))),
                                 ("one file .vtp", (square, "--lines", lines, "--lines", lines)),
                                 ("in the plane only", (square, "right_c", "--component", "0", "--lines", lines)),
                                 ("--view needs 2 numbers", (lines, "--view", "1"))):
            with self.subTest(words=words):
                code, text = self.plot(*arguments, "-o", self.path("never.png"))
                self.assertEqual(2, code, text)
                self.assertIn(words, text)
                self.assertFalse(os.path.exists(self.path("never.png")))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: MIT
