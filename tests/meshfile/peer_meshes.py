"""peer_meshes.py: random small meshes for peers.py, and what two programs must agree on."""
import collections

# Corners of the faces of each type of cell, in VTK's order of corners, out of the cell.
FACES = {
    "triangle": [(0, 1), (1, 2), (2, 0)],
    "quad": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "tetra": [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)],
    "pyramid": [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
    "wedge": [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
    "hexahedron": [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
}
SIDES = {2: "line", 3: "triangle", 4: "quad"}


# Types by the numbers of their faces and of those with four corners.
BY_FACES = {(4, 0): "tetra", (5, 1): "pyramid", (5, 3): "wedge", (6, 6): "hexahedron"}


def faces(kind, nodes):
    """Of a polyhedron `nodes` are the faces themselves."""
    return nodes if kind == "polyhedron" else [tuple(nodes[k] for k in face) for face in FACES[kind]]


class Mesh:
    """points: [(x, y, z)]; cells: [(type, nodes)]; sides: [(nodes, number of a patch)]; names: {number: name}."""

    def __init__(self, dim, points, cells, sides=(), names=None):
        self.dim, self.points, self.cells, self.sides, self.names = dim, points, cells, list(sides), names or {}

    def side_kind(self, nodes):
        return "line" if self.dim == 2 else SIDES[len(nodes)]

    def content(self):
        """What does not depend on numbers and orders: points, cells with their faces, and boundary faces with their patch or None."""
        at = [tuple(map(float, point)) for point in self.points]
        owners, cells = collections.Counter(), collections.Counter()
        for kind, nodes in self.cells:
            around = frozenset(frozenset(at[node] for node in face) for face in faces(kind, nodes))
            if kind == "polyhedron":
                kind = BY_FACES.get((len(around), sum(len(face) == 4 for face in around)), kind)
            cells[kind, around] += 1
            owners.update(around)
        patch = {frozenset(at[node] for node in nodes): self.names[number] for nodes, number in self.sides}
        boundary = collections.Counter((face, patch.get(face)) for face, count in owners.items() if count == 1)
        return {"points": collections.Counter(at), "cells": cells, "boundary": boundary}


def flat_cells(random, node, nx, ny):
    cells = []
    for j in range(ny):
        for i in range(nx):
            a, b, c, d = node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)
            cells += random.choice([[("quad", (a, b, c, d))], [("triangle", (a, b, c)), ("triangle", (a, c, d))],
                                    [("triangle", (a, b, d)), ("triangle", (b, c, d))]])
    return cells


KUHN = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]


def solid_cells(random, node, centre, n):
    """Blocks of tetrahedra, or of columns of hexahedra and prisms, some of the hexahedra made of pyramids around a point."""
    only_tetrahedra, cells = random.random() < 0.25, []
    for i in range(n[0]):
        for j in range(n[1]):
            column = random.choice(["hexahedra", "prisms", "others"])
            for k in range(n[2]):
                box = [node(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                if only_tetrahedra:
                    cells += [("tetra", tuple(box[q] for q in one)) for one in KUHN]
                elif column == "prisms":
                    cells += [("wedge", tuple(box[q] for q in one)) for one in ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))]
                elif column == "others" and random.random() < 0.6:
                    top = centre(i, j, k)
                    cells += [("pyramid", (*reversed(face), top)) for face in faces("hexahedron", box)]
                else:
                    cells.append(("hexahedron", tuple(box)))
    return cells


def random_mesh(random, dim, left_out=(), unused=True):
    """A mesh without cells of the types left_out; some have points of no cell, if `unused`, and sides between two cells."""
    while True:
        mesh = any_mesh(random, dim, unused)
        if not any(kind in left_out for kind, _ in mesh.cells):
            return mesh


def any_mesh(random, dim, unused):
    n = [random.randint(1, 3) for _ in range(dim)]
    points = {}

    def place(*at):  # whole numbers of sixteenths: the same in text and in four bytes
        if at not in points:
            points[at] = len(points), tuple(16 * part + random.randint(-3, 3) for part in at) + (0,) * (3 - dim)
        return points[at][0]

    if dim == 2:
        cells = flat_cells(random, place, *n)
    else:
        cells = solid_cells(random, place, lambda i, j, k: place(i + 0.5, j + 0.5, k + 0.5), n)
    cells = [cell for cell in cells if random.random() < 0.95] or cells
    owners = collections.Counter(frozenset(face) for kind, nodes in cells for face in faces(kind, nodes))
    # A pyramid whose base belongs to no other cell may as well be two tetrahedra.
    split = []
    for kind, nodes in cells:
        if kind == "pyramid" and owners[frozenset(nodes[:4])] == 1 and random.random() < 0.4:
            a, b, c, d, top = nodes
            split += [("tetra", (a, b, c, top)), ("tetra", (a, c, d, top))]
        else:
            split.append((kind, nodes))
    cells = split
    owners = collections.Counter(frozenset(face) for kind, nodes in cells for face in faces(kind, nodes))
    numbers = random.sample(range(1, 60), random.randint(1, 4))
    sides = []
    for kind, nodes in cells:
        for face in faces(kind, nodes):
            if random.random() < (0.8 if owners[frozenset(face)] == 1 else 0.03):
                turn = random.randrange(len(face))
                face = face[turn:] + face[:turn]
                sides.append((face[::-1] if random.random() < 0.3 else face, random.choice(numbers)))
    random.shuffle(cells)
    random.shuffle(sides)
    order = list(range(len(points)))
    random.shuffle(order)  # order[old] = new
    used = {node for _, nodes in cells for node in nodes}
    if unused:
        used |= {node for node in range(len(points)) if random.random() < 0.3}
    used = sorted(used, key=lambda node: order[node])
    new = {node: k for k, node in enumerate(used)}
    where = {number: at for number, at in points.values()}
    return Mesh(dim, [tuple(part / 16 for part in where[node]) for node in used],
                [(kind, tuple(new[node] for node in nodes)) for kind, nodes in cells],
                [(tuple(new[node] for node in nodes), number) for nodes, number in sides],
                {number: f"wall {number}" for number in {number for _, number in sides}})


def blocks(mesh):
    """[(type, rows of nodes, numbers of patches)] as meshio has them; cells have the number 0."""
    out = {}
    for kind, nodes in mesh.cells:
        out.setdefault(kind, ([], []))
        out[kind][0].append(nodes)
        out[kind][1].append(0)
    sides = {}
    for nodes, number in mesh.sides:
        kind = mesh.side_kind(nodes)
        sides.setdefault(kind, ([], []))
        sides[kind][0].append(nodes)
        sides[kind][1].append(number)
    return [(kind, *one) for part in (out, sides) for kind, one in part.items()]


def faces_once(mesh):
    """{corners: [row out of the first cell, cells]} of all faces."""
    at = {}
    for cell, (kind, nodes) in enumerate(mesh.cells):
        for row in faces(kind, nodes):
            at.setdefault(frozenset(row), [row, []])[1].append(cell)
    return at

# SPDX-License-Identifier: MIT
