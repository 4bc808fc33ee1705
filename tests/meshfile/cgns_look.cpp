// cgns_look.cpp: op2_cgns_look FILE prints what the library of CGNS finds in a file: zones, sections, conditions,
// connections, families.
#include <cgnslib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(int status) {
  if (status == CG_OK) return;
  std::fprintf(stderr, "%s\n", cg_get_error());
  std::exit(1);
}

using Name = std::array<char, 33>;

// How many faces cells name, and how many of these from the other side.
void sides(int file, int zone, int section, std::size_t cells) {
  cgsize_t size = 0;
  check(cg_ElementDataSize(file, 1, zone, section, &size));
  std::vector<cgsize_t> faces(static_cast<std::size_t>(size)), begin(cells + 1);
  check(cg_poly_elements_read(file, 1, zone, section, faces.data(), begin.data(), nullptr));
  const auto turned = std::count_if(faces.begin(), faces.end(), [](cgsize_t face) { return face < 0; });
  std::printf(", %ld sides, %ld from outside", long{size}, static_cast<long>(turned));
}

void sections(int file, int zone) {
  int count = 0;
  check(cg_nsections(file, 1, zone, &count));
  for (int i = 1; i <= count; ++i) {
    Name name{};
    CGNS_ENUMT(ElementType_t) type{};
    cgsize_t first = 0, last = 0;
    int boundary = 0, parents = 0;
    check(cg_section_read(file, 1, zone, i, name.data(), &type, &first, &last, &boundary, &parents));
    std::printf("  section %s: %s %ld-%ld", name.data(), ElementTypeName[type], long{first}, long{last});
    if (type == CGNS_ENUMV(NFACE_n)) sides(file, zone, i, static_cast<std::size_t>(last - first) + 1);
    std::printf("\n");
  }
}

void conditions(int file, int zone) {
  int count = 0;
  check(cg_nbocos(file, 1, zone, &count));
  for (int i = 1; i <= count; ++i) {
    Name name{}, family{};
    CGNS_ENUMT(BCType_t) type{};
    CGNS_ENUMT(PointSetType_t) form{};
    CGNS_ENUMT(DataType_t) normals_type{};
    CGNS_ENUMT(GridLocation_t) location{};
    cgsize_t points = 0, normals = 0;
    std::array<int, 3> normal{};
    int sets = 0;
    check(cg_boco_info(file, 1, zone, i, name.data(), &type, &form, &points, normal.data(), &normals, &normals_type,
                       &sets));
    check(cg_boco_gridlocation_read(file, 1, zone, i, &location));
    std::vector<cgsize_t> range(static_cast<std::size_t>(points));
    check(cg_boco_read(file, 1, zone, i, range.data(), nullptr));
    check(cg_goto(file, 1, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", i, "end"));
    check(cg_famname_read(family.data()));
    std::printf("  condition %s: %s %s %ld-%ld, %s %s\n", name.data(), GridLocationName[location],
                PointSetTypeName[form], long{range.front()}, long{range.back()}, BCTypeName[type], family.data());
  }
}

void connections(int file, int zone) {
  int count = 0;
  check(cg_nconns(file, 1, zone, &count));
  for (int i = 1; i <= count; ++i) {
    Name name{};
    std::array<char, 66> donor{};
    CGNS_ENUMT(GridLocation_t) location{};
    CGNS_ENUMT(GridConnectivityType_t) type{};
    CGNS_ENUMT(PointSetType_t) form{}, donor_form{};
    CGNS_ENUMT(ZoneType_t) donor_zone{};
    CGNS_ENUMT(DataType_t) donor_type{};
    cgsize_t points = 0, donor_points = 0;
    check(cg_conn_info(file, 1, zone, i, name.data(), &location, &type, &form, &points, donor.data(), &donor_zone,
                       &donor_form, &donor_type, &donor_points));
    std::printf("  connection %s: %s %s, %ld %s, %ld %s of %s\n", name.data(), GridLocationName[location],
                GridConnectivityTypeName[type], long{points}, PointSetTypeName[form], long{donor_points},
                PointSetTypeName[donor_form], donor.data());
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int file = 0, count = 0, cell_dim = 0, space_dim = 0;
  Name name{};
  check(cg_open(argv[1], CG_MODE_READ, &file));
  check(cg_base_read(file, 1, name.data(), &cell_dim, &space_dim));
  std::printf("base %s: %d, %d\n", name.data(), cell_dim, space_dim);
  check(cg_nfamilies(file, 1, &count));
  for (int i = 1; i <= count; ++i) {
    int conditions_of_it = 0, shapes = 0;
    check(cg_family_read(file, 1, i, name.data(), &conditions_of_it, &shapes));
    std::printf("family %s\n", name.data());
  }
  check(cg_nzones(file, 1, &count));
  for (int zone = 1; zone <= count; ++zone) {
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file, 1, zone, name.data(), size.data()));
    std::printf("zone %s: %ld nodes, %ld cells\n", name.data(), long{size[0]}, long{size[1]});
    sections(file, zone);
    conditions(file, zone);
    connections(file, zone);
  }
  check(cg_close(file));
}

// SPDX-License-Identifier: MIT
