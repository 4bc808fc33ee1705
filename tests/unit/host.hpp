// host.hpp: the plugin host as the library makes it for one session, for tests that look at its pieces.
#pragma once

#include <memory>
#include <string>

#include "host/plugins/registry.hpp"
#include "plugins/builtin.hpp"

namespace unit {

struct Host {
  explicit Host(const std::string &folders = "") : services(log, settings) {
    settings.set("OP2_PLUGIN_PATH", folders, "test");
    registry = std::make_unique<op2::core::Registry>(settings, log, services);
    for (const op_plugin_v1 *plugin :
         {op2::core::exec_seq_plugin(), op2::core::comm_self_plugin(), op2::core::part_block_plugin()})
      registry->add_builtin(plugin);
  }

  op2::core::Settings settings = op2::core::Settings::load(0, nullptr);
  op2::core::Log log{OP_LOG_ERROR};
  op2::core::Services services;
  std::unique_ptr<op2::core::Registry> registry;
};

} // namespace unit

// SPDX-License-Identifier: MIT
