#include "limiter/file_limiter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "limiter/asking.h"
#include "limiter/clock_file.h"
#include "scratch.h"
#include "tap.h"

/* What the file's limiter promises beyond every limiter (test_limiter.c): here
 * crawls are a few opened files of one process, or processes of their own, which
 * can be killed. */

#define DAY (INT64_C(24) * 3600 * 1000)

static struct scratch scratch;

static struct pv_limiter *open_by(const char *boot_id)
{
	return limiter_open(&pv_limiter_file, scratch.path, boot_id);
}

static void begin(void)
{
	scratch_make(&scratch);
}

static void finish(void)
{
	scratch_remove(&scratch);
}

/* Killed */

struct victim {
	pid_t pid;
	int said;
};

/* A crawl that has a request at the host, which went out if `is_sent`, and then
 * does nothing until it is killed. */
static struct victim start_victim(bool is_sent, int64_t rest_ms)
{
	int said[2];
	struct victim victim = {.pid = -1};
	if (pipe(said) != 0 || (victim.pid = fork()) < 0)
		return victim;
	if (victim.pid == 0) {
		struct asking asking = {
		    open_by("boot"), {rest_ms, true, 1}, NULL, {0}, 0, 0};
		bool is_granted = asking.limiter &&
				  claim(&asking, 1000) == PV_LIMITER_GRANTED;
		if (is_sent)
			sent(&asking, 1100);
		(void)!write(said[1], is_granted ? "y" : "n", 1);
		for (;;)
			pause();
	}
	close(said[1]);
	victim.said = said[0];
	char byte = '\0';
	ok(read(victim.said, &byte, 1) == 1 && byte == 'y',
	    "a crawl of its own process has a request that %s",
	    is_sent ? "went out" : "is about to go out");
	return victim;
}

static void kill_victim(struct victim *victim)
{
	kill(victim->pid, SIGKILL);
	waitpid(victim->pid, NULL, 0);
	close(victim->said);
}

static void test_killed(void)
{
	for (int is_sent = 0; is_sent < 2; is_sent++) {
		begin();
		struct victim victim = start_victim(is_sent, 3000);
		struct asking asking = {
		    open_by("boot"), usual, NULL, {0}, 0, 0};
		ok(claim(&asking, 60000) == PV_LIMITER_BUSY,
		    "as long as it lives it keeps others away");
		kill_victim(&victim);
		ok(claim(&asking, 70000) == PV_LIMITER_EARLY &&
			asking.until == 73001,
		    "P1, P3: killed, it lets go, and its rest is kept from the "
		    "end of the millisecond in which that is found out");
		ok(claim(&asking, 73001) == PV_LIMITER_GRANTED,
		    "and then others go on");
		pv_limiter_close(asking.limiter);
		finish();
	}
}

static void leave_half_claimed(struct pv_clock_slot *slot, uint32_t number)
{
	for (unsigned i = 0; i < PV_CLOCK_HOLDERS; i++) {
		slot->holders[i].number = number;
		slot->holders[i].connecting = 1;
	}
}

/* What a crawl leaves that is killed between two steps. */
static void test_killed_in_the_middle(void)
{
	begin();
	struct pv_why why;
	struct pv_clock_file file;
	struct manner two = {10, false, 2};
	pv_why_init(&why);
	struct asking asking = {open_by("boot"), two, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), two, NULL, {0}, 0, 0};
	ok(pv_clock_file_open(&file, scratch.path, "boot", &why),
	    "a file of clocks opens three times");
	for (uint32_t i = 0; i <= file.bucket_mask; i++) {
		struct pv_clock_bucket *bucket = &file.buckets[i];
		bucket->taken_by = file.number;
		for (unsigned j = 0; j < PV_CLOCK_SLOTS; j++)
			leave_half_claimed(&bucket->slots[j], file.number);
	}
	ok(claim(&asking, 1000) == PV_LIMITER_BUSY,
	    "who has a bucket is not disturbed");
	pv_clock_file_close(&file);
	ok(claim(&asking, 1000) == PV_LIMITER_GRANTED, "P3: unless it is over");
	sent(&asking, 1000);
	ok(claim(&other, 2000) == PV_LIMITER_GRANTED,
	    "P3: and what it had only begun to claim is in nobody's way");
	pv_limiter_close(asking.limiter);
	pv_limiter_close(other.limiter);
	pv_why_finish(&why);
	finish();
}

