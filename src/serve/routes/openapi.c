#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/reader.h"
#include "serve/routes/answer.h"

/* The service described for programs (OpenAPI 3.1), made of the table of
 * routes. */

static struct pv_json *read(const char *text)
{
	return pv_json_read(pv_str_of(text));
}

/* What requests and replies are made of. */
static const char schemas[] =
    "{\"JobOrder\":{\"type\":\"object\",\"additionalProperties\":false,"
    "\"properties\":{"
    "\"policy\":{\"type\":\"string\",\"description\":\"YAML, as in a policy "
    "file.\"},"
    "\"urls\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":"
    "\"string\"}},"
    "\"profile\":{\"type\":\"string\",\"description\":\"A profile of the "
    "service, over which the policy is laid.\"},"
    "\"set\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":"
    "\"string\",\"description\":\"KEY=VALUE\"}},"
    "\"labels\":{\"type\":\"object\"}}},"
    "\"Job\":{\"type\":\"object\",\"required\":[\"id\",\"state\",\"created\"],"
    "\"properties\":{"
    "\"id\":{\"type\":\"string\"},"
    "\"state\":{\"type\":\"string\",\"enum\":[\"queued\",\"running\","
    "\"paused\",\"stopping\",\"finished\",\"limited\",\"stopped\","
    "\"failed\"]},"
    "\"owner\":{\"type\":\"string\"},"
    "\"profile\":{\"type\":\"string\"},"
    "\"labels\":{\"type\":\"object\"},"
    "\"created\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"started\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"ended\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"end\":{\"type\":\"string\",\"description\":\"Why it ended.\"},"
    "\"policy\":{\"type\":\"string\"},"
    "\"urls\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"set\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"held_by\":{\"type\":\"string\",\"description\":\"What it waits "
    "for.\"},"
    "\"progress\":{\"type\":\"object\"}}},"
    "\"Jobs\":{\"type\":\"object\",\"required\":[\"jobs\"],\"properties\":{"
    "\"jobs\":{\"type\":\"array\",\"items\":{\"$ref\":"
    "\"#/components/schemas/Job\"}},"
    "\"next\":{\"type\":\"string\",\"description\":\"To be given as after, "
    "for those that follow.\"}}},"
    "\"HostPause\":{\"type\":\"object\",\"additionalProperties\":false,"
    "\"properties\":{"
    "\"until\":{\"type\":\"string\",\"description\":\"A time (RFC 3339); "
    "without it until the host is resumed.\"},"
    "\"reason\":{\"type\":\"string\",\"maxLength\":200}}},"
    "\"Host\":{\"type\":\"object\",\"required\":[\"host\",\"jobs\"],"
    "\"properties\":{"
    "\"host\":{\"type\":\"string\"},"
    "\"paused\":{\"type\":\"object\",\"description\":\"For all jobs.\","
    "\"properties\":{"
    "\"since\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"until\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"reason\":{\"type\":\"string\"},"
    "\"by\":{\"type\":\"string\"}}},"
    "\"jobs\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"required\":[\"job\"],\"properties\":{"
    "\"job\":{\"type\":\"string\"},"
    "\"waits_for\":{\"type\":\"string\"},"
    "\"why\":{\"type\":\"string\"},"
    "\"until\":{\"type\":\"string\",\"format\":\"date-time\"},"
    "\"given_up\":{\"type\":\"string\"},"
    "\"paused\":{\"type\":\"boolean\"},"
    "\"clocks\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
    "\"robots\":{\"type\":\"object\"},"
    "\"ledger\":{\"type\":\"object\"}}}}}},"
    "\"Session\":{\"type\":\"object\",\"required\":[\"token\"],"
    "\"properties\":{\"token\":{\"type\":\"string\"}}},"
    "\"SessionView\":{\"type\":\"object\",\"required\":[\"tokens\","
    "\"scopes\",\"ending\"],\"properties\":{"
    "\"tokens\":{\"type\":\"boolean\",\"description\":\"Whether the service "
    "has tokens; else everybody may do everything.\"},"
    "\"name\":{\"type\":\"string\",\"description\":\"That of the token of "
    "this request, if it has one.\"},"
    "\"scopes\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
    "\"enum\":[\"read\",\"submit\",\"control\"]}},"
    "\"ending\":{\"type\":\"boolean\",\"description\":\"Whether the service "
    "takes no more jobs, since it is ending.\"}}},"
    "\"object\":{\"type\":\"object\"},"
    "\"Problem\":{\"type\":\"object\",\"required\":[\"status\",\"title\"],"
    "\"properties\":{"
    "\"type\":{\"type\":\"string\"},"
    "\"title\":{\"type\":\"string\"},"
    "\"status\":{\"type\":\"integer\"},"
    "\"detail\":{\"type\":\"string\"}}}}";

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

static void add_parameter(struct pv_json *parameters, const char *name,
    const char *place, bool is_required)
{
	struct pv_json *parameter = pv_json_object();
	pv_json_set_text(parameter, "name", name);
	pv_json_set_text(parameter, "in", place);
	pv_json_set(parameter, "required", pv_json_bool(is_required));
	pv_json_set(parameter, "schema", read("{\"type\":\"string\"}"));
	pv_json_add(parameters, parameter);
}

static struct pv_json *parameters_of(const struct pv_route *route)
{
	struct pv_json *parameters = pv_json_array();
	if (strstr(route->path, "/ID"))
		add_parameter(parameters, "id", "path", true);
	if (strstr(route->path, "/NAME"))
		add_parameter(parameters, "name", "path", true);
	if (strstr(route->path, "/..."))
		add_parameter(parameters, "path", "path", true);
	for (size_t i = 0; route->arguments && route->arguments[i]; i++)
		add_parameter(parameters, route->arguments[i], "query", false);
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

static struct pv_json *operation_of(const struct pv_route *route)
{
	char status[8];
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
	pv_json_set(answers, status,
	    answer_of("Done.", "application/json", route->gives));
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
	pv_json_set(components, "schemas", read(schemas));
	pv_json_set(components, "securitySchemes",
	    read("{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\"}}"));
	pv_json_set(all, "components", components);
	pv_json_set(all, "security", read("[{\"token\":[]},{}]"));
	pv_route_give_json(reply, all);
}
