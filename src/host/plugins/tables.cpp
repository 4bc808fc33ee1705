#include "host/plugins/tables.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.hpp"
#include "host/plugins/loader.hpp"

namespace op2::core {

namespace {

constexpr int longest_parent_chain = 4; // guards against plugins that name each other

struct Required {
  std::size_t offset; // of a function pointer in the table
  const char *name;
};

// All entries of a table behind its size are pointers, so the table can be merged word by word.
void merge_words(void *into, const void *from, std::size_t table_bytes) {
  std::size_t from_bytes = 0;
  std::memcpy(&from_bytes, from, sizeof from_bytes);
  from_bytes = std::min(from_bytes, table_bytes);
  for (std::size_t at = sizeof(std::size_t); at + sizeof(void *) <= from_bytes; at += sizeof(void *)) {
    void *mine = nullptr;
    std::memcpy(&mine, static_cast<char *>(into) + at, sizeof mine);
    if (!mine) std::memcpy(static_cast<char *>(into) + at, static_cast<const char *>(from) + at, sizeof mine);
  }
}

const op_plugin_v1 *parent_of(Registry &registry, const op_plugin_v1 *plugin, const char *name) {
  try {
    return registry.get(plugin->kind, name);
  } catch (const Error &error) {
    fail(OP_ERR_PLUGIN, "plugin '", plugin->name, "' needs entries of its parent '", name, "': ", error.what());
  }
}

template <class Table>
Table complete(Registry &registry, const op_plugin_v1 *plugin, std::span<const Required> required) {
  Table table{};
  const op_plugin_v1 *source = plugin;
  for (int depth = 0; source && depth < longest_parent_chain; ++depth) {
    merge_words(&table, source->ops, sizeof table);
    source = source->parent ? parent_of(registry, plugin, source->parent) : nullptr;
  }
  table.size = sizeof table;
  for (const Required &entry : required) {
    void *pointer = nullptr;
    std::memcpy(&pointer, reinterpret_cast<const char *>(&table) + entry.offset, sizeof pointer);
    if (!pointer)
      fail(OP_ERR_PLUGIN, "plugin '", plugin->name, "' (", kind_title(plugin->kind), ") lacks the entry ", entry.name);
  }
  return table;
}

// Entries of whoever makes the kernels: a plugin may be older than they are, and its parent knows nothing of its
// kernels.
template <class Entry>
Entry entry_of_maker(Registry &registry, const op_plugin_v1 *plugin, Entry op_exec_ops_v1::*entry) {
  op_exec_ops_v1 own{};
  merge_words(&own, plugin->ops, sizeof own);
  if (own.*entry || own.kernel_create || !plugin->parent) return own.*entry;
  return entry_of_maker(registry, parent_of(registry, plugin, plugin->parent), entry);
}

// Those of chains belong together, as their state does.
void take_chains(op_exec_ops_v1 &table, Registry &registry, const op_plugin_v1 *plugin) {
  table.chain_create = nullptr, table.chain_free = nullptr, table.chain_run = nullptr, table.chain_form = nullptr;
  table.chain_threads = nullptr;
  op_exec_ops_v1 own{};
  merge_words(&own, plugin->ops, sizeof own);
  if (own.chain_create || own.chain_run || own.kernel_create || !plugin->parent) {
    table.chain_create = own.chain_create, table.chain_free = own.chain_free;
    table.chain_run = own.chain_run, table.chain_form = own.chain_form;
    table.chain_threads = own.chain_threads;
  } else {
    take_chains(table, registry, parent_of(registry, plugin, plugin->parent));
  }
}

#define OP2_REQUIRED(table, entry) \
  Required { offsetof(table, entry), #entry }

} // namespace

op_exec_ops_v1 exec_table(Registry &registry, const op_plugin_v1 *plugin) {
  using T = op_exec_ops_v1;
  static const Required required[] = {OP2_REQUIRED(T, open),
                                      OP2_REQUIRED(T, close),
                                      OP2_REQUIRED(T, caps),
                                      OP2_REQUIRED(T, mem_alloc),
                                      OP2_REQUIRED(T, mem_free),
                                      OP2_REQUIRED(T, mem_copy),
                                      OP2_REQUIRED(T, mem_zero),
                                      OP2_REQUIRED(T, kernel_create),
                                      OP2_REQUIRED(T, kernel_free),
                                      OP2_REQUIRED(T, kernel_form),
                                      OP2_REQUIRED(T, kernel_plan_request),
                                      OP2_REQUIRED(T, loop_run)};
  T table = complete<T>(registry, plugin, required);
  table.kernel_range = entry_of_maker(registry, plugin, &T::kernel_range);
  take_chains(table, registry, plugin);
  return table;
}

op_comm_ops_v1 comm_table(Registry &registry, const op_plugin_v1 *plugin) {
  using T = op_comm_ops_v1;
  static const Required required[] = {
      OP2_REQUIRED(T, open),     OP2_REQUIRED(T, close),       OP2_REQUIRED(T, abort),      OP2_REQUIRED(T, rank),
      OP2_REQUIRED(T, size_of),  OP2_REQUIRED(T, node_rank),   OP2_REQUIRED(T, node_size),  OP2_REQUIRED(T, caps),
      OP2_REQUIRED(T, barrier),  OP2_REQUIRED(T, bcast),       OP2_REQUIRED(T, allreduce),  OP2_REQUIRED(T, allgatherv),
      OP2_REQUIRED(T, exscan),   OP2_REQUIRED(T, halo_create), OP2_REQUIRED(T, halo_start), OP2_REQUIRED(T, halo_wait),
      OP2_REQUIRED(T, halo_free)};
  return complete<T>(registry, plugin, required);
}

op_part_ops_v1 part_table(Registry &registry, const op_plugin_v1 *plugin) {
  const op_part_ops_v1 table = complete<op_part_ops_v1>(registry, plugin, {});
  if (!table.part_graph && !table.order)
    fail(OP_ERR_PLUGIN, "plugin '", plugin->name, "' (a partitioner) has neither part_graph nor order");
  return table;
}

op_io_ops_v1 io_table(Registry &registry, const op_plugin_v1 *plugin) {
  using T = op_io_ops_v1;
  static const Required required[] = {OP2_REQUIRED(T, extensions),      OP2_REQUIRED(T, open),
                                      OP2_REQUIRED(T, close),           OP2_REQUIRED(T, describe),
                                      OP2_REQUIRED(T, create),          OP2_REQUIRED(T, read_rows),
                                      OP2_REQUIRED(T, write_rows),      OP2_REQUIRED(T, read_attribute),
                                      OP2_REQUIRED(T, write_attribute), OP2_REQUIRED(T, exists),
                                      OP2_REQUIRED(T, create_group),    OP2_REQUIRED(T, read_text),
                                      OP2_REQUIRED(T, write_text),      OP2_REQUIRED(T, sync)};
  return complete<T>(registry, plugin, required);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
