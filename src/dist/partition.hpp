// Which process gets which elements: what op_partition() asks for, or the best there is.
#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "dist/distribute.hpp"
#include "host/registry.hpp"
#include "host/services.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// As given to op_partition(); NULL where nothing was said.
struct PartitionWish {
  std::string library, routine; // OP2's names, in any case; library "" = BLOCK, "AUTO" = the best there is
  const Set *set = nullptr;
  const Map *map = nullptr;
  Dat *coordinates = nullptr;
  bool asked = false; // by the program
};

class Partitioning {
 public:
  Partitioning(Registry &registry, const Services &services, const Settings &settings, const Log &log)
      : registry_(registry), services_(services), settings_(settings), log_(log) {}

  // Throws when the wish lacks what its method needs. With one process too, so that mistakes are found there.
  void check(const PartitionWish &wish) const;
  // For distribute(); empty when sets stay in blocks. Says in the log what is done and how good it is.
  ChooseOwners owners(const Mesh &mesh, const PartitionWish &wish) const;
  // The wish of a program that makes none (setting OP2_PARTITION).
  PartitionWish automatic() const;

 private:
  enum class Method { block, random, external, rcb, hilbert, inertial, graph };
  struct Choice {
    Method method = Method::block;
    std::string plugin; // for graphs
    bool with_coordinates = false;
  };
  static Method method_of(const PartitionWish &wish);
  Choice choose(const PartitionWish &wish) const;
  std::string graph_plugin(const std::string &wanted) const; // "" = there is none
  void instead(const std::string &wanted, const std::string &used) const;
  std::vector<int> divide(Mesh &mesh, const Choice &choice, const PartitionWish &wish, const Set &set,
                          const Map *map) const;

  Registry &registry_;
  const Services &services_;
  const Settings &settings_;
  const Log &log_;
};

} // namespace op2::core
