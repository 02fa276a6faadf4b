#ifndef PAVANE_RECORD_OUTCOME_H
#define PAVANE_RECORD_OUTCOME_H

/* What came of a request: a fact about the web, never an error of ours.
 *
 * The numbers stand in state files: new ones come at the end, and none is used
 * for something else.
 */
enum pv_outcome {
	PV_OUTCOME_NONE,     /* nothing was asked yet */
	PV_OUTCOME_ANSWERED, /* any HTTP status, 404 and 503 included */
	PV_OUTCOME_NO_NAME,  /* the name is unknown, or nobody knows it now */
	PV_OUTCOME_NO_CONNECTION,
	PV_OUTCOME_TLS,
	PV_OUTCOME_TIMEOUT,
	PV_OUTCOME_BROKEN_OFF,
	PV_OUTCOME_NOT_HTTP,
	PV_OUTCOME_TOO_LARGE,
	PV_OUTCOME_NOT_ACCEPTED, /* of a type that the policy does not keep */
	PV_OUTCOME_COUNT,
};

/* The word for it in views, journals and tables; "unknown" for a number that
 * is not ours. */
const char *pv_outcome_word(unsigned outcome);

/* What addresses are that ended so, be it one or more: "too slow"; "" for none,
 * and for a number that is not ours. */
const char *pv_outcome_sentence(unsigned outcome);

#endif
