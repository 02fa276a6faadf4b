#include "record/change.h"

const char *pv_change_word(unsigned change)
{
	static const char *const words[PV_CHANGE_COUNT] = {
	    [PV_CHANGE_NONE] = "none",
	    [PV_CHANGE_NEW] = "new",
	    [PV_CHANGE_CHANGED] = "changed",
	    [PV_CHANGE_GONE] = "gone",
	    [PV_CHANGE_SAME] = "same",
	    [PV_CHANGE_FAILED] = "failed",
	};
	return change < PV_CHANGE_COUNT ? words[change] : "unknown";
}

bool pv_change_is_gone(const struct pv_result *answer)
{
	if (answer->outcome != PV_OUTCOME_ANSWERED)
		return false;
	switch (answer->http_status) {
	case 301:
	case 308:
	case 404:
	case 410:
		return true;
	default:
		return false;
	}
}

static bool is_confirmed(
    const struct pv_copy *had, const struct pv_result *answer)
{
	return answer->outcome == PV_OUTCOME_ANSWERED &&
	       answer->http_status == 304 && pv_copy_has_condition(had);
}

enum pv_change pv_change_of(const struct pv_copy *had,
    const struct pv_result *answer, const struct pv_copy *now)
{
	if (!had || had->is_gone)
		return now ? PV_CHANGE_NEW : PV_CHANGE_NONE;
	if (now)
		return pv_copy_equal(had, now) ? PV_CHANGE_SAME
					       : PV_CHANGE_CHANGED;
	if (is_confirmed(had, answer))
		return PV_CHANGE_SAME;
	return pv_change_is_gone(answer) ? PV_CHANGE_GONE : PV_CHANGE_FAILED;
}

bool pv_change_is_page(const struct pv_copy *had, bool is_empty)
{
	return !is_empty || !had || !had->has_digest;
}

uint64_t pv_round_left(const struct pv_round *round)
{
	uint64_t heard =
	    round->counts[PV_CHANGE_CHANGED] + round->counts[PV_CHANGE_GONE] +
	    round->counts[PV_CHANGE_SAME] + round->counts[PV_CHANGE_FAILED];
	return heard < round->due ? round->due - heard : 0;
}
