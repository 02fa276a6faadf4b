#include "sink/journal_line.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ascii.h"
#include "random.h"
#include "tap.h"

/* 2026-03-01T09:30:00.250Z */
#define WALL_MS INT64_C(1772357400250)

struct paper {
	struct pv_visit visit;
	struct pv_response response;
	struct pv_page page;
};

static void begin(struct paper *paper)
{
	*paper = (struct paper){.visit = {.url = PV_STR("https://a.example/b"),
				    .standing = {.depth = 2}}};
	pv_response_init(&paper->response, ".", 1000);
	pv_page_init(&paper->page);
	paper->page.visit = &paper->visit;
	paper->page.host = PV_STR("a.example");
	paper->page.wall_ms = WALL_MS;
}

static void answer(struct paper *paper)
{
	struct pv_response *response = &paper->response;
	response->outcome = PV_OUTCOME_ANSWERED;
	response->stage = PV_STAGE_END;
	response->framing = PV_FRAMING_LENGTH;
	response->http_status = 200;
	pv_address_read(PV_STR("192.0.2.7"), &response->address);
	pv_headers_add(&response->headers, PV_STR("content-type"),
	    PV_STR("Text/HTML; charset=utf-8"));
	pv_body_append(&response->body, PV_STR("<p>Hello"));
	response->times =
	    (struct pv_response_times){0, 1, 20, 300, INT64_C(40000000000), 0};
	paper->page.response = response;
	paper->page.wait_ms = 1000;
}

static void end(struct paper *paper)
{
	pv_response_finish(&paper->response);
	pv_page_finish(&paper->page);
}

/* The line as it is appended, without its end. */
static struct pv_str line_of(struct paper *paper, bool is_final)
{
	struct pv_buf *line = &paper->page.parts[0];
	pv_buf_clear(line);
	ok(pv_journal_line_write(&paper->page, line), "a line has room");
	pv_buf_append(line, pv_journal_line_end(is_final));
	bool is_one = pv_str_find(pv_buf_str(line), '\n') == line->len - 1;
	ok(is_one, "it is one line");
	return pv_str_head(pv_buf_str(line), line->len - 1);
}

static void test_whole(void)
{
	struct paper paper;
	begin(&paper);
	answer(&paper);
	paper.visit.via = PV_STR("https://a.example/");
	paper.visit.tag = PV_STR("shop");
	paper.visit.attempt = 2;
	pv_digest(PV_STR("<p>Hello"), paper.page.digest);
	paper.page.has_digest = true;
	pv_buf_append_text(&paper.page.file, "site/a.example/b^.html");
	paper.response.framing = PV_FRAMING_CLOSE;
	paper.response.held_ms = 4000;
	is_text(line_of(&paper, true),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/b\",\"host\":\"a.example\","
	    "\"ip\":\"192.0.2.7\",\"outcome\":\"answered\",\"status\":200,"
	    "\"depth\":2,\"via\":\"https://a.example/\",\"attempt\":3,"
	    "\"bytes\":8,\"type\":\"text/html\",\"tag\":\"shop\","
	    "\"wait_ms\":1000,\"name_ms\":0,\"connect_ms\":1,\"tls_ms\":20,"
	    "\"first_byte_ms\":300,\"total_ms\":40000000000,"
	    "\"held_ms\":4000,"
	    "\"digest\":\"sha256:"
	    "b8d9927835707e19972adf45f4f3e6575c67a3d63ec2b3eb918d4d78c5f2d2af"
	    "\",\"file\":\"site/a.example/b^.html\",\"framing\":\"close\","
	    "\"final\":true}",
	    "a line says all that there is to say");
	end(&paper);
}

/* What the server says of it is nothing but that. */
static void test_unchanged(void)
{
	const struct pv_copy copy = {
	    .entity_tag = PV_STR("\"1\""),
	    .file = PV_STR("site/a.example/b.html"),
	    .type = PV_STR("Text/HTML"),
	    .bytes = 4711,
	    .has_digest = true,
	};
	struct paper paper;
	struct pv_buf packed;
	begin(&paper);
	pv_buf_init(&packed, 1000);
	pv_copy_pack(&copy, &packed);
	paper.visit.copy = pv_buf_str(&packed);
	paper.visit.round = 3;
	paper.response.outcome = PV_OUTCOME_ANSWERED;
	paper.response.http_status = 304;
	paper.response.times =
	    (struct pv_response_times){-1, -1, -1, -1, -1, 0};
	paper.page.response = &paper.response;
	paper.page.wait_ms = -1;
	paper.page.change = PV_CHANGE_SAME;
	is_text(line_of(&paper, true),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/b\",\"host\":\"a.example\","
	    "\"outcome\":\"answered\",\"status\":304,\"depth\":2,"
	    "\"round\":3,\"attempt\":1,\"bytes\":0,\"unchanged\":true,"
	    "\"stored_bytes\":4711,\"type\":\"text/html\","
	    "\"digest\":\"sha256:"
	    "0000000000000000000000000000000000000000000000000000000000000000"
	    "\",\"file\":\"site/a.example/b.html\",\"final\":true}",
	    "of a page that is as it was a line describes the stored copy");
	paper.page.change = PV_CHANGE_FAILED;
	struct pv_str line = line_of(&paper, true);
	ok(!memmem(line.ptr, line.len, "unchanged", strlen("unchanged")),
	    "unless that is not what the server was asked");
	pv_buf_finish(&packed);
	end(&paper);
}

