#include "frontier/scene.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/file.h"
#include "base/reader.h"
#include "store/statement.h"
#include "store/tables/length.h"

/* A crawl of an invented web that is killed again and again, and after each end
 * has lost nothing that it had said to be known.
 *
 * Page n of PAGES stands on host n % HOSTS and links to three others, so all
 * are found from page 0. The child tells through a pipe what it was given to
 * visit, and what it was told to be committed. It also appends a line to a
 * journal for each visit. */
#define PAGES 6000
#define HOSTS 40
#define LINKS 3
#define KILLS 20
#define HELD 8
#define BATCH 16

enum { GIVEN, COMMITTED };

struct note {
	uint32_t kind;
	uint32_t page;
};

static unsigned linked_page(unsigned page, unsigned link)
{
	return (page * LINKS + 1 + link) % PAGES;
}

static void write_url(unsigned page, char *url, size_t size)
{
	snprintf(url, size, "https://h%u.example/%u", page % HOSTS, page);
}

static unsigned page_of(struct pv_str url)
{
	uint64_t page = PAGES;
	struct pv_reader reader =
	    pv_reader_of(pv_str_from(url, pv_str_find_last(url, '/') + 1));
	pv_reader_take_number(&reader, PAGES, &page);
	return (unsigned)page;
}

/* The child */

struct child {
	struct scene scene;
	int notes;
	int journal;
	uint64_t journal_len;
};

/* A visit's report, and the job that writes its line. */
struct paper {
	struct pv_report report;
	struct pv_job line;
	struct child *child;
	unsigned page;
};

static void tell(struct child *child, uint32_t kind, uint32_t page)
{
	struct note note = {kind, page};
	if (write(child->notes, &note, sizeof(note)) != sizeof(note))
		_exit(3);
}

static void append_line(struct pv_job *job, struct pv_database *database)
{
	struct paper *paper =
	    (struct paper *)((char *)job - offsetof(struct paper, line));
	char line[32];
	int len = snprintf(line, sizeof(line), "%u\n", paper->page);
	if (write(paper->child->journal, line, (size_t)len) != len)
		pv_database_fail(database, PV_STORE_FAILED, "journal");
	paper->child->journal_len += (uint64_t)len;
}

static void sync_journal(void *ctx, struct pv_database *database)
{
	struct child *child = ctx;
	if (fsync(child->journal) != 0)
		pv_database_fail(database, PV_STORE_FAILED, "journal");
	pv_length_set(database, PV_STR("journal"), child->journal_len);
}

