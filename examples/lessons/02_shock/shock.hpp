// shock.hpp: the flow over a wedge, with a loop for each patch of the boundary.
#ifndef OP2_EXAMPLES_SHOCK_HPP
#define OP2_EXAMPLES_SHOCK_HPP

#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "shock_kernels.h"

// A patch: its faces as a set, the cell behind each face, the two ends of each face, and the normals.
struct Patch {
  Patch(const op2::mesh_file &mesh, const std::string &name)
      : faces(mesh.patch(name).set()),
        cell(mesh.patch(name).cells()),
        ends(mesh.patch(name).nodes()),
        normal(faces, nullptr, ("normal of " + name).c_str()) {}

  op2::set faces;
  op2::map cell, ends;
  op2::dat<double, 2> normal;
};

struct Shock {
  op2::dat<double, 2> x; // coordinates of the nodes
  op2::set cells, faces;
  op2::map face_ends, face_cells, cell_nodes;
  Patch inlet, outlet, ramp;
  std::vector<Patch> walls;
  op2::dat<double, 2> normal{faces, nullptr, "normal"};
  op2::dat<double, 1> area{cells, nullptr, "area"}, around{cells, nullptr, "around"};
  // q: density, momentum, energy of each cell; gain: what flows into the cell in one second.
  op2::dat<double, 4> q{cells, nullptr, "q"}, gain{cells, nullptr, "gain"};
  op2::dat<double, 1> left{outlet.faces, nullptr, "left"}; // mass that has left through a face of the outlet
  double dt = 1;                                           // the time step

  explicit Shock(const op2::mesh_file &mesh)
      : x(mesh.dat<double, 2>("x")),
        cells(mesh.set("cells")),
        faces(mesh.set("faces")),
        face_ends(mesh.map("face_nodes")),
        face_cells(mesh.map("face_cells")),
        cell_nodes(mesh.map("cell_nodes")),
        inlet(mesh, "inlet"),
        outlet(mesh, "outlet"),
        ramp(mesh, "ramp"),
        walls{ramp, {mesh, "floor"}, {mesh, "top"}} {
    measure();
    op_par_loop(begin, "begin", cells, op2::write(q));
  }

  // One time step: what flows through each kind of faces, then the new state of the cells.
  void step() {
    op_par_loop(exchange, "exchange", faces, op2::read(normal), op2::read(q, 0, face_cells),
                op2::read(q, 1, face_cells), op2::inc(gain, 0, face_cells), op2::inc(gain, 1, face_cells));
    op_par_loop(enter, "enter", inlet.faces, op2::read(inlet.normal), op2::inc(gain, 0, inlet.cell));
    op_par_loop(leave, "leave", outlet.faces, op2::read(outlet.normal), op2::read(q, 0, outlet.cell),
                op2::inc(gain, 0, outlet.cell));
    op_par_loop(count, "count", outlet.faces, op2::read(outlet.normal), op2::read(q, 0, outlet.cell),
                op2::gbl_read(&dt), op2::inc(left));
    for (const Patch &wall : walls)
      op_par_loop(press, "press", wall.faces, op2::read(wall.normal), op2::read(q, 0, wall.cell),
                  op2::inc(gain, 0, wall.cell));
    op_par_loop(advance, "advance", cells, op2::read(area), op2::gbl_read(&dt), op2::rw(q), op2::rw(gain));
  }

  double mass() const {
    double sum = 0;
    op_par_loop(weigh, "weigh", cells, op2::read(area), op2::read(q), op2::gbl_inc(&sum));
    return sum;
  }

  // The mass that has left through the outlet, in all steps so far.
  double mass_left() const {
    double sum = 0;
    op_par_loop(add_up, "add_up", outlet.faces, op2::read(left), op2::gbl_inc(&sum));
    return sum;
  }

  double mean_pressure_on_ramp() const {
    double force = 0, length = 0;
    op_par_loop(feel, "feel", ramp.faces, op2::read(ramp.normal), op2::read(q, 0, ramp.cell), op2::gbl_inc(&force),
                op2::gbl_inc(&length));
    return force / length;
  }

  void write(const std::string &file) const {
    const op2::dat<double, 1> pressure(cells, nullptr, "pressure");
    op_par_loop(show, "show", cells, op2::read(q), op2::write(pressure));
    op2::view(x, "wedge").cells(cell_nodes, OP_CELL_QUADRILATERAL).field(pressure).write(file);
  }

  // Once: normals, areas, the time step.
  void measure() {
    op_par_loop(measure_face, "measure_face", faces, op2::read(x, 0, face_ends), op2::read(x, 1, face_ends),
                op2::write(normal), op2::inc(area, 0, face_cells), op2::inc(area, 1, face_cells),
                op2::inc(around, 0, face_cells), op2::inc(around, 1, face_cells));
    for (const Patch &patch : {inlet, outlet, walls[0], walls[1], walls[2]})
      op_par_loop(measure_side, "measure_side", patch.faces, op2::read(x, 0, patch.ends), op2::read(x, 1, patch.ends),
                  op2::write(patch.normal), op2::inc(area, 0, patch.cell), op2::inc(around, 0, patch.cell));
    op_par_loop(limit_step, "limit_step", cells, op2::read(area), op2::read(around), op2::gbl_min(&dt));
  }
};

#endif

// SPDX-License-Identifier: MIT
