#include "crawl/host/task.h"

#include "crawl/host/live_host.h"
#include "tap.h"

static struct pv_task *task(struct pv_live_host *host, uint64_t id)
{
	const struct pv_visit visit = {
	    .id = id,
	    .host_id = 9,
	    .attempt = 2,
	    .url = PV_STR("https://x.example/a"),
	    .via = PV_STR("https://x.example/"),
	    .tag = PV_STR("shop"),
	};
	struct pv_task *task = pv_task_create(&host->tasks, &visit);
	task->host = host;
	return task;
}

static size_t count_of(const struct pv_live_host *host)
{
	size_t count = 0;
	const struct pv_task *task = host->tasks.first;
	for (; task; task = task->host_next)
		count++;
	return count;
}

/* Claims the order of a line, by numbers of one digit, and takes all out. */
static void are_in(
    struct pv_task_line *line, const char *wanted, const char *claim)
{
	char found[16] = "";
	size_t count = line->count, len = 0;
	struct pv_task *task;
	while ((task = pv_task_line_pop(line)) && len < sizeof(found) - 1)
		found[len++] = (char)('0' + task->visit.id);
	is_text(pv_str_of(found), wanted, "%s", claim);
	ok(count == len && line->count == 0 && !line->last,
	    "and it is counted right");
}

static void test_texts(void)
{
	struct pv_live_host host = {.id = 9};
	char url[] = "https://x.example/a";
	const struct pv_visit visit = {.id = 4711,
	    .url = pv_str_of(url),
	    .standing = {.use = PV_PAGE, .depth = 3}};
	struct pv_task *one = pv_task_create(&host.tasks, &visit);
	memset(url, 'x', sizeof(url) - 1);
	is_text(one->visit.url, "https://x.example/a",
	    "texts of a visit are copied");
	ok(one->visit.via.len == 0 && one->visit.tag.len == 0,
	    "and none are none");
	ok(one->visit.id == 4711 && one->visit.standing.depth == 3,
	    "as is the rest of it");
	pv_task_destroy(one);
	one = task(&host, 1);
	is_text(one->visit.via, "https://x.example/", "where it was found");
	is_text(one->visit.tag, "shop", "and its tag");
	pv_task_destroy(one);
}

static void test_lines(void)
{
	struct pv_live_host host = {.id = 9};
	struct pv_task_line line = {0}, other = {0};
	struct pv_task *all[6];
	for (size_t i = 0; i < 6; i++)
		all[i] = task(&host, i);
	ok(pv_task_line_pop(&line) == NULL, "nobody is in an empty line");
	pv_task_line_push(&line, all[0]);
	pv_task_line_push(&line, all[1]);
	pv_task_line_push_first(&line, all[2]);
	are_in(&line, "201", "who comes stands behind, or before");
	pv_task_line_push_first(&line, all[0]);
	pv_task_line_push(&line, all[1]);
	are_in(&line, "01", "also in a line that was empty");
	pv_task_line_push(&line, all[0]);
	pv_task_line_push(&line, all[1]);
	pv_task_line_push(&other, all[2]);
	pv_task_line_push(&other, all[3]);
	pv_task_line_put_first(&line, &other);
	ok(other.count == 0 && !other.first && !other.last,
	    "a line that was put before another is empty");
	pv_task_line_push(&line, all[4]);
	are_in(&line, "23014", "and stands before it, in its order");
	pv_task_line_put_first(&line, &other);
	are_in(&line, "", "an empty line before an empty one is one");
	pv_task_line_push(&other, all[5]);
	pv_task_line_put_first(&line, &other);
	pv_task_line_push(&line, all[0]);
	are_in(&line, "50", "one before an empty line has an end");
	pv_task_line_push(&line, all[0]);
	pv_task_line_put_first(&line, &other);
	are_in(&line, "0", "an empty one before it changes nothing");
	while (host.tasks.first)
		pv_task_destroy(host.tasks.first);
}

static void test_owners(void)
{
	struct pv_live_host host = {.id = 9};
	struct pv_task *all[3];
	for (size_t i = 0; i < 3; i++)
		all[i] = task(&host, i);
	ok(count_of(&host) == 3, "a host knows all of its tasks");
	pv_task_destroy(all[1]);
	ok(count_of(&host) == 2, "and forgets the one that ends, in between");
	pv_task_destroy(all[2]);
	ok(count_of(&host) == 1 && host.tasks.first == all[0], "at the head");
	all[1] = task(&host, 1);
	pv_task_destroy(all[0]);
	ok(count_of(&host) == 1 && host.tasks.first == all[1],
	    "and at the end");
	pv_task_destroy(all[1]);
	ok(!host.tasks.first, "until there is none");
	pv_task_destroy(NULL);
}

/* robots.txt of an authority, on a host that is not its own. */
static void test_asks(void)
{
	struct pv_live_host own = {.id = 1}, other = {.id = 2};
	struct pv_authority authority = {.host = &own, .asks = 1};
	const struct pv_visit visit = {
	    .url = PV_STR("https://x.example/robots.txt")};
	struct pv_task *hop = pv_task_create_for(&authority, &other, &visit);
	bool is_counted = authority.asks == 2 && other.tasks.asks == 1;
	pv_task_destroy(hop);
	ok(is_counted && authority.asks == 1 && other.tasks.asks == 0 &&
		own.tasks.asks == 0,
	    "who asks for a robots.txt is counted by it and by the host that "
	    "is asked");
	pv_task_destroy(task(&other, 1));
	ok(authority.asks == 1 && other.tasks.asks == 0, "a visit is not");
}

int main(void)
{
	test_texts();
	test_lines();
	test_owners();
	test_asks();
	return tap_done();
}