static void test_refusal(void)
{
	struct paper paper;
	begin(&paper);
	paper.page.verdict =
	    (struct pv_verdict){.reason = PV_REASON_ROBOTS, .line = 7};
	is_text(line_of(&paper, true),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/b\",\"host\":\"a.example\","
	    "\"outcome\":\"refused\",\"reason\":\"robots\",\"line\":7,"
	    "\"depth\":2,\"final\":true}",
	    "P4: a refusal has its reason, and nothing of a request");
	paper.page.verdict = (struct pv_verdict){.reason = PV_REASON_CONTACT};
	is_text(line_of(&paper, false),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/b\",\"host\":\"a.example\","
	    "\"outcome\":\"refused\",\"reason\":\"contact\",\"depth\":2}",
	    "and no line where there is none");
	end(&paper);
}

static void test_reasons(void)
{
	struct paper paper;
	struct pv_buf member;
	begin(&paper);
	pv_buf_init(&member, 100);
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		paper.page.verdict = (struct pv_verdict){.reason = i};
		pv_buf_clear(&member);
		pv_buf_append_format(
		    &member, ",\"reason\":\"%s\",", pv_reason_word(i));
		line_of(&paper, true);
		ok(strstr(
		       pv_buf_text(&paper.page.parts[0]), pv_buf_text(&member)),
		    "P4: it says %s", pv_reason_word(i));
	}
	pv_buf_finish(&member);
	end(&paper);
}

static void test_failure(void)
{
	struct paper paper;
	begin(&paper);
	paper.page.response = &paper.response;
	paper.response.outcome = PV_OUTCOME_TLS;
	pv_address_read(PV_STR("2001:db8::1"), &paper.response.address);
	snprintf(paper.response.why, sizeof(paper.response.why),
	    "the certificate has expired");
	snprintf(paper.page.fault, sizeof(paper.page.fault), "the disk");
	paper.response.times.connect_ms = 5;
	is_text(line_of(&paper, false),
	    "{\"time\":\"2026-03-01T09:30:00.250Z\","
	    "\"url\":\"https://a.example/b\",\"host\":\"a.example\","
	    "\"ip\":\"2001:db8::1\",\"outcome\":\"tls\",\"depth\":2,"
	    "\"attempt\":1,\"connect_ms\":5,"
	    "\"why\":\"the certificate has expired\"}",
	    "a failure says how far it went and why it ended");
	paper.response.why[0] = '\0';
	ok(strstr(line_of(&paper, false).ptr, "\"why\":\"the disk\"") != NULL,
	    "or why it could not be kept");
	end(&paper);
}

static void test_robots(void)
{
	struct paper paper;
	begin(&paper);
	answer(&paper);
	paper.page.is_robots = true;
	struct pv_str line = line_of(&paper, false);
	ok(strstr(line.ptr, ",\"robots\":true}") &&
		!strstr(line.ptr, "\"depth\""),
	    "a robots.txt says that it is one, and lies nowhere");
	end(&paper);
}

static void test_pacing(void)
{
	struct paper paper;
	begin(&paper);
	answer(&paper);
	paper.page.pacing = (struct pv_pacing){.run = 2,
	    .released_ms = 0,
	    .sent_ms = 3,
	    .end_ms = 40,
	    .gap_ms = 1001,
	    .rest_ms = 1000,
	    .rule = "delay",
	    .reaction_ms = -1,
	    .retry_after_ms = -1,
	    .at_once = 1};
	struct pv_str line = line_of(&paper, false);
	ok(strstr(line.ptr,
	       ",\"run\":2,\"released_ms\":0,\"sent_ms\":3,\"end_ms\":40,"
	       "\"gap_ms\":1001,\"rule\":\"delay\",\"rest_ms\":1000}"),
	    "P1: a request says when it was sent, and what held it before");
	paper.page.pacing.rule = NULL;
	paper.page.pacing.gap_ms = -1;
	paper.page.pacing.sent_ms = -1;
	paper.page.pacing.at_once = 2;
	paper.page.pacing.reaction_ms = 7;
	paper.page.pacing.retry_after_ms = 9000;
	paper.page.pacing.is_own_fault = true;
	paper.page.is_robots = true;
	paper.page.robots_of = PV_STR("http://b.example");
	line = line_of(&paper, false);
	ok(strstr(line.ptr,
	       ",\"run\":2,\"released_ms\":0,\"end_ms\":40,\"at_once\":2,"
	       "\"reaction_ms\":7,\"retry_after_ms\":9000,"
	       "\"own_fault\":true"),
	    "P2: and what is rare, where it is so");
	ok(strstr(line.ptr, ",\"robots\":true,"
			    "\"robots_of\":\"http://b.example\""),
	    "a robots.txt that lies elsewhere says whose it is");
	end(&paper);
}

