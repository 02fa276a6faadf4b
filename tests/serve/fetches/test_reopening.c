#include "serve/fetches/reopening.h"

#include "tap.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)

static void test_growing(void)
{
	struct pv_reopenings reopenings = {.count = 0};
	struct pv_str name = PV_STR("news");
	ok(pv_reopening_wait(&reopenings, name, 0) == 0,
	    "what has not failed may be opened at once");
	ok(pv_reopening_put_off(&reopenings, name, 0) &&
		pv_reopening_wait(&reopenings, name, 0) == SECOND &&
		pv_reopening_wait(&reopenings, name, 400) == 600 &&
		pv_reopening_wait(&reopenings, name, SECOND) == 0,
	    "what has failed waits for a second");
	ok(pv_reopening_wait(&reopenings, PV_STR("other"), 0) == 0,
	    "others do not");
	ok(pv_reopening_put_off(&reopenings, name, SECOND) &&
		pv_reopening_wait(&reopenings, name, SECOND) == 2 * SECOND,
	    "then for twice as long");
	for (int i = 0; i < 20; i++)
		pv_reopening_put_off(&reopenings, name, MINUTE);
	ok(pv_reopening_wait(&reopenings, name, MINUTE) == MINUTE,
	    "but never for longer than a minute");
	pv_reopening_forget(&reopenings, name);
	ok(pv_reopening_wait(&reopenings, name, MINUTE) == 0 &&
		pv_reopening_put_off(&reopenings, name, MINUTE) &&
		pv_reopening_wait(&reopenings, name, MINUTE) == SECOND,
	    "once it has worked, all begins anew");
	pv_reopenings_finish(&reopenings);
}

static void test_lasting(void)
{
	struct pv_reopenings reopenings = {.count = 0};
	struct pv_str name = PV_STR("news");
	pv_reopening_put_off(&reopenings, name, MINUTE);
	ok(pv_reopening_put_off(&reopenings, name, 61 * MINUTE - 1),
	    "P3: what fails for less than an hour may pass");
	ok(!pv_reopening_put_off(&reopenings, name, 61 * MINUTE),
	    "what fails for an hour lasts");
	ok(pv_reopening_wait(&reopenings, name, 61 * MINUTE) == 0 &&
		pv_reopening_put_off(&reopenings, name, 61 * MINUTE),
	    "and who asks then begins anew");
	pv_reopenings_finish(&reopenings);
}

int main(void)
{
	test_growing();
	test_lasting();
	return tap_done();
}
