#include "meshes.hpp"

#include <cstdlib>
#include <numeric>
#include <utility>

namespace conformance {

namespace {

std::vector<int> permutation(int n, Random &random) {
  std::vector<int> out = counted(static_cast<std::size_t>(n));
  for (int i = n - 1; i > 0; --i)
    std::swap(out[static_cast<std::size_t>(i)], out[static_cast<std::size_t>(random.below(i + 1))]);
  return out;
}

Topology named(std::string name, Topology mesh) {
  mesh.name = std::move(name);
  return mesh;
}

// Column 0 leads to one and the same target everywhere, so no two elements may run at the same time.
Topology hub(int from, int to, std::uint64_t seed) {
  Topology mesh = random_map(from, to, 4, seed);
  for (std::size_t n = 0; n < mesh.elements(); ++n) mesh.table[4 * n] = to / 2;
  return mesh;
}

} // namespace

Topology quads(int nx, int ny) {
  Topology mesh{"quads", nx * ny, (nx + 1) * (ny + 1), 4, {}};
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int corner = j * (nx + 1) + i;
      mesh.table.insert(mesh.table.end(), {corner, corner + 1, corner + nx + 2, corner + nx + 1});
    }
  return mesh;
}

Topology shuffled(Topology mesh, std::uint64_t seed) {
  Random random(seed);
  const std::vector<int> place = permutation(mesh.from, random), number = permutation(mesh.to, random);
  const std::size_t dim = static_cast<std::size_t>(mesh.dim);
  std::vector<int> table(mesh.table.size());
  for (std::size_t n = 0; n < mesh.elements(); ++n)
    for (std::size_t c = 0; c < dim; ++c)
      table[static_cast<std::size_t>(place[n]) * dim + c] = number[mesh.target(n, c)];
  mesh.table = std::move(table);
  return mesh;
}

Topology random_map(int from, int to, int dim, std::uint64_t seed) {
  Random random(seed);
  Topology mesh{"random", from, to, dim,
                std::vector<int>(static_cast<std::size_t>(from) * static_cast<std::size_t>(dim))};
  for (int &entry : mesh.table) entry = random.below(to);
  return mesh;
}

Topology injective(int from, int to, int dim, std::uint64_t seed) {
  Random random(seed);
  Topology mesh{"injective", from, to, dim, permutation(to, random)};
  mesh.table.resize(static_cast<std::size_t>(from) * static_cast<std::size_t>(dim));
  return mesh;
}

// OP2TEST_SIZE=small leaves out what has more elements; jobs of many processes on few cores take long over them.
constexpr int largest_small = 4000;
static bool too_large(int size) {
  const char *const request = std::getenv("OP2TEST_SIZE");
  return request && std::string(request) == "small" && size > largest_small;
}
int as_requested(int size) { return too_large(size) ? largest_small : size; }
std::vector<int> as_requested(std::vector<int> sizes) {
  std::erase_if(sizes, too_large);
  return sizes;
}

// With OP2TEST_ORDER=shuffled, meshes numbered at random take the place of those that have an order.
static std::vector<Topology> as_requested(std::vector<Topology> meshes) {
  std::erase_if(meshes, [](const Topology &mesh) { return too_large(mesh.from); });
  const char *const order = std::getenv("OP2TEST_ORDER");
  if (!order || std::string(order) != "shuffled") return meshes;
  std::uint64_t seed = 100;
  for (Topology &mesh : meshes) mesh = shuffled(std::move(mesh), ++seed);
  return meshes;
}

const std::vector<Topology> &every_mesh() {
  static const std::vector<Topology> meshes = as_requested({
      named("nothing to nothing", {"", 0, 0, 4, {}}),
      named("nothing to five", {"", 0, 5, 4, {}}),
      named("one to one", random_map(1, 1, 4, 1)),
      named("two to one", random_map(2, 1, 4, 2)),
      named("two to two", random_map(2, 2, 4, 3)),
      named("quads", quads(37, 23)),
      named("quads shuffled", shuffled(quads(61, 53), 4)),
      named("random", random_map(997, 313, 4, 5)),
      named("hub", hub(1500, 40, 6)),
      named("many quads", quads(400, 250)),
      named("many random", random_map(100003, 30011, 4, 7)),
  });
  return meshes;
}

const std::vector<Topology> &every_injective_mesh() {
  static const std::vector<Topology> meshes = as_requested({
      named("nothing to nothing", {"", 0, 0, 2, {}}),
      named("nothing to five", {"", 0, 5, 2, {}}),
      named("one to two", injective(1, 2, 2, 8)),
      named("two to seven", injective(2, 7, 2, 9)),
      named("some", injective(1000, 2345, 2, 10)),
      named("many", injective(50021, 100100, 2, 11)),
  });
  return meshes;
}

const std::vector<int> &every_size() {
  static const std::vector<int> sizes = as_requested(std::vector<int>{0, 1, 2, 17, 63, 64, 65, 1000, 100003});
  return sizes;
}

std::vector<double> reals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> out(n);
  for (double &value : out) value = random.real();
  return out;
}

std::vector<int> counted(std::size_t n) {
  std::vector<int> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

} // namespace conformance

// SPDX-License-Identifier: MIT
