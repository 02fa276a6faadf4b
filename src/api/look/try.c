#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "api/policy_object.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/system.h"
#include "crawl/environment.h"
#include "pavane/pavane.h"
#include "policy/seeds.h"
#include "scope/scope.h"
#include "trial/asked_page.h"
#include "trial/stored_page.h"
#include "trial/trial_json.h"
#include "trial/trial_text.h"

/* What the kinds of pages of a policy make of one page. */

/* Counts as the address of a file of which nobody has said one. */
#define NO_ADDRESS "http://page.invalid/"

#define TEXT_MAX ((size_t)256 << 20)

struct attempt {
	const struct pv_policy *policy;
	const struct pavane_try_options *options;
	bool has_problems; /* beside a contact that it lacks */
	struct pv_trial_page page;
	struct pv_url url;
	struct pv_buf text; /* of a file */
	struct pv_asked_page asked;
	struct pv_stored_page stored;
	struct pv_why why;
	enum source { FROM_FILE, FROM_CRAWL, FROM_WEB } source;
};

static enum pavane_answer refuse(
    struct attempt *attempt, enum pavane_answer answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum pavane_answer refuse(
    struct attempt *attempt, enum pavane_answer answer, const char *format, ...)
{
	struct pv_buf line;
	va_list list;
	pv_buf_init(&line, TEXT_MAX);
	va_start(list, format);
	pv_buf_append_format_list(&line, format, list);
	va_end(list);
	pv_why_add(&attempt->why, (struct pv_place){0}, PV_STR(""), "%s",
	    pv_buf_text(&line));
	pv_buf_finish(&line);
	return answer;
}

/* What is asked for */

static bool is_address(const char *text)
{
	return pv_str_starts(pv_str_of(text), PV_STR("http://")) ||
	       pv_str_starts(pv_str_of(text), PV_STR("https://"));
}

static enum pavane_answer check_words(struct attempt *attempt)
{
	const struct pavane_try_options *options = attempt->options;
	struct pv_json *carry = NULL;
	if (attempt->has_problems)
		return refuse(attempt, PAVANE_WRONG, "the policy has problems");
	if (!attempt->policy->pages.count)
		return refuse(attempt, PAVANE_WRONG,
		    "the policy describes no kinds of pages: it needs "
		    "`pages`");
	if (options->kind &&
	    pv_pages_find(&attempt->policy->pages, pv_str_of(options->kind)) ==
		attempt->policy->pages.count)
		return refuse(attempt, PAVANE_WRONG,
		    "the policy has no kind of pages that is called %s",
		    options->kind);
	if (!options->carry)
		return PAVANE_YES;
	carry = pv_json_read(pv_str_of(options->carry));
	bool is_right = pv_json_is_object(carry);
	pv_json_destroy(carry);
	attempt->page.carry = pv_str_of(options->carry);
	return is_right ? PAVANE_YES
			: refuse(attempt, PAVANE_WRONG,
			      "what a link carries is a JSON object, such as "
			      "{\"category\": \"Books\"}");
}

static enum pavane_answer read_address(struct attempt *attempt)
{
	const struct pavane_try_options *options = attempt->options;
	bool is_file = !is_address(options->page);
	const char *address = is_file ? options->url : options->page;
	attempt->source = options->directory ? FROM_CRAWL
			  : is_file          ? FROM_FILE
					     : FROM_WEB;
	if (options->directory && is_file)
		return refuse(attempt, PAVANE_WRONG,
		    "%s is not a web address: a page of a crawl is named by "
		    "its address",
		    options->page);
	if (!is_file && options->url)
		return refuse(attempt, PAVANE_WRONG,
		    "an address for a file is given, but %s is none",
		    options->page);
	attempt->page.has_url = address != NULL;
	if (pv_url_parse(&attempt->url,
		pv_str_of(address ? address : NO_ADDRESS)) != PV_URL_OK ||
	    (address && !is_address(address)))
		return refuse(attempt, PAVANE_WRONG,
		    "%s is not a web address: write it with its scheme, such "
		    "as https://example.org/",
		    address);
	return PAVANE_YES;
}

/* Where the page is from */

static bool read_file(struct attempt *attempt)
{
	const char *path = attempt->options->page;
	if (pv_file_read(path, &attempt->text) == PV_FILE_FAILED) {
		pv_why_add(&attempt->why, (struct pv_place){.file = path},
		    PV_STR(""), "cannot be read: %s%s", pv_file_fault(errno),
		    errno == ENOENT ? "; an address begins with http: or https:"
				    : "");
		return false;
	}
	attempt->page.body = pv_buf_str(&attempt->text);
	return true;
}

static bool read_stored(struct attempt *attempt)
{
	if (!pv_stored_page_read(&attempt->stored, attempt->options->directory,
		&attempt->url, &attempt->why))
		return false;
	attempt->page.body = pv_buf_str(&attempt->stored.text);
	if (!attempt->options->carry)
		attempt->page.carry = pv_buf_str(&attempt->stored.carry);
	return true;
}

static bool ask(struct attempt *attempt)
{
	const struct pv_asked_plan plan = {
	    .policy = attempt->policy,
	    .around = &pv_real_environment,
	    .bytes_max = (size_t)attempt->policy->output.fields.max_page + 1,
	    .wall_ms = pv_time_now().wall_ms,
	};
	struct pv_asked_page *asked = &attempt->asked;
	if (!pv_asked_page_open(asked, &plan, &attempt->url, &attempt->why))
		return false;
	attempt->page.body = pv_buf_str(&asked->answer.text);
	attempt->page.headers = pv_inquiry_headers(asked->inquiry);
	pv_url_parse(&attempt->url, pv_url_page(&asked->url));
	return true;
}

static bool read_page(struct attempt *attempt)
{
	bool is_read = attempt->source == FROM_FILE    ? read_file(attempt)
		       : attempt->source == FROM_CRAWL ? read_stored(attempt)
						       : ask(attempt);
	pv_url_drop_credentials(&attempt->url);
	attempt->page.url = &attempt->url;
	return is_read;
}

/* Its kind */

/* The number of its kind, from 1, by its address; 0 for none. */
static unsigned match(const struct attempt *attempt)
{
	if (!attempt->page.has_url)
		return 0;
	struct pv_scope *scope = pv_scope_create(attempt->policy);
	unsigned kind = pv_scope_page_kind(scope, &attempt->url);
	pv_scope_destroy(scope);
	return kind;
}

/* The same as a crawl has found it. */
static unsigned found_as(const struct attempt *attempt)
{
	const struct pv_pages *pages = &attempt->policy->pages;
	if (attempt->source != FROM_CRAWL || !attempt->stored.kind.len)
		return 0;
	size_t kind = pv_pages_find(pages, pv_buf_str(&attempt->stored.kind));
	return kind < pages->count ? (unsigned)kind + 1 : 0;
}

static bool find_kind(struct attempt *attempt)
{
	const struct pv_pages *pages = &attempt->policy->pages;
	const char *named = attempt->options->kind;
	struct pv_trial_page *page = &attempt->page;
	unsigned matched = named ? 0 : match(attempt);
	unsigned found = named ? 0 : found_as(attempt);
	/* The first of the policy's counts. */
	unsigned kind =
	    matched && (!found || matched < found) ? matched : found;
	page->reason =
	    kind && kind == matched ? PV_TRIAL_MATCH : PV_TRIAL_FOUND;
	if (named) {
		kind = (unsigned)pv_pages_find(pages, pv_str_of(named)) + 1;
		page->reason = PV_TRIAL_NAMED;
	}
	page->kind = kind ? &pages->items[kind - 1] : NULL;
	return kind != 0;
}

/* What came of it */

static void write_out(const struct attempt *attempt, const struct pv_buf *text)
{
	if (text->len)
		attempt->options->write(
		    attempt->options->ctx, pv_buf_text(text), text->len);
}

static enum pavane_answer tell_no_kind(struct attempt *attempt)
{
	struct pv_buf line;
	pv_buf_init(&line, TEXT_MAX);
	if (attempt->options->is_json)
		pv_trial_write_json_of_none(attempt->page.has_url
						? pv_url_page(&attempt->url)
						: PV_STR(""),
		    &line);
	write_out(attempt, &line);
	pv_buf_finish(&line);
	if (!attempt->page.has_url)
		return refuse(attempt, PAVANE_NO,
		    "which kind of page it is cannot be known without its "
		    "address: give that by --url, or the kind by --as");
	return refuse(attempt, PAVANE_NO,
	    "%s is of no kind: no `match` fits it; --as names a kind",
	    pv_buf_text(&attempt->url.text));
}

static enum pavane_answer tell_trial(struct attempt *attempt)
{
	struct pv_trial trial;
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	pv_trial_run(&trial, attempt->policy, &attempt->page);
	if (attempt->options->is_json)
		pv_trial_write_json(&trial, &text);
	else
		pv_trial_write_text(&trial, &text);
	bool is_whole = !pv_trial_lacks(&trial);
	write_out(attempt, &text);
	pv_trial_finish(&trial);
	pv_buf_finish(&text);
	return is_whole ? PAVANE_YES : PAVANE_NO;
}

static enum pavane_answer try_page(struct attempt *attempt)
{
	enum pavane_answer answer = check_words(attempt);
	if (answer == PAVANE_YES)
		answer = read_address(attempt);
	if (answer != PAVANE_YES)
		return answer;
	enum pavane_answer result = PAVANE_UNREADABLE;
	if (read_page(attempt))
		result = find_kind(attempt) ? tell_trial(attempt)
					    : tell_no_kind(attempt);
	if (attempt->source == FROM_CRAWL)
		pv_stored_page_finish(&attempt->stored);
	else if (attempt->source == FROM_WEB)
		pv_asked_page_close(&attempt->asked);
	return result;
}

enum pavane_answer pavane_try(
    const struct pavane_policy *policy, const struct pavane_try_options *given)
{
	struct pavane_try_options own, *options = &own;
	if (!pv_sized_read(options, sizeof(own), given))
		return PAVANE_WRONG;
	struct attempt attempt = {
	    .policy = policy->policy,
	    .options = options,
	    .has_problems = pavane_policy_problem_count(policy) &&
			    !pavane_policy_lacks_contact(policy),
	};
	pv_why_init(&attempt.why);
	pv_url_init(&attempt.url, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&attempt.text, (size_t)64 << 20);
	enum pavane_answer answer = try_page(&attempt);
	pv_problems_tell(&attempt.why, options->on_line, options->ctx);
	pv_buf_finish(&attempt.text);
	pv_url_finish(&attempt.url);
	pv_why_finish(&attempt.why);
	return answer;
}
