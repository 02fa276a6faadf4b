#include "serve/webhooks/webhooks.h"

#include <ftw.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json/json.h"
#include "policy/values/value.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/tables/length.h"
#include "tap.h"

/* Deliveries over days, without a network: messages lie where the test sees them
 * until it answers them, and its clock goes when it says so. */

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define LYING_MAX 64

struct scene {
	struct scratch scratch;
	struct pv_webhook entries[2];
	struct pv_webhook_table table;
	struct pv_job_store *jobs;
	struct pv_webhooks *webhooks;
	int64_t now;
	uint8_t chance;
	struct pv_webhook_message *lying[LYING_MAX]; /* as they were sent */
	size_t lying_count;
	char said[2000];
};

static const char *secrets[] = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};

static int64_t now_ms(void *ctx)
{
	return ((struct scene *)ctx)->now;
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	struct scene *scene = ctx;
	memset(bytes, ++scene->chance, size);
}

static void lay_down(void *ctx, struct pv_webhook_message *message)
{
	struct scene *scene = ctx;
	scene->lying[scene->lying_count++] = message;
}

static void note_line(
    void *ctx, enum pavane_level level, struct pv_str about, const char *line)
{
	struct scene *scene = ctx;
	size_t len = strlen(scene->said);
	(void)level;
	snprintf(scene->said + len, sizeof(scene->said) - len, "%.*s: %s\n",
	    PV_STR_ARG(about), line);
}

static void open_webhooks(struct scene *scene)
{
	const struct pv_webhooks_plan plan = {
	    .directory = scene->scratch.path,
	    .table = &scene->table,
	    .now_ms = now_ms,
	    .random = give_chance,
	    .send = lay_down,
	    .log = note_line,
	    .ctx = scene,
	};
	scene->webhooks = pv_webhooks_open(&plan, NULL);
}

static void open_scene(struct scene *scene)
{
	*scene = (struct scene){.now = 1000000 * SECOND};
	scratch_make(&scene->scratch);
	mkdir(scratch_file(&scene->scratch, "jobs"), 0700);
	for (size_t i = 0; i < 2; i++)
		scene->entries[i] = (struct pv_webhook){
		    .name = i ? "other" : "team",
		    .url = "https://example.org/",
		    .secrets = {secrets, 1},
		    .events = PV_WEBHOOK_STATES | PV_WEBHOOK_JOURNAL |
			      PV_WEBHOOK_ROWS,
		    .retry_for_ms = 72 * HOUR,
		};
	scene->table = (struct pv_webhook_table){scene->entries, 2};
	scene->jobs = pv_job_store_open(scene->scratch.path, NULL);
	open_webhooks(scene);
}

static void drop_lying(struct scene *scene)
{
	while (scene->lying_count)
		pv_webhook_message_destroy(scene->lying[--scene->lying_count]);
}

/* As a kill does: what is under way is not heard of any more. */
static void open_again(struct scene *scene)
{
	pv_webhooks_close(scene->webhooks);
	drop_lying(scene);
	open_webhooks(scene);
}

