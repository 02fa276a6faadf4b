#include "names/wanted.h"

#include <stdio.h>

#include "tap.h"

/* Who was told, in order. */
struct letters {
	char text[32];
	size_t len;
};

struct one {
	struct letters *letters;
	char letter;
};

static void on_answer(void *ctx, const struct pv_name_answer *answer)
{
	struct one *one = ctx;
	(void)answer;
	one->letters->text[one->letters->len++] = one->letter;
}

static void test_requests(struct pv_wanted_table *table)
{
	struct letters letters = {.len = 0};
	struct one a = {&letters, 'a'};
	struct one b = {&letters, 'b'};
	struct one c = {&letters, 'c'};
	struct pv_wanted *wanted = pv_wanted_add(table, PV_STR("x.test"));
	ok(!wanted->requests && !pv_wanted_tell(wanted), "nobody waits");
	pv_wanted_add_request(wanted, on_answer, &a);
	pv_wanted_add_request(wanted, on_answer, &b);
	pv_wanted_add_request(wanted, on_answer, &a);
	pv_wanted_add_request(wanted, on_answer, &c);
	pv_wanted_add_request(wanted, on_answer, &b);
	ok(pv_wanted_tell(wanted), "somebody waits");
	pv_wanted_forget(wanted, &b);
	pv_wanted_add_request(wanted, on_answer, &b);
	while (pv_wanted_tell(wanted))
		;
	is_text(pv_str_of(letters.text), "aacb",
	    "who came first is told first, but for those who are forgotten");
	pv_wanted_add_request(wanted, on_answer, &a);
	pv_wanted_forget(wanted, &a);
	ok(!wanted->requests, "nobody waits again");
	pv_wanted_add_request(wanted, on_answer, &a);
}

static void test_table(struct pv_wanted_table *table)
{
	char host[32];
	bool is_there = true;
	for (int i = 0; i < 100; i++) {
		int len = snprintf(host, sizeof(host), "h%d", i);
		pv_wanted_add(table, (struct pv_str){host, (size_t)len});
	}
	for (int i = 0; i < 100; i += 3) {
		snprintf(host, sizeof(host), "h%d", i);
		struct pv_wanted *wanted =
		    pv_wanted_get(table, pv_str_of(host));
		pv_wanted_take(table, wanted);
		pv_wanted_destroy(wanted);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(host, sizeof(host), "h%d", i);
		struct pv_wanted *wanted =
		    pv_wanted_get(table, pv_str_of(host));
		is_there = is_there && (i % 3 ? wanted != NULL : !wanted);
		if (wanted)
			is_there =
			    is_there && pv_str_equal(pv_buf_str(&wanted->host),
					    pv_str_of(host));
	}
	ok(is_there, "what is taken out is gone, and all else is there");
}

static void test_line(struct pv_wanted_table *table)
{
	struct pv_wanted_line line = {0};
	struct pv_wanted *a = pv_wanted_add(table, PV_STR("a"));
	struct pv_wanted *b = pv_wanted_add(table, PV_STR("b"));
	ok(!pv_wanted_pop(&line), "a line is empty at first");
	pv_wanted_push(&line, a);
	pv_wanted_push(&line, b);
	ok(pv_wanted_pop(&line) == a, "who came first goes first");
	pv_wanted_push(&line, a);
	ok(pv_wanted_pop(&line) == b && pv_wanted_pop(&line) == a &&
		!pv_wanted_pop(&line),
	    "and stands behind when they come again");
}

int main(void)
{
	struct pv_wanted_table table;
	pv_wanted_table_init(&table, (struct pv_hash_key){{1, 2}});
	test_requests(&table);
	test_table(&table);
	test_line(&table);
	pv_wanted_table_finish(&table);
	return tap_done();
}
