#include "record/state.h"

const char *pv_state_word(unsigned state)
{
	static const char *const words[PV_STATE_COUNT] = {
	    [PV_STATE_PENDING] = "pending",
	    [PV_STATE_IN_FLIGHT] = "in flight",
	    [PV_STATE_DONE] = "done",
	    [PV_STATE_REFUSED] = "refused",
	    [PV_STATE_ELSEWHERE] = "elsewhere",
	};
	return state < PV_STATE_COUNT ? words[state] : "unknown";
}
