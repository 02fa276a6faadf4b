#ifndef PAVANE_TESTS_POLICY_LOADED_H
#define PAVANE_TESTS_POLICY_LOADED_H

#include "policy/effective.h"
#include "policy/sources/load.h"
#include "tap.h"

/* A policy and what was said of it, for tests. Texts that are given out live
 * until the policy is finished. */
struct loaded {
	struct pv_policy *policy;
	struct pv_why why;
	struct pv_buf effective;
	struct pv_buf sentence;
};

__attribute__((unused)) static struct loaded loaded_init(void)
{
	struct loaded loaded = {0};
	pv_why_init(&loaded.why);
	pv_buf_init(&loaded.effective, (size_t)256 * 1024 * 1024);
	pv_buf_init(&loaded.sentence, 65536);
	return loaded;
}

__attribute__((unused)) static void loaded_finish(struct loaded *loaded)
{
	pv_policy_destroy(loaded->policy);
	pv_why_finish(&loaded->why);
	pv_buf_finish(&loaded->effective);
	pv_buf_finish(&loaded->sentence);
}

__attribute__((unused)) static struct loaded load_str(struct pv_str text)
{
	struct loaded loaded = loaded_init();
	loaded.policy = pv_policy_load_text("policy.yaml", text, &loaded.why);
	return loaded;
}

__attribute__((unused)) static struct loaded load_text(const char *text)
{
	return load_str(pv_str_of(text));
}

__attribute__((unused)) static struct loaded load_sources(
    const struct pv_sources *sources)
{
	struct loaded loaded = loaded_init();
	loaded.policy = pv_policy_load(sources, &loaded.why);
	return loaded;
}

/* Whether the policy is right; the first problem is shown if it is not. */
__attribute__((unused)) static bool is_right(const struct loaded *loaded)
{
	const struct pv_problems *problems = &loaded->why.problems;
	if (problems->count)
		printf("# line %u: %s: %s\n", problems->kept[0].line,
		    problems->kept[0].key, problems->kept[0].text);
	return !problems->count;
}

/* A problem as it is told; empty if there are not so many. */
__attribute__((unused)) static struct pv_str problem_of(
    struct loaded *loaded, size_t number)
{
	pv_buf_clear(&loaded->sentence);
	if (number < loaded->why.problems.kept_count)
		pv_problem_write(
		    &loaded->why.problems.kept[number], &loaded->sentence);
	return pv_buf_str(&loaded->sentence);
}

__attribute__((unused)) static bool has_text(
    struct pv_str text, const char *part)
{
	struct pv_str wanted = pv_str_of(part);
	for (size_t i = 0; i + wanted.len <= text.len; i++) {
		if (memcmp(text.ptr + i, part, wanted.len) == 0)
			return true;
	}
	return false;
}

__attribute__((unused)) static struct pv_str effective_of(struct loaded *loaded)
{
	pv_buf_clear(&loaded->effective);
	pv_effective_write(loaded->policy, &loaded->effective);
	return pv_buf_str(&loaded->effective);
}

/* Whether what the policy writes is read as the same policy; what differs is
 * shown. */
__attribute__((unused)) static bool is_identity(struct loaded *loaded)
{
	struct pv_str once = effective_of(loaded);
	struct loaded again = load_str(once);
	struct pv_str twice = effective_of(&again);
	bool is_same = is_right(&again) && pv_str_equal(once, twice);
	if (!is_same)
		printf("# --- once\n%.*s# --- twice\n%.*s", PV_STR_ARG(once),
		    PV_STR_ARG(twice));
	loaded_finish(&again);
	return is_same;
}

#endif