/* Boots */

/* A host was asked at 500000 and is to be left alone until `next`; then the
 * machine boots, and its monotonic clock says 1000. */
static const struct {
	const char *claim;
	int64_t next;
	int64_t passed_ms; /* by the wall clock since 500000 */
	int64_t until;     /* 0: at once */
} boots[] = {
    {"the wait goes on, rounded up", 3500000, 60000, 1000 + 2940001},
    {"the wait has passed", 3500000, 4000000, 0},
    {"the wall clock was put back", 3500000, -90000000, 1000 + 3000000},
    {"there was none", 500100, 60000, 0},
    {"a short rest, and the clock was put back", 500900, -5000, 1900},
};

static void test_boots(void)
{
	for (size_t i = 0; i < sizeof(boots) / sizeof(*boots); i++) {
		begin();
		struct asking before = {
		    open_by("before"), {100, true, 1}, NULL, {0}, 0, 0};
		claim(&before, 499990);
		sent(&before, 499995);
		end_until(&before, 500000, boots[i].next);
		pv_limiter_close(before.limiter);
		struct asking after = {
		    open_by("after"), {100, true, 1}, NULL, {0}, 0, 0};
		struct pv_time now = {
		    1000, ASKING_WALL + 500000 + boots[i].passed_ms};
		enum pv_limiter_answer answer = claim_at(&after, now);
		ok(boots[i].until ? answer == PV_LIMITER_EARLY &&
					after.until == boots[i].until
				  : answer == PV_LIMITER_GRANTED,
		    "P3: after a boot, %s (%lld)", boots[i].claim,
		    (long long)after.until);
		pv_limiter_close(after.limiter);
		finish();
	}
}

static void test_boot_amidst(void)
{
	begin();
	struct asking before = {open_by("before"), usual, NULL, {0}, 0, 0};
	claim(&before, 1000000);
	struct pv_why why;
	pv_why_init(&why);
	ok(!pv_limiter_file.open(scratch.path, "after", &why) &&
		why.problems.count == 1,
	    "who was booted at another time while a crawl runs is another "
	    "machine, and is refused");
	pv_why_finish(&why);
	pv_limiter_close(before.limiter);
	struct asking after = {open_by("after"), usual, NULL, {0}, 0, 0};
	ok(claim(&after, 500) == PV_LIMITER_EARLY && after.until == 1501,
	    "P3: what was open when the machine went down is rested from "
	    "now");
	pv_limiter_close(after.limiter);
	finish();
}

/* Files */

static const struct {
	const char *claim;
	const char *bytes;
	size_t len;
	bool is_opened;
} contents[] = {
    {"an empty file is made a file of clocks", "", 0, true},
    {"somebody's text is left alone", "my clocks\n", 10, false},
    {"a newer version is left alone", "pvclocks\5\0\0\0and more", 20, false},
    {"one that was cut short is made anew", "pvclocks\1\0\0\0", 12, true},
    {"one that was not finished is made anew", "\0\0\0\0\0\0\0\0\1", 9, true},
};

