#ifndef PAVANE_BASE_JSON_JSON_TEXT_H
#define PAVANE_BASE_JSON_JSON_TEXT_H

#include "base/buf.h"

/* JSON as text, before it is read: both functions take one pass over bytes from
 * strangers, in time that grows with them and with nothing else.
 */

/* Texts in which this byte comes first are numbers, as they stood; one that had
 * it there itself has it twice. */
#define PV_JSON_MARK '\x7f'

/* Appends a stranger's JSON in a form that jansson (which knows integers of 64
 * bits, and doubles) reads without loss:
 * - numbers become texts behind PV_JSON_MARK;
 * - control characters that stand in a text are escaped: many pages have
 *   line breaks there;
 * - escaped halves of surrogate pairs, as where a text was cut, become U+FFFD.
 * False if it cannot be JSON, is nested more than 512 deep, would cost more
 * than 64 MiB as values, or the buffer's ceiling is in the way. What is
 * appended may be no JSON: that is for jansson to see. */
bool pv_json_text_mark(struct pv_str text, struct pv_buf *buf);

/* Whether the text is one number (RFC 8259, 6). */
bool pv_json_text_is_number(struct pv_str text);

/* The JSON value in a script that stands behind `after` and white space: the
 * first time that the first byte or word there begins one. What follows it may
 * be anything. It is a piece of the script, from the first to the last bracket
 * or quote; whether all in it is JSON is seen when it is read. Empty if there is
 * none, or it has no end. */
struct pv_str pv_json_find_value(struct pv_str script, struct pv_str after);

#endif
