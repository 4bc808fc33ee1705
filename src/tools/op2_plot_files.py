# op2_plot_files.py: meshes with fields, from the files that op2_plot reads.
import json
import os
import re
import xml.etree.ElementTree as xml

import h5py
import numpy as np

# VTK's numbers of the cell types: corners, and the tetrahedra of the solid ones.
LINE, TRIANGLE, POLYGON, PIXEL, QUAD, TETRAHEDRON, HEXAHEDRON, PRISM, PYRAMID = 3, 5, 7, 8, 9, 10, 12, 13, 14
CORNERS = {LINE: 2, TRIANGLE: 3, PIXEL: 4, QUAD: 4, TETRAHEDRON: 4, HEXAHEDRON: 8, PRISM: 6, PYRAMID: 5}
# Of second order: the type of their corners, which are drawn, and how many nodes they have.
QUADRATIC = {21: (LINE, 3), 22: (TRIANGLE, 6), 23: (QUAD, 8), 24: (TETRAHEDRON, 10), 25: (HEXAHEDRON, 20), 26: (PRISM, 15),
             27: (PYRAMID, 13)}
CORNERS.update({kind: nodes for kind, (_, nodes) in QUADRATIC.items()})
SOLID = {
    TETRAHEDRON: [(0, 1, 2, 3)],
    HEXAHEDRON: [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)],
    PRISM: [(0, 1, 2, 5), (0, 1, 5, 4), (0, 4, 5, 3)],
    PYRAMID: [(0, 1, 2, 4), (0, 2, 3, 4)],
}
FLAT = {TRIANGLE, QUAD, PIXEL, POLYGON}
NAMED_TYPES = {"line": LINE, "triangle": TRIANGLE, "quad": QUAD, "pixel": PIXEL, "tetrahedron": TETRAHEDRON,
               "hexahedron": HEXAHEDRON, "prism": PRISM, "pyramid": PYRAMID}
XDMF_TYPES = {"polyline": LINE, "triangle": TRIANGLE, "quadrilateral": QUAD, "tetrahedron": TETRAHEDRON,
              "hexahedron": HEXAHEDRON, "wedge": PRISM, "pyramid": PYRAMID, "edge_3": 21, "triangle_6": 22, "tri_6": 22,
              "quadrilateral_8": 23, "quad_8": 23, "tetrahedron_10": 24, "tet_10": 24, "hexahedron_20": 25, "hex_20": 25,
              "wedge_15": 26, "pyramid_13": 27}
XDMF_CODES = {3: POLYGON, 34: 21, 36: 22, 37: 23, 38: 24, 39: 27, 40: 26, 48: 25, 2: LINE, 4: TRIANGLE, 5: QUAD, 6: TETRAHEDRON, 7: PYRAMID, 8: PRISM, 9: HEXAHEDRON}


class Trouble(Exception):
    """What the user is told in one line."""


