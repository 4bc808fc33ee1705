#include "tracer/facts.hpp"

#include <string>

#include "base/error.hpp"

namespace op2::core::tracer {

const op_library_v1 &services() {
  const op_library_v1 &out = *op_library_services();
  if (out.size < sizeof out) fail(OP_ERR_STATE, "libop2 is older than libop2_trace; both must come from one release");
  return out;
}

void check(op_status status) {
  if (status == OP_OK) return;
  op_library_error facts{};
  facts.size = sizeof facts;
  services().error(&facts);
  const auto text_of = [](const char *words) { return std::string(words ? words : ""); };
  Error error(status, text_of(facts.message));
  error.agreed = (facts.flags & OP_LIBRARY_AGREED) != 0;
  error.silent = (facts.flags & OP_LIBRARY_SILENT) != 0;
  error.poisons = (facts.flags & OP_LIBRARY_POISONS) != 0;
  error.ends_job = (facts.flags & OP_LIBRARY_ENDS_JOB) != 0;
  error.loop = text_of(facts.loop);
  error.arg = facts.arg;
  error.file = text_of(facts.file);
  error.line = facts.line;
  throw error;
}

namespace {

template <class Facts>
Facts sized() {
  Facts out{};
  out.size = sizeof out;
  return out;
}

// size: of the facts, without the handle.
template <class Facts, class Entry, class Handle, class... More>
Facts asked(std::size_t size, Entry entry, Handle handle, More... more) {
  Facts out{};
  out.size = size;
  out.handle = handle;
  check(entry(handle, more..., &out));
  return out;
}

} // namespace

SetFacts facts_of(op_set handle, const char *what) {
  return asked<SetFacts>(sizeof(op_library_set), services().set, handle, what);
}
MapFacts facts_of(op_map handle, const char *what) {
  return asked<MapFacts>(sizeof(op_library_map), services().map, handle, what);
}
DatFacts facts_of(op_dat handle, const char *what) {
  return asked<DatFacts>(sizeof(op_library_dat), services().dat, handle, what);
}
ViewFacts facts_of(op_view handle) { return asked<ViewFacts>(sizeof(op_library_view), services().view, handle); }

op_library_cells cells_of(const ViewFacts &view, int number) {
  auto out = sized<op_library_cells>();
  check(services().view_cells(view.handle, number, &out));
  return out;
}

void put_declared(const DatFacts &dat, const void *rows) { check(services().put_rows(dat.handle, rows)); }

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
