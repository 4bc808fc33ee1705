#include "base/op2_options.hpp"

#include <array>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::array options_table = {
    // OP2: threads of a block on GPUs and, on some of its targets, elements of a block of a plan.
    Op2Option{"OP_BLOCK_SIZE", "OP2_BLOCK_SIZE", "", "", ""},
    Op2Option{"OP_AUTO_SOA", "OP2_LAYOUT", "soa", "", ""},
    // OP2's own limit for maps that exchange by themselves.
    Op2Option{"OP_PARTIAL_EXCHANGE", "OP2_PARTIAL_EXCHANGE", "30", "0", ""},
    Op2Option{"OP_HYBRID_BALANCE", "OP2_PARTITION_WEIGHTS", "", "", ""},
    Op2Option{"OP_FALLBACK_MODE", "OP2_FALLBACK", "", "", ""},
    Op2Option{"-gpudirect", "OP2_GPU_DIRECT", "mpi", "off", ""},
    Op2Option{"OP_NO_REALLOC", "", "", "", "what is declared is copied, and the program's arrays may be freed then"},
    Op2Option{"OP_CACHE_LINE_SIZE", "", "", "",
              "op_timing_output() counts the bytes of rows and maps that a loop needs, not lines of a cache"},
    Op2Option{"OP_TEST_FREQ", "", "", "", "messages move on by themselves while loops run"},
    Op2Option{"OP_CUDA_REDUCTIONS_MIB", "", "", "",
              "executor cuda takes the memory that a loop's sums need; OP2_CUDA_SUMS says how they are added up"},
    Op2Option{"OP_WHITELIST", "", "", "",
              "every loop may run on the device; OP2_FALLBACK says what happens to one that cannot"},
};

} // namespace

const Op2Option *find_op2_option(std::string_view name) {
  for (const Op2Option &option : options_table)
    if (name == option.name) return &option;
  return nullptr;
}

std::string value_for_setting(const Op2Option &option, bool has_value, std::string_view value) {
  const std::string_view name = option.name;
  if (option.on[0]) return has_value && value == "0" ? option.off : option.on;
  if (name == "OP_HYBRID_BALANCE") return text("gpu=", value);
  if (name == "OP_FALLBACK_MODE") // OP2 knows "silent" and "warn", too: loops then run on the host
    return value == "silent" || value == "warn" || value == "warning" ? "host" : std::string(value);
  return std::string(value);
}

} // namespace op2::core
