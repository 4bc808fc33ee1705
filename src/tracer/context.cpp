#include "tracer/context.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include "base/error.hpp"

namespace op2::core::tracer {

namespace {

std::string communicator_failure() { return services().communicator_failure(); }

Communicator communicator_of_library() {
  op_library_communicator facts{};
  facts.size = sizeof facts;
  check(services().communicator(&facts));
  op_comm_ops_v1 ops{};
  std::memcpy(&ops, facts.ops, std::min(facts.ops->size, sizeof ops));
  return Communicator(facts.name, ops, facts.comm, facts.host, communicator_failure);
}

// The context of this process. Kept by pointer and never destroyed at exit, as that of libop2 is.
struct Contexts {
  std::unique_ptr<Context> current;
  // Tracers of contexts that have ended: as long as they exist, no new tracer gets their address, so a handle from
  // before op_exit() is refused and not taken for another tracer. The last ones are kept.
  std::array<Tracers, 16> retired;
  std::size_t next = 0;
};
Contexts &contexts() {
  static Contexts &all = *std::make_unique<Contexts>().release();
  return all;
}

void end_context(void *) {
  Contexts &all = contexts();
  all.current->tracers.forget();
  all.retired[all.next++ % all.retired.size()] = std::move(all.current->tracers);
  all.current.reset();
}

} // namespace

Context::Context() : communicator(communicator_of_library()), agreement(communicator) {
  agreement.set_errors_return([] { return services().errors_return() != 0; });
}

Context &context() {
  check(services().begin());
  std::unique_ptr<Context> &current = contexts().current;
  if (!current) {
    auto made = std::make_unique<Context>();
    check(services().at_end(end_context, nullptr));
    current = std::move(made);
  }
  return *current;
}

std::vector<char> fetch_declared(Context &context, const DatFacts &dat) {
  std::vector<char> out;
  const auto make = [&] {
    out.resize(static_cast<std::size_t>(facts_of(dat.set).declared_size) * static_cast<std::size_t>(dat.row_bytes));
    return 0;
  };
  // Where memory ends on one process, the others must not wait for that one.
  if (context.agreement.errors_return())
    context.agreement.together("memory for rows", make);
  else
    make();
  check(services().fetch_rows(dat.handle, out.data()));
  return out;
}

// ---- errors

namespace {

op_status report(const char *call, const Error &error) noexcept {
  op_library_error facts{};
  facts.size = sizeof facts;
  facts.code = error.code;
  facts.flags = (error.agreed ? OP_LIBRARY_AGREED : 0) | (error.silent ? OP_LIBRARY_SILENT : 0) |
                (error.poisons ? OP_LIBRARY_POISONS : 0) | (error.ends_job ? OP_LIBRARY_ENDS_JOB : 0);
  facts.message = error.what();
  facts.loop = error.loop.c_str();
  facts.arg = error.arg;
  facts.file = error.file.c_str();
  facts.line = error.line;
  return op_library_services()->report(call, &facts);
}

op_status report(const char *call, op_status code, const char *message) noexcept {
  op_library_error facts{};
  facts.size = sizeof facts;
  facts.code = code;
  facts.message = message;
  facts.arg = -1;
  return op_library_services()->report(call, &facts);
}

} // namespace

op_status report_error(const char *call) noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return report(call, error);
  } catch (const std::bad_alloc &) {
    return report(call, OP_ERR_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return report(call, OP_ERR_INTERNAL, error.what());
  } catch (...) {
    return report(call, OP_ERR_INTERNAL, "unexpected exception; please report this");
  }
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
