# foreign.py OP2_MESH FILES: meshes that VTK and meshio write, with polyhedra, compressed and in every form, are read as what they are.
# FILES=no: there is no driver for HDF5 files here.
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

tool, files = sys.argv[1:3]
failures = 0


def fail(what):
    global failures
    failures += 1
    print(what)


def ask(*arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def expect(path, *lines, convert=True):
    """op2_mesh info says all of these lines, also of the HDF5 file that it makes of this one."""
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
        expect(path, *CUBES, convert=False)


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
        expect(folder / name, "hexahedra   27", f"patch 3     {word}, 9 faces", *common)
    faces = [[cell[[*face]] for face in CUBE] for cell in cells]
    meshio.write(folder / "polyhedra.vtu", meshio.Mesh(points, [("polyhedron8", faces)]))
    expect(folder / "polyhedra.vtu", *common)
    said = ask("check", folder / "polyhedra.vtu")
    if said != "clean\n":
        fail(f"polyhedra.vtu: {said}")


# ---- compressed files of OpenFOAM ------------------------------------------------------------------------------------

def check_openfoam(folder):
    case = folder / "polyMesh"
    case.mkdir()
    source = pathlib.Path(__file__).parent / "data" / "two_cubes" / "polyMesh"
    for file in source.iterdir():
        packed = gzip.compress(file.read_bytes())
        (case / (file.name if file.name == "boundary" else file.name + ".gz")).write_bytes(
            file.read_bytes() if file.name == "boundary" else packed)
    expect(case, "cells       2", "patch 1     walls, 9 faces")
    (case / "faces.gz").write_bytes(gzip.compress(b"FoamFile { }")[:-3])
    if "faces.gz: the compressed data" not in ask("info", case):
        fail(ask("info", case))


with tempfile.TemporaryDirectory() as temporary:
    for check in (check_vtk, check_meshio, check_openfoam):
        check(pathlib.Path(temporary))
print("FAILED" if failures else "all as written")
sys.exit(failures > 0)
