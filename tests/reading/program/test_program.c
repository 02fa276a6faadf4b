#include "reading/program/program.h"

#include "tap.h"

/* What a program of the test's own answers, and what it was asked. */
struct answering {
	enum pavane_choice choice;
	const char *word;
	const char *sentence;
	char asked[200];
	bool may_be_admitted;
};

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	struct answering *answering = ctx;
	snprintf(answering->asked, sizeof(answering->asked),
	    "%s on %s at %u: %s", link->address, link->page, link->depth,
	    link->verdict);
	answering->may_be_admitted = link->may_be_admitted;
	refusal->word = answering->word;
	refusal->sentence = answering->sentence;
	return answering->choice;
}

static void open_program(
    struct pv_program *program, struct answering *answering)
{
	const struct pavane_events events = {
	    .size = sizeof(events), .on_link = on_link};
	*answering = (struct answering){.choice = PAVANE_AS_IT_IS};
	pv_program_init(program, &events, answering);
}

static struct pv_verdict ask(struct pv_program *program, enum pv_reason reason)
{
	const struct pv_program_link link = {
	    .address = pv_str_head(PV_STR("http://a.test/x#y"), 15),
	    .page = PV_STR("http://a.test/"),
	    .depth = 3,
	};
	return pv_program_ask(
	    program, &link, (struct pv_verdict){.reason = reason, .line = 7});
}

static void test_choices(void)
{
	struct answering answering;
	struct pv_program program;
	open_program(&program, &answering);
	ok(pv_program_wants_links(&program), "a program is asked for links");
	struct pv_verdict verdict = ask(&program, PV_REASON_RULE);
	ok(verdict.reason == PV_REASON_RULE && verdict.line == 7,
	    "it may leave a verdict as it is");
	is_text(pv_str_of(answering.asked),
	    "http://a.test/x on http://a.test/ at 3: rule",
	    "it is told what, where, and what we think of it");
	ok(answering.may_be_admitted, "and that it may override a rule");
	answering.choice = PAVANE_ADMIT;
	ok(ask(&program, PV_REASON_RULE).reason == PV_REASON_NONE,
	    "which it does");
	answering.choice = PAVANE_REFUSE;
	verdict = ask(&program, PV_REASON_NONE);
	ok(verdict.reason == PV_REASON_PROGRAM && verdict.line == 1,
	    "P4: what it refuses has a reason of its own");
	ok(ask(&program, PV_REASON_ROBOTS).reason == PV_REASON_ROBOTS,
	    "what is refused already keeps its reason");
	pv_program_finish(&program);
}

/* Reasons that a program does not override, whatever it says. */
static void test_guards(void)
{
	static const enum pv_reason guards[] = {PV_REASON_ROBOTS,
	    PV_REASON_ROBOTS_UNREACHABLE, PV_REASON_NEVER, PV_REASON_PRIVATE,
	    PV_REASON_BLOCKED, PV_REASON_LIMIT, PV_REASON_CRAWL_DELAY,
	    PV_REASON_CREDENTIALS, PV_REASON_CONTACT, PV_REASON_NOFOLLOW,
	    PV_REASON_META_ROBOTS, PV_REASON_X_ROBOTS, PV_REASON_NOT_VOUCHED,
	    PV_REASON_TOO_LONG, PV_REASON_PORT, PV_REASON_REDIRECTS};
	struct answering answering;
	struct pv_program program;
	open_program(&program, &answering);
	answering.choice = PAVANE_ADMIT;
	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++)
		ok(ask(&program, guards[i]).reason == guards[i] &&
			!answering.may_be_admitted,
		    "P2: nobody admits what is %s", pv_reason_word(guards[i]));
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const struct pv_reason_row *row = pv_reason_get(i);
		if (row->kind == PV_KIND_TRAP)
			ok(!row->may_be_admitted, "P5: nor %s", row->word);
	}
	pv_program_finish(&program);
}

static unsigned refuse(struct pv_program *program, struct answering *answering,
    const char *word, const char *sentence)
{
	answering->choice = PAVANE_REFUSE;
	answering->word = word;
	answering->sentence = sentence;
	return ask(program, PV_REASON_NONE).line;
}

static void is_word(struct pv_program *program, unsigned number,
    const char *word, const char *sentence)
{
	struct pv_program_word found = {.word = ""};
	ok(pv_program_get(program, number, &found) &&
		strcmp(found.word, word) == 0 &&
		strcmp(found.sentence, sentence) == 0,
	    "word %u is %s: %s (%s: %s)", number, word, sentence, found.word,
	    found.sentence);
}

