#include "policy/values/value_form.h"

static const char *const words[PV_VALUE_TYPE_COUNT] = {
    [PV_VALUE_TEXT] = "text",
    [PV_VALUE_HTML] = "html",
    [PV_VALUE_INTEGER] = "integer",
    [PV_VALUE_NUMBER] = "number",
    [PV_VALUE_BOOL] = "bool",
    [PV_VALUE_DATE] = "date",
    [PV_VALUE_URL] = "url",
    [PV_VALUE_JSON] = "json",
};

const char *pv_value_type_word(enum pv_value_type type)
{
	return words[type];
}

bool pv_value_type_read(struct pv_str word, enum pv_value_type *type)
{
	for (size_t i = 0; i < PV_VALUE_TYPE_COUNT; i++) {
		if (pv_str_equal(word, pv_str_of(words[i]))) {
			*type = (enum pv_value_type)i;
			return true;
		}
	}
	return false;
}
