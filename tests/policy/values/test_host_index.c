#include "policy/values/host_index.h"

#include <stdlib.h>

#include "policy/values/host_pattern.h"
#include "random.h"
#include "tap.h"

static bool add(struct pv_host_index *index, struct pv_arena *arena,
    const char *text, uint32_t *number)
{
	struct pv_host_pattern pattern;
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	const char *fault =
	    pv_host_pattern_read(pv_str_of(text), &pattern, &canonical);
	bool is_new =
	    !fault && pv_host_index_add(index, arena, &pattern, number);
	pv_buf_finish(&canonical);
	return is_new;
}

static const char *const patterns[] = {
    "docs.example.org",
    "*.example.org",
    "*.org",
    "*.docs.example.org",
    "10.0.0.0/8",
    "10.1.0.0/16",
    "10.1.2.3",
    "0.0.0.0/0",
    "2001:db8::/32",
    "2001:db8::1",
    "::/0",
};

static const struct {
	const char *host;
	const char *address; /* NULL if it is not known */
	const char *wanted;  /* the patterns, by number */
} cases[] = {
    {"docs.example.org", NULL, "0 1 2 "},
    {"docs.example.org.", NULL, "0 1 2 "},
    {"a.docs.example.org", NULL, "3 1 2 "},
    {"a.b.docs.example.org", NULL, "3 1 2 "},
    {"www.example.org", NULL, "1 2 "},
    {"example.org", NULL, "2 "},
    {"notexample.org", NULL, "2 "},
    {"org", NULL, ""},
    {"example.com", NULL, ""},
    {"", NULL, ""},
    {".", NULL, ""},
    {"..", NULL, ""},
    {"example.com", "10.1.2.3", "6 5 4 7 "},
    {"10.1.2.3", "10.1.2.3", "6 5 4 7 "},
    {"example.com", "10.1.2.4", "5 4 7 "},
    {"example.com", "10.2.0.0", "4 7 "},
    {"example.com", "192.0.2.1", "7 "},
    {"docs.example.org", "10.1.2.3", "0 1 2 6 5 4 7 "},
    {"example.com", "2001:db8::1", "9 8 10 "},
    {"example.com", "2001:db8::2", "8 10 "},
    {"example.com", "::1", "10 "},
    {"example.com", "::ffff:10.1.2.4", "5 4 7 "},
};

static void test_order(void)
{
	struct pv_host_index index;
	struct pv_arena arena;
	struct pv_buf found;
	pv_host_index_init(&index);
	pv_arena_init(&arena);
	pv_buf_init(&found, 4096);
	for (uint32_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		uint32_t number = i;
		ok(add(&index, &arena, patterns[i], &number), "%s is new",
		    patterns[i]);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t numbers[PV_HOST_MATCHES_MAX];
		struct pv_address address;
		if (cases[i].address)
			pv_address_read(pv_str_of(cases[i].address), &address);
		size_t count =
		    pv_host_index_find(&index, pv_str_of(cases[i].host),
			cases[i].address ? &address : NULL, numbers);
		pv_buf_clear(&found);
		for (size_t j = 0; j < count; j++)
			pv_buf_append_format(&found, "%u ", numbers[j]);
		is_text(pv_buf_str(&found), cases[i].wanted,
		    "\"%s\" (%s) matches the most specific first",
		    cases[i].host,
		    cases[i].address ? cases[i].address : "no address");
	}
	pv_buf_finish(&found);
	pv_arena_finish(&arena);
	pv_host_index_finish(&index);
}

static void test_again(void)
{
	static const char *const same[][2] = {
	    {"a.example", "A.Example."},
	    {"*.a.example", "*.A.EXAMPLE"},
	    {"10.0.0.1", "10.0.0.1/32"},
	    {"::1", "[0:0::1]"},
	    {"0.0.0.0/0", "::ffff:0:0/96"},
	    {"10.0.0.0/8", "::ffff:10.0.0.0/104"},
	};
	struct pv_host_index index;
	struct pv_arena arena;
	pv_host_index_init(&index);
	pv_arena_init(&arena);
	for (uint32_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		uint32_t number = i;
		ok(add(&index, &arena, same[i][0], &number), "%s is new",
		    same[i][0]);
		number = 99;
		ok(!add(&index, &arena, same[i][1], &number) && number == i,
		    "%s is the same, and has its number", same[i][1]);
	}
	pv_arena_finish(&arena);
	pv_host_index_finish(&index);
}

/* As many labels and prefixes as there can be. */
static void test_most(void)
{
	struct pv_host_index index;
	struct pv_arena arena;
	struct pv_buf name;
	struct pv_address address;
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	uint32_t number = 0;
	pv_host_index_init(&index);
	pv_arena_init(&arena);
	pv_buf_init(&name, 512);
	pv_address_read(
	    PV_STR("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), &address);
	for (uint8_t i = 0; i <= 128; i++) {
		struct pv_host_pattern pattern = {.kind = PV_HOST_NETWORK};
		pattern.network = pv_network_of(&address, i);
		number = i;
		pv_host_index_add(&index, &arena, &pattern, &number);
	}
	for (int i = 0; i < 127; i++) {
		char text[300];
		pv_buf_append_text(&name, i ? ".a" : "a");
		snprintf(text, sizeof(text), "*.%s", pv_buf_text(&name));
		add(&index, &arena, text, &number);
		add(&index, &arena, text + 2, &number);
	}
	size_t count =
	    pv_host_index_find(&index, pv_buf_str(&name), &address, numbers);
	ok(count == 1 + 126 + 129,
	    "a name of 127 labels on an address of 128 "
	    "bits matches %zu patterns",
	    count);
	for (int i = 0; i < 100; i++)
		pv_buf_append_text(&name, ".a");
	count =
	    pv_host_index_find(&index, pv_buf_str(&name), &address, numbers);
	ok(count <= PV_HOST_MATCHES_MAX,
	    "a name that is none finds no more than there is room for (%zu)",
	    count);
	pv_buf_finish(&name);
	pv_arena_finish(&arena);
	pv_host_index_finish(&index);
}

int main(void)
{
	test_order();
	test_again();
	test_most();
	return tap_done();
}
