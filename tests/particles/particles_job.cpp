// particles_job.cpp: particles that fly through a torus of triangles, beside what each of them does alone.
//
// The particles of a reference fly in straight lines with its own search through the mesh, on every process alike. The
// library's walk from cell to cell, leave at the sides of the box or come back at the opposite one, at times jump into
// any cell, on whichever process, and lay weights onto nodes. They carry values of several types and sizes. A second
// set moves while particles of the first one are on their way. Whole
// numbers as weights make sums exact, so that nodes must have the reference's bits on any number of processes and
// threads. Prints "ok ..." and ends with 0, or says what differs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "op2/op2.hpp"
#include "op2/order.h"

struct Tag { // a type of the program's, of an odd size
  signed char mark[5];
};
OP2_TYPE_NAME(Tag, "Tag");

namespace {

constexpr int side = 18; // squares along each side of the box, two triangles each
constexpr double dt = 0.11;

struct Triangles {
  std::vector<int> nodes;        // [cells][3]
  std::vector<double> x;         // [nodes][2]
  std::vector<long long> beside; // [cells][3]: the cell opposite to each node
  std::vector<double> shift;     // [cells][3]: what the height changes by on the way there
  int cells() const { return static_cast<int>(nodes.size() / 3); }
};

// Sides left and right are open; bottom and top are the same. Cells are numbered at random.
Triangles torus() {
  Triangles out;
  for (int j = 0; j <= side; ++j)
    for (int i = 0; i <= side; ++i) {
      const bool inside = i > 0 && i < side && j > 0 && j < side;
      out.x.push_back((i + (inside ? 0.25 * std::sin(7.0 * j + i) : 0)) / side);
      out.x.push_back((j + (inside ? 0.25 * std::cos(5.0 * i + 2 * j) : 0)) / side);
    }
  std::vector<int> number(2 * side * side);
  for (std::size_t n = 0; n < number.size(); ++n) number[n] = static_cast<int>(n);
  std::uint32_t random = 12345;
  for (std::size_t n = number.size() - 1; n > 0; --n) {
    random = random * 1664525u + 1013904223u;
    std::swap(number[n], number[random % (n + 1)]);
  }
  out.nodes.resize(3 * number.size());
  out.beside.resize(3 * number.size());
  out.shift.resize(3 * number.size());
  const auto cell = [&](int i, int j, int upper) -> long long {
    if (i < 0 || i >= side) return OP_PARTICLE_GONE;
    return number[static_cast<std::size_t>(2 * ((j + side) % side * side + i) + upper)];
  };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const int a = j * (side + 1) + i, b = a + 1, c = a + side + 1, d = c + 1;
      const auto put = [&](int upper, const int(&n)[3], const long long(&beside)[3], const double(&shift)[3]) {
        const auto at = static_cast<std::size_t>(3 * cell(i, j, upper));
        for (std::size_t k = 0; k < 3; ++k)
          out.nodes[at + k] = n[k], out.beside[at + k] = beside[k], out.shift[at + k] = shift[k];
      };
      put(0, {a, b, c}, {cell(i, j, 1), cell(i - 1, j, 1), cell(i, j - 1, 1)}, {0, 0, j == 0 ? 1.0 : 0.0});
      put(1, {d, c, b}, {cell(i, j, 0), cell(i + 1, j, 0), cell(i, j + 1, 0)}, {0, 0, j == side - 1 ? -1.0 : 0.0});
    }
  return out;
}

void fly(double *x, const double *v) {
  x[0] += dt * v[0];
  x[1] += dt * v[1];
}

// To the cell opposite to the node with the least share, if that is negative.
void walk(double *x, const double *const *corner, const long long *beside, const double *shift, long long *next) {
  const double *a = corner[0], *b = corner[1], *c = corner[2];
  double share[3];
  const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  share[0] = ((b[0] - x[0]) * (c[1] - x[1]) - (b[1] - x[1]) * (c[0] - x[0])) / area;
  share[1] = ((c[0] - x[0]) * (a[1] - x[1]) - (c[1] - x[1]) * (a[0] - x[0])) / area;
  share[2] = 1 - share[0] - share[1];
  int least = 0;
  if (share[1] < share[least]) least = 1;
  if (share[2] < share[least]) least = 2;
  next[0] = share[least] < 0 ? beside[least] : OP_PARTICLE_ARRIVED;
  x[1] += share[least] < 0 ? shift[least] : 0.0;
}

