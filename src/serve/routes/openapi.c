#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/reader.h"
#include "serve/openapi/schemas.h"
#include "serve/routes/answer.h"
#include "serve/routes/answer_extra.h"

/* The service described for programs (OpenAPI 3.1), made of the table of
 * routes. */

static struct pv_json *read(const char *text)
{
	return pv_json_read(pv_str_of(text));
}

static const char *word_of(enum pv_http_method method)
{
	switch (method) {
	case PV_POST:
		return "post";
	case PV_DELETE:
		return "delete";
	default:
		return "get";
	}
}

/* "/v1/jobs/{id}/files/{path}" */
static void write_path(const struct pv_route *route, struct pv_buf *path)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(route->path));
	while (pv_reader_accept(&reader, '/')) {
		struct pv_str part = pv_reader_take_until(&reader, '/');
		pv_buf_append_char(path, '/');
		if (pv_str_equal(part, PV_STR("ID")))
			pv_buf_append_text(path, "{id}");
		else if (pv_str_equal(part, PV_STR("NAME")))
			pv_buf_append_text(path, "{name}");
		else if (pv_str_equal(part, PV_STR("...")))
			pv_buf_append_text(path, "{path}");
		else
			pv_buf_append(path, part);
	}
}

/* What arguments may be; others are texts. */
static const struct {
	const char *name;
	const char *schema;
} argument_schemas[] = {
    {"limit", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000}"},
    {"order", "{\"type\":\"string\",\"enum\":[\"oldest\",\"newest\"]}"},
    {"state", "{\"$ref\":\"#/components/schemas/JobState\"}"},
    {"fetch state", "{\"$ref\":\"#/components/schemas/FetchState\"}"},
};

static struct pv_json *schema_of_argument(const char *name)
{
	const size_t count =
	    sizeof(argument_schemas) / sizeof(*argument_schemas);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(argument_schemas[i].name, name) == 0)
			return read(argument_schemas[i].schema);
	}
	return read("{\"type\":\"string\"}");
}

static void add_parameter(struct pv_json *parameters, const char *name,
    const char *place, bool is_required, struct pv_json *schema)
{
	struct pv_json *parameter = pv_json_object();
	pv_json_set_text(parameter, "name", name);
	pv_json_set_text(parameter, "in", place);
	pv_json_set(parameter, "required", pv_json_bool(is_required));
	pv_json_set(parameter, "schema", schema);
	pv_json_add(parameters, parameter);
}

static void add_part(struct pv_json *parameters, const char *name)
{
	add_parameter(parameters, name, "path", true, schema_of_argument(name));
}

/* Of the query, or "header NAME"; what stands before a name says what it is of. */
static void add_argument(struct pv_json *parameters, const char *argument)
{
	static const char head[] = "header ";
	const char *space = strrchr(argument, ' ');
	bool is_header = strncmp(argument, head, strlen(head)) == 0;
	add_parameter(parameters, space ? space + 1 : argument,
	    is_header ? "header" : "query", false,
	    schema_of_argument(argument));
}

static struct pv_json *parameters_of(const struct pv_route *route)
{
	struct pv_json *parameters = pv_json_array();
	if (strstr(route->path, "/ID"))
		add_part(parameters, "id");
	if (strstr(route->path, "/NAME"))
		add_part(parameters, "name");
	if (strstr(route->path, "/..."))
		add_part(parameters, "path");
	for (size_t i = 0; route->arguments && route->arguments[i]; i++)
		add_argument(parameters, route->arguments[i]);
	return parameters;
}

/* JSON of that schema. */
static struct pv_json *content_of(const char *type, const char *schema)
{
	struct pv_buf link;
	struct pv_json *content = pv_json_object();
	struct pv_json *media = pv_json_object();
	struct pv_json *reference = pv_json_object();
	pv_buf_init(&link, 100);
	pv_buf_append_format(&link, "#/components/schemas/%s", schema);
	pv_json_set_text(reference, "$ref", pv_buf_text(&link));
	pv_json_set(media, "schema", reference);
	pv_json_set(content, type, media);
	pv_buf_finish(&link);
	return content;
}