static void test_contents(void)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++) {
		char found[64] = "";
		struct pv_why why;
		begin();
		pv_why_init(&why);
		FILE *file = fopen(scratch_file(&scratch, "clocks"), "w");
		fwrite(contents[i].bytes, 1, contents[i].len, file);
		fclose(file);
		struct pv_limiter *limiter =
		    pv_limiter_file.open(scratch.path, "boot", &why);
		ok((limiter != NULL) == contents[i].is_opened &&
			(why.problems.count == 1) == !contents[i].is_opened,
		    "%s: %s", contents[i].claim,
		    why.problems.count ? why.problems.kept[0].text : "");
		file = fopen(scratch_file(&scratch, "clocks"), "r");
		size_t len = fread(found, 1, sizeof(found), file);
		fclose(file);
		ok(limiter ? len == sizeof(found)
			   : len == contents[i].len &&
				 memcmp(found, contents[i].bytes, len) == 0,
		    "P3: and the file %s", limiter ? "is one" : "is as it was");
		pv_limiter_close(limiter);
		pv_why_finish(&why);
		finish();
	}
}

/* What a file of the first version says, whose slots had a fifth holder where
 * turns stand now. */
static void make_old(void)
{
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (uint32_t i = 0; i <= file.bucket_mask; i++) {
		struct pv_clock_slot *slot = file.buckets[i].slots;
		struct pv_clock_holder last = {
		    .number = 1, .open = i % 2, .open_max = 1};
		memcpy((char *)slot + sizeof(*slot) - sizeof(last), &last,
		    sizeof(last));
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
	FILE *old = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(old, 8, SEEK_SET);
	fputc(1, old);
	fclose(old);
}

static void test_first_version(void)
{
	begin();
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	claim(&one, 1000);
	end_until(&one, 1000, 90000);
	pv_limiter_close(one.limiter);
	make_old();
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	ok(pv_clock_file_open(&file, scratch.path, "boot", &why) &&
		!why.notes.count && !file.buckets[0].slots[0].turn_since &&
		file.buckets[1].slots[0].holders[0].open &&
		!file.buckets[2].slots[0].holders[0].open,
	    "P3: a file of the first version is brought up, and what was open "
	    "there stays so");
	pv_clock_file_close(&file);
	pv_why_finish(&why);
	one.limiter = open_by("boot");
	ok(claim(&one, 2000) == PV_LIMITER_EARLY && one.until == 90000,
	    "P1: with the rests that were asked for");
	pv_limiter_close(one.limiter);
	finish();
}

/* In the second version a name had one bucket, where it is found by now, too;
 * but crawls of both versions at once would find it in different ones. */
static void set_version(int version)
{
	FILE *old = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(old, 8, SEEK_SET);
	fputc(version, old);
	fclose(old);
}

static void test_second_version(void)
{
	begin();
	struct pv_why why;
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	claim(&one, 1000);
	end_until(&one, 1000, 90000);
	set_version(2);
	pv_why_init(&why);
	ok(!pv_limiter_file.open(scratch.path, "boot", &why) &&
		why.problems.count,
	    "P1: a file of the second version that is in use is left alone");
	pv_why_finish(&why);
	pv_limiter_close(one.limiter);
	one.limiter = open_by("boot");
	ok(claim(&one, 2000) == PV_LIMITER_EARLY && one.until == 90000,
	    "P1: later it is brought up, with the rests that were asked for");
	pv_limiter_close(one.limiter);
	finish();
}

static void test_places(void)
{
	struct stat facts;
	struct pv_why why;
	struct pv_buf path;
	begin();
	pv_why_init(&why);
	pv_buf_init(&path, 1024);
	pv_buf_append_format(&path, "%s/clocks", scratch.path);
	struct pv_limiter *limiter =
	    pv_limiter_file.open(pv_buf_text(&path), "boot", &why);
	ok(limiter && stat(pv_buf_text(&path), &facts) == 0 &&
		(facts.st_mode & 0777) == 0700,
	    "the directory is made, for its owner alone");
	pv_limiter_close(limiter);
	ok(!pv_limiter_file.open(scratch.path, "boot", &why) &&
		why.problems.count == 1,
	    "what is called so and no file is refused");
	pv_buf_append_text(&path, "/clocks");
	ok(stat(pv_buf_text(&path), &facts) == 0 &&
		(facts.st_mode & 0777) == 0600 &&
		facts.st_blocks * 512 >= facts.st_size,
	    "the file is its owner's alone, and has all the room that it will "
	    "need");
	ok(!pv_limiter_file.open(pv_buf_text(&path), "boot", &why) &&
		why.problems.count == 2,
	    "where no directory can be made, crawls share nothing");
	unlink(pv_buf_text(&path));
	pv_buf_cut(&path, path.len - strlen("/clocks"));
	rmdir(pv_buf_text(&path));
	ok(symlink("/dev/null", pv_buf_text(&path)) == 0 &&
		!pv_limiter_file.open(scratch.path, "boot", &why),
	    "a link is not followed");
	pv_buf_finish(&path);
	pv_why_finish(&why);
	finish();
}

/* A little generator, so that a failure can be seen again. */
static uint64_t next_number(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 24;
}

static void spoil(void)
{
	uint64_t state = 54;
	FILE *file = fopen(scratch_file(&scratch, "clocks"), "r+");
	fseek(file, 4096, SEEK_SET);
	for (size_t i = 0; i < (1 << 20); i++) {
		uint64_t number = next_number(&state) * next_number(&state);
		if (i % 3)
			number &= 0xffff;
		fwrite(&number, 1, sizeof(number), file);
	}
	fclose(file);
}

static void test_spoilt(void)
{
	begin();
	struct asking asking = {open_by("boot"), usual, NULL, {0}, 0, 0};
	pv_limiter_close(asking.limiter);
	spoil();
	asking.limiter = open_by("boot");
	size_t granted = 0;
	size_t late = 0;
	for (unsigned i = 0; i < 5000; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%u", i);
		asking.name = name;
		claim(&asking, 2000000);
		late += asking.until > 2000000 + 60 * DAY;
		drop(&asking);
		granted += claim(&asking, 60 * DAY) == PV_LIMITER_GRANTED;
		drop(&asking);
	}
	ok(granted == 5000 && !late,
	    "P5: with a spoilt file nobody waits for ever (%zu go on, %zu not "
	    "soon)",
	    granted, late);
	pv_limiter_close(asking.limiter);
	finish();
}

/* Full */

#define NAMES 200000u

static size_t claim_all(
    struct asking *asking, unsigned from, int64_t ms, bool *was_granted)
{
	size_t granted = 0;
	for (unsigned i = from; i < NAMES; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%u", i);
		asking->name = name;
		bool is_granted = claim(asking, ms) == PV_LIMITER_GRANTED;
		if (is_granted) {
			sent(asking, ms);
			end(asking, ms);
		}
		was_granted[i] = is_granted;
		granted += is_granted;
	}
	return granted;
}

static void test_full(void)
{
	bool *first = pv_alloc_array(NAMES, sizeof(*first));
	bool *second = pv_alloc_array(NAMES, sizeof(*second));
	begin();
	struct asking one = {open_by("boot"), usual, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), usual, NULL, {0}, 0, 0};
	size_t granted = claim_all(&one, 0, 1000, first);
	ok(granted > 100000 && granted < NAMES,
	    "of 200,000 clocks that are in use at once some have to share "
	    "(%zu are granted)",
	    granted);
	claim_all(&other, 0, 1500, second);
	size_t faster = 0;
	for (unsigned i = 0; i < NAMES; i++)
		faster += first[i] && second[i];
	ok(!faster, "P1: which makes nobody faster (%zu)", faster);
	granted = claim_all(&other, 0, 4000, second);
	ok(granted > 100000,
	    "when the first has not come for its turns, as many are granted "
	    "(%zu)",
	    granted);
	granted = claim_all(&one, NAMES - 20000, 30000, first);
	ok(granted == 20000,
	    "when they have been quiet, others have their room (%zu)", granted);
	pv_limiter_close(one.limiter);
	pv_limiter_close(other.limiter);
	finish();
	free(first);
	free(second);
}

