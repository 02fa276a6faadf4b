#include "serve/routes/query.h"

#include "serve/routes/deliveries.h"
#include "serve/routes/jobs.h"
#include "serve/routes/results.h"
#include "tap.h"

static struct pv_exchange asking_for(const char *target)
{
	struct pv_exchange exchange = {
	    .head = {.method = PV_STR("GET"), .target = pv_str_of(target)}};
	pv_exchange_read_head(&exchange);
	return exchange;
}

/* What came of reading, and the answer as it is so far. */
static void is_refused(
    bool is_right, struct pv_reply *reply, const char *sentence, const char *of)
{
	ok(!is_right && reply->status == 400 &&
		strstr(pv_buf_text(&reply->body), sentence),
	    "%s is refused: %s", of, sentence);
	pv_reply_finish(reply);
}

static void test_texts(void)
{
	static const struct {
		const char *target, *text; /* NULL: refused */
	} cases[] = {
	    {"/a", ""},
	    {"/a?b=c", "c"},
	    {"/a?b=%63", "c"},
	    {"/a?b=", ""},
	    {"/a?b=12345678", "12345678"},
	    {"/a?b=123456789", NULL},
	    {"/a?b=%6", NULL},
	    {"/a?b=%xy", NULL},
	    {"/a?b=a%00b", NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_exchange exchange = asking_for(cases[i].target);
		struct pv_reply reply;
		struct pv_buf text;
		pv_reply_init(&reply);
		pv_buf_init(&text, 8);
		bool is_right = pv_query_text(&exchange, "b", &text, &reply);
		if (cases[i].text) {
			ok(is_right && reply.status == 200, "%s is right",
			    cases[i].target);
			is_text(pv_buf_str(&text), cases[i].text,
			    "and has its text");
			pv_reply_finish(&reply);
		} else {
			ok(!text.len, "of %s nothing is left", cases[i].target);
			is_refused(is_right, &reply,
			    "b: expected at most 8 bytes", cases[i].target);
		}
		pv_buf_finish(&text);
	}
}

static void test_numbers(void)
{
	static const struct {
		const char *target;
		uint64_t number; /* 0: refused */
	} cases[] = {
	    {"/a", 7},
	    {"/a?n=1", 1},
	    {"/a?n=10", 10},
	    {"/a?n=%31", 1},
	    {"/a?n=0", 0},
	    {"/a?n=11", 0},
	    {"/a?n=", 0},
	    {"/a?n=x", 0},
	    {"/a?n=1x", 0},
	    {"/a?n=-1", 0},
	    {"/a?n=%201", 0},
	    {"/a?n=%3", 0},
	    {"/a?n=1%00", 0},
	    {"/a?n=18446744073709551617", 0},
	    {"/a?n=00000000000000000000000000000000000000000000000001", 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_exchange exchange = asking_for(cases[i].target);
		struct pv_reply reply;
		uint64_t number = 7;
		pv_reply_init(&reply);
		bool is_right = pv_query_number(&exchange, "n",
		    (struct pv_query_range){1, 10}, &number, &reply);
		if (cases[i].number) {
			ok(is_right && number == cases[i].number, "%s is %llu",
			    cases[i].target,
			    (unsigned long long)cases[i].number);
			pv_reply_finish(&reply);
			continue;
		}
		ok(number == 7, "%s changes nothing", cases[i].target);
		is_refused(is_right, &reply,
		    "n: expected a number from 1 to 10", cases[i].target);
	}
}

static void test_words(void)
{
	static const char *const words[] = {"one", "two", "three", NULL};
	static const char *const wrong[] = {"/a?w=", "/a?w=on", "/a?w=One",
	    "/a?w=one%00", "/a?w=%6", "/a?w=one&w=two&w=%", "/a?w=four"};
	struct pv_reply reply;
	size_t place = 9;
	struct pv_exchange exchange = asking_for("/a?v=x");
	pv_reply_init(&reply);
	ok(pv_query_word(&exchange, "w", words, &place, &reply) && place == 9,
	    "where nothing is said, nothing changes");
	exchange = asking_for("/a?w=th%72ee");
	ok(pv_query_word(&exchange, "w", words, &place, &reply) && place == 2,
	    "a word is found by its place");
	pv_reply_finish(&reply);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		exchange = asking_for(wrong[i]);
		pv_reply_init(&reply);
		place = 9;
		bool is_right =
		    pv_query_word(&exchange, "w", words, &place, &reply);
		if (i == 5) {
			ok(is_right && place == 0,
			    "the first of a name counts");
			pv_reply_finish(&reply);
			continue;
		}
		is_refused(is_right, &reply,
		    "w: expected \\\"one\\\", \\\"two\\\" or \\\"three\\\", or "
		    "to be left out",
		    wrong[i]);
	}
}

/* What the routes make of it */

static void test_lists(void)
{
	static const struct {
		const char *target, *sentence;
	} wrong[] = {
	    {"/v1/jobs?order=", "order: expected \\\"oldest\\\" or"},
	    {"/v1/jobs?order=new", "order: expected"},
	    {"/v1/jobs?order=newest%00", "order: expected"},
	    {"/v1/jobs?state=", "state: expected \\\"queued\\\""},
	    {"/v1/jobs?state=run", "state: expected"},
	    {"/v1/jobs?state=%", "state: expected"},
	    {"/v1/jobs?limit=0", "limit: expected a number from 1 to 1000"},
	    {"/v1/jobs?limit=1001", "limit: expected"},
	    {"/v1/jobs?limit=%zz", "limit: expected"},
	    {"/v1/jobs?after=-1", "after: expected a number from 0"},
	    {"/v1/jobs?after=99999999999999999999", "after: expected"},
	};
	struct pv_job_list_order order;
	struct pv_reply reply;
	struct pv_exchange exchange = asking_for("/v1/jobs");
	pv_reply_init(&reply);
	ok(pv_job_list_order_read(&exchange, &order, &reply) &&
		!order.has_state && !order.is_newest_first && !order.after &&
		order.limit == 100,
	    "without arguments the oldest hundred jobs are listed");
	exchange =
	    asking_for("/v1/jobs?order=newest&state=paused&after=5&limit=1000");
	ok(pv_job_list_order_read(&exchange, &order, &reply) &&
		order.has_state && order.state == PV_JOB_PAUSED &&
		order.is_newest_first && order.after == 5 &&
		order.limit == 1000,
	    "or as they say");
	pv_reply_finish(&reply);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		exchange = asking_for(wrong[i].target);
		pv_reply_init(&reply);
		is_refused(pv_job_list_order_read(&exchange, &order, &reply),
		    &reply, wrong[i].sentence, wrong[i].target);
	}
}

