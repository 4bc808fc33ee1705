"""peers.py OP2_MESH_ARRAYS OP2_MESH COUNT CGNS: is what the library reads what others read?

COUNT random meshes for each format and variant are written by Gmsh, meshio, VTK and, where they have no writer, by this script or by
op2_mesh, read by another program than the one that has written them, as far as there is one, and by the library. Cells with their faces,
points, and boundary faces with their patches must be the same three times: as made, as another program reads them, as the library does.
CGNS: yes, or no where the library has no plugin for such files.
"""
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter

try:
    import gmsh
    import meshio
    import numpy
    import vtk
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-gmsh, python3-meshio, python3-vtk9)")
    sys.exit(77)

sys.dont_write_bytecode = True  # nothing is written beside the sources
from peer_meshes import FACES, Mesh, blocks, random_mesh
from peer_writers import VTK, write_cgns_file, write_foam, write_su2
from vtk_blocks import leaves

arrays, tool, count, cgns = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
vtk.vtkObject.GlobalWarningDisplayOff()

# ---- the library ------------------------------------------------------------------------------------------------------

OURS = {"triangles": "triangle", "quadrangles": "quad", "tetrahedra": "tetra", "pyramids": "pyramid", "prisms": "wedge",
        "hexahedra": "hexahedron"}


class Refused(Exception):
    pass


def rows(values, dim):
    return [tuple(values[k:k + dim]) for k in range(0, len(values), dim)]


def ours(lines):
    """The mesh of the lines of one file, after a look at whether its faces and its cells say the same."""
    ints, names, dim, number_of_cells, points = {}, {}, 0, 0, []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "error":
            raise Refused(rest)
        if word == "x":
            values = rest.split()
            dim = int(values[0])
            points = [point + (0,) * (3 - dim) for point in rows(list(map(float, values[1:])), dim)]
        elif word == "cells":
            number_of_cells = int(rest)
        elif word == "ints":
            name, wide, *values = rest.split()
            ints[name] = rows(list(map(int, values)), int(wide))
        elif word == "patch":
            number, _, name = rest.partition(" ")
            names[int(number)] = name
    kinds, around = {}, {}
    for name, kind in OURS.items():
        for (cell,), nodes in zip(ints.get(f"{name}_cells", []), ints.get(f"{name}_nodes", [])):
            kinds[cell] = kind, nodes
    for set_name in ("face", "bface"):
        for cells, nodes in zip(ints[f"{set_name}_cells"], ints[f"{set_name}_nodes"]):
            for cell in cells:
                around.setdefault(cell, []).append(frozenset(nodes))
    for cell, (kind, nodes) in kinds.items():
        expected = sorted(sorted(nodes[k] for k in face) for face in FACES[kind])
        if sorted(sorted(face) for face in around[cell]) != expected:
            raise Refused(f"faces of cell {cell}, {kind} {nodes}: {around[cell]}")
    sides = [(tuple(dict.fromkeys(nodes)), number) for nodes, (number,) in zip(ints["bface_nodes"], ints["bface_patch"]) if number != -1]
    cells = [kinds.get(cell) or ("polyhedron", around.get(cell, [])) for cell in range(number_of_cells)]
    return Mesh(dim, points, cells, sides, names)


def read_all(listed):
    """{path: lines} of what the library reads from [(format, path)]."""
    text = "".join(f"{form} {path}\n" for form, path in listed)
    done = subprocess.run([arrays], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arrays} ended with {done.returncode}: {done.stderr}")
    out = {}
    for part in done.stdout.split("file ")[1:]:
        path, *lines = part.splitlines()
        out[path] = lines
    return out


# ---- meshio -----------------------------------------------------------------------------------------------------------

def to_meshio(mesh, label, width="int32"):
    parts = blocks(mesh)
    data = {one: [numpy.array(numbers, width) for _, _, numbers in parts] for one in label}
    points = numpy.array([point[:mesh.dim] for point in mesh.points])
    return meshio.Mesh(points, [(kind, numpy.array(nodes, width)) for kind, nodes, _ in parts], cell_data=data)


