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
	ok(!wanted->requests.first && !pv_wanted_tell(table, wanted),
	    "nobody waits");
	ok(!pv_wanted_forget(table, &a), "nobody can be forgotten");
	pv_wanted_add_request(table, wanted, on_answer, &a);
	pv_wanted_add_request(table, wanted, on_answer, &b);
	pv_wanted_add_request(table, wanted, on_answer, &a);
	pv_wanted_add_request(table, wanted, on_answer, &c);
	pv_wanted_add_request(table, wanted, on_answer, &b);
	ok(pv_wanted_tell(table, wanted), "somebody waits");
	ok(pv_wanted_forget(table, &b) == wanted &&
		pv_wanted_forget(table, &b) == wanted &&
		!pv_wanted_forget(table, &b),
	    "each request of one who waits is forgotten, and then no more");
	pv_wanted_add_request(table, wanted, on_answer, &b);
	while (pv_wanted_tell(table, wanted))
		;
	is_text(pv_str_of(letters.text), "aacb",
	    "who came first is told first, but for those who are forgotten");
}

static void test_several(struct pv_wanted_table *table)
{
	struct letters letters = {.len = 0};
	struct one a = {&letters, 'a'};
	struct one b = {&letters, 'b'};
	struct pv_wanted *first = pv_wanted_add(table, PV_STR("first.test"));
	struct pv_wanted *second = pv_wanted_add(table, PV_STR("second.test"));
	pv_wanted_add_request(table, first, on_answer, &a);
	pv_wanted_add_request(table, second, on_answer, &a);
	pv_wanted_add_request(table, second, on_answer, &b);
	ok(pv_wanted_forget(table, &a) == first &&
		pv_wanted_forget(table, &a) == second &&
		!pv_wanted_forget(table, &a),
	    "who waits for several hosts is forgotten at each");
	ok(!first->requests.first && second->requests.first, "others wait on");
	pv_wanted_take(table, second);
	ok(!pv_wanted_get(table, PV_STR("second.test")), "what is out is out");
	ok(pv_wanted_forget(table, &b) == second,
	    "but who waits for it can be forgotten");
	pv_wanted_add_request(table, second, on_answer, &b);
	pv_wanted_destroy(table, second);
	ok(!pv_wanted_forget(table, &b), "until it is gone");
	pv_wanted_add_request(table, first, on_answer, &b);
	pv_wanted_clear(table, first);
	ok(!pv_wanted_tell(table, first) && !letters.len,
	    "or nobody shall be told");
	pv_wanted_add_request(table, first, on_answer, &b);
}

static void test_hosts(struct pv_wanted_table *table)
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
		pv_wanted_destroy(table, wanted);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(host, sizeof(host), "h%d", i);
		struct pv_wanted *wanted =
		    pv_wanted_get(table, pv_str_of(host));
		is_there = is_there && (i % 3 ? wanted != NULL : !wanted);
		if (wanted)
			is_there = is_there && pv_str_equal(wanted->named.name,
						   pv_str_of(host));
	}
	ok(is_there, "what is taken out is gone, and all else is there");
}

int main(void)
{
	struct pv_wanted_table table;
	pv_wanted_table_init(&table, (struct pv_hash_key){{1, 2}});
	test_requests(&table);
	test_several(&table);
	test_hosts(&table);
	pv_wanted_table_finish(&table);
	return tap_done();
}