static int remove_one(
    const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
	(void)facts;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void close_scene(struct scene *scene)
{
	pv_webhooks_close(scene->webhooks);
	drop_lying(scene);
	pv_job_store_close(scene->jobs);
	nftw(scene->scratch.path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Jobs */

static void add_job(struct scene *scene, const char *id, const char *webhook)
{
	const struct pv_job_record job = {
	    .id = pv_str_of(id),
	    .owner = PV_STR(""),
	    .profile = PV_STR(""),
	    .policy = PV_STR(""),
	    .urls = PV_STR(""),
	    .settings = PV_STR(""),
	    .labels = PV_STR("{}"),
	    .webhook = pv_str_of(webhook),
	    .created_ms = scene->now,
	};
	const struct pv_job_key none = {.key = {"", 0}};
	pv_job_store_add(scene->jobs, &job, &none);
}

static void set_state(
    struct scene *scene, const char *id, enum pv_job_state state)
{
	pv_job_store_set_state(
	    scene->jobs, pv_str_of(id), state, PV_STR(""), scene->now);
}

static const char *path_of(
    const struct scene *scene, const char *id, const char *name)
{
	char below[200];
	snprintf(
	    below, sizeof(below), "jobs/%s%s%s", id, *name ? "/" : "", name);
	return scratch_file(&scene->scratch, below);
}

/* So many numbered lines are committed of a file; `more` of them are written. */
static void write_lines(struct scene *scene, const char *id, const char *file,
    unsigned count, unsigned more)
{
	struct pv_buf text;
	uint64_t length = 0;
	pv_buf_init(&text, SIZE_MAX);
	for (unsigned i = 0; i < count + more; i++) {
		if (i == count)
			length = text.len;
		pv_buf_append_format(&text, "{\"n\":%u}\n", i);
	}
	if (!more)
		length = text.len;
	mkdir(path_of(scene, id, ""), 0700);
	mkdir(path_of(scene, id, "fields"), 0700);
	pv_file_replace(path_of(scene, id, file), pv_buf_str(&text), 0600);
	pv_buf_finish(&text);
	struct pv_database *database =
	    pv_database_open(path_of(scene, id, "state.db"));
	pv_schema_apply(pv_state_schema(), database, "state.db", NULL);
	pv_database_begin(database);
	pv_length_set(database, pv_str_of(file), length);
	pv_database_commit(database);
	pv_database_close(database);
}

/* Deliveries */

static int64_t turn(struct scene *scene)
{
	return pv_webhooks_turn(scene->webhooks);
}

static void answer_with(
    struct scene *scene, size_t i, uint16_t status, const char *why)
{
	const struct pv_webhook_answer answer = {.status = status, .why = why};
	struct pv_webhook_message *message = scene->lying[i];
	scene->lying[i] = scene->lying[--scene->lying_count];
	pv_webhooks_on_answer(scene->webhooks, message, &answer);
}

static void answer(struct scene *scene, size_t i, uint16_t status)
{
	answer_with(scene, i, status, "it answered so");
}

/* What a message says: "job.results journal 3 journal:0:24". */
static const char *told(const struct scene *scene, size_t i)
{
	static char text[300];
	if (i >= scene->lying_count)
		return "nothing";
	struct pv_json *body = pv_json_read(pv_buf_str(&scene->lying[i]->body));
	const struct pv_json *data = pv_json_get(body, "data");
	struct pv_str type = pv_json_get_text(body, "type");
	struct pv_str of = pv_json_get_text(data, "of");
	struct pv_str cursor = pv_json_get_text(data, "cursor");
	int len = snprintf(text, sizeof(text), "%.*s", PV_STR_ARG(type));
	if (of.len)
		snprintf(text + len, sizeof(text) - (size_t)len,
		    " %.*s %zu %.*s", PV_STR_ARG(of),
		    pv_json_count(pv_json_get(data, "lines")),
		    PV_STR_ARG(cursor));
	pv_json_destroy(body);
	return text;
}

#define is_told(scene, i, wanted, ...) \
	is_text(pv_str_of(told(scene, i)), wanted, __VA_ARGS__)

static bool has_said(const struct scene *scene, const char *part)
{
	return strstr(scene->said, part) != NULL;
}

/* A copy of what the message has, to be compared with its next try. */
struct memory {
	char id[100];
	char body[2000];
	char timestamp[40];
};

static struct memory remember(const struct scene *scene)
{
	struct memory memory = {.id = ""};
	if (!scene->lying_count)
		return memory;
	snprintf(memory.id, sizeof(memory.id), "%s",
	    pv_buf_text(&scene->lying[0]->id));
	snprintf(memory.body, sizeof(memory.body), "%s",
	    pv_buf_text(&scene->lying[0]->body));
	snprintf(memory.timestamp, sizeof(memory.timestamp), "%s",
	    pv_buf_text(&scene->lying[0]->timestamp));
	return memory;
}

static bool is_same(const struct memory *a, const struct memory *b)
{
	return *a->id && strcmp(a->id, b->id) == 0 &&
	       strcmp(a->body, b->body) == 0;
}

/* Answers all that lies there with 200 until nothing comes any more; how many
 * came. */
static unsigned deliver_all(struct scene *scene)
{
	unsigned count = 0;
	turn(scene);
	while (scene->lying_count) {
		answer(scene, 0, 200);
		count++;
		turn(scene);
	}
	return count;
}

static void test_states(void)
{
	struct scene scene;
	open_scene(&scene);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "without jobs there is nothing to be waited for");
	add_job(&scene, "quiet", "");
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	turn(&scene);
	ok(scene.lying_count == 1, "one state is delivered at a time");
	is_told(&scene, 0, "job.queued", "the first one first");
	ok(turn(&scene) && scene.lying_count == 1,
	    "the next one waits for its answer");
	answer(&scene, 0, 204);
	turn(&scene);
	is_told(&scene, 0, "job.running", "and comes then");
	answer(&scene, 0, 200);
	set_state(&scene, "one", PV_JOB_FINISHED);
	turn(&scene);
	is_told(&scene, 0, "job.finished", "as does one that is new");
	answer(&scene, 0, 299);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "a job that has ended and was delivered is not thought of again");
	open_again(&scene);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "P3: nor after the next start");
	close_scene(&scene);
}