/* Crowded: more names than one bucket has slots for. */

#define CROWD 40
#define STEPS 200000

static void find_crowd(char names[CROWD][16])
{
	struct pv_why why;
	struct pv_clock_file file;
	unsigned count = 0;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (unsigned i = 0; count < CROWD; i++) {
		snprintf(names[count], 16, "%u", i);
		uint64_t name = pv_hash(&file.key, pv_str_of(names[count]));
		count += !(name & file.bucket_mask);
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
}

/* All other buckets are full, of clocks that are in use for a day. */
static void fill_others(int64_t ms)
{
	struct pv_why why;
	struct pv_clock_file file;
	pv_why_init(&why);
	pv_clock_file_open(&file, scratch.path, "boot", &why);
	for (uint32_t i = 1; i <= file.bucket_mask; i++) {
		for (unsigned j = 0; j < PV_CLOCK_SLOTS; j++) {
			struct pv_clock_slot *slot = &file.buckets[i].slots[j];
			slot->boot = file.boot;
			slot->last_start = slot->last_end = ms;
			slot->next = ms + 86400000;
			file.buckets[i].names[j] = 1 + j;
		}
	}
	pv_clock_file_close(&file);
	pv_why_finish(&why);
}

/* Each name is asked for with one of two rests of less than ten seconds, or
 * always with the same, and each grant held against the one before. */
struct crowd {
	char names[CROWD][16];
	int64_t last_ms[CROWD]; /* 0: none yet */
	size_t granted;
	size_t faults;
};

static void ask_crowd(
    struct crowd *crowd, struct asking *asking, int64_t ms, uint64_t *chance)
{
	/* Some names come up often, and others rarely. */
	unsigned i = (unsigned)(next_number(chance) % CROWD);
	if (next_number(chance) % 2)
		i %= 8;
	asking->name = crowd->names[i];
	asking->manner.rest_ms = i % 3 == 0                ? 15000
				 : next_number(chance) % 2 ? 300
							   : 9000;
	if (claim(asking, ms) != PV_LIMITER_GRANTED)
		return;
	sent(asking, ms);
	end(asking, ms);
	crowd->faults += crowd->last_ms[i] &&
			 ms - crowd->last_ms[i] < asking->manner.rest_ms;
	crowd->last_ms[i] = ms;
	crowd->granted++;
}

static void test_crowd(void)
{
	struct crowd crowd = {.granted = 0};
	uint64_t chance = 3;
	int64_t ms = 1000;
	begin();
	struct asking crawls[] = {{open_by("boot"), usual, NULL, {0}, 0, 0},
	    {open_by("boot"), usual, NULL, {0}, 0, 0}};
	find_crowd(crowd.names);
	fill_others(ms);
	for (unsigned i = 0; i < STEPS; i++) {
		/* Now all of them are in use, and then only a few. */
		unsigned step_ms = i % 400 < 300 ? 60 : 1500;
		ms += (int64_t)(next_number(&chance) % step_ms);
		ask_crowd(&crowd, &crawls[i % 2], ms, &chance);
	}
	ok(!crowd.faults && crowd.granted > STEPS / 50,
	    "P1: of 40 names that have room for 15, with rests of 0.3 to 15 s, "
	    "none is asked too soon (%zu requests, %zu too soon)",
	    crowd.granted, crowd.faults);
	pv_limiter_close(crawls[0].limiter);
	pv_limiter_close(crawls[1].limiter);
	finish();
}

/* As many as a crawl of 50,000 hosts has in use, each at an address of its own:
 * of those that rest none waits for another. */
static void test_many_names(void)
{
	enum { IN_USE = 100000, REST_MS = 3600000 };
	begin();
	struct asking asking = {open_by("boot"),
	    (struct manner){REST_MS, false, 1}, NULL, {0}, 0, 0};
	unsigned refused = 0, granted = 0;
	char name[16];
	asking.name = name;
	for (unsigned i = 0; i < IN_USE; i++) {
		snprintf(name, sizeof(name), "h%u", i);
		refused += claim(&asking, 1000) != PV_LIMITER_GRANTED;
		sent(&asking, 1000);
		end(&asking, 1000);
	}
	ok(refused <= IN_USE / 1000,
	    "P6: of %d names nearly none shares a clock with another (%u)",
	    IN_USE, refused);
	for (unsigned i = 0; i < IN_USE; i++) {
		snprintf(name, sizeof(name), "h%u", i);
		granted += claim(&asking, REST_MS) == PV_LIMITER_GRANTED;
	}
	ok(!granted, "P1: and each is known to rest (%u are not)", granted);
	pv_limiter_close(asking.limiter);
	finish();
}

/* By chance */

#define HOSTS 3
#define STARTS_MAX 4000
#define RUN_MS 400
#define STARTS_LEAST 20 /* however long that takes */

struct start {
	unsigned host;
	int64_t rest_us;
	int64_t start_us;
	int64_t end_us; /* 0: it was killed before */
	bool is_from_end;
	bool is_alone;
};

struct book {
	_Atomic unsigned count;
	struct start starts[STARTS_MAX];
};

static int64_t now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void wait_us(uint64_t us)
{
	nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
}

static void make_request(
    struct asking *asking, struct book *book, unsigned host, uint64_t *chance)
{
	wait_us(next_number(chance) % 700);
	unsigned number = book->count++;
	if (number >= STARTS_MAX)
		_exit(0);
	struct start *start = &book->starts[number];
	start->host = host;
	start->rest_us = asking->manner.rest_ms * 1000;
	start->is_from_end = asking->manner.is_from_end;
	start->is_alone = asking->manner.open_max == 1;
	start->start_us = now_us();
	sent(asking, now_us() / 1000 + 1);
	wait_us(next_number(chance) % 3000);
	start->end_us = now_us();
	end(asking, now_us() / 1000 + 1);
}

/* A crawl that asks for whatever it may. */
static _Noreturn void crawl(struct book *book, uint64_t chance)
{
	static const char *const names[HOSTS] = {"a", "b", "c"};
	struct asking asking = {.limiter = open_by("boot")};
	struct manner manners[HOSTS];
	int64_t until_us = now_us() + RUN_MS * 1000;
	for (unsigned i = 0; i < HOSTS; i++)
		manners[i] = (struct manner){
		    (int64_t)(next_number(&chance) % 9),
		    next_number(&chance) % 2,
		    next_number(&chance) % 2 ? 1 : 3,
		};
	while (now_us() < until_us || book->count <= STARTS_LEAST) {
		unsigned host = (unsigned)(next_number(&chance) % HOSTS);
		asking.name = names[host];
		asking.manner = manners[host];
		if (claim_at(&asking, pv_time_now()) == PV_LIMITER_GRANTED)
			make_request(&asking, book, host, &chance);
		else
			wait_us(next_number(&chance) % 1000);
	}
	_exit(0);
}

static int by_start(const void *a, const void *b)
{
	const struct start *one = a;
	const struct start *other = b;
	return (one->start_us > other->start_us) -
	       (one->start_us < other->start_us);
}

/* How long one crawl has it that a request waits after another. */
static int64_t earliest(
    const struct start *asker, const struct start *one, bool is_alone)
{
	bool is_from_end = asker->is_from_end && is_alone && one->end_us;
	return (is_from_end ? one->end_us : one->start_us) + asker->rest_us;
}

/* Whether a request came too soon after another. Where several may be open, one
 * may have been about to go out while the other ended. */
static bool is_too_soon(const struct start *one, const struct start *next)
{
	bool is_alone = one->is_alone || next->is_alone;
	return next->start_us < earliest(one, one, is_alone) ||
	       next->start_us < earliest(next, one, is_alone) ||
	       (is_alone && next->start_us < one->end_us);
}

static void judge(struct book *book, uint64_t seed, unsigned crawls)
{
	unsigned count =
	    book->count < STARTS_MAX ? (unsigned)book->count : STARTS_MAX;
	size_t faults = 0;
	qsort(book->starts, count, sizeof(*book->starts), by_start);
	for (unsigned i = 0; i < count; i++) {
		unsigned next = i + 1;
		while (next < count &&
		       book->starts[next].host != book->starts[i].host)
			next++;
		if (next < count && book->starts[i].start_us &&
		    is_too_soon(&book->starts[i], &book->starts[next]))
			faults++;
	}
	ok(!faults && count > STARTS_LEAST,
	    "P1: of %u requests of %u crawls none comes sooner than either "
	    "crawl has it (by chance %llu: %zu)",
	    count, crawls, (unsigned long long)seed, faults);
}

static void test_by_chance(uint64_t seed)
{
	pid_t pids[4];
	uint64_t chance = seed;
	unsigned crawls = 2 + (unsigned)(next_number(&chance) % 3);
	struct book *book = mmap(NULL, sizeof(*book), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	begin();
	for (unsigned i = 0; i < crawls; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			crawl(book, seed * 1000 + i);
	}
	wait_us(100000 + next_number(&chance) % 100000);
	kill(pids[0], SIGKILL); /* in the midst of anything */
	for (unsigned i = 0; i < crawls; i++)
		waitpid(pids[i], NULL, 0);
	judge(book, seed, crawls);
	munmap(book, sizeof(*book));
	finish();
}

/* A crawl that comes once a minute, and one that comes once in between: others
 * that come do not make the clock forget the first. */
static void test_long_rest(void)
{
	static const struct manner quick = {100, true, 1};
	static const struct manner slow = {60000, true, 1};
	struct crowd crowd = {.granted = 0};
	begin();
	struct asking one = {open_by("boot"), quick, NULL, {0}, 0, 0};
	struct asking other = {open_by("boot"), slow, NULL, {0}, 0, 0};
	find_crowd(crowd.names);
	one.name = other.name = crowd.names[0];
	claim(&one, 1000);
	end(&one, 1000);
	ok(claim(&other, 1100) == PV_LIMITER_EARLY && other.until == 61000,
	    "P1: a long rest is kept from what another asked");
	for (unsigned i = 1; i <= PV_CLOCK_SLOTS; i++) {
		one.name = crowd.names[i];
		claim(&one, 12000);
		end(&one, 12000);
	}
	ok(claim(&other, 24000) == PV_LIMITER_EARLY && other.until >= 61000,
	    "P1: also if its neighbours are in want of room (%lld)",
	    (long long)other.until);
	pv_limiter_close(one.limiter);
	pv_limiter_close(other.limiter);
	finish();
}

/* Whoever needs no rest starts beside others that need none, whatever has been
 * asked for before. */
static void test_past_rest(void)
{
	static const struct manner many = {0, false, 4};
	static const struct manner resting = {1000, true, 4};
	begin();
	struct asking slow = {open_by("boot"), resting, NULL, {0}, 0, 0};
	struct asking one = {open_by("boot"), many, NULL, {0}, 0, 0};
	struct asking two = one;
	claim(&slow, 1000);
	ok(claim(&one, 1000) == PV_LIMITER_BUSY,
	    "P1: nothing starts beside a request that is to have a rest");
	sent(&slow, 1000);
	end(&slow, 1000);
	ok(claim(&one, 2000) == PV_LIMITER_GRANTED &&
		claim(&two, 2000) == PV_LIMITER_GRANTED,
	    "a rest that is over does not keep others apart");
	ok(claim(&slow, 2000) == PV_LIMITER_BUSY,
	    "P1: but who needs one waits until they have started");
	drop(&one);
	drop(&two);
	pv_limiter_close(one.limiter);
	pv_limiter_close(slow.limiter);
	finish();
}

int main(void)
{
	test_killed();
	test_killed_in_the_middle();
	test_boots();
	test_boot_amidst();
	test_contents();
	test_first_version();
	test_second_version();
	test_places();
	test_spoilt();
	test_full();
	test_crowd();
	test_many_names();
	test_long_rest();
	test_past_rest();
	for (uint64_t seed = 1; seed <= 6; seed++)
		test_by_chance(seed);
	return tap_done();
}
