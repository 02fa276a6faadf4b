#include "record/standing.h"

#include "tap.h"

static const struct pv_standing samples[] = {
    {.use = PV_PAGE, .depth = 2, .depth_left = 3},
    {.use = PV_PAGE, .depth = 4, .depth_left = 5, .hops = 1},
    {.use = PV_PAGE, .depth = 3, .depth_left = 3, .redirects = 2},
    {.use = PV_RESOURCE, .depth = 1, .depth_left = 9},
    {.use = PV_RESOURCE, .depth = 5, .depth_left = 2, .redirects = 1},
    {.use = PV_RESOURCE, .depth = 5, .depth_left = 8},
    {.use = PV_PAGE, .depth = 5},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_HOST, 0}},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_RULE, 3}},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_RULE, 2}},
    {.use = PV_REFUSED, .depth = 4, .verdict = {PV_REASON_DEPTH, 0}},
    {.use = PV_REFUSED, .depth = 1, .verdict = {PV_REASON_CHAINED, 0}},
    {.use = PV_REFUSED,
	.depth = 1,
	.depth_left = 3,
	.verdict = {PV_REASON_NOFOLLOW, 0}},
    {.use = PV_PAGE, .depth = 3, .kind = 2},
    {.use = PV_PAGE, .depth = 2, .kind = 5},
    {.use = PV_REFUSED,
	.depth = 1,
	.kind = 1,
	.verdict = {PV_REASON_ROBOTS, 3}},
    {.use = PV_PAGE, .depth = 1, .listing = PV_LISTS_ALL, .is_only_list = true},
    {.use = PV_PAGE,
	.depth_left = 1,
	.listing = PV_LISTS_PAGES,
	.is_only_list = true,
	.is_entry = true},
    {.use = PV_PAGE, .depth_left = 1, .is_entry = true},
    {.use = PV_PAGE, .depth_left = 2},
};

/* The first of each use. */
#define PAGE 0
#define RESOURCE 3
#define HOST 7
#define RULE 8
#define LOWER_RULE 9
#define DEEP 10
#define CHAINED 11

#define SAMPLES (sizeof(samples) / sizeof(*samples))

static struct pv_standing join(struct pv_standing a, struct pv_standing b)
{
	pv_standing_join(&a, &b);
	return a;
}

static bool is_same(struct pv_standing a, struct pv_standing b)
{
	return pv_standing_equal(&a, &b);
}

/* What every order of finding must agree on. */
static void test_order(void)
{
	unsigned idempotent = 0, commutative = 0, associative = 0;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct pv_standing a = samples[i];
		idempotent += is_same(join(a, a), a);
		for (size_t j = 0; j < SAMPLES; j++) {
			struct pv_standing b = samples[j];
			commutative += is_same(join(a, b), join(b, a));
			for (size_t k = 0; k < SAMPLES; k++) {
				struct pv_standing c = samples[k];
				associative += is_same(
				    join(join(a, b), c), join(a, join(b, c)));
			}
		}
	}
	ok(idempotent == SAMPLES, "the same again changes nothing");
	ok(commutative == SAMPLES * SAMPLES,
	    "which of two is found first changes nothing");
	ok(associative == SAMPLES * SAMPLES * SAMPLES,
	    "nor in which order three are found");
}

static void test_strength(void)
{
	struct pv_standing page = samples[0];
	struct pv_standing deeper = page;
	deeper.depth = 7;
	ok(!pv_standing_join(&page, &deeper), "a deeper one says nothing new");
	ok(is_same(join(samples[DEEP], samples[RESOURCE]), samples[RESOURCE]),
	    "what was refused as a page is admitted as a resource");
	ok(is_same(join(samples[RESOURCE], samples[PAGE]), samples[PAGE]),
	    "a page is stronger than a resource that is less deep");
	ok(join(samples[0], samples[1]).depth == 2 &&
		join(samples[0], samples[1]).depth_left == 5 &&
		join(samples[0], samples[1]).hops == 0,
	    "the best of each number counts");
	ok(join(samples[RESOURCE], samples[RESOURCE + 1]).depth_left == 9 &&
		join(samples[RESOURCE + 1], samples[RESOURCE + 2]).depth_left ==
		    8,
	    "so a resource leads as far as from where it is nearest");
	ok(join(samples[RESOURCE], samples[PAGE + 2]).depth_left == 3 &&
		join(samples[6], samples[RESOURCE]).depth_left == 0 &&
		join(samples[CHAINED], samples[RESOURCE]).depth_left == 9,
	    "but how far a page does is another number, which counts alone");
	ok(join(samples[2], samples[0]).redirects == 0,
	    "what is linked to begins a new row of redirects");
	ok(is_same(join(samples[DEEP], samples[HOST]), samples[HOST]),
	    "of refusals the one nearest to a seed is kept");
	ok(join(samples[RULE], samples[LOWER_RULE]).verdict.line == 2,
	    "and among those the first line");
	struct pv_standing far = samples[RULE];
	far.depth_left = 2;
	ok(is_same(join(samples[RULE], far), far) &&
		is_same(join(far, samples[RULE]), far),
	    "before that, the one that may lead the farthest");
}

static void test_lists(void)
{
	struct pv_standing list = {
	    .use = PV_PAGE, .listing = PV_LISTS_ALL, .is_only_list = true};
	struct pv_standing entry = {.use = PV_PAGE, .is_entry = true};
	struct pv_standing image = {.use = PV_RESOURCE,
	    .listing = PV_LISTS_ALL,
	    .is_only_list = true,
	    .is_entry = true};
	struct pv_standing page = samples[PAGE], packed = {.use = PV_PAGE};
	ok(!pv_standing_is_for_readers(&list),
	    "a sitemap is no page for readers");
	list = join(list, page);
	ok(pv_standing_is_for_readers(&list) && list.listing == PV_LISTS_ALL,
	    "unless a link leads to it, and it is a sitemap still");
	entry = join(entry, page);
	ok(!entry.depth && !pv_standing_is_seed(&entry),
	    "what a sitemap of the seeds names is no seed, whoever links to it");
	entry = join(entry, samples[SAMPLES - 1]);
	ok(pv_standing_is_seed(&entry), "unless somebody named it as well");
	pv_standing_bound(&image);
	ok(!image.listing && !image.is_only_list && !image.is_entry,
	    "a resource lists nothing");
	pv_listing_unpack(pv_listing_pack(&samples[SAMPLES - 3]), &packed);
	ok(packed.listing == PV_LISTS_PAGES && packed.is_only_list &&
		packed.is_entry,
	    "all of that goes into a state file and comes back");
	pv_listing_unpack(3, &packed);
	ok(packed.listing == PV_LISTS_NOTHING,
	    "what nobody writes there lists nothing");
}

static void test_words(void)
{
	is_text(pv_str_of(pv_use_word(PV_PAGE)), "page", "uses have words");
	is_text(pv_str_of(pv_use_word(99)), "unknown", "strange ones as well");
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		ok(pv_reason_word(i), "P4: reason %u has a word: %s", i,
		    pv_reason_word(i));
	is_text(pv_str_of(pv_reason_word(PV_REASON_COUNT)), "unknown",
	    "a reason of a later version is unknown");
}

int main(void)
{
	test_order();
	test_strength();
	test_lists();
	test_words();
	return tap_done();
}
