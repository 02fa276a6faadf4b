#include "parse/tdm.h"

#include "tap.h"

/* Read one after the other, and what comes of it: "-" is nothing. */
static const struct {
	const char *first;
	const char *second;
	const char *wanted;
} reservations[] = {
    {"1", NULL, "1"},
    {"0", NULL, "0"},
    {" 1\t", NULL, "1"},
    {"", NULL, "-"},
    {"true", NULL, "-"},
    {"10", NULL, "-"},
    {"-1", NULL, "-"},
    {"1", "0", "1"},
    {"0", "1", "1"},
    {"0", "x", "0"},
};

static void test_reservations(void)
{
	for (size_t i = 0; i < sizeof(reservations) / sizeof(*reservations);
	     i++) {
		struct pv_tdm tdm;
		pv_tdm_init(&tdm);
		pv_tdm_read_reservation(&tdm, pv_str_of(reservations[i].first));
		if (reservations[i].second)
			pv_tdm_read_reservation(
			    &tdm, pv_str_of(reservations[i].second));
		const char *found = !tdm.has_reservation ? "-"
				    : tdm.is_reserved    ? "1"
							 : "0";
		is_text(pv_str_of(found), reservations[i].wanted,
		    "\"%s\" and \"%s\"", reservations[i].first,
		    reservations[i].second ? reservations[i].second : "");
		pv_tdm_finish(&tdm);
	}
}

static void test_policies(void)
{
	static char many[5000];
	struct pv_tdm tdm;
	memset(many, 'x', sizeof(many));
	pv_tdm_init(&tdm);
	pv_tdm_read_policy(&tdm, PV_STR(""));
	pv_tdm_read_policy(&tdm, PV_STR(" https://a.test/policy "));
	pv_tdm_read_policy(&tdm, PV_STR("https://b.test/"));
	is_text(pv_buf_str(&tdm.policy), "https://a.test/policy",
	    "of policies the first counts");
	pv_tdm_clear(&tdm);
	ok(!tdm.policy.len && !tdm.has_reservation,
	    "another page says nothing");
	pv_tdm_read_policy(&tdm, (struct pv_str){many, sizeof(many)});
	ok(tdm.policy.len > 300 && tdm.policy.len < sizeof(many),
	    "P5: a long one is not kept whole");
	pv_tdm_finish(&tdm);
}

int main(void)
{
	test_reservations();
	test_policies();
	return tap_done();
}
