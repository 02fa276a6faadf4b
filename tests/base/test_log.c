#include "base/log.h"

#include "base/buf.h"
#include "tap.h"

/* A root that keeps what it is told. */
struct listener {
	struct pv_log log;
	struct pv_buf lines;
	enum pv_log_level last;
	unsigned count;
};

static void hear(void *ctx, enum pv_log_level level, struct pv_str line)
{
	struct listener *listener = ctx;
	pv_buf_append(&listener->lines, line);
	pv_buf_append_char(&listener->lines, '|');
	listener->last = level;
	listener->count++;
}

static void listener_init(struct listener *listener, enum pv_log_level level)
{
	*listener = (struct listener){
	    .log = {.level = level, .write = hear, .ctx = listener}};
	pv_buf_init(&listener->lines, 100000);
}

static void heard(
    struct listener *listener, const char *wanted, const char *claim)
{
	is_text(pv_buf_str(&listener->lines), wanted, "%s", claim);
	pv_buf_clear(&listener->lines);
}

static void test_contexts(void)
{
	struct listener listener;
	listener_init(&listener, PV_LOG_INFO);
	struct pv_log host = {.parent = &listener.log, .context = "a.example"};
	struct pv_log none = {.parent = &host};
	struct pv_log empty = {.parent = &none, .context = ""};
	struct pv_log robots = {.parent = &empty, .context = "robots"};
	pv_log(&listener.log, PV_LOG_INFO, "%d pages", 7);
	heard(&listener, "7 pages|", "a root without a context adds none");
	pv_log(&host, PV_LOG_INFO, "left: %s", "too slow");
	heard(&listener, "a.example: left: too slow|", "a context comes first");
	pv_log(&robots, PV_LOG_INFO, "read");
	heard(&listener, "a.example: robots: read|",
	    "contexts stand from the root inwards, and empty ones nowhere");
	listener.log.context = "crawl";
	pv_log(&robots, PV_LOG_INFO, "%s", "");
	heard(&listener, "crawl: a.example: robots: |",
	    "the root may have one, too");
	pv_buf_finish(&listener.lines);
}

static void test_levels(void)
{
	for (enum pv_log_level told = PV_LOG_ERROR; told <= PV_LOG_DEBUG;
	     told++) {
		struct listener listener;
		listener_init(&listener, told);
		struct pv_log child = {
		    .parent = &listener.log, .level = PV_LOG_ERROR};
		for (enum pv_log_level level = PV_LOG_ERROR;
		     level <= PV_LOG_DEBUG; level++)
			pv_log(&child, level, "line");
		ok(listener.count == told + 1 && listener.last == told,
		    "at level %d the root tells %d kinds of line", told,
		    told + 1);
		pv_buf_finish(&listener.lines);
	}
}

static void test_strangers(void)
{
	struct listener listener;
	listener_init(&listener, PV_LOG_INFO);
	struct pv_log host = {
	    .parent = &listener.log, .context = "a\x1b[2J.example"};
	pv_log(&host, PV_LOG_INFO, "said \"%s\"", "\r\n\xe2\x80\xae\xff");
	heard(&listener, "a\\x1b[2J.example: said \"\\r\\n\\u{202e}\\xff\"|",
	    "nothing from the web reaches a terminal raw");
	pv_buf_finish(&listener.lines);
}

static void test_long_lines(void)
{
	static const int lengths[] = {4096, 4097, 10000};
	char text[10001];
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct listener listener;
		listener_init(&listener, PV_LOG_INFO);
		pv_log(&listener.log, PV_LOG_INFO, "%.*s", lengths[i], text);
		ok(listener.lines.len == 4096 + 1 &&
			listener.lines.ptr[0] == 'x',
		    "of %d bytes 4096 are told", lengths[i]);
		pv_buf_finish(&listener.lines);
	}
	struct listener listener;
	listener_init(&listener, PV_LOG_INFO);
	memset(text, 0x1b, sizeof(text));
	text[10000] = '\0';
	pv_log(&listener.log, PV_LOG_INFO, "%s", text);
	ok(listener.lines.len == 4096 + 1 &&
		pv_str_ends(pv_buf_str(&listener.lines), PV_STR("\\x1b|")),
	    "what is made visible is cut between two characters");
	pv_buf_finish(&listener.lines);
}

int main(void)
{
	test_contexts();
	test_levels();
	test_strangers();
	test_long_lines();
	return tap_done();
}