def write_meshio(form, label, width="int32", **options):
    def write(mesh, path):
        out = to_meshio(mesh, label, width)
        if form.startswith("gmsh"):
            out.points = numpy.array(mesh.points)
            out.field_data = {name: numpy.array([number, mesh.dim - 1]) for number, name in mesh.names.items()}
        meshio.write(path, out, file_format=form, **options)
    return write


def read_meshio(form, label, name):
    """`name`: a format of the name of a patch where the file has numbers only."""
    def read(mesh, path):
        got = meshio.read(path, file_format=form)
        known = {value[0]: key for key, value in got.field_data.items() if value[1] == mesh.dim - 1}
        cells, sides, names = [], [], {}
        for block, numbers in zip(got.cells, got.cell_data[label]):
            side = block.type in (("line",) if mesh.dim == 2 else ("triangle", "quad"))
            for nodes, number in zip(block.data.tolist(), numbers.tolist()):
                if not side:
                    cells.append((block.type, tuple(nodes)))
                elif number:
                    sides.append((tuple(nodes), number))
                    names[number] = known.get(number) or name.format(number)
        return Mesh(mesh.dim, [tuple(point) + (0,) * (3 - len(point)) for point in got.points.tolist()], cells, sides, names)
    return read


# ---- Gmsh -------------------------------------------------------------------------------------------------------------

TWICE = 70
GMSH = {"line": 1, "triangle": 2, "quad": 3, "tetra": 4, "hexahedron": 5, "wedge": 6, "pyramid": 7}


def write_gmsh(ending, version=0.0, binary=0):
    """Numbers of nodes have gaps; the cells belong to a group of their own."""
    def write(mesh, path):
        gmsh.model.add("mesh")
        numbers = sorted(random.Random(len(mesh.points)).sample(range(1, 3 * len(mesh.points) + 1), len(mesh.points)))
        gmsh.model.addDiscreteEntity(mesh.dim, 7)
        gmsh.model.mesh.addNodes(mesh.dim, 7, numbers, [part for point in mesh.points for part in point])
        entities = {0: (mesh.dim, 7)}
        for number, name in mesh.names.items():
            entities[number] = mesh.dim - 1, number + 100
            gmsh.model.addDiscreteEntity(*entities[number])
            gmsh.model.addPhysicalGroup(mesh.dim - 1, [number + 100], number)
            gmsh.model.setPhysicalName(mesh.dim - 1, number, name)
        if mesh.names:  # faces in two groups; compare() takes both for one
            gmsh.model.addPhysicalGroup(mesh.dim - 1, [min(mesh.names) + 100], TWICE)
            gmsh.model.setPhysicalName(mesh.dim - 1, TWICE, f"wall {TWICE}")
        gmsh.model.addPhysicalGroup(mesh.dim, [7], 90)
        gmsh.model.setPhysicalName(mesh.dim, 90, "all of it")
        for kind, nodes, patches in blocks(mesh):
            for number in set(patches):
                chosen = [numbers[node] for row, patch in zip(nodes, patches) if patch == number for node in row]
                gmsh.model.mesh.addElementsByType(entities[number][1], GMSH[kind], [], chosen)
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        gmsh.option.setNumber("Mesh.SaveElementTagType", 2)
        gmsh.write(str(path))
        gmsh.model.remove()
    write.ending = ending
    return write


def read_gmsh(mesh, path):
    gmsh.open(str(path))
    tags, x, _ = gmsh.model.mesh.getNodes()
    place = {tag: k for k, tag in enumerate(tags)}
    kinds = {number: kind for kind, number in GMSH.items()}
    cells, sides, names = [], [], {}
    for dim, tag in gmsh.model.getEntities():
        groups = gmsh.model.getPhysicalGroupsForEntity(dim, tag)
        for number, _, nodes in zip(*gmsh.model.mesh.getElements(dim, tag)):
            kind = kinds[number]
            wide = gmsh.model.mesh.getElementProperties(number)[3]
            for row in rows([place[node] for node in nodes], wide):
                if dim == mesh.dim:
                    cells.append((kind, row))
                elif len(groups):
                    sides.append((row, int(groups[0])))
                    names[int(groups[0])] = gmsh.model.getPhysicalName(dim, groups[0])
    gmsh.model.remove()
    return Mesh(mesh.dim, rows(list(x), 3), cells, sides, names)


