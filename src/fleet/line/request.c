#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/line/refusal.h"
#include "fleet/line/request_parts.h"

#define BINARY 1

static bool add_value(
    struct pv_fleet_request *request, const struct pv_fleet_value *value)
{
	struct pv_fleet_encoded *encoded =
	    &request->values[request->value_count++];
	encoded->start = request->bytes.len;
	encoded->type = value->type;
	encoded->is_null = value->is_null;
	if (!value->is_null && !pv_fleet_value_encode(value, &request->bytes))
		return false;
	encoded->len = (int)(request->bytes.len - encoded->start);
	return true;
}

static bool add_step(
    struct pv_fleet_request *request, const struct pv_fleet_step *step)
{
	assert(step->count <= PV_FLEET_VALUES_MAX);
	request->steps[request->step_count++] = (struct pv_fleet_encoded_step){
	    step->statement, request->value_count, step->count};
	for (size_t i = 0; i < step->count; i++) {
		if (!add_value(request, &step->values[i]))
			return false;
	}
	return true;
}

static size_t count_values(const struct pv_fleet_step *steps, size_t count)
{
	size_t sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += steps[i].count;
	return sum;
}

struct pv_fleet_request *pv_fleet_request_create(
    const struct pv_fleet_step *steps, size_t count,
    pv_fleet_request_fn on_answer, void *ctx)
{
	assert(count > 0 && count <= PV_FLEET_STEPS_MAX);
	struct pv_fleet_request *request = pv_alloc(sizeof(*request));
	request->on_answer = on_answer;
	request->ctx = ctx;
	request->values = pv_alloc_array(
	    count_values(steps, count) + 1, sizeof(*request->values));
	pv_buf_init(&request->bytes, PV_FLEET_REQUEST_BYTES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (!add_step(request, &steps[i])) {
			pv_fleet_request_destroy(request);
			return NULL;
		}
	}
	return request;
}

void pv_fleet_request_clear(struct pv_fleet_request *request)
{
	for (size_t i = 0; i < request->results.count; i++)
		PQclear(request->results.items[i]);
	PQclear(request->error);
	request->results.count = 0;
	request->error = NULL;
}

void pv_fleet_request_destroy(struct pv_fleet_request *request)
{
	if (!request)
		return;
	pv_fleet_request_clear(request);
	pv_buf_finish(&request->bytes);
	free(request->values);
	free(request);
}

void pv_fleet_request_take(struct pv_fleet_request *request)
{
	*request->is_taken = true;
}

size_t pv_fleet_request_bytes(const struct pv_fleet_request *request)
{
	return sizeof(*request) + request->bytes.len +
	       request->value_count * sizeof(*request->values);
}

static size_t count_types(const struct pv_fleet_statement *statement)
{
	size_t count = 0;
	while (statement->types[count] != PV_FLEET_NOTHING)
		count++;
	return count;
}

/* A value of another type would be bytes that the server takes for something
 * else. */
bool pv_fleet_request_send_step(const struct pv_fleet_request *request,
    size_t step, PGconn *pg, const struct pv_fleet_statement *statements)
{
	const struct pv_fleet_encoded_step *sent = &request->steps[step];
	const struct pv_fleet_statement *statement =
	    &statements[sent->statement];
	const char *values[PV_FLEET_VALUES_MAX];
	int lengths[PV_FLEET_VALUES_MAX];
	int formats[PV_FLEET_VALUES_MAX];
	assert(sent->value_count == count_types(statement));
	for (size_t i = 0; i < sent->value_count; i++) {
		const struct pv_fleet_encoded *value =
		    &request->values[sent->first_value + i];
		assert(value->type == statement->types[i]);
		values[i] = value->is_null
				? NULL
				: pv_buf_text(&request->bytes) + value->start;
		lengths[i] = value->len;
		formats[i] = BINARY;
	}
	return PQsendQueryPrepared(pg, statement->name, (int)sent->value_count,
	    values, lengths, formats, BINARY);
}

void pv_fleet_request_answer(
    struct pv_fleet_request *request, enum pv_fleet_status status)
{
	struct pv_fleet_answer answer = {.status = status, .message = ""};
	struct pv_buf message;
	bool is_taken = false;
	pv_buf_init(&message, PV_FLEET_REFUSAL_MAX);
	if (status == PV_FLEET_OK)
		answer.results = &request->results;
	if (status == PV_FLEET_REFUSED)
		pv_fleet_refusal_take(request->error, &answer, &message);
	request->is_taken = &is_taken;
	request->on_answer(request->ctx, request, &answer);
	pv_buf_finish(&message);
	if (!is_taken)
		pv_fleet_request_destroy(request);
}

size_t pv_fleet_results_rows(
    const struct pv_fleet_results *results, size_t step)
{
	return step < results->count ? (size_t)PQntuples(results->items[step])
				     : 0;
}

uint64_t pv_fleet_results_affected(
    const struct pv_fleet_results *results, size_t step)
{
	uint64_t count;
	if (step >= results->count)
		return 0;
	struct pv_reader reader =
	    pv_reader_of(pv_str_of(PQcmdTuples(results->items[step])));
	return pv_reader_take_number(&reader, UINT64_MAX, &count) ? count : 0;
}

struct pv_fleet_field pv_fleet_results_field(
    const struct pv_fleet_results *results, size_t step, size_t row,
    size_t column)
{
	struct pv_fleet_field field = {.is_null = true};
	const PGresult *result =
	    step < results->count ? results->items[step] : NULL;
	bool is_there = result && row < (size_t)PQntuples(result) &&
			column < (size_t)PQnfields(result);
	if (!is_there || PQgetisnull(result, (int)row, (int)column))
		return field;
	field.oid = PQftype(result, (int)column);
	field.is_null = false;
	field.bytes = (struct pv_str){PQgetvalue(result, (int)row, (int)column),
	    (size_t)PQgetlength(result, (int)row, (int)column)};
	return field;
}

int64_t pv_fleet_results_number(const struct pv_fleet_results *results,
    size_t step, size_t row, size_t column)
{
	int64_t number = 0;
	pv_fleet_field_number(
	    pv_fleet_results_field(results, step, row, column), &number);
	return number;
}

struct pv_str pv_fleet_results_text(const struct pv_fleet_results *results,
    size_t step, size_t row, size_t column)
{
	struct pv_str text = PV_STR("");
	pv_fleet_field_text(
	    pv_fleet_results_field(results, step, row, column), &text);
	return text;
}

bool pv_fleet_results_flag(const struct pv_fleet_results *results, size_t step,
    size_t row, size_t column)
{
	bool flag = false;
	pv_fleet_field_bool(
	    pv_fleet_results_field(results, step, row, column), &flag);
	return flag;
}
