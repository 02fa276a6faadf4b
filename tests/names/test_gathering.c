#include "names/gathering.h"

#include "names/limits.h"
#include "policy/loaded.h"
#include "scratch.h"
#include "random.h"
#include "tap.h"

static const struct {
	const char *before; /* the first of last time; "" for none */
	const char *added;
	const char *wanted;
	const char *claim;
} cases[] = {
    {"", "192.0.2.1", "192.0.2.1", "one address is the answer"},
    {"", "192.0.2.3 192.0.2.1 192.0.2.2", "192.0.2.1 192.0.2.2 192.0.2.3",
	"they stand by number"},
    {"", "2001:db8::1 192.0.2.9 2001:db8::", "192.0.2.9 2001:db8:: 2001:db8::1",
	"IPv4 comes first"},
    {"", "192.0.2.1 192.0.2.1", "192.0.2.1", "none stands there twice"},
    {"192.0.2.2", "192.0.2.3 192.0.2.1 192.0.2.2",
	"192.0.2.2 192.0.2.1 192.0.2.3", "the first of last time stays first"},
    {"2001:db8::1", "192.0.2.3 2001:db8::1", "2001:db8::1 192.0.2.3",
	"be it IPv6"},
    {"192.0.2.7", "192.0.2.3 192.0.2.1", "192.0.2.1 192.0.2.3",
	"unless it is gone"},
    {"10.0.0.1", "10.0.0.1 192.0.2.1", "192.0.2.1",
	"or may not be reached any more"},
    {"",
	"192.0.2.9 192.0.2.8 192.0.2.7 192.0.2.6 192.0.2.5 192.0.2.4 "
	"192.0.2.3 192.0.2.2 192.0.2.1",
	"192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5 192.0.2.6 "
	"192.0.2.7 192.0.2.8",
	"eight are kept"},
    {"192.0.2.9",
	"192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5 192.0.2.6 "
	"192.0.2.7 192.0.2.8 192.0.2.9",
	"192.0.2.9 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5 "
	"192.0.2.6 192.0.2.7",
	"the first of last time among them"},
    {"", "127.0.0.1 0.0.0.0 192.0.2.1 ::1", "192.0.2.1",
	"what may not be reached is left out"},
};

static void add_all(struct pv_gathering *gathering, const char *addresses)
{
	struct pv_str left = pv_str_of(addresses);
	while (left.len) {
		struct pv_address address;
		size_t blank = pv_str_find(left, ' ');
		size_t len = blank == PV_NOT_FOUND ? left.len : blank;
		if (!pv_address_read(pv_str_head(left, len), &address))
			ok(false, "an address: %.*s", PV_STR_ARG(left));
		pv_gathering_add(gathering, &address);
		left = pv_str_from(left, len < left.len ? len + 1 : len);
	}
}

static void is_gathered(const struct pv_vetting *vetting, size_t number)
{
	struct pv_gathering gathering;
	struct pv_name_answer answer;
	struct pv_address before;
	struct pv_buf text;
	bool has_before =
	    pv_address_read(pv_str_of(cases[number].before), &before);
	pv_gathering_init(&gathering, vetting, PV_STR("any.test"),
	    has_before ? &before : NULL);
	ok(pv_gathering_is_empty(&gathering), "nothing has come in yet");
	add_all(&gathering, cases[number].added);
	ok(!pv_gathering_is_empty(&gathering), "something has come in");
	pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "x", &answer);
	pv_buf_init(&text, 4096);
	for (uint32_t i = 0; i < answer.count; i++) {
		pv_buf_append_text(&text, i ? " " : "");
		pv_address_write(&answer.addresses[i], &text);
	}
	ok(answer.result == PV_NAME_FOUND && !answer.why[0] && !answer.is_own,
	    "somebody else's host is found");
	is_text(
	    pv_buf_str(&text), cases[number].wanted, "%s", cases[number].claim);
	pv_buf_finish(&text);
}

/* However a name server turns its addresses, the answer is the same. */
static void test_turning(const struct pv_vetting *vetting)
{
	struct random random = random_of(3);
	struct pv_name_answer first = {0};
	bool is_same = true;
	for (int round = 0; round < 200; round++) {
		struct pv_gathering gathering;
		struct pv_name_answer answer;
		uint8_t order[30];
		pv_gathering_init(
		    &gathering, vetting, PV_STR("any.test"), NULL);
		for (size_t i = 0; i < sizeof(order); i++) {
			size_t j = random_below(&random, i + 1);
			order[i] = order[j];
			order[j] = (uint8_t)i;
		}
		for (size_t i = 0; i < sizeof(order); i++) {
			struct pv_address address = {32, {192, 0, 2, order[i]}};
			pv_gathering_add(&gathering, &address);
		}
		pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "", &answer);
		if (!round)
			first = answer;
		is_same =
		    is_same && memcmp(&first, &answer, sizeof(answer)) == 0;
	}
	ok(is_same, "200 orders of 30 addresses give one answer");
}

