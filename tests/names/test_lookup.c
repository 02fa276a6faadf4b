#include <stdlib.h>

#include "names/scene.h"

/* How a look-up goes where name servers are slow, silent or wrong: with a
 * deadline of its own, and within it. */

#define DEADLINE_MS 160
#define PATIENCE_MS 20

static const struct name_server_entry book[] = {
    {"good.test", "A 192.0.2.1", .ttl_s = 300},
    {"silent.test", "A 192.0.2.1", .manner = NAME_SERVER_IS_SILENT},
    {"silent6.test", "A 192.0.2.6", .ttl_s = 300,
	.manner = NAME_SERVER_IS_SILENT_V6},
    {"silent4.test", "AAAA 2001:db8::4", .ttl_s = 300,
	.manner = NAME_SERVER_IS_SILENT_V4},
    {.name = "hollow6.test", .manner = NAME_SERVER_IS_SILENT_V6},
    {"late6.test", "AAAA 2001:db8::7", .ttl_s = 300, .delay_ms = 60},
    {"silent-tcp.test", "A 192.0.2.1", .manner = NAME_SERVER_IS_SILENT_TCP},
    {"late.test", "A 192.0.2.2", .ttl_s = 300, .delay_ms = 50},
    {"forged.test", "A 192.0.2.1", .manner = NAME_SERVER_MISTAKES},
    {"babble.test", "A 192.0.2.1", .manner = NAME_SERVER_BABBLES},
    {"fails.test", "A 192.0.2.1", .manner = NAME_SERVER_FAILS},
    {"refuses.test", "A 192.0.2.1", .manner = NAME_SERVER_REFUSES},
};

static void write_book(struct name_server *server)
{
	for (size_t i = 0; i < sizeof(book) / sizeof(*book); i++)
		name_server_set(server, &book[i]);
}

static void scene_begin(struct scene *scene)
{
	scene_init(scene);
	write_book(scene->server);
	scene->limits.deadline_ms = DEADLINE_MS;
	scene->limits.patience_ms = PATIENCE_MS;
}

static void test_answers(void)
{
	struct scene scene;
	scene_begin(&scene);
	scene_open(&scene, "", "");
	is_answer(&scene, "silent.test",
	    "no answer: no name server answered in time", "it has a deadline");
	is_answer(&scene, "forged.test",
	    "no answer: no name server answered in time",
	    "answers of another number are none");
	is_answer(&scene, "silent-tcp.test",
	    "no answer: no name server answered in time",
	    "the deadline holds for TCP too");
	is_answer(&scene, "hollow6.test",
	    "no answer: no name server answered in time",
	    "half an answer that holds nothing is none");
	scene_finish(&scene);
}

/* What is known in time is the answer: here a machine that is busy elsewhere for
 * a while does not make it too late. */
static void test_late_answers(void)
{
	struct scene scene;
	struct told told = {.times = 0};
	scene_begin(&scene);
	scene.limits.deadline_ms = 60000;
	scene_open(&scene, "", "");
	is_answer(&scene, "late.test", "192.0.2.2",
	    "what comes late, but in time, is taken");
	is_answer(&scene, "late6.test", "2001:db8::7",
	    "whoever has only IPv6 is waited for");
	scene_finish(&scene);
	scene_begin(&scene);
	scene.limits.deadline_ms = 1500;
	scene_open(&scene, "", "");
	pv_names_find(scene.names, PV_STR("silent.test"), on_told, &told);
	is_answer(&scene, "silent4.test", "2001:db8::4",
	    "what is known when time is up is the answer");
	ok(told.times == 1 &&
		name_server_asked(scene.server, "silent.test") >= 4,
	    "each question is asked again before");
	scene_finish(&scene);
}

/* Eight servers that are asked twice each would take eight times as long. */
static void test_deadline(void)
{
	struct scene scene;
	scene_begin(&scene);
	scene.more_times = 7;
	scene_open(&scene, "", "");
	struct pv_name_answer answer = look_up(&scene, "silent.test");
	ok(answer.result == PV_NAME_NO_ANSWER &&
		answer.took_ms >= DEADLINE_MS &&
		answer.took_ms < 7 * DEADLINE_MS,
	    "the deadline holds however many name servers there are");
	scene_finish(&scene);
}

/* The waits are long, so that a test that is kept from running for a while
 * cannot take one for the other. */
static void test_patience(void)
{
	struct scene scene;
	scene_begin(&scene);
	scene.limits.deadline_ms = 60000;
	scene_open(&scene, "", "");
	struct pv_name_answer answer = look_up(&scene, "silent6.test");
	ok(answer.result == PV_NAME_FOUND && answer.count == 1 &&
		answer.took_ms >= PATIENCE_MS && answer.took_ms < 60000,
	    "once IPv4 is known, IPv6 is not waited for till the end");
	scene_finish(&scene);
}

