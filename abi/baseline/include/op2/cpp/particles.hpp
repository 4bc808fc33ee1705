// particles.hpp: sets of particles.
//
//   op2::particles ions(cells, "ions");
//   op2::map ion_nodes = op2::compose(ions.cell(), cell_nodes, "ion_nodes");
//   op2::dat<double, 3> x(ions, nullptr, "x");
//   ions.add(cells_of_them, {{x, positions}});
//   do
//     op_par_loop(walk, "walk", ions, op2::read(x), op2::read(neighbours, 0, ions.cell()), op2::write(ions.next()));
//   while (ions.move() > 0);
#ifndef OP2_CPP_PARTICLES_HPP
#define OP2_CPP_PARTICLES_HPP

#include <initializer_list>
#include <vector>

#include "op2/cpp/dat.hpp"
#include "op2/cpp/mesh.hpp"
#include "op2/particles.h"

namespace op2 {

// Particles in cells of the mesh: a set for loops whose size changes. Cheap to copy; the library owns the set until
// op_exit(). Errors are those of particles.h.
class particles : public set {
 public:
  // Values of a dat for new particles, [particles][dim], borrowed.
  class values {
   public:
    // The dat, and as many values as there are new particles times its dim; the array must outlive the object.
    template <class T, int Dim>
    values(const dat<T, Dim> &of, const host_vector<T> &values)
        : dat_(of), data_(values.data()), count_(values.size()), dim_(static_cast<std::size_t>(of.dim())) {}

   private:
    friend class particles;
    op_dat dat_;
    const void *data_;
    std::size_t count_, dim_;
  };

  particles() = default;
  // None so far. Collective. As op_decl_particles().
  particles(op_set cells, const char *name) : set(check(op_decl_particles(cells, name))) {}
  // From the handle of an existing set of particles.
  explicit particles(op_set handle) : set(handle) { check(op_particle_cell(handle)); }

  // The map to their cells, of dim 1.
  [[nodiscard]] map cell() const { return map(check(op_particle_cell(*this))); }
  // As op_particle_identity() and op_particle_next().
  [[nodiscard]] dat<long long, 1> identity() const { return dat<long long, 1>(op_particle_identity(*this)); }
  [[nodiscard]] dat<long long, 1> next() const { return dat<long long, 1>(op_particle_next(*this)); }

  // New particles in these cells, as op_add_particles(). Collective. Also OP_ERR_ARGUMENT (length of values).
  void add(const std::vector<op_gindex> &cells, std::initializer_list<values> of_dats = {}) const {
    std::vector<op_particle_values> given;
    for (const values &one : of_dats) {
      detail::check_length(one.count_, cells.size() * one.dim_, op_dat_name(one.dat_));
      given.push_back({one.dat_, one.data_});
    }
    check(op_add_particles(*this, static_cast<op_index>(cells.size()), cells.data(), static_cast<int>(given.size()),
                           given.data()));
  }

  // As op_move_particles(). Collective.
  op_gindex move() const {
    const op_gindex left = op_move_particles(*this);
    if (left < 0) throw error(op_last_status(), op_last_error());
    return left;
  }
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
