// The rows of a set of particles: room for them, another order, rows that come and go. On the host; the caller has
// brought the rows there with to_host().
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

class ParticleRows {
 public:
  ParticleRows(Mesh &mesh, Set &set) : mesh_(mesh), set_(set) {}

  // Bring all dats' rows to the host, where they will change. May throw OP_ERR_MEMORY, as make_room().
  void to_host();
  void changed(); // they have changed there
  // Room for so many rows; those that are there stay.
  void make_room(std::size_t rows);

  long long *next() const { return numbers_of(*its().next); }
  // Where the particle of a row goes: OP_PARTICLE_..., or a cell from 0.
  struct Goals {
    const long long *next;
    int base;
    op_gindex operator[](int row) const { // the program may have written any number
      return static_cast<op_gindex>(static_cast<std::uint64_t>(next[row]) - static_cast<std::uint64_t>(base));
    }
  };
  Goals goals() const { return {next(), its().base}; }
  long long *identity() const { return numbers_of(*its().identity); }
  int *cell() { return its().in->table.data(); } // [size]

  // to_row[i] = from_row[i] for all i at once.
  void move(std::span<const int> to, std::span<const int> from);
  // Row i becomes the present row order[i], for all rows. Their `next` stays what it is.
  void reorder();
  // Whole particles: the values of all dats one after another.
  std::size_t record_bytes() const;
  void pack(std::span<const int> rows, std::string &records) const;
  void append(std::span<const char> records, std::span<const int> cells); // behind the present rows

  int threads() const; // as many as loops use

  // Memory that is used again and again.
  std::vector<int> order;
  std::vector<unsigned char> kind;

 private:
  Particles &its() const { return *set_.particles; }
  static long long *numbers_of(const Dat &dat) { return reinterpret_cast<long long *>(dat.host.data()); }
  template <class F>
  void for_dats(F &&f) const {
    for (Dat *const dat : its().dats)
      if (!dat->freed) f(*dat);
  }

  Mesh &mesh_;
  Set &set_;
  std::vector<int> cells_;               // as `order`
  std::map<const Dat *, Storage> spare_; // takes a dat's rows in another order, and changes places with it
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
