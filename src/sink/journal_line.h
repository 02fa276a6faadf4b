#ifndef PAVANE_SINK_JOURNAL_LINE_H
#define PAVANE_SINK_JOURNAL_LINE_H

#include "record/page.h"

/* A line of the journal: what was asked or refused, and what came of it, as one
 * JSON object (RFC 8259) that programs read for years.
 *
 * Keys come in this order, and those with nothing to say are left out:
 *
 *   time           when it was sent or refused: "2026-03-01T09:30:00.250Z"
 *   url, host      without credentials
 *   ip             that was asked
 *   outcome        of a request (record/outcome.h); "refused" where none was
 *                  made
 *   status         of HTTP
 *   reason, line   of a refusal (record/verdict.h)
 *   depth, via     links from a seed, and the page where it was found
 *   round          of the address by itself: 2 where it is asked for anew, for
 *                  the first time
 *   attempt        1 for the first
 *   bytes          of the body, as they came with this request
 *   unchanged      true where the server has only said that the page is as it
 *                  was: type, digest and file are those of what was stored ...
 *   stored_bytes   ... and so is this: its body's, as they came then
 *   type           "text/html"
 *   tag            of the seed
 *   wait_ms        that its host's clock held it back
 *   name_ms, connect_ms, tls_ms, first_byte_ms, total_ms
 *                  how long each step took
 *   held_ms        that we kept the answer waiting besides, to keep to a limit
 *                  on bandwidth
 *   worker         of a fleet, by its number there
 *   run            of the crawl, from 1; with it come those that follow here,
 *                  in milliseconds since the run began where they are times
 *   released_ms, sent_ms, end_ms
 *                  when it took its turn, when its bytes went out, when it was
 *                  over
 *   gap_ms         since the request before it was sent to its host
 *   rule, rest_ms  what held it last (schedule/wait.h), and how much of the gap
 *                  that asked for
 *   at_once        how many were then under way to its host, if not one
 *   reaction_ms    since the end of an answer of 429 or 503, of the next one
 *   retry_after_ms that its answer asked for
 *   own_fault      true where this machine was at fault for how it ended
 *   digest         "sha256:" and 64 digits, of the body with its coding undone
 *   file           below the crawl's directory
 *   moved_to       where a redirect leads
 *   robots_tag     what meta robots and X-Robots-Tag say to us:
 *                  "noindex, max-snippet:20"
 *   content_usage, content_signal
 *                  these headers, of several with a comma between
 *   robots_content_usage, robots_content_signal
 *                  what robots.txt says of the address; where it says more
 *                  than one thing, all of it with semicolons between
 *   tdm_reservation, tdm_policy
 *                  TDMRep: 1 or 0, and an address; by headers, or the page
 *   why            in words, where something went wrong
 *   framing        "close" where nothing announced the end of the body
 *   robots         true for a robots.txt, which is nobody's visit
 *   robots_of      the authority that it is for, where it was redirected
 *   worker         whose line it is, in a merge (merge/line_end.h)
 *   final          true for the last word on an address; added when it is
 *                  appended
 *   stale          true in a merge for one that had been final, until another
 *                  line took its place
 */

/* Appends all but the end: neither `final` nor the brace. False if the ceiling
 * is in the way. */
bool pv_journal_line_write(const struct pv_page *page, struct pv_buf *line);

/* What follows it. */
struct pv_str pv_journal_line_end(bool is_final);

#endif
