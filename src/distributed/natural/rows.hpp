// The natural distribution as it is written to files and read from them: rows in the order of the declaration, this
// process's share of them (its natural part). Collective.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The rows [natural_size][dim] of a dat: where they lie, or a copy.
class NaturalView {
 public:
  explicit NaturalView(const char *rows) : rows_(rows) {}
  explicit NaturalView(std::vector<char> copy) : copy_(std::move(copy)), rows_(copy_.data()) {}
  NaturalView(NaturalView &&) = default;
  const char *rows() const { return rows_; }

 private:
  std::vector<char> copy_;
  const char *rows_;
};

// Into natural[natural_size][dim].
void copy_natural(Mesh &mesh, Dat &dat, char *natural);
// Valid until the dat is used otherwise.
NaturalView fetch_natural(Mesh &mesh, Dat &dat);
void put_natural(Mesh &mesh, Dat &dat, const char *rows);

// Rows of any numbers of the declaration, in the order in which they are asked for; a number may be asked for again.
std::vector<char> rows_of_numbers(Mesh &mesh, Dat &dat, std::span<const idx_g_t> numbers);

// The entries [natural_size of from][dim] of a map: numbers of the declaration, from 0.
std::vector<idx_g_t> natural_entries(Mesh &mesh, const Map &map);

} // namespace op2::core
