// Settings: named texts from the command line, the environment or the program, checked when they are read.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

// Experts: who tests or measures the library, or knows the machine better than the library does.
enum class Audience { users, experts };

// One setting. `allowed`: "a|b|c", "#" for a whole number >= 0, "" for any text. `alias`: OP2's name for it, or "".
struct SettingInfo {
  const char *name;
  Audience audience;
  const char *alias;
  const char *initial;
  const char *allowed;
  const char *help;
};

std::span<const SettingInfo> all_settings();

// An option by the name that another library has for it.
struct ForeignOption {
  const char *name;         // with its dashes where they are part of it
  const char *setting = ""; // "": it sets none
  // The setting's new value; "" = unchanged. has_value: "=" follows the name.
  std::string (*value)(bool has_value, std::string_view value) = nullptr;
  bool weak = false;        // any other name of the same setting, given in the same place, overrides it
  const char *instead = ""; // no setting: why the option has no effect
};

struct ForeignOptions {
  const char *project = "";           // whose names these are
  std::span<const ForeignOption> all; // of the program's lifetime
};

class Settings {
 public:
  // Reads the environment, then the program's arguments ("OP2_RACE=colour", "OP_PART_SIZE=256", also behind dashes),
  // which override it. Foreign options become settings or warnings(), unknown OP2_ variables warnings(). Throws
  // OP_ERR_ARGUMENT for a value that is not allowed and for an unknown OP2_ argument.
  static Settings load(int argc, const char *const *argv, const ForeignOptions &foreign = {});

  const std::string &get(std::string_view name) const; // throws OP_ERR_INTERNAL for unknown names
  int get_int(std::string_view name) const;
  double get_bytes(std::string_view name) const;   // 0 = empty
  const char *origin(std::string_view name) const; // "default", "environment", "argument", "program"
  bool exists(std::string_view name) const { return values_.count(std::string(name)) != 0; }
  void set(std::string_view name, const std::string &value, const char *origin);

  const std::vector<std::string> &warnings() const { return warnings_; }

 private:
  struct Value {
    std::string text;
    const char *origin;
  };
  enum class Pass { weak, foreign, own }; // passes over the environment
  void read_environment();
  void read_variable(std::string_view name, std::string_view value, Pass pass);
  void read_argument(std::string_view argument, bool weak);
  const ForeignOption *find_foreign(std::string_view name) const;
  void take(const ForeignOption &option, bool has_value, std::string_view value, const char *origin);

  ForeignOptions foreign_;
  std::map<std::string, Value> values_;
  std::vector<std::string> warnings_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
