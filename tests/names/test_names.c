#include "names/scene.h"
#include "scratch.h"

#define UNNAMED                                                            \
	" is on this machine or a private network, and neither seeds nor " \
	"domains nor fetch.resolve name the host"

static const struct name_server_entry book[] = {
    {"a.test", "A 192.0.2.1, AAAA 2001:db8::1", .ttl_s = 300},
    {"many.test", "A 192.0.2.9, A 192.0.2.3, A 192.0.2.7", .ttl_s = 300},
    {"six.test", "AAAA 2001:db8::6", .ttl_s = 300},
    {.name = "empty.test"},
    {"alias.test", "CNAME b.alias.test", .ttl_s = 300},
    {"b.alias.test", "CNAME a.test", .ttl_s = 300},
    {"lost.test", "CNAME nowhere.test", .ttl_s = 300},
    {"round.test", "CNAME round.test", .ttl_s = 300},
    {"inner.test", "A 10.0.0.1", .ttl_s = 300},
    {"mixed.test", "A 127.0.0.1, A 192.0.2.5, AAAA ::1", .ttl_s = 300},
    {"mapped.test", "AAAA ::ffff:127.0.0.1", .ttl_s = 300},
    {"zero.test", "A 0.0.0.0, AAAA ::", .ttl_s = 300},
    {"lead.test", "CNAME inner.test", .ttl_s = 300},
    {"flood.test", "A 198.51.100.0, AAAA 2001:db8::100", .ttl_s = 300,
	.more = 499},
    {"fails.test", "A 192.0.2.1", .manner = NAME_SERVER_FAILS},
    {"refuses.test", "A 192.0.2.1", .manner = NAME_SERVER_REFUSES},
    {"cut.test", "A 192.0.2.8", .ttl_s = 300, .manner = NAME_SERVER_CUTS},
    {"forged.test", "A 192.0.2.1", .ttl_s = 300,
	.manner = NAME_SERVER_MISTAKES_FIRST},
    {"babble.test", "A 192.0.2.1", .manner = NAME_SERVER_BABBLES},
    {"denies6.test", "A 192.0.2.6", .ttl_s = 300,
	.manner = NAME_SERVER_DENIES_V6},
    {"*.wild.test", "A 192.0.2.77", .ttl_s = 300},
    {"_dmarc.under_score.test", "A 192.0.2.78", .ttl_s = 300},
};

static void write_book(struct name_server *server)
{
	for (size_t i = 0; i < sizeof(book) / sizeof(*book); i++)
		name_server_set(server, &book[i]);
}

static const struct {
	const char *host;
	const char *wanted;
	const char *claim;
} answers[] = {
    {"a.test", "192.0.2.1 2001:db8::1", "both kinds are asked for"},
    {"a.test.", "192.0.2.1 2001:db8::1", "a dot may end it"},
    {"many.test", "192.0.2.3 192.0.2.7 192.0.2.9", "they stand in order"},
    {"six.test", "2001:db8::6", "IPv6 alone is enough"},
    {"empty.test", "unknown: the name has no address", "it is there"},
    {"none.test", "unknown: the name does not exist", "it is not there"},
    {"alias.test", "192.0.2.1 2001:db8::1", "aliases are followed"},
    {"lost.test", "unknown: the name has no address", "an alias leads nowhere"},
    {"round.test", "unknown: the name has no address",
	"an alias leads to itself"},
    {"inner.test", "forbidden: 10.0.0.1" UNNAMED, "it is private"},
    {"mixed.test", "192.0.2.5", "only what is private is left out"},
    {"mapped.test", "forbidden: ::ffff:127.0.0.1" UNNAMED,
	"IPv4 within IPv6 is looked at"},
    {"zero.test", "forbidden: 0.0.0.0 is no address that a host can have",
	"nobody has it"},
    {"lead.test", "forbidden: 10.0.0.1" UNNAMED,
	"where aliases lead to counts"},
    {"flood.test",
	"198.51.100.0 198.51.100.1 198.51.100.2 198.51.100.3 198.51.100.4 "
	"198.51.100.5 198.51.100.6 198.51.100.7",
	"the first eight of a thousand"},
    {"cut.test", "192.0.2.8", "what is cut is asked for by TCP"},
    {"forged.test", "192.0.2.1",
	"an answer of another number is not listened to"},
    {"denies6.test", "192.0.2.6",
	"a denial of one kind does not hide the other"},
    {"x.wild.test", "192.0.2.77", "a star covers it"},
    {"_dmarc.under_score.test", "192.0.2.78", "underscores are letters"},
    {"localhost", "forbidden: 127.0.0.1" UNNAMED, "nobody named it"},
    {"192.0.2.99", "192.0.2.99", "an address is itself"},
    {"[2001:db8::99]", "2001:db8::99", "an address is itself"},
    {"[::1]", "forbidden: ::1" UNNAMED, "an address is vetted"},
    {"127.0.0.1", "forbidden: 127.0.0.1" UNNAMED, "an address is vetted"},
    {"0.0.0.0", "forbidden: 0.0.0.0 is no address that a host can have",
	"an address is vetted"},
};

