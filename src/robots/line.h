#ifndef PAVANE_ROBOTS_LINE_H
#define PAVANE_ROBOTS_LINE_H

#include <stdint.h>

#include "base/reader.h"

/* The lines of a robots.txt (RFC 9309, 2.2): of any length, with any line end,
 * without comments. A line that is blank or only a comment is none.
 *
 * What people often write instead is taken for what they mean: no colon but a
 * blank between two words, "Dissallow", "Useragent".
 */
enum pv_robots_kind {
	PV_ROBOTS_AGENT,
	PV_ROBOTS_ALLOW,
	PV_ROBOTS_DISALLOW,
	PV_ROBOTS_SITEMAP,
	PV_ROBOTS_CRAWL_DELAY,
	PV_ROBOTS_REQUEST_RATE,
	PV_ROBOTS_VISIT_TIME,
	PV_ROBOTS_CONTENT_USAGE,
	PV_ROBOTS_CONTENT_SIGNAL,
	PV_ROBOTS_UNKNOWN, /* it has no value */
};

struct pv_robots_line {
	enum pv_robots_kind kind;
	struct pv_str text; /* as it stands, without blanks around it */
	struct pv_str value;
	uint32_t number; /* from 1 */
	bool is_cut;     /* its value may go on where the text ended */
};

struct pv_robots_lines {
	struct pv_reader reader;
	uint32_t number;
	bool is_cut;
};

/* What a file is, by its first bytes. */
enum pv_robots_form {
	PV_ROBOTS_TEXT,
	PV_ROBOTS_MARKUP, /* a page, as many servers send for what is not
			     there; it may have rules in it all the same */
	PV_ROBOTS_UTF16,  /* or UTF-32 */
};

enum pv_robots_form pv_robots_form(struct pv_str text);

/* The lines of a text, from behind its byte order mark. `is_cut`: the file was
 * longer, so its last line may have been. */
struct pv_robots_lines pv_robots_lines_of(struct pv_str text, bool is_cut);

/* Takes the next line; false at the end. */
bool pv_robots_lines_next(
    struct pv_robots_lines *lines, struct pv_robots_line *line);

#endif
