#include "policy/values/value_form.h"

#include "tap.h"

int main(void)
{
	enum pv_value_type type = PV_VALUE_JSON;
	for (size_t i = 0; i < PV_VALUE_TYPE_COUNT; i++) {
		const char *word = pv_value_type_word((enum pv_value_type)i);
		ok(pv_value_type_read(pv_str_of(word), &type) && type == i,
		    "\"%s\" is a type", word);
	}
	ok(!pv_value_type_read(PV_STR("Text"), &type) &&
		!pv_value_type_read(PV_STR(""), &type) &&
		!pv_value_type_read(PV_STR("texts"), &type) &&
		type == PV_VALUE_JSON,
	    "other words are none");
	return tap_done();
}