static void test_failures(void)
{
	struct scene scene;
	static const char *const hosts[] = {
	    "fails.test", "refuses.test", "babble.test"};
	scene_begin(&scene);
	scene.limits.deadline_ms = 60000;
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		struct pv_name_answer answer = look_up(&scene, hosts[i]);
		ok(answer.result == PV_NAME_NO_ANSWER && !answer.count,
		    "%s: nobody could say: %s", hosts[i], answer.why);
	}
	is_answer(&scene, "good.test", "192.0.2.1", "others are not harmed");
	scene_finish(&scene);
}

static void test_dead_server(void)
{
	struct scene scene;
	scene_begin(&scene);
	scene.limits.deadline_ms = 60000;
	scene_open(&scene, "", "");
	name_server_stop(scene.server);
	scene.server = NULL;
	struct pv_name_answer answer = look_up(&scene, "good.test");
	ok(answer.result == PV_NAME_NO_ANSWER && answer.why[0],
	    "where no name server is, nobody could say: %s", answer.why);
	scene_finish(&scene);
}

/* The kernel sends nothing to everybody, so that it has failed before the
 * asking is over; nobody is told within it all the same. */
static void test_no_way(void)
{
	struct scene scene;
	struct told told = {.times = 0};
	scene_begin(&scene);
	scene.nowhere = "255.255.255.255";
	scene.limits.deadline_ms = 60000;
	scene_open(&scene, "", "");
	pv_names_find(scene.names, PV_STR("good.test"), on_told, &told);
	ok(told.times == 0, "nobody is told within the call");
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(told.times == 1 && told.answer.result == PV_NAME_NO_ANSWER,
	    "where no question can be sent, nobody could say: %s",
	    told.answer.why);
	scene_finish(&scene);
}

/* A name without a dot is sought where the system says; here that is said by
 * the environment. */
static void test_search_domain(void)
{
	struct scene scene;
	scene_begin(&scene);
	setenv("LOCALDOMAIN", "search.test", 1);
	struct name_server_entry entry = {
	    "wiki.search.test", "A 192.0.2.30", .ttl_s = 300};
	name_server_set(scene.server, &entry);
	entry.name = "a.test.search.test";
	name_server_set(scene.server, &entry);
	scene_open(&scene, "", "");
	is_answer(&scene, "wiki", "192.0.2.30", "it is sought nearby");
	is_answer(&scene, "wiki.", "unknown: the name does not exist",
	    "a dot behind it says that it is whole");
	is_answer(&scene, "a.test", "unknown: the name does not exist",
	    "so does a dot within");
	unsetenv("LOCALDOMAIN");
	scene_finish(&scene);
}

/* The second of two name servers is asked if the first is silent or fails. */
static void test_second_server(void)
{
	static const char *const hosts[] = {
	    "silent.test", "fails.test", "refuses.test"};
	struct scene scene;
	scene_begin(&scene);
	struct name_server *first = name_server_start();
	scene.first_server = first;
	scene.limits.deadline_ms = 6000;
	write_book(first);
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		struct name_server_entry entry = {
		    hosts[i], "A 192.0.2.3", .ttl_s = 300};
		name_server_set(scene.server, &entry);
	}
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		is_answer(&scene, hosts[i], "192.0.2.3",
		    "the second server is asked");
	name_server_stop(first);
	scene_finish(&scene);
}

/* After so many failures in a row the name servers are read anew, and the rest
 * is asked all the same. */
static void test_row_of_failures(void)
{
	struct scene scene;
	struct told told[9] = {{.times = 0}};
	unsigned answered = 0;
	scene_begin(&scene);
	scene.limits.deadline_ms = 60000;
	scene.limits.asked_max = 2;
	scene.limits.failures_max = 3;
	scene_open(&scene, "", "");
	struct name_server_entry entry = {
	    "*.fails.test", NULL, .manner = NAME_SERVER_FAILS};
	name_server_set(scene.server, &entry);
	for (size_t i = 0; i < 9; i++) {
		char host[32];
		snprintf(host, sizeof(host), "h%zu.%s", i,
		    i < 8 ? "fails.test" : "none.test");
		pv_names_find(scene.names, pv_str_of(host), on_told, &told[i]);
	}
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	for (size_t i = 0; i < 8; i++)
		answered += told[i].times == 1 &&
			    told[i].answer.result == PV_NAME_NO_ANSWER;
	ok(answered == 8, "eight names that fail are told");
	ok(told[8].times == 1 && told[8].answer.result == PV_NAME_UNKNOWN,
	    "and the one behind them is answered");
	scene_finish(&scene);
}

int main(void)
{
	test_answers();
	test_late_answers();
	test_deadline();
	test_patience();
	test_failures();
	test_dead_server();
	test_no_way();
	test_search_domain();
	test_second_server();
	test_row_of_failures();
	return tap_done();
}