static struct pv_json *answer_of(
    const char *sentence, const char *type, const char *schema)
{
	struct pv_json *answer = pv_json_object();
	pv_json_set_text(answer, "description", sentence);
	if (schema)
		pv_json_set(answer, "content", content_of(type, schema));
	return answer;
}

/* An object of such members, each a text. */
static struct pv_json *texts_of(const char *const *names)
{
	struct pv_json *texts = pv_json_object();
	for (size_t i = 0; names[i]; i++) {
		struct pv_json *text = pv_json_object();
		pv_json_set(text, "schema", read("{\"type\":\"string\"}"));
		pv_json_set(texts, names[i], text);
	}
	return texts;
}

static struct pv_json *good_answer_of(const struct pv_route *route)
{
	const struct pv_answer_extra *extra = pv_answer_extra_of(route);
	struct pv_json *answer =
	    answer_of("Done.", "application/json", route->gives);
	if (extra && extra->types[0])
		pv_json_set(answer, "content", texts_of(extra->types));
	if (extra && extra->header)
		pv_json_set(answer, "headers",
		    texts_of((const char *const[]){extra->header, NULL}));
	return answer;
}

static struct pv_json *operation_of(const struct pv_route *route)
{
	char status[12];
	struct pv_json *operation = pv_json_object();
	struct pv_json *answers = pv_json_object();
	snprintf(status, sizeof(status), "%u", route->status);
	pv_json_set_text(operation, "summary", route->summary);
	pv_json_set(operation, "parameters", parameters_of(route));
	if (route->takes) {
		struct pv_json *body = pv_json_object();
		pv_json_set(body, "required", pv_json_bool(true));
		pv_json_set(body, "content",
		    content_of("application/json", route->takes));
		pv_json_set(operation, "requestBody", body);
	}
	pv_json_set(answers, status, good_answer_of(route));
	const struct pv_answer_extra *extra = pv_answer_extra_of(route);
	if (extra && extra->other_status) {
		snprintf(status, sizeof(status), "%u", extra->other_status);
		pv_json_set(answers, status, good_answer_of(route));
	}
	pv_json_set(answers, "default",
	    answer_of("Refused, or failed: the detail says why.",
		"application/problem+json", "Problem"));
	pv_json_set(operation, "responses", answers);
	if (!route->scope)
		pv_json_set(operation, "security", pv_json_array());
	return operation;
}

/* Methods of one path stand together; routes of one path follow one another. */
static struct pv_json *paths(void)
{
	struct pv_json *all = pv_json_object();
	struct pv_buf path;
	pv_buf_init(&path, 200);
	for (size_t i = 0; i < pv_route_count;) {
		struct pv_json *item = pv_json_object();
		const char *same = pv_routes[i].path;
		pv_buf_clear(&path);
		write_path(&pv_routes[i], &path);
		for (;
		     i < pv_route_count && strcmp(pv_routes[i].path, same) == 0;
		     i++)
			pv_json_set(item, word_of(pv_routes[i].method),
			    operation_of(&pv_routes[i]));
		pv_json_set(all, pv_buf_text(&path), item);
	}
	pv_buf_finish(&path);
	return all;
}

static struct pv_json *schemas(void)
{
	struct pv_json *all = pv_json_object();
	for (size_t i = 0; i < pv_openapi_schema_count; i++)
		pv_json_set(all, pv_openapi_schemas[i].name,
		    read(pv_openapi_schemas[i].text));
	return all;
}

void pv_route_openapi(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_json *all = pv_json_object();
	struct pv_json *info = pv_json_object();
	struct pv_json *components = pv_json_object();
	(void)request;
	pv_json_set_text(all, "openapi", "3.1.0");
	pv_json_set_text(info, "title", "Pavane");
	pv_json_set_text(info, "version", pavane_version());
	pv_json_set(all, "info", info);
	pv_json_set(all, "paths", paths());
	pv_json_set(components, "schemas", schemas());
	pv_json_set(components, "securitySchemes",
	    read("{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\"},"
		 "\"session\":{\"type\":\"apiKey\",\"in\":\"cookie\","
		 "\"name\":\"pavane_session\"}}"));
	pv_json_set(all, "components", components);
	pv_json_set(
	    all, "security", read("[{\"token\":[]},{\"session\":[]},{}]"));
	pv_route_give_json(reply, all);
}
