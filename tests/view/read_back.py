# read_back.py FOLDER...: what view_job wrote into these folders is what VTK and meshio read, bit for bit, and the same
# in all of them. Exit code 77 where the modules are missing.
import glob
import json
import os
import sys
import xml.etree.ElementTree as xml

try:
    import h5py
    import meshio
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-h5py, python3-meshio, python3-vtk9)")
    sys.exit(77)

failures = 0


def same(what, got, expected):
    """Bit for bit, with the same type and extents."""
    global failures
    got, expected = np.ascontiguousarray(got), np.ascontiguousarray(expected)
    if got.dtype == expected.dtype and got.shape == expected.shape and got.tobytes() == expected.tobytes():
        return
    failures += 1
    print(f"FAILED: {what}: {got.dtype}{got.shape} {got.ravel()[:6]} instead of {expected.dtype}{expected.shape} "
          f"{expected.ravel()[:6]}")


# ---- what must be there ----------------------------------------------------------------------------------------------

NX, NY, LEFT = 12, 9, 7
AWKWARD = 'a<b & "c" \u00e4'


def plane(doubled=1):
    """points, quads, triangles, fields of nodes, fields of cells; doubled: how often the pressure of quads was."""
    j, i = np.divmod(np.arange((NX + 1) * (NY + 1)), NX + 1)
    points = np.stack([i / 3.0, j / 7.0, np.zeros(len(i))], axis=1)
    quads, triangles, quad_cells, triangle_cells, number = [], [], [], [], 0  # places: 5 * number modulo all cells
    for row in range(NY):
        for column in range(NX):
            a = row * (NX + 1) + column
            b, c, d = a + 1, a + NX + 2, a + NX + 1
            if column < LEFT:
                quads.append((a, b, c, d))
                quad_cells.append(number)
                number += 1
            else:
                triangles += [(a, b, c), (a, c, d)]
                triangle_cells += [number, number + 1]
                number += 2
    quads, triangles = np.array(quads), np.array(triangles)
    n, m, k = np.arange(len(points)), np.arange(len(quads)), np.arange(len(triangles))
    temperature = np.sqrt(n.astype(float)) / 3
    nodes = {"T": temperature, AWKWARD: (n[:, None] / 7.0 + np.arange(3)).astype("f4"), "number": (1 << 40) + n,
             "degree": np.bincount(quads.ravel(), minlength=len(n)).astype("i4"), "pressure": temperature}
    missing = np.full((len(k), 4), np.nan)
    count = np.zeros((len(m) + len(k), 2), "u4")
    count[len(m):] = 4000000000 + k[:, None] + np.arange(2)
    cells = {"pressure": np.concatenate([m / 3.0 * 2.0**doubled, k / 7.0]),
             "q": np.concatenate([m[:, None] + np.arange(4) / 3.0, missing]),
             "kind": np.concatenate([np.zeros(len(m)), k % 5]).astype("i4"), "count": count,
             "of_cells": (np.array(quad_cells + triangle_cells) * 5 % number)[:, None] / 3.0 + np.arange(2),  # on a set not shown
             "flag": np.concatenate([m % 2 == 0, np.zeros(len(k))]).astype("u1")}
    return points, quads, triangles, nodes, cells


def solids():
    """points, cells by VTK's type in the order of the file."""
    points = np.array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 2, 0, 0, 2, 1, 0, 2, 1, 1,
                       0.5, 0.5, 1.1], "f4")
    points = points.reshape(-1, 3)
    return points, [(12, [(0, 1, 2, 3, 4, 5, 6, 7)]), (13, [(1, 8, 5, 2, 9, 6)]), (14, [(4, 5, 6, 7, 11)]),
                    (10, [(1, 8, 5, 10)]), (3, [(0, 1), (1, 2)]), (1, [(11,)])]


# type, nodes of a cell, code in XDMF
CURVED = {"line3": (21, 3, 34), "triangle6": (22, 6, 36), "quad8": (23, 8, 37), "tetra10": (24, 10, 38),
          "hexahedron20": (25, 20, 48), "wedge15": (26, 15, 40), "pyramid13": (27, 13, 39), "polygon5": (7, 5, 3),
          "polygon7": (7, 7, 3)}


def curved_cells(name):
    kind, length, _ = CURVED[name]
    return ((kind + 3 * np.arange(2 * length)) % 40).reshape(2, length)


# ---- VTK -------------------------------------------------------------------------------------------------------------

