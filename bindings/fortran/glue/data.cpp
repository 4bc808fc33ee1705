// Values of dats in and out, and what Fortran programs ask about rows.
#include <cstdio>
#include <memory>
#include <unordered_map>
#include <vector>

#include "glue.hpp"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/heads.h"
#include "op2/info.h"
#include "op2/inspect.h"
#include "op2/meshfile.h"
#include "op2/order.h"
#include "op2/partition.h"

using namespace op2::fortran;

namespace {

// Whether an array of `room` values (-1: not known, -2: not one after another) of this type takes `rows` rows of a dat.
bool fits(const char *call, op_dat dat, const char *type, long long room, long long rows) {
  const char *const own = op_dat_type(dat); // reports what is no dat
  if (!own) return false;
  if (room == -2) {
    raise(OP_ERR_ARGUMENT, call, "the array is not contiguous; pass a whole array or a copy");
    return false;
  }
  if (std::string(own) != type) {
    raise(OP_ERR_TYPE, call, std::string("dat '") + op_dat_name(dat) + "' has type " + own + ", the array " + type);
    return false;
  }
  const long long values = rows * op_dat_dim(dat);
  if (rows < 0 || room == -1 || values <= room) return rows >= 0;
  raise(OP_ERR_DIM, call,
        std::string("dat '") + op_dat_name(dat) + "' has " + std::to_string(values) + " values, but the array " +
            std::to_string(room));
  return false;
}

long long rows_of(op_dat dat, bool whole) {
  const op_set set = op_dat_set(dat);
  if (!set) return -1;
  return whole ? op_get_size(set) : op_get_size_declared(set);
}

// Where entries of maps begin, as the program declares them.
int first_entry() {
  const char *const first = op_setting("OP2_MAPS_BASE_INDEX");
  return first && *first == '0' ? 0 : 1;
}

// A dat of the program's own, as op_mpi_get_data() gives it.
struct Copy {
  op_dat_core head{};
  std::vector<char> rows;
};
std::unordered_map<op_dat, std::unique_ptr<Copy>> &copies() {
  static std::unordered_map<op_dat, std::unique_ptr<Copy>> all;
  return all;
}

// Rows as this process has declared them, to the end of the session.
void *stand_in(op_dat dat) {
  const long long rows = rows_of(dat, false);
  if (rows < 0) return nullptr;
  std::vector<char> copy(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dat->size) + 1);
  if (op_fetch_data_own(dat, copy.data()) != OP_OK) return nullptr;
  return keep(std::move(copy));
}

} // namespace

extern "C" {

// part: 0 and 2 what this process has declared, with a warning or without; 1 the whole dat.
void op2f_fetch(op_dat dat, void *data, const char *type, long long room, int part) {
  static constexpr const char *names[] = {"op_fetch_data", "op_fetch_data_all", "op_fetch_data_own"};
  if (!fits(names[part], dat, type, room, rows_of(dat, part == 1))) return;
  part == 1 ? op_fetch_data_all(dat, data) : part == 2 ? op_fetch_data_own(dat, data) : op_fetch_data(dat, data);
}

void op2f_fetch_idx(op_dat dat, void *data, const char *type, long long room, long long low, long long high) {
  const long long size = rows_of(dat, true);
  if (size >= 0 && (low < 1 || high > size || high < low - 1))
    return raise(OP_ERR_RANGE, "op_fetch_data_idx",
                 "elements " + std::to_string(low) + " to " + std::to_string(high) + " of dat '" + op_dat_name(dat) +
                     "' are asked for; there are 1 to " + std::to_string(size));
  if (fits("op_fetch_data_idx", dat, type, room, high - low + 1)) op_fetch_data_idx(dat, data, low - 1, high - 1);
}

void op2f_put(op_dat dat, const void *data, const char *type, long long room, int whole) {
  if (!fits(whole ? "op_put_data_all" : "op_put_data", dat, type, room, rows_of(dat, whole != 0))) return;
  whole ? op_put_data_all(dat, data) : op_put_data(dat, data);
}

int op2f_first_entry() { return first_entry(); }

void *op2f_data_of(op_dat dat) { return dat && op_dat_sync_host(dat) == OP_OK ? dat->data : nullptr; }

int *op2f_table_of(op_map map) { return map && op_map_name(map) ? map->map : nullptr; }

int op2f_rows_of(op_dat dat) {
  const op_set set = op_dat_set(dat);
  return set ? op_get_size_local(set) : -1;
}

int *op2f_get_g_index(op_set set, int first, int *count) {
  static std::unordered_map<op_set, std::vector<int>> numbers[2]; // from 0 and from 1
  *count = 0;
  const int size = op_get_size_local(set);
  if (size < 0) return nullptr;
  std::vector<int> &all = numbers[first][set];
  all.assign(static_cast<std::size_t>(size) + 1, 0);
  if (op_get_order(set, all.data()) != OP_OK) return nullptr;
  for (int &one : all) one += first;
  *count = size;
  return all.data();
}

op_dat op2f_copy_of(op_dat dat) {
  const long long rows = rows_of(dat, false);
  if (rows < 0) return nullptr;
  auto copy = std::make_unique<Copy>();
  copy->head = *dat;
  copy->rows.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dat->size) + 1);
  copy->head.data = copy->rows.data();
  copy->head.data_d = nullptr;
  if (op_fetch_data_own(dat, copy->rows.data()) != OP_OK) return nullptr;
  const op_dat handle = &copy->head;
  copies()[handle] = std::move(copy);
  return handle;
}

