#include "mirror/files/extension.h"

#include "base/ascii.h"
#include "http/media_type.h"

/* In their order, for the search. */
static const char *const extensions[] = {"3gp", "7z", "aac", "aif", "aiff",
    "apk", "apng", "appcache", "asc", "atom", "avi", "avif", "bib", "bin",
    "bmp", "bz2", "c", "cab", "cbr", "cbz", "cc", "cer", "conf", "cpp", "crt",
    "crx", "css", "csv", "cur", "dat", "deb", "diff", "djvu", "dmg", "doc",
    "docx", "dot", "dtd", "dvi", "eot", "eps", "epub", "exe", "flac", "flv",
    "geojson", "gif", "gpg", "gpx", "gz", "h", "heic", "hpp", "htm", "html",
    "ico", "ics", "img", "ini", "ipa", "ipynb", "iso", "jar", "java", "jpe",
    "jpeg", "jpg", "js", "json", "jsonl", "jsonld", "jxl", "key", "kml", "kmz",
    "less", "log", "lz", "lzma", "m3u", "m3u8", "m4a", "m4v", "map", "markdown",
    "mathml", "md", "md5", "mht", "mhtml", "mid", "midi", "mjs", "mkv", "mobi",
    "mov", "mp3", "mp4", "mpd", "mpeg", "mpg", "msi", "odg", "odp", "ods",
    "odt", "oga", "ogg", "ogv", "opml", "opus", "otf", "patch", "pbm", "pdf",
    "pem", "pgm", "pgp", "png", "pnm", "pot", "ppm", "pps", "ppt", "pptx",
    "properties", "ps", "psd", "py", "rar", "rdf", "rpm", "rss", "rst", "rtf",
    "scss", "sh", "sha1", "sha256", "shtml", "sig", "sql", "srt", "svg", "svgz",
    "swf", "tar", "tbz", "tex", "texi", "tgz", "tif", "tiff", "toml", "torrent",
    "ts", "tsv", "ttf", "txt", "txz", "vcf", "vtt", "war", "wasm", "wav",
    "weba", "webapp", "webm", "webmanifest", "webp", "whl", "wma", "wmv",
    "woff", "woff2", "xht", "xhtml", "xls", "xlsx", "xml", "xpi", "xps", "xsd",
    "xsl", "xslt", "xul", "xz", "yaml", "yml", "zip", "zst"};

#define EXTENSIONS (sizeof(extensions) / sizeof(*extensions))

