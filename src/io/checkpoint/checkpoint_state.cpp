// What belongs to the state of a run.
#include <algorithm>

#include "base/error.hpp"
#include "distributed/declared/pieces.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_sum.hpp"
#include "mesh/checks.hpp"
#include "op2/version.h"

namespace op2::core {

namespace {

constexpr std::size_t longest_name = 200;

// HDF5 has names for nothing but these in a path, and people read them.
bool is_plain(const std::string &name) {
  return !name.empty() && name.size() <= longest_name && name[0] != '.' && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '+';
  });
}

std::string place_of(const std::vector<SavedDat> &before, const std::string &name) {
  const bool taken = std::ranges::any_of(before, [&](const SavedDat &dat) { return dat.name == name; });
  return is_plain(name) && !taken ? "dats/" + name : text("dats/#", before.size());
}

// Of several constants of one name, which belong to several variables, the later ones are "gam (2)" and "gam (3)".
std::string name_in_file(const std::vector<SavedValue> &before, const std::string &name) {
  const auto taken = [&](const std::string &one) { return std::ranges::find(before, one, &SavedValue::name); };
  std::string out = name;
  for (int n = 2; taken(out) != before.end(); ++n) out = text(name, " (", n, ")");
  return out;
}

} // namespace

void Checkpoints::set_value(const char *name, const char *type, int count, void *address) {
  if (!name || !name[0]) fail(OP_ERR_ARGUMENT, "the name of the value is ", name ? "empty" : "NULL");
  const std::string label = name;
  CheckpointValue value{label, {}, count, static_cast<char *>(address)};
  if (address) {
    value.element = parse_type(type ? type : "");
    if (!value.element.builtin())
      fail(OP_ERR_TYPE, "the type of value '", label, "' is ", quoted(type), "; values have one of ",
           builtin_type_names());
    row_bytes(count, value.element, name);
  }
  std::erase_if(values_, [&](const CheckpointValue &old) { return old.name == label; });
  if (address) values_.push_back(std::move(value));
}

std::uint64_t Checkpoints::sum_of(Mesh &mesh, const Map &map) {
  const std::pair<int, Revision> number(map.index, map.rewritten);
  const auto known = map_sums_.find(number);
  if (known != map_sums_.end()) return known->second;
  const Set &from = map.source();
  const std::size_t row = static_cast<std::size_t>(map.dim) * sizeof(op_gindex);
  const std::int64_t step = rows_in_piece(row);
  const Pieces pieces = pieces_of(from, step);
  const std::int64_t count = mesh.communicator().max(pieces.count());
  MapPieces entries(mesh, map, step);
  std::uint64_t own = 0;
  for (std::int64_t n = 0; n < count; ++n)
    own += sum_of_rows(from.declared_first + pieces[n].at, pieces[n].rows, row, entries.get(n).data());
  return map_sums_[number] = sum_over_all(mesh.communicator(), own);
}

std::uint64_t sum_over_all(Communicator &communicator, std::uint64_t sum) {
  unsigned long long out = sum;
  if (communicator.size() > 1) communicator.allreduce(&out, 1, OP_TYPE_ULL, OP_COMM_SUM);
  return out;
}

std::vector<Dat *> dats_of_state(const Mesh &mesh) {
  std::vector<Dat *> out;
  for (const auto &dat : mesh.dats()) {
    if (dat->freed || dat->temporary) continue;
    if (dat->acquired >= 0) fail(OP_ERR_STATE, "dat '", dat->label, "' is acquired; call op_dat_release() first");
    out.push_back(dat.get());
  }
  return out;
}

CheckpointContents describe_state(Mesh &mesh, Checkpoints &checkpoints) {
  CheckpointContents out;
  out.library = text(OP2_VERSION_MAJOR, ".", OP2_VERSION_MINOR, ".", OP2_VERSION_PATCH);
  for (const auto &set : mesh.sets()) out.sets.push_back({set->label, set->global_size});
  for (const auto &map : mesh.maps())
    out.maps.push_back({map->label, map->from->index, map->to->index, map->dim, checkpoints.sum_of(mesh, *map)});
  for (const Dat *dat : dats_of_state(mesh))
    out.dats.push_back({dat->label, dat->set->index, dat->element.name, dat->element.size, dat->dim, 0,
                        place_of(out.dats, dat->label)});
  for (const Constant &constant : mesh.objects().constants())
    out.constants.push_back({name_in_file(out.constants, constant.name), constant.element.name, constant.element.size,
                             constant.dim, std::string(constant.value.begin(), constant.value.end())});
  for (const CheckpointValue &value : checkpoints.values())
    out.values.push_back(
        {value.name, value.element.name, value.element.size, value.count, std::string(value.address, value.bytes())});
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
