// Owns the sets, maps, dats, constants, reductions and globals of a context, and finds the object of a handle.
//
// Sets of particles, their maps and their dats are apart from those of the mesh: they have no part in its division, its
// order and its files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "mesh/entities.hpp"

namespace op2::core {

class Objects {
 public:
  const std::vector<std::unique_ptr<Set>> &sets() const { return sets_; }
  const std::vector<std::unique_ptr<Map>> &maps() const { return maps_; }
  const std::vector<std::unique_ptr<Dat>> &dats() const { return dats_; } // freed ones too
  const std::vector<std::unique_ptr<Set>> &particle_sets() const { return particles_.sets; }
  const std::vector<std::unique_ptr<Map>> &particle_maps() const { return particles_.maps; }
  const std::vector<std::unique_ptr<Dat>> &particle_dats() const { return particles_.dats; } // freed ones too
  const std::vector<Constant> &constants() const { return constants_; }
  // Changes of the type or dim of a constant, or of what is known of variables of its name; other changes keep the
  // address of the values.
  int constants_changed() const { return constants_changed_; }
  bool has_reductions() const { return !reductions_.empty(); }

  // The object of a handle. Throw OP_ERR_HANDLE unless the handle is that of a live object; `what` names the argument
  // in the message: "argument 'from'". The first three find objects of the mesh and throw OP_ERR_SET for those of
  // particles; any_...() find both.
  Set &set(op_set handle, const std::string &what) const;
  Map &map(op_map handle, const std::string &what) const;
  Dat &dat(op_dat handle, const std::string &what) const;
  Set &any_set(op_set handle, const std::string &what) const;
  Map &any_map(op_map handle, const std::string &what) const;
  Dat &any_dat(op_dat handle, const std::string &what) const;
  const op_reduction_core &reduction(op_reduction handle, const std::string &what) const;
  op_global_core &global(op_global handle, const std::string &what) const;
  bool knows(const void *handle) const { return live_.count(handle) > 0; }
  bool knows_global(op_global handle) const;
  // The same object without const, for the parts of the mesh.
  Set &own(const Set &set) const { return *at(sets_, particles_.sets, set.index); }
  Map &own(const Map &map) const { return map_of(map.index); }
  Map &map_of(int index) const { return *at(maps_, particles_.maps, index); }

  bool renumbered() const;     // whether a set is not in the order of its declaration
  bool host_view_open() const; // whether a dat is acquired

  // Take ownership of an object and set its index.
  Set &add(std::unique_ptr<Set> object);
  Map &add(std::unique_ptr<Map> object);
  Dat &add(std::unique_ptr<Dat> object);
  op_reduction add(std::unique_ptr<op_reduction_core> object);
  op_global add(std::unique_ptr<op_global_core> object);
  // Replaces the constant of that name and variable, or adds a new one.
  const Constant &set_constant(Constant constant);
  void remove_constant(const Constant &constant);
  void constants_are_unclear() { ++constants_changed_; }
  // Frees the data of a temporary dat and makes its handle invalid, or makes the handle valid again.
  void retire(Dat &dat);
  void revive(Dat &dat);

 private:
  template <class Object>
  using List = std::vector<std::unique_ptr<Object>>;
  static constexpr int first_of_particles = 1 << 24; // indices of their objects
  template <class Object>
  Object &checked(const List<Object> &of_mesh, const List<Object> &of_particles, bool both, const void *handle,
                  const std::string &what, const char *kind) const;
  template <class Object>
  static const std::unique_ptr<Object> &at(const List<Object> &of_mesh, const List<Object> &of_particles, int index) {
    return index < first_of_particles ? of_mesh[static_cast<std::size_t>(index)]
                                      : of_particles[static_cast<std::size_t>(index - first_of_particles)];
  }
  template <class Object>
  Object &add(List<Object> &objects, int first, std::unique_ptr<Object> object) {
    object->index = first + static_cast<int>(objects.size());
    live_.insert(object.get());
    objects.push_back(std::move(object));
    return *objects.back();
  }

  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<std::unique_ptr<Map>> maps_;
  std::vector<std::unique_ptr<Dat>> dats_;
  struct {
    List<Set> sets;
    List<Map> maps;
    List<Dat> dats;
  } particles_;
  std::vector<Constant> constants_;
  std::map<std::string, int> variables_; // by name: how many there have been
  int constants_changed_ = 0;
  std::vector<std::vector<char>>
      retired_values_; // of constants that are not as they were: old code may still read them
  std::vector<std::unique_ptr<op_reduction_core>> reductions_;
  std::vector<std::unique_ptr<op_global_core>> globals_;
  std::unordered_set<const void *> live_; // addresses of all objects
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
