// corpus FOLDER: gives every file of the folder to libFuzzer's entry, without libFuzzer: what once was found stays found. The
// sanitizers of the build, or an exception that is not the library's, end it.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::printf("%s, %zu bytes\n", entry.path().filename().c_str(), bytes.size());
    std::fflush(stdout); // the last line names the file that ended it
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
    ++count;
  }
  std::printf("%d files\n", count);
  return count > 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
