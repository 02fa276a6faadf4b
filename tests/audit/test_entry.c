#include "audit/entry.h"

#include "tap.h"

#define TIME "\"time\":\"2026-03-01T09:30:00.250Z\""
#define REST ",\"url\":\"http://a.test/\",\"host\":\"a.test\""

static void test_whole(void)
{
	struct pv_audit_entry entry;
	bool is_read = pv_audit_entry_read(&entry,
	    PV_STR("{" TIME REST ",\"ip\":\"10.0.0.1\",\"outcome\":"
		   "\"answered\",\"status\":503,\"attempt\":2,\"bytes\":8,"
		   "\"run\":3,\"released_ms\":10,\"sent_ms\":12,"
		   "\"end_ms\":30,\"gap_ms\":5,\"rule\":\"delay\","
		   "\"rest_ms\":4,\"at_once\":2,\"reaction_ms\":7,"
		   "\"retry_after_ms\":9000,\"digest\":\"sha256:00\","
		   "\"robots\":true,\"robots_of\":\"http://b.test\"}"));
	if (!ok(is_read, "a line with all that it may say is read"))
		return;
	const struct pv_pacing *pacing = &entry.request.pacing;
	ok(pacing->run == 3 && pacing->released_ms == 10 &&
		pacing->sent_ms == 12 && pacing->end_ms == 30 &&
		pacing->gap_ms == 5 && pacing->rest_ms == 4 &&
		pacing->at_once == 2 && pacing->reaction_ms == 7 &&
		pacing->retry_after_ms == 9000 && !pacing->is_own_fault &&
		strcmp(pacing->rule, "delay") == 0,
	    "its times go by their names");
	ok(entry.request.wall_ms == INT64_C(1772357400250) &&
		entry.request.http_status == 503 && entry.request.bytes == 8 &&
		entry.request.is_robots && entry.attempt == 2,
	    "and so does what it was");
	is_text(entry.url, "http://a.test/", "its address");
	is_text(entry.host, "a.test", "its host");
	is_text(entry.ip, "10.0.0.1", "where that is");
	is_text(entry.digest, "sha256:00", "what it said");
	is_text(entry.robots_of, "http://b.test", "and for whom");
	pv_audit_entry_finish(&entry);
}

static const struct {
	const char *outcome;
	const char *more;
	bool is_asked;
	bool is_answered;
	bool is_failure;
	bool is_unreachable;
	bool is_success;
} outcomes[] = {
    {"answered", ",\"status\":200", true, true, false, false, true},
    {"answered", ",\"status\":404", true, true, false, false, false},
    {"answered", ",\"status\":429", true, true, false, false, false},
    {"answered", ",\"status\":503", true, true, false, false, false},
    {"answered", ",\"status\":500", true, true, true, false, false},
    {"too-large", ",\"status\":200", true, true, false, false, false},
    {"broken-off", ",\"status\":200", true, false, true, false, false},
    {"timeout", "", true, false, true, false, false},
    {"tls", "", true, false, true, false, false},
    {"no-connection", "", true, false, true, true, false},
    {"no-connection", ",\"own_fault\":true", true, false, false, false, false},
    {"refused", "", false, false, true, false, false},
};

static void test_outcomes(void)
{
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(*outcomes); i++) {
		struct pv_audit_entry entry;
		struct pv_buf line;
		pv_buf_init(&line, 1000);
		pv_buf_append_format(&line,
		    "{" TIME REST ",\"outcome\":\"%s\"%s}", outcomes[i].outcome,
		    outcomes[i].more);
		bool is_read = pv_audit_entry_read(&entry, pv_buf_str(&line));
		ok(is_read && entry.is_asked == outcomes[i].is_asked &&
			entry.is_answered == outcomes[i].is_answered &&
			entry.is_failure == outcomes[i].is_failure &&
			entry.is_unreachable == outcomes[i].is_unreachable &&
			entry.is_success == outcomes[i].is_success,
		    "%s%s is taken for what it is", outcomes[i].outcome,
		    outcomes[i].more);
		if (is_read)
			pv_audit_entry_finish(&entry);
		pv_buf_finish(&line);
	}
}

static void test_wrong(void)
{
	static const struct pv_str lines[] = {PV_STR(""), PV_STR("x"),
	    PV_STR("{}"), PV_STR("[]"), PV_STR("null"), PV_STR("{" TIME "}"),
	    PV_STR("{\"url\":\"http://a.test/\"}"),
	    PV_STR("{\"time\":5" REST "}"),
	    PV_STR("{\"time\":\"soon\"" REST "}"), PV_STR("{" TIME REST "} x"),
	    PV_STR("{" TIME REST), PV_STR("{" TIME "," TIME REST "}")};
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_audit_entry entry;
		ok(!pv_audit_entry_read(&entry, lines[i]),
		    "%.*s is no line of a journal", PV_STR_ARG(lines[i]));
	}
	struct pv_audit_entry entry;
	bool is_read = pv_audit_entry_read(&entry,
	    PV_STR("{" TIME REST ",\"why\":\"a\\u0000b\",\"rule\":\"x\\u0000\","
		   "\"run\":\"1\",\"sent_ms\":1.5}"));
	ok(is_read && entry.request.pacing.run == 0 &&
		entry.request.pacing.sent_ms == -1,
	    "members of another sort say nothing, whatever they hold");
	if (is_read)
		pv_audit_entry_finish(&entry);
}

static void test_times(void)
{
	static const struct {
		const char *text;
		int64_t wall_ms; /* negative: none */
	} cases[] = {
	    {"1970-01-01T00:00:00.000Z", 0},
	    {"1970-01-01T00:00:00.999Z", 999},
	    {"2024-02-29T23:59:59.001Z", INT64_C(1709251199001)},
	    {"2026-03-01T09:30:00.250Z", INT64_C(1772357400250)},
	    {"2026-03-01T09:30:00.25Z", -1},
	    {"2026-03-01T09:30:00.250", -1},
	    {"2026-03-01 09:30:00.250Z", -1},
	    {"2026-3-01T09:30:00.250Z", -1},
	    {"2026-03-01T09:30:00.250Z ", -1},
	    {"+026-03-01T09:30:00.250Z", -1},
	    {"", -1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t wall_ms = -1;
		bool is_read =
		    pv_audit_time_read(pv_str_of(cases[i].text), &wall_ms);
		ok(is_read == (cases[i].wall_ms >= 0) &&
			wall_ms == cases[i].wall_ms,
		    "'%s' is %s", cases[i].text,
		    cases[i].wall_ms < 0 ? "no time" : "a time");
	}
}

int main(void)
{
	test_whole();
	test_outcomes();
	test_wrong();
	test_times();
	return tap_done();
}