// Some into cells that have nothing to do with where they are, all in the first round of a move.
void jump(const long long *identity, const int *step, long long *next) {
  const unsigned long long mixed = (unsigned long long)(*identity * 1000 + *step) * 0x9E3779B97F4A7C15u;
  next[0] = *identity % 3 == 0 ? (long long)((mixed >> 33) % (2 * 18 * 18)) : OP_PARTICLE_ARRIVED;
}

// Into the middle of the cell; what it carries tells that it was here.
void land(const double *const *corner, double *x, float *spin, int *jumps, Tag *tag, long long *next) {
  for (int d = 0; d < 2; ++d) x[d] = (corner[0][d] + corner[1][d] + corner[2][d]) / 3;
  spin[0] += 0.5f, spin[1] = -spin[1], spin[2] = (float)x[0];
  jumps[0] += 1;
  for (int k = 0; k < 5; ++k) tag[0].mark[k] = (signed char)(tag[0].mark[k] * 3 + k);
  next[0] = OP_PARTICLE_ARRIVED;
}

// The second set's particles: from cell to cell by number, all in one round.
void hop(const long long *number, long long *next) { next[0] = (number[0] * 5 + 1) % (2 * 18 * 18); }

void stay(long long *next) { next[0] = OP_PARTICLE_ARRIVED; }

void lay_one(double *const *charge) {
  for (int k = 0; k < 3; ++k) charge[k][0] += 1;
}

void lay(const double *weight, double *const *charge) {
  charge[0][0] += weight[0];
  charge[1][0] += 2 * weight[0];
  charge[2][0] += 4 * weight[0];
}

void lay_parts(const double *weight, double *const *charge) {
  for (int k = 0; k < 3; ++k) charge[k][0] += 0.1 * weight[0];
}

void keep(const double *x, double *before) { before[0] = x[0], before[1] = x[1]; }

void look(const long long *number, long long *seen) { seen[0] = number[0]; }

void clear(double *charge) { charge[0] = 0; }

void count(const double *weight, double *sum, int *most) {
  sum[0] += weight[0];
  if (weight[0] > most[0]) most[0] = static_cast<int>(weight[0]);
}

// What one particle does, alone.
struct Particle {
  long long cell = 0, identity = 0;
  double x[2] = {}, v[2] = {}, weight = 0;
  float spin[3] = {};
  int jumps = 0;
  Tag tag = {};
};

struct Reference {
  const Triangles &mesh;
  std::map<long long, Particle> all;
  explicit Reference(const Triangles &triangles) : mesh(triangles) {}

  void corners(long long cell, const double *(&out)[3]) const {
    for (std::size_t k = 0; k < 3; ++k)
      out[k] = &mesh.x[2 * static_cast<std::size_t>(mesh.nodes[static_cast<std::size_t>(3 * cell) + k])];
  }

  void jump_all(int step) {
    for (auto &[number, its] : all) {
      long long next = 0;
      jump(&its.identity, &step, &next);
      if (next < 0) continue;
      its.cell = next;
      const double *corner[3];
      corners(its.cell, corner);
      land(corner, its.x, its.spin, &its.jumps, &its.tag, &next);
    }
  }

  void step() {
    for (auto at = all.begin(); at != all.end();) {
      Particle &its = at->second;
      fly(its.x, its.v);
      long long next = 0;
      do {
        const auto c = static_cast<std::size_t>(3 * its.cell);
        const double *corner[3];
        corners(its.cell, corner);
        walk(its.x, corner, &mesh.beside[c], &mesh.shift[c], &next);
        if (next >= 0) its.cell = next;
      } while (next >= 0);
      at = next == OP_PARTICLE_GONE ? all.erase(at) : std::next(at);
    }
  }
};

[[noreturn]] void differ(const char *what, int step) {
  std::printf("step %d: %s differs from the reference\n", step, what);
  std::fflush(stdout);
  std::exit(1);
}

