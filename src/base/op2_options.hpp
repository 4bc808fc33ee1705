// Options of OP2's programs, on the command line or in the environment, and the settings that they are here.
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

struct Op2Option {
  const char *name;
  const char *setting; // "": there is none
  const char *on;      // the setting's value when a switch is on; "": the option has a value
  const char *off;     // when it says "=0"; "": nothing then
  const char *instead; // no setting: what is there instead
};

// NULL for other names. OP_PART_SIZE and OP_MAPS_BASE_INDEX are plain aliases of settings.
const Op2Option *find_op2_option(std::string_view name);

// What the setting becomes; "" = stays. has_value: "=" stands behind the name.
std::string value_for_setting(const Op2Option &option, bool has_value, std::string_view value);

// Options that say less than others: where both are there, the other one counts.
inline bool is_weak(const Op2Option &option) { return std::string_view(option.name) == "OP_BLOCK_SIZE"; }

} // namespace op2::core
