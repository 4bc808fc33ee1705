// Restarts: first everything is looked at, then everything is taken.
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "distributed/declared/pieces.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/checkpoint/checkpoint_sum.hpp"
#include "mesh/checks.hpp"

namespace op2::core {

namespace {

constexpr std::int64_t longest_table = std::int64_t{1} << 30;

// Runs look() on all processes, or fails on all; whatever is odd about a file means that it is damaged.
template <class Look>
auto look_together(Mesh &mesh, const OpenFile &file, const Look &look) {
  return mesh.agreement().together(file.title(), [&] {
    try {
      return look();
    } catch (const Error &error) {
      if (error.code != OP_ERR_DIM && error.code != OP_ERR_TYPE && error.code != OP_ERR_RANGE) throw;
      fail(OP_ERR_FILE, error.what());
    }
  });
}

CheckpointContents read_table(Mesh &mesh, OpenFile &file) {
  return look_together(mesh, file, [&] {
    if (!file.has(checkpoint_table)) fail(OP_ERR_FILE, file.title(), ": it is no checkpoint");
    const FileArray found = file.describe(checkpoint_table);
    if (found.type.builtin() || found.type.size != 1 || found.dim != 1 || found.rows < 1 || found.rows > longest_table)
      fail(OP_ERR_FILE, file.title(), ": its table of contents is damaged");
    std::string words(static_cast<std::size_t>(found.rows), '\0');
    file.read_rows(checkpoint_table, 0, found.rows, OP_TYPE_USER, words.data());
    return parse_contents(words, file.title());
  });
}

const SavedValue *find_value(const std::vector<SavedValue> &values, const std::string &name) {
  const auto found = std::ranges::find(values, name, &SavedValue::name);
  return found == values.end() ? nullptr : &*found;
}

bool is_named(const std::vector<SavedValue> &values, const SavedValue &constant) {
  const SavedValue *const value = find_value(values, constant.name);
  return value && value->type == constant.type && value->count == constant.count;
}

void add_constants(std::vector<std::string> &out, const CheckpointContents &saved, const CheckpointContents &here) {
  for (const SavedValue &mine : here.constants) {
    const SavedValue *const theirs = find_value(saved.constants, mine.name);
    if (theirs && theirs->bytes.size() == mine.bytes.size() && theirs->bytes != mine.bytes &&
        !is_named(here.values, mine))
      out.push_back(text("constant '", mine.name,
                         "' has another value there: declare that one, or name the variable with "
                         "op_checkpoint_value() to get it back"));
  }
}

// Processes may declare different constants; those of process 0 count.
void need_same(Mesh &mesh, const OpenFile &file, const CheckpointContents &saved, CheckpointContents here) {
  mesh.agreement().together(file.title() + " and the program", [&] {
    CheckpointContents theirs = saved;
    if (mesh.communicator().rank() != 0) {
      here.constants.clear();
      theirs.constants.clear();
    }
    std::vector<std::string> all = differences(theirs, here);
    if (all.empty()) add_constants(all, theirs, here);
    if (all.empty()) return 0;
    constexpr std::size_t most = 5;
    std::string message;
    for (std::size_t n = 0; n < std::min(most, all.size()); ++n) message += (n > 0 ? "; " : "") + all[n];
    if (all.size() > most) message += text("; and ", all.size() - most, " more");
    fail(OP_ERR_STATE, file.title(), " is a checkpoint of another program or mesh: ", message);
  });
}

// A dat in the file, as this process sees it.
class SavedRows {
 public:
  SavedRows(Mesh &mesh, OpenFile &file, const SavedDat &saved, Dat &dat)
      : mesh_(mesh), file_(file), saved_(saved), dat_(dat), row_(static_cast<std::size_t>(dat.size)) {}

  void need_place() {
    look_together(mesh_, file_, [&] {
      if (!file_.has(saved_.place)) refuse("is missing");
      const FileArray found = file_.describe(saved_.place);
      if (found.rows != dat_.on().global_size || found.dim != saved_.dim || found.type.size != saved_.type_size)
        refuse("has other extents or another type than it should");
      step_ = rows_in_piece(row_, found.chunk_rows);
      return 0;
    });
    step_ = mesh_.communicator().max(step_);
  }