class Job {
 public:
  Job() : mesh_(torus()), reference_(mesh_) {}

  void run() {
    for (int step = 0; step < 24; ++step) {
      if (step % 4 == 0) add(step);
      op_par_loop(fly, "fly", ions_, op2::rw(x_), op2::read(v_));
      {
        const op2::temp_dat<double, 2> before(ions_, "before"); // freed while there are particles
        op_par_loop(keep, "keep", ions_, op2::read(x_), op2::write(before));
      }
      op_gindex left = 0;
      do {
        op_par_loop(walk, "walk", ions_, op2::rw(x_), op2::read(nodes_x_, op2::all<3>, ion_nodes_),
                    op2::read(beside_, 0, ions_.cell()), op2::read(shift_, 0, ions_.cell()), op2::write(ions_.next()));
        ++rounds_;
        left = ions_.move();
        hop_all(step);
      } while (left > 0);
      reference_.step();
      if (step % 3 == 1) jump_all(step);
      op_par_loop(clear, "clear", nodes_, op2::write(charge_));
      op_par_loop(lay, "lay", ions_, op2::read(weight_), op2::inc(charge_, op2::all<3>, ion_nodes_));
      compare(step);
      if (step == 10) late_ = op2::compose(ions_.cell(), op2::compose(cell_nodes_, node_itself_, "late"), "ion_late");
      if (step == 14) op2::check(op_renumber(cell_nodes_));
    }
    if (op_is_root()) std::printf("ok %lld particles, %d rounds\n", ions_.global_size(), rounds_);
  }

 private:
  void hop_all(int step) {
    if (hopper_.empty()) {
      for (op_gindex cell = 0; cell < mesh_.cells(); cell += 3) hopper_.push_back(cell);
      hoppers_.add(op_is_root() ? hopper_ : std::vector<op_gindex>());
    }
    op_par_loop(hop, "hop", hoppers_, op2::read(number_, 0, hoppers_.cell()), op2::write(hoppers_.next()));
    while (hoppers_.move() > 0) op_par_loop(stay, "stay", hoppers_, op2::write(hoppers_.next()));
    op_par_loop(clear, "clear", nodes_, op2::write(hopped_));
    op_par_loop(lay_one, "lay one", hoppers_, op2::inc(hopped_, op2::all<3>, hopper_nodes_));
    std::vector<double> expected(mesh_.x.size() / 2, 0);
    for (op_gindex &cell : hopper_) {
      cell = (cell * 5 + 1) % mesh_.cells();
      for (std::size_t k = 0; k < 3; ++k)
        expected[static_cast<std::size_t>(mesh_.nodes[static_cast<std::size_t>(3 * cell) + k])] += 1;
    }
    op2::host_vector<double> laid(expected.size());
    op2::check(op_fetch_data_all(hopped_, laid.data()));
    if (laid != expected) differ("what the second set lays", step);
  }

  void jump_all(int step) {
    op_par_loop(jump, "jump", ions_, op2::read(ions_.identity()), op2::gbl_read(&step), op2::write(ions_.next()));
    while (ions_.move() > 0) {
      op_par_loop(land, "land", ions_, op2::read(nodes_x_, op2::all<3>, ion_nodes_), op2::write(x_), op2::rw(spin_),
                  op2::rw(jumps_), op2::rw(tag_), op2::write(ions_.next()));
      ++rounds_;
    }
    reference_.jump_all(step);
  }

