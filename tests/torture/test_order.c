#include "base/array.h"
#include "server/server.h"
#include "tap.h"
#include "torture/diary.h"
#include "torture/faulty.h"

/* In what order a crawl puts things on the disk (P3): what a power cut leaves
 * must never be a state that tells of what is not there. So a file's bytes and
 * its name are synced before the transaction commits that tells of it, and its
 * bytes before it takes the place of another. The diary (diary.h) has each call;
 * which transaction tells of a file says the journal, whose lines are written
 * before it. */

#define TEXT_MAX ((size_t)16 << 20)

/* A file, by its name, as far as it is not on the disk yet. */
struct file {
	char *path;
	bool has_bytes;
	bool has_name;
	bool is_told; /* by what is committed next */
};

struct order {
	struct file *files;
	size_t count;
	size_t size;
	const char *journal; /* its text, and where it stands */
	char journal_path[1024];
	char root[1024]; /* of what the journal names */
	size_t written;  /* of the journal */
	unsigned told;
	unsigned replaced;
	unsigned syncs[2]; /* of a file, of a disk */
	unsigned untimely; /* commits that told of what was not there yet */
	unsigned unready;  /* replacements */
};

static struct file *file_of(struct order *order, const char *path)
{
	for (size_t i = 0; i < order->count; i++) {
		if (strcmp(order->files[i].path, path) == 0)
			return &order->files[i];
	}
	struct file *file =
	    PV_ARRAY_PUSH(order->files, order->count, order->size);
	*file = (struct file){.path = strdup(path)};
	return file;
}

static bool is_in(const char *path, const char *directory)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	return len == strlen(directory) && strncmp(path, directory, len) == 0;
}

/* The lines of the journal that are written now tell of files. */
static void tell(struct order *order, size_t len)
{
	static const char key[] = "\"file\":\"";
	const char *at = order->journal + order->written;
	const char *end = at + len;
	order->written += len;
	while ((at = strstr(at, key)) && at < end) {
		char path[4096];
		at += strlen(key);
		snprintf(path, sizeof(path), "%s/%.*s", order->root,
		    (int)strcspn(at, "\""), at);
		file_of(order, path)->is_told = true;
	}
}

static void on_write(struct order *order, const char *text)
{
	char *path;
	size_t len = strtoull(text, &path, 10);
	file_of(order, path + 1)->has_bytes = true;
	if (strcmp(path + 1, order->journal_path) == 0)
		tell(order, len);
}

/* Where it has the name of another and loses it, the other is there again. */
static void on_name(struct order *order, char *text, bool is_replaced)
{
	char *to = strchr(text, '\t');
	*to++ = '\0';
	bool has_bytes = file_of(order, text)->has_bytes;
	file_of(order, text)->has_bytes = false;
	file_of(order, to)->has_bytes = has_bytes;
	file_of(order, to)->has_name |= !is_replaced;
	order->replaced += is_replaced;
	order->unready += is_replaced && has_bytes;
	if (is_replaced && has_bytes)
		printf("# %s takes its place, and is not synced\n", to);
}

static void on_sync(struct order *order, const char *path, bool is_disk)
{
	order->syncs[is_disk]++;
	for (size_t i = 0; i < order->count; i++) {
		struct file *file = &order->files[i];
		if (is_disk || strcmp(file->path, path) == 0)
			file->has_bytes = false;
		if (is_disk || is_in(file->path, path))
			file->has_name = false;
	}
}

static void on_commit(struct order *order)
{
	bool is_any = false;
	for (size_t i = 0; i < order->count; i++) {
		struct file *file = &order->files[i];
		bool is_left = file->has_bytes || file->has_name;
		if (file->is_told && is_left)
			printf("# %s is told of, and its %s not synced\n",
			    file->path,
			    file->has_bytes ? "bytes are" : "name is");
		order->told += file->is_told;
		order->untimely += file->is_told && is_left;
		is_any |= file->is_told;
		file->is_told = false;
	}
	if (is_any && file_of(order, order->journal_path)->has_bytes)
		order->untimely++;
}

static void read_line(struct order *order, char *line)
{
	char *rest = strchr(line, ' ');
	if (strcmp(line, "commit") == 0)
		on_commit(order);
	if (!rest)
		return;
	*rest++ = '\0';
	if (strcmp(line, "write") == 0)
		on_write(order, rest);
	else if (strcmp(line, "name") == 0)
		on_name(order, rest, false);
	else if (strcmp(line, "replace") == 0)
		on_name(order, rest, true);
	else
		on_sync(order, rest, strcmp(line, "syncfs") == 0);
}

