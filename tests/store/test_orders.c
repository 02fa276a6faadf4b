#include "store/orders.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "scratch.h"
#include "tap.h"

#define HEAD "pavane-control 1\n"
#define WRITERS 4
#define ROUNDS 50

static uint32_t read_orders(struct pv_orders *orders, const char *text)
{
	pv_orders_init(orders);
	return pv_orders_read(orders, pv_str_of(text));
}

static void test_read(void)
{
	struct pv_orders orders;
	struct pv_buf text;
	const char *written = HEAD "pause 5 never\n"
				   "pause 6 70 docs.example.org\n"
				   "because they move\n"
				   "set rate.max_rate 5\n"
				   "set politeness.allowed_hours [1-2, 3-4]\n"
				   "stop 3\n";
	pv_buf_init(&text, SIZE_MAX);
	ok(read_orders(&orders, written) == 0 && orders.count == 2 &&
		orders.stop_run == 3,
	    "pauses and the run that is to stop are read");
	const struct pv_pause *whole =
	    pv_orders_pause_of(&orders, PV_STR(""), 1000);
	ok(whole && whole->since_wall_ms == 5 &&
		whole->until_wall_ms == INT64_MAX,
	    "a pause without a host is one of the whole crawl");
	ok(pv_orders_pause_of(&orders, PV_STR("docs.example.org"), 69) &&
		!pv_orders_pause_of(&orders, PV_STR("docs.example.org"), 70) &&
		!pv_orders_pause_of(&orders, PV_STR("example.org"), 69),
	    "a pause with an end is over then, and is that host's alone");
	ok(strcmp(
	       pv_orders_pause_of(&orders, PV_STR("docs.example.org"), 69)->why,
	       "they move") == 0 &&
		!whole->why[0],
	    "P4: a reason is that of the pause above it");
	pv_orders_write(&orders, &text);
	ok(strcmp(pv_buf_text(&text), written) == 0,
	    "what is written is what was read");
	pv_buf_finish(&text);
	pv_orders_finish(&orders);
	ok(read_orders(&orders, HEAD) == 0 && !orders.count, "no orders");
	pv_orders_finish(&orders);
}

static bool is_set(const struct pv_orders *orders, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_orders_write_settings(orders, &text);
	bool is_equal = strcmp(pv_buf_text(&text), wanted) == 0;
	if (!is_equal)
		printf("# set: %s\n", pv_buf_text(&text));
	pv_buf_finish(&text);
	return is_equal;
}

static bool set(struct pv_orders *orders, const char *key, const char *value)
{
	return pv_orders_set(orders, pv_str_of(key), pv_str_of(value));
}

static void test_settings(void)
{
	struct pv_orders orders, others;
	char value[PV_ORDER_VALUE_MAX + 2], key[32];
	pv_orders_init(&orders);
	pv_orders_init(&others);
	ok(set(&orders, "b", "2") && set(&orders, "a.b_c", "[x, y]") &&
		set(&orders, "b", "3") && is_set(&orders, "b=3, a.b_c=[x, y]"),
	    "a key has the value that was set last");
	ok(set(&others, "a.b_c", "[x, y]") &&
		!pv_orders_set_the_same(&orders, &others) &&
		!pv_orders_set_the_same(&others, &orders) &&
		set(&others, "b", "4") &&
		!pv_orders_set_the_same(&orders, &others) &&
		set(&others, "b", "3") &&
		pv_orders_set_the_same(&orders, &others),
	    "what is set is compared, whatever its order");
	ok(set(&orders, "b", "") && set(&orders, "c", "") &&
		is_set(&orders, "a.b_c=[x, y]"),
	    "an empty value takes it back");
	memset(value, 'x', sizeof(value));
	value[PV_ORDER_VALUE_MAX + 1] = '\0';
	ok(!set(&orders, "b", value) && !set(&orders, "B", "1") &&
		!set(&orders, "", "1") && !set(&orders, "a b", "1") &&
		!set(&orders, "b", "1\n2") && !set(&orders, "b", " 1") &&
		!set(&orders, "b", "\xc3\xa9"),
	    "what cannot stand in a line is refused");
	value[PV_ORDER_VALUE_MAX] = '\0';
	ok(set(&orders, "b", value), "the longest fits");
	for (int i = 0; orders.setting_count < PV_ORDER_SETTINGS_MAX; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		set(&orders, key, "1");
	}
	ok(!set(&orders, "one_more", "1") && set(&orders, "b", "1"),
	    "there are no more than so many");
	pv_orders_finish(&orders);
	pv_orders_finish(&others);
}

