#include "io/checkpoint/checkpoint_seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/without_signal.hpp"
#include "host/files.hpp"
#include "host/plugins/descriptor.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_sum.hpp"

namespace op2::core {

namespace {

constexpr std::int64_t seal_unit = 4096; // bytes, the last ones filled up with zeros
constexpr std::int64_t seal_piece = seal_unit << 11;

struct Seal {
  std::array<char, 8> word = {'o', 'p', '2', ' ', 's', 'e', 'a', 'l'};
  std::int64_t bytes = 0; // before it
  std::uint64_t sum = 0;
};

Descriptor opened(const std::string &title, const std::string &path, int flags) {
  Descriptor file(open(path.c_str(), flags | O_CLOEXEC));
  if (!file.valid()) fail(OP_ERR_FILE, title, ": ", std::strerror(errno));
  return file;
}

std::int64_t size_of(const std::string &title, const Descriptor &file) {
  struct stat facts;
  if (fstat(file.number(), &facts) != 0) fail(OP_ERR_FILE, title, ": ", std::strerror(errno));
  return facts.st_size;
}

void read_at(const std::string &title, const Descriptor &file, std::int64_t place, std::int64_t bytes, char *to) {
  while (bytes > 0) {
    const ssize_t got = pread(file.number(), to, static_cast<std::size_t>(bytes), place);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(OP_ERR_FILE, title, ": ", got < 0 ? std::strerror(errno) : "it is cut off");
    place += got;
    bytes -= got;
    to += got;
  }
}

// Of this process's share of the first `bytes`.
std::uint64_t own_sum(Mesh &mesh, const std::string &title, const Descriptor &file, std::int64_t bytes) {
  const std::int64_t units = (bytes + seal_unit - 1) / seal_unit;
  const int rank = mesh.communicator().rank(), processes = mesh.communicator().size();
  const std::int64_t begin = share_begin(units, rank, processes) * seal_unit,
                     end = std::min<std::int64_t>(bytes, share_begin(units, rank + 1, processes) * seal_unit);
  std::vector<char> rows(static_cast<std::size_t>(std::clamp<std::int64_t>(end - begin + seal_unit, 0, seal_piece)));
  std::uint64_t sum = 0;
  for (std::int64_t place = begin; place < end; place += seal_piece) {
    const std::int64_t count = std::min(seal_piece, end - place),
                       filled = (count + seal_unit - 1) / seal_unit * seal_unit;
    read_at(title, file, place, count, rows.data());
    std::fill(rows.begin() + count, rows.begin() + filled, '\0');
    sum += sum_of_rows(place / seal_unit, filled / seal_unit, static_cast<std::size_t>(seal_unit), rows.data());
  }
  return sum;
}

std::uint64_t sum_of_file(Mesh &mesh, const std::string &title, const std::string &path, std::int64_t bytes) {
  return sum_over_all(mesh.communicator(), mesh.agreement().together(title + ", its checksum", [&] {
    return own_sum(mesh, title, opened(title, path, O_RDONLY), bytes);
  }));
}

} // namespace

void seal_file(Mesh &mesh, const std::string &title, const std::string &path) {
  const WithoutSignal signal(SIGXFSZ);
  Seal seal;
  seal.bytes = mesh.agreement().together(title, [&] { return size_of(title, opened(title, path, O_RDONLY)); });
  mesh.communicator().bcast(&seal.bytes, sizeof seal.bytes, 0); // what the process knows that wrote it
  seal.sum = sum_of_file(mesh, title, path, seal.bytes);
  mesh.agreement().together(title + ", its seal", [&] {
    if (mesh.communicator().rank() != 0) return 0;
    const Descriptor file = opened(title, path, O_WRONLY | O_APPEND);
    const std::string why = write_all(file.number(), {reinterpret_cast<const char *>(&seal), sizeof seal});
    if (!why.empty()) fail(OP_ERR_FILE, title, ": ", why);
    return 0;
  });
}

void need_seal(Mesh &mesh, const std::string &title, const std::string &path) {
  const Seal seal = mesh.agreement().together(title, [&] {
    if (!file_is_there(path)) fail(OP_ERR_FILE, title, ": there is no such file");
    const Descriptor file = opened(title, path, O_RDONLY);
    const std::int64_t bytes = size_of(title, file) - static_cast<std::int64_t>(sizeof(Seal));
    Seal found;
    found.word = {};
    if (bytes > 0) read_at(title, file, bytes, sizeof found, reinterpret_cast<char *>(&found));
    if (found.word != Seal().word || found.bytes != bytes)
      fail(OP_ERR_FILE, title, ": it is no checkpoint, or damaged: its end is not that of one");
    return found;
  });
  if (sum_of_file(mesh, title, path, seal.bytes) != seal.sum)
    fail_on_all(OP_ERR_FILE, title, ": it is damaged; its checksum is not that of its bytes");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
