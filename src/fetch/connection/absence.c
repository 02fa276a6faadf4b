#include "fetch/connection/absence.h"

struct pv_absence pv_absence_of(int64_t now)
{
	return (struct pv_absence){.awaited = now};
}

void pv_absence_sleep(
    struct pv_absence *absence, int64_t now, int64_t timeout_ms)
{
	pv_absence_wake(absence, now);
	absence->awaited = timeout_ms < 0 || timeout_ms > INT64_MAX - now
			       ? INT64_MAX
			       : now + timeout_ms;
}

int64_t pv_absence_wake(struct pv_absence *absence, int64_t now)
{
	if (now > absence->awaited &&
	    now - absence->awaited >= PV_ABSENCE_LEAST_MS) {
		absence->away_ms += now - absence->awaited;
		absence->awaited = now;
	}
	return absence->away_ms;
}