static void test_mistakes(void)
{
	static const struct {
		const char *text;
		uint32_t line;
	} cases[] = {
	    {"", 1},
	    {"pavane-control 2\n", 1},
	    {"pavane-control 1 \n", 1},
	    {HEAD "pause 5\n", 2},
	    {HEAD "set a\n", 2},
	    {HEAD "set a \n", 2},
	    {HEAD "set  1\n", 2},
	    {HEAD "set a 1\nset a 2\n", 3},
	    {HEAD "set a 1 \n", 2},
	    {HEAD "pause 5 6 \n", 2},
	    {HEAD "pause 5 6 a.test b\n", 2},
	    {HEAD "pause 5 6 A.test\n", 2},
	    {HEAD "pause -5 6\n", 2},
	    {HEAD "pause 5 9223372036854775808\n", 2},
	    {HEAD "pause 5 6\npause 7 8\n", 3},
	    {HEAD "because of it\n", 2},
	    {HEAD "pause 5 6\nbecause \n", 3},
	    {HEAD "pause 5 6\nbecause a\nbecause b\n", 4},
	    {HEAD "stop 0\n", 2},
	    {HEAD "stop 1\nstop 2\n", 3},
	    {HEAD "stop 1\n\n", 3},
	    {HEAD "go\n", 2},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_orders orders;
		uint32_t line = read_orders(&orders, cases[i].text);
		ok(line == cases[i].line && !orders.count && !orders.stop_run,
		    "case %zu: line %u is named, and there are no orders", i,
		    cases[i].line);
		pv_orders_finish(&orders);
	}
}

static void test_changes(void)
{
	struct pv_orders orders;
	char name[PV_ORDER_HOST_MAX + 2];
	pv_orders_init(&orders);
	pv_orders_pause(&orders, PV_STR("a.test"), 5, 50);
	pv_orders_pause(&orders, PV_STR("a.test"), 6, 60);
	const struct pv_pause *pause =
	    pv_orders_pause_of(&orders, PV_STR("a.test"), 0);
	ok(orders.count == 1 && pause->since_wall_ms == 5 &&
		pause->until_wall_ms == 60,
	    "a second pause of a host only moves its end");
	pv_orders_pause(&orders, PV_STR(""), 7, INT64_MAX);
	pv_orders_tidy(&orders, 60);
	ok(orders.count == 1 && pv_orders_pause_of(&orders, PV_STR(""), 60),
	    "what is over goes, the rest stays");
	ok(!pv_orders_resume(&orders, PV_STR("a.test")) &&
		pv_orders_resume(&orders, PV_STR("")) && !orders.count,
	    "what is not paused cannot be resumed");
	memset(name, 'a', sizeof(name));
	struct pv_str host = {name, sizeof(name) - 1};
	ok(!pv_orders_pause(&orders, host, 1, 2), "no name is so long");
	for (unsigned i = 0; i < PV_ORDER_PAUSES_MAX; i++) {
		snprintf(name, sizeof(name), "h%u.test", i);
		pv_orders_pause(&orders, pv_str_of(name), 1, INT64_MAX);
	}
	ok(orders.count == PV_ORDER_PAUSES_MAX &&
		!pv_orders_pause(&orders, PV_STR("b.test"), 1, 2),
	    "there are no more than so many pauses");
	pv_orders_finish(&orders);
}

static bool is_said(struct pv_str why, const char *kept)
{
	struct pv_orders orders;
	pv_orders_init(&orders);
	pv_orders_say_why(&orders, PV_STR("a.test"), why);
	pv_orders_pause(&orders, PV_STR("a.test"), 5, 50);
	pv_orders_say_why(&orders, PV_STR("a.test"), PV_STR("before"));
	pv_orders_say_why(&orders, PV_STR("a.test"), why);
	bool is_equal = strcmp(orders.pauses[0].why, kept) == 0;
	if (!is_equal)
		printf("# %s\n", orders.pauses[0].why);
	pv_orders_finish(&orders);
	return is_equal;
}

