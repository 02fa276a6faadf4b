#include "http/file_type.h"

#include "base/ascii.h"

#define END_BYTES_MAX 5

/* What a server that knows a picture in several forms gives by our Accept. */
#define PICTURE(type)                                  \
	{                                              \
		type, "image/webp", "image/avif", NULL \
	}

/* In the order of their ends, for the search. */
static const struct row {
	const char *end;
	const char *types[PV_FILE_TYPES_MAX];
} rows[] = {
    {"7z", {"application/x-7z-compressed", NULL}},
    {"aac", {"audio/aac", "audio/x-aac", "audio/aacp", NULL}},
    {"apng", {"image/apng", "image/png", "image/webp", "image/avif", NULL}},
    {"avi", {"video/x-msvideo", "video/avi", "video/msvideo", NULL}},
    {"avif", {"image/avif", NULL}},
    {"bmp", {"image/bmp", "image/x-ms-bmp", "image/webp", "image/avif", NULL}},
    {"bz2", {"application/x-bzip2", "application/x-bzip", NULL}},
    {"css", {"text/css", NULL}},
    {"cur", {"image/x-icon", "image/vnd.microsoft.icon", NULL}},
    {"eot", {"application/vnd.ms-fontobject", "font/eot", NULL}},
    {"flac", {"audio/flac", "audio/x-flac", NULL}},
    {"flv", {"video/x-flv", NULL}},
    {"gif", {"image/gif", "image/webp", "image/avif", "video/mp4", NULL}},
    {"gz", {"application/gzip", "application/x-gzip", NULL}},
    {"heic", {"image/heic", "image/heif", NULL}},
    {"ico", {"image/x-icon", "image/vnd.microsoft.icon", "image/ico",
		"image/png", NULL}},
    {"jpe", PICTURE("image/jpeg")},
    {"jpeg", PICTURE("image/jpeg")},
    {"jpg", {"image/jpeg", "image/jpg", "image/webp", "image/avif", NULL}},
    {"js", {"text/javascript", "application/javascript",
	       "application/x-javascript", "text/ecmascript", NULL}},
    {"jxl", {"image/jxl", NULL}},
    {"m4a", {"audio/mp4", "audio/x-m4a", "video/mp4", NULL}},
    {"m4v", {"video/mp4", "video/x-m4v", NULL}},
    {"mjs", {"text/javascript", "application/javascript",
		"application/x-javascript", NULL}},
    {"mkv", {"video/x-matroska", "video/matroska", NULL}},
    {"mov", {"video/quicktime", NULL}},
    {"mp3", {"audio/mpeg", "audio/mp3", NULL}},
    {"mp4", {"video/mp4", "audio/mp4", "application/mp4", NULL}},
    {"mpeg", {"video/mpeg", "audio/mpeg", NULL}},
    {"oga", {"audio/ogg", "application/ogg", NULL}},
    {"ogg", {"audio/ogg", "video/ogg", "application/ogg", NULL}},
    {"ogv", {"video/ogg", "application/ogg", NULL}},
    {"opus", {"audio/opus", "audio/ogg", NULL}},
    {"otf", {"font/otf", "application/x-font-otf", "application/font-sfnt",
		"application/vnd.ms-opentype", NULL}},
    {"png", PICTURE("image/png")},
    {"rar", {"application/vnd.rar", "application/x-rar-compressed", NULL}},
    {"svg", {"image/svg+xml", "text/xml", "application/xml", NULL}},
    {"tar", {"application/x-tar", NULL}},
    {"tgz", {"application/gzip", "application/x-gzip",
		"application/x-compressed-tar", "application/x-tar", NULL}},
    {"tif", {"image/tiff", "image/webp", "image/avif", NULL}},
    {"tiff", {"image/tiff", "image/webp", "image/avif", NULL}},
    {"ttf", {"font/ttf", "application/x-font-ttf", "application/font-sfnt",
		"application/x-font-truetype", NULL}},
    {"wav", {"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", NULL}},
    {"weba", {"audio/webm", NULL}},
    {"webm", {"video/webm", "audio/webm", NULL}},
    {"webp", {"image/webp", NULL}},
    {"wmv", {"video/x-ms-wmv", NULL}},
    {"woff", {"font/woff", "application/font-woff", "application/x-font-woff",
		 "application/x-woff", NULL}},
    {"woff2", {"font/woff2", "application/font-woff2",
		  "application/x-font-woff2", NULL}},
    {"xz", {"application/x-xz", NULL}},
    {"zip", {"application/zip", "application/x-zip-compressed", NULL}},
    {"zst", {"application/zstd", NULL}},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* What stands behind the last dot of the last segment; empty if it has none. */
static struct pv_str end_of(struct pv_str path)
{
	size_t slash = pv_str_find_last(path, '/');
	struct pv_str last =
	    slash == PV_NOT_FOUND ? path : pv_str_from(path, slash + 1);
	size_t dot = pv_str_find_last(last, '.');
	return dot == PV_NOT_FOUND || dot == 0 ? PV_STR("")
					       : pv_str_from(last, dot + 1);
}

const char *const *pv_file_types(struct pv_str path)
{
	struct pv_str end = end_of(path);
	char lower[END_BYTES_MAX];
	size_t low = 0, high = ROWS;
	if (!end.len || end.len > END_BYTES_MAX)
		return NULL;
	for (size_t i = 0; i < end.len; i++)
		lower[i] = pv_lower(end.ptr[i]);
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = pv_str_compare((struct pv_str){lower, end.len},
		    pv_str_of(rows[middle].end));
		if (order == 0)
			return rows[middle].types;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const char *pv_file_types_at(size_t number, const char *const **types)
{
	if (number >= ROWS)
		return NULL;
	*types = rows[number].types;
	return rows[number].end;
}