static void test_answers(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		is_answer(&scene, answers[i].host, answers[i].wanted,
		    answers[i].claim);
	ok(name_server_asked_by_tcp(scene.server) >= 2,
	    "long answers and cut ones come over TCP");
	scene_finish(&scene);
}

/* In time. */

static void set(
    struct scene *scene, const char *name, const char *records, uint32_t ttl_s)
{
	struct name_server_entry entry = {name, records, .ttl_s = ttl_s};
	name_server_set(scene->server, &entry);
}

static int64_t kept_ms(struct scene *scene, const char *host)
{
	struct pv_name_answer answer = look_up(scene, host);
	return answer.kept_until - scene_now(&scene->clock).monotonic_ms;
}

/* The loop's time stands still between the answer and the claim but for what
 * the machine was busy with elsewhere. */
static void is_kept(struct scene *scene, const char *host, int64_t wanted_ms)
{
	int64_t kept = kept_ms(scene, host);
	ok(kept <= wanted_ms && kept > wanted_ms - 30000,
	    "%s is kept for %lld s", host, (long long)wanted_ms / 1000);
}

static void test_kept(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	set(&scene, "short.test", "A 192.0.2.1", 1);
	set(&scene, "long.test", "A 192.0.2.1", 1000000);
	set(&scene, "most.test", "A 192.0.2.1", UINT32_MAX);
	set(&scene, "short-alias.test", "CNAME long.test", 400);
	is_kept(&scene, "a.test", 300000);
	is_kept(&scene, "short.test", 60000);
	is_kept(&scene, "long.test", 3600000);
	is_kept(&scene, "most.test", 60000);
	is_kept(&scene, "short-alias.test", 400000);
	is_kept(&scene, "none.test", 3600000);
	is_kept(&scene, "inner.test", 300000);
	is_kept(&scene, "fails.test", 30000);
	is_kept(&scene, "192.0.2.1", 3600000);
	scene_finish(&scene);
}

static void test_get(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	ok(!pv_names_get(scene.names, PV_STR("a.test")),
	    "nothing is known before it is looked up");
	look_up(&scene, "a.test");
	unsigned asked = name_server_asked(scene.server, NULL);
	const struct pv_name_answer *answer =
	    pv_names_get(scene.names, PV_STR("a.test"));
	ok(answer && answer->count == 2, "then it is known");
	ok(asked == 2 && name_server_asked(scene.server, NULL) == 2,
	    "and nobody is asked");
	look_up(&scene, "a.test");
	ok(name_server_asked(scene.server, NULL) == 4,
	    "to look it up is to ask, whatever is kept");
	scene.clock.ahead_ms = 300000;
	ok(!pv_names_get(scene.names, PV_STR("a.test")),
	    "when its time is over it is not known any more");
	scene_finish(&scene);
}

static void test_rebinding(void)
{
	struct scene scene;
	scene_init(&scene);
	scene_open(&scene, "", "");
	set(&scene, "turns.test", "A 192.0.2.1", 0);
	is_answer(&scene, "turns.test", "192.0.2.1", "it leads outside");
	set(&scene, "turns.test", "A 127.0.0.1", 0);
	const struct pv_name_answer *answer =
	    pv_names_get(scene.names, PV_STR("turns.test"));
	ok(answer && answer->result == PV_NAME_FOUND,
	    "what is known stays so for its time, though the name turns");
	is_answer(&scene, "turns.test", "forbidden: 127.0.0.1" UNNAMED,
	    "looked up again it leads nowhere");
	answer = pv_names_get(scene.names, PV_STR("turns.test"));
	ok(answer && answer->result == PV_NAME_FORBIDDEN && !answer->count,
	    "which is what is known now");
	scene_finish(&scene);
}

