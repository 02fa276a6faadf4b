#include <stdio.h>

#include "base/reader.h"
#include "serve/fetches/fetch_view.h"
#include "serve/routes/fetch_answer.h"
#include "serve/routes/order_body.h"

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

/* A number of the query; false, with a problem, if it is none. */
static bool read_number(struct pv_request *request, const char *name,
    uint64_t most, uint64_t *number, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, 32);
	bool is_given = pv_exchange_argument(request->exchange, name, &text);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	bool is_right =
	    !is_given || (pv_reader_take_number(&reader, most, number) &&
			     !pv_reader_rest(&reader).len);
	pv_buf_finish(&text);
	return is_right || pv_order_refuse(reply, name, "expected a number");
}

static bool read_state(
    struct pv_request *request, int *state, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, 40);
	bool is_given = pv_exchange_argument(request->exchange, "state", &text);
	*state = -1;
	for (int i = 0; i < PV_FETCH_STATE_COUNT; i++) {
		if (pv_str_equal(pv_buf_str(&text),
			pv_str_of(pv_fetch_state_word((enum pv_fetch_state)i))))
			*state = i;
	}
	pv_buf_finish(&text);
	return !is_given || *state >= 0 ||
	       pv_order_refuse(reply, "state", "there is none of that name");
}

void pv_route_fetches_get(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_fetch_list wanted = {.owner = request->owner};
	struct fetch_list listing = {.json = &reply->body, .limit = LIST_USUAL};
	if (!read_state(request, &wanted.state, reply) ||
	    !read_number(request, "after", INT64_MAX, &wanted.before, reply) ||
	    !read_number(request, "limit", LIST_MAX, &listing.limit, reply))
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
