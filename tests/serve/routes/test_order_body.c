#include "serve/routes/order_body.h"

#include "serve/routes/fetches.h"
#include "serve/routes/host.h"
#include "serve/routes/jobs.h"
#include "tap.h"

/* 2026-11-28T16:00:00Z */
#define NOW_MS INT64_C(1795881600000)

enum kind { JOB, FETCH, PAUSE };

static const struct order_case {
	enum kind kind;
	const char *body;
	const char *sentence; /* NULL: it is right */
} cases[] = {
    {JOB, "{\"urls\":[\"http://a/\"]}", NULL},
    {JOB, "{\"labels\":{\"a\":\"\\u0000\"}}", NULL},
    {JOB, "[]", "the body is no JSON object"},
    {JOB, "", "the body is no JSON object"},
    {JOB, "{\"urls\":[\"http://a/\"]", "the body is no JSON object"},
    {JOB, "{\"url\":[]}", "unknown member \\\"url\\\": did you mean urls"},
    {JOB, "{\"urls\":\"http://a/\"}",
	"urls: expected a list of at least one text"},
    {JOB, "{\"urls\":[]}", "urls: expected a list of at least one text"},
    {JOB, "{\"urls\":[\"\"]}", "urls: expected a list of at least one text"},
    {JOB, "{\"urls\":[\"http://a/\",5]}",
	"urls: expected a list of at least one text"},
    {JOB, "{\"urls\":[\"http://a/\\nhttp://b/\"]}",
	"urls: expected a list of at least one text"},
    {JOB, "{\"urls\":[\"http://a/\",\"http://a\\u0000.b/\"]}",
	"urls: expected a list of at least one text"},
    {JOB, "{\"set\":[\"scope.depth=1\\u00002\"]}",
	"set: expected a list of at least one text"},
    {JOB, "{\"policy\":\"version: 1\\u0000\"}",
	"policy: expected a text without the character U+0000"},
    {JOB, "{\"profile\":\"a\\u0000b\"}", "profile: expected a text without"},
    {JOB, "{\"webhook\":\"\\u0000\"}", "webhook: expected a text without"},
    {JOB, "{\"webhook\":5}", "webhook: expected a text"},
    {JOB, "{\"labels\":[]}", "labels: expected an object"},
    {FETCH, "{\"url\":\"http://a/\"}", NULL},
    {FETCH, "{\"url\":\"http://a/\",\"max_age\":\"1h\"}", NULL},
    {FETCH, "{}", "url: expected an address"},
    {FETCH, "{\"url\":\"\"}", "url: expected an address"},
    {FETCH, "{\"url\":\"http://a/\\n\"}", "url: expected an address"},
    {FETCH, "{\"url\":\"http://a/\\u0000.jpg\"}",
	"url: expected a text without the character U+0000"},
    {FETCH, "{\"url\":\"http://a/\",\"max_age\":\"1h\\u0000\"}",
	"max_age: expected a text without"},
    {FETCH, "{\"url\":\"http://a/\",\"max_age\":\"soon\"}",
	"max_age: expected a time"},
    {FETCH, "{\"url\":[\"http://a/\"]}", "url: expected a text"},
    {PAUSE, "{}", NULL},
    {PAUSE, "{\"until\":\"2026-11-29T16:00:00Z\"}", NULL},
    {PAUSE, "{\"until\":\"2026-11-27T16:00:00Z\"}", "this time is over"},
    {PAUSE, "{\"until\":\"2026-11-29T16:00:00Z\\u0000\"}",
	"until: expected a text without"},
    {PAUSE, "{\"reason\":\"they\\u0000move\"}",
	"reason: expected a text without"},
    {PAUSE, "null", "the body is no JSON object"},
};

static bool read_order(enum kind kind, const struct pv_json *body,
    struct pv_arena *arena, struct pv_reply *reply)
{
	struct pv_job_record job = {.number = 0};
	struct pv_fetch fetch = {.number = 0};
	struct pv_paused_host host = {.since_ms = 0};
	switch (kind) {
	case JOB:
		return pv_job_order_read(body, arena, &job, reply);
	case FETCH:
		return pv_fetch_order_read(body, &fetch, reply);
	default:
		return pv_host_pause_read(body, NOW_MS, &host, reply);
	}
}

static void test_case(const struct order_case *one)
{
	struct pv_arena arena;
	struct pv_reply reply;
	struct pv_json *body = pv_json_read(pv_str_of(one->body));
	pv_arena_init(&arena);
	pv_reply_init(&reply);
	bool is_right = read_order(one->kind, body, &arena, &reply);
	if (one->sentence)
		ok(!is_right && reply.status == 400 &&
			strstr(pv_buf_text(&reply.body), one->sentence),
		    "%s is refused: %s", one->body, one->sentence);
	else
		ok(is_right && reply.status == 200, "%s is right", one->body);
	pv_reply_finish(&reply);
	pv_arena_finish(&arena);
	pv_json_destroy(body);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(&cases[i]);
	return tap_done();
}
