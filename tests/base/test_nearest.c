#include "base/nearest.h"

#include "tap.h"

static const char *const words[] = {"delay", "delay_from", "delay_factor",
    "max_delay", "jitter", "connections", "max_rate", "ip_delay", "seeds",
    "name", "a", "tls"};

static const struct {
	const char *written;
	const char *meant; /* "" if nobody knows */
	const char *claim;
} cases[] = {
    {"delay", "delay", "a word is nearest to itself"},
    {"dlay", "delay", "a letter left out"},
    {"dellay", "delay", "a letter added"},
    {"deley", "delay", "a letter changed"},
    {"dealy", "delay", "two neighbours swapped"},
    {"edlay", "delay", "the first two swapped"},
    {"delya", "delay", "the last two swapped"},
    {"DELAY", "delay", "case counts for nothing"},
    {"delay-from", "delay_from", "nor does the difference of - and _"},
    {"delayfrom", "delay_from", "the line left out"},
    {"conections", "connections", "a letter of a long word"},
    {"connectionss", "connections", "one too many at the end"},
    {"conectoin", "connections", "several errors in a long word"},
    {"ttl", "", "two edits of a short word make another"},
    {"politeness", "", "nothing near"},
    {"xxxxx", "", "nothing near at the same length"},
    {"z", "", "a letter is not a typo of another"},
    {"", "", "nothing was written"},
    {"depth", "", "three edits of five letters are too many"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_nearest nearest =
		    pv_nearest_to(pv_str_of(cases[i].written));
		for (size_t j = 0; j < sizeof(words) / sizeof(*words); j++)
			pv_nearest_offer(&nearest, words[j]);
		is_text(pv_str_of(nearest.word ? nearest.word : ""),
		    cases[i].meant, "%s: \"%s\"", cases[i].claim,
		    cases[i].written);
	}
}

static void test_order(void)
{
	struct pv_nearest nearest = pv_nearest_to(PV_STR("bat"));
	ok(!nearest.word, "without offers nothing is near");
	pv_nearest_offer(&nearest, "bolt");
	pv_nearest_offer(&nearest, "cat");
	pv_nearest_offer(&nearest, "rat");
	pv_nearest_offer(&nearest, "boat");
	is_text(pv_str_of(nearest.word), "cat",
	    "a nearer word wins, and of equals the first");
	nearest = pv_nearest_to(PV_STR("from"));
	pv_nearest_offer(&nearest, "foam");
	pv_nearest_offer(&nearest, "form");
	is_text(pv_str_of(nearest.word), "form",
	    "two letters swapped are nearer than two changed");
	nearest = pv_nearest_to((struct pv_str){NULL, 0});
	pv_nearest_offer(&nearest, "a");
	pv_nearest_offer(&nearest, "");
	ok(!nearest.word, "nothing is near to no text");
	nearest = pv_nearest_to(PV_STR("del\0ay"));
	pv_nearest_offer(&nearest, "delay");
	is_text(pv_str_of(nearest.word), "delay", "a NUL is a typo");
}

static void test_long(void)
{
	char word[65];
	memset(word, 'x', 64);
	word[64] = '\0';
	struct pv_nearest nearest = pv_nearest_to((struct pv_str){word, 62});
	pv_nearest_offer(&nearest, word);
	ok(!nearest.word, "words of more than 63 letters are not compared");
	pv_nearest_offer(&nearest, word + 1);
	ok(nearest.word == word + 1, "those of 63 are");
	nearest = pv_nearest_to((struct pv_str){word, 64});
	pv_nearest_offer(&nearest, word + 1);
	ok(!nearest.word, "nor is anything with a longer one");
}

int main(void)
{
	test_cases();
	test_order();
	test_long();
	return tap_done();
}
