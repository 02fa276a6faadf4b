#include "serve/jobs/pulse.h"

bool pv_pulse_beats(
    struct pv_pulse *pulse, uint64_t count, int64_t now_ms, int64_t patience_ms)
{
	if (!pulse->is_known || pulse->count != count) {
		*pulse = (struct pv_pulse){
		    .count = count, .seen_ms = now_ms, .is_known = true};
		return true;
	}
	return now_ms - pulse->seen_ms <= patience_ms;
}
