// compile.cpp: from a text to code for a device, through the core's cache.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "code/headers.hpp"
#include "code/nvrtc.hpp"
#include "driver.hpp"

namespace op2::exec_cuda {

namespace {

// 128-bit FNV-1a; the core verifies the bytes it hands out, this only tells texts apart.
__extension__ typedef unsigned __int128 Wide;
constexpr Wide wide(std::uint64_t high, std::uint64_t low) { return static_cast<Wide>(high) << 64 | low; }
constexpr Wide fnv_basis = wide(0x6c62272e07bb0142, 0x62b821756295c58d);
constexpr Wide fnv_prime = wide(0x0000000001000000, 0x000000000000013b);

std::string listing(const std::vector<int> &archs) {
  std::string out;
  for (const int arch : archs) out += (out.empty() ? "sm_" : ", sm_") + std::to_string(arch);
  return out;
}

// The architecture to compile for: the device's own, or the highest below it, as PTX that the driver translates.
struct Choice {
  int arch;
  bool ptx;
};
Choice choose(const Nvrtc &nvrtc, const CompileTarget &target) {
  int highest = 0;
  for (const int arch : nvrtc.archs) {
    if (arch == target.arch) return {arch, false};
    if (arch < target.arch) highest = arch;
  }
  if (highest > 0) return {highest, true};
  throw Failure(OP_ERR_BACKEND, target.device + " has architecture sm_" + std::to_string(target.arch) +
                                    ", which is older than what NVRTC " + nvrtc.version() + " compiles for (" +
                                    listing(nvrtc.archs) + "); name the folder of an older libnvrtc in OP2_CUDA_PATH");
}

std::vector<std::string> all_options(const CompileTarget &target, Choice choice) {
  std::vector<std::string> options = {
      "--gpu-architecture=" + std::string(choice.ptx ? "compute_" : "sm_") + std::to_string(choice.arch), "-std=c++17",
      "-default-device"};
  options.insert(options.end(), target.options.begin(), target.options.end());
  return options;
}

std::string joined(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

class Program {
 public:
  Program(const Nvrtc &nvrtc, const std::string &text, const std::string &name) : nvrtc_(nvrtc) {
    const Headers headers = device_headers();
    check(nvrtc.nvrtcCreateProgram(&program_, text.c_str(), (name + ".cu").c_str(),
                                   static_cast<int>(headers.names.size()), headers.texts.data(), headers.names.data()),
          "make a program");
  }
  ~Program() { nvrtc_.nvrtcDestroyProgram(&program_); }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  nvrtcResult compile(const std::vector<std::string> &options) {
    std::vector<const char *> list;
    for (const std::string &option : options) list.push_back(option.c_str());
    return nvrtc_.nvrtcCompileProgram(program_, static_cast<int>(list.size()), list.data());
  }
  std::string log() const {
    size_t length = 0;
    if (nvrtc_.nvrtcGetProgramLogSize(program_, &length) != NVRTC_SUCCESS || length <= 1) return "";
    std::string log(length, '\0');
    if (nvrtc_.nvrtcGetProgramLog(program_, log.data()) != NVRTC_SUCCESS) return "";
    log.resize(std::strlen(log.c_str()));
    return log;
  }
  std::vector<char> code(bool ptx) const {
    size_t length = 0;
    check(ptx ? nvrtc_.nvrtcGetPTXSize(program_, &length) : nvrtc_.nvrtcGetCUBINSize(program_, &length),
          "ask for the code");
    std::vector<char> bytes(length);
    check(ptx ? nvrtc_.nvrtcGetPTX(program_, bytes.data()) : nvrtc_.nvrtcGetCUBIN(program_, bytes.data()),
          "take the code");
    return bytes;
  }

 private:
  void check(nvrtcResult result, const char *what) const {
    if (result != NVRTC_SUCCESS)
      throw Failure(OP_ERR_KERNEL, std::string("NVRTC, ") + what + ": " + nvrtc_.nvrtcGetErrorString(result));
  }
  const Nvrtc &nvrtc_;
  nvrtcProgram program_ = nullptr;
};

void dump(const CompileTarget &target, const std::string &file, const std::string &text) {
  const std::string path = target.dump + "/" + file;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) target.host->log(target.host, OP_LOG_WARN, ("OP2_JIT_DUMP: " + path + " cannot be written").c_str());
}

[[noreturn]] void fail_to_compile(const Nvrtc &nvrtc, nvrtcResult result, const std::string &name,
                                  const std::vector<std::string> &options, const std::string &log) {
  const bool option = result == NVRTC_ERROR_INVALID_OPTION;
  throw Failure(option ? OP_ERR_ARGUMENT : OP_ERR_KERNEL,
                "NVRTC " + nvrtc.version() + " does not compile '" + name + "': " + nvrtc.nvrtcGetErrorString(result) +
                    (option ? " among " + joined(options) + "; see OP2_CUDA_OPTIONS" : "") +
                    (log.empty() ? "" : "\n" + log));
}

Image compile_now(const Nvrtc &nvrtc, const CompileTarget &target, const std::vector<std::string> &options, bool ptx,
                  const std::string &text, const std::string &name, const std::string &stem) {
  Program program(nvrtc, text, name);
  const double before = target.host->now();
  const nvrtcResult result = program.compile(options);
  const std::string log = program.log();
  if (!target.dump.empty() && !log.empty()) dump(target, stem + ".log", log);
  if (result != NVRTC_SUCCESS) fail_to_compile(nvrtc, result, name, options, log);
  char line[160];
  std::snprintf(line, sizeof line, "executor cuda: '%.60s' compiled in %.0f ms for %s", name.c_str(),
                1e3 * (target.host->now() - before), options.front().c_str());
  target.host->log(target.host, OP_LOG_INFO, line);
  if (!log.empty()) target.host->log(target.host, OP_LOG_DEBUG, log.c_str());
  return {program.code(ptx), ptx, false};
}

} // namespace

std::string digest(const std::string &text) {
  Wide value = fnv_basis;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * fnv_prime;
  char out[33];
  std::snprintf(out, sizeof out, "%016llx%016llx", static_cast<unsigned long long>(value >> 64),
                static_cast<unsigned long long>(value));
  return out;
}

bool has_cache(const op_host_v1 *host) {
  return host->size >= offsetof(op_host_v1, cache_store) + sizeof host->cache_store && host->cache_load &&
         host->cache_store;
}

Image compile(const Nvrtc &nvrtc, const CompileTarget &target, const std::string &text, const std::string &name) {
  const Choice choice = choose(nvrtc, target);
  const std::vector<std::string> options = all_options(target, choice);
  const std::string stem = name + "_" + digest(text).substr(0, 16);
  if (!target.dump.empty()) dump(target, stem + ".cu", text);
  const op_host_v1 *host = target.host;
  if (!has_cache(host)) return compile_now(nvrtc, target, options, choice.ptx, text, name, stem);
  const std::string maker = "nvrtc " + nvrtc.version();
  // Only the architecture can be read; the rest may be long.
  const std::string key = options.front() + " text " + digest(text) + " options " + digest(joined(options)) +
                          " headers " + digest(device_headers_text()) + " library " + nvrtc.identity;
  void *data = nullptr;
  size_t bytes = 0;
  if (host->cache_load(host, maker.c_str(), key.c_str(), &data, &bytes)) {
    const char *begin = static_cast<const char *>(data);
    Image image{std::vector<char>(begin, begin + bytes), choice.ptx, true};
    host->free(data);
    return image;
  }
  Image image = compile_now(nvrtc, target, options, choice.ptx, text, name, stem);
  host->cache_store(host, maker.c_str(), key.c_str(), image.bytes.data(), image.bytes.size());
  return image;
}

std::vector<std::string> split_options(const std::string &line, const char *setting) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote && c == quote) {
      quote = 0;
    } else if (!quote && (c == '"' || c == '\'')) {
      quote = c;
      inside = true;
    } else if (!quote && (c == ' ' || c == '\t')) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      if (c == '\\' && quote != '\'' && i + 1 < line.size()) ++i;
      word += line[i];
      inside = true;
    }
  }
  if (quote)
    throw Failure(OP_ERR_ARGUMENT, std::string("setting ") + setting + "='" + line + "': a quote is not closed");
  if (inside) words.push_back(std::move(word));
  return words;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
