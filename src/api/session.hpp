// One context: everything between op_init() and op_exit(); and the current context.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "base/trace.hpp"
#include "compat/hand_loops.hpp"
#include "distributed/halo/device_channel.hpp"
#include "distributed/partition/partition.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"
#include "host/kept/kept_findings.hpp"
#include "host/plugins/registry.hpp"
#include "host/plugins/select.hpp"
#include "host/plugins/services.hpp"
#include "io/async.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/files.hpp"
#include "io/view/view.hpp"
#include "loop/engine/engine.hpp"
#include "loop/engine/rebalance.hpp"
#include "loop/form/code_provider.hpp"
#include "mesh/mesh.hpp"
#include "op2/init.h"
#include "particles/particle_sets.hpp"

namespace op2::core {

class Session {
 public:
  // The settings of a program that calls op_init_with(params). Throws OP_ERR_ARGUMENT.
  static Settings load_settings(const op_init_params &params);
  // Collective. Throws what plugins report, and if the processes' settings differ.
  Session(const op_init_params &params, Settings settings);

  Settings settings;
  Log log;
  Services services;
  Registry registry;
  std::unique_ptr<Trace> trace; // NULL = off; ends after all members that follow
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<jit::Specialiser> specialiser; // NULL = OP2_JIT=off, or the executor runs the program's code
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Executor> host_executor;       // for loops that `executor` cannot run; NULL = it is seq or check
  std::unique_ptr<CodeProvider> code;            // the code of loops for the executor
  std::unique_ptr<DeviceChannel> device_channel; // messages between devices; NULL = none
  std::unique_ptr<KeptFindings> kept;            // NULL = nothing is kept for later runs
  std::unique_ptr<Mesh> mesh;
  std::unique_ptr<Files> files;
  std::unique_ptr<AsyncFiles> async;
  Views views;
  Checkpoints checkpoints;
  std::unique_ptr<Partitioning> partitioning;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<ParticleSets> particles;
  std::unique_ptr<Rebalance> rebalance;
  std::unique_ptr<HandLoops> hand_loops;
  std::string backend; // "self+openmp"
  std::string poison;  // why the context is unusable; "" = usable
  int diags = 0;
  double start_time = 0;        // seconds of now(); the timing tables begin here
  std::vector<op_set> all_sets; // the array that op_all_sets() returned last
  std::vector<op_map> all_maps;
  std::vector<op_dat> all_dats;
  bool partitioned = false;
  bool warned_of_parts = false;              // by op_fetch_data()
  std::vector<std::function<void()>> at_end; // of libraries that build on this one

 private:
  EngineOptions start_alone(const op_init_params &params, Selection &selection);
  void start_together(EngineOptions options, const Selection &selection);
  Transport choose_messages();
  jit::Specialiser &need_specialiser();
  void keep_code_of_plugins();
};

// The context of this process, NULL before op_init().
Session *current_session() noexcept;
// Whether this is the thread that called op_init(), in the process that did.
bool on_control_thread() noexcept;
// Whether this process is a child that fork() made after op_init(), and the context has threads or other processes,
// which stayed with the parent.
bool forked() noexcept;
inline constexpr const char *forked_text =
    "this process was forked after op_init(), and the library's threads and its place among other processes stayed "
    "with the parent; fork before op_init(), or leave the library to the parent";
// The current context, for calls that record loops. Throws OP_ERR_STATE (none, of the parent, poisoned, or called by a
// kernel), OP_ERR_THREAD (another thread).
Session &recording_session();
// The same for all other calls: runs the loops that are recorded, and throws what they throw.
Session &session();
// The same, also if poisoned.
Session &session_even_poisoned();

void make_current(std::unique_ptr<Session> session) noexcept;
void destroy_current() noexcept;

} // namespace op2::core

// SPDX-License-Identifier: MIT
