#include "base/log.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/visible.h"

#define LINE_MAX_BYTES 4096

static void append_context(struct pv_buf *line, const struct pv_log *log)
{
	if (log->parent)
		append_context(line, log->parent);
	if (log->context && log->context[0]) {
		pv_visible_append(line, pv_str_of(log->context));
		pv_buf_append_text(line, ": ");
	}
}

static const struct pv_log *root_of(const struct pv_log *log)
{
	while (log->parent)
		log = log->parent;
	return log;
}

void pv_log(
    const struct pv_log *log, enum pv_log_level level, const char *format, ...)
{
	const struct pv_log *root = root_of(log);
	if (level > root->level)
		return;
	struct pv_buf line;
	va_list list;
	pv_buf_init(&line, LINE_MAX_BYTES);
	append_context(&line, log);
	va_start(list, format);
	pv_visible_append_format_list(&line, format, list);
	va_end(list);
	root->write(root->ctx, level, pv_buf_str(&line));
	pv_buf_finish(&line);
}
