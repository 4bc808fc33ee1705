# op2_plot_lines.py: lines of particles, from the files .vtp of op_write_lines() and op2_trace, and their pictures.
import re
import xml.etree.ElementTree as xml

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.art3d import Line3DCollection
from op2_plot_files import FLAT, HEXAHEDRON, PIXEL, PRISM, PYRAMID, TETRAHEDRON, Trouble

TYPES = {"Float64": "f8", "Float32": "f4", "Int64": "i8", "Int32": "i4", "UInt8": "u1", "UInt64": "u8", "UInt32": "u4"}
MOST_SEGMENTS = 400000  # in a picture; of more, every second, third ... point is drawn
SIDES = {
    TETRAHEDRON: [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)],
    PYRAMID: [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
    PRISM: [(0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
    HEXAHEDRON: [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
}


# ---- files ----------------------------------------------------------------------------------------------------------

class Lines:
    """points[n][3]; ends[lines]: where the points of each line end; fields of points and of lines by name."""

    def __init__(self, points, ends, of_points, of_lines):
        self.points, self.ends, self.of_points, self.of_lines = points, ends, of_points, of_lines
        self.solid = bool(len(points)) and bool((points[:, 2] != 0).any())

    def begins(self):
        return np.concatenate([[0], self.ends[:-1]]) if len(self.ends) else self.ends

    def thinned(self):
        """Numbers of the points to draw, and which of the pairs of them that follow each other are of one line."""
        stride = 1 + len(self.points) // MOST_SEGMENTS
        line = np.repeat(np.arange(len(self.ends)), np.diff(self.ends, prepend=0))
        number = np.arange(len(self.points))
        kept = (number - self.begins()[line]) % stride == 0
        kept[self.ends[self.ends > self.begins()] - 1] = True
        number = number[kept]
        return number, line[number][1:] == line[number][:-1]

    def segments(self, name):
        """Pieces [n][2][3], and their values of a field of points, or None."""
        number, joined = self.thinned()
        pieces = np.stack([self.points[number[:-1]], self.points[number[1:]]], axis=1)[joined]
        if name is None:
            return pieces, None
        values = self.of_points[name][number]
        return pieces, ((values[:-1] + values[1:]) / 2)[joined]


def read_lines(path):
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise Trouble(f"cannot read '{path}': {error.strerror}") from None
    begin = re.search(rb'<AppendedData encoding="raw">\s*_', content)
    head = content[:begin.start()] + b"</VTKFile>" if begin else content
    try:
        root = xml.fromstring(head)
    except xml.ParseError as error:
        raise Trouble(f"'{path}' is no file of VTK's XML format: {error}") from None
    piece = root.find("PolyData/Piece")
    if piece is None or begin is None or root.get("compressor") or root.get("header_type") not in ("UInt64", "UInt32"):
        raise Trouble(f"'{path}' is no file of lines as op_write_lines() and op2_trace write it (PolyData, raw, appended)")
    order = "<" if root.get("byte_order") == "LittleEndian" else ">"
    prefix = np.dtype(order + TYPES[root.get("header_type")])

    def array(item):
        if item.get("format") != "appended" or item.get("type") not in TYPES:
            raise Trouble(f"'{path}': array '{item.get('Name')}' is not raw and appended")
        at, kind = begin.end() + int(item.get("offset")), np.dtype(order + TYPES[item.get("type")])
        length = int(np.frombuffer(content[at:at + prefix.itemsize].ljust(prefix.itemsize, b"\0"), prefix)[0])
        data = content[at + prefix.itemsize:at + prefix.itemsize + length]
        if len(data) < length or length % kind.itemsize:
            raise Trouble(f"'{path}' is not whole: array '{item.get('Name')}' has {len(data)} of {length} bytes")
        values = np.frombuffer(data, kind)
        columns = int(item.get("NumberOfComponents", 1))
        return values.reshape(-1, columns) if columns > 1 else values

    def fields(tag):
        return {item.get("Name"): array(item) for item in piece.iterfind(tag + "/DataArray")}

    shape = fields("Lines")
    points = array(piece.find("Points/DataArray"))
    nodes, ends = shape["connectivity"], shape["offsets"]
    if len(nodes) and (nodes.min() < 0 or nodes.max() >= len(points)) or (np.diff(ends, prepend=0) < 0).any() or (
            len(ends) and ends[-1] != len(nodes)):
        raise Trouble(f"'{path}': its lines refer to points that it does not have")
    of_points = {name: values[nodes] for name, values in fields("PointData").items() if len(values) == len(points)}
    return Lines(points[nodes].astype(float), ends.astype(np.int64), of_points, fields("CellData"))


def values_of(lines, name, path):
    """The name of the field of points that lines are coloured by, or None."""
    if name == "none":
        return None
    if name not in lines.of_points:
        raise Trouble(f"'{path}' has no '{name}' at its points; there are {', '.join(sorted(lines.of_points)) or 'none'}")
    return name


# ---- what is around the lines ---------------------------------------------------------------------------------------

def surface_of(mesh):
    """Triangles of the boundary of solid cells, and of all flat ones, as numbers of nodes."""
    rings = {}
    for kind, corners, _ in mesh.blocks:
        for side in SIDES.get(kind, []):
            rings.setdefault(len(side), []).append(corners[:, side])
    out = []
    for parts in rings.values():
        ring = np.concatenate(parts)
        keys = np.sort(ring, axis=1)
        order = np.lexsort(keys.T)
        new = np.append(True, (np.diff(keys[order], axis=0) != 0).any(axis=1))
        group = np.cumsum(new) - 1
        ring = ring[order[np.bincount(group)[group] == 1]]
        out += [ring[:, [0, k, k + 1]] for k in range(1, ring.shape[1] - 1)]
    for kind, corners, _ in mesh.blocks:
        if kind in FLAT:
            corners = corners[:, [0, 1, 3, 2]] if kind == PIXEL else corners
            out += [corners[:, [0, k, k + 1]] for k in range(1, corners.shape[1] - 1)]
    return np.concatenate(out) if out else np.zeros((0, 3), dtype=np.int64)


def sharp_edges(mesh, degrees=30.0):
    """Where two triangles of the surface meet at an angle, or one of them ends: what one draws of a body with a pen."""
    three = surface_of(mesh)
    normal = np.cross(mesh.points[three[:, 1]] - mesh.points[three[:, 0]], mesh.points[three[:, 2]] - mesh.points[three[:, 0]])
    length = np.linalg.norm(normal, axis=1)
    three, normal = three[length > 0], normal[length > 0] / length[length > 0][:, None]
    if not len(three):
        return np.zeros((0, 2, 3))
    edges = np.sort(np.concatenate([three[:, [0, 1]], three[:, [1, 2]], three[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(three)), 3)
    order = np.lexsort(edges.T)
    edges, owner = edges[order], owner[order]
    new = np.flatnonzero(np.append(True, (np.diff(edges, axis=0) != 0).any(axis=1)))
    count = np.diff(np.append(new, len(edges)))
    first, second = owner[new], owner[np.minimum(new + 1, len(edges) - 1)]
    # Triangles may be turned either way round.
    flat = np.abs((normal[first] * normal[second]).sum(axis=1)) > np.cos(np.radians(degrees))
    return mesh.points[edges[new[(count != 2) | ~flat]]]


def box_edges(low, high):
    corners = np.array([[(low, high)[n >> k & 1][k] for k in range(3)] for n in range(8)])
    return corners[[(n, n | 1 << k) for k in range(3) for n in range(8) if not n >> k & 1]]


# ---- pictures -------------------------------------------------------------------------------------------------------

def add_flat(plot, pieces, values, colours, norm, colour="#103a5c"):
    """Lines in the plane; what a colour bar belongs to."""
    drawn = LineCollection(pieces[:, :, :2], linewidths=1.1, capstyle="round", zorder=3)
    if values is None:
        drawn.set_color(colour)
    else:
        drawn.set(cmap=colours, norm=norm)
        drawn.set_array(values)
    plot.add_collection(drawn, autolim=False)
    return drawn


def add_solid(figure, pieces, values, edges, colours, norm, view):
    """Lines in space, with edges around them; the axes, and what a colour bar belongs to."""
    plot = figure.add_subplot(projection="3d", computed_zorder=False)
    drawn = Line3DCollection(pieces, linewidths=1.1, capstyle="round", zorder=2)
    if values is None:
        drawn.set_color("#103a5c")
    else:
        drawn.set(cmap=colours, norm=norm)
        drawn.set_array(values)
    everything = np.concatenate([pieces.reshape(-1, 3), edges.reshape(-1, 3)])
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = np.maximum(high - low, max((high - low).max(), 1e-300) * 1e-3)
    if not len(edges):
        edges = box_edges(low, high)
    plot.add_collection3d(Line3DCollection(edges, colors="#606060", linewidths=0.6, alpha=0.7, zorder=1))
    plot.add_collection3d(drawn)
    middle = (low + high) / 2
    plot.set(xlim=(middle[0] - size[0] / 2, middle[0] + size[0] / 2), xlabel="x",
             ylim=(middle[1] - size[1] / 2, middle[1] + size[1] / 2), ylabel="y",
             zlim=(middle[2] - size[2] / 2, middle[2] + size[2] / 2), zlabel="z")
    plot.set_box_aspect(size, zoom=0.95)
    plot.view_init(*view)
    for axis, share in zip((plot.xaxis, plot.yaxis, plot.zaxis), size / size.max()):
        axis.set_pane_color((0.97, 0.97, 0.97, 1.0))
        axis.set_major_locator(MaxNLocator(max(2, round(5 * share))))
        axis._axinfo["grid"].update(color="#e2e2e2", linewidth=0.6)
    return plot, drawn

# SPDX-License-Identifier: MIT
