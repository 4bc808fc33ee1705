// nvtx_profiler.cpp: the smallest profiler: NVTX loads it (NVTX_INJECTION64_PATH), it writes down the ranges of all
// domains, and op2_test_profiler_notes() gives them to the test: "libop2(flux libop2)".
#include <nvtx3/nvToolsExt.h>

#include <deque>
#include <string>

namespace {

std::string notes;
std::deque<std::string> domains; // a handle is the address of a name

nvtxDomainHandle_t create(const char *name) {
  domains.emplace_back(name);
  return reinterpret_cast<nvtxDomainHandle_t>(&domains.back());
}

const std::string &name_of(nvtxDomainHandle_t domain) {
  static const std::string none = "(no domain)";
  return domain ? *reinterpret_cast<const std::string *>(domain) : none;
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  const bool ascii = attributes->version == NVTX_VERSION && attributes->messageType == NVTX_MESSAGE_TYPE_ASCII;
  notes += name_of(domain) + "(" + (ascii ? attributes->message.ascii : "?") + " ";
  return 0;
}

int pop(nvtxDomainHandle_t domain) {
  notes += name_of(domain) + ") ";
  return 0;
}

} // namespace

extern "C" {

const char *op2_test_profiler_notes() { return notes.c_str(); }

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t find_table) {
  const auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(find_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) ||
      size <= NVTX_CBID_CORE2_DomainCreateA)
    return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}

} // extern "C"

// SPDX-License-Identifier: MIT
