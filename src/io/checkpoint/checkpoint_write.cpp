// Checkpoints, written.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "distributed/declared/pieces.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/checkpoint/checkpoint_sum.hpp"
#include "io/op2_layout.hpp"

namespace op2::core {

namespace {

FileArray table_array(std::size_t length) {
  ElementType byte;
  byte.size = 1;
  byte.name = "text";
  return {static_cast<std::int64_t>(length), 1, byte, 1};
}

std::uint64_t hash_of(const std::vector<CheckpointValue> &values) {
  Hash hash;
  for (const CheckpointValue &value : values)
    hash.add(value.name).add(value.element.name).add(static_cast<std::uint64_t>(value.count));
  return hash.value();
}

void put_rows(Files &files, FileWriter &writer, Dat &dat, SavedDat &saved) {
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const std::int64_t step = rows_in_piece(row);
  DatPieces pieces(files.mesh(), dat, step);
  writer.step(text("dat '", dat.label, "'"), [&](OpenFile &file) { file.create(saved.place, dat_array(files, dat)); });
  std::uint64_t sum = 0;
  writer.write_pieces(saved.place, set.declared_first, set.declared_size, row, dat.element.id, [&](std::int64_t n) {
    const Pieces::Piece piece = pieces_of(set, step)[n];
    const char *const rows = pieces.get(n);
    sum += sum_of_rows(set.declared_first + piece.at, piece.rows, row, rows);
    return rows;
  });
  saved.sum = sum_over_all(files.mesh().communicator(), sum);
}

// What process 0 has counts.
void put_table(Files &files, FileWriter &writer, const CheckpointContents &contents) {
  Communicator &communicator = files.mesh().communicator();
  const bool first = communicator.rank() == 0;
  const std::string own = first ? contents_text(contents) : "";
  const std::string words = communicator.size() > 1 ? communicator.allgather(own).front() : own;
  writer.step("its contents", [&](OpenFile &file) { file.create(checkpoint_table, table_array(words.size())); });
  writer.write_rows(checkpoint_table, 0, first ? static_cast<std::int64_t>(words.size()) : 0, 1, OP_TYPE_USER,
                    words.data());
}

} // namespace

void write_checkpoint(Files &files, Checkpoints &checkpoints, const std::string &path) {
  const double begin = now();
  Mesh &mesh = files.mesh();
  Agreement &agreement = mesh.agreement();
  if (!agreement.agree(text("a checkpoint to file '", path, "'"), hash_of(checkpoints.values())))
    fail_on_all(OP_ERR_STATE, "the processes have not named the same values with op_checkpoint_value()");
  mesh.declare().settle();
  const std::vector<Dat *> dats = agreement.together("the dats of a checkpoint", [&] { return dats_of_state(mesh); });
  CheckpointContents contents = describe_state(mesh, checkpoints);
  std::int64_t room = Files::room_of(table_array(contents_text(contents).size())), bytes = 0;
  for (const Dat *dat : dats) {
    room += Files::room_of(dat_array(files, *dat));
    bytes += dat->on().global_size * dat->size;
  }
  FileWriter writer(files, path, FileWriter::Mode::replace, room);
  for (std::size_t n = 0; n < dats.size(); ++n) put_rows(files, writer, *dats[n], contents.dats[n]);
  put_table(files, writer, contents);
  writer.commit([&](const std::string &place) { seal_file(mesh, text("file '", path, "'"), place); });
  if (files.log().wants(OP_LOG_INFO))
    files.log().write(OP_LOG_INFO, text("checkpoint '", path, "': ", dats.size(), " dats, ", bytes, " bytes, ",
                                        fixed(now() - begin, 3), " s"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
