// Two edits of one gesture as one: a drag of a thousand moves is one move, from where it began to where it ended.
#pragma once

#include "engine/document/edit.h"

namespace ui {

// `edit` becomes edit then `later`, `inverse` the inverse of both.
void mergeEdits(engine::Edit& edit, engine::Edit& inverse, const engine::Edit& later, const engine::Edit& laterInverse);
// True where both put the same values in the same places. False says nothing.
bool isSameEdit(const engine::Edit& a, const engine::Edit& b);

} // namespace ui