static void test_results(void)
{
	struct scene scene;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL | PV_WEBHOOK_ROWS;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	write_lines(&scene, "one", "journal.jsonl", 3, 2);
	turn(&scene);
	ok(scene.lying_count == 1, "what is committed is delivered");
	is_told(&scene, 0, "job.results journal 3 journal:0:24",
	    "and no line that is not");
	write_lines(&scene, "one", "fields/news.jsonl", 2, 0);
	write_lines(&scene, "one", "fields/news.csv", 2, 0);
	write_lines(&scene, "one", "journal.jsonl", 253, 0);
	ok(turn(&scene) == 1000 && scene.lying_count == 1,
	    "for more of it, a job that runs is looked at once a second");
	scene.now += SECOND;
	turn(&scene);
	ok(scene.lying_count == 2, "rows do not wait for the journal");
	is_told(&scene, 1, "job.results news 2 news:0:16", "they are told");
	answer(&scene, 1, 200);
	answer(&scene, 0, 200);
	turn(&scene);
	is_told(&scene, 0, "job.results journal 100 journal:0:920",
	    "a hundred lines are one delivery");
	answer(&scene, 0, 200);
	turn(&scene);
	answer(&scene, 0, 200);
	turn(&scene);
	is_told(&scene, 0, "job.results journal 50 journal:0:2420",
	    "what is left is the last one");
	answer(&scene, 0, 200);
	set_state(&scene, "one", PV_JOB_FINISHED);
	ok(turn(&scene) == -1 && !scene.lying_count, "then it is done");
	close_scene(&scene);
}

static void test_events(void)
{
	struct scene scene;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_ROWS;
	add_job(&scene, "one", "team");
	write_lines(&scene, "one", "journal.jsonl", 3, 0);
	write_lines(&scene, "one", "fields/news.jsonl", 2, 0);
	set_state(&scene, "one", PV_JOB_FINISHED);
	turn(&scene);
	ok(scene.lying_count == 1, "a webhook hears what it wants to hear");
	is_told(&scene, 0, "job.results news 2 news:0:16", "such as rows");
	close_scene(&scene);
}

/* What the crawl of a paused job still saved while it ended is found later. */
static void test_paused(void)
{
	struct scene scene;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_PAUSED);
	int64_t first = turn(&scene);
	write_lines(&scene, "one", "journal.jsonl", 1, 0);
	scene.now += first;
	int64_t second = turn(&scene);
	ok(first == 1000 && scene.lying_count == 1,
	    "a job that is paused is looked at once more");
	answer(&scene, 0, 200);
	scene.now += second;
	int64_t third = turn(&scene);
	ok(second == 2000 && third == 4000, "and then less and less often");
	close_scene(&scene);
}

static void test_retries(void)
{
	static const int64_t waits[] = {5 * SECOND, 5 * MINUTE, 30 * MINUTE,
	    2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, 10 * HOUR, 10 * HOUR,
	    10 * HOUR};
	struct scene scene;
	struct memory first, next;
	unsigned early = 0, late = 0, different = 0, signed_anew = 0;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_STOPPED);
	write_lines(&scene, "one", "journal.jsonl", 3, 0);
	turn(&scene);
	first = remember(&scene);
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits) - 1; i++) {
		answer(&scene, 0, 500);
		write_lines(&scene, "one", "journal.jsonl", 4 + (unsigned)i, 0);
		scene.now += waits[i] - 1;
		turn(&scene);
		early += scene.lying_count;
		scene.now += 1;
		if (!scene.lying_count)
			turn(&scene);
		late += !scene.lying_count;
		next = remember(&scene);
		different += !is_same(&first, &next);
		signed_anew += strcmp(first.timestamp, next.timestamp) != 0;
	}
	ok(!early && !late, "each try comes when it is due, and not before");
	ok(!different,
	    "with the same id and the same lines, though there are more");
	ok(signed_anew == 9, "but with its own time");
	ok(has_said(&scene, "webhook team: deliveries fail, and are tried "
			    "again: it answered so\n"),
	    "that they fail is told once");
	answer(&scene, 0, 200);
	ok(has_said(&scene, "webhook team: deliveries arrive again\n"),
	    "and that they do not any more");
	turn(&scene);
	is_told(&scene, 0, "job.results journal 9 journal:0:98",
	    "then come those that were written meanwhile");
	answer(&scene, 0, 500);
	scene.now += 5 * SECOND;
	turn(&scene);
	ok(scene.lying_count == 1, "each delivery begins with short waits");
	close_scene(&scene);
}

