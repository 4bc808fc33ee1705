# foreign.py OP2_MESH FILES ZLIB CGNS: meshes that VTK and meshio write, with polyhedra, compressed and in every form, are read as what they are.
# CGNS files of ours are what VTK finds in them.
# FILES=no: there is no driver for HDF5 files here. ZLIB=no: the library was built without zlib and says so of compressed files.
# CGNS=no: there is no plugin for CGNS files.
import itertools
import pathlib
import subprocess
import sys
import tempfile

try:
    import gzip
    import meshio
    import numpy
    import vtk
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-meshio, python3-vtk9)")
    sys.exit(77)

sys.dont_write_bytecode = True  # nothing is written beside the sources
from vtk_blocks import leaves

tool, files, unpacks, cgns = sys.argv[1:5]
failures = 0


def fail(what):
    global failures
    failures += 1
    print(what)


def ask(*arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def expect(path, *lines, convert=True, compressed=False):
    """op2_mesh info says all of these lines, also of the HDF5 file that it makes of this one."""
    if compressed and unpacks == "no":
        if "(package zlib1g-dev)" not in ask("info", path):
            fail(f"{path}: {ask('info', path)}")
        return
    paths = [path]
    if convert and files != "no":
        ask("convert", path, f"{path}.h5")
        paths.append(f"{path}.h5")
    for one in paths:
        said = ask("info", one)
        for line in lines:
            if line not in said.splitlines():
                fail(f"{one}: no line '{line}' in:\n{said}")


# ---- two cubes on each other, the lower one a polyhedron, with a patch on top and data of all kinds by VTK ------------

CUBE = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
CUBES = ["nodes       12", "cells       2", "hexahedra   1", "faces       1", "bfaces      10",
         "patch 5     patch5, 1 faces", "volume      2, of a cell 1 to 1"]


def array(kind, name, values):
    out = kind()
    out.SetName(name)
    for value in values:
        out.InsertNextValue(value)
    return out


def cubes():
    grid, points = vtk.vtkUnstructuredGrid(), vtk.vtkPoints()
    points.SetDataTypeToDouble()
    for z in range(3):
        for x, y in [(0, 0), (1, 0), (1, 1), (0, 1)]:
            points.InsertNextPoint(x, y, z)
    grid.SetPoints(points)
    stream = [len(CUBE)] + [number for face in CUBE for number in (4, *face)]
    for kind, numbers in [(vtk.VTK_POLYHEDRON, stream), (vtk.VTK_HEXAHEDRON, range(4, 12)),
                          (vtk.VTK_POLYGON, range(8, 12))]:
        ids = vtk.vtkIdList()
        for number in numbers:
            ids.InsertNextId(number)
        grid.InsertNextCell(kind, ids)
    real = array(vtk.vtkDoubleArray, "real", [0.5, 0, float("nan")])
    time = array(vtk.vtkDoubleArray, "TimeValue", [1.5])
    for one in (real, time):  # becomes METADATA in legacy files
        one.GetInformation().Set(vtk.vtkDataArray.UNITS_LABEL(), "s")
    for one in (real, array(vtk.vtkBitArray, "bits", [0, 1, 1]),
                array(vtk.vtkStringArray, "words", ["a b", "", "x" * 200]), array(vtk.vtkIntArray, "patch", [0, 0, 5])):
        grid.GetCellData().AddArray(one)
    grid.GetFieldData().AddArray(time)
    grid.GetFieldData().AddArray(array(vtk.vtkStringArray, "who", ["me and you"]))
    return grid


def check_vtk(folder):
    for version, binary in itertools.product((42, 51), (False, True)):
        writer = vtk.vtkUnstructuredGridWriter()
        writer.SetInputData(cubes())
        writer.SetFileVersion(version)
        writer.SetFileType(vtk.VTK_BINARY if binary else vtk.VTK_ASCII)
        path = folder / f"legacy_{version}_{binary}.vtk"
        writer.SetFileName(str(path))
        writer.Write()
        expect(path, *CUBES, convert=binary and version == 51)
    modes = [("ascii", False), ("binary", False), ("appended", False), ("appended", True)]
    for (mode, base64), zlib, wide, big in itertools.product(modes, (False, True), (False, True), (False, True)):
        if mode == "ascii" and (zlib or wide or big):
            continue
        writer = vtk.vtkXMLUnstructuredGridWriter()
        writer.SetInputData(cubes())
        {"ascii": writer.SetDataModeToAscii, "binary": writer.SetDataModeToBinary,
         "appended": writer.SetDataModeToAppended}[mode]()
        writer.SetEncodeAppendedData(base64)
        writer.SetCompressorTypeToZLib() if zlib else writer.SetCompressorTypeToNone()
        writer.SetHeaderTypeToUInt64() if wide else writer.SetHeaderTypeToUInt32()
        writer.SetByteOrderToBigEndian() if big else writer.SetByteOrderToLittleEndian()
        writer.SetBlockSize(32)  # several blocks
        path = folder / f"{mode}_{base64}_{zlib}_{wide}_{big}.vtu"
        writer.SetFileName(str(path))
        writer.Write()
        expect(path, *CUBES, convert=False, compressed=zlib)


# ---- a block of 27 cubes and its boundary by meshio ------------------------------------------------------------------

def block(n=3):
    def node(i, j, k):
        return i + (n + 1) * (j + (n + 1) * k)

    points = [(i, j, k) for k in range(n + 1) for j in range(n + 1) for i in range(n + 1)]
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = [[node(i + a, j + b, k + c) for a, b, c in corners]
             for k in range(n) for j in range(n) for i in range(n)]
    floor = [[node(i, j, 0), node(i, j + 1, 0), node(i + 1, j + 1, 0), node(i + 1, j, 0)]
             for j in range(n) for i in range(n)]
    return numpy.array(points, float), numpy.array(cells), numpy.array(floor)


def check_meshio(folder):
    points, cells, floor = block()
    common = ["nodes       64", "cells       27", "faces       54", "bfaces      54",
              "volume      27, of a cell 1 to 1"]
    for name, width in (("v3.meshb", "int32"), ("v4.meshb", "int64"), ("zlib.vtu", "int64"), ("binary.vtk", "int32")):
        data = {"patch": [numpy.zeros(len(cells), width), numpy.full(len(floor), 3, width)]}
        mesh = meshio.Mesh(points, [("hexahedron", cells.astype(width)), ("quad", floor.astype(width))],
                           cell_data=data, point_data={"p": points[:, 0]})
        meshio.write(folder / name, mesh)
        word = "ref3" if name.endswith("meshb") else "patch3"
        expect(folder / name, "hexahedra   27", f"patch 3     {word}, 9 faces", *common, compressed=name == "zlib.vtu")
    faces = [[cell[[*face]] for face in CUBE] for cell in cells]
    meshio.vtu.write(folder / "polyhedra.vtu", meshio.Mesh(points, [("polyhedron8", faces)]), compression=None)
    expect(folder / "polyhedra.vtu", *common)
    said = ask("check", folder / "polyhedra.vtu")
    if said != "clean\n":
        fail(f"polyhedra.vtu: {said}")


# ---- pieces: VTK's own with ghost cells, and ours read by VTK --------------------------------------------------------

def check_pieces(folder):
    """A block of cubes divided by VTK, each piece with a layer of cells of others, and what we make of it."""
    points, cells, _ = block()
    grid, places = vtk.vtkUnstructuredGrid(), vtk.vtkPoints()
    places.SetDataTypeToDouble()
    for point in points:
        places.InsertNextPoint(*point)
    grid.SetPoints(places)
    for cell in cells:
        grid.InsertNextCell(vtk.VTK_HEXAHEDRON, 8, [int(node) for node in cell])
    for global_ids in (False, True):
        pieces = []
        for first in (0, 9, 18):  # layers in z
            chosen = vtk.vtkExtractCells()
            ids = vtk.vtkIdList()
            own = range(first, first + 9)
            for number in range(max(first - 9, 0), min(first + 18, 27)):
                ids.InsertNextId(number)
            chosen.SetCellList(ids)
            chosen.SetInputData(grid)
            chosen.Update()
            piece = vtk.vtkUnstructuredGrid()
            piece.DeepCopy(chosen.GetOutput())
            listed = [ids.GetId(k) for k in range(ids.GetNumberOfIds())]
            piece.GetCellData().AddArray(array(vtk.vtkUnsignedCharArray, "vtkGhostType",
                                               [0 if number in own else 1 for number in sorted(listed)]))
            if global_ids:
                place = {tuple(point): number for number, point in enumerate(points.tolist())}
                piece.GetPointData().SetGlobalIds(array(vtk.vtkIdTypeArray, "numbers", [
                    place[piece.GetPoint(k)] for k in range(piece.GetNumberOfPoints())]))
            else:
                piece.GetPointData().Initialize()
            name = f"vtk_{global_ids}_{first}.vtu"
            writer = vtk.vtkXMLUnstructuredGridWriter()
            writer.SetInputData(piece)
            writer.SetCompressorTypeToNone()
            writer.SetFileName(str(folder / name))
            writer.Write()
            pieces.append(f'<Piece Source="{name}"/>')
        path = folder / f"vtk_{global_ids}.pvtu"
        path.write_text('<?xml version="1.0"?>\n<VTKFile type="PUnstructuredGrid" version="0.1">\n'
                        f'<PUnstructuredGrid GhostLevel="1">{"".join(pieces)}</PUnstructuredGrid>\n</VTKFile>\n')
        expect(path, "nodes       64", "cells       27", "faces       54", "bfaces      54", convert=False)
    said = ask("partition", path, folder / "ours.pvtu", "-n", "3")
    reader = vtk.vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(folder / "ours.pvtu"))
    reader.Update()
    got = reader.GetOutput()
    if not said.startswith("wrote ") or got.GetNumberOfCells() != 27 or reader.GetNumberOfPieces() != 3:
        fail(f"ours.pvtu: {said} {got.GetNumberOfCells()} cells")
    parts = got.GetCellData().GetArray("part")
    if sorted({parts.GetValue(k) for k in range(27)}) != [0, 1, 2]:
        fail("ours.pvtu: no parts 0 to 2")
    ids = got.GetPointData().GetGlobalIds()
    where = {}
    for k in range(got.GetNumberOfPoints()):
        where.setdefault(ids.GetValue(k), set()).add(got.GetPoint(k))
    if sorted(where) != list(range(64)) or any(len(one) > 1 for one in where.values()):
        fail("ours.pvtu: global numbers are not those of 64 points")
    expect(folder / "ours.pvtu", "nodes       64", "cells       27", "faces       54")