/* A judge that sees nothing would find everything in order. */
static void read_diary(struct home *home, struct order *order)
{
	struct pv_buf diary, journal;
	pv_buf_init(&diary, TEXT_MAX);
	pv_buf_init(&journal, TEXT_MAX);
	*order = (struct order){.files = NULL};
	snprintf(order->root, sizeof(order->root), "%s", home_file(home, "o"));
	snprintf(order->journal_path, sizeof(order->journal_path), "%s",
	    home_file(home, "o/journal.jsonl"));
	home_read(home, "o/journal.jsonl", &journal);
	home_read(home, "diary", &diary);
	order->journal = pv_buf_text(&journal);
	pv_buf_text(&diary);
	for (char *line = diary.ptr; line && *line;) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		read_line(order, line);
		line = end ? end + 1 : NULL;
	}
	for (size_t i = 0; i < order->count; i++)
		free(order->files[i].path);
	free(order->files);
	pv_buf_finish(&diary);
	pv_buf_finish(&journal);
}

/* The crawl */

static const struct server_route routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404, .body = "no"}},
    {.path = "/",
	.answer = {.body = "<a href=/1>1</a><a href=/a/2>2</a>"
			   "<a href=/a/b/3>3</a><img src=/4.png>"}},
    {.path = "/4.png", .answer = {.type = "image/png", .body = "no image"}},
    {.path = "*", .answer = {.body = "<a href=/>a page</a>"}},
};

/* Other pages, when it is updated. */
static const struct server_route later[] = {
    {.path = "/robots.txt", .answer = {.status = 404, .body = "no"}},
    {.path = "/",
	.answer = {.body = "<a href=/1>1</a><a href=/a/2>2</a>"
			   "<a href=/a/b/3>3</a><img src=/4.png>!"}},
    {.path = "/4.png", .answer = {.type = "image/png", .body = "none"}},
    {.path = "*", .answer = {.body = "<a href=/>another page</a>"}},
};

#define PAGES 5

static struct server *start(
    const struct server_route *site, size_t count, uint16_t port)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	return server_start(&(struct server_plan){.routes = site,
	    .route_count = count,
	    .addresses = everywhere,
	    .port = port});
}

#define START(site, port) start(site, sizeof(site) / sizeof(*(site)), port)

static bool run(struct home *home, const char *const *arguments)
{
	struct program_end end;
	return program_run(home, arguments, NULL, &end) && !end.is_killed &&
	       end.status == 0;
}

static void write_policy(struct home *home, uint16_t port, const char *delay)
{
	home_print(home, "policy.yaml",
	    "version: 1\nseeds: [\"http://a.test:%u/\"]\n"
	    "scope: {sitemaps: false}\n"
	    "politeness: {delay: %s, delay_factor: 0, ip_delay: 0}\n"
	    "output: {mirror: {rewrite: true}}\n"
	    "fetch: {resolve: {a.test: \"127.72.0.1\"}}\n",
	    (unsigned)port, delay);
}

/* A crawl and an update; whether they ended well. */
static bool crawl(struct home *home, const char *delay)
{
	struct server *server = START(routes, 0);
	uint16_t port = server_port(server);
	struct faulty faulty;
	char diary[1100];
	bool is_built = faulty_open(&faulty, home, "o");
	snprintf(diary, sizeof(diary), "PAVANE_FAULT_DIARY=%s",
	    home_file(home, "diary"));
	home->environment =
	    (const char *const[]){faulty.preload, faulty.below, diary, NULL};
	write_policy(home, port, delay);
	bool has_ended =
	    is_built && run(home, (const char *[]){"crawl", "policy.yaml", "-o",
				      "o", "-q", NULL});
	server_stop(server);
	server = START(later, port);
	has_ended = has_ended && server &&
		    run(home, (const char *[]){"update", "o", "-q", NULL});
	server_stop(server);
	faulty_close(&faulty);
	return has_ended;
}

static bool has_diary(struct home *home)
{
	struct stat status;
	return stat(home_file(home, "diary"), &status) == 0;
}

static void judge(struct home *home, const char *delay)
{
	struct order order;
	read_diary(home, &order);
	ok(order.told >= PAGES,
	    "delay %s: the journal tells of each file that is kept: %u", delay,
	    order.told);
	ok(order.untimely == 0,
	    "P3: what a transaction tells of is on the disk before it commits");
	ok(order.syncs[0] + order.syncs[1] > 0 && order.replaced > 0,
	    "files are synced, %u one by one and %u times all, and %u replaced",
	    order.syncs[0], order.syncs[1], order.replaced);
	ok(order.unready == 0,
	    "P3: what takes a file's place is on the disk before it does");
}

int main(void)
{
	static const char *const delays[] = {"0", "300ms"};
	bool can_watch = true;
	for (size_t i = 0; can_watch && i < 2; i++) {
		struct home home;
		home_make(&home);
		bool has_ended = crawl(&home, delays[i]);
		can_watch = has_diary(&home);
		if (can_watch) {
			ok(has_ended, "a crawl ends, and an update of it");
			judge(&home, delays[i]);
		}
		home_remove(&home);
	}
	return can_watch ? tap_done()
			 : tap_skip_all("no library can be preloaded here");
}
