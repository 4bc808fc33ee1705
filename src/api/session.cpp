#include "api/session.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>

#include "api/guard.hpp"
#include "api/kernel.hpp"
#include "api/timing.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "compat/op2_program.hpp"
#include "distributed/halo/transport.hpp"
#include "host/agreement.hpp"
#include "host/cache_size.hpp"
#include "host/nvtx.hpp"
#include "loop/engine/speed.hpp"
#include "op2/info.h"
#include "op2/version.h"
#include "plugins/builtin.hpp"

namespace op2::core {

namespace {

// The only state of the process: the context that op_init() made. Kept by pointer and never destroyed at exit, because
// plugins may own runtimes that must not be shut down from a static destructor.
std::atomic<Session *> the_session{nullptr};
// The thread that controls it. Not in the session, which that thread may be ending while another one asks.
std::atomic<std::thread::id> the_owner{};
// Whether this process is a child of the one that called op_init().
std::atomic<bool> is_child{false};

void empty(Set &set) {
  set.original = set.place = {};
  set.global = {};
  set.layers = {};
  set.declared_exchange.reset();
  set.remote_original = Storage();
  set.from_one = {};
}

void empty(Map &map) {
  map.numbers = {};
  map.remote_numbers = Storage();
  map.from_one = {};
  // Programs in OP2's words may have freed it, see Mesh::take_new_tables().
  if (map.map && map.map != map.table.data()) std::construct_at(&map.table);
  map.map = map.map_d = nullptr;
  map.paged = PagedArray();
  map.table = {};
  map.targets = {};
  map.remote = Storage();
}

void empty(Dat &dat) {
  dat.data = dat.data_d = nullptr;
  dat.host = Storage();
  dat.remote = Storage();
  dat.host_view = Storage();
}

// What is left of an ended session's mesh and views: objects without data. As long as they exist, no new
// object gets their address, so a handle from before op_exit() is refused and not taken for another object. The last
// sessions are kept.
void retire(std::unique_ptr<Mesh> mesh, Views views) {
  if (!mesh || mesh->sets().empty()) return;
  const Objects &objects = mesh->objects();
  const auto empty_all = [](const auto &of_mesh, const auto &of_particles) {
    for (const auto *const list : {&of_mesh, &of_particles})
      for (const auto &object : *list) empty(*object);
  };
  empty_all(objects.sets(), objects.particle_sets());
  empty_all(objects.maps(), objects.particle_maps());
  empty_all(objects.dats(), objects.particle_dats());
  mesh->end_paging();
  struct Retired {
    std::array<std::pair<std::unique_ptr<Mesh>, Views>, 16> sessions;
    std::size_t next = 0;
  };
  static Retired &retired = *std::make_unique<Retired>().release(); // like the session, never destroyed at exit
  retired.sessions[retired.next++ % retired.sessions.size()] = {std::move(mesh), std::move(views)};
}

std::uint64_t next_engine_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Renumber renumber_mode(const Dialect &dialect, const Settings &settings, const Log &log) {
  const std::string &request = settings.get("OP2_RENUMBER");
  if (request == "off") return Renumber::off;
  if (dialect.reads_rows_in_place) {
    if (request == "always")
      log.write(OP_LOG_WARN, "OP2_RENUMBER=always has no effect: the program keeps its own order");
    return Renumber::off;
  }
  return request == "always" ? Renumber::always : Renumber::automatic;
}

// Only generated code can do with other layouts, and only where the executor passes them on to it. A program that looks
// at dat->data wants rows there; the copy in a memory of the executor's own may lie as it likes.
LayoutRequest layout_request(const Settings &settings, const Session &session) {
  const std::string &request = settings.get("OP2_LAYOUT");
  const op_exec_caps &caps = session.executor->caps();
  LayoutRequest out;
  if (!session.specialiser || !caps.layouts || request == "aos" || session.mesh->paged() || caps.chunk > 0) return out;
  if (session.mesh->dialect().reads_rows_in_place && !caps.separate_memory) {
    if (request != "auto")
      session.log.write(OP_LOG_WARN,
                        text("OP2_LAYOUT=", request, " has no effect on executor ", session.executor->name(),
                             ": the program reads dat->data, which is the memory that its loops use"));
    return out;
  }
  out.kind = request == "soa" ? OP_LAYOUT_SOA : caps.layout;
  out.declared_only = request == "declared";
  if (request == "auto") out.longer_than = caps.layout_above;
  out.hinted = request == "auto" && caps.separate_memory;
  return out;
}

// With OP2_REPRODUCIBLE=1 the code of a loop must not depend on the time, nor on the size of a process's part.
// Bytes. The settings of generated code count for the program's own vectors, too.
int widest_own_vectors(const Settings &settings) {
  const std::string isa = settings.get("OP2_JIT_ISA");
  return isa == "scalar" || isa == "sse2" ? 0 : 32;
}

void keep_reproducible(Settings &settings, const Log &log) {
  const auto overrule = [&](const char *name, std::initializer_list<std::string_view> fine, const char *instead) {
    const std::string request = settings.get(name);
    if (request == instead || std::find(fine.begin(), fine.end(), request) != fine.end()) return;
    if (std::string_view(settings.origin(name)) != "default" && request != "auto")
      log.write(OP_LOG_WARN, text("OP2_REPRODUCIBLE=1: ", name, "=", request, " is taken as ", instead));
    settings.set(name, instead, "OP2_REPRODUCIBLE");
  };
  overrule("OP2_RACE", {"auto"}, "owner");
  overrule("OP2_RENUMBER", {"always"}, "off");
  overrule("OP2_JIT_MIN_ELEMENTS", {}, "0");
  overrule("OP2_JIT_MATH", {}, "exact");
}

// Somebody may think that the processes work together.
void warn_of_copies(const Session &session, const std::string &communicator) {
  const std::string &request = session.settings.get("OP2_BACKEND");
  if (communicator != "self" || request.find("self") != std::string::npos || launched_processes() == 1) return;
  session.log.write(OP_LOG_WARN, text("a launcher started ", launched_processes(),
                                      " processes, and each of them runs the whole program by itself; say OP2_BACKEND=",
                                      std::getenv("OP2_LAUNCH_SIZE") ? "shm+" : "mpi+",
                                      request == "auto" ? "seq" : request, ", or self+seq if that is what you want"));
}

// Executors with memory of their own have all in memory.
void page_data(Session &session) {
  PagedDataOptions options;
  options.limit = session.settings.get_bytes("OP2_MEMORY_LIMIT");
  if (options.limit <= 0) return;
  const op_exec_caps &caps = session.executor->caps();
  if (caps.separate_memory || caps.asynchronous)
    return session.log.write(OP_LOG_WARN, "OP2_MEMORY_LIMIT has no effect: the executor has memory of its own");
  const std::string &folder = session.settings.get("OP2_OOC_DIR"), &io = session.settings.get("OP2_OOC_IO");
  options.pager.folder = folder.empty() ? "." : folder;
  options.pager.chunk = static_cast<std::size_t>(session.settings.get_int("OP2_OOC_CHUNK")) * 1024;
  if (options.pager.chunk % 4096 != 0 || !std::has_single_bit(std::max<std::size_t>(options.pager.chunk, 1)))
    fail(OP_ERR_ARGUMENT, "setting OP2_OOC_CHUNK='", session.settings.get("OP2_OOC_CHUNK"),
         "': a power of two from 4 on is expected, in KiB");
  options.pager.io = io == "uring" ? IoWay::uring : io == "threads" ? IoWay::threads : IoWay::best;
  options.maps = !session.mesh->dialect().replaces_tables;
  session.mesh->page(options, session.log);
}

void page_device(Session &session) {
  const double limit = session.settings.get_bytes("OP2_DEVICE_MEMORY_LIMIT");
  if (limit <= 0) return;
  const bool possible = !session.mesh->several() && session.executor->gives_chunks();
  if (possible) return session.mesh->page_device(limit);
  session.log.write(OP_LOG_WARN,
                    "OP2_DEVICE_MEMORY_LIMIT has no effect: there must be one process, and executor cuda on "
                    "a device that can give memory to a part of a dat");
}

ChainOptions chain_options(const Settings &settings) {
  ChainOptions options;
  const std::string &request = settings.get("OP2_CHAIN");
  options.automatic = request != "off";
  if (options.automatic && request != "auto") options.longest = std::max(1, settings.get_int("OP2_CHAIN"));
  options.tile_bytes = tile_bytes_of(settings);
  return options;
}

// Layers of copies that chains of several processes may use.
LayerOptions layer_options(const Settings &settings) {
  LayerOptions options;
  const std::string &request = settings.get("OP2_CHAIN_DEPTH");
  options.measured = request == "auto";
  if (!options.measured) options.most = settings.get_int("OP2_CHAIN_DEPTH");
  options.tile_bytes = tile_bytes_of(settings);
  return options;
}

// at_once: all executors take loops whole. Those round in other ways than host code does, of which copies would have
// to be the same where executors promise the same bits in every run.
bool layers_fit(const Executor &executor, Communicator &communicator, bool &at_once) {
  const op_exec_caps &caps = executor.caps();
  const bool whole = executor.runs_whole_chains();
  const bool host = executor.takes_parts() && !caps.separate_memory && !caps.asynchronous;
  int all[] = {host || whole ? 1 : 0, host ? 1 : 0, whole ? 1 : 0, whole && caps.deterministic ? 0 : 1};
  communicator.allreduce(all, std::size(all), OP_TYPE_INT, OP_COMM_MIN);
  at_once = all[2] == 1;
  return communicator.size() > 1 && all[0] == 1 && (all[1] == 1 || all[2] == 1 || all[3] == 1);
}

// Whether rows may move to other processes unasked. All processes get the same answer.
bool rebalances(const Session &session, const Engine &engine) {
  if (session.settings.get("OP2_REBALANCE") != "auto" || !session.mesh->several()) return false;
  const char *const why = session.mesh->dialect().reads_rows_in_place ? "the program keeps its own order"
                          : session.communicator->min(engine.measures_elements() ? 1 : 0) == 0
                              ? "some process does not measure the time of elements (OP2_TIMING, executor)"
                              : nullptr;
  if (why) session.log.write(OP_LOG_WARN, text("OP2_REBALANCE=auto has no effect: ", why));
  return !why;
}

Declare declare_mode(const Settings &settings) {
  const std::string &request = settings.get("OP2_DECLARE");
  return request == "local"        ? Declare::local
         : request == "replicated" ? Declare::replicated
         : request == "root"       ? Declare::root
                                   : Declare::automatic;
}

// What makes processes exchange, divide or wait together must be the same for all of them. The rest may differ, as
// executors may.
void need_same_settings(Agreement &agreement, const op_init_params &params, const Settings &settings) {
  if (agreement.alone()) return;
  std::vector<std::string> facts;
  for (const char *name : {"OP2_DECLARE", "OP2_MAPS_BASE_INDEX", "OP2_PARTITION", "OP2_PARTITION_WEIGHTS",
                           "OP2_FALLBACK", "OP2_RENUMBER", "OP2_CHAIN", "OP2_CHAIN_DEPTH", "OP2_CHAIN_TILE",
                           "OP2_REPRODUCIBLE", "OP2_REBALANCE", "OP2_IO_DRIVER", "OP2_IO_ASYNC", "OP2_HDF5_DEFLATE"})
    facts.push_back(text("setting ", name, "='", settings.get(name), "'"));
  facts.push_back(text("output of OP2_TIMING '", timing_request(settings).output, "'"));
  facts.push_back(text("flags of op_init_params ", params.flags));
  facts.push_back(errors_return() ? "errors return (OP2_ERROR, error handler)" : "errors end the job (OP2_ERROR)");
  Hash all;
  for (const std::string &fact : facts) all.add(fact);
  if (agreement.agree("op_init", all.value())) return;
  for (const std::string &fact : facts) agreement.agree(fact);
}

// NULL when neither a file nor a profiler wants to know.
std::unique_ptr<Trace> open_trace(const Session &session) {
  TraceOptions options;
  options.file = session.settings.get("OP2_TRACE");
  options.marker = nvtx_marker(session.log);
  if (options.file.empty() && !options.marker) return nullptr;
  options.rank = session.communicator->rank();
  options.process = session.executor->name();
  options.start.add("library", text("libop2 ", op_build_info())).add("back_end", session.backend);
  options.start.add("processes", session.communicator->size()).add("threads", session.executor->caps().concurrency);
  return std::make_unique<Trace>(options, session.log);
}

} // namespace

Settings Session::load_settings(const op_init_params &params) {
  Settings settings = core::load_settings(params.argc, params.argv, params.flags);
  if (params.backend) settings.set("OP2_BACKEND", params.backend, "program");
  if (params.threads > 0) settings.set("OP2_NUM_THREADS", text(params.threads), "program");
  return settings;
}

Session::Session(const op_init_params &params, Settings chosen)
    : settings(std::move(chosen)),
      log(Log::level_from_name(settings.get("OP2_LOG"))),
      services(log, settings),
      registry(settings, log, services),
      diags(params.diags),
      start_time(now()) {
  for (const op_plugin_v1 *plugin : {exec_seq_plugin(), comm_self_plugin(), part_block_plugin()})
    registry.add_builtin(plugin);
  const bool given = params.communicator_given != 0;
  Selection selection = select_communicator(registry, settings.get("OP2_BACKEND"), given);
  communicator =
      std::make_unique<Communicator>(registry, services, selection.comm, given ? &params.communicator : nullptr);
  log.set_process(communicator->rank(), communicator->size());
  // What fails on one process fails on all; one of them says why.
  Agreement agreement(*communicator);
  try {
    need_same_settings(agreement, params, settings);
    // First what a process may fail in while others do not: in what follows they talk to each other.
    EngineOptions options = agreement.together("op_init", [&] { return start_alone(params, selection); });
    agreement.together("op_init", [&] {
      start_together(std::move(options), selection);
      return true;
    });
  } catch (Error &error) {
    error.silent = communicator->size() > 1 && !errors_return() && !communicator->claim_failure();
    throw;
  }
}

// A device channel is for all processes or none. Who waits on a device is not told that another process has failed;
// where errors end the job, that ends the wait.
Transport Session::choose_messages() {
  const std::string &direct = settings.get("OP2_GPU_DIRECT");
  const bool asked = direct != "auto" && direct != "off" && direct != "mpi", may = direct == "auto" && !errors_return();
  const int request = direct == "kernel" ? 4 : direct == "ipc" ? 3 : direct == "nccl" ? 2 : may ? 1 : 0;
  const bool alike = communicator->min(request) == -communicator->min(-request);
  if (asked && !alike)
    log.write(OP_LOG_WARN, text("OP2_GPU_DIRECT=", direct, " has no effect: not all processes say so"));
  Transport transport;
  if (alike && request > 0)
    device_channel = choose_device_channel(*executor, *communicator, asked ? direct : "ipc", asked, log, transport.why);
  if (!device_channel) transport.space = choose_transport(*executor, *communicator, direct, log, transport.why);
  if (!device_channel && alike && may && communicator->min(transport.space == OP_SPACE_CUDA ? 1 : 0) == 0)
    device_channel = choose_device_channel(*executor, *communicator, "nccl", false, log, transport.why);
  transport.device_channel = device_channel.get();
  if (device_channel && may) {
    transport.space = transport_by_host(*executor, *communicator);
    transport.chooses = communicator->min(transport.space == OP_SPACE_NONE ? 0 : 1) != 0;
  }
  return transport;
}

EngineOptions Session::start_alone(const op_init_params &params, Selection &selection) {
  warn_of_copies(*this, selection.comm);
  for (const std::string &warning : settings.warnings()) log.write(OP_LOG_WARN, warning);
  select_executor(registry, settings.get("OP2_BACKEND"), communicator->node_rank(), selection);
  ExecutorChoice choice;
  choice.node_rank = communicator->node_rank();
  choice.node_size = communicator->node_size();
  choice.threads = settings.get_int("OP2_NUM_THREADS");
  const bool reproducible = settings.get("OP2_REPRODUCIBLE") == "1";
  if (reproducible) keep_reproducible(settings, log);
  keep_code_of_plugins();
  executor = std::make_unique<Executor>(registry, services, selection.exec, choice);
  backend = selection.comm + "+" + selection.exec;
  trace = open_trace(*this);
  mesh = std::make_unique<Mesh>(*executor, *communicator, settings.get_int("OP2_MAPS_BASE_INDEX"));
  mesh->copies().set_trace(trace.get());
  mesh->declare().set_mode(declare_mode(settings));
  mesh->declare().set_dialect(
      dialect_of(params.flags, [this](const std::string &what) { log.write(OP_LOG_WARN, what); }));
  mesh->agreement().set_errors_return(errors_return);
  page_data(*this);
  page_device(*this);
  EngineOptions options;
  const TimingRequest timing = timing_request(settings);
  options.loops.exchange.timing = timing.measures;
  options.loops.wait = timing.waits;
  options.loops.block_size = settings.get_int("OP2_BLOCK_SIZE");
  options.loops.own_vectors = widest_own_vectors(settings);
  options.loops.own_least = settings.get_int("OP2_JIT_MIN_ELEMENTS");
  options.loops.own_form = jit::pinned_form(settings.get("OP2_JIT_FORM"));
  options.until = {settings.get("OP2_UNTIL") == "ordered", options.loops.block_size, options.loops.exchange,
                   trace.get()};
  options.chains = chain_options(settings);
  options.layers = layer_options(settings);
  options.diags = diags;
  options.trace = trace.get();
  const bool host_code = executor->caps().host_code && !executor->caps().separate_memory;
  if (executor->caps().device_text || (settings.get("OP2_JIT") != "off" && host_code)) need_specialiser();
  const bool fallback = executor->caps().device_text && settings.get("OP2_FALLBACK") == "warn";
  // These take the elements one after another anyway, and `check` looks at them.
  const bool in_order = selection.exec == "seq" || selection.exec == "check";
  if (!in_order) host_executor = std::make_unique<Executor>(registry, services, "seq", choice);
  Executor *const host = host_executor.get();
  // Not unasked: kernels that write beside their rows would do so before `check` has found them.
  const bool checks = selection.exec == "check" && settings.get("OP2_JIT") == "verify";
  if (executor->caps().device_text)
    code = std::make_unique<DeviceCode>(*executor, fallback ? host : nullptr, *specialiser);
  else if (checks)
    code = std::make_unique<CheckedCode>(*executor, need_specialiser());
  else if (specialiser)
    code = std::make_unique<HostCode>(*executor, host, *specialiser);
  else
    code = std::make_unique<CodeProvider>(*executor, host);
  options.loops.code = code.get();
  if (specialiser && specialiser->store().has_folder()) {
    kept = std::make_unique<KeptFindings>(specialiser->store().folder() + "/inspections", log);
    mesh->keep_in(kept.get());
  }
  mesh->copies().set_layouts(layout_request(settings, *this));
  options.mesh.renumber = renumber_mode(mesh->dialect(), settings, log);
  return options;
}

void Session::start_together(EngineOptions options, const Selection &selection) {
  const bool reproducible = settings.get("OP2_REPRODUCIBLE") == "1", able = executor->caps().reproducible != 0;
  options.loops.reproducible = reproducible && communicator->min(able ? 1 : 0) == 1; // all of them, or none
  if (reproducible && !able)
    log.write(OP_LOG_WARN, text("OP2_REPRODUCIBLE=1 has no effect with executor ", executor->name(),
                                ": it runs elements and adds up in an order of its own"));
  options.mesh.transport = choose_messages();
  options.loops.caches = options.chains.caches = options.layers.caches = caches_of(settings, communicator->node_size());
  options.layers.possible = layers_fit(*executor, *communicator, options.layers.at_once) && options.layers.most > 0;
  files = std::make_unique<Files>(registry, services, settings, log, *mesh);
  async = std::make_unique<AsyncFiles>(registry, settings, log, *files);
  files->before_use([this] { async->settle(); });
  partitioning = std::make_unique<Partitioning>(registry, services, settings, log);
  partitioning->check_shares(communicator->size());
  partitioning->measure_by(
      [this, loops = options.loops] { return measured_speed(registry, services, *executor, *communicator, loops); });
  options.mesh.choose_owners = [this](Mesh &all) { return partitioning->division(all, partitioning->automatic()); };
  engine = std::make_unique<Engine>(*mesh, log, options, next_engine_id());
  particles = std::make_unique<ParticleSets>(*mesh, *engine);
  engine->mesh_setup().take_along(particles.get());
  rebalance = std::make_unique<Rebalance>(*mesh, *engine, *partitioning, options.mesh.transport, log);
  if (rebalances(*this, *engine)) engine->before_loops([this] { rebalance->look(); });
  hand_loops = std::make_unique<HandLoops>(*mesh, *engine, options.loops.exchange, options.mesh.transport, log);
  log.write(OP_LOG_INFO,
            text("back end ", backend, ", threads: ", executor->caps().concurrency, "; OP2_BACKEND='",
                 settings.get("OP2_BACKEND"), "' (", settings.origin("OP2_BACKEND"), "): ", selection.why));
}

jit::Specialiser &Session::need_specialiser() {
  if (!specialiser) specialiser = std::make_unique<jit::Specialiser>(settings, log, given_texts());
  return *specialiser;
}

// What plugins compile is kept where the library keeps its own.
void Session::keep_code_of_plugins() {
  services.set_cache([this](const std::string &maker,
                            const std::string &key) { return need_specialiser().store().load_blob(maker, key); },
                     [this](const std::string &maker, const std::string &key, std::string_view data) {
                       need_specialiser().store().store_blob(maker, key, data);
                     });
}

Session *current_session() noexcept { return the_session.load(std::memory_order_acquire); }

Session &session_even_poisoned() {
  Session *current = current_session();
  if (!current) fail(OP_ERR_STATE, "the library is not initialised; call op_init() first");
  if (forked()) fail(OP_ERR_STATE, forked_text);
  if (!on_control_thread())
    fail(OP_ERR_THREAD,
         "called from a thread that did not call op_init(); one thread controls the library, and kernels must not call "
         "it on any thread");
  if (current->engine && current->engine->running())
    fail(OP_ERR_STATE, "called by a kernel; kernels must not call the library");
  return *current;
}

Session &session() {
  Session &current = recording_session();
  if (current.engine) current.engine->flush();
  if (current.mesh && current.mesh->paged() && !current.mesh->several()) [[unlikely]]
    current.mesh->paged()->take_new(); // else before the next loop, on all processes
  return current;
}

Session &recording_session() {
  Session &current = session_even_poisoned();
  if (!current.poison.empty())
    fail(OP_ERR_STATE, "a call failed earlier and left data half written (", current.poison,
         "); only op_exit() is possible now");
  return current;
}

bool on_control_thread() noexcept { return !forked() && the_owner.load() == std::this_thread::get_id(); }

// fork() copies the data, but neither threads, for which calls would wait for ever, nor the part in a job. A context
// without them goes on in the child.
bool forked() noexcept {
  if (!is_child.load(std::memory_order_relaxed)) return false;
  const Session *const current = current_session();
  if (!current) return false;
  const op_exec_caps &caps = current->executor->caps();
  return caps.concurrency > 1 || caps.separate_memory || caps.asynchronous || current->communicator->name() != "self" ||
         (current->specialiser && current->specialiser->store().has_threads()) || current->async->has_thread();
}

void make_current(std::unique_ptr<Session> session) noexcept {
  static const int watched = pthread_atfork(nullptr, nullptr, [] { is_child = true; });
  static_cast<void>(watched);
  is_child = false; // a child may begin anew where op_exit() came before fork()
  the_owner = std::this_thread::get_id();
  the_session.store(session.release(), std::memory_order_release);
}

void destroy_current() noexcept {
  const std::unique_ptr<Session> ended(the_session.exchange(nullptr));
  if (!ended) return;
  for (const auto &end : ended->at_end) end();
  ended->particles.reset();
  ended->hand_loops.reset();
  ended->rebalance.reset();
  ended->engine.reset(); // its loops point into the mesh
  retire(std::move(ended->mesh), std::move(ended->views));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
