// The door of init.h, info.h and version.h.
#include "op2/init.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>

#include "api/guard.hpp"
#include "api/timing.hpp"
#include "compat/op2_program.hpp"
#include "host/plugins/loader.hpp"
#include "host/plugins/select.hpp"
#include "jit/code/code_store.hpp"
#include "op2/info.h"
#include "op2/version.h"
#include "plugins/builtin.hpp"

using namespace op2::core;

namespace {

// True while a scope lasts in which one thread is starting the library; a second one does not get in.
class Starting {
 public:
  Starting() {
    if (busy.test_and_set()) fail(OP_ERR_STATE, "another thread is inside op_init(); one thread starts the library");
  }
  ~Starting() { busy.clear(); }
  Starting(const Starting &) = delete;
  Starting &operator=(const Starting &) = delete;

 private:
  static inline std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

void start(const op_init_params &params) {
  const Starting starting;
  if (current_session() && forked()) fail(OP_ERR_STATE, forked_text);
  if (current_session())
    fail(OP_ERR_STATE, "the library is already initialised; call op_exit() before a second op_init()");
  if (params.argc < 0) fail(OP_ERR_ARGUMENT, "argc is negative: ", params.argc);
  if (params.argc > 0 && !params.argv) fail(OP_ERR_ARGUMENT, "argv is NULL but argc is ", params.argc);
  if (params.diags < 0) fail(OP_ERR_ARGUMENT, "diags is negative: ", params.diags, "; it is 0 to 3");
  if ((params.flags & ~(OP_KEEP_ORDER | OP_LOCAL_INDICES)) != 0)
    fail(OP_ERR_ARGUMENT, "flags has unknown bits: ", params.flags, "; it is 0, OP_KEEP_ORDER or OP_LOCAL_INDICES");
  if (params.threads < 0)
    fail(OP_ERR_ARGUMENT, "the number of threads is negative: ", params.threads, "; 0 lets the executor choose");
  if (params.communicator_given != 0 && params.communicator_given != 1)
    fail(OP_ERR_ARGUMENT, "communicator_given is ", params.communicator_given, "; it is 0 or 1");
  Settings settings = Session::load_settings(params);
  timing_request(settings); // of known words
  remember_error_mode(settings.get("OP2_ERROR") == "return");
  make_current(std::make_unique<Session>(params, std::move(settings)));
}

// A process that ends alone would wait for the others in the end of its communicator, and they for it elsewhere.
void exit_together(Session &ending) {
  try {
    ending.mesh->agreement().agree("op_exit");
    if (ending.device_channel && ending.communicator->max(ending.poison.empty() ? 0 : 1) != 0)
      ending.device_channel->give_up();
  } catch (const Error &error) {
    if (error.agreed) throw; // else the communicator has ended before, by a call of the program's own
  }
}

// What goes wrong in these must not keep a program that goes on from ending the context.
std::exception_ptr run_recorded(Session &ending) {
  try {
    if (ending.poison.empty()) ending.engine->flush();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

std::exception_ptr finish_files(Session &ending) {
  try {
    if (ending.async) ending.async->settle();
    return nullptr;
  } catch (const Error &) {
    if (!errors_return()) throw;
    return std::current_exception();
  }
}

// What code for single loops would be made with.
std::string jit_text(const Settings &settings) {
  if (settings.get("OP2_JIT") == "off") return "  none (OP2_JIT=off)\n";
  const Log log(OP_LOG_ERROR); // what is wrong is part of the text
  try {
    return jit::CodeStore(settings, log).describe();
  } catch (const Error &error) {
    return text("  ", error.what(), "\n");
  }
}

std::string version_text(int version) { return text(version / 10000, ".", version / 100 % 100, ".", version % 100); }

std::string setting_text(const SettingInfo &info, const Settings &settings) {
  return text("  ", info.name, "='", settings.get(info.name), "' (", settings.origin(info.name), ")  ", info.help,
              info.allowed[0] && info.allowed[0] != '#' ? text(" [", info.allowed, "]") : "",
              info.alias[0] ? text(", OP2 calls it ", info.alias) : "", "\n");
}

// Settings and plugins of the running context, or of one that op_init() would make.
std::string info_text() {
  std::string out = text("libop2 ", op_build_info(), "\n  library folder: ", library_folder(), "\n\n");
  const Session *current = current_session();
  Settings settings;
  try {
    settings = current ? current->settings : load_settings(0, nullptr);
  } catch (const Error &error) {
    return out + text("  ", error.what(), "\n");
  }
  for (const Audience audience : {Audience::users, Audience::experts}) {
    out += audience == Audience::users ? "settings\n" : "settings for experts\n";
    for (const SettingInfo &info : all_settings())
      if (info.audience == audience) out += setting_text(info, settings);
  }
  for (const std::string &warning : settings.warnings()) out += text("  note: ", warning, "\n");
  const Log log(OP_LOG_ERROR);
  const Services services(log, settings);
  Registry registry(settings, log, services);
  for (const op_plugin_v1 *plugin : {exec_seq_plugin(), comm_self_plugin(), part_block_plugin()})
    registry.add_builtin(plugin);
  out += text("\nplugins (ABI ", OP2_PLUGIN_ABI, ")\n", registry.report());
  out += text("\ncode for single loops (docs/specialised_loops.md)\n", jit_text(settings));
  std::string chosen;
  try {
    const Selection selection = select_backend(registry, settings.get("OP2_BACKEND"));
    chosen = selection.comm + "+" + selection.exec;
  } catch (const Error &error) {
    chosen = text("none: ", error.what());
  }
  out += text("\nback end ", current ? "in use: " : "that op_init() would take: ", current ? current->backend : chosen,
              "\n");
  return out;
}

} // namespace

op_status op_init(int argc, char **argv, int diags) {
  return guarded("op_init", [&] {
    op_init_params params = OP_INIT_PARAMS;
    params.argc = argc;
    params.argv = argv;
    params.diags = diags;
    start(params);
  });
}

op_status op_init_with(const op_init_params *params) {
  return guarded("op_init_with", [&] {
    if (!params || params->size < sizeof(size_t))
      fail(OP_ERR_ARGUMENT, "the parameters are NULL or their size is not set; use OP_INIT_PARAMS");
    op_init_params full = OP_INIT_PARAMS;
    std::memcpy(&full, params, std::min(params->size, sizeof full));
    if (full.communicator_given && params->size < offsetof(op_init_params, communicator) + sizeof full.communicator)
      fail(OP_ERR_ARGUMENT, "communicator_given is set, but the parameters (", params->size,
           " bytes) end before the communicator");
    full.size = sizeof full;
    start(full);
  });
}

op_status op_exit(void) {
  return guarded("op_exit", [&] {
    if (!current_session() || forked()) return; // what the parent began is the parent's to end
    Session &ending = session_even_poisoned();  // which refuses other threads
    const std::exception_ptr failed = run_recorded(ending);
    exit_together(ending);
    write_timing_output(ending);
    const std::exception_ptr unwritten = finish_files(ending);
    destroy_current();
    if (failed) std::rethrow_exception(failed);
    if (unwritten) std::rethrow_exception(unwritten);
  });
}

int op_is_initialised(void) { return current_session() != nullptr; }

const char *op_backend(void) {
  const Session *current = current_session();
  return current ? current->backend.c_str() : "";
}

void op_rank(int *rank) {
  guarded("op_rank", [&] {
    if (!rank) fail(OP_ERR_ARGUMENT, "the address for the rank is NULL; pass that of an int");
    const Session *current = current_session();
    *rank = current ? current->communicator->rank() : 0;
  });
}

int op_comm_size(void) {
  const Session *current = current_session();
  return current ? current->communicator->size() : 1;
}

int op_is_root(void) {
  int rank = 0;
  op_rank(&rank);
  return rank == 0;
}

op_status op_barrier(void) {
  return guarded("op_barrier", [] {
    Session &current = session();
    std::optional<TraceSpan> shown;
    if (Trace *trace = current.trace.get()) shown.emplace(*trace, trace->subject(trace_lane::exchanges, "barrier"));
    if (current.communicator->size() == 1) return current.communicator->barrier();
    current.mesh->agreement().agree("op_barrier"); // a barrier that notices when others are elsewhere
  });
}

void op_printf(const char *format, ...) {
  if (!format) {
    guarded("op_printf", [] { fail(OP_ERR_ARGUMENT, "the format is NULL; pass a text as for printf"); });
    return;
  }
  if (!op_is_root()) return;
  va_list values;
  va_start(values, format);
  std::vfprintf(stdout, format, values);
  va_end(values);
  std::fflush(stdout);
}

const char *op_setting(const char *name) {
  static thread_local std::string value;
  return guarded_value<const char *>("op_setting", nullptr, [&]() -> const char * {
    if (!name) fail(OP_ERR_ARGUMENT, "the name of the setting is NULL; op_info() lists all settings");
    const Session *current = current_session();
    const Settings settings = current ? current->settings : load_settings(0, nullptr);
    if (!settings.exists(name)) return nullptr;
    value = settings.get(name);
    return value.c_str();
  });
}

int op_info(char *buffer, size_t capacity) {
  return guarded_value("op_info", 0, [&] { return copy_text(info_text(), buffer, capacity); });
}

int op_version(void) { return OP2_VERSION; }

const char *op_build_info(void) {
  static const std::string info =
      version_text(OP2_VERSION) + ", " OP2_BUILD_COMPILER ", " OP2_BUILD_TYPE ", " OP2_BUILD_TARGET;
  return info.c_str();
}

// SPDX-License-Identifier: MIT