static void test_first_address(void)
{
	struct scene scene;
	scene_init(&scene);
	scene_open(&scene, "", "");
	set(&scene, "moves.test", "A 192.0.2.9", 0);
	is_answer(&scene, "moves.test", "192.0.2.9", "it has an address");
	set(&scene, "moves.test", "A 192.0.2.3, A 192.0.2.9", 0);
	is_answer(&scene, "moves.test", "192.0.2.9 192.0.2.3",
	    "it keeps that, though another would come first");
	set(&scene, "moves.test", NULL, 0);
	is_answer(&scene, "moves.test", "unknown: the name has no address",
	    "it loses them");
	set(&scene, "moves.test", "A 192.0.2.9, A 192.0.2.3", 0);
	is_answer(&scene, "moves.test", "192.0.2.9 192.0.2.3",
	    "it had that address once");
	set(&scene, "moves.test", "A 192.0.2.3, A 192.0.2.4", 0);
	is_answer(&scene, "moves.test", "192.0.2.3 192.0.2.4", "it has moved");
	scene_finish(&scene);
}

/* Whom the policy names. */

static void test_named(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	look_up(&scene, "inner.test");
	ok(pv_names_get(scene.names, PV_STR("inner.test"))->result ==
		PV_NAME_FORBIDDEN,
	    "a private address is forbidden");
	pv_names_add_named(scene.names, PV_STR("inner.test"));
	pv_names_add_named(scene.names, PV_STR("localhost"));
	ok(!pv_names_get(scene.names, PV_STR("inner.test")),
	    "what was known is not any more once a seed names the host");
	struct pv_name_answer answer = look_up(&scene, "inner.test");
	ok(answer.result == PV_NAME_FOUND && answer.is_own,
	    "then it may be reached, and is one's own");
	is_answer(&scene, "localhost", "127.0.0.1 ::1", "nobody is asked");
	is_answer(&scene, "lead.test", "forbidden: 10.0.0.1" UNNAMED,
	    "another name for it is not named");
	answer = look_up(&scene, "a.test");
	ok(!answer.is_own, "other hosts are somebody else's");
	scene_finish(&scene);
}

static void test_policy(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene,
	    "resolve: {\"*.here.test\": \"127.0.0.1:8080\", "
	    "public.test: 192.0.2.50}",
	    "\"*.wild.test\": {delay: 2s}, \"10.0.0.0/8\": {delay: 2s}");
	is_answer(&scene, "x.here.test", "127.0.0.1 port 8080",
	    "fetch.resolve finds it");
	is_answer(
	    &scene, "public.test", "192.0.2.50", "fetch.resolve finds it");
	ok(name_server_asked(scene.server, NULL) == 0, "nobody was asked");
	is_answer(&scene, "inner.test", "10.0.0.1",
	    "a private range of the domain table admits it");
	set(&scene, "*.wild.test", "A 127.0.0.9", 300);
	is_answer(&scene, "x.wild.test", "127.0.0.9",
	    "a star of the domain table admits it");
	struct pv_name_answer answer = look_up(&scene, "x.here.test");
	ok(answer.is_own && answer.took_ms == 0,
	    "what fetch.resolve finds at home is one's own, at once");
	scene_finish(&scene);
}

static void test_hosts_file(void)
{
	struct scene scene;
	struct scratch scratch;
	scene_init(&scene);
	ok(scratch_make(&scratch), "a directory");
	const char *path = scratch_file(&scratch, "hosts");
	FILE *file = fopen(path, "w");
	ok(file && fputs("192.0.2.60 table.test\n", file) >= 0 &&
		fclose(file) == 0,
	    "a table of hosts");
	scene.limits.hosts_path = path;
	scene_open(&scene, "", "");
	is_answer(&scene, "table.test", "192.0.2.60", "it stands there");
	ok(name_server_asked(scene.server, NULL) == 0, "nobody was asked");
	scratch_remove(&scratch);
	scene_finish(&scene);
}

#define LONG_NAME                          \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test"

/* Names that are not asked for. */
static void test_bad_names(void)
{
	static const char *const hosts[] = {
	    "a..test", "", ".", LONG_NAME, "x.onion", "a\\.test", "a b.test"};
	struct scene scene;
	scene_init(&scene);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		struct pv_name_answer answer = look_up(&scene, hosts[i]);
		ok(answer.result == PV_NAME_UNKNOWN && answer.why[0],
		    "\"%s\" is unknown: %s", hosts[i], answer.why);
	}
	ok(name_server_asked(scene.server, NULL) == 0, "nobody was asked");
	scene_finish(&scene);
}

/* Many. */