class Mesh:
    """points[n][3]; blocks of cells (type, corners[n][k], their numbers); fields by name, rows as nodes or cells."""

    def __init__(self, points, title=""):
        points = np.asarray(points, dtype=float)
        self.points = np.zeros((len(points), 3))
        self.points[:, :points.shape[1]] = points
        self.blocks, self.node_fields, self.cell_fields, self.constants = [], {}, {}, {}
        self.cells, self.time, self.title = 0, None, title

    def add(self, kind, corners, numbers=None):
        corners = np.asarray(corners, dtype=np.int64)
        if corners.size and (corners.min() < 0 or corners.max() >= len(self.points)):
            raise Trouble(f"cells refer to node {corners.max()}, but there are {len(self.points)} nodes")
        if numbers is None:
            numbers = np.arange(self.cells, self.cells + len(corners))
        self.cells = max(self.cells, int(np.max(numbers, initial=-1)) + 1)
        kind = QUADRATIC.get(kind, (kind, 0))[0]
        corners = corners[:, :CORNERS.get(kind, corners.shape[1])]
        self.blocks.append((kind, corners, numbers))

    def add_mixed(self, types, offsets, corners):
        lengths = np.diff(offsets)
        for kind, length in np.unique(np.stack([types, lengths]), axis=1).T:
            numbers = np.flatnonzero((types == kind) & (lengths == length))
            self.add(int(kind), corners[offsets[numbers][:, None] + np.arange(length)], numbers)
        self.cells = len(types)

    def centres(self):
        out = np.zeros((self.cells, 3))
        for _, corners, numbers in self.blocks:
            out[numbers] = self.points[corners].mean(axis=1)
        return out

    def to_cells(self, values):
        out = np.zeros((self.cells,) + values.shape[1:])
        for _, corners, numbers in self.blocks:
            out[numbers] = values[corners].mean(axis=1)
        return out

    def to_nodes(self, values):
        total, count = np.zeros(len(self.points)), np.zeros(len(self.points))
        for _, corners, numbers in self.blocks:
            np.add.at(total, corners, values[numbers][:, None])
            np.add.at(count, corners, 1.0)
        return total / np.maximum(count, 1)


# ---- files ----------------------------------------------------------------------------------------------------------

def open_hdf5(path):
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise Trouble(f"cannot read '{path}' as HDF5: {error}") from None


# HDF5 reads zeros where one of them is missing.
def need_subfiles(path, item):
    for source in item.virtual_sources() if item.is_virtual else []:
        name = source.file_name.replace("%%", "%")
        if name != ".":
            open_hdf5(os.path.join(os.path.dirname(os.path.realpath(path)), name)).close()


def read_vtkhdf(path):
    with open_hdf5(path) as file:
        group = file["VTKHDF"]
        try:
            mesh = Mesh(group["Points"][()])
            mesh.add_mixed(group["Types"][()].astype(np.int64), group["Offsets"][()], group["Connectivity"][()])
            mesh.cell_fields = {name: data[()] for name, data in group.get("CellData", {}).items()}
            mesh.node_fields = {name: data[()] for name, data in group.get("PointData", {}).items()}
            time = group.get("FieldData/TimeValue")
            mesh.time = None if time is None else float(time[0])
        except KeyError as error:
            raise Trouble(f"'{path}' is no unstructured grid: {error}") from None
        return mesh


def pick_step(times, options, path):
    if not times:
        raise Trouble(f"'{path}' lists no steps")
    if options.time is not None:
        return int(np.argmin(np.abs(np.array(times, dtype=float) - options.time)))
    step = options.step if options.step >= 0 else len(times) + options.step
    if not 0 <= step < len(times):
        raise Trouble(f"there is no step {options.step}: '{path}' has {len(times)}, 0 to {len(times) - 1}")
    return step


def read_series(path, options):
    with open(path, encoding="utf-8") as file:
        steps = json.load(file)["files"]
    step = steps[pick_step([entry["time"] for entry in steps], options, path)]
    mesh = read_vtkhdf(os.path.join(os.path.dirname(path), step["name"]))
    mesh.time = step["time"]
    return mesh


