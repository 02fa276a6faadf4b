#include "fleet/line/exec.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/line/refusal.h"

struct exec {
	struct pv_line_link link;
	pv_fleet_exec_fn on_answer;
	void *ctx;
	char text[];
};

static struct exec *first_of(const struct pv_line *line)
{
	return line->first ? PV_WHOLE(struct exec, link, line->first) : NULL;
}

static struct exec *take_first(struct pv_line *line)
{
	struct exec *exec = first_of(line);
	if (exec)
		pv_line_remove(line, &exec->link);
	return exec;
}

void pv_fleet_execs_add(struct pv_fleet_execs *execs, const char *text,
    pv_fleet_exec_fn on_answer, void *ctx)
{
	size_t size = strlen(text) + 1;
	struct exec *exec = pv_alloc(sizeof(*exec) + size);
	memcpy(exec->text, text, size);
	exec->on_answer = on_answer;
	exec->ctx = ctx;
	pv_line_add(&execs->waiting, &exec->link);
}

bool pv_fleet_execs_start(
    struct pv_fleet_execs *execs, const struct pv_fleet_connection *connection)
{
	const struct exec *exec = first_of(&execs->waiting);
	if (execs->is_busy || !exec)
		return true;
	execs->is_busy = true;
	return PQsendQuery(connection->pg, exec->text);
}

static void answer(struct pv_fleet_execs *execs, const PGresult *result)
{
	struct exec *exec = take_first(&execs->waiting);
	struct pv_fleet_answer answer = {.status = PV_FLEET_OK, .message = ""};
	struct pv_buf message;
	const char *first = NULL;
	execs->is_busy = false;
	pv_buf_init(&message, PV_FLEET_REFUSAL_MAX);
	if (PQresultErrorField(result, PG_DIAG_SQLSTATE)) {
		pv_fleet_refusal_take(result, &answer, &message);
	} else if (PQntuples(result) > 0 && PQnfields(result) > 0 &&
		   !PQgetisnull(result, 0, 0)) {
		first = PQgetvalue(result, 0, 0);
	}
	exec->on_answer(exec->ctx, &answer, first);
	pv_buf_finish(&message);
	free(exec);
}

/* Keeps the last result, or the first error. */
static void keep(struct pv_fleet_execs *execs, PGresult *result)
{
	if (PQresultStatus(execs->result) == PGRES_FATAL_ERROR &&
	    execs->result) {
		PQclear(result);
		return;
	}
	PQclear(execs->result);
	execs->result = result;
}

/* An error without a SQLSTATE is libpq's own: the connection is lost. */
static bool is_lost(const struct pv_fleet_execs *execs,
    const struct pv_fleet_connection *connection)
{
	const PGresult *result = execs->result;
	return !result || connection->is_in_doubt ||
	       PQstatus(connection->pg) == CONNECTION_BAD ||
	       (PQresultStatus(result) == PGRES_FATAL_ERROR &&
		   !PQresultErrorField(result, PG_DIAG_SQLSTATE));
}

bool pv_fleet_execs_read(
    struct pv_fleet_execs *execs, const struct pv_fleet_connection *connection)
{
	if (!PQconsumeInput(connection->pg))
		return false;
	while (execs->is_busy && !PQisBusy(connection->pg)) {
		PGresult *result = PQgetResult(connection->pg);
		if (result) {
			keep(execs, result);
			continue;
		}
		if (is_lost(execs, connection))
			return false;
		result = execs->result;
		execs->result = NULL;
		answer(execs, result);
		PQclear(result);
		return true;
	}
	return true;
}

static void forget_result(struct pv_fleet_execs *execs)
{
	PQclear(execs->result);
	execs->result = NULL;
	execs->is_busy = false;
}

/* What is added within a callback waits for the next time. */
void pv_fleet_execs_lose(struct pv_fleet_execs *execs)
{
	struct pv_fleet_answer lost = {.status = PV_FLEET_LOST, .message = ""};
	struct exec *exec;
	forget_result(execs);
	while ((exec = take_first(&execs->waiting)))
		pv_line_add(&execs->lost, &exec->link);
	while ((exec = take_first(&execs->lost))) {
		exec->on_answer(exec->ctx, &lost, NULL);
		free(exec);
	}
}

void pv_fleet_execs_finish(struct pv_fleet_execs *execs)
{
	struct exec *exec;
	forget_result(execs);
	while ((exec = take_first(&execs->waiting)) ||
	       (exec = take_first(&execs->lost)))
		free(exec);
}
