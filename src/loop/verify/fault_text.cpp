#include "loop/verify/fault_text.hpp"

#include "base/text.hpp"
#include "loop/signature/args.hpp"

namespace op2::core {

namespace {

using Kind = ScheduleFault::Kind;

class Words {
 public:
  Words(const ScheduleFault &fault, const ChainNames &names) : fault_(fault), names_(names) {}

  std::string what() const {
    const ScheduleFault::Place &earlier = fault_.earlier, &later = fault_.later;
    switch (fault_.kind) {
      case Kind::order:
        return text(who(later), " may come before ", who(earlier), row(" at "), ", against the order of ",
                    earlier.loop == later.loop ? "elements" : "loops");
      case Kind::left:
        return fault_.row < 0 ? text(element(earlier), " is not run")
                              : text("nobody keeps what ", element(earlier), " makes of", row(" "));
      case Kind::again:
        return fault_.row < 0 ? text(element(earlier), " is run twice, in ", piece(earlier), " and in ", piece(later))
                              : text(who(earlier), " and ", piece(later), " both keep what it makes of", row(" "));
      case Kind::table:
        return text(who(earlier), " shares elements with other lists, and nothing says which of their rows it keeps",
                    fault_.row < 0 ? "" : text(": row ", fault_.row));
      case Kind::block:
        return text(piece(earlier), " of loop '", loop(earlier), "', which reduces values, begins at element ",
                    earlier.element, " and is not made of whole blocks");
      case Kind::wait:
        return text("list ", earlier.list, " waits for ", later.step, " steps of list ", later.list,
                    ", which do not come before it");
    }
    return "?";
  }

 private:
  const std::string &loop(const ScheduleFault::Place &place) const {
    return names_.loops[static_cast<std::size_t>(place.loop)];
  }
  static std::string piece(const ScheduleFault::Place &place) {
    return text("piece ", place.step, " of list ", place.list);
  }
  std::string element(const ScheduleFault::Place &place) const {
    return text("element ", place.element, " of set '", names_.elements[static_cast<std::size_t>(place.loop)],
                "' in loop '", loop(place), "'");
  }
  std::string who(const ScheduleFault::Place &place) const {
    return text(element(place), " (", fault_.dat < 0 ? "" : text(access_name(place.access), ", "), piece(place), ")");
  }
  std::string row(const char *before) const {
    if (fault_.dat < 0) return "";
    const auto dat = static_cast<std::size_t>(fault_.dat);
    return text(before, "row ", fault_.row, " of dat '", names_.dats[dat], "' of set '", names_.rows[dat], "'");
  }

  const ScheduleFault &fault_;
  const ChainNames &names_;
};

} // namespace

std::string fault_text(const ScheduleFault &fault, const ChainNames &names, const std::string &schedule) {
  return text("chain ", names.chain.empty() ? "" : text("'", names.chain, "' "), "of ", names.loops.size(),
              " loops, in ", schedule, ": ", Words(fault, names).what(),
              ". This is a mistake of the library, not of the program: please report it. Without op_chain_begin() the "
              "loops run one by one [check: chain]");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