static const char *view(struct scene *scene, const char *id);

/* Lets time pass until something is sent; false if nothing ever is. */
static bool is_next_sent(struct scene *scene)
{
	int64_t wait = turn(scene);
	while (!scene->lying_count && wait >= 0) {
		scene->now += wait;
		wait = turn(scene);
	}
	return scene->lying_count;
}

static void test_given_up(void)
{
	struct scene scene;
	unsigned tries = 0;
	open_scene(&scene);
	scene.entries[0].retry_for_ms = 31 * MINUTE;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_STOPPED);
	while (is_next_sent(&scene) && tries < 100) {
		tries++;
		answer_with(&scene, 0, 0, "connection refused");
	}
	ok(tries == 3, "what fails for retry_for is given up (%u tries)",
	    tries);
	ok(has_said(&scene,
	       "one: webhook team: nothing more of states is delivered: it "
	       "failed for as long as retry_for says (3 tries): connection "
	       "refused\n"),
	    "which is told");
	is_text(pv_str_of(view(&scene, "one")),
	    "states 0 it failed for as long as retry_for says (3 tries): "
	    "connection refused;",
	    "and can be looked up");
	open_again(&scene);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "P3: nothing is tried after the next start");
	scene.now += 100 * HOUR;
	scene.entries[0].retry_for_ms = PV_NONE;
	pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), false);
	turn(&scene);
	for (tries = 0; scene.lying_count && tries < 100; tries++) {
		answer(&scene, 0, 503);
		scene.now += 10 * HOUR;
		turn(&scene);
	}
	ok(tries == 100, "without retry_for nothing is given up");
	close_scene(&scene);
}

static bool note_position(void *ctx, const struct pv_webhook_position *position)
{
	char *text = ctx;
	size_t len = strlen(text);
	snprintf(text + len, 500 - len, "%.*s %llu %.*s;",
	    PV_STR_ARG(position->stream),
	    (unsigned long long)position->position,
	    PV_STR_ARG(position->ended));
	return true;
}

static const char *view(struct scene *scene, const char *id)
{
	static char text[500];
	text[0] = '\0';
	pv_webhooks_each_position(
	    scene->webhooks, pv_str_of(id), note_position, text);
	return text;
}

static void test_gone(void)
{
	struct scene scene;
	open_scene(&scene);
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	write_lines(&scene, "one", "journal.jsonl", 3, 0);
	turn(&scene);
	ok(scene.lying_count == 2, "a state and lines are delivered");
	answer(&scene, 0, 410);
	answer(&scene, 0, 200);
	scene.now += 24 * HOUR;
	set_state(&scene, "one", PV_JOB_FINISHED);
	turn(&scene);
	write_lines(&scene, "one", "fields/new.jsonl", 3, 0);
	scene.now += 24 * HOUR;
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "to who answers 410 nothing more of the job is delivered");
	ok(has_said(&scene, "one: webhook team: nothing more of journal is "
			    "delivered: the receiver answered 410 (gone)\n") &&
		has_said(&scene, "nothing more of states is delivered"),
	    "which is told");
	ok(strstr(view(&scene, "one"), "the receiver answered 410 (gone)"),
	    "and can be looked up");
	add_job(&scene, "two", "team");
	turn(&scene);
	is_told(&scene, 0, "job.queued", "of another job it is asked again");
	close_scene(&scene);
}

