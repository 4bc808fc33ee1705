"""peer_writers.py: files of random meshes that no other program writes for peers.py: SU2, which meshio 5.0 cannot write, OpenFOAM, and
CGNS by the library of CGNS."""
import ctypes
import ctypes.util
import itertools

import numpy

from peer_meshes import blocks, faces_once

VTK = {"line": 3, "triangle": 5, "quad": 9, "tetra": 10, "hexahedron": 12, "wedge": 13, "pyramid": 14}


def write_su2(mesh, path):
    def rows_of(elements):
        return [f"{VTK[kind]} " + " ".join(map(str, nodes)) for kind, nodes in elements]

    lines = [f"NDIME= {mesh.dim}", f"NELEM= {len(mesh.cells)}", *rows_of(mesh.cells), f"NPOIN= {len(mesh.points)}",
             *(" ".join(map(repr, point[:mesh.dim])) for point in mesh.points), f"NMARK= {len(mesh.names)}"]
    for number in mesh.names:
        chosen = [(mesh.side_kind(nodes), nodes) for nodes, patch in mesh.sides if patch == number]
        lines += [f"MARKER_TAG= {number}", f"MARKER_ELEMS= {len(chosen)}", *rows_of(chosen)]
    path.write_text("\n".join(lines) + "\n")


def foam_head(kind, name, binary):
    form = 'binary; arch "LSB;label=32;scalar=64"' if binary else "ascii"
    return f"FoamFile\n{{ version 2.0; format {form}; class {kind}; object {name}; }}\n".encode()


def foam_list(values, binary, width="<i4"):
    if binary:
        return f"{len(values)}\n(".encode() + numpy.array(values, width).tobytes() + b")\n"
    word = (lambda one: "(" + " ".join(map(repr, one)) + ")") if values and isinstance(values[0], tuple) else str
    return (f"{len(values)}\n(\n" + "\n".join(map(word, values)) + "\n)\n").encode()


def write_foam(binary):
    def write(mesh, path):
        at = faces_once(mesh)
        patch = {frozenset(nodes): number for nodes, number in mesh.sides}
        inner = sorted((one for one in at.values() if len(one[1]) == 2), key=lambda one: one[1])
        groups = [(mesh.names[number], number) for number in sorted(mesh.names)] + [("others", None)]
        faces, owner, boundary = [row for row, _ in inner], [cells[0] for _, cells in inner], []
        for name, number in groups:
            chosen = [one for key, one in at.items() if len(one[1]) == 1 and patch.get(key) == number]
            boundary.append(f'"{name}" {{ type patch; nFaces {len(chosen)}; startFace {len(faces)}; }}')
            faces += [row for row, _ in chosen]
            owner += [cells[0] for _, cells in chosen]
        folder = path / "constant" / "polyMesh"
        folder.mkdir(parents=True)
        (path / "case.foam").write_text("")
        (path / "system").mkdir()
        (path / "system" / "controlDict").write_bytes(foam_head("dictionary", "controlDict", False) +
                                                      b"startTime 0; endTime 0; deltaT 1; writeInterval 1;\n")
        (folder / "points").write_bytes(foam_head("vectorField", "points", binary) + foam_list(mesh.points, binary, "<f8"))
        if binary:
            ends = list(itertools.accumulate(map(len, faces), initial=0))
            flat = foam_list(ends, True) + foam_list([node for row in faces for node in row], True)
            (folder / "faces").write_bytes(foam_head("faceCompactList", "faces", True) + flat)
        else:
            text = "\n".join(f"{len(row)}({' '.join(map(str, row))})" for row in faces)
            (folder / "faces").write_bytes(foam_head("faceList", "faces", False) + f"{len(faces)}\n(\n{text}\n)\n".encode())
        (folder / "owner").write_bytes(foam_head("labelList", "owner", binary) + foam_list(owner, binary))
        others = [cells[1] for _, cells in inner]
        (folder / "neighbour").write_bytes(foam_head("labelList", "neighbour", binary) + foam_list(others, binary))
        text = f"{len(boundary)}\n(\n" + "\n".join(boundary) + "\n)\n"
        (folder / "boundary").write_bytes(foam_head("polyBoundaryMesh", "boundary", False) + text.encode())
    return write


# Numbers of cgnslib.h.
CGNS = {"line": 3, "triangle": 5, "quad": 7, "tetra": 10, "pyramid": 12, "wedge": 14, "hexahedron": 17}
MIXED, NGON, NFACE = 20, 22, 23
WALL, FAMILY_SPECIFIED, POINT_LIST = 20, 25, 2
FACE_CENTER, EDGE_CENTER = 4, 8
ADF, HDF5 = 1, 2


