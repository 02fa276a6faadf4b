#include "robots/access.h"

#include "tap.h"

/* RFC 9309, 2.3.1, row by row. */
static const struct {
	const char *claim;
	int status;
	unsigned redirects;
	enum pv_robots_access access;
} cases[] = {
    {"a success is read", 200, 0, PV_ROBOTS_READ_IT},
    {"any of them", 206, 0, PV_ROBOTS_READ_IT},
    {"also behind five redirects", 200, 5, PV_ROBOTS_READ_IT},
    {"a redirect is followed", 301, 0, PV_ROBOTS_ELSEWHERE},
    {"the temporary ones too", 307, 0, PV_ROBOTS_ELSEWHERE},
    {"the fifth is followed", 302, 4, PV_ROBOTS_ELSEWHERE},
    {"the sixth counts as missing", 302, 5, PV_ROBOTS_ALL_ALLOWED},
    {"so does a loop, however long", 302, 1000, PV_ROBOTS_ALL_ALLOWED},
    {"a file that is missing allows everything", 404, 0, PV_ROBOTS_ALL_ALLOWED},
    {"a file that is gone too", 410, 0, PV_ROBOTS_ALL_ALLOWED},
    {"one that is not for us too", 401, 0, PV_ROBOTS_ALL_ALLOWED},
    {"nor for anybody", 403, 0, PV_ROBOTS_ALL_ALLOWED},
    {"who has too many requests has not said (P1)", 429, 0,
	PV_ROBOTS_ALL_FORBIDDEN},
    {"a host with a fault has not said", 500, 0, PV_ROBOTS_ALL_FORBIDDEN},
    {"nor has one that is not there now", 503, 0, PV_ROBOTS_ALL_FORBIDDEN},
    {"nor one that did not answer", 0, 0, PV_ROBOTS_ALL_FORBIDDEN},
    {"also behind redirects", 0, 5, PV_ROBOTS_ALL_FORBIDDEN},
    {"a status that is none is a fault", 999, 0, PV_ROBOTS_ALL_FORBIDDEN},
    {"one that leads nowhere has not said", 304, 0, PV_ROBOTS_ALL_FORBIDDEN},
    {"nor has one that is not the last", 100, 0, PV_ROBOTS_ALL_FORBIDDEN},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_robots_access(cases[i].status, cases[i].redirects) ==
			cases[i].access,
		    "%d: %s", cases[i].status, cases[i].claim);
	ok(pv_robots_refresh_ms(60000) == 45000,
	    "it is asked for again at three quarters of ttl");
	ok(pv_robots_refresh_ms(PV_ROBOTS_GOOD_MS) == 18 * 3600000,
	    "also where that is a day (2.4)");
	ok(pv_robots_refresh_ms(7 * PV_ROBOTS_GOOD_MS) == 18 * 3600000,
	    "and no later");
	return tap_done();
}