static void test_redelivered(void)
{
	struct scene scene;
	struct memory first, stopped, again;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL;
	add_job(&scene, "one", "team");
	add_job(&scene, "none", "");
	set_state(&scene, "one", PV_JOB_FINISHED);
	write_lines(&scene, "one", "journal.jsonl", 150, 0);
	turn(&scene);
	first = remember(&scene);
	answer(&scene, 0, 200);
	turn(&scene);
	stopped = remember(&scene);
	answer(&scene, 0, 410);
	turn(&scene);
	scene.now += 100 * HOUR;
	ok(pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), false) ==
		PV_WEBHOOKS_DONE,
	    "what has ended is delivered again when that is asked for");
	turn(&scene);
	is_told(&scene, 0, "job.results journal 50 journal:0:1390",
	    "from where it stopped");
	again = remember(&scene);
	ok(is_same(&stopped, &again), "as the same delivery");
	answer(&scene, 0, 500);
	turn(&scene);
	ok(!strstr(view(&scene, "one"), "failed"),
	    "which has as long as any other to arrive");
	pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), false);
	turn(&scene);
	ok(scene.lying_count == 1, "who asks need not wait for the next try");
	answer(&scene, 0, 200);
	ok(turn(&scene) == -1, "then it is done");
	pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), true);
	turn(&scene);
	again = remember(&scene);
	is_told(&scene, 0, "job.results journal 100 journal:0:890",
	    "or all of it, from its start");
	ok(strcmp(first.id, again.id) != 0, "with another id");
	/* The answer to what is under way says nothing of what begins. */
	pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), true);
	answer(&scene, 0, 200);
	ok(deliver_all(&scene) == 2,
	    "asked for once more, all of it comes once more");
	ok(pv_webhooks_redeliver(scene.webhooks, PV_STR("none"), true) ==
		    PV_WEBHOOKS_NONE &&
		pv_webhooks_redeliver(scene.webhooks, PV_STR("other"), true) ==
		    PV_WEBHOOKS_NONE,
	    "a job without a webhook has nothing to deliver, nor has none");
	close_scene(&scene);
}

/* At any moment: what was not answered is sent again, under the same id. */
static void test_killed(void)
{
	struct scene scene;
	struct memory first, again;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	write_lines(&scene, "one", "journal.jsonl", 3, 0);
	turn(&scene);
	first = remember(&scene);
	write_lines(&scene, "one", "journal.jsonl", 9, 0);
	open_again(&scene);
	turn(&scene);
	again = remember(&scene);
	ok(is_same(&first, &again),
	    "P3: what was under way when the process ended is sent again, "
	    "with the same id and lines");
	answer(&scene, 0, 200);
	open_again(&scene);
	turn(&scene);
	again = remember(&scene);
	ok(is_same(&first, &again),
	    "P3: also if it arrived and that was not written yet");
	answer(&scene, 0, 200);
	turn(&scene);
	is_told(&scene, 0, "job.results journal 6 journal:0:72",
	    "then what follows");
	first = remember(&scene);
	open_again(&scene);
	turn(&scene);
	again = remember(&scene);
	ok(is_same(&first, &again), "P3: which is sent again, too");
	answer(&scene, 0, 500);
	turn(&scene);
	open_again(&scene);
	turn(&scene);
	ok(!scene.lying_count, "P3: a wait holds over the end of the process");
	scene.now += 5 * SECOND;
	turn(&scene);
	ok(scene.lying_count == 1 && scene.lying[0]->tries == 1,
	    "and so does the number of tries");
	close_scene(&scene);
}

/* Somebody sets the machine's clock. */
static void test_clock(void)
{
	struct scene scene;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_JOURNAL;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	write_lines(&scene, "one", "journal.jsonl", 1, 0);
	turn(&scene);
	answer(&scene, 0, 500);
	turn(&scene);
	scene.now -= 100 * HOUR;
	ok(turn(&scene) <= SECOND, "a clock that was set back stops no look");
	scene.now += 24 * HOUR;
	turn(&scene);
	ok(scene.lying_count == 1,
	    "nor does a try wait for longer than it may");
	close_scene(&scene);
}