# ---- VTK --------------------------------------------------------------------------------------------------------------

def to_vtk(mesh):
    grid, points, patches = vtk.vtkUnstructuredGrid(), vtk.vtkPoints(), vtk.vtkIntArray()
    points.SetDataTypeToDouble()
    for point in mesh.points:
        points.InsertNextPoint(*point)
    grid.SetPoints(points)
    patches.SetName("patch")
    for kind, nodes, numbers in blocks(mesh):
        for row, number in zip(nodes, numbers):
            grid.InsertNextCell(VTK[kind], len(row), row)
            patches.InsertNextValue(number)
    grid.GetCellData().AddArray(patches)
    return grid


def write_vtk(prepare, kind):
    def write(mesh, path):
        writer = kind()
        writer.SetInputData(to_vtk(mesh))
        writer.SetFileName(str(path))
        prepare(writer)
        writer.Write()
    return write


def legacy(version, binary):
    def prepare(writer):
        writer.SetFileVersion(version)
        writer.SetFileType(vtk.VTK_BINARY if binary else vtk.VTK_ASCII)
    return write_vtk(prepare, vtk.vtkUnstructuredGridWriter)


def xml(mode, base64, zlib, wide, big):
    def prepare(writer):
        getattr(writer, f"SetDataModeTo{mode}")()
        writer.SetEncodeAppendedData(base64)
        writer.SetCompressorTypeToZLib() if zlib else writer.SetCompressorTypeToNone()
        writer.SetHeaderTypeToUInt64() if wide else writer.SetHeaderTypeToUInt32()
        writer.SetByteOrderToBigEndian() if big else writer.SetByteOrderToLittleEndian()
        writer.SetBlockSize(64)
    return write_vtk(prepare, vtk.vtkXMLUnstructuredGridWriter)


def corners(cell):
    return tuple(cell.GetPointId(k) for k in range(cell.GetNumberOfPoints()))


def grid_cells(grid, dim):
    """(cells, sides as [(row, place)]) of one of VTK's grids."""
    kinds, cells, sides = {number: kind for kind, number in VTK.items()}, [], []
    for k in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(k)
        row, kind = corners(cell), kinds.get(cell.GetCellType(), "polygon")
        if cell.GetCellType() == vtk.VTK_POLYHEDRON:
            kind = "polyhedron"
            row = [corners(cell.GetFace(q)) for q in range(cell.GetNumberOfFaces())]
        (cells.append((kind, row)) if cell.GetCellDimension() == dim else sides.append((row, k)))
    return cells, sides


def read_vtk(kind):
    def read(mesh, path):
        reader = kind()
        reader.SetFileName(str(path))
        reader.Update()
        grid = reader.GetOutput()
        cells, sides = grid_cells(grid, mesh.dim)
        patches = grid.GetCellData().GetArray("patch")
        sides = [(row, int(patches.GetTuple1(k))) for row, k in sides]
        return Mesh(mesh.dim, [grid.GetPoint(k) for k in range(grid.GetNumberOfPoints())], cells, sides,
                    {number: f"patch{number}" for _, number in sides})
    return read


def joined(mesh, grids, is_side, name_of):
    """One mesh of several grids of VTK's, whose points are one where their coordinates are; as the library's, without points of no cell."""
    number, cells, sides, names = {}, [], [], {}
    for path, grid in grids:
        side = is_side(path)
        more, others = grid_cells(grid, mesh.dim)

        def at(row):
            return tuple(at(one) if isinstance(one, tuple) else number.setdefault(grid.GetPoint(one), len(number)) for one in row)

        if side:
            name = name_of(path)
            names[name] = name
            sides += [(at(row), name) for row, _ in others]
        else:
            cells += [(kind, at(row)) for kind, row in more]
    return Mesh(mesh.dim, list(number), cells, sides, names)


# ---- OpenFOAM ----------------------------------------------------------------------------------------------------------

