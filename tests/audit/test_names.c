#include "audit/names.h"

#include "tap.h"

#define MANY 5000

static uint32_t find_numbered(struct pv_audit_names *names, unsigned number)
{
	char text[32];
	snprintf(text, sizeof(text), "host-%u.test", number);
	return pv_audit_names_find(names, pv_str_of(text));
}

static void test_some(struct pv_audit_names *names)
{
	char text[] = "a.test";
	ok(pv_audit_names_find(names, pv_str_of(text)) == 0 &&
		names->count == 1,
	    "the first name has number 0");
	ok(pv_audit_names_find(names, PV_STR("b.test")) == 1 &&
		names->count == 2,
	    "the next one the next number");
	ok(pv_audit_names_find(names, PV_STR("a.test")) == 0 &&
		names->count == 2,
	    "a name that was heard before keeps its number");
	text[0] = 'x';
	is_text(names->items[0], "a.test", "the names are its own");
	ok(pv_audit_names_find(names, PV_STR("a.tes")) == 2 &&
		pv_audit_names_find(names, PV_STR("")) == 3 &&
		pv_audit_names_find(names, PV_STR("a\0b")) == 4 &&
		pv_audit_names_find(names, PV_STR("a\0c")) == 5,
	    "names are told apart by all of their bytes");
}

static void test_many(struct pv_audit_names *names)
{
	unsigned right = 0;
	uint32_t first = (uint32_t)names->count;
	for (unsigned i = 0; i < MANY; i++)
		right += find_numbered(names, i) == first + i;
	for (unsigned i = 0; i < MANY; i++)
		right += find_numbered(names, i) == first + i;
	ok(right == 2 * MANY && names->count == first + MANY,
	    "many names keep their numbers");
}

int main(void)
{
	struct pv_audit_names names;
	pv_audit_names_init(&names, (struct pv_hash_key){{1, 2}});
	test_some(&names);
	test_many(&names);
	pv_audit_names_finish(&names);
	return tap_done();
}
