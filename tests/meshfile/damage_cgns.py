# damage_cgns.py FOLDER: copies of polyhedra.cgns, mixed.cgns, sections.cgns, parents.cgns and zones_nodes.cgns in which an array or a range is another one. Exit code 77
# where h5py is missing.
import shutil
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (package python3-h5py)")
    sys.exit(77)

folder = sys.argv[1]
ZONE = "Base/Zone/"
RINGS = 31  # together 128 nodes, as many as a face may have


def change(source, name, node, how, zone=ZONE):
    path = f"{folder}/{name}.cgns"
    shutil.copy(f"{folder}/{source}.cgns", path)
    with h5py.File(path, "r+") as file:
        group = file[zone + node]
        data = how(group[" data"][...])
        del group[" data"]
        group.create_dataset(" data", data=data)


def lowest(data):
    data[0] = numpy.iinfo(data.dtype).min
    return data


def more(data):
    return numpy.concatenate([data, numpy.full(5000, data[-1])])


def rows(data):
    return numpy.tile(data, (5000, 1))


def wide(data):
    return numpy.full((2000, 3), data.flat[0])


def ring(data):  # the last face has its nodes again and again
    return numpy.concatenate([data, numpy.tile(data[-4:], RINGS)])


change("polyhedra", "offsets", "faces/ElementStartOffset", more)
change("polyhedra", "few_offsets", "faces/ElementStartOffset", lambda data: data[:-1])
change("polyhedra", "wide_faces", "faces/ElementConnectivity", rows)
change("polyhedra", "wide_cells", "cells/ElementConnectivity", rows)
change("sections", "wide_hexa", "hexa/ElementConnectivity", rows)
change("mixed", "wide_mixed", "cells/ElementConnectivity", rows)
change("polyhedra", "wide_list", "ZoneBC/top/PointList", wide)
change("polyhedra", "wide_range", "ZoneBC/walls/PointRange", wide)
change("polyhedra", "long_range", "ZoneBC/walls/PointRange", lambda data: numpy.tile(data, (500, 1)))
LEFT, DONORS = "Base/Left/ZoneGridConnectivity/to_right/", "PointListDonor"
change("zones_nodes", "wide_connection", "PointList", lambda data: numpy.tile(data, (1, 3)), LEFT)
change("zones_nodes", "wide_donors", DONORS, lambda data: numpy.tile(data, (1, 3)), LEFT)
change("zones_nodes", "few_donors", DONORS, lambda data: data[:-1], LEFT)
change("zones_nodes", "donor_zero", DONORS, lambda data: data * 0, LEFT)
change("zones_nodes", "node_far", "PointList", lambda data: data * 0 + 2000000000, LEFT)
change("mixed", "wide_x", "GridCoordinates/CoordinateX", rows)
change("mixed", "long_x", "GridCoordinates/CoordinateX", more)
change("sections", "far", "hexa/ElementRange", lambda data: numpy.array([2000000000, 2000000007], data.dtype))
change("polyhedra", "smallest", "cells/ElementConnectivity", lowest)
change("parents", "parents_far", "faces/ParentElements", lambda data: data * 3)
change("parents", "parents_few", "faces/ParentElements", lambda data: data[:, :-1])
change("parents", "parents_none", "faces/ParentElements", lambda data: data * 0)
change("parents", "parents_below", "faces/ParentElements", lambda data: -data)
change("parents", "parents_real", "faces/ParentElements", lambda data: data)
change("parents", "parents_wide", "faces/ParentElements", lambda data: data.astype("int64"))
change("parents", "parents_alone", "faces/ParentElements", lambda data: data)
change("parents", "parents_data", "faces/ParentElements", lambda data: numpy.concatenate([data, data * 0]))
for name, kind in (("parents_real", b"R4"), ("parents_wide", b"I8")):
    with h5py.File(f"{folder}/{name}.cgns", "r+") as file:
        file[ZONE + "faces/ParentElements"].attrs.modify("type", numpy.bytes_(kind))
for name in ("parents_alone", "parents_data"):
    with h5py.File(f"{folder}/{name}.cgns", "r+") as file:
        faces = file[ZONE + "faces"]
        if "ParentElementsPosition" in faces:
            del faces["ParentElementsPosition"]
        if name == "parents_data":
            faces.move("ParentElements", "ParentData")
            faces["ParentData"].attrs.modify("name", numpy.bytes_(b"ParentData"))


# As versions before 3.4 wrote it: no offsets, and each list begins with its length.
def old_layout(source, name):
    shutil.copy(f"{folder}/{source}.cgns", f"{folder}/{name}.cgns")
    with h5py.File(f"{folder}/{name}.cgns", "r+") as file:
        file["CGNSLibraryVersion/ data"][...] = 3.3
        for section in ("faces", "cells"):
            if section not in file[ZONE]:
                continue
            node = file[ZONE + section]
            begin, items = node["ElementStartOffset/ data"][...], node["ElementConnectivity/ data"][...]
            rows = [numpy.concatenate([[end - first], items[first:end]]) for first, end in zip(begin, begin[1:])]
            del node["ElementStartOffset"]
            del node["ElementConnectivity/ data"]
            node["ElementConnectivity"].create_dataset(" data", data=numpy.concatenate(rows).astype(items.dtype))


old_layout("polyhedra", "old_polyhedra")
old_layout("parents", "old_parents")
# One face of many nodes, and a cell that names it again and again.
change("polyhedra", "many", "faces/ElementConnectivity", ring)
with h5py.File(f"{folder}/many.cgns", "r+") as file:
    file[ZONE + "faces/ElementStartOffset/ data"][-1] += 4 * RINGS
    cells = file[ZONE + "cells/ElementConnectivity"]
    data = cells[" data"][...]
    del cells[" data"]
    cells.create_dataset(" data", data=numpy.concatenate([data, numpy.full(2000, 11, data.dtype)]))
    file[ZONE + "cells/ElementStartOffset/ data"][-1] += 2000
RINGS = 32
change("polyhedra", "large", "faces/ElementConnectivity", ring)
with h5py.File(f"{folder}/large.cgns", "r+") as file:
    file[ZONE + "faces/ElementStartOffset/ data"][-1] += 4 * RINGS

# SPDX-License-Identifier: MIT