def read_vtk(path):
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    cells = [(grid.GetCellType(c), tuple(grid.GetCell(c).GetPointId(k) for k in range(grid.GetCell(c).GetNumberOfPoints())))
             for c in range(grid.GetNumberOfCells())]

    def arrays(data):
        return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    points = vtk_to_numpy(grid.GetPoints().GetData())
    return points, cells, arrays(grid.GetPointData()), arrays(grid.GetCellData()), arrays(grid.GetFieldData())


def check_fields(what, got, expected):
    same(f"{what}, names", np.array(sorted(got)), np.array(sorted(expected)))
    for name in set(got) & set(expected):
        same(f"{what}, field '{name}'", got[name], expected[name])


def check_plane_by_vtk(path, doubled=1, time=None):
    points, cells, of_nodes, of_cells, of_file = read_vtk(path)
    expected, quads, triangles, nodes, fields = plane(doubled)
    same(f"{path}, points", points, expected)
    same(f"{path}, cells", cells == [(9, tuple(q)) for q in quads] + [(5, tuple(t)) for t in triangles], True)
    check_fields(f"{path}, nodes", of_nodes, nodes)
    check_fields(f"{path}, cells", of_cells, fields)
    check_fields(f"{path}, file", of_file, {} if time is None else {"TimeValue": np.array([time])})


def check_solids_by_vtk(path):
    points, cells, _, fields, _ = read_vtk(path)
    expected, blocks = solids()
    same(f"{path}, points", points, expected)
    same(f"{path}, cells", cells == [(kind, corners) for kind, block in blocks for corners in block], True)
    check_fields(path, fields, {"mass": np.array([kind + n / 3.0 for kind, block in blocks for n in range(len(block))])})


def check_curved_by_vtk(path):
    points, cells, _, _, _ = read_vtk(path)
    same(f"{path}, points", points, ((np.arange(40)[:, None] * [2, 3, 4]) % 11).astype(float))
    expected = [(CURVED[name][0], tuple(row)) for name in CURVED for row in curved_cells(name)]
    same(f"{path}, cells", cells == expected, True)


# ---- meshio ----------------------------------------------------------------------------------------------------------

MESHIO = {"quad": 9, "triangle": 5, "tetra": 10, "hexahedron": 12, "wedge": 13, "pyramid": 14, "line": 3, "vertex": 1}


def by_block(blocks, fields):
    """meshio has fields of cells by block."""
    ends = np.cumsum([len(block) for block in blocks])[:-1]
    return {name: np.split(values, ends) for name, values in fields.items()}


def check_meshio(what, points, blocks, of_nodes, of_cells, expected_points, expected_blocks, nodes, cells):
    same(f"{what}, points", points, expected_points)
    same(f"{what}, types", [MESHIO[block.type] for block in blocks], [kind for kind, _ in expected_blocks])
    for block, (_, corners) in zip(blocks, expected_blocks):
        same(f"{what}, cells", block.data, np.array(corners))
    check_fields(f"{what}, nodes", of_nodes, nodes)
    same(f"{what}, names", np.array(sorted(of_cells)), np.array(sorted(cells)))
    for name, parts in by_block([corners for _, corners in expected_blocks], cells).items():
        for part, expected in zip(of_cells.get(name, []), parts):
            same(f"{what}, field '{name}'", part, expected)


def check_plane_by_meshio(path):
    points, quads, triangles, nodes, cells = plane()
    mesh = meshio.read(path)
    check_meshio(path, mesh.points, mesh.cells, mesh.point_data, mesh.cell_data, points, [(9, quads), (5, triangles)],
                 nodes, cells)


def check_squares_by_meshio(path):
    points, quads, _, _, cells = plane()
    mesh = meshio.read(path)
    own = {name: cells[name][:len(quads)] for name in ("pressure", "q", "of_cells")}
    check_meshio(path, mesh.points, mesh.cells, mesh.point_data, mesh.cell_data, points, [(9, quads)], {}, own)


def check_solids_by_meshio(path):
    points, blocks = solids()
    mesh = meshio.read(path)
    mass = np.array([kind + n / 3.0 for kind, block in blocks[:4] for n in range(len(block))])
    check_meshio(path, mesh.points, mesh.cells, {}, mesh.cell_data, points, blocks[:4], {}, {"mass": mass})


