#include <stdlib.h>

#include "crawl/patience.h"
#include "serve/asked_service.h"

/* The figures of a service, held against readers of others. */

#define SECONDS 100
#define OPENMETRICS "Accept: application/openmetrics-text; version=1.0.0\r\n"

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/short/",
	.answer = {.body = "<a href=two>2</a><a href=gone>3</a>"}},
    {.path = "/short/two", .answer = {.body = "<p>2"}},
    {.path = "/short/gone", .answer = {.status = 410}},
    {.path = "/long/*",
	.answer = {.body = "<a href='{n}1'>1</a><a href='{n}2'>2</a>",
	    .is_template = true}},
};

static const char config[] =
    "directory: service\nlisten: 127.0.0.1:0\n"
    "private: [127.0.0.0/8]\nprofiles: {default: default.yaml}\n";

static bool ask(struct asked_service *scene, const char *headers)
{
	return asked_service_ask(scene, "GET /metrics", headers, NULL) == 200;
}

/* The value of a job's line, with what follows the job in it; negative if there is
 * none. */
static long long value_of(struct asked_service *scene, const char *name,
    const char *job, const char *more)
{
	char line[300];
	snprintf(
	    line, sizeof(line), "\npavane_%s{job=\"%s\"%s} ", name, job, more);
	const char *found = strstr(asked_service_body(scene), line);
	return found ? strtoll(found + strlen(line), NULL, 10) : -1;
}

static void test_forms(struct asked_service *scene)
{
	ok(ask(scene, "") &&
		asked_service_says(scene,
		    "Content-Type: text/plain; version=0.0.4; charset=utf-8") &&
		asked_service_says(
		    scene, "\npavane_jobs{state=\"queued\"} 0\n") &&
		!strstr(asked_service_body(scene), "# EOF"),
	    "figures come as text");
	ok(ask(scene, OPENMETRICS) &&
		asked_service_says(scene,
		    "Content-Type: application/openmetrics-text; "
		    "version=1.0.0; charset=utf-8") &&
		pv_str_ends(pv_buf_str(&scene->reply), PV_STR("\n# EOF\n")) &&
		asked_service_says(scene, "# TYPE pavane_build info\n"),
	    "or as OpenMetrics, as it is asked");
	ok(asked_service_says(scene, "Vary: Accept"), "which a cache can know");
}

static void test_job(struct asked_service *scene)
{
	char id[200];
	asked_service_submit(scene, "/short/", "", id);
	asked_service_ends(scene, id, "finished");
	ask(scene, "");
	ok(value_of(scene, "requests_total", id, "") >= 4 &&
		value_of(scene, "pages_total", id, "") == 2 &&
		value_of(scene, "received_bytes_total", id, "") > 0,
	    "a job that has ended has what it counted");
	ok(value_of(scene, "answers_total", id, ",class=\"2xx\"") == 2 &&
		value_of(scene, "answers_total", id, ",class=\"4xx\"") == 1,
	    "answers by their class");
	long long requests = value_of(scene, "requests_total", id, "");
	ok(value_of(scene, "lateness_seconds_count", id, "") > 0 &&
		value_of(scene, "commit_seconds_count", id, "") >= 3,
	    "how late they were, and how long saving took");
	ok(value_of(scene, "open_visits", id, "") == 0 &&
		value_of(scene, "hosts_waiting", id, "") == 0,
	    "and nothing is open any more");
	char request[300];
	snprintf(request, sizeof(request), "DELETE /v1/jobs/%s", id);
	asked_service_ask(scene, request, "", NULL);
	ask(scene, "");
	ok(value_of(scene, "requests_total", id, "") < 0 &&
		value_of(scene, "requests_total", "other", "") == requests,
	    "once it is removed, that is counted with the others");
	ok(!strstr(asked_service_body(scene), "127.0.0.1"),
	    "P5: no label is a host");
}

/* A job that goes on, is paused, and goes on again. */
static void test_pause(struct asked_service *scene)
{
	char id[200], request[300];
	long long before = -1, found = 0;
	bool is_less = false;
	asked_service_submit(
	    scene, "/long/1", ",\"set\":[\"politeness.delay=2ms\"]", id);
	asked_service_wait(scene, id, "running");
	while (found < 20) {
		ask(scene, "");
		found = value_of(scene, "requests_total", id, "");
		is_less = is_less || found < before;
		before = found;
	}
	ok(value_of(scene, "addresses", id, ",state=\"pending\"") >= 0 &&
		value_of(scene, "hosts", id, "") >= 0,
	    "a job that runs shows how it is");
	snprintf(request, sizeof(request), "POST /v1/jobs/%s/pause", id);
	asked_service_ask(scene, request, "", NULL);
	asked_service_wait(scene, id, "paused");
	snprintf(request, sizeof(request), "POST /v1/jobs/%s/resume", id);
	asked_service_ask(scene, request, "", NULL);
	long long most = before;
	while (found < most + 20) {
		ask(scene, "");
		found = value_of(scene, "requests_total", id, "");
		is_less = is_less || found < before;
		before = found;
	}
	ok(!is_less, "P3: what is counted does not become less by a pause");
}

/* What a program of others says of the figures; nothing if all is right. */
static bool is_read_by(struct asked_service *scene, const char *command)
{
	char line[1000], said[1000];
	FILE *file = fopen(scratch_file(&scene->scratch, "figures"), "w");
	if (!file)
		return false;
	fputs(asked_service_body(scene), file);
	fclose(file);
	snprintf(line, sizeof(line), "%s <%s 2>&1", command,
	    scratch_file(&scene->scratch, "figures"));
	file = popen(line, "r");
	size_t len = file ? fread(said, 1, sizeof(said) - 1, file) : 0;
	said[len] = '\0';
	bool is_right = file && pclose(file) == 0 && !len;
	if (!is_right)
		printf("# %s\n", said);
	return is_right;
}

static bool is_there(const char *command)
{
	char line[200];
	snprintf(line, sizeof(line), "%s >/dev/null 2>&1", command);
	return system(line) == 0;
}

static void test_others(struct asked_service *scene)
{
	static const char prometheus[] =
	    "Prometheus finds nothing wrong with them";
	static const char openmetrics[] = "nor does a reader of OpenMetrics";
	ask(scene, "");
	if (is_there("command -v promtool"))
		ok(is_read_by(scene, "promtool check metrics"), prometheus);
	else
		tap_skip(prometheus, "no promtool");
	ask(scene, OPENMETRICS);
	if (is_there("/usr/bin/python3 -c "
		     "'import prometheus_client.openmetrics.parser'"))
		ok(is_read_by(scene,
		       "/usr/bin/python3 -c 'import sys\n"
		       "from prometheus_client.openmetrics import parser\n"
		       "text = sys.stdin.read()\n"
		       "families = list(parser."
		       "text_string_to_metric_families(text))\n"
		       "sys.exit(len(families) < 15)'"),
		    openmetrics);
	else
		tap_skip(openmetrics, "no prometheus_client");
}

int main(void)
{
	struct asked_service scene;
	struct server *site =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	asked_service_make(&scene, site, config);
	asked_service_open(&scene);
	test_forms(&scene);
	test_job(&scene);
	test_pause(&scene);
	test_others(&scene);
	asked_service_close(&scene);
	end_after(0);
	server_stop(site);
	return tap_done();
}