static void test_without(const struct pv_vetting *vetting)
{
	struct pv_gathering gathering;
	struct pv_name_answer answer;
	pv_gathering_init(&gathering, vetting, PV_STR("any.test"), NULL);
	pv_gathering_answer(
	    &gathering, PV_NAME_NO_ANSWER, "because\x1b", &answer);
	ok(answer.result == PV_NAME_NO_ANSWER && !answer.count,
	    "where nothing came in, it is as the asker says");
	is_text(pv_str_of(answer.why), "because\\x1b",
	    "with the reason, safe to print");
	add_all(&gathering, "10.0.0.2 10.0.0.1");
	pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "x", &answer);
	ok(answer.result == PV_NAME_FORBIDDEN && !answer.count &&
		has_text(pv_str_of(answer.why), "10.0.0.2"),
	    "where nothing may be reached, it is told of the first");
}

static void test_more(struct pv_vetting *vetting)
{
	struct pv_gathering gathering;
	struct pv_name_answer answer;
	pv_vetting_add_named(vetting, PV_STR("own.test"));
	pv_gathering_init(&gathering, vetting, PV_STR("own.test"), NULL);
	add_all(&gathering, "10.0.0.1 192.0.2.1");
	gathering.port = 8080;
	pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "x", &answer);
	ok(answer.is_own && answer.port == 8080 && answer.count == 2,
	    "whose first address is private is one's own");
	ok(gathering.ttl_s == PV_NAME_TTL_NONE, "nobody said for how long");
	pv_gathering_add_ttl(&gathering, 300);
	pv_gathering_add_ttl(&gathering, 100);
	pv_gathering_add_ttl(&gathering, 200);
	ok(gathering.ttl_s == 100, "the shortest time counts");
}

/* One that never.txt names says more than others that may not be reached. */
static void test_asked_away(const struct pv_vetting *vetting)
{
	struct pv_gathering gathering;
	struct pv_name_answer answer;
	pv_gathering_init(&gathering, vetting, PV_STR("any.test"), NULL);
	add_all(&gathering, "10.0.0.1 198.51.100.1 198.51.100.2 10.0.0.2");
	pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "x", &answer);
	ok(answer.result == PV_NAME_ASKED_AWAY && !answer.count &&
		has_text(pv_str_of(answer.why), "198.51.100.1 belongs to") &&
		has_text(pv_str_of(answer.why), "line 2"),
	    "P4: where never.txt names one of them, it is told of that: %s",
	    answer.why);
	pv_gathering_init(&gathering, vetting, PV_STR("any.test"), NULL);
	add_all(&gathering, "198.51.100.1 192.0.2.1");
	pv_gathering_answer(&gathering, PV_NAME_UNKNOWN, "x", &answer);
	ok(answer.result == PV_NAME_FOUND && answer.count == 1,
	    "where another may be reached, that is the answer");
}

static void read_never(struct loaded *loaded, const struct scratch *scratch)
{
	const char *path = scratch_file(scratch, "never.txt");
	FILE *file = fopen(path, "w");
	ok(file && fputs("away.test\n198.51.100.0/24\n", file) >= 0 &&
		fclose(file) == 0,
	    "a never.txt");
	pv_never_read(&loaded->policy->never, path, &loaded->why);
}

int main(void)
{
	struct scratch scratch;
	struct loaded loaded = load_text("version: 1\n");
	struct pv_resolve_table resolve;
	struct pv_vetting vetting;
	scratch_make(&scratch);
	read_never(&loaded, &scratch);
	ok(is_right(&loaded), "a policy");
	pv_resolve_table_init(&resolve, &loaded.policy->fetch.resolve);
	pv_vetting_init(&vetting, loaded.policy, &resolve);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_gathered(&vetting, i);
	test_turning(&vetting);
	test_without(&vetting);
	test_more(&vetting);
	test_asked_away(&vetting);
	scratch_remove(&scratch);
	pv_vetting_finish(&vetting);
	pv_resolve_table_finish(&resolve);
	loaded_finish(&loaded);
	return tap_done();
}