static void test_sharing(void)
{
	struct scene scene;
	struct told told[3] = {{.times = 0}};
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < 3; i++)
		pv_names_find(scene.names, PV_STR("a.test"), on_told, &told[i]);
	ok(pv_names_count(scene.names) == 1,
	    "a name that three want is looked up once");
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(told[0].times == 1 && told[1].times == 1 && told[2].times == 1,
	    "each is told once");
	ok(told[2].answer.count == 2, "the same");
	ok(name_server_asked(scene.server, NULL) == 2,
	    "and the name server heard two questions");
	ok(pv_names_count(scene.names) == 0, "nothing is under way then");
	scene_finish(&scene);
}

static void test_never_within(void)
{
	static const char *const hosts[] = {
	    "192.0.2.1", "localhost", "a..test", "a.test"};
	struct scene scene;
	scene_init(&scene);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		struct told told = {.times = 0};
		pv_names_find(scene.names, pv_str_of(hosts[i]), on_told, &told);
		ok(told.times == 0 && pv_names_count(scene.names) == 1,
		    "%s is not told within the call", hosts[i]);
		uv_run(&scene.loop, UV_RUN_DEFAULT);
		ok(told.times == 1, "but by the loop");
	}
	scene_finish(&scene);
}

#define MANY 10000

/* One of many, by number. */
static struct pv_str host_of(size_t number, char host[32])
{
	int len = snprintf(host, 32, "h%zu.wild.test", number);
	return (struct pv_str){host, (size_t)len};
}

static void on_counted(void *ctx, const struct pv_name_answer *answer)
{
	size_t *count = ctx;
	*count += answer->result == PV_NAME_FOUND && answer->count == 1;
}

static void test_many(void)
{
	struct scene scene;
	char host[32];
	size_t found = 0;
	size_t known = 0;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < MANY; i++)
		pv_names_find(
		    scene.names, host_of(i, host), on_counted, &found);
	ok(pv_names_count(scene.names) == MANY, "%d names wait", MANY);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(found == MANY, "all of them are found");
	for (size_t i = 0; i < MANY; i++) {
		const struct pv_name_answer *answer =
		    pv_names_get(scene.names, host_of(i, host));
		known += answer && answer->addresses[0].bytes[3] == 77;
	}
	ok(known == MANY, "and known then");
	scene_finish(&scene);
}

static void test_bounds(void)
{
	struct scene scene;
	char host[32];
	size_t found = 0;
	scene_init(&scene);
	struct name_server_entry slow = {
	    "*.wild.test", "A 192.0.2.1", .delay_ms = 10};
	name_server_set(scene.server, &slow);
	scene.limits.asked_max = 20;
	scene_open(&scene, "", "");
	for (size_t i = 0; i < 200; i++)
		pv_names_find(
		    scene.names, host_of(i, host), on_counted, &found);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	unsigned peak = name_server_peak(scene.server);
	ok(found == 200, "two hundred names are found, twenty at a time");
	ok(peak <= 40 && peak > 2,
	    "with never more than two questions for each of those (%u)", peak);
	scene_finish(&scene);
}

/* Counts what was told since the loop came round last. */
struct turns {
	size_t told;
	size_t most;
	size_t all;
};

static void on_round(uv_prepare_t *prepare)
{
	struct turns *turns = prepare->data;
	if (turns->told > turns->most)
		turns->most = turns->told;
	turns->told = 0;
}

static void on_told_in_turn(void *ctx, const struct pv_name_answer *answer)
{
	struct turns *turns = ctx;
	(void)answer;
	turns->told++;
	turns->all++;
}

static void test_turns(void)
{
	struct scene scene;
	struct turns turns = {0};
	uv_prepare_t prepare;
	scene_init(&scene);
	scene.limits.turn_max = 7;
	scene_open(&scene, "", "");
	uv_prepare_init(&scene.loop, &prepare);
	uv_unref((uv_handle_t *)&prepare);
	uv_prepare_start(&prepare, on_round);
	prepare.data = &turns;
	for (unsigned i = 0; i < 100; i++) {
		char host[32];
		snprintf(host, sizeof(host), "192.0.2.%u", i);
		pv_names_find(
		    scene.names, pv_str_of(host), on_told_in_turn, &turns);
	}
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(turns.all == 100 && turns.most == 7,
	    "a hundred answers that are there at once are told seven a turn");
	uv_close((uv_handle_t *)&prepare, NULL);
	scene_finish(&scene);
}

/* Going away. */