  // All rows of this process, piece by piece; `begun` becomes true when the dat changes.
  void take(bool &begun) {
    Communicator &communicator = mesh_.communicator();
    const Pieces pieces = pieces_of(dat_.on(), step_);
    const std::int64_t count = communicator.max(pieces.count());
    std::vector<char> rows;
    std::uint64_t sum = 0;
    for (std::int64_t n = 0; n < count; ++n) {
      const Pieces::Piece piece = pieces[n];
      mesh_.agreement().together("memory for a restart", [&] {
        rows.resize(static_cast<std::size_t>(piece.rows) * row_);
        return 0;
      });
      look_together(mesh_, file_, [&] {
        file_.read_rows(saved_.place, pieces.first + piece.at, piece.rows, OP_TYPE_USER, rows.data());
        return 0;
      });
      sum += sum_of_rows(pieces.first + piece.at, piece.rows, row_, rows.data());
      begun = true;
      put_piece(mesh_, dat_, step_, n, rows.data());
    }
    if (sum_over_all(communicator, sum) != saved_.sum)
      fail_on_all(OP_ERR_FILE, file_.title(), ", '", saved_.place,
                  "': it is damaged; its checksum is not that of the values");
  }

 private:
  [[noreturn]] void refuse(const char *what) {
    fail(OP_ERR_FILE, file_.title(), ": it is damaged; its dataset '", saved_.place, "' ", what);
  }

  Mesh &mesh_;
  OpenFile &file_;
  const SavedDat &saved_;
  Dat &dat_;
  std::size_t row_;
  std::int64_t step_ = 1;
};

std::vector<SavedRows> rows_in(Mesh &mesh, OpenFile &file, const CheckpointContents &saved,
                               const CheckpointContents &here, const std::vector<Dat *> &dats) {
  std::vector<SavedRows> out;
  const std::vector<int> places = same_names(here.dats, saved.dats);
  for (std::size_t n = 0; n < dats.size(); ++n)
    out.emplace_back(mesh, file, saved.dats[static_cast<std::size_t>(places[n])], *dats[n]);
  return out;
}

void take_values(Mesh &mesh, const Checkpoints &checkpoints, const CheckpointContents &saved,
                 const CheckpointContents &here) {
  for (const CheckpointValue &value : checkpoints.values())
    std::memcpy(value.address, find_value(saved.values, value.name)->bytes.data(), value.bytes());
  for (std::size_t n = 0; n < here.constants.size(); ++n)
    if (const SavedValue *const old = find_value(saved.constants, here.constants[n].name);
        old && is_named(here.values, here.constants[n]))
      mesh.declare().restore(mesh.objects().constants()[n], old->bytes.data());
}

} // namespace

void restart_from(Files &files, Checkpoints &checkpoints, const std::string &path) {
  Mesh &mesh = files.mesh();
  mesh.agreement().agree(text("a restart from file '", path, "'"));
  mesh.declare().settle();
  const std::vector<Dat *> dats =
      mesh.agreement().together("the dats of a checkpoint", [&] { return dats_of_state(mesh); });
  need_seal(mesh, text("file '", path, "'"), path);
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  const CheckpointContents saved = read_table(mesh, *file), here = describe_state(mesh, checkpoints);
  need_same(mesh, *file, saved, here);
  std::vector<SavedRows> places = rows_in(mesh, *file, saved, here, dats);
  for (SavedRows &dat : places) dat.need_place();
  bool changed = false;
  try {
    for (SavedRows &dat : places) dat.take(changed);
    take_values(mesh, checkpoints, saved, here);
  } catch (Error &error) { // the file has changed since it was checked, or a device has failed
    error.poisons = error.poisons || changed;
    throw;
  }
  files.log().write(OP_LOG_INFO, text("restart from '", path, "', written by version ", saved.library));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
