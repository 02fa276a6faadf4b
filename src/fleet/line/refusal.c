#include "fleet/line/refusal.h"

#include "fleet/line/url.h"

bool pv_fleet_refusal_is_of_rights(const char *sqlstate)
{
	return strcmp(sqlstate, "42501") == 0;
}

void pv_fleet_refusal_tell_rights(struct pv_buf *message)
{
	pv_buf_append_text(message,
	    "the role lacks a right (status and explain need USAGE of the "
	    "schema pavane and SELECT on its tables; workers and orders INSERT, "
	    "UPDATE, DELETE and EXECUTE, too; who makes the schema CREATE on "
	    "the database: \"Rights\" in doc/fleet.md has the GRANTs): ");
}

void pv_fleet_refusal_take(const PGresult *result,
    struct pv_fleet_answer *answer, struct pv_buf *message)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	answer->status = PV_FLEET_REFUSED;
	for (size_t i = 0; sqlstate && sqlstate[i] && i < 5; i++)
		answer->sqlstate[i] = sqlstate[i];
	if (pv_fleet_refusal_is_of_rights(answer->sqlstate))
		pv_fleet_refusal_tell_rights(message);
	pv_fleet_message_append(message, PQresultErrorMessage(result));
	answer->message = pv_buf_text(message);
}
