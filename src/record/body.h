#ifndef PAVANE_RECORD_BODY_H
#define PAVANE_RECORD_BODY_H

#include <stdint.h>

#include "base/buf.h"
#include "base/pieces.h"

/* The bytes of an answer: in memory while they are few, and beyond that in a
 * temporary file that has no name, so that nothing is left of it however the
 * process ends. Small pieces are gathered before they are written there.
 */
#define PV_BODY_MEMORY ((size_t)256 * 1024)

enum pv_body_result {
	PV_BODY_OK,
	PV_BODY_FULL,   /* the ceiling is in the way: nothing was added */
	PV_BODY_FAILED, /* the file cannot be written, and nothing was added:
			   errno says why */
};

struct pv_body {
	struct pv_buf memory; /* all of it, or what the file lacks at its end */
	uint64_t size;
	uint64_t ceiling;
	const char *directory; /* where the file is made; the caller's, kept */
	int file;              /* -1 while there is none */
	void *map;             /* of the file, once it was asked for */
};

/* An empty body of at most `ceiling` bytes. */
void pv_body_init(
    struct pv_body *body, const char *directory, uint64_t ceiling);
void pv_body_finish(struct pv_body *body);

enum pv_body_result pv_body_append(struct pv_body *body, struct pv_str bytes);

/* Writes what was gathered; as pv_body_append, PV_BODY_OK or PV_BODY_FAILED. */
enum pv_body_result pv_body_flush(struct pv_body *body);

/* Takes a file of so many bytes in the place of all that there is: it is the
 * body's from now. */
void pv_body_give_file(struct pv_body *body, int file, uint64_t size);

/* All of it, until it is changed; ptr is NULL if the file cannot be
 * written or mapped (errno says why). */
struct pv_str pv_body_text(struct pv_body *body);

/* Whether that lies in a map of its file, so that it can be worked through in
 * pieces (base/pieces.h). */
static inline bool pv_body_is_mapped(const struct pv_body *body)
{
	return body->map != NULL;
}

/* The text in pieces; none if the file cannot be mapped. */
static inline struct pv_pieces pv_body_pieces(struct pv_body *body)
{
	struct pv_str text = pv_body_text(body);
	return pv_pieces_of(text, pv_body_is_mapped(body));
}

/* Empty again, the file let go; another ceiling may be set then. */
void pv_body_clear(struct pv_body *body);

#endif