class CgnsFile:
    """A file with one zone that the library of CGNS writes; its numbers have 32 bits, as in Debian's packages."""

    def __init__(self, path, kind, dim, points, cells):
        self.cgns, self.zone = ctypes.CDLL(ctypes.util.find_library("cgns")), (ctypes.c_int(), 1, 1)
        self.call("cg_set_file_type", kind)
        self.call("cg_open", str(path).encode(), 1, ctypes.byref(self.zone[0]))
        self.call("cg_base_write", self.zone[0], b"Base", dim, dim, self.out())
        self.call("cg_zone_write", self.zone[0], 1, b"Zone", self.ints([len(points), cells, 0]), 3, self.out())
        for k in range(dim):
            values = (ctypes.c_double * len(points))(*(point[k] for point in points))
            self.call("cg_coord_write", *self.zone, 4, b"Coordinate" + b"XYZ"[k:k + 1], values, self.out())
        self.next = 1

    def call(self, name, *arguments):
        if getattr(self.cgns, name)(*arguments):
            self.cgns.cg_get_error.restype = ctypes.c_char_p
            raise OSError(self.cgns.cg_get_error())

    @staticmethod
    def ints(values):
        return (ctypes.c_int * len(values))(*values)

    @staticmethod
    def out():
        return ctypes.byref(ctypes.c_int())

    def section(self, name, kind, nodes):
        flat = [node + 1 for row in nodes for node in row]
        last = self.next + len(nodes) - 1
        self.call("cg_section_write", *self.zone, name.encode(), kind, self.next, last, 0, self.ints(flat), self.out())
        self.next += len(nodes)

    def lists(self, name, kind, rows):
        """Elements of any length. Returns the number of the section."""
        number, ends = ctypes.c_int(), list(itertools.accumulate(map(len, rows), initial=0))
        self.call("cg_poly_section_write", *self.zone, name.encode(), kind, self.next, self.next + len(rows) - 1, 0,
                  self.ints([one for row in rows for one in row]), self.ints(ends), ctypes.byref(number))
        self.next += len(rows)
        return number

    def condition(self, name, where, elements, family):
        number, name = ctypes.c_int(), name.encode()
        kind = FAMILY_SPECIFIED if family else WALL
        self.call("cg_boco_write", *self.zone, name, kind, POINT_LIST, len(elements), self.ints(elements), ctypes.byref(number))
        self.call("cg_boco_gridlocation_write", *self.zone, number, where)
        if family:
            self.call("cg_family_write", self.zone[0], 1, name, self.out())
            self.call("cg_goto", self.zone[0], 1, b"Zone_t", 1, b"ZoneBC_t", 1, b"BC_t", number, b"end")
            self.call("cg_famname_write", name)


def write_cgns_file(form, kind):
    """`form`: "sections" for each type, one of all ("mixed"), "faces" with cells by them, or faces that know their cells ("parents").
    Conditions in HDF5 files belong to families, without which VTK does not show them."""
    def write(mesh, path):
        file = CgnsFile(path, kind, mesh.dim, mesh.points, len(mesh.cells))
        elements = {}  # of each patch
        if form in ("sections", "mixed"):
            if form == "mixed":
                file.lists("cells", MIXED, [[CGNS[one], *(node + 1 for node in nodes)] for one, nodes in mesh.cells])
            for name, rows_of, numbers in blocks(mesh):
                if form == "mixed" and not any(numbers):
                    continue
                for place, number in enumerate(numbers):
                    elements.setdefault(number, []).append(file.next + place)
                file.section(name, CGNS[name], rows_of)
        else:
            all_faces = list(faces_once(mesh).items())
            patch = {frozenset(nodes): number for nodes, number in mesh.sides}
            for place, (key, _) in enumerate(all_faces):
                elements.setdefault(patch.get(key, 0), []).append(place + 1)
            section = file.lists("faces", NGON, [[node + 1 for node in row] for _, (row, _) in all_faces])
            if form == "faces":
                around = [[] for _ in mesh.cells]
                for place, (_, (_, cells)) in enumerate(all_faces):
                    for turn, cell in zip((1, -1), cells):
                        around[cell].append(turn * (place + 1))
                file.lists("cells", NFACE, around)
            else:
                owners = [cells for _, (_, cells) in all_faces]
                parents = [cells[0] + 1 for cells in owners] + [cells[1] + 1 if len(cells) > 1 else 0 for cells in owners]
                file.call("cg_parent_data_write", *file.zone, section, file.ints(parents + [0] * len(parents)))
        elements.pop(0, None)
        for number, listed in elements.items():
            file.condition(mesh.names[number], EDGE_CENTER if mesh.dim == 2 else FACE_CENTER, listed, family=kind == HDF5)
        file.call("cg_close", file.zone[0])
    return write

# SPDX-License-Identifier: MIT
