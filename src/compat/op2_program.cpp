#include "compat/op2_program.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"
#include "op2/init.h"

namespace op2::core {

namespace {

using Value = std::string_view;

// A value is taken as it is; without one, OP2 ignores the option, too.
std::string as_it_is(bool, Value value) { return std::string(value); }

std::string layout(bool has_value, Value value) { return has_value && value == "0" ? "" : "soa"; }

std::string space_of_messages(bool has_value, Value value) { return has_value && value == "0" ? "off" : "mpi"; }

std::string share_of_gpus(bool has_value, Value value) { return has_value ? text("gpu=", value) : ""; }

// OP2 knows "silent" and "warn", too: loops then run on the host.
std::string fallback(bool, Value value) {
  return value == "silent" || value == "warn" || value == "warning" ? "warn" : std::string(value);
}

// OP_PART_SIZE and OP_MAPS_BASE_INDEX are aliases in the table of settings.
constexpr std::array options_table = {
    // OP2: threads of a block on GPUs and, on some of its targets, elements of a block of a plan.
    ForeignOption{.name = "OP_BLOCK_SIZE", .setting = "OP2_BLOCK_SIZE", .value = as_it_is, .weak = true},
    ForeignOption{.name = "OP_AUTO_SOA", .setting = "OP2_LAYOUT", .value = layout},
    ForeignOption{.name = "OP_HYBRID_BALANCE", .setting = "OP2_PARTITION_WEIGHTS", .value = share_of_gpus},
    ForeignOption{.name = "OP_FALLBACK_MODE", .setting = "OP2_FALLBACK", .value = fallback},
    ForeignOption{.name = "-gpudirect", .setting = "OP2_GPU_DIRECT", .value = space_of_messages},
    ForeignOption{.name = "OP_PARTIAL_EXCHANGE",
                  .instead = "a loop exchanges only what its map reaches where that is less than 30 % of all copies"},
    ForeignOption{.name = "OP_NO_REALLOC",
                  .instead = "what is declared is copied, and the program's arrays may be freed then"},
    ForeignOption{.name = "OP_CACHE_LINE_SIZE",
                  .instead = "op_timing_output() counts the bytes of rows and maps that a loop needs, not lines of a "
                             "cache"},
    ForeignOption{.name = "OP_TEST_FREQ", .instead = "messages move on by themselves while loops run"},
    ForeignOption{.name = "OP_CUDA_REDUCTIONS_MIB",
                  .instead = "executor cuda takes the memory that a loop's sums need; OP2_CUDA_SUMS says how they are "
                             "added up"},
    ForeignOption{.name = "OP_WHITELIST",
                  .instead = "every loop may run on the device; OP2_FALLBACK says what happens to one that cannot"},
};

constexpr bool is_in_op2s_words(int flags) { return (flags & OP_LOCAL_INDICES) != 0; }

} // namespace

Dialect dialect_of(int flags, std::function<void(const std::string &)> warn) {
  Dialect out;
  out.reads_rows_in_place = flags != 0;
  out.warn = std::move(warn);
  if (!is_in_op2s_words(flags)) return out;
  out.writes_in_part = out.declares_parts = out.declares_unset_rows = out.keeps_parts = true;
  out.counts_rows = out.reads_copies = out.reads_arguments = out.replaces_tables = out.repeats_names = true;
  return out;
}

Settings load_settings(int argc, const char *const *argv, int flags) {
  Settings settings = Settings::load(argc, argv, {"OP2", options_table});
  if (is_in_op2s_words(flags) && settings.get("OP2_CHECK").empty())
    settings.set("OP2_CHECK", "-partial", "OP2's programs may leave components as they were");
  return settings;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
