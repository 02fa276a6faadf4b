#include "fields/date_text.h"

#include "base/ascii.h"
#include "base/day.h"
#include "fields/date_parts.h"
#include "http/feed_date.h"
#include "schedule/zone/time_zone.h"

#define FRACTION_MAX 9
#define MINUTE_S 60
#define DAY_S 86400

/* Names of zones that nobody knows are UTC in mails, and wrong here. */
static bool is_known_zone(struct pv_str text, const struct pv_mail_date *mail)
{
	int last = text.len ? (unsigned char)text.ptr[text.len - 1] : -1;
	size_t space = pv_str_find_last(text, ' ');
	if (mail->zone_minutes || !mail->has_zone || !pv_is_alpha(last) ||
	    space == PV_NOT_FOUND)
		return true;
	struct pv_str name = pv_str_from(text, space + 1);
	return pv_str_equal_nocase(name, PV_STR("GMT")) ||
	       pv_str_equal_nocase(name, PV_STR("UTC")) ||
	       pv_str_equal_nocase(name, PV_STR("UT")) ||
	       pv_str_equal_nocase(name, PV_STR("Z"));
}

static bool read_mail(struct pv_str text, struct pv_date_parts *parts)
{
	struct pv_mail_date mail;
	if (!pv_mail_date_take(text, &mail) || !is_known_zone(text, &mail))
		return false;
	*parts = (struct pv_date_parts){
	    .date = mail.date,
	    .zone_minutes = mail.zone_minutes,
	    .has_time = true,
	    .has_zone = mail.has_zone,
	};
	return true;
}

/* HTTP's older forms, RFC 850 and asctime (RFC 9110, 5.6.7). */
static bool read_any(struct pv_str text, struct pv_date_parts *parts)
{
	return pv_date_parts_read_iso(text, parts) || read_mail(text, parts) ||
	       pv_date_parts_read_format(
		   text, PV_STR("%A, %d-%b-%y %H:%M:%S %Z"), parts) ||
	       pv_date_parts_read_format(
		   text, PV_STR("%a %b %d %H:%M:%S %Y"), parts);
}

static int32_t offset_at(const struct pv_time_zone *zone, int64_t at_s)
{
	int64_t change_s;
	return zone ? pv_time_zone_offset(zone, at_s, &change_s) : 0;
}

/* What the zone's clock was ahead of UTC when it showed that time. */
static int32_t offset_of_local(const struct pv_time_zone *zone, int64_t local_s)
{
	int32_t before = offset_at(zone, local_s - DAY_S);
	int32_t after = offset_at(zone, local_s + DAY_S);
	if (offset_at(zone, local_s - before) == before)
		return before;
	return offset_at(zone, local_s - after) == after ? after : before;
}

/* RFC 3339 knows no seconds of an offset, as zones had them long ago: such a
 * time is written in UTC. */
static int32_t settle_zone(
    struct pv_date_parts *parts, const struct pv_time_zone *zone)
{
	if (parts->has_zone)
		return parts->zone_minutes;
	int64_t local_s = pv_civil_date_to_ms(&parts->date) / 1000;
	int32_t offset_s = offset_of_local(zone, local_s);
	if (offset_s % MINUTE_S == 0)
		return offset_s / MINUTE_S;
	parts->date = pv_civil_date_of_ms((local_s - offset_s) * 1000);
	return 0;
}

static void write_time(struct pv_date_parts *parts,
    const struct pv_time_zone *zone, struct pv_buf *buf)
{
	int32_t minutes = settle_zone(parts, zone);
	const struct pv_civil_date *date = &parts->date;
	unsigned far = (unsigned)(minutes < 0 ? -minutes : minutes);
	pv_buf_append_format(buf, "%04u-%02u-%02uT%02u:%02u:%02u", date->year,
	    date->month, date->day, date->hour, date->minute, date->second);
	if (parts->fraction.len) {
		pv_buf_append_char(buf, '.');
		pv_buf_append(buf,
		    pv_str_head(parts->fraction,
			parts->fraction.len < FRACTION_MAX ? parts->fraction.len
							   : FRACTION_MAX));
	}
	if (far)
		pv_buf_append_format(buf, "%c%02u:%02u",
		    minutes < 0 ? '-' : '+', far / 60, far % 60);
	else
		pv_buf_append_char(buf, 'Z');
}

bool pv_date_text_read(
    struct pv_str text, const struct pv_date_terms *terms, struct pv_buf *buf)
{
	struct pv_date_parts parts;
	size_t start = buf->len;
	bool is_read = terms->format ? pv_date_parts_read_format(text,
					   pv_str_of(terms->format), &parts)
				     : read_any(text, &parts);
	if (!is_read || !pv_civil_date_is_possible(&parts.date))
		return false;
	if (parts.has_time)
		write_time(&parts, terms->zone, buf);
	else
		pv_buf_append_format(buf, "%04u-%02u-%02u", parts.date.year,
		    parts.date.month, parts.date.day);
	if (!buf->is_full)
		return true;
	pv_buf_cut(buf, start);
	return false;
}