def check_curved_by_meshio(folder):
    for name in CURVED:
        if name.startswith("polygon") or name in ("wedge15", "pyramid13"):  # which meshio does not read from XDMF
            topology = xml.parse(f"{folder}/{name}.xdmf").getroot().find(".//Topology")
            written = topology.get("TopologyType") + topology.get("NodesPerElement", "")
            same(f"{name}, type", written, {"wedge15": "Wedge_15", "pyramid13": "Pyramid_13"}.get(name, f"Polygon{name[-1]}"))
            continue
        blocks = meshio.read(f"{folder}/{name}.xdmf").cells
        same(f"{name}, type", [block.type for block in blocks], [name])
        same(f"{name}, cells", blocks[0].data, curved_cells(name))


def check_series_by_meshio(path, steps):
    """steps: time, and how often the pressure of quads was doubled."""
    with meshio.xdmf.TimeSeriesReader(path) as reader:
        points, blocks = reader.read_points_cells()
        same(f"{path}, steps", reader.num_steps, len(steps))
        for number, (time, doubled) in enumerate(steps):
            expected, quads, triangles, nodes, cells = plane(doubled)
            got, of_nodes, of_cells = reader.read_data(number)
            same(f"{path}, time", got, time)
            check_meshio(f"{path}, step {number}", points, blocks, of_nodes, of_cells, expected,
                         [(9, quads), (5, triangles)], nodes, cells)


def check_series_by_vtk(path, steps):
    with open(path, encoding="utf-8") as file:
        listed = json.load(file)
    same(f"{path}, version", listed["file-series-version"] == "1.0", True)
    same(f"{path}, times", [entry["time"] for entry in listed["files"]], [time for time, _ in steps])
    for entry, (time, doubled) in zip(listed["files"], steps):
        check_plane_by_vtk(os.path.join(os.path.dirname(path), entry["name"]), doubled, time)


# ---- the mixture with lines and points, which meshio does not read, and files of several folders --------------------

def topology_of(path):
    item = xml.parse(path).getroot().find(".//Topology/DataItem")
    name, place = item.text.split(":")
    with h5py.File(os.path.join(os.path.dirname(path), name), "r") as file:
        return file[place][()]


def check_curved_codes(path):
    expected = [number for name, (kind, length, code) in CURVED.items() for row in curved_cells(name)
                for number in ([code, length] if kind == 7 else [code]) + list(row)]
    same(f"{path}, topology", topology_of(path), np.array(expected))


def check_mixed_codes(path):
    table = topology_of(path)
    codes = {12: [9], 13: [8], 14: [7], 10: [6], 3: [2, 2], 1: [1, 1]}
    expected = [number for kind, block in solids()[1] for corners in block for number in codes[kind] + list(corners)]
    same(f"{path}, topology", table, np.array(expected))


def contents(path):
    if not path.endswith((".h5", ".vtkhdf")):
        with open(path, "rb") as file:
            return {"": file.read()}
    out = {}
    with h5py.File(path, "r") as file:
        def add(name, item):
            value = item[()] if isinstance(item, h5py.Dataset) else np.array([])
            attributes = {key: np.array(item.attrs[key]).tobytes() for key in item.attrs}
            out[name] = (str(value.dtype), value.shape, value.tobytes(), tuple(sorted(attributes.items())))
        file.visititems(add)
    return out


def check_same_files(one, other):
    names = [sorted(os.listdir(folder)) for folder in (one, other)]
    same(f"files of {one} and {other}", names[0] == names[1], True)
    for name in set(names[0]) & set(names[1]):
        same(f"{name} of {one} and {other}", contents(os.path.join(one, name)) == contents(os.path.join(other, name)), True)


def main(folders):
    for folder in folders:
        again = folder.endswith("again")
        steps = [(0.0, 1), (0.1, 2), (0.2, 1), (0.3, 2)] if again else [(0.0, 1), (0.1, 2), (0.2, 3)]
        check_series_by_meshio(f"{folder}/steps.xdmf", steps)
        check_series_by_vtk(f"{folder}/steps.vtkhdf.series", steps)
        if again:
            continue
        check_plane_by_vtk(f"{folder}/plane.vtkhdf")
        check_solids_by_vtk(f"{folder}/solids.vtkhdf")
        check_plane_by_meshio(f"{folder}/plane.xdmf")
        check_squares_by_meshio(f"{folder}/squares.xdmf")
        check_solids_by_meshio(f"{folder}/solids.xdmf")
        check_mixed_codes(f"{folder}/all.xdmf")
        check_curved_by_vtk(f"{folder}/curved.vtkhdf")
        check_curved_by_meshio(folder)
        check_curved_codes(f"{folder}/curved.xdmf")
        same("unfinished files", glob.glob(f"{folder}/*unfinished*") == [], True)
        check_same_files(folders[0], folder)
    print("FAILED" if failures else "read back by VTK and meshio: all as written")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: MIT
