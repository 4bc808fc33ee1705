// The door of library.h: what libraries take from this one that build on it.
#include "op2/library.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "api/guard.hpp"
#include "distributed/declared/rows.hpp"
#include "distributed/redistribute/migrate.hpp"
#include "io/place.hpp"
#include "io/view/array_file.hpp"

using namespace op2::core;

struct op_library_file_s : ArrayFile {
  using ArrayFile::ArrayFile;
};

namespace {

namespace entry { // names apart from those of other files

thread_local std::exception_ptr failure; // of the last entry that failed

template <class Body>
op_status attempt(Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (const Error &error) {
    failure = std::current_exception();
    return error.code;
  } catch (const std::bad_alloc &) {
    failure = std::current_exception();
    return OP_ERR_MEMORY;
  } catch (...) {
    failure = std::current_exception();
    return OP_ERR_INTERNAL;
  }
}

// As much of the facts as the caller knows of.
template <class Facts>
void give(Facts *out, Facts facts) {
  facts.size = std::min(out->size, sizeof facts);
  std::memcpy(out, &facts, facts.size);
}

template <class Facts>
Facts taken(const Facts &given) {
  Facts out{};
  std::memcpy(&out, &given, std::min(given.size, sizeof out));
  return out;
}

// ---- calls and errors

op_status begin() {
  return attempt([] { session(); });
}

op_library_error facts_of(const Error &error) {
  op_library_error out{};
  out.code = error.code;
  out.flags = (error.agreed ? OP_LIBRARY_AGREED : 0) | (error.silent ? OP_LIBRARY_SILENT : 0) |
              (error.poisons ? OP_LIBRARY_POISONS : 0) | (error.ends_job ? OP_LIBRARY_ENDS_JOB : 0);
  out.message = error.what();
  out.loop = error.loop.c_str();
  out.arg = error.arg;
  out.file = error.file.c_str();
  out.line = error.line;
  return out;
}

// The texts are those of the exception, which `failure` keeps.
void describe(op_library_error *out) {
  op_library_error other{};
  other.code = OP_ERR_INTERNAL;
  other.arg = -1;
  other.message = "unexpected exception";
  try {
    if (failure) std::rethrow_exception(failure);
    other.code = OP_OK;
    other.message = "";
  } catch (const Error &error) {
    return give(out, facts_of(error));
  } catch (const std::bad_alloc &) {
    other.code = OP_ERR_MEMORY;
    other.message = "out of memory";
  } catch (const std::exception &error) {
    other.message = error.what();
  } catch (...) {
  }
  give(out, other);
}

op_status report(const char *call, const op_library_error *given) {
  const auto text_of = [](const char *words) { return std::string(words ? words : ""); };
  try {
    const op_library_error facts = taken(*given);
    Error error(facts.code, text_of(facts.message));
    error.agreed = (facts.flags & OP_LIBRARY_AGREED) != 0;
    error.silent = (facts.flags & OP_LIBRARY_SILENT) != 0;
    error.poisons = (facts.flags & OP_LIBRARY_POISONS) != 0;
    error.ends_job = (facts.flags & OP_LIBRARY_ENDS_JOB) != 0;
    error.loop = text_of(facts.loop);
    error.arg = facts.arg;
    error.file = text_of(facts.file);
    error.line = facts.line;
    throw error;
  } catch (...) {
    return report_error(call);
  }
}

int whether_errors_return() {
  const Session *const current = current_session();
  return current && current->mesh ? current->mesh->agreement().errors_return() : errors_return();
}

op_status at_end(op_library_end_fn function, void *user) {
  return attempt([&] { session().at_end.emplace_back([function, user] { function(user); }); });
}

// ---- processes and threads

op_status communicator(op_library_communicator *out) {
  return attempt([&] {
    Session &current = session();
    Communicator &all = *current.communicator;
    give(out, {0, all.name().c_str(), &all.table(), all.handle(), current.services.table()});
  });
}

const char *communicator_failure() {
  static thread_local std::string words;
  attempt([] { words = session().services.take_failure(); });
  return words.c_str();
}

int threads() {
  int out = 1;
  attempt([&] {
    const Session &current = session();
    const op_exec_caps &caps = current.executor->caps();
    const int of_node = static_cast<int>(std::thread::hardware_concurrency());
    out = std::max(caps.host_code ? caps.concurrency : of_node / current.communicator->node_size(), 1);
  });
  return out;
}

op_status settle() {
  return attempt([] {
    session().async->settle();
    session().mesh->declare().settle();
  });
}

// ---- objects of the mesh

op_status set_facts(op_set handle, const char *what, op_library_set *out) {
  return attempt([&] {
    const Set &set = session().mesh->objects().set(handle, what);
    give(out, {0, set.label.c_str(), set.size, set.declared_size, set.declared_first, set.global_size, set.revision});
  });
}

op_status map_facts(op_map handle, const char *what, op_library_map *out) {
  return attempt([&] {
    const Map &map = session().mesh->objects().map(handle, what);
    give(out, {0, map.label.c_str(), map.from, map.to, map.dim, 0, map.revision + map.rewritten});
  });
}

op_status dat_facts(op_dat handle, const char *what, op_library_dat *out) {
  return attempt([&] {
    const Dat &dat = session().mesh->objects().dat(handle, what);
    give(out, {0, dat.label.c_str(), dat.type_label.c_str(), dat.set, dat.element.id, dat.dim, dat.size,
               dat.acquired >= 0 ? 1 : 0});
  });
}

op_status view_facts(op_view handle, op_library_view *out) {
  return attempt([&] {
    const op_view_core &view = session().views.find(handle);
    give(out, {0, view.name.c_str(), view.coordinates, static_cast<int>(view.cells.size()), 0});
  });
}

op_status view_cells(op_view handle, int number, op_library_cells *out) {
  return attempt([&] {
    const ViewCells &cells = session().views.find(handle).cells.at(static_cast<std::size_t>(number));
    give(out, {0, cells.map, cells.shape->type, cells.shape->name});
  });
}

op_status view_way(op_view view, op_set shown, op_set values, op_map *map) {
  return attempt([&] { *map = way_to_values(*session().mesh, session().views.find(view), shown, values); });
}

op_status declare_dat(op_set set, int dim, const char *type, const char *name, op_dat *dat) {
  return attempt([&] {
    *dat =
        &collectively([&](Mesh &mesh) -> Dat & { return mesh.declare().dat(set, dim, type, 0, nullptr, name, false); });
  });
}

// ---- rows and entries

// act(mesh, dat), where the handle is that of a dat.
template <class Act>
op_status with_dat(op_dat handle, Act &&act) {
  return attempt([&] {
    Mesh &mesh = *session().mesh;
    act(mesh, mesh.objects().dat(handle, "the dat"));
  });
}

op_status fetch_rows(op_dat handle, void *rows) {
  return with_dat(handle, [&](Mesh &mesh, Dat &dat) { copy_declared(mesh, dat, static_cast<char *>(rows)); });
}

op_status put_rows(op_dat handle, const void *rows) {
  return with_dat(handle, [&](Mesh &mesh, Dat &dat) { put_declared(mesh, dat, static_cast<const char *>(rows)); });
}

op_status rows_of(op_dat handle, size_t count, const op_gindex *numbers, void *rows) {
  return with_dat(handle, [&](Mesh &mesh, Dat &dat) {
    const std::vector<char> found = rows_of_numbers(mesh, dat, std::span(numbers, count));
    std::copy(found.begin(), found.end(), static_cast<char *>(rows));
  });
}

op_status numbers_owned(op_set set, op_gindex *numbers) {
  return attempt([&] {
    const std::vector<op_gindex> own = own_numbers(session().mesh->objects().set(set, "the set"));
    std::copy(own.begin(), own.end(), numbers);
  });
}

op_status entries_owned(op_map map, op_gindex *entries) {
  return attempt([&] {
    const std::vector<op_gindex> own = own_targets(session().mesh->objects().map(map, "the map"));
    std::copy(own.begin(), own.end(), entries);
  });
}

op_status entries_of_declared_part(op_map map, op_gindex *entries) {
  return attempt([&] {
    Mesh &mesh = *session().mesh;
    const std::vector<op_gindex> all = declared_entries(mesh, mesh.objects().map(map, "the map"));
    std::copy(all.begin(), all.end(), entries);
  });
}

// ---- files

op_status write_file_of_first(const char *path, const char *what, const char *bytes, size_t count) {
  return attempt([&] {
    Mesh &mesh = *session().mesh;
    mesh.agreement().together(text(what, " to file '", path, "'"), [&] {
      if (mesh.communicator().rank() == 0) write_new_file(path, {bytes, count});
      return 0;
    });
  });
}

ViewArray array_of(const op_library_array &given) {
  const op_library_array array = taken(given);
  return {array.name, array.rows, array.dim, array.type, array.flat != 0, nullptr};
}

op_status open_file(const char *path, int count, const op_library_array *arrays, op_library_file **file) {
  return attempt([&] {
    std::vector<ViewArray> all;
    for (int i = 0; i < count; ++i) all.push_back(array_of(arrays[i]));
    *file = std::make_unique<op_library_file>(*session().files, path, all).release();
  });
}

op_status file_group(op_library_file *file, const char *name) {
  return attempt([&] { file->group(name); });
}

op_status file_numbers(op_library_file *file, const char *group, const char *key, int count, const int *numbers) {
  return attempt([&] { file->mark(group, key, std::span(numbers, static_cast<std::size_t>(count))); });
}

op_status file_word(op_library_file *file, const char *group, const char *key, const char *word) {
  return attempt([&] { file->mark(group, key, word); });
}

op_status file_array(op_library_file *file, const op_library_array *array, op_gindex first, op_gindex rows,
                     const void *data) {
  return attempt([&] {
    ViewArray all = array_of(*array);
    all.put = [&](const PutRows &put) { put(first, rows, data); };
    file->array(all);
  });
}

op_status commit_file(op_library_file *file) {
  return attempt([&] { file->commit(); });
}

void close_file(op_library_file *file) { const std::unique_ptr<op_library_file> ended(file); }

// ---- what is shown of the work

int trace_lane(const char *name) {
  int out = 0;
  attempt([&] {
    if (Trace *const trace = session().trace.get()) out = trace->add_lane(name);
  });
  return out;
}

const void *trace_subject(int lane, const char *name, const char *count_name) {
  const void *out = nullptr;
  attempt([&] {
    if (Trace *const trace = session().trace.get()) out = &trace->subject(lane, name, {}, count_name ? count_name : "");
  });
  return out;
}

void trace_record(const void *subject, double begin, double end, int64_t count) {
  const Session *const current = current_session();
  if (subject && current && current->trace)
    current->trace->record(*static_cast<const TraceSubject *>(subject), begin, end, count);
}

op_status add_tracing(const op_library_tracing *given) {
  return attempt([&] {
    const op_library_tracing more = taken(*given);
    TracingStats &all = session().engine->stats().tracing();
    ++all.calls;
    all.lines += more.lines;
    all.steps += more.steps;
    all.handed_over += more.handed_over;
    all.came_back += more.came_back;
    all.messages += more.messages;
    all.particle_messages += more.particle_messages;
    all.sent_bytes += more.sent_bytes;
    all.particle_bytes += more.particle_bytes;
    all.dividing_seconds += more.dividing_seconds;
    all.seconds += more.seconds;
    all.working_seconds += more.working_seconds;
    all.waiting_seconds += more.waiting_seconds;
  });
}

} // namespace entry

constexpr op_library_v1 services_of_library = [] {
  op_library_v1 out{};
  out.size = sizeof out;
  out.begin = entry::begin;
  out.error = entry::describe;
  out.report = entry::report;
  out.errors_return = entry::whether_errors_return;
  out.at_end = entry::at_end;
  out.communicator = entry::communicator;
  out.communicator_failure = entry::communicator_failure;
  out.threads = entry::threads;
  out.settle = entry::settle;
  out.set = entry::set_facts;
  out.map = entry::map_facts;
  out.dat = entry::dat_facts;
  out.view = entry::view_facts;
  out.view_cells = entry::view_cells;
  out.view_way = entry::view_way;
  out.declare_dat = entry::declare_dat;
  out.fetch_rows = entry::fetch_rows;
  out.put_rows = entry::put_rows;
  out.rows_of = entry::rows_of;
  out.own_numbers = entry::numbers_owned;
  out.own_entries = entry::entries_owned;
  out.declared_entries = entry::entries_of_declared_part;
  out.write_file = entry::write_file_of_first;
  out.open_file = entry::open_file;
  out.file_group = entry::file_group;
  out.file_numbers = entry::file_numbers;
  out.file_word = entry::file_word;
  out.file_array = entry::file_array;
  out.commit_file = entry::commit_file;
  out.close_file = entry::close_file;
  out.trace_lane = entry::trace_lane;
  out.trace_subject = entry::trace_subject;
  out.trace_record = entry::trace_record;
  out.add_tracing = entry::add_tracing;
  return out;
}();

} // namespace

const op_library_v1 *op_library_services(void) { return &services_of_library; }

// SPDX-License-Identifier: MIT
