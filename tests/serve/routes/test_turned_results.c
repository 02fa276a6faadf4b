#include <unistd.h>

#include "crawl/patience.h"
#include "serve/service_scene.h"
#include "store/database.h"
#include "store/tables/length.h"
#include "tap.h"

/* Results of a journal that has several files, as they would be read from one. */

#define SECONDS 100

static const struct server_route routes[] = {
    {.path = "/", .answer = {.body = "nothing more"}},
};

struct job {
	struct scene scene;
	char path[100];      /* of its requests */
	char directory[200]; /* below the scene's */
};

static void open_job(struct job *job, struct server *server)
{
	open_scene(&job->scene, server);
	open_service(&job->scene, NULL, 0);
	submit(&job->scene, "/", "", job->path);
	ok(comes_to(&job->scene, job->path, "finished"), "a job has ended");
	snprintf(job->directory, sizeof(job->directory), "service%s",
	    job->path + strlen("/v1"));
}

static const char *file_of(const struct job *job, const char *name)
{
	char path[300];
	snprintf(path, sizeof(path), "%s/%s", job->directory, name);
	return scratch_file(&job->scene.scratch, path);
}

/* A further file, as a crawl would have committed it. */
static void add_file(const struct job *job, const char *name, const char *text)
{
	pv_file_replace(file_of(job, name), pv_str_of(text), 0600);
	struct pv_database *state = pv_database_open(file_of(job, "state.db"));
	pv_length_set(state, pv_str_of(name), strlen(text));
	pv_database_close(state);
}

static void forget_file(const struct job *job, const char *name)
{
	struct pv_database *state = pv_database_open(file_of(job, "state.db"));
	pv_lengths_forget(state, pv_str_of(name));
	pv_database_close(state);
	unlink(file_of(job, name));
}

static unsigned get(struct job *job, const char *after)
{
	char path[300];
	snprintf(path, sizeof(path), "%s/results%s%s", job->path,
	    *after ? "?after=" : "", after);
	return ask(&job->scene, "GET", path, NULL);
}

/* The cursor that came with the reply. */
static const char *cursor_of(const struct job *job, char cursor[100])
{
	static const char name[] = "Pavane-Cursor: ";
	const char *at = strstr(pv_buf_text(&job->scene.reply), name);
	snprintf(cursor, 100, "%.*s",
	    at ? (int)strcspn(at + sizeof(name) - 1, "\r") : 0,
	    at ? at + sizeof(name) - 1 : "");
	return cursor;
}

static void test_reading(struct job *job)
{
	char cursor[100];
	add_file(job, "journal-0001.jsonl", "{\"url\":\"one\"}\n");
	add_file(job, "journal-0002.jsonl", "{\"url\":\"two\"}\n");
	ok(get(job, "") == 200 && says(&job->scene, "\"url\":\"http:") &&
		says(&job->scene, "Pavane-Cursor: journal:0:"),
	    "results begin with the first file");
	ok(get(job, cursor_of(job, cursor)) == 200 &&
		strcmp(body_of(&job->scene), "{\"url\":\"one\"}\n") == 0 &&
		says(&job->scene, "Pavane-Cursor: journal:1:14\r"),
	    "and go on with the next");
	ok(get(job, cursor_of(job, cursor)) == 200 &&
		strcmp(body_of(&job->scene), "{\"url\":\"two\"}\n") == 0 &&
		says(&job->scene, "Pavane-Cursor: journal:2:14\r"),
	    "to the last");
	ok(get(job, cursor_of(job, cursor)) == 200 && !*body_of(&job->scene) &&
		says(&job->scene, "Pavane-Cursor: journal:2:14\r"),
	    "behind which there is nothing");
	ok(get(job, "journal:3:0") == 410 && get(job, "journal:1:15") == 410,
	    "what no file reaches is told");
	job->scene.headers = "Accept: text/event-stream\r\n";
	ok(get(job, "") == 200 && says(&job->scene, "id: journal:0:") &&
		says(&job->scene,
		    "id: journal:1:14\ndata: {\"url\":\"one\"}\n") &&
		says(&job->scene,
		    "id: journal:2:14\ndata: {\"url\":\"two\"}\n") &&
		says(&job->scene, "event: end\n"),
	    "as events they come one after the other");
	job->scene.headers = NULL;
	char path[300];
	snprintf(path, sizeof(path), "%s/files/journal-0002.jsonl", job->path);
	ok(ask(&job->scene, "GET", path, NULL) == 200,
	    "each file is given as well");
}

static void test_gone(struct job *job)
{
	char cursor[100];
	get(job, "");
	cursor_of(job, cursor);
	unlink(file_of(job, "journal.jsonl"));
	ok(get(job, "journal:0:0") == 410 &&
		says(&job->scene, "application/problem+json") &&
		says(&job->scene, "not kept any more"),
	    "P4: what is not kept any more is not passed over in silence");
	ok(get(job, "") == 200 &&
		strcmp(body_of(&job->scene), "{\"url\":\"one\"}\n") == 0,
	    "without a cursor results begin with what is kept");
	pv_file_replace(file_of(job, "journal.jsonl"), PV_STR("{}\n"), 0600);
	forget_file(job, "journal-0001.jsonl");
	ok(get(job, "journal:1:0") == 410 && get(job, "journal:1:14") == 410,
	    "nor what the state has forgotten");
	ok(get(job, "journal:2:0") == 200 &&
		strcmp(body_of(&job->scene), "{\"url\":\"two\"}\n") == 0,
	    "what is kept is given");
}

int main(void)
{
	static struct job job;
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	end_after(SECONDS);
	open_job(&job, server);
	test_reading(&job);
	test_gone(&job);
	ok(get(&job, "news:1:0") == 400, "a cursor of something else is none");
	close_scene(&job.scene);
	end_after(0);
	server_stop(server);
	return tap_done();
}
