// su2_test.cpp: SU2's format as SU2 and other programs write it.
#include <gtest/gtest.h>

#include <sstream>

#include "../judge.hpp"

namespace {

using namespace meshes;
using op2::core::MeshFile;
using op2::core::parse_mesh;

MeshFile read(const std::string &bytes) { return parse_mesh(bytes, "m", "su2"); }
std::string says(const std::string &bytes) {
  return refusal([&] { read(bytes); });
}

// The sections of a file: what stands before the first one, then each with its lines.
std::vector<std::string> sections(const std::string &bytes) {
  std::vector<std::string> out(1);
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line); out.back() += line + "\n")
    if (line[0] >= 'A' && line[0] <= 'Z' && !line.starts_with("MARKER_ELEMS")) out.emplace_back();
  return out;
}

std::string replaced(std::string in, const std::string &what, const std::string &by) {
  for (std::size_t at = in.find(what); at != in.npos; at = in.find(what, at + by.size()))
    in.replace(at, what.size(), by);
  return in;
}

// A square of two triangles.
const std::string square = "NDIME= 2\nNELEM= 2\n5 0 1 2\n5 1 3 2\nNPOIN= 4\n0 0\n1 0\n0 1\n1 1\n";

// Every section first once, the others behind it.
TEST(Su2, SectionsInAnyOrder) {
  for (const Sample &sample : {strip(), mixed()}) {
    std::vector<std::string> all = sections(su2(sample));
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      std::string bytes;
      for (const std::string &one : all) bytes += one;
      SCOPED_TRACE(bytes.substr(0, 60));
      // Patches have numbers in the order of the markers, and their elements may be turned.
      const MeshFile mesh = read(bytes);
      EXPECT_EQ(mesh.cells, static_cast<int>(sample.cells.size()));
      EXPECT_EQ(mesh.patches.size(), sample.patches.size());
      expect_sample(mesh, sample);
      std::rotate(all.begin(), all.begin() + 1, all.end());
    }
  }
}

TEST(Su2, TextAnywhereBetweenLines) {
  const std::string plain = su2(strip());
  expect_sample(read("\xef\xbb\xbf" + replaced(plain, "\n", "\r\n")), strip());
  expect_sample(read(replaced(plain, "\n", "  % NELEM= 7\n\n\t% more\n")), strip());
  expect_sample(read(replaced(plain, "= ", " \t=")), strip());
  std::string words;
  for (const std::string &one : sections(plain)) words += one + "free words = here\n12 more of them\n";
  const MeshFile mesh = read("a title\n" + words);
  expect_sample(mesh, strip());
  EXPECT_EQ(mesh.notes,
            std::vector<std::string>{"text between the sections is left out: 19 lines, the first is line 1"});
}

TEST(Su2, NamesOfMarkers) {
  const MeshFile mesh = read(square +
                             "NMARK= 4\nMARKER_TAG= low  % the bottom\r\nMARKER_ELEMS= 1\n3 0 1\n"
                             "MARKER_TAG=\tfar field\nwords\nMARKER_ELEMS= 1 % one\n3 1 3\n"
                             "MARKER_TAG= empty\nMARKER_ELEMS= 0\nMARKER_TAG= low\nMARKER_ELEMS= 1\n3 2 0\n");
  ASSERT_EQ(mesh.patches.size(), 3u);
  EXPECT_EQ(mesh.patches[0].name, "low");
  EXPECT_EQ(mesh.patches[1].name, "far field");
  EXPECT_EQ(mesh.patches[2].name, "empty");
  EXPECT_EQ(connect(mesh).boundary_patch, (std::vector<int>{0, 0, 1, -1}));
}

TEST(Su2, LeavesOutWithANote) {
  const MeshFile mesh = read("AOA_OFFSET= 1.5\nAOA_OFFSET= 2\n" + square +
                             "FFD_NBOX= 1\nFFD_TAG= BOX\n1 2 3\nNMARK= 2\nMARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 2\n"
                             "SEND_RECV= 1\n1 0 0\n1 2 0\nMARKER_TAG= wall\nMARKER_ELEMS= 2\n3 0 1\n1 3\nSEND_RECV= 0\n"
                             "MARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 1\n1 0 0\n");
  EXPECT_EQ(mesh.notes, (std::vector<std::string>{"SU2's AOA_OFFSET= is left out", "SU2's FFD_NBOX= is left out",
                                                  "SU2's FFD_TAG= is left out",
                                                  "marker SEND_RECEIVE: 2 nodes that parts have in common are left out",
                                                  "marker wall: 1 elements that are no sides of cells are left out",
                                                  "marker SEND_RECEIVE: 1 nodes that parts have in common are left out",
                                                  "NMARK= is 2, but there are 3 markers: all are read"}));
  ASSERT_EQ(mesh.patches.size(), 1u);
  EXPECT_EQ(connect(mesh).boundary_patch, (std::vector<int>{0, -1, -1, -1}));
}

TEST(Su2, FacesInTwoMarkers) {
  const MeshFile mesh =
      read(square +
           "NMARK= 3\nMARKER_TAG= low\nMARKER_ELEMS= 1\n3 0 1\nMARKER_TAG= all\n"
           "MARKER_ELEMS= 4\n3 1 0\n3 1 3\n3 3 2\n3 2 0\nMARKER_TAG= right\nMARKER_ELEMS= 1\n3 1 3\n");
  EXPECT_EQ(connect(mesh).boundary_patch, (std::vector<int>{0, 1, 1, 1}));
  EXPECT_EQ(mesh.notes, (std::vector<std::string>{"1 faces of patch all stay in patch low, which comes first",
                                                  "1 faces of patch right stay in patch all, which comes first"}));
}

TEST(Su2, SaysWhatIsInTheFile) {
  EXPECT_EQ(read("NZONE= 1\nIZONE= 1\n" + square).cells, 2);
  EXPECT_EQ(says("% two\nNZONE= 2\nIZONE= 1\n" + square),
            "m: line 2: the file has 2 zones (NZONE=); a file with one zone can be read");
  EXPECT_EQ(says("IZONE= 1\n" + square + "IZONE= 2\n" + square),
            "m: line 11: zone 2 begins here (IZONE=); a file with one zone can be read");
  EXPECT_EQ(says(square + "NMARK= 2\nMARKER_TAG= a\nMARKER_ELEMS= 0\n"),
            "m: line 13: expected 2 markers, as NMARK= says, found 1");
  EXPECT_EQ(says(square + "MARKER_TAG= a\nMARKER_TAG= b\n"), "m: line 11: marker a has no MARKER_ELEMS=");
  EXPECT_EQ(says(square + "MARKER_ELEMS= 1\n3 0 1\n"), "m: line 10: expected MARKER_TAG= before MARKER_ELEMS=");
  EXPECT_EQ(says(square + "NELEM= 1\n5 0 1 2\n"), "m: line 10: the cells stand there a second time");
  EXPECT_EQ(says("NDIME= 2\nNPOIN= 1\n0 0\n"), "m: line 4: the file has no NELEM=");
  EXPECT_EQ(says(replaced(square, "5 1 3", "3 1 3")),
            "m: line 4: expected a cell, found an element of fewer dimensions");
  EXPECT_EQ(says(replaced(square, "5 1 3", "22 1 3")), "m: line 4: elements of type 22 are not possible here");
}

} // namespace

// SPDX-License-Identifier: MIT
