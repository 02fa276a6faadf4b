#ifndef PAVANE_BASE_LINE_H
#define PAVANE_BASE_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* A waiting line: first come, first served, and any member may leave it.
 *
 * Links are a part of what waits; its owner takes it out of the line before
 * destroying it. A link stands in one line at most; zeroed links and lines are
 * ready for use.
 */
struct pv_line_link {
	struct pv_line_link *before;
	struct pv_line_link *behind;
	bool is_waiting;
};

struct pv_line {
	struct pv_line_link *first;
	struct pv_line_link *last;
};

/* The whole of which a part is known. */
#define PV_WHOLE(type, part, ptr) ((type *)((char *)(ptr)-offsetof(type, part)))

/* Behind another one of the line; NULL: in front of all. */
static inline void pv_line_add_behind(struct pv_line *line,
    struct pv_line_link *before, struct pv_line_link *link)
{
	link->before = before;
	link->behind = before ? before->behind : line->first;
	link->is_waiting = true;
	if (link->behind)
		link->behind->before = link;
	else
		line->last = link;
	if (before)
		before->behind = link;
	else
		line->first = link;
}

static inline void pv_line_add(struct pv_line *line, struct pv_line_link *link)
{
	pv_line_add_behind(line, line->last, link);
}

/* Nothing happens to a link that is in no line. */
static inline void pv_line_remove(
    struct pv_line *line, struct pv_line_link *link)
{
	if (!link->is_waiting)
		return;
	if (link->before)
		link->before->behind = link->behind;
	else
		line->first = link->behind;
	if (link->behind)
		link->behind->before = link->before;
	else
		line->last = link->before;
	link->is_waiting = false;
}

#endif
