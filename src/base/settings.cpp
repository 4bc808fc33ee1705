#include "base/settings.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr Audience users = Audience::users, experts = Audience::experts;

// Settings for users, then those for experts.
constexpr std::array settings_table = {
    SettingInfo{"OP2_BACKEND", users, "", "auto", "",
                "what runs the program: names joined by '+', e.g. seq, openmp, auto"},
    SettingInfo{"OP2_NUM_THREADS", users, "", "0", "#", "threads of the executor; 0 = OMP_NUM_THREADS, else all cores"},
    SettingInfo{"OP2_ERROR", users, "", "abort", "abort|return",
                "what happens after an error: end all processes, or return a status"},
    SettingInfo{"OP2_LOG", users, "", "warn", "error|warn|info|debug|0|1|2|3", "messages on stderr"},
    SettingInfo{"OP2_TRACE", users, "", "", "", "file for a Chrome trace of everything that ran; empty = none"},
    SettingInfo{
        "OP2_TIMING", users, "", "on", "",
        "times of loops: on, off, or wait = for each loop; behind ',' what happens to them when the program ends: "
        "table prints them, a file.csv or file.json gets them"},
    SettingInfo{"OP2_RACE", users, "", "auto", "auto|owner|colour|atomic|gather",
                "how threads that add to the same element are kept apart"},
    SettingInfo{"OP2_REPRODUCIBLE", users, "", "0", "0|1",
                "sums and extrema have the same bits on any number of processes and threads; slower"},
    SettingInfo{"OP2_DECLARE", users, "", "auto", "auto|local|replicated|root",
                "several processes: each declares its own part of the mesh, all of it, or process 0 does; auto = find "
                "out which of the first two"},
    SettingInfo{"OP2_PARTITION", users, "", "auto", "",
                "several processes: how elements are divided when the program does not say: auto, off, or a name of "
                "op_partition(), e.g. ptscotch"},
    SettingInfo{"OP2_PARTITION_WEIGHTS", users, "", "auto", "",
                "several processes: shares of the mesh by process, e.g. 1,1,2; gpu=4; equal; measured; auto = measured "
                "when executors or threads differ"},
    SettingInfo{"OP2_REBALANCE", users, "", "off", "off|auto",
                "several processes: auto = rows move between loops when some processes have taken longer than others"},
    SettingInfo{
        "OP2_FALLBACK", users, "", "warn", "warn|error|strict",
        "what cannot be had: warn = something else with a warning; error = a kernel that a device cannot run is an "
        "error; strict = so is a partitioner that is not there"},
    SettingInfo{"OP2_RENUMBER", users, "", "auto", "auto|off|always",
                "give the mesh another order before the first loop: auto = when that saves more than it takes"},
    SettingInfo{"OP2_LAYOUT", users, "", "auto", "auto|aos|soa|declared",
                "how rows of several values lie in the executor's copy; auto = as the executor wishes"},
    SettingInfo{"OP2_CHECK", users, "", "", "",
                "executor check: what to look for, e.g. read,write or -nan; warn = go on after a finding"},
    SettingInfo{"OP2_MAPS_BASE_INDEX", users, "OP_MAPS_BASE_INDEX", "0", "0|1",
                "first index in maps given to op_decl_map"},
    SettingInfo{"OP2_CHAIN", users, "", "off", "off|auto|#",
                "record loops and run them together: off = between op_chain_begin() and op_chain_end(); auto = until "
                "something looks at data; a number = the same, at most so many at once"},
    SettingInfo{"OP2_JIT", users, "", "auto", "auto|on|off|verify",
                "compile code made for each loop; auto = begin with the program's own, then scalar code until vectors "
                "are compiled; verify = compare it with the program's own before each call"},
    SettingInfo{
        "OP2_JIT_MATH", users, "", "exact", "exact|vector",
        "exp, pow, sin, ... of that code: exact = the C library's bits, vector = faster, within 4 units in the last "
        "place"},
    SettingInfo{"OP2_JIT_CACHE", users, "", "", "",
                "folder for compiled code; empty = ~/.cache/op2, off = none; behind ':' folders that are only read"},
    SettingInfo{"OP2_CXX", users, "", "", "",
                "C++ compiler for that code, with flags; empty = c++, g++ or clang++ in PATH"},
    SettingInfo{
        "OP2_IO_DRIVER", users, "", "auto", "",
        "driver of files; auto = by the end of a file's name, else hdf5; subfiles = auto, and in the background "
        "each process writes a file of its own"},
    SettingInfo{"OP2_IO_ASYNC", users, "", "0", "#",
                "MiB of rows that may wait while op_fetch_data_hdf5_file() writes in the background; 0 = it writes at "
                "once"},
    SettingInfo{"OP2_HDF5_DEFLATE", users, "", "0", "0|1|2|3|4|5|6|7|8|9",
                "level of compression of arrays that are written; 0 = none"},
    SettingInfo{"OP2_CHECKPOINT_SECONDS", users, "", "", "",
                "seconds between checkpoints of op_checkpoint_if_due(), or never; empty = as the program says"},
    SettingInfo{
        "OP2_MEMORY_LIMIT", users, "", "", "bytes",
        "memory of each process for dats and maps, e.g. 8G: what does not fit is in a file; empty = all in memory"},
    SettingInfo{"OP2_OOC_DIR", users, "", "", "", "folder of that file, on a fast disk; empty = the current one"},
    SettingInfo{"OP2_GPU_DIRECT", experts, "", "auto", "auto|mpi|nccl|ipc|kernel|off",
                "several processes with devices: messages straight from their memory where that works, and by what"},
    SettingInfo{"OP2_SHARED_MEMORY", experts, "", "on", "on|off",
                "processes of one machine exchange rows in memory they share; off = all by messages"},
    SettingInfo{"OP2_BLOCK_SIZE", experts, "OP_PART_SIZE", "0", "#", "elements per block of a plan; 0 = automatic"},
    SettingInfo{"OP2_UNTIL", experts, "", "speculative", "speculative|ordered",
                "op_par_loop_until(): elements at the same time on private copies, or in order on the rows themselves, "
                "where elements may read what earlier ones have written"},
    SettingInfo{"OP2_CHAIN_DEPTH", experts, "", "auto", "auto|#",
                "several processes: layers of copies that a chain may use to exchange less often; auto = by time; 0 = "
                "loops exchange as without a chain"},
    SettingInfo{"OP2_CHAIN_TILE", experts, "", "0", "",
                "KiB of rows in a tile of a chain; 0 = by the caches, and by time; two numbers: caches to go by, e.g. "
                "1024,32768"},
    SettingInfo{"OP2_OOC_CHUNK", experts, "", "0", "#",
                "KiB that are read and written at a time under OP2_MEMORY_LIMIT, a power of two from 4 on; 0 = by the "
                "limit"},
    SettingInfo{"OP2_OOC_IO", experts, "", "auto", "auto|uring|threads",
                "requests under OP2_MEMORY_LIMIT: by io_uring, or by threads; auto = the first where the system allows "
                "it"},
    SettingInfo{"OP2_JIT_ISA", experts, "", "native", "native|avx512|avx2|sse2|scalar",
                "vector instructions of that code"},
    SettingInfo{"OP2_JIT_FORM", experts, "", "auto", "auto|soon|first|widest|narrow|scalar",
                "form of that code: auto = the fastest, by time; soon = measured from the second call on; first = "
                "without a comparison; else as many lanes as fit, half of them, or none"},
    SettingInfo{"OP2_JIT_MIN_ELEMENTS", experts, "", "256", "#",
                "loops over smaller sets run as compiled with the program"},
    SettingInfo{"OP2_JIT_DUMP", experts, "", "", "", "folder that gets the sources of that code to read"},
    SettingInfo{"OP2_FC", experts, "", "", "",
                "Fortran compiler for kernels that the library does not read, with flags; empty = gfortran in PATH, "
                "off = none"},
    SettingInfo{"OP2_CUDA_SUMS", experts, "", "fast", "fast|ordered",
                "executor cuda: reductions in a tree, or element by element in blocks as scalar code does it"},
    SettingInfo{"OP2_CUDA_GRAPHS", experts, "", "auto", "auto|always|off",
                "executor cuda: chains, and small loops that repeat, as CUDA graphs; always = large ones and few too"},
    SettingInfo{"OP2_DEVICE_MEMORY_LIMIT", experts, "", "", "bytes",
                "executor cuda: memory of the device for dats and maps, e.g. 8G: the rest is in memory of the host; "
                "empty = all on the device"},
    SettingInfo{"OP2_CUDA_OPTIONS", experts, "", "", "",
                "executor cuda: options for the compiler of kernels in addition, e.g. -fmad=true"},
    SettingInfo{"OP2_CUDA_PATH", experts, "", "", "",
                "executor cuda: folders searched first for the driver, NVRTC and NCCL, separated by ':'"},
    SettingInfo{"OP2_PLUGIN_PATH", experts, "", "", "", "folders searched for plugins first, separated by ':'"},
};

