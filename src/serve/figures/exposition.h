#ifndef PAVANE_SERVE_FIGURES_EXPOSITION_H
#define PAVANE_SERVE_FIGURES_EXPOSITION_H

#include "base/buf.h"
#include "pavane/progress.h"

/* Figures as collectors read them: the text of Prometheus (version 0.0.4), or
 * OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
 *
 * A family is begun, and then gets its values, each with its labels. Names are
 * given without what the form adds to them: "pavane_" before all, and "_total" or
 * "_info" behind. */
enum pv_exposition_form { PV_PROMETHEUS_TEXT, PV_OPENMETRICS };

/* The media type of the form, with its version. */
const char *pv_exposition_type(enum pv_exposition_form form);

enum pv_family_kind { PV_COUNTER, PV_GAUGE, PV_HISTOGRAM, PV_INFO };

struct pv_family {
	const char *name; /* ends with its unit, if it has one */
	enum pv_family_kind kind;
	const char *unit; /* "bytes"; NULL: it has none */
	const char *help; /* without quotes and backslashes */
};

struct pv_label {
	const char *name;
	struct pv_str value; /* any text */
};

struct pv_labels {
	const struct pv_label *items;
	size_t count;
};

struct pv_exposition {
	enum pv_exposition_form form;
	struct pv_buf *out;
	const struct pv_family *family;
};

void pv_exposition_begin(
    struct pv_exposition *exposition, const struct pv_family *family);

void pv_exposition_number(const struct pv_exposition *exposition,
    struct pv_labels labels, uint64_t value);

/* Of a histogram, in seconds; what it has never counted has no steps, and is left
 * out. */
void pv_exposition_spread(const struct pv_exposition *exposition,
    struct pv_labels labels, const struct pavane_spread *spread);

/* Behind the last family. */
void pv_exposition_end(const struct pv_exposition *exposition);

#endif
