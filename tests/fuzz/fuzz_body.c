#include <stdint.h>
#include <stdlib.h>

#include "api/policy_object.h"
#include "base/reader.h"
#include "serve/access/access.h"
#include "serve/config/config.h"
#include "serve/jobs/job_policy.h"
#include "serve/routes/fetches.h"
#include "serve/routes/host.h"
#include "serve/routes/jobs.h"
#include "store/orders.h"

/* Reads the JSON with which something is asked of the service: a line that says
 * what ("job", "fetch", "pause", "session"), and the body.
 *
 * What must hold: whoever is told what is wrong gets nothing, and the other way
 * round; no text that was read ends before its end, since it may become one of C;
 * a list has a line for each of its texts; the policy of a job tells what is wrong
 * with it, and one that is right heeds robots.txt; and nobody gets a cookie who has
 * no token. */

#define NOW_MS INT64_C(1795881600000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_text(struct pv_str text)
{
	require(!text.len || !memchr(text.ptr, '\0', text.len));
}

static void settle(bool is_right, struct pv_reply *reply)
{
	require(is_right == (reply->status == 200));
	require(is_right || reply->body.len);
}

static size_t count_lines(struct pv_str text)
{
	size_t count = text.len > 0;
	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

/* The built-in defaults, which are loaded once. */
static const struct pv_policy *owner(void)
{
	static struct pv_service_config *config;
	static const char *const settings[] = {"directory=service"};
	const struct pv_config_sources sources = {
	    .settings = settings, .setting_count = 1};
	struct pv_why why;
	if (!config) {
		pv_why_init(&why);
		config = pv_service_config_load(&sources, &why);
		require(!pv_why_has_problems(&why));
		pv_why_finish(&why);
	}
	return config->profiles[0].policy;
}

static void check_policy(const struct pv_job_record *job)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pv_private_list lent;
	pv_private_list_init(&lent);
	const struct pv_job_profile profile = {
	    .policy = owner(), .lent = &lent};
	struct pavane_policy *policy = pv_job_policy_load(&profile, job);
	size_t count = pavane_policy_problem_count(policy);
	require(policy->policy || count);
	for (size_t i = 0; i < count && i < PV_WHY_PROBLEMS_MAX; i++) {
		require(pavane_policy_problem(policy, i, &problem));
		require(*problem.sentence);
	}
	if (!count)
		require(policy->policy->manners.robots != PV_ROBOTS_IGNORE);
	pavane_policy_destroy(policy);
	pv_private_list_finish(&lent);
}

static void check_job(const struct pv_json *body, struct pv_reply *reply)
{
	struct pv_arena arena;
	struct pv_job_record job = {.number = 0};
	pv_arena_init(&arena);
	bool is_right = pv_job_order_read(body, &arena, &job, reply);
	settle(is_right, reply);
	if (is_right) {
		const struct pv_str texts[] = {job.policy, job.profile,
		    job.webhook, job.urls, job.settings, job.labels};
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
			require_text(texts[i]);
		require(count_lines(job.urls) ==
			pv_json_count(pv_json_get(body, "urls")));
		require(count_lines(job.settings) ==
			pv_json_count(pv_json_get(body, "set")));
		check_policy(&job);
	}
	pv_arena_finish(&arena);
}

static void check_fetch(const struct pv_json *body, struct pv_reply *reply)
{
	struct pv_fetch fetch = {.number = 0};
	bool is_right = pv_fetch_order_read(body, &fetch, reply);
	settle(is_right, reply);
	if (!is_right)
		return;
	require(fetch.url.len > 0 && fetch.not_before_ms >= 0);
	require(count_lines(fetch.url) == 1);
	require_text(fetch.url);
	require_text(fetch.profile);
}

static void check_pause(const struct pv_json *body, struct pv_reply *reply)
{
	struct pv_paused_host host = {.since_ms = 0};
	bool is_right = pv_host_pause_read(body, NOW_MS, &host, reply);
	settle(is_right, reply);
	if (!is_right)
		return;
	require(host.since_ms == NOW_MS && host.until_ms > NOW_MS);
	require(host.reason.len <= PV_ORDER_WHY_MAX);
	require_text(host.reason);
}

/* The only token is "abc". */
static struct pv_access *open_access(void)
{
	static const struct pv_access_plan plan = {
	    .names = {.listen = "127.0.0.1:7117"}, .session_ms = 1000};
	struct pv_tokens tokens = {.count = 1, .size = 1};
	struct pv_token token = {.name = "a", .scopes = PV_SCOPES_ALL};
	pv_digest(PV_STR("abc"), token.digest);
	tokens.items = malloc(sizeof(token));
	require(tokens.items);
	tokens.items[0] = token;
	return pv_access_create(&plan, &tokens);
}

static void check_session(
    struct pv_str text, const struct pv_json *body, struct pv_reply *reply)
{
	struct pv_service service = {.access = open_access()};
	struct pv_exchange exchange = {.body = text};
	struct pv_request request = {
	    .service = &service, .exchange = &exchange};
	pv_route_session_post(&request, reply);
	bool has_cookie = pv_reply_header_get(reply, "Set-Cookie");
	require(has_cookie == (reply->status == 204));
	require(!has_cookie ||
		pv_str_equal(pv_json_get_text(body, "token"), PV_STR("abc")));
	pv_access_destroy(service.access);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_str what = pv_reader_take_line(&reader);
	struct pv_str text = pv_reader_rest(&reader);
	struct pv_json *body = pv_json_read(text);
	struct pv_reply reply;
	pv_reply_init(&reply);
	if (pv_str_equal(what, PV_STR("job")))
		check_job(body, &reply);
	else if (pv_str_equal(what, PV_STR("fetch")))
		check_fetch(body, &reply);
	else if (pv_str_equal(what, PV_STR("pause")))
		check_pause(body, &reply);
	else if (pv_str_equal(what, PV_STR("session")))
		check_session(text, body, &reply);
	pv_reply_finish(&reply);
	pv_json_destroy(body);
	return 0;
}
