#include "serve/jobs/job_policy.h"

#include "api/policy_object.h"
#include "base/arena.h"
#include "base/reader.h"

static size_t count_lines(struct pv_str text)
{
	size_t count = text.len ? 1 : 0;
	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

static const char **split(
    struct pv_str text, struct pv_arena *arena, size_t *count)
{
	struct pv_reader reader = pv_reader_of(text);
	*count = count_lines(text);
	const char **lines =
	    pv_arena_give_array(arena, *count + 1, sizeof(*lines));
	for (size_t i = 0; i < *count; i++) {
		lines[i] =
		    pv_arena_text(arena, pv_reader_take_until(&reader, '\n'));
		pv_reader_accept(&reader, '\n');
	}
	return lines;
}

static const char **repeat(
    const char *text, size_t count, struct pv_arena *arena)
{
	const char **texts =
	    pv_arena_give_array(arena, count + 1, sizeof(*texts));
	for (size_t i = 0; i < count; i++)
		texts[i] = text;
	return texts;
}

struct pavane_policy *pv_job_policy_load(
    const struct pv_job_profile *profile, const struct pv_job_record *job)
{
	struct pv_arena arena;
	size_t url_count, setting_count;
	pv_arena_init(&arena);
	const char **urls = split(job->urls, &arena, &url_count);
	const char **assignments = split(job->settings, &arena, &setting_count);
	struct pv_setting *settings =
	    pv_arena_give_array(&arena, setting_count + 1, sizeof(*settings));
	for (size_t i = 0; i < setting_count; i++)
		settings[i] = (struct pv_setting){NULL, assignments[i]};
	const struct pv_sources sources = {
	    .file = profile->file,
	    .config_dir = profile->config_dir,
	    .settings = settings,
	    .setting_count = setting_count,
	    .setting_names = repeat("set", setting_count, &arena),
	    .addresses = urls,
	    .address_names = repeat("urls", url_count, &arena),
	    .address_count = url_count,
	    .owner = profile->policy,
	    .handed_in = job->policy,
	    .lent = profile->lent,
	    .input_of = "",
	};
	struct pavane_policy *policy = pv_policy_object_load(&sources);
	pv_arena_finish(&arena);
	return policy;
}
