#include "api/session.hpp"

#include <algorithm>
#include <atomic>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "host/select.hpp"
#include "plugins/builtin.hpp"

namespace op2::core {

namespace {

// The only state of the process: the context that op_init() made. Kept by pointer and never destroyed at exit, because
// plugins may own runtimes that must not be shut down from a static destructor.
std::atomic<Session *> the_session{nullptr};

std::uint64_t next_engine_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

} // namespace

Settings Session::load_settings(const op_init_params &params) {
  Settings settings = Settings::load(params.argc, params.argv);
  if (params.backend) settings.set("OP2_BACKEND", params.backend, "program");
  if (params.threads > 0) settings.set("OP2_NUM_THREADS", text(params.threads), "program");
  return settings;
}

Session::Session(const op_init_params &params, Settings given)
    : settings(std::move(given)),
      log(Log::level_from_name(settings.get("OP2_LOG"))),
      services(log, settings),
      registry(settings, log, services),
      diags(params.diags),
      start_time(now()),
      owner(std::this_thread::get_id()) {
  for (const op_plugin_v1 *plugin : {exec_seq_plugin(), comm_self_plugin(), part_block_plugin()})
    registry.add_builtin(plugin);
  const Selection selection = select_backend(registry, settings.get("OP2_BACKEND"));
  communicator = std::make_unique<Communicator>(registry, services, selection.comm);
  if (communicator->size() > 1)
    fail(OP_ERR_UNSUPPORTED, "communicator '", selection.comm, "' runs ", communicator->size(),
         " processes; this version of the library runs one");
  log.set_root(communicator->rank() == 0);
  for (const std::string &warning : settings.warnings()) log.write(OP_LOG_WARN, warning);
  ExecutorChoice choice;
  choice.node_rank = communicator->node_rank();
  choice.node_size = communicator->node_size();
  choice.threads = settings.get_int("OP2_NUM_THREADS");
  executor = std::make_unique<Executor>(registry, services, selection.exec, choice);
  mesh = std::make_unique<Mesh>(*executor, *communicator, settings.get_int("OP2_MAPS_BASE_INDEX"));
  EngineOptions options;
  options.timing = settings.get_switch("OP2_TIMING");
  options.block_size = settings.get_int("OP2_BLOCK_SIZE");
  options.diags = diags;
  engine = std::make_unique<Engine>(*mesh, log, options, next_engine_id());
  backend = selection.comm + "+" + selection.exec;
  log.write(OP_LOG_INFO, text("back end ", backend, ", ", executor->caps().concurrency, " threads"));
}

Session *current_session() noexcept { return the_session.load(std::memory_order_acquire); }

Session &session_even_poisoned() {
  Session *current = current_session();
  if (!current) fail(OP_ERR_STATE, "the library is not initialised; call op_init() first");
  if (current->owner != std::this_thread::get_id())
    fail(OP_ERR_THREAD, "called from a thread that did not call op_init(); one thread controls the library");
  if (current->engine && current->engine->running())
    fail(OP_ERR_STATE, "called by a kernel; kernels must not call the library");
  return *current;
}

Session &session() {
  Session &current = session_even_poisoned();
  if (!current.poison.empty())
    fail(OP_ERR_STATE, "a loop failed earlier and left data half written (", current.poison,
         "); only op_exit() is possible now");
  return current;
}

void make_current(std::unique_ptr<Session> session) noexcept {
  the_session.store(session.release(), std::memory_order_release);
}

void destroy_current() noexcept { delete the_session.exchange(nullptr); }

} // namespace op2::core
