// Home parts as they are written to files and read from them: rows in the order of the declaration, this process's
// share of them. Collective.
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The rows [home_size][dim] of a dat: where they lie, or a copy.
class HomeView {
 public:
  explicit HomeView(const char *rows) : rows_(rows) {}
  explicit HomeView(std::vector<char> copy) : copy_(std::move(copy)), rows_(copy_.data()) {}
  HomeView(HomeView &&) = default;
  const char *rows() const { return rows_; }

 private:
  std::vector<char> copy_;
  const char *rows_;
};

// Into home[home_size][dim].
void copy_home(Mesh &mesh, Dat &dat, char *home);
// Valid until the dat is used otherwise.
HomeView fetch_home(Mesh &mesh, Dat &dat);
void put_home(Mesh &mesh, Dat &dat, const char *rows);

// Rows of any numbers of the declaration, in the order in which they are asked for; a number may be asked for again.
std::vector<char> rows_of_numbers(Mesh &mesh, Dat &dat, std::span<const idx_g_t> numbers);

// The entries [home_size of from][dim] of a map: numbers of the declaration, from 0.
std::vector<idx_g_t> home_entries(Mesh &mesh, const Map &map);

} // namespace op2::core
