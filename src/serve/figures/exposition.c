#include "serve/figures/exposition.h"

#define MS 1000
#define US 1000000

const char *pv_exposition_type(enum pv_exposition_form form)
{
	return form == PV_OPENMETRICS
		   ? "application/openmetrics-text; version=1.0.0; "
		     "charset=utf-8"
		   : "text/plain; version=0.0.4; charset=utf-8";
}

/* The head of a family */

static const char *ending_of(enum pv_family_kind kind)
{
	switch (kind) {
	case PV_COUNTER:
		return "_total";
	case PV_INFO:
		return "_info";
	case PV_GAUGE:
	case PV_HISTOGRAM:
		break;
	}
	return "";
}

/* The text of Prometheus knows no facts that do not change. */
static const char *word_of(
    enum pv_exposition_form form, enum pv_family_kind kind)
{
	switch (kind) {
	case PV_COUNTER:
		return "counter";
	case PV_HISTOGRAM:
		return "histogram";
	case PV_INFO:
		return form == PV_OPENMETRICS ? "info" : "gauge";
	case PV_GAUGE:
		break;
	}
	return "gauge";
}

/* What a line about the family is about: its name, or that of its values. */
static void write_line(
    const struct pv_exposition *exposition, const char *word, const char *text)
{
	const struct pv_family *family = exposition->family;
	bool is_long = exposition->form == PV_PROMETHEUS_TEXT;
	pv_buf_append_format(exposition->out, "# %s pavane_%s%s %s\n", word,
	    family->name, is_long ? ending_of(family->kind) : "", text);
}

void pv_exposition_begin(
    struct pv_exposition *exposition, const struct pv_family *family)
{
	exposition->family = family;
	write_line(exposition, "HELP", family->help);
	write_line(exposition, "TYPE", word_of(exposition->form, family->kind));
	if (exposition->form == PV_OPENMETRICS && family->unit)
		write_line(exposition, "UNIT", family->unit);
}

/* Values */

static void write_label(
    struct pv_buf *out, const char *before, const struct pv_label *label)
{
	pv_buf_append_format(out, "%s%s=\"", before, label->name);
	for (size_t i = 0; i < label->value.len; i++) {
		char byte = label->value.ptr[i];
		if (byte == '\n')
			pv_buf_append_text(out, "\\n");
		else if (byte == '"' || byte == '\\')
			pv_buf_append_format(out, "\\%c", byte);
		else
			pv_buf_append_char(out, byte);
	}
	pv_buf_append_char(out, '"');
}

/* `more` is one that is written already, such as the end of a step; "". */
static void write_name(const struct pv_exposition *exposition,
    const char *ending, struct pv_labels labels, const char *more)
{
	struct pv_buf *out = exposition->out;
	pv_buf_append_format(
	    out, "pavane_%s%s", exposition->family->name, ending);
	for (size_t i = 0; i < labels.count; i++)
		write_label(out, i ? "," : "{", &labels.items[i]);
	if (*more)
		pv_buf_append_format(
		    out, "%s%s", labels.count ? "," : "{", more);
	pv_buf_append_text(out, labels.count || *more ? "} " : " ");
}

static void write_count(struct pv_buf *out, uint64_t value)
{
	pv_buf_append_format(out, "%llu\n", (unsigned long long)value);
}

void pv_exposition_number(const struct pv_exposition *exposition,
    struct pv_labels labels, uint64_t value)
{
	write_name(exposition, ending_of(exposition->family->kind), labels, "");
	write_count(exposition->out, value);
}

/* OpenMetrics wants them as "2.5" and "1.0"; the other form takes them, too. */
static void write_step_end(struct pv_buf *label, int64_t up_to_ms)
{
	pv_buf_clear(label);
	pv_buf_append_format(label, "le=\"%lld.%03lld",
	    (long long)(up_to_ms / MS), (long long)(up_to_ms % MS));
	while (pv_str_ends(pv_buf_str(label), PV_STR("0")) &&
	       !pv_str_ends(pv_buf_str(label), PV_STR(".0")))
		pv_buf_cut(label, label->len - 1);
	pv_buf_append_char(label, '"');
}

void pv_exposition_spread(const struct pv_exposition *exposition,
    struct pv_labels labels, const struct pavane_spread *spread)
{
	struct pv_buf label;
	uint64_t sum = 0;
	if (!spread->up_to_ms)
		return;
	pv_buf_init(&label, 100);
	for (size_t i = 0; i < PAVANE_SPREAD_STEPS; i++) {
		sum += spread->counts[i];
		write_step_end(&label, spread->up_to_ms[i]);
		write_name(exposition, "_bucket", labels, pv_buf_text(&label));
		write_count(exposition->out, sum);
	}
	write_name(exposition, "_bucket", labels, "le=\"+Inf\"");
	write_count(exposition->out, spread->count);
	write_name(exposition, "_sum", labels, "");
	pv_buf_append_format(exposition->out, "%llu.%06llu\n",
	    (unsigned long long)(spread->sum_us / US),
	    (unsigned long long)(spread->sum_us % US));
	write_name(exposition, "_count", labels, "");
	write_count(exposition->out, spread->count);
	pv_buf_finish(&label);
}

void pv_exposition_end(const struct pv_exposition *exposition)
{
	if (exposition->form == PV_OPENMETRICS)
		pv_buf_append_text(exposition->out, "# EOF\n");
}
