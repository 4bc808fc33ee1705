// Declarations of what every process has a declared part of, however it came there: read from a file.
#include <algorithm>
#include <limits>

#include "mesh/checks.hpp"
#include "mesh/declarations.hpp"

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
Map &Declarations::map_of_parts(op_set from, op_set to, int dim, const char *name, std::optional<int> base,
                                const std::function<void(const PutEntries<Index> &put)> &fill) {
  const Set &source = objects_.set(from, text("argument 'from' of map '", name, "'"));
  const Set &target = objects_.set(to, text("argument 'to' of map '", name, "'"));
  const std::string what = text("map '", name, "'");
  const int first = base.value_or(map_base_);
  const op_gindex last = target.global_size - 1 + first;
  const std::size_t width = static_cast<std::size_t>(dim), size = static_cast<std::size_t>(source.declared_size);
  std::vector<int> table;
  PagedArray paged;               // the table
  std::vector<op_gindex> targets; // with several processes
  agreement_.together(what, [&] {
    if (several())
      targets = new_table<op_gindex>(size, dim, name);
    else
      table = new_table<int>(size, dim, name, false), paged = copies_.page_empty(table, name);
    return 0;
  });
  const auto checked = [&](op_gindex number, std::size_t column, op_gindex entry) {
    if (entry < first || entry > last)
      fail(OP_ERR_RANGE, "map '", name, "', row ", source.declared_first + number, ", column ", column, ": entry ",
           entry, " is outside set '", target.label, "'",
           last < first ? ", which is empty" : text(" (", first, " to ", last, ")"),
           base ? text("; the file says that its entries count from ", first)
                : other_base(first, entry, target.global_size));
    return entry - first;
  };
  fill([&](std::int64_t at, std::int64_t rows, const Index *entries) {
    agreement_.together(what, [&] {
      for (std::int64_t number = at; number < at + rows; ++number) {
        const std::size_t declared = static_cast<std::size_t>(number);
        const std::size_t row =
            several() || !source.renumbered() ? declared : static_cast<std::size_t>(source.place[declared]);
        if (!several()) table.resize(std::max(table.size(), (row + 1) * width)); // there is room
        for (std::size_t column = 0; column < width; ++column) {
          const op_gindex entry = checked(number, column, *entries++);
          if (several())
            targets[row * width + column] = entry;
          else
            table[row * width + column] =
                target.renumbered() ? target.place[static_cast<std::size_t>(entry)] : static_cast<int>(entry);
        }
      }
      return 0;
    });
  });
  Map &object = adopt_map(source, target, dim, {}, name);
  if (!several()) {
    copies_.install(object, std::move(table), std::move(paged));
    return object;
  }
  object.in_declared_order = true;
  object.targets = std::move(targets);
  return object;
}

template Map &Declarations::map_of_parts(op_set, op_set, int, const char *, std::optional<int>,
                                         const std::function<void(const PutEntries<int> &)> &);
template Map &Declarations::map_of_parts(op_set, op_set, int, const char *, std::optional<int>,
                                         const std::function<void(const PutEntries<op_gindex> &)> &);

Dat &Declarations::dat_of_parts(op_set set_handle, int dim, const char *type, int type_size, const char *name,
                                const std::function<void(Dat &dat)> &fill) {
  need_name(name);
  Set &owner = objects_.set(set_handle, text("argument 'set' of dat '", name, "'"));
  const ElementType element = sized_type(type, type_size, name);
  const int row = row_bytes(dim, element, name);
  std::unique_ptr<Dat> object;
  // Memory first: what fill() does is collective.
  agreement_.together(text("dat '", name, "' on set '", owner.label, "', ", dim, " x ", element.name), [&] {
    object = new_dat(owner, dim, element, row, name);
    if (owner.distributed)
      copies_.allocate(*object, nullptr); // copies of other processes' rows are zeros
    else
      copies_.allocate_rows(*object);
    return 0;
  });
  fill(*object);
  return objects_.add(std::move(object));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
