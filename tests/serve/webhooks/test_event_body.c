#include "serve/webhooks/event_body.h"

#include "base/json/json.h"
#include "tap.h"

static const struct pv_webhook_job_record job = {
    .id = {"0123", 4},
    .labels = {"{\"for\":\"us\"}", 12},
};

static void test_state(void)
{
	const struct pv_webhook_event event = {
	    .state = PV_JOB_FAILED,
	    .reason = PV_STR("no \"seed\"\n"),
	    .at_ms = 1614265330123,
	};
	struct pv_buf body;
	pv_buf_init(&body, 4096);
	pv_webhook_write_state(&job, &event, &body);
	is_text(pv_buf_str(&body),
	    "{\"type\":\"job.failed\",\"timestamp\":\"2021-02-25T15:02:10.123Z\","
	    "\"data\":{\"id\":\"0123\",\"labels\":{\"for\":\"us\"},\"state\":"
	    "\"failed\",\"end\":\"no \\\"seed\\\"\\n\"}}",
	    "a state is told with its time, its job and why it ended");
	pv_buf_finish(&body);
}

static void test_results(void)
{
	const struct pv_webhook_results results = {
	    .of = PV_STR("news"),
	    .lines = PV_STR("{\"a\":1}\n{\"a\":2}\n"),
	    .until = 116,
	    .made_ms = 1614265330000,
	};
	struct pv_buf body;
	pv_buf_init(&body, 4096);
	pv_webhook_write_results(&job, &results, &body);
	is_text(pv_buf_str(&body),
	    "{\"type\":\"job.results\",\"timestamp\":\"2021-02-25T15:02:10.000Z\""
	    ",\"data\":{\"id\":\"0123\",\"labels\":{\"for\":\"us\"},\"of\":"
	    "\"news\",\"lines\":[{\"a\":1},{\"a\":2}],\"cursor\":"
	    "\"news:0:116\"}}",
	    "lines are told as they stand, with the cursor behind them");
	struct pv_json *read = pv_json_read(pv_buf_str(&body));
	ok(pv_json_count(pv_json_get(pv_json_get(read, "data"), "lines")) == 2,
	    "which is JSON");
	pv_json_destroy(read);
	pv_buf_finish(&body);
}

static void test_fetch(void)
{
	const struct pv_fetch fetch = {
	    .id = PV_STR("f1"),
	    .state = PV_FETCH_DONE,
	    .url = PV_STR("http://a.test/"),
	    .at = PV_STR("http://a.test/"),
	    .created_ms = 1614265329000,
	    .ended_ms = 1614265330000,
	    .answer = PV_STR("{\"status\":200}"),
	    .rows = PV_STR("[{\"n\":12345678901234567890123}]"),
	};
	struct pv_buf body;
	pv_buf_init(&body, 4096);
	pv_webhook_write_fetch(&fetch, &body);
	is_text(pv_buf_str(&body),
	    "{\"type\":\"fetch.done\",\"timestamp\":\"2021-02-25T15:02:10.000Z\""
	    ",\"data\":{\"id\":\"f1\",\"state\":\"done\",\"url\":"
	    "\"http://a.test/\",\"created\":\"2021-02-25T15:02:09.000Z\","
	    "\"ended\":\"2021-02-25T15:02:10.000Z\",\"final_url\":"
	    "\"http://a.test/\",\"status\":200,\"rows\":[{\"n\":"
	    "12345678901234567890123}]}}",
	    "a fetch is told as replies say it, its rows digit by digit");
	pv_buf_finish(&body);
}

int main(void)
{
	test_fetch();
	test_state();
	test_results();
	return tap_done();
}
