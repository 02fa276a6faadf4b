#include "fetch/connection/quarantine.h"

#include "tap.h"

static void test_empty(void)
{
	struct pv_quarantine quarantine = {NULL};
	ok(!pv_quarantine_has(&quarantine, 7) &&
		!pv_quarantine_has(&quarantine, 0),
	    "a quarantine that nobody came to has nobody");
	pv_quarantine_finish(&quarantine);
}

static void test_add(void)
{
	struct pv_quarantine quarantine = {NULL};
	pv_quarantine_add(&quarantine, 7);
	pv_quarantine_add(&quarantine, 8);
	pv_quarantine_add(&quarantine, 7);
	ok(pv_quarantine_has(&quarantine, 7) &&
		pv_quarantine_has(&quarantine, 8),
	    "it has those that came to it");
	ok(!pv_quarantine_has(&quarantine, 9) &&
		!pv_quarantine_has(&quarantine, 7 + PV_QUARANTINE_PLACES),
	    "and no others, nor one whose place is the same");
	pv_quarantine_finish(&quarantine);
}

static void test_same_place(void)
{
	struct pv_quarantine quarantine = {NULL};
	pv_quarantine_add(&quarantine, 7);
	pv_quarantine_add(&quarantine, 8);
	pv_quarantine_add(&quarantine, 7 + PV_QUARANTINE_PLACES);
	ok(pv_quarantine_has(&quarantine, 7 + PV_QUARANTINE_PLACES) &&
		!pv_quarantine_has(&quarantine, 7),
	    "one that comes to a place that is taken takes it");
	ok(pv_quarantine_has(&quarantine, 8), "and no other's");
	pv_quarantine_finish(&quarantine);
}

static void test_full(void)
{
	struct pv_quarantine quarantine = {NULL};
	unsigned count = 0;
	for (uint64_t host = 1; host <= PV_QUARANTINE_PLACES; host++)
		pv_quarantine_add(&quarantine, UINT64_MAX - host);
	for (uint64_t host = 1; host <= PV_QUARANTINE_PLACES; host++)
		count += pv_quarantine_has(&quarantine, UINT64_MAX - host);
	ok(count == PV_QUARANTINE_PLACES,
	    "there is room for as many as it says");
	pv_quarantine_finish(&quarantine);
}

int main(void)
{
	test_empty();
	test_add();
	test_same_place();
	test_full();
	return tap_done();
}