static void test_words(void)
{
	struct answering answering;
	struct pv_program program;
	char many[300];
	open_program(&program, &answering);
	ok(refuse(&program, &answering, "no-pdf", "we want no PDF") == 1 &&
		refuse(&program, &answering, "no-pdf", "nor this") == 2 &&
		refuse(&program, &answering, "no-pdf", "we want no PDF") == 1,
	    "a word with its sentence has one number");
	is_word(&program, 1, "no-pdf", "we want no PDF");
	refuse(&program, &answering, NULL, NULL);
	is_word(&program, 3, "program", "");
	refuse(&program, &answering, "A b\n\"c", "line\nfeed\x1b[2J");
	is_word(&program, 4, "bc", "line feed [2J");
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	unsigned number = refuse(&program, &answering, many, many);
	struct pv_program_word word = {.word = ""};
	ok(pv_program_get(&program, number, &word) &&
		strlen(word.word) == PV_PROGRAM_WORD_MAX &&
		strlen(word.sentence) == PV_PROGRAM_SENTENCE_MAX,
	    "both are cut where they are too long");
	ok(!pv_program_get(&program, 0, &word) &&
		!pv_program_get(&program, number + 1, &word),
	    "a number that none has has none");
	pv_program_finish(&program);
}

static void test_many_words(void)
{
	struct answering answering;
	struct pv_program program;
	open_program(&program, &answering);
	for (unsigned i = 1; i < 1500; i++) {
		char sentence[20];
		snprintf(sentence, sizeof(sentence), "%u", i);
		refuse(&program, &answering, "n", sentence);
	}
	is_word(&program, PV_PROGRAM_WORDS_MAX - 1, "n", "999");
	is_word(&program, PV_PROGRAM_WORDS_MAX, "others",
	    "for one of further reasons");
	ok(program.count == PV_PROGRAM_WORDS_MAX &&
		refuse(&program, &answering, "n", "1") == 1 &&
		refuse(&program, &answering, "n", "1499") ==
		    PV_PROGRAM_WORDS_MAX,
	    "P5: words without end cost nothing");
	pv_program_finish(&program);
}

struct keeping {
	unsigned count;
	unsigned last;
	char word[PV_PROGRAM_WORD_MAX + 1];
};

static void keep(void *ctx, unsigned number, const struct pv_program_word *word)
{
	struct keeping *keeping = ctx;
	keeping->count++;
	keeping->last = number;
	snprintf(keeping->word, sizeof(keeping->word), "%s", word->word);
}

static void test_keeping(void)
{
	struct answering answering;
	struct pv_program program;
	struct keeping keeping = {.count = 0};
	open_program(&program, &answering);
	pv_program_add_kept(&program, PV_STR("old"), PV_STR("of a run before"));
	pv_program_each_new(&program, keep, &keeping);
	ok(!keeping.count, "what the state has is not new");
	ok(refuse(&program, &answering, "old", "of a run before") == 1 &&
		refuse(&program, &answering, "new", "") == 2,
	    "numbers go on where another run ended");
	pv_program_each_new(&program, keep, &keeping);
	ok(keeping.count == 1 && keeping.last == 2 &&
		strcmp(keeping.word, "new") == 0,
	    "a new word is kept");
	pv_program_each_new(&program, keep, &keeping);
	ok(keeping.count == 1, "once");
	pv_program_finish(&program);
}

/* A program of another version, whose table ends sooner or later. */
static void test_sizes(void)
{
	struct answering answering = {.choice = PAVANE_ADMIT};
	struct {
		struct pavane_events events;
		void (*later)(void);
	} longer = {.events = {.size = sizeof(longer), .on_link = on_link}};
	struct pv_program program;
	pv_program_init(&program, &longer.events, &answering);
	ok(ask(&program, PV_REASON_HOST).reason == PV_REASON_NONE,
	    "a table that goes on behind what we know is read as far as that");
	pv_program_finish(&program);
	longer.events.size = sizeof(longer.events.size);
	pv_program_init(&program, &longer.events, &answering);
	ok(!pv_program_wants_links(&program),
	    "one that ends sooner is read no further");
	pv_program_finish(&program);
	pv_program_init(&program, NULL, NULL);
	ok(!pv_program_wants_links(&program), "without one nobody is asked");
	pv_program_finish(&program);
}

int main(void)
{
	test_choices();
	test_guards();
	test_words();
	test_many_words();
	test_keeping();
	test_sizes();
	return tap_done();
}