static void test_redeliveries(void)
{
	struct pv_reply reply;
	bool is_from_start = true;
	struct pv_exchange exchange = asking_for("/a");
	pv_reply_init(&reply);
	ok(pv_redeliver_read(&exchange, &is_from_start, &reply) &&
		!is_from_start,
	    "deliveries go on where they stopped");
	exchange = asking_for("/a?from=start");
	ok(pv_redeliver_read(&exchange, &is_from_start, &reply) &&
		is_from_start,
	    "or begin anew");
	pv_reply_finish(&reply);
	exchange = asking_for("/a?from=startstartstartstart");
	pv_reply_init(&reply);
	is_refused(pv_redeliver_read(&exchange, &is_from_start, &reply), &reply,
	    "from: expected \\\"start\\\"", "another place");
}

struct cursor_case {
	const char *target;
	const char *last; /* Last-Event-ID; NULL */
	const char *of;   /* NULL: refused, with the sentence below */
	uint64_t offset;
	const char *sentence;
};

static const struct cursor_case cursors[] = {
    {"/r", NULL, "journal", 0, NULL},
    {"/r?after=journal:0:17", NULL, "journal", 17, NULL},
    {"/r?of=news&after=news:0:17", NULL, "news", 17, NULL},
    {"/r", "journal:0:9", "journal", 9, NULL},
    {"/r?after=journal:0:17", "journal:0:9", "journal", 9, NULL},
    {"/r?after=journal:0:9223372036854775807", NULL, "journal", INT64_MAX,
	NULL},
    {"/r?of=", NULL, NULL, 0, "of: expected"},
    {"/r?of=..%2Fjournal", NULL, NULL, 0, "of: expected"},
    {"/r?of=%zz", NULL, NULL, 0, "of: expected"},
    {"/r?of=news%00", NULL, NULL, 0, "of: expected"},
    {"/r?after=", NULL, NULL, 0, "after: this is no cursor"},
    {"/r?after=%zz", NULL, NULL, 0, "after: expected"},
    {"/r?after=17", NULL, NULL, 0, "after: this is no cursor"},
    {"/r?after=news:0:17", NULL, NULL, 0, "after: this is no cursor"},
    {"/r?after=journal:0:-1", NULL, NULL, 0, "after: this is no cursor"},
    {"/r?after=journal:0:17:", NULL, NULL, 0, "after: this is no cursor"},
    {"/r?after=journal:0:9223372036854775808", NULL, NULL, 0,
	"after: this is no cursor"},
    {"/r", "journal", NULL, 0, "after: this is no cursor"},
};

static bool read_case(const struct cursor_case *one,
    struct pv_results_place *place, struct pv_reply *reply)
{
	struct pv_head_field field = {PV_STR("Last-Event-ID"), {0}};
	struct pv_exchange exchange = asking_for(one->target);
	if (one->last) {
		field.value = pv_str_of(one->last);
		exchange.head.fields = &field;
		exchange.head.field_count = 1;
	}
	return pv_results_place_read(&exchange, place, reply);
}

static void test_cursors(void)
{
	for (size_t i = 0; i < sizeof(cursors) / sizeof(*cursors); i++) {
		const struct cursor_case *one = &cursors[i];
		struct pv_results_place place = {.is_beginning = false};
		struct pv_reply reply;
		pv_buf_init(&place.of, 200);
		pv_reply_init(&reply);
		bool is_right = read_case(one, &place, &reply);
		if (one->of) {
			ok(is_right && place.at.offset == one->offset,
			    "%s goes on at %llu", one->target,
			    (unsigned long long)one->offset);
			is_text(
			    pv_buf_str(&place.of), one->of, "of %s", one->of);
			pv_reply_finish(&reply);
		} else {
			is_refused(
			    is_right, &reply, one->sentence, one->target);
		}
		pv_buf_finish(&place.of);
	}
}

/* It would begin anew, instead of behind what the reader has. */
static void test_long_event_id(void)
{
	char id[1000];
	memset(id, '1', sizeof(id));
	memcpy(id, "journal:0:", 10);
	id[sizeof(id) - 1] = '\0';
	const struct cursor_case one = {"/r", id, NULL, 0, NULL};
	struct pv_results_place place = {.is_beginning = false};
	struct pv_reply reply;
	pv_buf_init(&place.of, 200);
	pv_reply_init(&reply);
	is_refused(read_case(&one, &place, &reply), &reply,
	    "Last-Event-ID: this is no cursor", "one that is too long");
	pv_buf_finish(&place.of);
}

int main(void)
{
	test_texts();
	test_numbers();
	test_words();
	test_lists();
	test_redeliveries();
	test_cursors();
	test_long_event_id();
	return tap_done();
}