def read_xdmf(path, options):
    try:
        root = xml.parse(path).getroot()
    except xml.ParseError as error:
        raise Trouble(f"'{path}' is no XDMF file: {error}") from None

    def data(item):
        item = item.find("DataItem")
        if item is None or item.get("Format") != "HDF":
            raise Trouble(f"'{path}' holds data outside of HDF5 files, which op2_plot does not read")
        name, place = item.text.strip().rsplit(":", 1)
        with open_hdf5(os.path.join(os.path.dirname(path), name)) as file:
            return file[place][()]

    grids = [grid for grid in root.iter("Grid") if grid.find("Topology") is not None]
    if not grids:
        raise Trouble(f"there is no grid in '{path}'")
    times = [float(grid.find("Time").get("Value")) if grid.find("Time") is not None else n
             for n, grid in enumerate(grids)]
    grid = grids[pick_step(times, options, path)]
    mesh = Mesh(data(grid.find("Geometry")))
    topology = grid.find("Topology")
    kind, table = topology.get("TopologyType", "").lower(), data(topology)
    if kind == "mixed":
        add_xdmf_mixed(mesh, table)
    elif kind == "polygon":
        mesh.add(POLYGON, table.reshape(-1, int(topology.get("NodesPerElement"))))
    elif kind in XDMF_TYPES:
        mesh.add(XDMF_TYPES[kind], table.reshape(-1, CORNERS[XDMF_TYPES[kind]]))
    else:
        raise Trouble(f"op2_plot does not know cells of type '{kind}'")
    for field in grid.iter("Attribute"):
        fields = mesh.cell_fields if field.get("Center") == "Cell" else mesh.node_fields
        fields[field.get("Name")] = data(field)
    mesh.time = times[grids.index(grid)] if grid.find("Time") is not None else None
    return mesh


def add_xdmf_mixed(mesh, table):
    types, starts, lengths, at = [], [], [], 0
    while at < len(table):
        code = int(table[at])
        if code not in XDMF_CODES:
            raise Trouble(f"op2_plot does not know XDMF cells with the code {code}")
        counted = code in (2, 3)  # lines and polygons say how many nodes they have
        types.append(XDMF_CODES[code])
        lengths.append(int(table[at + 1]) if counted else CORNERS[XDMF_CODES[code]])
        starts.append(at + (2 if counted else 1))
        at = starts[-1] + lengths[-1]
    types, starts, lengths = np.array(types), np.array(starts), np.array(lengths)
    for kind, length in np.unique(np.stack([types, lengths]), axis=1).T:
        numbers = np.flatnonzero((types == kind) & (lengths == length))
        mesh.add(int(kind), table[starts[numbers][:, None] + np.arange(length)], numbers)


def only_one(found, what, option):
    if len(found) == 1:
        return found[0]
    raise Trouble(f"name the {what} by {option}: " + (f"it may be {', '.join(found)}" if found else "none fits"))


# Sets of cells in files of op2_mesh; their maps are triangles_nodes and triangles_cells, and so on.
MESH_SETS = {"triangles": TRIANGLE, "quadrangles": QUAD, "tetrahedra": TETRAHEDRON, "pyramids": PYRAMID, "prisms": PRISM,
             "hexahedra": HEXAHEDRON}


def add_mesh_sets(mesh, tables):
    """Are there cells by type, and if so, adds them under their numbers among all cells."""
    for name, kind in MESH_SETS.items():
        if name + "_nodes" in tables and name + "_cells" in tables:
            mesh.add(kind, tables[name + "_nodes"][()], tables[name + "_cells"][()][:, 0])
    return bool(mesh.blocks)


def boundary_of(mesh, tables, names):
    """The faces of the named parts of the boundary, with the fields on them and those of their cells."""
    patches = tables.get("bface_patch")
    if patches is None or "bface_nodes" not in tables or "patches" not in patches.attrs:
        raise Trouble("this file names no parts of the boundary, as those of op2_mesh do; choose faces by --where")
    words = patches.attrs["patches"]
    words = words.decode() if isinstance(words, bytes) else str(words)
    known = dict(reversed(line.split(" ", 1)) for line in words.splitlines() if " " in line)
    for name in names:
        if name not in known and name not in known.values():
            raise Trouble(f"there is no boundary '{name}'; there are {', '.join(known)}")
    faces = np.isin(patches[()][:, 0], [int(known.get(name, name)) for name in names])
    out = Mesh(mesh.points)
    out.add(POLYGON, tables["bface_nodes"][()][faces])
    out.node_fields, out.constants = mesh.node_fields, mesh.constants
    if "bface_cells" in tables:
        cells = tables["bface_cells"][()][faces, 0]
        out.cell_fields = {name: values[cells] for name, values in mesh.cell_fields.items()}
    for name, item in tables.items():
        if len(item) == len(faces) and name not in ("bface_nodes", "bface_cells"):
            out.cell_fields[name] = item[()][faces, 0] if item.shape[1] == 1 else item[()][faces]
    return out