static void test_terms(void)
{
	struct paper paper;
	struct pv_terms terms;
	begin(&paper);
	pv_terms_init(&terms);
	answer(&paper);
	pv_terms_add(&terms, PV_TERM_ROBOTS_TAG, PV_STR("noindex, x"));
	pv_terms_add(&terms, PV_TERM_CONTENT_USAGE, PV_STR("a=\"\\\n\xff"));
	pv_terms_add(&terms, PV_TERM_TDM_RESERVATION, PV_STR("1"));
	paper.page.terms = &terms;
	struct pv_str line = line_of(&paper, false);
	ok(strstr(line.ptr, ",\"robots_tag\":\"noindex, x\","
			    "\"content_usage\":\"a=\\\"\\\\\\\\n\\\\xff\","
			    "\"tdm_reservation\":1}"),
	    "what a page says of itself stands there, escaped");
	pv_page_clear(&paper.page);
	ok(!paper.page.terms, "and the next one has said nothing");
	pv_terms_finish(&terms);
	end(&paper);
}

/* Reading may have more to say than the response. */
static void test_why(void)
{
	struct paper paper;
	begin(&paper);
	answer(&paper);
	snprintf(paper.response.why, sizeof(paper.response.why), "late");
	struct pv_str line = line_of(&paper, false);
	ok(strstr(line.ptr, "\"why\":\"late\""),
	    "P4: what is to be said of a response stands in its line");
	paper.page.why = "late; and damaged";
	line = line_of(&paper, false);
	ok(strstr(line.ptr, "\"why\":\"late; and damaged\""),
	    "P4: and what reading has to say in its place");
	end(&paper);
}

static void test_credentials(void)
{
	static const struct {
		const char *url;
		const char *shown;
	} cases[] = {
	    {"https://me:hush@a.example/b@c", "\"https://a.example/b@c\""},
	    {"https://hush@a.example:8443/", "\"https://a.example:8443/\""},
	    {"http://hush%40@a.example/", "\"http://a.example/\""},
	    {"https://a.example/@b", "\"https://a.example/@b\""},
	    {"https://a.example/?b@c", "\"https://a.example/?b@c\""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct paper paper;
		char shown[128];
		begin(&paper);
		paper.visit.url = pv_str_of(cases[i].url);
		paper.visit.via = pv_str_of(cases[i].url);
		struct pv_str line = line_of(&paper, false);
		snprintf(shown, sizeof(shown), "\"url\":%s", cases[i].shown);
		ok(strstr(line.ptr, shown) && !strstr(line.ptr, "hush"),
		    "P7: no credentials of %s are told", cases[i].url);
		snprintf(shown, sizeof(shown), "\"via\":%s", cases[i].shown);
		ok(strstr(line.ptr, shown) != NULL,
		    "nor of where it was found");
		end(&paper);
	}
}

/* As the system tells the time. */
static void test_times(void)
{
	static const int64_t days[] = {0, 58, 59, 60, 364, 365, 789, 790, 11016,
	    11017, 19782, 19783, 20513, 47540, 47541, 84064, 146096, 146097,
	    2932896};
	unsigned same = 0, count = 0;
	for (size_t i = 0; i < sizeof(days) / sizeof(*days); i++) {
		for (int64_t ms = 0; ms < 86400000; ms += 6171429) {
			struct paper paper;
			struct tm tm;
			char wanted[80];
			time_t seconds = (time_t)(days[i] * 86400 + ms / 1000);
			gmtime_r(&seconds, &tm);
			snprintf(wanted, sizeof(wanted),
			    "{\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"",
			    tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
			    tm.tm_hour, tm.tm_min, tm.tm_sec, (int)(ms % 1000));
			begin(&paper);
			paper.page.wall_ms = days[i] * 86400000 + ms;
			pv_journal_line_write(
			    &paper.page, &paper.page.parts[0]);
			count++;
			same += pv_str_starts(pv_buf_str(&paper.page.parts[0]),
			    pv_str_of(wanted));
			end(&paper);
		}
	}
	ok(same == count, "%u times are told as the system tells them", count);
	static const int64_t odd[] = {
	    -1, INT64_MIN, INT64_MAX, INT64_C(2932897) * 86400000};
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		struct paper paper;
		begin(&paper);
		paper.page.wall_ms = odd[i];
		is_text(pv_str_head(line_of(&paper, false), 34),
		    "{\"time\":\"1970-01-01T00:00:00.000Z\"",
		    "a clock that is out of its mind tells nothing");
		end(&paper);
	}
}

