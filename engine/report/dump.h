// `--dump DIR`: every number behind a report as .npy files, so that anyone can check ours with NumPy alone.
// Layout: source/, reference/, <input>-<weight>-<dialect>/ and dump.json (docs/dump-format.md).
#pragma once

#include "engine/document/document.h"
#include "engine/model/op_catalog.h"

namespace engine {

// The request must have kept its stages. Errors: "dump-write".
Status dumpSnapshot(const RunSnapshot& snapshot, const Document& document, const OpCatalog& ops,
                    const std::string& directory);

} // namespace engine
