#include "meshio/declared_mesh.hpp"

namespace op2::core {

namespace {

// The rows that this process declares of so many.
struct MeshBlock {
  MeshBlock(int rows, int rank, int size)
      : first(static_cast<std::size_t>(static_cast<long long>(rows) * rank / size)),
        count(static_cast<int>(static_cast<long long>(rows) * (rank + 1) / size - static_cast<long long>(first))) {}

  std::size_t first;
  int count;
};

} // namespace

void declare_mesh(Mesh &mesh, const MeshModel &model, DeclaredMesh &out) {
  const Communicator &communicator = mesh.communicator();
  const Declare way = mesh.declare().mode();
  const bool whole = way == Declare::replicated || way == Declare::root;
  const int rank = whole ? 0 : communicator.rank(), size = whole ? 1 : communicator.size();
  const bool counts = way != Declare::root || communicator.rank() == 0;
  for (const MeshSet &set : model.sets())
    out.sets[set.name] = &mesh.declare().set(counts ? MeshBlock(set.size, rank, size).count : 0, set.name.c_str());
  // These sets are in no parts yet, so the mesh takes values of dats as they are.
  for (const MeshArray &array : model.arrays()) {
    const op_set set = out.sets.at(array.set);
    const char *const name = array.name.c_str();
    const std::size_t at = MeshBlock(model.set(array.set).size, rank, size).first * static_cast<std::size_t>(array.dim);
    if (!array.to.empty())
      out.maps[name] = &mesh.declare().map(set, out.sets.at(array.to), array.dim, array.ints.data() + at, name);
    else if (!array.reals.empty())
      out.dats[name] = &mesh.declare().dat(set, array.dim, "double", 0, array.reals.data() + at, name, false);
    else
      out.dats[name] = &mesh.declare().dat(set, array.dim, "int", 0, array.ints.data() + at, name, false);
  }
  out.complete = true;
}

} // namespace op2::core