static void test_reasons(void)
{
	char text[PV_ORDER_WHY_MAX + 2], cut[PV_ORDER_WHY_MAX + 1];
	memset(text, 'a', sizeof(text));
	memset(cut, 'a', sizeof(cut));
	memcpy(text + PV_ORDER_WHY_MAX - 1, "\xc3\xa4", 2);
	cut[PV_ORDER_WHY_MAX - 1] = '\0';
	ok(is_said(PV_STR("they move"), "they move"),
	    "a pause may have a reason, the last that was said");
	ok(is_said(PV_STR(""), ""), "or none");
	ok(is_said(PV_STR(" a\nb\x1b[2J\x7f "), "a b [2J"),
	    "it is one line, that no terminal obeys");
	ok(is_said(PV_STR("a\xff\xc3"), "a??"), "and UTF-8");
	ok(is_said((struct pv_str){text, sizeof(text)}, cut),
	    "and cut between two characters");
	memset(cut, 'a', PV_ORDER_WHY_MAX);
	cut[PV_ORDER_WHY_MAX - 1] = ' ';
	struct pv_str spaced = {cut, PV_ORDER_WHY_MAX};
	text[PV_ORDER_WHY_MAX - 1] = '\0';
	ok(is_said(PV_STR("\x1a\x02 moved\x01"), "moved") &&
		is_said(PV_STR("\x01\x1a"), "") && is_said(spaced, text),
	    "P6: none begins or ends with a space, which would not be read "
	    "again");
}

/* The file */

static bool add(void *ctx, struct pv_orders *orders)
{
	const struct pv_str *host = ctx;
	return pv_orders_pause(orders, *host, 1, INT64_MAX);
}

static bool change(const struct scratch *scratch, const char *host)
{
	struct pv_why why;
	struct pv_str name = pv_str_of(host);
	pv_why_init(&why);
	bool is_done = pv_orders_change(scratch->path, add, &name, &why);
	pv_why_finish(&why);
	return is_done;
}

/* How many pauses the file has; -1 if it cannot be read. */
static int count(const struct scratch *scratch)
{
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	int pauses = -1;
	if (pv_orders_load(scratch->path, &text, &orders, &why))
		pauses = (int)orders.count;
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return pauses;
}

static void write_file(
    const struct scratch *scratch, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(scratch, name), "w");
	fputs(text, file);
	fclose(file);
}

static void test_file(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	ok(count(&scratch) == 0 &&
		access(scratch_file(&scratch, "control"), F_OK) != 0,
	    "where there is no file there are no orders, and none is made");
	ok(change(&scratch, "a.test") && change(&scratch, "b.test") &&
		count(&scratch) == 2,
	    "a change keeps what was there");
	write_file(&scratch, "control", HEAD "rubbish\n");
	ok(!change(&scratch, "a.test") && count(&scratch) == -1,
	    "what cannot be read is not written over");
	write_file(&scratch, "control", "");
	ok(count(&scratch) == -1, "an empty file is one that nobody wrote");
	unlink(scratch_file(&scratch, "control"));
	write_file(&scratch, "target", HEAD "stop 1\n");
	symlink("target", scratch_file(&scratch, "control"));
	ok(count(&scratch) == -1 && !change(&scratch, "a.test"),
	    "a link in its place is not followed");
	unlink(scratch_file(&scratch, "control"));
	mkfifo(scratch_file(&scratch, "control"), 0600);
	ok(count(&scratch) == -1, "nobody waits for a pipe in its place");
	scratch_remove(&scratch);
	ok(!change(&scratch, "a.test"), "without a directory nothing is done");
}

static void write_many(const struct scratch *scratch, unsigned writer)
{
	char host[32];
	for (unsigned i = 0; i < ROUNDS; i++) {
		snprintf(host, sizeof(host), "h%u.w%u", i, writer);
		if (!change(scratch, host))
			_exit(1);
	}
	_exit(0);
}

static void test_writers(void)
{
	struct scratch scratch;
	int status, wrong = 0;
	bool is_alive = true;
	pid_t killed;
	scratch_make(&scratch);
	for (unsigned i = 0; i < WRITERS; i++) {
		if (fork() == 0)
			write_many(&scratch, i);
	}
	int least = 0, pauses;
	for (int i = 0; i < WRITERS; i++) {
		wait(&status);
		wrong += status != 0;
		pauses = count(&scratch);
		wrong += pauses < least;
		least = pauses;
	}
	ok(!wrong && count(&scratch) == WRITERS * ROUNDS,
	    "of several that write at once none loses what another wrote");
	killed = fork();
	if (killed == 0)
		write_many(&scratch, WRITERS);
	while (count(&scratch) < WRITERS * ROUNDS + ROUNDS / 2 && is_alive) {
		usleep(100);
		is_alive = waitpid(killed, &status, WNOHANG) == 0;
	}
	if (is_alive) {
		kill(killed, SIGKILL);
		waitpid(killed, &status, 0);
	}
	ok(count(&scratch) >= WRITERS * ROUNDS + ROUNDS / 2 &&
		change(&scratch, "after.test"),
	    "one that is killed leaves a whole file, and no lock");
	scratch_remove(&scratch);
}

int main(void)
{
	test_read();
	test_settings();
	test_mistakes();
	test_changes();
	test_reasons();
	test_file();
	test_writers();
	return tap_done();
}
