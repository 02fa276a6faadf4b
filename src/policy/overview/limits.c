#include "policy/overview/limits.h"

#include "policy/document/document.h"
#include "policy/option.h"
#include "policy/seed_walk.h"

#define NAME_WIDTH 31
#define VALUE_WIDTH 10

/* Ceilings that no key moves, each where it is kept. */
static const struct {
	const char *name;
	int64_t value;
	const char *sentence;
} built_in[] = {
    {"policy file", PV_DOCUMENT_BYTES_MAX, "bytes of a policy's file"},
    {"policy nesting", PV_DOCUMENT_DEPTH_MAX,
	"lists and mappings within each other"},
    {"policy values", PV_DOCUMENT_NODES_MAX, "values in one file"},
    {"policy problems", PV_WHY_PROBLEMS_MAX,
	"problems that are told at once; the others are counted"},
    {"seed addresses", PV_TEMPLATE_COUNT_MAX,
	"addresses that one seed in braces may stand for"},
    {"seed line", PV_SEED_LINE_MAX, "bytes of a line in a file of seeds"},
};

static void write_line(struct pv_buf *buf, const char *name,
    const struct pv_buf *value, const char *sentence)
{
	pv_buf_append_format(buf, "%-*s %*s  %s", NAME_WIDTH, name, VALUE_WIDTH,
	    pv_buf_text(value), sentence);
}

void pv_limits_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	struct pv_buf value;
	pv_buf_init(&value, 64);
	pv_buf_append_text(buf, "What the policy bounds:\n");
	for (size_t i = 0; i < pv_option_count; i++) {
		const struct pv_option *option = &pv_options[i];
		if (!(option->flags & PV_IS_CEILING))
			continue;
		pv_buf_clear(&value);
		option->kind->write(
		    option, (const char *)policy + option->offset, &value);
		write_line(buf, option->path, &value, option->sentence);
		pv_buf_append_text(buf, " (");
		pv_origin_write(&policy->origins[i], buf);
		pv_buf_append_text(buf, ")\n");
	}
	pv_buf_append_text(buf, "\nWhat is built in:\n");
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++) {
		pv_buf_clear(&value);
		pv_buf_append_format(
		    &value, "%lld", (long long)built_in[i].value);
		write_line(buf, built_in[i].name, &value, built_in[i].sentence);
		pv_buf_append_char(buf, '\n');
	}
	pv_buf_finish(&value);
}