# ---- CGNS files of ours read by VTK ----------------------------------------------------------------------------------

def expect_cgns(path, cells, sides):
    """Cells of each of VTK's types in all zones, sides of each patch."""
    reader = vtk.vtkCGNSReader()
    reader.SetFileName(str(path))
    reader.SetLoadBndPatch(True)
    reader.Update()
    got_cells, got_sides = {}, {}
    for names, grid in leaves(reader.GetOutput()):
        for k in range(grid.GetNumberOfCells()):
            if "Patches" in names:
                got_sides[names[-1]] = got_sides.get(names[-1], 0) + 1
            else:
                got_cells[grid.GetCellType(k)] = got_cells.get(grid.GetCellType(k), 0) + 1
    if (got_cells, got_sides) != (cells, sides):
        fail(f"{path}: VTK finds {got_cells} and {got_sides} instead of {cells} and {sides}")


def check_cgns(folder):
    if cgns == "no":
        return
    points, cells, floor = block()
    data = {"patch": [numpy.zeros(len(cells), "int32"), numpy.full(len(floor), 3, "int32")]}
    meshio.write(folder / "block.vtu", meshio.Mesh(points, [("hexahedron", cells), ("quad", floor)], cell_data=data),
                 compression=None)
    grid = vtk.vtkUnstructuredGridWriter()
    grid.SetInputData(cubes())
    grid.SetFileName(str(folder / "cubes.vtk"))
    grid.Write()
    two_cubes = pathlib.Path(__file__).parent / "data" / "two_cubes"
    for source, kinds, sides in ((folder / "block.vtu", {vtk.VTK_HEXAHEDRON: 27}, {"patch3": 9}),
                                 (two_cubes, {vtk.VTK_POLYHEDRON: 2}, {"inlet": 1, "walls": 9})):
        for parts in (1, 2):
            path = folder / f"ours_{parts}.cgns"
            said = ask("partition", source, path, "-n", parts)
            if not said.startswith("wrote "):
                fail(said)
            expect_cgns(path, kinds, sides)
    ask("convert", folder / "cubes.vtk", folder / "cubes.cgns")  # of both kinds, which VTK refuses in one zone
    expect_cgns(folder / "cubes.cgns", {vtk.VTK_POLYHEDRON: 2}, {"patch5": 1})


# ---- compressed files of OpenFOAM ------------------------------------------------------------------------------------

def check_openfoam(folder):
    case = folder / "polyMesh"
    case.mkdir()
    source = pathlib.Path(__file__).parent / "data" / "two_cubes" / "polyMesh"
    for file in source.iterdir():
        packed = gzip.compress(file.read_bytes())
        (case / (file.name if file.name == "boundary" else file.name + ".gz")).write_bytes(
            file.read_bytes() if file.name == "boundary" else packed)
    expect(case, "cells       2", "patch 1     walls, 9 faces", compressed=True)
    (case / "faces.gz").write_bytes(gzip.compress(b"FoamFile { }")[:-3])
    if unpacks != "no" and "faces.gz: the compressed data" not in ask("info", case):
        fail(ask("info", case))


with tempfile.TemporaryDirectory() as temporary:
    for check in (check_vtk, check_meshio, check_pieces, check_cgns, check_openfoam):
        check(pathlib.Path(temporary))
print("FAILED" if failures else "all as written")
sys.exit(failures > 0)

# SPDX-License-Identifier: MIT
