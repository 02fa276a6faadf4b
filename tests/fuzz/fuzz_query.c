#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "serve/routes/deliveries.h"
#include "serve/routes/fetches.h"
#include "serve/routes/jobs.h"
#include "serve/routes/query.h"
#include "serve/routes/results.h"

/* Reads arguments and cursors as the routes of the service do. The input is the
 * target of a request, and behind it the values of Last-Event-ID and Prefer, a line
 * each.
 *
 * What must hold: whoever is told what is wrong gets no answer, and the other way
 * round; what was read is within its bounds; a name of results is no path; and a
 * cursor that was read is read as itself again. */

#define NAME_MAX_BYTES 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

/* Whether it is right, which the reply has to agree with. */
static bool settle(bool is_right, struct pv_reply *reply)
{
	require(is_right == (reply->status == 200));
	require(is_right == !reply->body.len);
	pv_reply_reset(reply);
	return is_right;
}

static void check_list(
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_job_list_order order;
	if (!settle(pv_job_list_order_read(exchange, &order, reply), reply))
		return;
	require(order.limit >= 1 && order.limit <= 1000);
	require(order.after <= INT64_MAX);
	require(order.has_state || order.state == (enum pv_job_state)0);
	require((unsigned)order.state < PV_JOB_STATE_COUNT);
}

static void check_redelivery(
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	bool is_from_start;
	bool is_right = pv_redeliver_read(exchange, &is_from_start, reply);
	require(is_right || !is_from_start);
	require(is_right || pv_exchange_has_argument(exchange, "from"));
	settle(is_right, reply);
}

static void check_text(
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, 16);
	bool is_right = pv_query_text(exchange, "a", &text, reply);
	require(text.len <= 16 && !memchr(pv_buf_text(&text), '\0', text.len));
	require(is_right || !text.len);
	settle(is_right, reply);
	pv_buf_finish(&text);
}

static void check_again(const struct pv_results_place *place)
{
	struct pv_results_place again = {.is_beginning = false};
	struct pv_buf target;
	struct pv_reply reply;
	struct pv_str of = pv_buf_str(&place->of);
	pv_buf_init(&target, SIZE_MAX);
	pv_buf_init(&again.of, NAME_MAX_BYTES);
	pv_reply_init(&reply);
	pv_buf_append_format(&target, "/r?of=%.*s&after=%.*s:%llu:%llu",
	    PV_STR_ARG(of), PV_STR_ARG(of),
	    (unsigned long long)place->at.generation,
	    (unsigned long long)place->at.offset);
	struct pv_exchange exchange = {.head = {.target = pv_buf_str(&target)}};
	pv_exchange_read_head(&exchange);
	require(pv_results_place_read(&exchange, &again, &reply));
	require(again.at.generation == place->at.generation);
	require(again.at.offset == place->at.offset);
	pv_reply_finish(&reply);
	pv_buf_finish(&again.of);
	pv_buf_finish(&target);
}

static void check_cursor(
    const struct pv_exchange *exchange, struct pv_reply *reply)
{
	struct pv_results_place place = {.is_beginning = false};
	pv_buf_init(&place.of, NAME_MAX_BYTES);
	if (settle(pv_results_place_read(exchange, &place, reply), reply)) {
		require(place.of.len && place.of.len < NAME_MAX_BYTES);
		require(!strpbrk(pv_buf_text(&place.of), "/.\\%"));
		require(place.at.offset <= INT64_MAX);
		check_again(&place);
	}
	pv_buf_finish(&place.of);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_reply reply;
	struct pv_str target = pv_reader_take_line(&reader);
	struct pv_head_field fields[] = {
	    {PV_STR("Last-Event-ID"), pv_reader_take_line(&reader)},
	    {PV_STR("Prefer"), pv_reader_take_line(&reader)},
	};
	struct pv_exchange exchange = {
	    .head = {.target = target, .fields = fields, .field_count = 2}};
	pv_exchange_read_head(&exchange);
	pv_reply_init(&reply);
	check_list(&exchange, &reply);
	check_redelivery(&exchange, &reply);
	check_text(&exchange, &reply);
	check_cursor(&exchange, &reply);
	require(pv_fetch_wait_read(&exchange) <= 60);
	pv_reply_finish(&reply);
	return 0;
}
