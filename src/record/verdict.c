#include "record/verdict.h"

static const struct pv_reason_row rows[PV_REASON_COUNT] = {
#define REASON(name, number, ...) [number] = {__VA_ARGS__},
    PV_REASONS(REASON)
#undef REASON
};

const struct pv_reason_row *pv_reason_get(unsigned reason)
{
	static const struct pv_reason_row unknown = {
	    .word = "unknown", .sentence = ""};
	return reason < PV_REASON_COUNT ? &rows[reason] : &unknown;
}

const char *pv_reason_word(unsigned reason)
{
	return pv_reason_get(reason)->word;
}

const char *pv_reason_number_of(unsigned reason)
{
	const char *word = pv_reason_get(reason)->number_of;
	return word ? word : "line";
}

const char *pv_reason_sentence(unsigned reason)
{
	return pv_reason_get(reason)->sentence;
}
