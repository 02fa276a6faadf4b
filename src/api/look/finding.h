#ifndef PAVANE_API_LOOK_FINDING_H
#define PAVANE_API_LOOK_FINDING_H

#include "mirror/lookup/fate.h"
#include "pavane/pavane.h"
#include "url/url.h"

/* A question about a mirror, its answer, and how it is printed: as a line for
 * people, or as one of JSON. */
struct pv_finding {
	const struct pv_kept_state *state;
	struct pv_fates *fates;
	const struct pavane_place_options *options;
	const char *asked;
	struct pv_url url;
	struct pv_buf name; /* of a file, below the directory */
	struct pv_fate fate;
	struct pv_buf path;  /* where it is kept */
	struct pv_fate next; /* of what it was redirected to in the end ... */
	struct pv_buf next_path; /* ... and where that is kept */
	struct pv_buf text;      /* to be written */
	struct pv_buf why;       /* there is none */
};

/* Makes its texts, which are empty; the first four members are the caller's,
 * who keeps what they point to. */
void pv_finding_init(struct pv_finding *finding);
void pv_finding_finish(struct pv_finding *finding);

/* Puts the path of a file below the directory there, as its owner would open
 * it. */
void pv_finding_write_path(
    const struct pv_finding *finding, struct pv_str file, struct pv_buf *path);

/* Tells what was found, with a word on it if there is a why. */
enum pavane_answer pv_finding_tell_found(
    struct pv_finding *finding, struct pv_str found);

/* Tells why nothing was found; returns the answer. */
enum pavane_answer pv_finding_tell_missing(
    struct pv_finding *finding, enum pavane_answer answer);

/* Prints the reason as a line, in either form. */
void pv_finding_tell_line(struct pv_finding *finding);

#endif
