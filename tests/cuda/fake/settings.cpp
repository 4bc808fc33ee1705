// settings.cpp: reads the environment once, when the driver is first used; writes the trace.
#include "settings.hpp"

#include <unistd.h>

#include <cstdlib>

#include "state.hpp"

namespace fake {

namespace {

std::string text_of(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

template <class T>
void read_number(const char *name, T &number) {
  const std::string text = text_of(name);
  if (!text.empty()) number = static_cast<T>(std::strtoull(text.c_str(), nullptr, 0));
}

} // namespace

Settings read_settings() {
  Settings settings;
  int leaks = 0, keep_going = 0;
  read_number("FAKE_CUDA_DEVICES", settings.devices);
  read_number("FAKE_CUDA_MEMORY", settings.memory);
  read_number("FAKE_CUDA_UNIT", settings.unit);
  read_number("FAKE_CUDA_ARCH", settings.arch);
  read_number("FAKE_CUDA_INIT", settings.init);
  read_number("FAKE_CUDA_SEED", settings.seed);
  read_number("FAKE_CUDA_RESIDENT", settings.resident);
  read_number("FAKE_CUDA_ENQUEUE", settings.enqueue);
  read_number("FAKE_CUDA_SPEED", settings.speed);
  read_number("FAKE_CUDA_LEAKS", leaks);
  read_number("FAKE_CUDA_KEEP_GOING", keep_going);
  if (const std::string patience = text_of("FAKE_CUDA_PATIENCE"); !patience.empty())
    settings.patience = std::strtod(patience.c_str(), nullptr);
  if (const std::string ipc = text_of("FAKE_CUDA_IPC"); !ipc.empty()) settings.ipc = ipc;
  settings.count = text_of("OP2_CUDA_COUNT");
  read_number("FAKE_CUDA_COUNT_MOST", settings.count_most);
  settings.leaks = leaks != 0;
  settings.keep_going = keep_going != 0;
  settings.fault = text_of("FAKE_CUDA_FAULT");
  if (const auto colon = settings.fault.find(':'); colon != std::string::npos) {
    settings.fault_every = std::strtoull(settings.fault.c_str() + colon + 1, nullptr, 0);
    settings.fault.resize(colon);
  }
  if (settings.fault_every == 0) settings.fault_every = 1;
  return settings;
}

Trace::Trace() {
  std::string name = text_of("FAKE_CUDA_TRACE");
  if (name.empty()) return;
  if (const auto at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(getpid()));
  file_.reset(std::fopen(name.c_str(), "a"));
}

void Trace::line(const std::string &text) {
  if (!file_) return;
  std::fputs((text + '\n').c_str(), file_.get());
  std::fflush(file_.get());
}

void report(const std::string &text) {
  std::fputs(("fake CUDA: " + text + "\n").c_str(), stderr);
  state().trace.line("report " + text);
}

} // namespace fake

// SPDX-License-Identifier: MIT