/* The most frequent first. */
static const struct row {
	struct pv_str type;
	const char *extension;
} rows[] = {
    {PV_STR("text/html"), "html"},
    {PV_STR("image/jpeg"), "jpg"},
    {PV_STR("image/png"), "png"},
    {PV_STR("image/gif"), "gif"},
    {PV_STR("image/webp"), "webp"},
    {PV_STR("image/svg+xml"), "svg"},
    {PV_STR("text/css"), "css"},
    {PV_STR("text/javascript"), "js"},
    {PV_STR("application/javascript"), "js"},
    {PV_STR("application/x-javascript"), "js"},
    {PV_STR("application/json"), "json"},
    {PV_STR("text/plain"), "txt"},
    {PV_STR("application/pdf"), "pdf"},
    {PV_STR("application/xhtml+xml"), "xhtml"},
    {PV_STR("text/xml"), "xml"},
    {PV_STR("application/xml"), "xml"},
    {PV_STR("application/rss+xml"), "rss"},
    {PV_STR("application/atom+xml"), "atom"},
    {PV_STR("application/rdf+xml"), "rdf"},
    {PV_STR("application/ld+json"), "jsonld"},
    {PV_STR("application/manifest+json"), "webmanifest"},
    {PV_STR("application/geo+json"), "geojson"},
    {PV_STR("application/feed+json"), "json"},
    {PV_STR("application/opensearchdescription+xml"), "xml"},
    {PV_STR("application/mathml+xml"), "mathml"},
    {PV_STR("application/wasm"), "wasm"},
    {PV_STR("application/x-ndjson"), "jsonl"},
    {PV_STR("application/yaml"), "yaml"},
    {PV_STR("application/toml"), "toml"},
    {PV_STR("text/csv"), "csv"},
    {PV_STR("text/tab-separated-values"), "tsv"},
    {PV_STR("text/markdown"), "md"},
    {PV_STR("text/calendar"), "ics"},
    {PV_STR("text/vcard"), "vcf"},
    {PV_STR("text/vtt"), "vtt"},
    {PV_STR("text/x-python"), "py"},
    {PV_STR("text/x-diff"), "diff"},
    {PV_STR("text/x-patch"), "patch"},
    {PV_STR("image/avif"), "avif"},
    {PV_STR("image/apng"), "apng"},
    {PV_STR("image/bmp"), "bmp"},
    {PV_STR("image/heic"), "heic"},
    {PV_STR("image/jpg"), "jpg"},
    {PV_STR("image/jxl"), "jxl"},
    {PV_STR("image/tiff"), "tiff"},
    {PV_STR("image/vnd.microsoft.icon"), "ico"},
    {PV_STR("image/x-icon"), "ico"},
    {PV_STR("image/vnd.djvu"), "djvu"},
    {PV_STR("font/woff2"), "woff2"},
    {PV_STR("font/woff"), "woff"},
    {PV_STR("font/ttf"), "ttf"},
    {PV_STR("font/otf"), "otf"},
    {PV_STR("application/font-woff"), "woff"},
    {PV_STR("application/font-woff2"), "woff2"},
    {PV_STR("application/vnd.ms-fontobject"), "eot"},
    {PV_STR("audio/mpeg"), "mp3"},
    {PV_STR("audio/mp4"), "m4a"},
    {PV_STR("audio/aac"), "aac"},
    {PV_STR("audio/ogg"), "ogg"},
    {PV_STR("audio/opus"), "opus"},
    {PV_STR("audio/flac"), "flac"},
    {PV_STR("audio/wav"), "wav"},
    {PV_STR("audio/x-wav"), "wav"},
    {PV_STR("audio/webm"), "weba"},
    {PV_STR("audio/midi"), "midi"},
    {PV_STR("video/mp4"), "mp4"},
    {PV_STR("video/webm"), "webm"},
    {PV_STR("video/ogg"), "ogv"},
    {PV_STR("video/mpeg"), "mpeg"},
    {PV_STR("video/quicktime"), "mov"},
    {PV_STR("video/x-msvideo"), "avi"},
    {PV_STR("video/x-matroska"), "mkv"},
    {PV_STR("video/mp2t"), "ts"},
    {PV_STR("application/vnd.apple.mpegurl"), "m3u8"},
    {PV_STR("application/x-mpegurl"), "m3u8"},
    {PV_STR("application/dash+xml"), "mpd"},
    {PV_STR("application/zip"), "zip"},
    {PV_STR("application/gzip"), "gz"},
    {PV_STR("application/x-gzip"), "gz"},
    {PV_STR("application/x-bzip2"), "bz2"},
    {PV_STR("application/x-xz"), "xz"},
    {PV_STR("application/zstd"), "zst"},
    {PV_STR("application/x-tar"), "tar"},
    {PV_STR("application/x-7z-compressed"), "7z"},
    {PV_STR("application/vnd.rar"), "rar"},
    {PV_STR("application/java-archive"), "jar"},
    {PV_STR("application/epub+zip"), "epub"},
    {PV_STR("application/postscript"), "ps"},
    {PV_STR("application/rtf"), "rtf"},
    {PV_STR("application/msword"), "doc"},
    {PV_STR("application/vnd.ms-excel"), "xls"},
    {PV_STR("application/vnd.ms-powerpoint"), "ppt"},
    {PV_STR("application/vnd.oasis.opendocument.text"), "odt"},
    {PV_STR("application/vnd.oasis.opendocument.spreadsheet"), "ods"},
    {PV_STR("application/vnd.oasis.opendocument.presentation"), "odp"},
    {PV_STR("application/"
	    "vnd.openxmlformats-officedocument.wordprocessingml.document"),
	"docx"},
    {PV_STR(
	 "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
	"xlsx"},
    {PV_STR("application/"
	    "vnd.openxmlformats-officedocument.presentationml.presentation"),
	"pptx"},
    {PV_STR("application/pgp-signature"), "asc"},
    {PV_STR("application/x-bittorrent"), "torrent"},
    {PV_STR("application/x-shockwave-flash"), "swf"},
};

static int compare(struct pv_str text, const char *extension)
{
	size_t i = 0;
	while (i < text.len && extension[i] &&
	       pv_lower(text.ptr[i]) == extension[i])
		i++;
	if (i == text.len)
		return -(unsigned char)extension[i];
	return extension[i] ? (unsigned char)pv_lower(text.ptr[i]) -
				  (unsigned char)extension[i]
			    : 1;
}

bool pv_extension_is_known(struct pv_str extension)
{
	size_t low = 0, high = EXTENSIONS;
	if (!extension.len || extension.len > PV_EXTENSION_LEN_MAX)
		return false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare(extension, extensions[middle]);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static const char *find(const struct pv_media_type *type)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (pv_media_type_is(type, rows[i].type))
			return rows[i].extension;
	}
	return NULL;
}