const SettingInfo *find_info(std::string_view name) {
  for (const SettingInfo &info : settings_table)
    if (name == info.name || (info.alias[0] && name == info.alias)) return &info;
  return nullptr;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const SettingInfo &info : settings_table) names.emplace_back(info.name);
  return names;
}

bool whole_number(const std::string &value, int &number) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() && number >= 0;
}

// "512M"; negative: it is no such number.
double bytes_in(const std::string &value) {
  double number = 0;
  const char *const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, number);
  if (error != std::errc() || number < 0) return -1;
  if (end == last) return number;
  const std::size_t unit = std::string_view("KMGT").find(*end);
  return unit == std::string_view::npos || end + 1 != last ? -1 : std::ldexp(number, 10 * (static_cast<int>(unit) + 1));
}

void check_value(const SettingInfo &info, const std::string &value, const char *origin) {
  const std::string_view allowed = info.allowed;
  if (allowed.empty()) return;
  if (allowed == "bytes") {
    if (value.empty() || bytes_in(value) > 0) return;
    fail(OP_ERR_ARGUMENT, "setting ", info.name, "='", value, "' (", origin,
         "): a number of bytes is expected, such as 512M or 8G");
  }
  if (allowed == "#") {
    int number = 0;
    if (whole_number(value, number)) return;
    fail(OP_ERR_ARGUMENT, "setting ", info.name, "='", value, "' (", origin, "): a whole number >= 0 is expected");
  }
  const std::vector<std::string> choices = split(allowed, '|');
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  if (int number = 0; choices.back() == "#" && whole_number(value, number)) return;
  const std::string guess = nearest(value, choices);
  fail(OP_ERR_ARGUMENT, "setting ", info.name, "='", value, "' (", origin, ") is not one of ", listing(choices),
       guess.empty() ? "" : text("; did you mean '", guess, "'?"));
}

} // namespace

