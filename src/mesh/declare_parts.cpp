// Declarations of what every process has a declared part of, however it came there: read from a file.
#include <algorithm>
#include <limits>

#include "mesh/checks.hpp"
#include "mesh/declarations.hpp"
#include "mesh/numbering.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

// A program that reads its mesh from files means parts of it, unless it says otherwise.
Set &Declarations::set_share(op_gindex size, const char *name) {
  if (several() && mode_ == Declare::automatic) {
    if (objects_.sets().empty())
      mode_ = Declare::local;
    else
      settle();
  }
  op_gindex mine = size;
  if (several() && mode_ == Declare::local) {
    const int rank = communicator_.rank(), processes = communicator_.size();
    mine = share_begin(size, rank + 1, processes) - share_begin(size, rank, processes);
  }
  if (mine > std::numeric_limits<int>::max())
    fail(OP_ERR_RANGE, "set '", name, "' has ", size, " elements, and ", mine,
         " of them would come to one process, which takes at most ", std::numeric_limits<int>::max(),
         "; use more processes", several() && mode_ != Declare::local ? " and OP2_DECLARE=local" : "");
  return set(static_cast<int>(mine), name);
}

template <class Index>
Map &Declarations::map_of_parts(op_set from, op_set to, int dim, std::vector<Index> entries, const char *name,
                                std::optional<int> base) {
  const Set &source = objects_.set(from, text("argument 'from' of map '", name, "'"));
  const Set &target = objects_.set(to, text("argument 'to' of map '", name, "'"));
  const int first = base.value_or(map_base_);
  const op_gindex last = target.global_size - 1 + first;
  agreement_.together(text("map '", name, "'"), [&] {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const op_gindex entry = entries[i];
      if (entry < first || entry > last)
        fail(OP_ERR_RANGE, "map '", name, "', row ",
             source.declared_first + static_cast<op_gindex>(i / static_cast<std::size_t>(dim)), ", column ",
             i % static_cast<std::size_t>(dim), ": entry ", entry, " is outside set '", target.label, "'",
             last < first ? ", which is empty" : text(" (", first, " to ", last, ")"),
             base ? text("; the file says that its entries count from ", first)
                  : other_base(first, entry, target.global_size));
      entries[i] = static_cast<Index>(entry - first);
    }
    return 0;
  });
  if (several()) {
    Map &object = adopt_map(source, target, dim, {}, name);
    object.in_declared_order = true;
    object.targets.assign(entries.begin(), entries.end());
    return object;
  }
  std::vector<int> table;
  if constexpr (sizeof(Index) == sizeof(int))
    table = std::move(entries);
  else
    table.assign(entries.begin(), entries.end());
  translate(table, source, target, dim);
  return adopt_map(source, target, dim, std::move(table), name);
}

template Map &Declarations::map_of_parts(op_set, op_set, int, std::vector<int>, const char *, std::optional<int>);
template Map &Declarations::map_of_parts(op_set, op_set, int, std::vector<op_gindex>, const char *, std::optional<int>);

Dat &Declarations::dat_of_parts(op_set set_handle, int dim, const char *type, int type_size, const char *name,
                                const std::function<void(char *rows)> &fill) {
  need_name(name);
  Set &owner = objects_.set(set_handle, text("argument 'set' of dat '", name, "'"));
  const ElementType element = sized_type(type, type_size, name);
  const int row = row_bytes(dim, element, name);
  std::unique_ptr<Dat> object;
  std::vector<char> rows; // of a renumbered set, in the order of the declaration
  // Memory first: what fill() does may be collective.
  agreement_.together(text("dat '", name, "' on set '", owner.label, "', ", dim, " x ", element.name), [&] {
    object = new_dat(owner, dim, element, row, name);
    copies_.allocate_rows(*object);
    if (owner.renumbered()) rows.resize(static_cast<std::size_t>(owner.declared_size) * static_cast<std::size_t>(row));
    return 0;
  });
  agreement_.together(text("the values of dat '", name, "'"), [&] {
    fill(owner.renumbered() ? rows.data() : object->host.data());
    return 0;
  });
  if (owner.renumbered()) gather_rows(object->host.data(), rows.data(), owner.original, static_cast<std::size_t>(row));
  return objects_.add(std::move(object));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