static void test_slow(void)
{
	struct scene scene;
	char id[20];
	open_scene(&scene);
	for (unsigned i = 0; i < 10; i++) {
		snprintf(id, sizeof(id), "slow-%u", i);
		add_job(&scene, id, "team");
	}
	add_job(&scene, "quick", "other");
	turn(&scene);
	ok(scene.lying_count == PV_WEBHOOK_IN_FLIGHT_MAX + 1,
	    "of one webhook only so many deliveries are under way");
	size_t others = 0;
	for (size_t i = 0; i < scene.lying_count; i++)
		others += scene.lying[i]->receiver == 1;
	ok(others == 1, "which holds up no other");
	ok(deliver_all(&scene) == 11, "all jobs have their turn");
	close_scene(&scene);
}

static void test_turns(void)
{
	struct scene scene;
	char id[20];
	unsigned first = 0;
	open_scene(&scene);
	for (unsigned i = 0; i < 6; i++) {
		snprintf(id, sizeof(id), "job-%u", i);
		add_job(&scene, id, "team");
		set_state(&scene, id, PV_JOB_RUNNING);
	}
	turn(&scene);
	for (unsigned i = PV_WEBHOOK_IN_FLIGHT_MAX; i < 6; i++) {
		answer(&scene, 0, 200);
		turn(&scene);
		first += strcmp(told(&scene, scene.lying_count - 1),
			     "job.queued") == 0;
	}
	ok(first == 6 - PV_WEBHOOK_IN_FLIGHT_MAX,
	    "each job is told of before another one is once more");
	close_scene(&scene);
}

static void test_removed(void)
{
	struct scene scene;
	open_scene(&scene);
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_STOPPED);
	turn(&scene);
	answer(&scene, 0, 500);
	turn(&scene);
	pv_job_store_remove(scene.jobs, PV_STR("one"));
	scene.now += HOUR;
	turn(&scene);
	ok(!scene.lying_count && turn(&scene) == -1,
	    "of a job that was removed nothing more is delivered");
	add_job(&scene, "two", "team");
	turn(&scene);
	pv_job_store_remove(scene.jobs, PV_STR("two"));
	answer(&scene, 0, 200);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "nor if that happens while it is delivered");
	close_scene(&scene);
}

static void test_unknown(void)
{
	struct scene scene;
	open_scene(&scene);
	add_job(&scene, "one", "team");
	scene.entries[0].name = "renamed";
	open_again(&scene);
	ok(turn(&scene) == -1 && !scene.lying_count,
	    "a webhook that the configuration does not have gets nothing");
	ok(pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), true) ==
		PV_WEBHOOKS_NONE,
	    "nor can that be asked for");
	scene.entries[0].name = "team";
	open_again(&scene);
	turn(&scene);
	is_told(&scene, 0, "job.queued", "until it is there again");
	close_scene(&scene);
}

static void note_figures(void *ctx, const struct pv_webhook_figures *figures)
{
	char *text = ctx;
	size_t len = strlen(text);
	snprintf(text + len, 200 - len, "%s %u %u %u %u;", figures->name,
	    (unsigned)figures->waiting, (unsigned)figures->delivered,
	    (unsigned)figures->failed, (unsigned)figures->ended);
}

static void test_figures(void)
{
	struct scene scene;
	char text[200] = "";
	open_scene(&scene);
	add_job(&scene, "one", "team");
	add_job(&scene, "two", "team");
	turn(&scene);
	answer(&scene, 0, 500);
	answer(&scene, 0, 200);
	turn(&scene);
	pv_webhooks_each_figures(scene.webhooks, note_figures, text);
	is_text(pv_str_of(text), "team 1 1 1 0;other 0 0 0 0;",
	    "what waits, arrived, failed and was given up is counted");
	close_scene(&scene);
}

