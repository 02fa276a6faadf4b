#ifndef PAVANE_API_LOOK_FATE_TEXT_H
#define PAVANE_API_LOOK_FATE_TEXT_H

#include "base/json/json.h"
#include "mirror/lookup/fate.h"

/* What became of an address, in words: for people, and for programs. */

/* Appends it, to follow a colon: "answered 404 (not found)". */
void pv_fate_text_write(const struct pv_fate *fate, struct pv_buf *text);

/* One word, as journals and views have it, or the number of an answer: "404",
 * "no-name", "robots". */
void pv_fate_text_write_word(const struct pv_fate *fate, struct pv_buf *text);

/* Appends members of a JSON object, each after a comma: fate, outcome, status,
 * reason, line. */
void pv_fate_text_write_json(const struct pv_fate *fate, struct pv_buf *text);

#endif
