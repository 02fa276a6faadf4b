#include "fleet/line/preparing.h"

#include "fleet/line/refusal.h"
#include "fleet/line/url.h"

#define BINARY 1

static bool send_prepare(PGconn *pg, const struct pv_fleet_statement *statement)
{
	Oid oids[PV_FLEET_VALUES_MAX];
	int count = 0;
	for (; statement->types[count] != PV_FLEET_NOTHING; count++)
		oids[count] = pv_fleet_type_oid(statement->types[count]);
	return PQsendPrepare(pg, statement->name, statement->text, count, oids);
}

/* A channel is a name, not a value, so that it has to stand in the text. */
static bool send_listen(PGconn *pg, const char *channel)
{
	struct pv_buf text;
	char *name = PQescapeIdentifier(pg, channel, strlen(channel));
	pv_buf_init(&text, 1000);
	bool is_sent = name && pv_buf_append_text(&text, "LISTEN ") &&
		       pv_buf_append_text(&text, name) &&
		       PQsendQueryParams(pg, pv_buf_text(&text), 0, NULL, NULL,
			   NULL, NULL, BINARY);
	PQfreemem(name);
	pv_buf_finish(&text);
	return is_sent;
}

static bool send_all(struct pv_fleet_preparing *preparing,
    const struct pv_fleet_line_options *options, char *const *channels)
{
	PGconn *pg = preparing->pg;
	for (size_t i = 0; i < options->statement_count; i++) {
		if (!send_prepare(pg, &options->statements[i]))
			return false;
		preparing->results_left++;
	}
	for (size_t i = 0; channels && channels[i]; i++) {
		if (!send_listen(pg, channels[i]))
			return false;
		preparing->results_left++;
	}
	return PQpipelineSync(pg);
}

static enum pv_fleet_greeted lost(
    const struct pv_fleet_preparing *preparing, struct pv_buf *why)
{
	pv_buf_append_text(why, "the connection was lost: ");
	pv_fleet_message_append(why, PQerrorMessage(preparing->pg));
	return PV_FLEET_UNGREETED;
}

enum pv_fleet_greeted pv_fleet_preparing_start(
    struct pv_fleet_preparing *preparing, PGconn *pg,
    const struct pv_fleet_line_options *options, char *const *channels,
    struct pv_buf *why)
{
	*preparing = (struct pv_fleet_preparing){.pg = pg};
	if (!PQenterPipelineMode(pg) || !send_all(preparing, options, channels))
		return lost(preparing, why);
	return PV_FLEET_GREETING;
}

/* A statement that cannot be prepared names what is not there: the tables are
 * others than ours, or not the role's to use. */
static enum pv_fleet_greeted refused(const PGresult *result, struct pv_buf *why)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	bool is_passing = !sqlstate || pv_fleet_is_passing(sqlstate);
	if (is_passing)
		pv_buf_append_text(why, "the server cannot prepare: ");
	else if (pv_fleet_refusal_is_of_rights(sqlstate))
		pv_fleet_refusal_tell_rights(why);
	else
		pv_buf_append_text(why,
		    "the tables of the fleet are not those of this version of "
		    "pavane (use one version on all machines, or another "
		    "database): ");
	pv_fleet_message_append(why, PQresultErrorMessage(result));
	return is_passing ? PV_FLEET_UNGREETED : PV_FLEET_UNFIT;
}

/* What one result means, which is NULL between two. */
static enum pv_fleet_greeted take_result(struct pv_fleet_preparing *preparing,
    const PGresult *result, struct pv_buf *why)
{
	if (!result)
		return PV_FLEET_GREETING;
	switch (PQresultStatus(result)) {
	case PGRES_COMMAND_OK:
		preparing->results_left -= preparing->results_left > 0;
		return PV_FLEET_GREETING;
	case PGRES_PIPELINE_SYNC:
		return preparing->results_left ? lost(preparing, why)
					       : PV_FLEET_GREETED;
	default:
		return refused(result, why);
	}
}

enum pv_fleet_greeted pv_fleet_preparing_read(
    struct pv_fleet_preparing *preparing, struct pv_buf *why)
{
	enum pv_fleet_greeted greeted = PV_FLEET_GREETING;
	size_t left = 2 * preparing->results_left + 2;
	if (!PQconsumeInput(preparing->pg))
		return lost(preparing, why);
	for (; greeted == PV_FLEET_GREETING && !PQisBusy(preparing->pg);
	     left--) {
		PGresult *result = PQgetResult(preparing->pg);
		greeted = left ? take_result(preparing, result, why)
			       : lost(preparing, why);
		PQclear(result);
	}
	return greeted;
}
