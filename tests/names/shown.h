#ifndef PAVANE_TESTS_NAMES_SHOWN_H
#define PAVANE_TESTS_NAMES_SHOWN_H

#include "names/names.h"

/* What an answer says, for comparing: "192.0.2.1 2001:db8::1 port 8080",
 * "unknown: there is no such name". */
__attribute__((unused)) static struct pv_str shown(
    const struct pv_name_answer *answer, struct pv_buf *buf)
{
	static const char *const results[] = {
	    [PV_NAME_FOUND] = "",
	    [PV_NAME_UNKNOWN] = "unknown: ",
	    [PV_NAME_NO_ANSWER] = "no answer: ",
	    [PV_NAME_FORBIDDEN] = "forbidden: ",
	    [PV_NAME_ASKED_AWAY] = "asked away: ",
	};
	pv_buf_clear(buf);
	pv_buf_append_text(buf, results[answer->result]);
	pv_buf_append_text(buf, answer->why);
	for (uint32_t i = 0; i < answer->count; i++) {
		pv_buf_append_text(buf, i ? " " : "");
		pv_address_write(&answer->addresses[i], buf);
	}
	if (answer->port)
		pv_buf_append_format(buf, " port %u", answer->port);
	return pv_buf_str(buf);
}

#endif
