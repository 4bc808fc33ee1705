// lists.hpp: the sets, maps and dats of a program, in OP2's global variables. Programs must only read them.
#ifndef OP2_COMPAT_CPP_LISTS_HPP
#define OP2_COMPAT_CPP_LISTS_HPP

#include <vector>

namespace op2 {
namespace compat {

inline const op_set *sets(int &count) { return op_all_sets(&count); }
inline const op_map *maps(int &count) { return op_all_maps(&count); }
inline const op_dat *dats(int &count) { return op_all_dats(&count); }

template <class Handle>
const Handle *list_of(const Handle *(*all)(int &)) {
  int count = 0;
  return op_is_initialised() ? all(count) : NULL;
}
template <class Handle>
int count_of(const Handle *(*all)(int &)) {
  int count = 0;
  if (op_is_initialised()) all(count);
  return count;
}

// OP2's linked list of dats; each access makes a new list.
inline Double_linked_list &dat_list() {
  static std::vector<op_dat_entry> entries;
  static Double_linked_list list;
  int count = 0;
  const op_dat *const all = op_is_initialised() ? op_all_dats(&count) : NULL;
  entries.assign(static_cast<std::size_t>(count), op_dat_entry());
  TAILQ_INIT(&list);
  for (int i = 0; i < count; ++i) {
    op_dat_entry &entry = entries[static_cast<std::size_t>(i)];
    entry.dat = all[i];
    entry.orig_ptr = all[i]->data;
    TAILQ_INSERT_TAIL(&list, &entry, entries);
  }
  return list;
}

} // namespace compat
} // namespace op2

#define OP_set_list (::op2::compat::list_of(&::op2::compat::sets))
#define OP_map_list (::op2::compat::list_of(&::op2::compat::maps))
#define OP_dat_list (::op2::compat::dat_list())
#define OP_set_index (::op2::compat::count_of(&::op2::compat::sets))
#define OP_map_index (::op2::compat::count_of(&::op2::compat::maps))
#define OP_dat_index (::op2::compat::count_of(&::op2::compat::dats))
#define OP_set_max OP_set_index
#define OP_map_max OP_map_index

// Number of elements of the set of this name on this process, with all copies; an unknown name ends the program, as in
// OP2.
inline int op_size_of_set(const char *name) {
  int count = 0;
  const op_set *const all = op_all_sets(&count);
  for (int i = 0; i < count; ++i)
    if (strcmp(all[i]->name, name) == 0) return op_get_size_local_full(all[i]);
  fprintf(stderr, "op_size_of_set(): there is no set '%s'\n", name);
  exit(-1);
}

#endif

// SPDX-License-Identifier: MIT
