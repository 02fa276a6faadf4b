#include "parse/link_place.h"

static const struct pv_link_place places[] = {
    {.element = PV_ELEMENT_A,
	.attribute = PV_ATTRIBUTE_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_AREA,
	.attribute = PV_ATTRIBUTE_HREF,
	.may_be_empty = true},
    {.element = PV_ELEMENT_FRAME, .attribute = PV_ATTRIBUTE_SRC},
    {.element = PV_ELEMENT_IFRAME, .attribute = PV_ATTRIBUTE_SRC},
    {.element = PV_ELEMENT_IMAGE,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMAGE,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMG,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_IMG,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_LINK,
	.attribute = PV_ATTRIBUTE_HREF,
	.kind = PV_LINK_RESOURCE,
	.is_by_rel = true},
    {.element = PV_ELEMENT_META,
	.attribute = PV_ATTRIBUTE_CONTENT,
	.reading = PV_READ_REFRESH},
    {.element = PV_ELEMENT_SCRIPT,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_SOURCE,
	.attribute = PV_ATTRIBUTE_SRC,
	.kind = PV_LINK_RESOURCE},
    {.element = PV_ELEMENT_SOURCE,
	.attribute = PV_ATTRIBUTE_SRCSET,
	.reading = PV_READ_SRCSET,
	.kind = PV_LINK_RESOURCE},
};

static const struct pv_str attributes[PV_ATTRIBUTES] = {
    [PV_ATTRIBUTE_CHARSET] = PV_STR("charset"),
    [PV_ATTRIBUTE_CONTENT] = PV_STR("content"),
    [PV_ATTRIBUTE_HREF] = PV_STR("href"),
    [PV_ATTRIBUTE_HTTP_EQUIV] = PV_STR("http-equiv"),
    [PV_ATTRIBUTE_NAME] = PV_STR("name"),
    [PV_ATTRIBUTE_REL] = PV_STR("rel"),
    [PV_ATTRIBUTE_SRC] = PV_STR("src"),
    [PV_ATTRIBUTE_SRCSET] = PV_STR("srcset"),
};

enum pv_attribute_name pv_attribute_find(struct pv_str name)
{
	size_t i = 0;
	while (i < PV_ATTRIBUTES && !pv_str_equal_nocase(attributes[i], name))
		i++;
	return (enum pv_attribute_name)i;
}

#define PLACES (sizeof(places) / sizeof(*places))

const struct pv_link_place *pv_link_place_get(
    enum pv_element element, enum pv_attribute_name attribute)
{
	for (size_t i = 0; i < PLACES; i++) {
		if (places[i].element == element &&
		    places[i].attribute == attribute)
			return &places[i];
	}
	return NULL;
}

bool pv_element_is_read(enum pv_element element)
{
	if (element == PV_ELEMENT_BASE || element == PV_ELEMENT_META)
		return true;
	for (size_t i = 0; i < PLACES; i++) {
		if (places[i].element == element)
			return true;
	}
	return false;
}
