#ifndef PAVANE_SINK_OUTBOUND_LINE_H
#define PAVANE_SINK_OUTBOUND_LINE_H

#include "record/link.h"

/* A link on its way to another shard of its crawl, as a line of JSON: its
 * address, and its whole standing, so that it counts there as if it had been
 * found there. What says nothing is left out.
 *
 *   {"url":"https://b.test/x","use":"page","depth":2,"depth_left":3,"hops":1,
 *    "redirects":1,"lists":"all","only_list":true,"entry":true,
 *    "kind":"product","tag":"shop","carry":{"category":"Books"},
 *    "lastmod_ms":1767225600000,"via":"https://a.test/"}
 *
 * `lists` is "pages" or "all" (record/standing.h); without `depth_left` links
 * are followed as deep as one likes; `carry` is what it brings along for the
 * rows of its page, whose kind is named as the policy names it. `via` is where
 * it was found, for people.
 *
 * The file may be another machine's, and damaged: what is read is checked member
 * by member.
 */
#define PV_OUTBOUND_LINE_MAX ((size_t)4 << 20)

/* Writes the line without its end. The kind's name is empty for none. */
void pv_outbound_line_write(const struct pv_link *link, struct pv_str kind,
    struct pv_str via, struct pv_buf *line);

struct pv_outbound_line {
	struct pv_link link; /* its texts are this struct's; not its host, nor
				its fingerprint, nor the number of its kind */
	struct pv_str kind;
	struct pv_str via;
	struct pv_json *value;
	struct pv_buf carry;
};

/* Reads a line without its end; NULL, or what is wrong with it. In any case to
 * be finished. */
const char *pv_outbound_line_read(
    struct pv_outbound_line *read, struct pv_str line);
void pv_outbound_line_finish(struct pv_outbound_line *read);

#endif
