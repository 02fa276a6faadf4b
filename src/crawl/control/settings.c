#include "crawl/control/settings.h"

#include "crawl/conductor.h"
#include "policy/sources/overlay.h"

struct pv_policy *pv_settings_overlay(const struct pv_policy *policy,
    const struct pv_orders *orders, struct pv_why *why)
{
	struct pv_set_value values[PV_ORDER_SETTINGS_MAX];
	for (size_t i = 0; i < orders->setting_count; i++) {
		const struct pv_order_setting *setting = &orders->settings[i];
		values[i] = (struct pv_set_value){
		    pv_str_of(setting->key), pv_str_of(setting->value)};
	}
	return pv_overlay_create(policy, values, orders->setting_count, why);
}

struct pv_policy *pv_settings_read(
    const struct pv_policy *policy, const char *directory, struct pv_why *why)
{
	struct pv_policy *overlay = NULL;
	struct pv_orders orders;
	struct pv_buf text;
	if (pv_orders_load(directory, &text, &orders, why) &&
	    orders.setting_count)
		overlay = pv_settings_overlay(policy, &orders, why);
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	return overlay;
}

static bool lay_over(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_settings *settings = &crawl->control.settings;
	if (!settings->orders.setting_count)
		return true;
	settings->overlay =
	    pv_settings_overlay(settings->given, &settings->orders, why);
	if (!pv_why_has_problems(why)) {
		crawl->policy = settings->overlay;
		return true;
	}
	pv_why_add(why, (struct pv_place){.file = crawl->directory}, PV_STR(""),
	    "what was set does not go with this policy: take it back with "
	    "pavane set %s KEY=",
	    crawl->directory);
	return false;
}

bool pv_settings_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_settings *settings = &crawl->control.settings;
	struct pv_buf text;
	settings->given = crawl->policy;
	bool is_read =
	    pv_orders_load(crawl->directory, &text, &settings->orders, why);
	pv_buf_finish(&text);
	return is_read && lay_over(crawl, why);
}

void pv_settings_close(struct pv_crawl *crawl)
{
	pv_overlay_destroy(crawl->control.settings.overlay);
	pv_orders_finish(&crawl->control.settings.orders);
}

static void log_settings(const struct pv_crawl *crawl,
    const struct pv_orders *orders, const char *more)
{
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_orders_write_settings(orders, &line);
	pv_log(&crawl->log, PV_LOG_INFO, "%s: %s%s%s", crawl->directory,
	    line.len ? "set from outside: "
		     : "what was set from outside is taken back",
	    pv_buf_text(&line), more);
	pv_buf_finish(&line);
}

void pv_settings_tell(const struct pv_crawl *crawl)
{
	if (crawl->control.settings.orders.setting_count)
		log_settings(crawl, &crawl->control.settings.orders, "");
}

static void log_problems(const struct pv_crawl *crawl, const struct pv_why *why)
{
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_problem_write(&why->problems.kept[0], &line);
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%s: what was set changes nothing: %s", crawl->directory,
	    pv_buf_text(&line));
	pv_buf_finish(&line);
}

void pv_settings_take(struct pv_crawl *crawl, const struct pv_orders *orders)
{
	struct pv_settings *settings = &crawl->control.settings;
	struct pv_why why;
	if (settings->has_changed ||
	    pv_orders_set_the_same(&settings->orders, orders))
		return;
	pv_why_init(&why);
	pv_overlay_destroy(pv_settings_overlay(settings->given, orders, &why));
	if (pv_why_has_problems(&why)) {
		log_problems(crawl, &why);
	} else {
		log_settings(crawl, orders,
		    "; this holds when the requests in flight have ended");
		settings->has_changed = true;
		pv_halt_interrupt(&crawl->halt);
	}
	pv_why_finish(&why);
}
