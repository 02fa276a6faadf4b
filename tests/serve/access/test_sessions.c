#include "serve/access/sessions.h"

#include "tap.h"

int main(void)
{
	struct pv_sessions *sessions = pv_sessions_create(1000);
	uint8_t token[PV_DIGEST_SIZE];
	uint8_t found[PV_DIGEST_SIZE] = {0};
	char first[PV_SESSION_ID_SIZE];
	char second[PV_SESSION_ID_SIZE];
	pv_digest(PV_STR("token"), token);
	ok(pv_sessions_begin(sessions, token, 0, first) &&
		strlen(first) == 64 && strspn(first, "0123456789abcdef") == 64,
	    "a session has a name of 64 digits");
	ok(pv_sessions_begin(sessions, token, 500, second) &&
		strcmp(first, second) != 0,
	    "another one has another");
	ok(pv_sessions_find(sessions, pv_str_of(first), 999, found) &&
		pv_digest_is_same(found, token),
	    "it stands for its token");
	ok(!pv_sessions_find(sessions, PV_STR("abc"), 999, found),
	    "another name does not");
	ok(!pv_sessions_find(sessions, pv_str_of(first), 1000, found),
	    "it ends after its time");
	ok(pv_sessions_find(sessions, pv_str_of(second), 1000, found),
	    "one that began later does not yet");
	pv_sessions_end(sessions, pv_str_of(first));
	ok(pv_sessions_find(sessions, pv_str_of(second), 1000, found),
	    "ending one that is over ends no other");
	pv_sessions_end(sessions, pv_str_of(second));
	ok(!pv_sessions_find(sessions, pv_str_of(second), 1000, found),
	    "one can be ended");
	pv_sessions_begin(sessions, token, 2000, first);
	pv_sessions_begin(sessions, token, 2000, second);
	char id[PV_SESSION_ID_SIZE];
	for (int i = 0; i < PV_SESSIONS_MAX - 1; i++)
		pv_sessions_begin(sessions, token, 2001, id);
	ok(!pv_sessions_find(sessions, pv_str_of(first), 2001, found),
	    "the oldest goes when there are 1,000");
	ok(pv_sessions_find(sessions, pv_str_of(second), 2001, found) &&
		pv_sessions_find(sessions, pv_str_of(id), 2001, found),
	    "and no other");
	pv_sessions_destroy(sessions);
	pv_sessions_destroy(NULL);
	return tap_done();
}
