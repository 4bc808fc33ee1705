#include "io/view/xdmf.hpp"

#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::string_view head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n";
constexpr std::string_view tail = "</Domain>\n</Xdmf>\n";
constexpr std::string_view series_head = "<Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
constexpr std::string_view step_begin = "<!-- step ", step_end = "<!-- end -->\n";

// "NumberType="Float" Precision="8"".
std::string number_type(op_type_id type) {
  switch (type) {
    case OP_TYPE_FLOAT:
      return "NumberType=\"Float\" Precision=\"4\"";
    case OP_TYPE_INT:
      return "NumberType=\"Int\" Precision=\"4\"";
    case OP_TYPE_UINT:
      return "NumberType=\"UInt\" Precision=\"4\"";
    case OP_TYPE_LL:
      return "NumberType=\"Int\" Precision=\"8\"";
    case OP_TYPE_ULL:
      return "NumberType=\"UInt\" Precision=\"8\"";
    case OP_TYPE_BOOL:
      return "NumberType=\"UInt\" Precision=\"1\"";
    default:
      return "NumberType=\"Float\" Precision=\"8\"";
  }
}

const char *kind_of_values(int dim) {
  return dim == 1 ? "Scalar" : dim == 3 ? "Vector" : dim == 9 ? "Tensor" : "Matrix";
}

bool is_xml_character(std::string_view character) { // one of UTF-8
  const unsigned char c = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  return character != "\xef\xbf\xbe" && character != "\xef\xbf\xbf"; // U+FFFE and U+FFFF are none
}

std::string escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
    case '\n':
    case '\r': // else a reader of attributes makes blanks of them
      return text("&#", static_cast<int>(c), ";");
    default:
      return {c};
  }
}

// One step: "<!-- step 7 0.5 -->\n", its grid, "<!-- end -->\n".
std::string step_text(const SeriesStep &step) {
  return text(step_begin, step.number, " ", number_text(step.time), " -->\n", step.text, step_end);
}

} // namespace

std::string xml_text(std::string_view value) {
  std::string out;
  while (!value.empty()) {
    const std::size_t length = utf8_length(value);
    const std::string_view character = value.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || !is_xml_character(character))
      out += "\xef\xbf\xbd";
    else if (length == 1)
      out += escaped(character.front());
    else
      out += character;
    value.remove_prefix(character.size());
  }
  return out;
}

std::string xdmf_data(const XdmfArray &array) {
  const std::string extents = array.flat ? text(array.rows) : text(array.rows, " ", array.dim);
  return text("<DataItem Dimensions=\"", extents, "\" ", number_type(array.type), " Format=\"HDF\">",
              xml_text(array.file), ":/", xml_text(array.place), "</DataItem>");
}

std::string xdmf_field(const std::string &name, bool nodes, const XdmfArray &array) {
  return text("<Attribute Name=\"", xml_text(name), "\" AttributeType=\"", kind_of_values(array.dim), "\" Center=\"",
              nodes ? "Node" : "Cell", "\">", xdmf_data(array), "</Attribute>\n");
}

std::string xdmf_grid(const std::string &name, int number, double time, const std::string &content) {
  std::string out = text("<Grid Name=\"", xml_text(name), "\" GridType=\"Uniform\">\n");
  if (number >= 0) out += text("<Time Value=\"", number_text(time), "\"/>\n");
  return out + content + "</Grid>\n";
}

std::string xdmf_single(const std::string &grid) { return text(head, grid, tail); }

std::string xdmf_series(const Series &series) {
  std::string out = text(head, series_head);
  for (const SeriesStep &step : series.steps) out += step_text(step);
  return out + text("</Grid>\n", tail);
}

std::optional<Series> read_xdmf_series(std::string_view list) {
  Series out;
  if (!list.starts_with(text(head, series_head)) || !list.ends_with(tail)) return {};
  for (std::size_t at = list.find(step_begin); at != std::string_view::npos; at = list.find(step_begin)) {
    list.remove_prefix(at + step_begin.size());
    SeriesStep step{};
    const char *const last = list.data() + list.size();
    const auto number = std::from_chars(list.data(), last, step.number);
    if (number.ec != std::errc() || number.ptr == last) return {};
    const auto time = std::from_chars(number.ptr + 1, last, step.time);
    const std::size_t begin = list.find('\n'), end = list.find(step_end);
    if (time.ec != std::errc() || end == std::string_view::npos || begin >= end) return {};
    step.text = list.substr(begin + 1, end - begin - 1);
    if (step.number < 0 ||
        (!out.steps.empty() && (step.time <= out.steps.back().time || step.number <= out.steps.back().number)))
      return {};
    out.steps.push_back(std::move(step));
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
