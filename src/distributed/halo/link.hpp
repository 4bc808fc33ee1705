// Messages that go from device to device in the order of the executors' queues: nobody waits for them on the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

// One with all processes of a job. Making and ending it is collective; it must outlive its exchanges.
class Link {
 public:
  Link(Executor &executor, Communicator &communicator, const std::string &kind);
  ~Link();
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;

  // Collective. `send`: where messages are to lie, in the executor's memory.
  op_exec_link_halo *create(const op_exec_link_halo_params &params, char *&send) {
    return executor_.link_halo_create(link_, params, send);
  }
  void free(op_exec_link_halo *halo) noexcept { executor_.link_halo_free(halo); }
  const char *send(op_exec_link_halo *halo) { return executor_.link_send(halo); }
  void taken(op_exec_link_halo *halo) { executor_.link_taken(halo); }
  // After a failure that leaves others without messages: work of this process's device that waits for theirs goes on.
  void give_up() noexcept { executor_.link_give_up(link_); }

 private:
  Executor &executor_;
  Communicator &communicator_;
  op_exec_link *link_ = nullptr;
};

// A link of this kind, if all processes can have it and messages of known contents arrive; else NULL. Collective, the
// kind is that of all. asked: the user named it, and is told why it cannot be.
std::unique_ptr<Link> choose_link(Executor &executor, Communicator &communicator, const std::string &kind, bool asked,
                                  const Log &log);

} // namespace op2::core