/* By the rest of a type that is not in the list. */
static const char *guess(const struct pv_media_type *type)
{
	if (pv_str_ends(type->subtype, PV_STR("+xml")))
		return "xml";
	if (pv_str_ends(type->subtype, PV_STR("+json")))
		return "json";
	if (pv_str_ends(type->subtype, PV_STR("+zip")))
		return "zip";
	return pv_str_equal_nocase(type->type, PV_STR("text")) ? "txt" : "bin";
}

const char *pv_extension_for(struct pv_str content_type)
{
	struct pv_media_type type;
	if (!pv_media_type_read(content_type, &type))
		return "html";
	const char *extension = find(&type);
	return extension ? extension : guess(&type);
}

/* What browsers open as pages, drawings and sheets. XML they read strictly,
 * which a page that is not in XML seldom bears. */
static const struct {
	struct pv_str extension;
	enum pv_document_kind kind;
} documents[] = {
    {PV_STR("html"), PV_DOCUMENT_HTML},
    {PV_STR("htm"), PV_DOCUMENT_HTML},
    {PV_STR("shtml"), PV_DOCUMENT_HTML},
    {PV_STR("xhtml"), PV_DOCUMENT_XML},
    {PV_STR("xht"), PV_DOCUMENT_XML},
    {PV_STR("svg"), PV_DOCUMENT_XML},
    {PV_STR("css"), PV_DOCUMENT_SHEET},
};

static enum pv_document_kind kind_of(struct pv_str extension)
{
	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		if (pv_str_equal_nocase(documents[i].extension, extension))
			return documents[i].kind;
	}
	return PV_DOCUMENT_NONE;
}

enum pv_document_kind pv_document_kind_of(struct pv_str file)
{
	size_t dot = pv_str_find_last(file, '.');
	return dot == PV_NOT_FOUND ? PV_DOCUMENT_NONE
				   : kind_of(pv_str_from(file, dot + 1));
}

/* What servers also call pages, rightly or not. */
static bool may_be_page(const struct pv_media_type *type)
{
	return pv_media_type_is(type, PV_STR("application/xml")) ||
	       pv_media_type_is(type, PV_STR("text/xml")) ||
	       pv_media_type_is(type, PV_STR("text/plain")) || !find(type);
}

bool pv_extension_suits(struct pv_str extension, struct pv_str content_type)
{
	struct pv_media_type type;
	enum pv_document_kind kind = kind_of(extension);
	bool is_html = kind == PV_DOCUMENT_HTML;
	bool is_page =
	    is_html || (kind == PV_DOCUMENT_XML &&
			   !pv_str_equal_nocase(extension, PV_STR("svg")));
	if (!pv_media_type_read(content_type, &type))
		return true;
	if (pv_media_type_is(&type, PV_STR("text/html")))
		return is_html;
	if (pv_media_type_is(&type, PV_STR("application/xhtml+xml")))
		return is_page;
	return !is_page || may_be_page(&type);
}

const char *pv_extension_at(size_t number)
{
	return number < EXTENSIONS ? extensions[number] : NULL;
}