def read_op2(path, options):
    with open_hdf5(path) as file:
        arrays = {}
        file.visititems(lambda name, item: arrays.update({name: item}) if isinstance(item, h5py.Dataset) else None)
        for item in arrays.values():
            need_subfiles(path, item)
        tables = {name: item for name, item in arrays.items() if item.ndim == 2}
        for name in [options.coordinates] + [entry.split(":")[0] for entry in options.cells or []]:
            if name and name not in tables:
                raise Trouble(f"there is no array '{name}' in '{path}'; there are {', '.join(sorted(tables)) or 'none'}")
        names = [name for name, item in tables.items() if item.dtype.kind == "f" and item.shape[1] in (2, 3)]
        likely = [name for name in names if re.search(r"(^|[_/])(x|xyz|coords?|coordinates)$", name)] or names
        place = options.coordinates or only_one(likely, "coordinates of the nodes", "--coordinates")
        points = tables[place][()]
        mesh = Mesh(points)
        solid = points.shape[1] == 3
        maps = [name for name, item in tables.items() if item.dtype.kind == "i" and "cell" in name and
                item.shape[1] in ((4, 5, 6, 8) if solid else (3, 4))]
        by_length = {3: TRIANGLE, 4: TETRAHEDRON if solid else QUAD, 5: PYRAMID, 6: PRISM, 8: HEXAHEDRON, 2: LINE}
        typed = not options.cells and add_mesh_sets(mesh, tables)
        if options.boundary and not options.cells and not typed and "cells" in arrays:
            mesh.cells, entries = int(arrays["cells"][()].flat[0]), []  # of any shape; only their faces are drawn
        else:
            entries = options.cells or ([] if typed else [only_one(maps, "map from cells to nodes", "--cells")])
        for entry in entries:
            name, _, kind = entry.partition(":")
            if kind and kind not in NAMED_TYPES:
                raise Trouble(f"there is no cell type '{kind}'; there are {', '.join(NAMED_TYPES)}")
            corners = tables[name][()]
            kind = NAMED_TYPES[kind] if kind else by_length.get(corners.shape[1])
            if kind is None or CORNERS[kind] != corners.shape[1]:
                raise Trouble(f"map '{name}' has {corners.shape[1]} columns; say what its cells are: --cells {name}:TYPE")
            mesh.add(kind, corners)
        for name, item in arrays.items():
            if item.ndim == 1 and "dim" in item.attrs and item.dtype.kind in "fiu":
                mesh.constants[name] = item[()] if len(item) > 1 else item[0]
            elif item.ndim == 2 and len(item) in (mesh.cells, len(points)) and name not in (place, "cell_nodes"):
                fields = mesh.cell_fields if len(item) == mesh.cells else mesh.node_fields
                fields[name] = item[:, 0] if item.shape[1] == 1 else item[()]
        return boundary_of(mesh, tables, options.boundary) if options.boundary else mesh


def read(path, options):
    if not os.path.exists(path):
        raise Trouble(f"there is no file '{path}'")
    if options.boundary and not path.endswith((".h5", ".hdf5")):
        raise Trouble("--boundary is for files of op2_mesh; in views choose faces by --where")
    if path.endswith(".series"):
        return read_series(path, options)
    if path.endswith((".xdmf", ".xmf")):
        return read_xdmf(path, options)
    with open_hdf5(path) as file:
        drawn = "VTKHDF" in file
    return read_vtkhdf(path) if drawn else read_op2(path, options)

# SPDX-License-Identifier: MIT
