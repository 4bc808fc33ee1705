// Options of OP2's programs (arguments or environment), and the settings of this library that they set.
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

struct Op2Option {
  const char *name;
  const char *setting; // "": the option sets none
  const char *on;      // of a switch: the setting's value for NAME; "": not a switch
  const char *off;     // of a switch: the setting's value for NAME=0; "": unchanged
  const char *instead; // no setting: why the option has no effect
};

// The option of that name, or NULL. OP_PART_SIZE and OP_MAPS_BASE_INDEX are aliases in the table of settings.
const Op2Option *find_op2_option(std::string_view name);

// The new value of the setting; "" = unchanged. has_value: "=" follows the name.
std::string value_for_setting(const Op2Option &option, bool has_value, std::string_view value);

// Whether any other name of the same setting, given in the same place, overrides this option.
inline bool is_weak(const Op2Option &option) { return std::string_view(option.name) == "OP_BLOCK_SIZE"; }

} // namespace op2::core