std::span<const SettingInfo> all_settings() { return settings_table; }

Settings Settings::load(int argc, const char *const *argv, const ForeignOptions &foreign) {
  Settings settings;
  settings.foreign_ = foreign;
  for (const SettingInfo &info : settings_table) settings.values_[info.name] = {info.initial, "default"};
  settings.read_environment();
  for (const bool weak : {true, false})
    for (int i = 1; i < argc; ++i)
      if (argv[i]) settings.read_argument(argv[i], weak);
  return settings;
}

// Foreign names first: where both are there, the library's own count.
void Settings::read_environment() {
  // A program with more rights than its user must not load or start what the user's environment names.
  if (getauxval(AT_SECURE) != 0) return;
  for (const Pass pass : {Pass::weak, Pass::foreign, Pass::own})
    for (char **entry = environ; entry && *entry; ++entry) {
      const std::string_view line = *entry;
      const std::size_t equals = line.find('=');
      if (equals != std::string_view::npos) read_variable(line.substr(0, equals), line.substr(equals + 1), pass);
    }
}

const ForeignOption *Settings::find_foreign(std::string_view name) const {
  for (const ForeignOption &option : foreign_.all)
    if (name == option.name) return &option;
  return nullptr;
}

void Settings::read_variable(std::string_view name, std::string_view value, Pass pass) {
  const bool own = name.starts_with("OP2_");
  if (own != (pass == Pass::own)) return;
  if (name.starts_with("OP2_LAUNCH_")) return; // of op2_launch, for communicator shm
  if (name == "OP2_CUDA_COUNT") return;        // of the emulated GPU, docs/gpu_counts.md
  if (const ForeignOption *const option = find_foreign(name)) {
    if (option->weak == (pass == Pass::weak)) take(*option, true, value, "environment");
  } else if (find_info(name)) {
    if (pass != Pass::weak) set(name, std::string(value), "environment");
  } else if (own) {
    const std::string guess = nearest(name, setting_names());
    warnings_.push_back(text("environment variable ", name, " is not a setting of this version",
                             guess.empty() ? "" : text("; did you mean ", guess, "?")));
  }
}

void Settings::read_argument(std::string_view argument, bool weak) {
  const ForeignOption *option = find_foreign(argument); // one begins with a dash
  while (!argument.empty() && argument.front() == '-') argument.remove_prefix(1);
  const std::size_t equals = argument.find('=');
  const bool has_value = equals != std::string_view::npos;
  const std::string_view name = argument.substr(0, equals), value = has_value ? argument.substr(equals + 1) : "";
  if (!option) option = find_foreign(name);
  if (weak != (option && option->weak)) return;
  if (option) {
    take(*option, has_value, value, "argument");
  } else if (has_value && find_info(name)) {
    set(name, std::string(value), "argument");
  } else if (has_value && name.starts_with("OP2_")) {
    const std::string guess = nearest(name, setting_names());
    fail(OP_ERR_ARGUMENT, "argument ", argument, ": there is no such setting",
         guess.empty() ? "" : text("; did you mean ", guess, "?"));
  }
}

// Said once, be the option there as an argument and in the environment.
void Settings::take(const ForeignOption &option, bool has_value, std::string_view value, const char *origin) {
  if (option.setting[0]) {
    const std::string request = option.value(has_value, value);
    if (!request.empty()) set(option.setting, request, origin);
    return;
  }
  const std::string warning =
      text("option ", option.name, " of ", foreign_.project, " has no effect: ", option.instead);
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
}

void Settings::set(std::string_view name, const std::string &value, const char *origin) {
  const SettingInfo *info = find_info(name);
  if (!info) fail(OP_ERR_INTERNAL, "unknown setting ", name);
  check_value(*info, value, origin);
  values_[info->name] = {value, origin};
}

const std::string &Settings::get(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  if (found == values_.end()) fail(OP_ERR_INTERNAL, "unknown setting ", name);
  return found->second.text;
}

int Settings::get_int(std::string_view name) const {
  int number = 0;
  whole_number(get(name), number);
  return number;
}

double Settings::get_bytes(std::string_view name) const {
  const std::string &value = get(name);
  return value.empty() ? 0 : bytes_in(value);
}

const char *Settings::origin(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? "unknown" : found->second.origin;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
