#ifndef PAVANE_READING_DECODING_H
#define PAVANE_READING_DECODING_H

#include "record/response.h"

/* Undoes the content coding of an answer, within the ceiling of its size. What
 * is larger, or unpacks too steeply, is too large, and what ends early is
 * broken off; of both the beginning is left. What is coded in no way that it
 * claims is taken as it came; and so is a file that is gzip itself, of which
 * many servers say that it was coded so: it is what its name says, and its
 * checksum is that of what came.
 *
 * A robots.txt is read for what it forbids: one that cannot be decoded is
 * broken off, so that it counts as unreachable, and not as one without
 * rules. */
struct pv_decoding {
	struct pv_response *response; /* whose outcome and why may change */
	struct pv_body *body;         /* for what is decoded, empty */
	struct pv_str path;           /* of its address */
	bool is_robots;               /* a robots.txt */
	struct pv_str text;           /* of one or the other body ... */
	bool is_mapped;               /* ... from its file */
	int error; /* the disk was in the way, and why; 0 where it was not */
};

/* Sets the text, which stays empty where there is no answer. */
void pv_decoding_undo(struct pv_decoding *decoding);

#endif