  // Every process adds some, and all of them know all.
  void add(int step) {
    std::vector<op_gindex> cells;
    op2::host_vector<double> x, v, weight;
    op2::host_vector<float> spin;
    op2::host_vector<Tag> tag;
    int rank = 0;
    const int processes = op_comm_size();
    op_rank(&rank);
    long long identity = made_;
    for (int p = 0; p < processes; ++p)
      for (int n = 0; n < total / processes + (p < total % processes ? 1 : 0); ++n) {
        Particle one;
        one.identity = identity++;
        const auto random = [&](int salt) {
          std::uint64_t z =
              static_cast<std::uint64_t>(one.identity) * 0x9E3779B97F4A7C15u + static_cast<unsigned>(salt);
          z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
          z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
          return static_cast<double>((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
        };
        one.cell = static_cast<long long>(random(1) * mesh_.cells());
        double share[3] = {0.2 + 0.3 * random(2), 0.2 + 0.2 * random(3), 0};
        share[2] = 1 - share[0] - share[1];
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t d = 0; d < 2; ++d)
            one.x[d] +=
                share[k] *
                mesh_.x[2 * static_cast<std::size_t>(mesh_.nodes[static_cast<std::size_t>(3 * one.cell) + k]) + d];
        one.v[0] = random(4) - 0.5;
        one.v[1] = 2 * random(5) - 1;
        one.weight = 1 + static_cast<double>(one.identity % 5);
        for (std::size_t k = 0; k < 3; ++k) one.spin[k] = static_cast<float>(random(6 + static_cast<int>(k)));
        for (std::size_t k = 0; k < 5; ++k)
          one.tag.mark[k] = static_cast<signed char>(one.identity + static_cast<int>(k));
        if (p == rank) {
          spin.insert(spin.end(), one.spin, one.spin + 3);
          tag.push_back(one.tag);
          cells.push_back(one.cell);
          x.insert(x.end(), one.x, one.x + 2);
          v.insert(v.end(), one.v, one.v + 2);
          weight.push_back(one.weight);
        }
        reference_.all[one.identity] = one;
      }
    // One outside the mesh, which nobody gets.
    if (rank == 0)
      cells.push_back(-1), x.insert(x.end(), {0, 0}), v.insert(v.end(), {0, 0}), weight.push_back(1e6),
          spin.insert(spin.end(), 3, 0.0f), tag.push_back({});
    ions_.add(cells, {{x_, x}, {v_, v}, {weight_, weight}, {spin_, spin}, {tag_, tag}}); // jumps: zeros
    made_ = identity;
    if (op_get_size(ions_) != static_cast<op_gindex>(reference_.all.size()))
      differ("the number after an addition", step);
  }

  void compare(int step) {
    const auto identity = ions_.identity().fetch();
    const auto x = x_.fetch(), v = v_.fetch(), weight = weight_.fetch();
    const auto spin = spin_.fetch();
    const auto jumps = jumps_.fetch();
    const auto tag = tag_.fetch();
    if (ions_.global_size() != static_cast<op_gindex>(reference_.all.size())) differ("the number of particles", step);
    std::set<long long> cells; // those that have come
    double sum = 0, all = 0;
    int most = 0, greatest = 0;
    for (std::size_t n = 0; n < identity.size(); ++n) {
      const auto at = reference_.all.find(identity[n]);
      if (at == reference_.all.end()) differ("a particle's identity", step);
      const Particle &its = at->second;
      if (std::memcmp(&x[2 * n], its.x, sizeof its.x) != 0) differ("a position", step);
      if (std::memcmp(&v[2 * n], its.v, sizeof its.v) != 0 || weight[n] != its.weight) differ("a value", step);
      if (std::memcmp(&spin[3 * n], its.spin, sizeof its.spin) != 0) differ("a float", step);
      if (jumps[n] != its.jumps) differ("an int", step);
      if (std::memcmp(&tag[n], &its.tag, sizeof its.tag) != 0) differ("a tag", step);
    }
    op_par_loop(look, "look", ions_, op2::read(number_, 0, ions_.cell()), op2::write(seen_));
    const auto cell = seen_.fetch();
    for (std::size_t n = 0; n < cell.size(); ++n) {
      if (cell[n] != reference_.all.at(identity[n]).cell) differ("a particle's cell", step);
      if (n > 0 && cell[n] == cell[n - 1] && identity[n] <= identity[n - 1]) differ("the order in a cell", step);
      if (n > 0 && cell[n] != cell[n - 1] && !cells.insert(cell[n]).second) differ("the order of cells", step);
    }
    std::vector<double> charge(mesh_.x.size() / 2, 0);
    for (const auto &[number, its] : reference_.all) {
      for (std::size_t k = 0; k < 3; ++k)
        charge[static_cast<std::size_t>(mesh_.nodes[static_cast<std::size_t>(3 * its.cell) + k])] +=
            its.weight * (1 << k);
      all += its.weight;
      greatest = std::max(greatest, static_cast<int>(its.weight));
    }
    op2::host_vector<double> laid(charge.size());
    op2::check(op_fetch_data_all(charge_, laid.data()));
    for (std::size_t n = 0; n < charge.size(); ++n)
      if (laid[n] != charge[n]) differ("the charge of a node", step);
    if (std::getenv("OP2_REPRODUCIBLE")) { // sums that depend on the order: that of the identities
      std::vector<double> sums(charge.size(), 0);
      for (const auto &[number, its] : reference_.all)
        for (std::size_t k = 0; k < 3; ++k)
          sums[static_cast<std::size_t>(mesh_.nodes[static_cast<std::size_t>(3 * its.cell) + k])] += 0.1 * its.weight;
      op_par_loop(clear, "clear", nodes_, op2::write(charge_));
      op_par_loop(lay_parts, "lay parts", ions_, op2::read(weight_), op2::inc(charge_, op2::all<3>, ion_nodes_));
      op2::check(op_fetch_data_all(charge_, laid.data()));
      for (std::size_t n = 0; n < sums.size(); ++n)
        if (laid[n] != sums[n]) differ("the bits of the charge of a node", step);
    }
    op_par_loop(count, "count", ions_, op2::read(weight_), op2::gbl_inc(&sum), op2::gbl_max(&most));
    if (sum != all || most != greatest) differ("a reduction", step);
    if (step > 10) { // a map that was made while there were particles
      op_par_loop(clear, "clear", nodes_, op2::write(charge_));
      op_par_loop(lay, "lay late", ions_, op2::read(weight_), op2::inc(charge_, op2::all<3>, late_));
      op2::check(op_fetch_data_all(charge_, laid.data()));
      for (std::size_t n = 0; n < charge.size(); ++n)
        if (laid[n] != charge[n]) differ("the charge through a later map", step);
    }
  }

  static constexpr int total = 1500;
  Triangles mesh_;
  Reference reference_;
  op2::context context_;
  op2::set nodes_{(side + 1) * (side + 1), "nodes"}, cells_{2 * side * side, "cells"};
  op2::map cell_nodes_{cells_, nodes_, 3, mesh_.nodes, "cell_nodes"};
  op2::dat<double, 2> nodes_x_{nodes_, mesh_.x, "nodes_x"};
  op2::dat<long long, 3> beside_{cells_, mesh_.beside, "beside"};
  op2::dat<double, 3> shift_{cells_, mesh_.shift, "shift"};
  op2::dat<long long, 1> number_{cells_, numbers(), "number"};
  op2::dat<double, 1> charge_{nodes_, nullptr, "charge"};
  op2::map node_itself_{nodes_, nodes_, 1, itself(), "node_itself"};
  op2::particles ions_{cells_, "ions"}, hoppers_{cells_, "hoppers"};
  op2::map hopper_nodes_ = op2::compose(hoppers_.cell(), cell_nodes_, "hopper_nodes");
  op2::dat<double, 1> hopped_{nodes_, nullptr, "hopped"};
  std::vector<op_gindex> hopper_; // the cells that they are in
  op2::map ion_nodes_ = op2::compose(ions_.cell(), cell_nodes_, "ion_nodes");
  op2::map late_;
  op2::dat<double, 2> x_{ions_, nullptr, "x"}, v_{ions_, nullptr, "v"};
  op2::dat<double, 1> weight_{ions_, nullptr, "weight"};
  op2::dat<float, 3> spin_{ions_, nullptr, "spin"};
  op2::dat<int, 1> jumps_{ions_, nullptr, "jumps"};
  op2::dat<Tag, 1> tag_{ions_, nullptr, "tag"};
  op2::dat<long long, 1> seen_{ions_, nullptr, "seen"};
  long long made_ = 0;
  int rounds_ = 0;

  static std::vector<long long> numbers() {
    std::vector<long long> out(2 * side * side);
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = static_cast<long long>(n);
    return out;
  }
  static std::vector<int> itself() {
    std::vector<int> out((side + 1) * (side + 1));
    for (std::size_t n = 0; n < out.size(); ++n) out[n] = static_cast<int>(n);
    return out;
  }
};

} // namespace

int main() try {
  Job().run();
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
