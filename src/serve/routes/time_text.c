#include "serve/routes/time_text.h"

#include "http/date.h"

struct pv_json *pv_time_text(int64_t ms)
{
	struct pv_buf text;
	struct pv_civil_date date = pv_civil_date_of_ms(ms);
	pv_buf_init(&text, 40);
	pv_buf_append_format(&text, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
	    date.year, date.month, date.day, date.hour, date.minute,
	    date.second, (unsigned)(ms % 1000));
	struct pv_json *value = pv_json_text(pv_buf_str(&text));
	pv_buf_finish(&text);
	return value;
}
