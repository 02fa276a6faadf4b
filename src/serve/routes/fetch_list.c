#include "serve/fetches/fetch_view.h"
#include "serve/routes/fetch_answer.h"
#include "serve/routes/query.h"

/* The list of single addresses, from the newest on. */

#define LIST_USUAL 100
#define LIST_MAX 1000

struct fetch_list {
	struct pv_buf *json;
	uint64_t limit;
	uint64_t count;
	uint64_t last; /* the number of the last one that was listed */
	bool has_more;
};

static void list(void *ctx, const struct pv_fetch *fetch)
{
	struct fetch_list *listing = ctx;
	if (listing->count == listing->limit) {
		listing->has_more = true;
		return;
	}
	if (listing->count++)
		pv_buf_append_char(listing->json, ',');
	pv_fetch_view_write(fetch, 0, listing->json);
	listing->last = fetch->number;
}

/* -1 where none is asked for. */
static bool read_state(
    struct pv_request *request, int *state, struct pv_reply *reply)
{
	const char *words[PV_FETCH_STATE_COUNT + 1] = {NULL};
	size_t place = PV_FETCH_STATE_COUNT;
	for (int i = 0; i < PV_FETCH_STATE_COUNT; i++)
		words[i] = pv_fetch_state_word((enum pv_fetch_state)i);
	bool is_right =
	    pv_query_word(request->exchange, "state", words, &place, reply);
	*state = place < PV_FETCH_STATE_COUNT ? (int)place : -1;
	return is_right;
}

static bool read_wishes(struct pv_request *request,
    struct pv_fetch_list *wanted, uint64_t *limit, struct pv_reply *reply)
{
	static const struct pv_query_range numbers = {0, INT64_MAX};
	static const struct pv_query_range limits = {1, LIST_MAX};
	const struct pv_exchange *exchange = request->exchange;
	return read_state(request, &wanted->state, reply) &&
	       pv_query_number(
		   exchange, "after", numbers, &wanted->before, reply) &&
	       pv_query_number(exchange, "limit", limits, limit, reply);
}

void pv_route_fetches_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_fetch_list wanted = {.owner = request->owner};
	struct fetch_list listing = {.json = &reply->body, .limit = LIST_USUAL};
	if (!read_wishes(request, &wanted, &listing.limit, reply))
		return;
	wanted.most = (size_t)listing.limit + 1;
	pv_buf_append_text(&reply->body, "{\"fetches\":[");
	enum pv_fetches_answer answer = pv_fetches_each_back(
	    request->service->fetches, &wanted, list, &listing);
	if (answer != PV_FETCHES_DONE) {
		pv_buf_clear(&reply->body);
		pv_fetch_answer_is_done(request, answer, reply);
		return;
	}
	pv_buf_append_char(&reply->body, ']');
	if (listing.has_more)
		pv_buf_append_format(&reply->body, ",\"next\":\"%llu\"",
		    (unsigned long long)listing.last);
	pv_buf_append_text(&reply->body, "}\n");
	reply->type = "application/json";
}
