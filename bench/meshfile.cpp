// meshfile.cpp: converting a mesh of a million tetrahedra (Medit's text to HDF5, as `op2_mesh convert` does it) beside
// a plain parse of the numbers in the same file.
//
// Judged: the conversion takes at most 3 times as long as the parse.
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "op2/op2.hpp"

namespace {

template <class Number>
void put_number(std::string &out, Number value, char behind) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
  out += behind;
}

// Cubes of six tetrahedra each, coordinates with all their digits.
std::string make_mesh(int side) {
  const auto node = [side](int i, int j, int k) { return 1 + i + (side + 1) * (j + (side + 1) * k); };
  const int nodes = (side + 1) * (side + 1) * (side + 1);
  std::string out = "MeshVersionFormatted 2\nDimension 3\nVertices\n" + std::to_string(nodes) + "\n";
  for (int k = 0; k <= side; ++k)
    for (int j = 0; j <= side; ++j)
      for (int i = 0; i <= side; ++i) {
        for (const int x : {i, j, k}) put_number(out, (x + 1.0 / 7) / side, ' ');
        out += "0\n";
      }
  out += "Tetrahedra\n" + std::to_string(6 * side * side * side) + "\n";
  constexpr std::array<std::array<int, 3>, 6> ways = {
      {{{0, 1, 2}}, {{1, 0, 2}}, {{1, 2, 0}}, {{2, 1, 0}}, {{2, 0, 1}}, {{0, 2, 1}}}};
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        for (std::size_t way = 0; way < ways.size(); ++way) { // from one corner to the other along the axes
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> cell = {node(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[static_cast<std::size_t>(ways[way][step])];
            cell[step + 1] = node(at[0], at[1], at[2]);
          }
          if (way % 2 == 1) std::swap(cell[0], cell[1]);
          for (const int n : cell) put_number(out, n, ' ');
          out += "1\n";
        }
  return out + "End\n";
}

// The yardstick: the file in memory, and every word that is a number as one.
double parse_numbers(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file) return 0;
  std::fseek(file, 0, SEEK_END);
  std::vector<char> text(static_cast<std::size_t>(std::ftell(file)));
  std::rewind(file);
  const std::size_t size = std::fread(text.data(), 1, text.size(), file);
  std::fclose(file);
  std::vector<double> numbers;
  const char *at = text.data(), *const end = at + size;
  while (at < end) {
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error == std::errc()) numbers.push_back(value);
    at = after > at ? after : at + 1;
  }
  double sum = 0;
  for (const double value : numbers) sum += value;
  return sum;
}

bool good = true;

void convert(const std::string &from, const std::string &to, std::vector<double> &reading,
             std::vector<double> &writing) {
  op_mesh mesh = nullptr;
  reading.push_back(bench::seconds([&] { good &= op_mesh_read(from.c_str(), "medit", &mesh) == OP_OK; }));
  if (!good) return;
  writing.push_back(bench::seconds([&] { good &= op_mesh_dump(mesh, to.c_str()) == OP_OK; }));
  op_mesh_free(mesh);
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const std::string row = quick ? "meshfile.25k" : "meshfile.1M";
  const char *folder = std::getenv("TMPDIR");
  const std::string name = std::string(folder ? folder : "/tmp") + "/bench_meshfile_" + std::to_string(getpid());
  const std::string from = name + ".mesh", to = name + ".h5";
  const std::string text = make_mesh(quick ? 16 : 55);
  std::FILE *file = std::fopen(from.c_str(), "wb");
  if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fclose(file) != 0) return 1;
  setenv("OP2_BACKEND", "seq", 1);
  setenv("OP2_ERROR", "return", 1);
  if (op_init(0, nullptr, 0) != OP_OK) return 1;
  std::vector<double> parsing, reading, writing, ratios;
  double sum = 0;
  for (int i = 0; i < (quick ? 5 : 7) && good; ++i) {
    parsing.push_back(bench::seconds([&] { sum += parse_numbers(from); }));
    convert(from, to, reading, writing);
    if (i > 0) ratios.push_back((reading.back() + writing.back()) / parsing.back()); // the first warms up
  }
  const std::string why = good ? "" : op_last_error();
  op_exit();
  std::remove(from.c_str());
  std::remove(to.c_str());
  if (!good) {
    bench::skip(row + ".convert_to_parse", why);
    return 0;
  }
  bench::result(row + ".file", 1e-6 * static_cast<double>(text.size()), "MB");
  bench::result(row + ".parse", 1e3 * bench::median(parsing), "ms", sum > 0 ? "" : "nothing was read");
  bench::result(row + ".read_and_connect", 1e3 * bench::median(reading), "ms");
  bench::result(row + ".write", 1e3 * bench::median(writing), "ms");
  bench::result(row + ".convert_to_parse", bench::median(ratios), "x");
  if (!quick) // a small file costs what making any file costs
    bench::check(row + ".convert_to_parse", bench::median(ratios), 3, bench::Better::below, "x");
  return 0;
}

// SPDX-License-Identifier: MIT
