#ifndef PAVANE_TESTS_SCOPE_JUDGE_H
#define PAVANE_TESTS_SCOPE_JUDGE_H

#include <stdlib.h>

#include "policy/sources/load.h"
#include "scope/scope.h"
#include "tap.h"

/* Scopes out of policies as people write them, for the tests of this room. */

struct court {
	struct pv_policy *policy;
	struct pv_scope *scope;
	struct pv_url url;
};

__attribute__((unused)) static void show_problems(const struct pv_why *why)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		pv_problem_write(&why->problems.kept[i], &text);
		pv_buf_append_char(&text, '\n');
	}
	ok(false, "the policy is right: %s", pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* A policy of these seeds (a YAML list) and scope (a YAML mapping). Lines 1 to
 * 4 are version, identity, seeds and scope. */
__attribute__((unused)) static void open_court(
    struct court *court, const char *seeds, const char *scope)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_format(&text,
	    "version: 1\nidentity: {contact: bot@example.org}\n"
	    "seeds: %s\nscope: %s\n",
	    seeds, scope);
	court->policy =
	    pv_policy_load_text("policy.yaml", pv_buf_str(&text), &why);
	if (pv_why_has_problems(&why))
		show_problems(&why);
	court->scope = pv_scope_create(court->policy);
	ok(!pv_scope_add_seeds(court->scope), "court: %s", scope);
	pv_url_init(&court->url, 70000);
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

__attribute__((unused)) static void close_court(struct court *court)
{
	pv_url_finish(&court->url);
	pv_scope_destroy(court->scope);
	pv_policy_destroy(court->policy);
}

/* The verdict on an address; the rest of the link as it is given. */
__attribute__((unused)) static struct pv_scope_verdict judge(
    struct court *court, const char *address, struct pv_scope_link link)
{
	if (pv_url_parse(&court->url, pv_str_of(address)) != PV_URL_OK)
		ok(false, "%s is an address", address);
	link.url = &court->url;
	return pv_scope_judge(court->scope, &link);
}

/* The step that decides, and the reason for which it refuses, or NONE. */
struct decision {
	enum pv_scope_step step;
	enum pv_reason reason;
};

#define BY(step, reason)                           \
	{                                          \
		PV_STEP_##step, PV_REASON_##reason \
	}

/* Claims what decides, and how. */
__attribute__((unused)) static void is_judged(struct court *court,
    const char *claim, const char *address, struct pv_scope_link link,
    struct decision decision)
{
	struct pv_scope_verdict verdict = judge(court, address, link);
	is_text(pv_str_of(pv_reason_word(verdict.reason)),
	    pv_reason_word(decision.reason), "%s: %.200s", claim, address);
	if (verdict.step != decision.step)
		ok(false, "%s: step %d decides, not %d", claim,
		    (int)decision.step, (int)verdict.step);
}

#endif
