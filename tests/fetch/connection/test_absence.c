#include "fetch/connection/absence.h"

#include "tap.h"

/* Time that was ours: nobody else is to answer for it. */

int main(void)
{
	struct pv_absence absence = pv_absence_of(5000);
	ok(pv_absence_wake(&absence, 5000) == 0, "who begins was not away");
	pv_absence_sleep(&absence, 5000, 250);
	ok(pv_absence_wake(&absence, 5100) == 0 &&
		pv_absence_wake(&absence, 5250) == 0,
	    "nor was who wakes before time, or in time");
	ok(pv_absence_wake(&absence, 5250 + PV_ABSENCE_LEAST_MS - 1) == 0,
	    "nor who is a little late");
	struct pv_absence late = pv_absence_of(5000);
	ok(pv_absence_wake(&late, 5000 + PV_ABSENCE_LEAST_MS) ==
		PV_ABSENCE_LEAST_MS,
	    "who is late by so much was away");
	ok(pv_absence_wake(&absence, 65250) == 60000,
	    "who is a minute late was away for a minute");
	ok(pv_absence_wake(&absence, 65300) == 60000,
	    "which is counted once, however often it is asked for");
	pv_absence_sleep(&absence, 65300, 0);
	ok(pv_absence_wake(&absence, 65300 + 7000) == 67000,
	    "another absence is added to it");
	pv_absence_sleep(&absence, 80000, -1);
	ok(absence.away_ms == 67000 + 7700,
	    "a long turn is an absence as well");
	ok(pv_absence_wake(&absence, 1000000000) == 67000 + 7700,
	    "who waits for whatever happens cannot be late");
	return tap_done();
}