static void test_forget(void)
{
	struct scene scene;
	struct told a = {.times = 0};
	struct told b = {.times = 0};
	scene_init(&scene);
	write_book(scene.server);
	scene.limits.asked_max = 1;
	scene_open(&scene, "", "");
	pv_names_find(scene.names, PV_STR("a.test"), on_told, &a);
	pv_names_find(scene.names, PV_STR("a.test"), on_told, &b);
	pv_names_find(scene.names, PV_STR("a.test"), on_told, &a);
	pv_names_find(scene.names, PV_STR("many.test"), on_told, &a);
	pv_names_find(scene.names, PV_STR("six.test"), on_told, &b);
	pv_names_find(scene.names, PV_STR("192.0.2.1"), on_told, &a);
	pv_names_forget(scene.names, &a);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(a.times == 0, "who is forgotten is not told");
	ok(b.times == 2, "others are, of the same name too");
	ok(name_server_asked(scene.server, "many.test") == 0,
	    "what nobody wants any more is not asked for");
	scene_finish(&scene);
}

/* Who is told and does something at once. */
struct actor {
	struct pv_names *names;
	void (*act)(struct actor *actor);
	struct told other;
	unsigned times;
};

static void on_act(void *ctx, const struct pv_name_answer *answer)
{
	struct actor *actor = ctx;
	(void)answer;
	actor->times++;
	actor->act(actor);
}

static void forget_other(struct actor *actor)
{
	pv_names_forget(actor->names, &actor->other);
}

static void find_again(struct actor *actor)
{
	if (actor->times < 3)
		pv_names_find(actor->names, PV_STR("a.test"), on_act, actor);
}

/* What somebody is told is there until they have heard it, whatever they do. */
static void on_destroy(void *ctx, const struct pv_name_answer *answer)
{
	struct actor *actor = ctx;
	pv_names_destroy(actor->names);
	actor->times += answer->count;
}

static void test_acting(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	struct actor forgets = {scene.names, forget_other, {.times = 0}, 0};
	pv_names_find(scene.names, PV_STR("a.test"), on_act, &forgets);
	pv_names_find(scene.names, PV_STR("a.test"), on_told, &forgets.other);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(forgets.times == 1 && forgets.other.times == 0,
	    "who is told may forget who would be told next");
	struct actor finds = {scene.names, find_again, {.times = 0}, 0};
	pv_names_find(scene.names, PV_STR("a.test"), on_act, &finds);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(finds.times == 3, "or look the same name up again");
	struct actor ends = {.names = scene.names};
	pv_names_find(scene.names, PV_STR("a.test"), on_destroy, &ends);
	pv_names_find(scene.names, PV_STR("a.test"), on_told, &ends.other);
	pv_names_find(scene.names, PV_STR("six.test"), on_told, &ends.other);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(ends.times == 2 && ends.other.times == 0,
	    "or end it all, and nobody is told any more");
	scene.names = NULL;
	scene_finish(&scene);
}

/* At any time: before the loop runs, in the middle of asking (by UDP and by
 * TCP), with others waiting. */
static void test_destroy(void)
{
	static const enum name_server_manner manners[] = {
	    NAME_SERVER_IS_SILENT, NAME_SERVER_IS_SILENT_TCP};
	for (int rounds = 0; rounds < 12; rounds++) {
		struct scene scene;
		struct told told = {.times = 0};
		char host[32];
		scene_init(&scene);
		struct name_server_entry silent = {"*.wild.test", "A 192.0.2.1",
		    .manner = manners[rounds % 2]};
		name_server_set(scene.server, &silent);
		scene.limits.asked_max = 5;
		scene_open(&scene, "", "");
		for (size_t i = 0; i < 20; i++)
			pv_names_find(
			    scene.names, host_of(i, host), on_told, &told);
		pv_names_find(scene.names, PV_STR("192.0.2.1"), on_told, &told);
		for (int i = 0; i < rounds / 2; i++)
			uv_run(&scene.loop, UV_RUN_NOWAIT);
		unsigned before = told.times;
		pv_names_destroy(scene.names);
		scene.names = NULL;
		uv_run(&scene.loop, UV_RUN_DEFAULT);
		ok(told.times == before && before <= 1,
		    "after %d turns it ends without a word", rounds / 2);
		scene_finish(&scene);
	}
	pv_names_destroy(NULL);
}

int main(void)
{
	test_answers();
	test_kept();
	test_get();
	test_rebinding();
	test_first_address();
	test_named();
	test_policy();
	test_hosts_file();
	test_bad_names();
	test_sharing();
	test_never_within();
	test_many();
	test_bounds();
	test_turns();
	test_forget();
	test_acting();
	test_destroy();
	return tap_done();
}
