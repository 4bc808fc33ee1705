#include "loop/until/row_messages.hpp"

#include <cstring>

#include "loop/reduce/ordered_reduce.hpp"

namespace op2::core {

namespace {

struct Head {
  std::int64_t written, number; // position in rows(), global number of the row
};

} // namespace

RowMessages::RowMessages(const WrittenRows &rows) : rows_(rows) {
  for (const WrittenRows::Row &row : rows.rows()) {
    const Set &set = row.of->dat->on();
    const auto [at, fresh] = places_.try_emplace(&set);
    const ElementNumbers numbers(set);
    for (int r = 0; fresh && r < set.rows(); ++r) at->second.emplace(numbers.of(r), r);
    places_of_.push_back(&at->second);
  }
}

void RowMessages::add(int element, std::string &message) const {
  for (std::size_t i = 0; i < rows_.rows().size(); ++i) {
    const WrittenRows::Row &row = rows_.rows()[i];
    const Head head{static_cast<std::int64_t>(i), ElementNumbers(row.of->dat->on()).of(row.row(element))};
    message.append(reinterpret_cast<const char *>(&head), sizeof head);
    message.append(row.place(element), row.bytes());
  }
}

void RowMessages::apply(std::string_view message) const {
  while (!message.empty()) {
    Head head;
    std::memcpy(&head, message.data(), sizeof head);
    message.remove_prefix(sizeof head);
    const std::size_t i = static_cast<std::size_t>(head.written);
    const WrittenRows::Row &row = rows_.rows()[i];
    if (const auto found = places_of_[i]->find(head.number); found != places_of_[i]->end())
      std::memcpy(row.of->dat->host.data() + static_cast<std::ptrdiff_t>(found->second) * row.of->dat->size,
                  message.data(), row.bytes());
    message.remove_prefix(row.bytes());
  }
}

} // namespace op2::core