static void end_line(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

static void end_paper(struct pv_report *report, enum pv_store_status status)
{
	struct paper *paper = (struct paper *)report;
	if (status != PV_STORE_OK)
		_exit(4);
	if (report->kind == PV_REPORT_DONE)
		tell(paper->child, COMMITTED, paper->page);
	/* The memory goes with the process, as its line may come back later. */
	pv_link_list_finish(&report->links);
}

static struct paper *paper_of(struct child *child, enum pv_report_kind kind)
{
	struct paper *paper = pv_alloc(sizeof(*paper));
	paper->report.kind = kind;
	paper->report.done = end_paper;
	paper->line.run = append_line;
	paper->line.done = end_line;
	paper->child = child;
	pv_link_list_init(&paper->report.links, 4096);
	return paper;
}

static void add_link(struct paper *paper, unsigned page)
{
	char url[64];
	write_url(page, url, sizeof(url));
	scene_link(&paper->child->scene, &paper->report, url,
	    (struct pv_standing){.use = PV_PAGE});
}

static void report_visit(struct child *child, const struct pv_visit *visit)
{
	struct paper *paper = paper_of(child, PV_REPORT_DONE);
	paper->page = page_of(visit->url);
	paper->report.visit = *visit;
	paper->report.result.outcome = PV_OUTCOME_ANSWERED;
	paper->report.with = &paper->line;
	for (unsigned i = 0; i < LINKS; i++)
		add_link(paper, linked_page(paper->page, i));
	/* Groups end by their age. */
	child->scene.now += 20;
	scene_send(&child->scene, &paper->report);
	pv_writer_receive(&child->scene.store->writer);
}

/* Whether the host had anything. */
static bool work_on_host(struct child *child, uint64_t host_id)
{
	struct pv_visit_list visits =
	    scene_take_visits(&child->scene, host_id, BATCH);
	bool has_any = visits.count > 0;
	for (size_t i = 0; i < visits.count; i++) {
		struct pv_visit visit = pv_visit_list_get(&visits, i);
		tell(child, GIVEN, page_of(visit.url));
		report_visit(child, &visit);
	}
	pv_visit_list_finish(&visits);
	return has_any;
}

static bool work(struct child *child)
{
	struct pv_host_list hosts = scene_take_hosts(&child->scene, HELD);
	size_t count = hosts.count;
	for (unsigned round = 0; round < 3; round++) {
		for (size_t i = 0; i < count; i++)
			work_on_host(child, pv_host_list_get(&hosts, i).id);
	}
	for (size_t i = 0; i < count; i++)
		scene_give_host(&child->scene, pv_host_list_get(&hosts, i).id,
		    (struct pv_host_state){.until_wall_ms = child->scene.now});
	pv_host_list_finish(&hosts);
	return count > 0;
}

/* What is beyond the committed length was never reported. */
static void open_journal(struct scene *scene)
{
	struct child *child = (struct child *)scene;
	child->journal = open(scratch_file(&scene->scratch, "journal"),
	    O_WRONLY | O_CREAT | O_APPEND, 0666);
	child->journal_len =
	    pv_length_get(scene->store->database, PV_STR("journal"));
	if (child->journal < 0 ||
	    ftruncate(child->journal, (off_t)child->journal_len) != 0)
		_exit(5);
	pv_writer_before_commit(&scene->store->writer, sync_journal, child);
}

static _Noreturn void be_child(const struct scene *scene, int notes)
{
	struct child child = {.scene = *scene, .notes = notes};
	child.scene.before_start = open_journal;
	if (!scene_open(&child.scene))
		_exit(6);
	struct paper *seed = paper_of(&child, PV_REPORT_LINKS);
	add_link(seed, 0);
	scene_send(&child.scene, &seed->report);
	scene_settle(&child.scene);
	while (work(&child)) {
	}
	scene_close(&child.scene);
	_exit(0);
}

/* The parent */

struct watch {
	bool is_committed[PAGES];
	unsigned committed;
	unsigned given;
	unsigned given_again; /* what had been committed before */
};

static void read_notes(struct watch *watch, int notes)
{
	struct note note;
	while (read(notes, &note, sizeof(note)) == sizeof(note)) {
		if (note.kind == GIVEN) {
			watch->given++;
			watch->given_again += watch->is_committed[note.page];
		} else {
			watch->committed += !watch->is_committed[note.page];
			watch->is_committed[note.page] = true;
		}
	}
}

static int64_t now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* Lets a child work for so long, or to its end; whether it came to that. */
static bool run_child(
    const struct scene *scene, struct watch *watch, int64_t life_us)
{
	int ends[2], status = 0;
	if (pipe(ends) != 0)
		return false;
	int64_t death = now_us() + life_us;
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		be_child(scene, ends[1]);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	while (now_us() < death && waitpid(child, &status, WNOHANG) == 0) {
		struct pollfd wanted = {.fd = ends[0], .events = POLLIN};
		poll(&wanted, 1, 1);
		read_notes(watch, ends[0]);
	}
	bool is_over = now_us() < death;
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	read_notes(watch, ends[0]);
	close(ends[0]);
	return is_over && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Each of these numbers must be 0. */
static const struct {
	const char *claim;
	const char *sql;
} invariants[] = {
    {"each address is known once",
	"SELECT count(*) - count(DISTINCT url) FROM addresses"},
    {"each has its fingerprint",
	"SELECT (SELECT count(*) FROM addresses) - count(*) + "
	"(SELECT count(*) FROM seen) - count(*) "
	"FROM seen JOIN addresses ON addresses.id = seen.address"},
    {"each is in a state that there is",
	"SELECT count(*) FROM addresses WHERE state NOT BETWEEN 0 AND 3"},
    {"each is counted",
	"SELECT sum(count) - (SELECT count(*) FROM addresses) FROM counts"},
    {"each is counted where it is",
	"SELECT count(*) FROM counts WHERE count <> (SELECT count(*) "
	"FROM addresses WHERE addresses.state = counts.state AND "
	"outcome = cause)"},
    {"a host that nobody holds waits if something is pending",
	"SELECT count(*) FROM host_states WHERE state < 2 AND state <> EXISTS("
	"SELECT 1 FROM addresses WHERE host = host_states.id AND "
	"addresses.state = 0)"},
    {"only hosts that were held have visits in flight",
	"SELECT count(*) FROM addresses JOIN host_states ON host_states.id = host "
	"WHERE addresses.state = 1 AND host_states.state < 2"},
};

static bool holds_all(struct pv_database *database, unsigned kill)
{
	bool holds = true;
	for (size_t i = 0; i < sizeof(invariants) / sizeof(*invariants); i++) {
		int64_t number =
		    pv_database_number(database, invariants[i].sql);
		if (number || pv_database_status(database) != PV_STORE_OK) {
			printf("# after end %u, not so: %s (%d)\n", kill,
			    invariants[i].claim, (int)number);
			holds = false;
		}
	}
	return holds;
}

/* What the file says of each page; -1 where it does not know it. */
static void read_states(struct pv_database *database, int states[PAGES])
{
	struct pv_statement *statement =
	    pv_statement_create(database, "SELECT url, state FROM addresses");
	for (unsigned i = 0; i < PAGES; i++)
		states[i] = -1;
	while (pv_statement_step(statement)) {
		unsigned page = page_of(pv_statement_text(statement, 0));
		if (page < PAGES)
			states[page] = (int)pv_statement_number(statement, 1);
	}
	pv_statement_destroy(statement);
}

/* A page that is done has brought its links; who was told so is right. */
static unsigned count_lost(const struct watch *watch, const int states[PAGES])
{
	unsigned lost = 0;
	for (unsigned page = 0; page < PAGES; page++) {
		bool is_done = states[page] == PV_STATE_DONE;
		lost += watch->is_committed[page] && !is_done;
		for (unsigned i = 0; is_done && i < LINKS; i++)
			lost += states[linked_page(page, i)] < 0;
	}
	return lost;
}

/* The lines of the journal, as far as it is committed, are the pages that are
 * done, each once. */
static bool is_journal_whole(const struct scene *scene,
    struct pv_database *database, const int states[PAGES])
{
	struct pv_buf text;
	unsigned lines[PAGES] = {0};
	uint64_t len = pv_length_get(database, PV_STR("journal"));
	uint64_t page;
	bool is_whole = true;
	pv_buf_init(&text, 1 << 20);
	pv_file_read(scratch_file(&scene->scratch, "journal"), &text);
	is_whole = text.len >= len;
	pv_buf_cut(&text, len);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	while (pv_reader_take_number(&reader, PAGES - 1, &page)) {
		lines[page]++;
		pv_reader_accept(&reader, '\n');
	}
	for (unsigned i = 0; i < PAGES; i++)
		is_whole = is_whole && lines[i] == (states[i] == PV_STATE_DONE);
	pv_buf_finish(&text);
	return is_whole;
}

static bool is_sound(struct pv_database *database)
{
	struct pv_statement *statement =
	    pv_statement_create(database, "PRAGMA integrity_check");
	bool is_sound =
	    pv_statement_step(statement) &&
	    pv_str_equal(pv_statement_text(statement, 0), PV_STR("ok"));
	pv_statement_destroy(statement);
	return is_sound;
}

struct verdicts {
	unsigned sound;
	unsigned holding;
	unsigned whole;
	unsigned lost;
	unsigned done; /* pages, the last time */
};

static void examine(const struct scene *scene, const struct watch *watch,
    struct verdicts *verdicts, unsigned kill)
{
	int states[PAGES];
	struct pv_database *database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	verdicts->sound += is_sound(database);
	verdicts->holding += holds_all(database, kill);
	read_states(database, states);
	verdicts->lost += count_lost(watch, states);
	verdicts->done = 0;
	for (unsigned page = 0; page < PAGES; page++)
		verdicts->done += states[page] == PV_STATE_DONE;
	verdicts->whole += is_journal_whole(scene, database, states);
	pv_database_close(database);
}

/* The first life is long enough to make the file. */
static unsigned kill_often(struct scene *scene, struct watch *watch,
    struct verdicts *verdicts, uint64_t random)
{
	unsigned kills = 0;
	while (kills < KILLS) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		int64_t life_us = 2000 + (int64_t)(random >> 33) % 40000;
		if (run_child(scene, watch, life_us))
			break;
		if (access(scratch_file(&scene->scratch, "state.db"), F_OK) ==
			0 &&
		    watch->committed)
			examine(scene, watch, verdicts, kills);
		else
			continue;
		kills++;
	}
	return kills;
}

int main(void)
{
	struct scene scene = {.recent_count = 1024, .count_ceiling = 1000};
	struct watch watch = {.committed = 0};
	struct verdicts verdicts = {.sound = 0};
	const char *seed = getenv("PAVANE_SEED");
	uint64_t random = seed ? strtoull(seed, NULL, 10) : 4711;
	scratch_make(&scene.scratch);
	unsigned kills = kill_often(&scene, &watch, &verdicts, random);
	printf("# seed %llu: killed %u times, %u pages committed, %u given\n",
	    (unsigned long long)random, kills, watch.committed, watch.given);
	ok(kills > 0 && verdicts.sound == kills,
	    "P3: after each sudden end the file is sound");
	ok(verdicts.holding == kills, "and its tables agree with one another");
	ok(verdicts.lost == 0, "P3: all that was reported as committed is "
			       "there, pages with their links");
	ok(verdicts.whole == kills,
	    "P3: the journal's committed lines are the pages done");
	ok(run_child(&scene, &watch, 120000000), "the crawl comes to its end");
	ok(watch.given_again == 0, "P3: none that was committed was asked for "
				   "again");
	ok(watch.given <= PAGES + (kills + 1) * HELD * BATCH,
	    "P3: at most what was in flight was asked for again");
	examine(&scene, &watch, &verdicts, kills);
	ok(verdicts.sound == kills + 1 && verdicts.holding == kills + 1 &&
		verdicts.lost == 0 && verdicts.whole == kills + 1,
	    "and the finished crawl is whole");
	ok(verdicts.done == PAGES, "P3: each page was done");
	scratch_remove(&scene.scratch);
	return tap_done();
}
