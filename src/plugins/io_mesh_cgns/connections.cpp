#include "connections.hpp"

#include <algorithm>
#include <array>

namespace cgns {

namespace {

struct Connection {
  std::string name;
  CGNS_ENUMT(GridLocation_t) location{};
  CGNS_ENUMT(GridConnectivityType_t) type{};
  CGNS_ENUMT(PointSetType_t) form{}, donor_form{};
  cgsize_t points = 0, donor_points = 0;
  std::int64_t donor = 0; // the other zone
};

class ConnectionReader {
 public:
  explicit ConnectionReader(const ConnectedZone &zone) : zone_(zone) {}

  void one(int number) {
    const Connection one = look_at(number);
    const std::string what = "connection " + one.name + " of zone " + zone_.name;
    std::array<float, 3> centre{}, angle{}, way{};
    if (cg_conn_periodic_read(zone_.file.number(), 1, zone_.number, number, centre.data(), angle.data(), way.data()) ==
        CG_OK) {
      zone_.out.notes.push_back(what + " is periodic: both sides stay parts of the boundary");
      return;
    }
    if (one.type != CGNS_ENUMV(Abutting1to1))
      refuse(what + " joins zones whose nodes differ (Abutting or Overset); only Abutting1to1 can be read");
    const bool range = one.form == CGNS_ENUMV(PointRange);
    const std::string place = zone_.path + "/ZoneGridConnectivity/" + one.name + "/";
    if ((!range && one.form != CGNS_ENUMV(PointList)) || one.points < 1 || (range && one.points != 2))
      refuse(what + " has no list or range of points");
    zone_.file.must_hold(place + (range ? "PointRange" : "PointList"), 2, one.points);
    const bool donors = one.donor_points > 0 && one.donor_form == CGNS_ENUMV(PointListDonor);
    if (donors) zone_.file.must_hold(place + "PointListDonor", 2, one.donor_points);
    std::vector<cgsize_t> list(static_cast<std::size_t>(one.points)), donor(static_cast<std::size_t>(one.donor_points));
    check(cg_conn_read(zone_.file.number(), 1, zone_.number, number, list.data(), CGNS_ENUMV(DataTypeNull),
                       donors ? donor.data() : nullptr));
    if (range) expand(list, what);
    if (one.location == CGNS_ENUMV(Vertex)) {
      if (!donors || donor.size() != list.size())
        refuse(what + " has " + std::to_string(list.size()) + " nodes here and " + std::to_string(one.donor_points) +
               " in the other zone");
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (donor[i] < 1) refuse(what + " names node " + std::to_string(donor[i]) + " of the other zone");
        link(list[i], one.donor, donor[i], what);
      }
    } else { // faces
      for (const cgsize_t face : list)
        for (const cgsize_t node : zone_.nodes_of(face)) link(node, one.donor, 0, what);
    }
  }

 private:
  Connection look_at(int number) const {
    Connection out;
    Name name{};
    std::array<char, 70> donor_path{}; // later versions name the base as well
    CGNS_ENUMT(ZoneType_t) donor_zone{};
    CGNS_ENUMT(DataType_t) donor_type{};
    check(cg_conn_info(zone_.file.number(), 1, zone_.number, number, name.data(), &out.location, &out.type, &out.form,
                       &out.points, donor_path.data(), &donor_zone, &out.donor_form, &donor_type, &out.donor_points));
    out.name = name.data();
    std::string donor_name = donor_path.data();
    donor_name.erase(0, donor_name.rfind('/') + 1);
    const std::vector<std::string> &names = zone_.out.names;
    out.donor = std::find(names.begin(), names.end(), donor_name) - names.begin();
    if (static_cast<std::size_t>(out.donor) == names.size())
      refuse("connection " + out.name + " of zone " + zone_.name + " leads to zone " + donor_name +
             ", which is not there");
    return out;
  }

  void expand(std::vector<cgsize_t> &list, const std::string &what) const {
    const cgsize_t first = list[0], last = list[1], most = std::max(zone_.points, zone_.elements);
    if (first < 1 || last < first || last > most)
      refuse(what + " is from " + std::to_string(first) + " to " + std::to_string(last));
    list.clear();
    for (cgsize_t number = first; number <= last; ++number) list.push_back(number);
  }

  // other_node 0: the one in the same place.
  void link(cgsize_t node, std::int64_t other, cgsize_t other_node, const std::string &what) const {
    if (node < 1 || node > zone_.points)
      refuse(what + " names node " + std::to_string(node) + " of " + std::to_string(zone_.points));
    zone_.out.links.insert(zone_.out.links.end(), {zone_.number - 1, static_cast<std::int64_t>(node) - 1, other,
                                                   static_cast<std::int64_t>(other_node) - 1});
  }

  const ConnectedZone &zone_;
};

} // namespace

void read_connections(const ConnectedZone &zone) {
  int count = 0;
  check(cg_nconns(zone.file.number(), 1, zone.number, &count));
  for (int connection = 1; connection <= count; ++connection) ConnectionReader(zone).one(connection);
}

} // namespace cgns

// SPDX-License-Identifier: MIT