void op2f_free_copy(op_dat copy) {
  if (copies().erase(copy) == 0)
    raise(OP_ERR_HANDLE, "op_mpi_free_data", "this is no copy that op_mpi_get_data() made");
}

void op2f_put_rows(op_dat dat, const void *data, const char *type, long long room, long long rows) {
  const long long declared = rows_of(dat, false);
  if (declared >= 0 && rows != declared)
    return raise(OP_ERR_DIM, "op_mpi_put_data",
                 std::string("local_size is ") + std::to_string(rows) + ", but this process has declared " +
                     std::to_string(declared) + " elements of the set of dat '" + op_dat_name(dat) + "'");
  if (fits("op_mpi_put_data", dat, type, room, declared)) op_put_data(dat, data);
}

// Another address for the dat. Rows may move when processes divide the mesh, and those of another dat may come to lie
// there: until then an address that is to last (mode 1) is that of a copy, which holds the values of that moment.
void *op2f_reset_data(op_dat dat, int mode) {
  if (!dat) return nullptr;
  if (mode != 1 && mode != 2) {
    raise(OP_ERR_ARGUMENT, "op_reset_data_ptr", "mode is " + std::to_string(mode) + "; there are 1 and 2");
    return nullptr;
  }
  const bool may_move = op_comm_size() > 1 && !op_is_partitioned();
  void *const place = mode == 1 && may_move ? stand_in(dat) : op2f_data_of(dat);
  remember(place, dat);
  return place;
}

int *op2f_reset_map(op_map map) {
  int *const table = op2f_table_of(map);
  remember(table, map);
  return table;
}

int *op2f_copy_map(op_map map) {
  if (!map) return nullptr;
  const auto entries =
      static_cast<std::size_t>(op_get_size_local(op_map_from(map))) * static_cast<std::size_t>(op_map_dim(map));
  int *const copy = static_cast<int *>(op2f_memalloc((entries + 1) * sizeof(int)));
  for (std::size_t i = 0; copy && map->map && i < entries; ++i) copy[i] = map->map[i] + 1;
  return copy;
}

// With room for copies of others' rows, to a multiple of 32.
int op2f_rows_padded(op_dat dat) {
  if (!dat) return 0;
  const op_set set = dat->set;
  return (set->size + set->exec_size + set->nonexec_size + 31) / 32 * 32;
}

int op2f_map_dim(op_map map) { return map ? op_map_dim(map) : 0; }

// Declared rows are numbered through in the order of the processes, unless each declares all of them.
void op2f_write_index(op_set set, op_dat dat) {
  const long long rows = op_get_size_declared(set);
  const long long first = rows == op_get_size(set) ? 0 : op_get_global_set_offset(set);
  if (rows < 0 || !fits("op_dat_write_index", dat, "int", -1, rows)) return;
  if (op_dat_dim(dat) != 1 || op_dat_set(dat) != set)
    return raise(OP_ERR_DIM, "op_dat_write_index", "the dat has one value on each element of the set");
  std::vector<int> numbers(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(first + static_cast<long long>(i) + 1);
  op_put_data(dat, numbers.data());
}

void op2f_probe_halo_index(op_set set, int in, int *rank, int *out) {
  *rank = *out = -1;
  const int own = op_get_size_local(set);
  if (own < 0) return;
  if (in < 1 || in > own)
    return raise(OP_ERR_UNSUPPORTED, "op_mpi_probe_halo_index",
                 "row " + std::to_string(in) + " is none of the " + std::to_string(own) +
                     " that this process owns; the owners of others are not told");
  op_rank(rank);
  *out = in;
}

void op2f_dump_map(op_map map, const char *file) {
  if (!op_map_name(map)) return;
  int rank = 0;
  op_rank(&rank);
  const std::string path = op_comm_size() > 1 ? std::string(file) + "." + std::to_string(rank) : file;
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> out(std::fopen(path.c_str(), "w"), std::fclose);
  if (!out) return raise(OP_ERR_FILE, "dumpOpMap", "'" + path + "' cannot be written");
  const int rows = op_get_size_local(op_map_from(map)), dim = op_map_dim(map);
  std::fprintf(out.get(), "%d %d\n", rows, dim);
  for (long long i = 0; map->map && i < static_cast<long long>(rows) * dim; ++i)
    std::fprintf(out.get(), "%d%c", map->map[i] + first_entry(), (i + 1) % dim == 0 ? '\n' : ' ');
}

void op2f_upload_all() {
  int count = 0;
  const op_dat *const all = op_all_dats(&count);
  for (int i = 0; i < count; ++i) op_dat_mark_host_new(all[i]);
}

// The type by Fortran's name.
op_dat op2f_decl_dat_hdf5(op_set set, int dim, const char *type, int length, const char *file, const char *name) {
  const std::string as_given(type, static_cast<std::size_t>(length));
  const char *const known = type_name(type, static_cast<std::size_t>(length));
  return op_decl_dat_hdf5(set, dim, known ? known : as_given.c_str(), file, name);
}

// Fetches rows of others for a loop that the program runs by itself.
void op2f_exchange(const char *, op_set set, int nargs, op_arg *args) {
  if (op_mpi_halo_exchanges(set, nargs, args) >= 0) op_hand_loop_wait(nargs, args);
}

} // extern "C"

// SPDX-License-Identifier: MIT