/* Hostile texts */

static bool is_member(json_t *object, const char *name, struct pv_str text)
{
	json_t *value = json_object_get(object, name);
	return value && pv_str_equal((struct pv_str){json_string_value(value),
					 json_string_length(value)},
			    text);
}

static bool has_control(struct pv_str line)
{
	bool has = false;
	for (size_t i = 0; i < line.len; i++)
		has = has || pv_is_control((unsigned char)line.ptr[i]);
	return has;
}

static json_t *read_line(struct pv_str line)
{
	return json_loadb(
	    line.ptr, line.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
}

static void test_hostile(void)
{
	static const struct {
		struct pv_str text;
		bool is_utf8;
	} texts[] = {
	    {PV_STR("\"},{\"url\":\""), true},
	    {PV_STR("\\\"\\"), true},
	    {PV_STR("a\nb\r\nc"), true},
	    {PV_STR("\x1b[31m\x07\x7f"), true},
	    {PV_STR("\xff\xfe\xc3"), false},
	    {PV_STR("a\0b"), true},
	    {PV_STR("\xe2\x80\xae"), true},
	    {PV_STR("gr\xc3\xbc\xc3\x9f"
		    "e \xf0\x9f\x90\x88"),
		true},
	    {PV_STR("</script><!--"), true},
	    {PV_STR("\xed\xa0\x80"), false},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_str text = texts[i].text;
		struct paper paper;
		begin(&paper);
		answer(&paper);
		paper.visit.url = paper.visit.via = text;
		paper.visit.tag = paper.page.host = text;
		pv_headers_clear(&paper.response.headers);
		pv_headers_add(
		    &paper.response.headers, PV_STR("Content-Type"), text);
		struct pv_str line = line_of(&paper, true);
		json_t *object = read_line(line);
		ok(object != NULL, "P5: hostile text %zu leaves it JSON", i);
		ok(!has_control(line), "without raw controls");
		ok(is_member(object, "tag", text) == texts[i].is_utf8 &&
			is_member(object, "url", text) == texts[i].is_utf8,
		    "%s",
		    texts[i].is_utf8 ? "and is read as what it was"
				     : "and shows what is not UTF-8");
		json_decref(object);
		end(&paper);
	}
}

static void test_random(void)
{
	struct random random = random_of(3);
	unsigned good = 0;
	for (unsigned i = 0; i < 3000; i++) {
		struct paper paper;
		char bytes[64];
		size_t len = random_below(&random, sizeof(bytes));
		for (size_t k = 0; k < len; k++)
			bytes[k] = (char)random_next(&random);
		struct pv_str text = {bytes, len};
		begin(&paper);
		answer(&paper);
		paper.visit.url = paper.visit.tag = text;
		paper.visit.via = paper.page.host = text;
		pv_buf_append(&paper.page.file, text);
		pv_journal_line_write(&paper.page, &paper.page.parts[0]);
		pv_buf_append(&paper.page.parts[0], pv_journal_line_end(i % 2));
		json_t *object =
		    json_loadb(paper.page.parts[0].ptr, paper.page.parts[0].len,
			JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
		good += json_is_object(object);
		json_decref(object);
		end(&paper);
	}
	ok(good == 3000, "P5: random bytes leave it JSON");
}

static void test_long(void)
{
	struct paper paper;
	size_t len = 65536;
	char *bytes = malloc(len);
	memset(bytes, '\\', len);
	begin(&paper);
	answer(&paper);
	paper.visit.url = paper.visit.via = (struct pv_str){bytes, len};
	paper.visit.tag = paper.page.host = (struct pv_str){bytes, len};
	struct pv_str line = line_of(&paper, true);
	ok(line.len > 6 * len && line.len < 7 * len,
	    "P5: the longest addresses have room, a tag is cut");
	json_t *object = read_line(line);
	ok(object != NULL, "and it is JSON");
	json_decref(object);
	end(&paper);
	free(bytes);
}

int main(void)
{
	test_whole();
	test_unchanged();
	test_refusal();
	test_reasons();
	test_failure();
	test_robots();
	test_pacing();
	test_terms();
	test_why();
	test_credentials();
	test_times();
	test_hostile();
	test_random();
	test_long();
	return tap_done();
}
