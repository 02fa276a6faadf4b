#include "fleet/line/refusal.h"

#include "fleet/line/url.h"

void pv_fleet_refusal_take(const PGresult *result,
    struct pv_fleet_answer *answer, struct pv_buf *message)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	answer->status = PV_FLEET_REFUSED;
	for (size_t i = 0; sqlstate && sqlstate[i] && i < 5; i++)
		answer->sqlstate[i] = sqlstate[i];
	pv_fleet_message_append(message, PQresultErrorMessage(result));
	answer->message = pv_buf_text(message);
}