def read_foam(mesh, path):
    reader = vtk.vtkOpenFOAMReader()
    reader.SetFileName(str(path / "case.foam"))
    reader.SkipZeroTimeOff()
    reader.UpdateInformation()
    reader.EnableAllPatchArrays()
    reader.Update()
    return joined(mesh, leaves(reader.GetOutput()), lambda names: names[-1] != "internalMesh", lambda names: names[-1])


# ---- CGNS: by the library of CGNS and by op2_mesh, read by VTK ---------------------------------------------------------

def write_cgns(mesh, path):
    between = path.with_suffix(".vtu")
    xml("Appended", False, False, True, False)(mesh, between)
    done = subprocess.run([tool, "convert", between, path], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stdout + done.stderr)


def read_cgns(mesh, path):
    reader = vtk.vtkCGNSReader()
    reader.SetFileName(str(path))
    reader.SetLoadBndPatch(True)
    reader.Update()
    return joined(mesh, leaves(reader.GetOutput()), lambda names: "Patches" in names, lambda names: names[-1])


# ---- formats and variants ---------------------------------------------------------------------------------------------

PHYSICAL = ("gmsh:physical", "gmsh:geometrical")
# name: (format of the library, ending, write, read, name of a patch by its number, or None: the name it was given)
VARIANTS = {
    "gmsh 2.2, text, by Gmsh": ("gmsh", ".msh", write_gmsh(".msh", 2.2), read_meshio("gmsh", PHYSICAL[0], ""), None),
    "gmsh 2.2, binary, by Gmsh": ("gmsh", ".msh", write_gmsh(".msh", 2.2, 1), read_meshio("gmsh", PHYSICAL[0], ""), None),
    "gmsh 4.1, text, by Gmsh": ("gmsh", ".msh", write_gmsh(".msh", 4.1), read_meshio("gmsh", PHYSICAL[0], ""), None),
    "gmsh 4.1, binary, by Gmsh": ("gmsh", ".msh", write_gmsh(".msh", 4.1, 1), read_meshio("gmsh", PHYSICAL[0], ""), None),
    "gmsh 2.2, text, by meshio": ("gmsh", ".msh", write_meshio("gmsh22", PHYSICAL, binary=False), read_gmsh, None),
    "gmsh 2.2, binary, by meshio": ("gmsh", ".msh", write_meshio("gmsh22", PHYSICAL, binary=True), read_gmsh, None),
    "medit, text, by Gmsh": ("medit", ".mesh", write_gmsh(".mesh"), read_meshio("medit", "medit:ref", "ref{}"), "ref{}"),
    "medit, text, by meshio": ("medit", ".mesh", write_meshio("medit", ("medit:ref",)), read_meshio("medit", "medit:ref", "ref{}"), "ref{}"),
    "medit, binary, by meshio": ("medit", ".meshb", write_meshio("medit", ("medit:ref",)), read_meshio("medit", "medit:ref", "ref{}"),
                                 "ref{}"),
    "medit, binary, wide, by meshio": ("medit", ".meshb", write_meshio("medit", ("medit:ref",), "int64"),
                                       read_meshio("medit", "medit:ref", "ref{}"), "ref{}"),
    "su2, by Gmsh": ("su2", ".su2", write_gmsh(".su2"), None, "wall_{}"),
    "su2": ("su2", ".su2", write_su2, read_meshio("su2", "su2:tag", "{}"), "{}"),
    "openfoam, text": ("openfoam", "", write_foam(False), read_foam, None),
    "openfoam, binary": ("openfoam", "", write_foam(True), read_foam, None),
}
for version, binary in itertools.product((42, 51), (False, True)):
    VARIANTS[f"vtk {version}, {'binary' if binary else 'text'}, by VTK"] = (
        "vtk", ".vtk", legacy(version, binary), read_vtk(vtk.vtkUnstructuredGridReader), "patch{}")
for mode, base64, zlib, wide, big in (("Ascii", 0, 0, 0, 0), ("Binary", 0, 0, 0, 0), ("Binary", 0, 1, 1, 0), ("Binary", 0, 0, 1, 1),
                                      ("Appended", 0, 0, 0, 0), ("Appended", 1, 0, 1, 0), ("Appended", 0, 1, 0, 1)):
    name = " ".join([mode.lower(), *["base64"] * base64, *["zlib"] * zlib, *["wide"] * wide, *["swapped"] * big])
    VARIANTS[f"vtu, {name}, by VTK"] = (
        "vtu", ".vtu", xml(mode, base64, zlib, wide, big), read_vtk(vtk.vtkXMLUnstructuredGridReader), "patch{}")