/* The configuration is read again: a table of one's own, as each time. */
static void test_changed(void)
{
	static const char *others[] = {
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"};
	struct scene scene;
	struct pv_webhook left[1], more[2];
	open_scene(&scene);
	add_job(&scene, "one", "team");
	add_job(&scene, "two", "other");
	add_job(&scene, "three", "new");
	turn(&scene);
	ok(scene.lying_count == 2,
	    "what names a webhook that there is not waits");
	left[0] = scene.entries[1];
	pv_webhooks_change(
	    scene.webhooks, &(const struct pv_webhook_table){left, 1});
	ok(pv_webhooks_redeliver(scene.webhooks, PV_STR("one"), false) ==
		PV_WEBHOOKS_NONE,
	    "one that was removed is known no more");
	struct memory before = remember(&scene);
	answer(&scene, 0, 200);
	scene.now += HOUR;
	set_state(&scene, "one", PV_JOB_RUNNING);
	set_state(&scene, "two", PV_JOB_RUNNING);
	turn(&scene);
	ok(scene.lying_count == 1 && scene.lying[0]->receiver == 1,
	    "the other keeps its number, and nothing is sent to the first");
	answer(&scene, 0, 200);
	turn(&scene);
	is_told(&scene, 0, "job.running", "of what remains all is delivered");
	answer(&scene, 0, 200);
	ok(turn(&scene) == 1000 && !scene.lying_count, "and no more");
	more[0] = scene.entries[1];
	more[0].name = "new";
	more[1] = scene.entries[0];
	more[1].secrets = (struct pv_texts){others, 1};
	pv_webhooks_change(
	    scene.webhooks, &(const struct pv_webhook_table){more, 2});
	turn(&scene);
	ok(scene.lying_count == 2 &&
		scene.lying[0]->receiver + scene.lying[1]->receiver == 2,
	    "a new one is delivered to, and one that is there again");
	size_t again = scene.lying[0]->receiver == 0 ? 0 : 1;
	ok(strcmp(pv_buf_text(&scene.lying[again]->id), before.id) == 0 &&
		strcmp(pv_buf_text(&scene.lying[again]->body), before.body) ==
		    0,
	    "P3: which gets what was not known to have arrived, once more");
	ok(turn(&scene) && pv_webhooks_redeliver(scene.webhooks, PV_STR("two"),
			       false) == PV_WEBHOOKS_NONE,
	    "the second one was removed");
	close_scene(&scene);
}

/* What it hears of may be others, too. */
static void test_other_events(void)
{
	struct scene scene;
	struct pv_webhook entry;
	open_scene(&scene);
	scene.entries[0].events = PV_WEBHOOK_STATES;
	add_job(&scene, "one", "team");
	set_state(&scene, "one", PV_JOB_RUNNING);
	write_lines(&scene, "one", "journal.jsonl", 3, 0);
	ok(deliver_all(&scene) == 2, "states alone are delivered");
	entry = scene.entries[0];
	entry.events = PV_WEBHOOK_JOURNAL;
	pv_webhooks_change(
	    scene.webhooks, &(const struct pv_webhook_table){&entry, 1});
	set_state(&scene, "one", PV_JOB_STOPPED);
	turn(&scene);
	is_told(&scene, 0, "job.results journal 3 journal:0:24",
	    "then the journal, from its beginning");
	answer(&scene, 0, 200);
	ok(turn(&scene) == -1 && !scene.lying_count, "and no states");
	close_scene(&scene);
}

static void answer_busy(struct scene *scene, int64_t retry_after_ms)
{
	const struct pv_webhook_answer answer = {.status = 503,
	    .why = "it answered 503",
	    .retry_after_ms = retry_after_ms};
	pv_webhooks_on_answer(
	    scene->webhooks, scene->lying[--scene->lying_count], &answer);
}

static void test_busy(void)
{
	struct scene scene;
	open_scene(&scene);
	add_job(&scene, "one", "team");
	turn(&scene);
	answer_busy(&scene, 2 * MINUTE);
	ok(turn(&scene) == 1000, "a receiver asks to be left alone");
	scene.now += 2 * MINUTE - 1;
	ok(turn(&scene) == 1 && !scene.lying_count,
	    "P2: and is, for as long as it says");
	scene.now++;
	turn(&scene);
	ok(scene.lying_count == 1, "then it is tried again");
	answer_busy(&scene, 1 * SECOND);
	scene.now += 5 * MINUTE - 1;
	ok(turn(&scene) == 1 && !scene.lying_count,
	    "P2: never earlier than without that");
	scene.now++;
	turn(&scene);
	answer_busy(&scene, 1000 * HOUR);
	scene.now += 24 * HOUR - 1;
	ok(turn(&scene) && !scene.lying_count, "what it says holds for a day");
	scene.now++;
	turn(&scene);
	ok(scene.lying_count == 1, "and no longer");
	close_scene(&scene);
}

int main(void)
{
	test_states();
	test_results();
	test_events();
	test_paused();
	test_retries();
	test_given_up();
	test_gone();
	test_redelivered();
	test_killed();
	test_clock();
	test_slow();
	test_turns();
	test_removed();
	test_unknown();
	test_figures();
	test_changed();
	test_other_events();
	test_busy();
	return tap_done();
}