if cgns == "yes":
    VARIANTS["cgns, by op2_mesh"] = "cgns", ".cgns", write_cgns, read_cgns, "patch{}"
    for (kind, number), form in itertools.product((("adf", 1), ("hdf5", 2)), ("sections", "mixed", "faces", "parents")):
        # VTK reads HDF5 alone, and no faces without cells.
        read = read_cgns if kind == "hdf5" and form != "parents" else None
        VARIANTS[f"cgns, {kind}, {form}"] = "cgns", ".cgns", write_cgns_file(form, number), read, None

# What a program does not write, or not give back, though the format has it: types of cells, and points of no cell.
LEFT_OUT = {"medit, text, by Gmsh": ("wedge", "pyramid")}
WITHOUT_UNUSED = ["medit, text, by Gmsh", "su2, by Gmsh", "openfoam, text", "openfoam, binary",
                  *(name for name in VARIANTS if name.startswith(("gmsh 2.2", "cgns")))]
failures = []


def compare(title, expected, mesh, twice):
    """Adds what the mesh differs in from the content that is expected. Patch twice[0] may have the name twice[1] as well."""
    got = mesh.content()
    if twice:
        for content in (expected, got):
            content["boundary"] = Counter((face, twice[0] if patch == twice[1] else patch) for face, patch in content["boundary"].elements())
    for part in expected:
        missing, more = expected[part] - got[part], got[part] - expected[part]
        if missing or more:
            example = str([*missing, *more][0])
            failures.append(f"{title}: {part}: {sum(missing.values())} missing, {sum(more.values())} too many, one is {example:.200}")


def expected_content(mesh, form, name):
    if name:
        mesh = Mesh(mesh.dim, mesh.points, mesh.cells, mesh.sides, {number: name.format(number) for number in mesh.names})
    content = mesh.content()
    if form == "openfoam":  # has no faces without a patch
        content["boundary"] = Counter((face, patch or "others") for face, patch in content["boundary"].elements())
    return content


def check(folder):
    listed, meshes = [], {}
    for variant, (form, ending, write, read, name) in VARIANTS.items():
        for number in range(count):
            source = random.Random(f"{variant} {number}")
            # OpenFOAM has three dimensions only, and cells that faces describe are of three.
            dim = 3 if form == "openfoam" or variant.endswith(("faces", "parents")) else source.choice((2, 3))
            mesh = random_mesh(source, dim, LEFT_OUT.get(variant, ()), variant not in WITHOUT_UNUSED)
            path = folder / f"{len(meshes)}{ending}"
            write(mesh, path)
            twice = None
            if mesh.names and "by Gmsh" in variant:
                twice = (name or "wall {}").format(min(mesh.names)), (name or "wall {}").format(TWICE)
            meshes[str(path)] = f"{variant}, mesh {number}", mesh, expected_content(mesh, form, name), read, twice
            listed.append((form, path))
    lines = read_all(listed)
    for path, (title, mesh, expected, read, twice) in meshes.items():
        if read:
            compare(f"{title}, another program", expected, read(mesh, pathlib.Path(path)), twice)
        try:
            compare(f"{title}, the library", expected, ours(lines.get(path, ["error not in the output"])), twice)
        except Refused as why:
            failures.append(f"{title}, the library: {why}")


gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
with tempfile.TemporaryDirectory() as scratch:
    check(pathlib.Path(scratch))
gmsh.finalize()
print("\n".join(failures[:40]))
for variant in VARIANTS:
    if wrong := sum(failure.startswith(f"{variant}, mesh") for failure in failures):
        print(f"{variant}: {wrong} differences")
print(f"{len(failures)} differences in {count} meshes for each of {len(VARIANTS)} variants")
sys.exit(1 if failures else 0)

# SPDX-License-Identifier: MIT
