/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/server.h"
#include "lib/base/err.h"
#include "lib/base/library.h"
#include "lib/base/parse.h"

/* --- addresses --------------------------------------------------------------------------------------------------- */

static const char plain[] = "clickhouse://", tls[] = "clickhouses://";

bool server_is_address(const char *text)
{
	return str_starts(text, plain) || str_starts(text, tls);
}

void server_address_fini(struct server_address *address)
{
	free(address->user);
	free(address->password);
	free(address->database);
	strv_fini(&address->hosts);
	*address = (struct server_address){ 0 };
}

bool server_is_near(const struct server_address *address, size_t host)
{
	const char *name = address->hosts.at[host];

	return str_starts(name, "127.") || str_starts(name, "localhost:") || str_starts(name, "[::1]:");
}

static int add_host(struct server_address *out, const char *host)
{
	const char *behind = host[0] == '[' ? strchr(host, ']') : host, *colon = behind ? strrchr(behind, ':') : NULL;
	uint64_t port = 0;

	if (!behind || colon == host || (colon && (parse_u64(colon + 1, &port) || !port || port > UINT16_MAX)))
		return -EINVAL;
	return colon ? strv_add(&out->hosts, host) : strv_own(&out->hosts, str_printf("%s:%u", host, out->tls ? 8443 : 8123));
}

static int parse(struct server_address *out, const char *text)
{
	const char *at, *slash, *hosts = NULL, *colon;
	__cleanup(free_ptr) char *list = NULL;
	strv_t names = { 0 };
	int err;

	if (!server_is_address(text))
		return -EINVAL;
	out->tls = str_starts(text, tls);
	at = text + (out->tls ? sizeof(tls) : sizeof(plain)) - 1;
	slash = strchr(at, '/');
	for (const char *c = at; *c && c != slash; c++)
		hosts = *c == '@' ? c : hosts;
	if (hosts) {
		colon = memchr(at, ':', (size_t)(hosts - at));
		out->user = strndup(at, (size_t)((colon ? colon : hosts) - at));
		out->password = colon ? strndup(colon + 1, (size_t)(hosts - colon) - 1) : NULL;
		if (!out->user || (colon && !out->password))
			return -ENOMEM;
		at = hosts + 1;
	}
	if (!slash || !slash[1] || strchr(slash + 1, '/'))
		return -EINVAL;
	out->database = strdup(slash + 1);
	list = strndup(at, (size_t)(slash - at));
	err = list && out->database ? strv_split(&names, list, ",") : -ENOMEM;
	vec_each (&names, name)
		err = err ? err : add_host(out, *name);
	strv_fini(&names);
	return err ? err : out->hosts.n ? 0 : -EINVAL;
}

int server_parse(struct server_address *out, const char *text)
{
	int err;

	*out = (struct server_address){ 0 };
	err = parse(out, text);
	if (err == -EINVAL)
		return fail(EINVAL, "that is no address of a server: it is written clickhouse://[USER[:PASSWORD]@]HOST[:PORT][,HOST…]/DATABASE");
	return err ? fail(ENOMEM, "out of memory") : 0;
}

/* --- requests ---------------------------------------------------------------------------------------------------- */

#ifdef RINGSIDE_CURL
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/*
 * The functions of libcurl that are used. libcurl is loaded only when a server is opened: with all its libraries it would make each start of the program three
 * times as long.
 */
#define CURL_CALLS(call) \
	call(easy_init) call(easy_setopt) call(easy_getinfo) call(easy_perform) call(easy_cleanup) call(easy_strerror) call(easy_escape) call(free) \
		call(slist_append) call(slist_free_all)

struct curl_calls {
#define CURL_POINTER(name) __typeof__(&curl_##name) name;
	CURL_CALLS(CURL_POINTER)
};

static const struct library_call curl_rows[] = {
#define CURL_ROW(name) { "curl_" #name, offsetof(struct curl_calls, name) },
	CURL_CALLS(CURL_ROW){ NULL },
};

struct server {
	struct curl_calls call;
	const struct server_address *address;
	const char *name;
	CURL *curl;
	struct curl_slist *headers, *packed; /* .headers of a request without a body, .packed of one with a body */
	struct str url, answer, error;
	char why[CURL_ERROR_SIZE];
	const struct server_request *request;
	bool stopped, reached, absent;
};

enum { MOST_ANSWER = 64 << 20, CONNECT_S = 5, SILENT_S = 300 };

/* Takes the answer's bytes. An error message comes in the body, too. */
static size_t on_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
	struct server *server = ctx;
	long status = 0;

	n *= size;
	server->call.easy_getinfo(server->curl, CURLINFO_RESPONSE_CODE, &status);
	if (server->request->on_answer && status == 200) {
		server->stopped = server->request->on_answer(server->request->ctx, bytes, n) != 0;
		return server->stopped ? 0 : n;
	}
	if (server->answer.len + n > MOST_ANSWER)
		return 0;
	str_addn(&server->answer, bytes, n);
	return server->answer.oom ? 0 : n;
}

static int on_progress(void *ctx, __unused curl_off_t down, __unused curl_off_t so_far, __unused curl_off_t up, __unused curl_off_t sent)
{
	struct server *server = ctx;

	server->stopped |= server->request->tell(server->request->tell_ctx) != 0;
	return server->stopped;
}

static struct curl_slist *make_headers(const struct server *server, bool packed)
{
	const struct server_address *address = server->address;
	struct curl_slist *list = server->call.slist_append(NULL, "Expect:");
	char *user = address->user ? str_printf("X-ClickHouse-User: %s", address->user) : NULL;
	char *key = address->password ? str_printf("X-ClickHouse-Key: %s", address->password) : NULL;

	list = packed ? server->call.slist_append(list, "Content-Encoding: gzip") : list;
	list = user ? server->call.slist_append(list, user) : list;
	list = key ? server->call.slist_append(list, key) : list;
	free(user);
	free(key);
	return list;
}

int server_open(struct server **out, const struct server_address *address, size_t host)
{
	struct server *server = *out = calloc(1, sizeof(*server));
	char why[LIBRARY_WHY];

	if (!server)
		return fail(ENOMEM, "out of memory");
	if (library_load("libcurl.so.4", curl_rows, &server->call, why))
		return fail(ENOSYS, "%s; Debian's package libcurl4 has it", why);
	server->address = address;
	server->name = address->hosts.at[host];
	server->curl = server->call.easy_init();
	server->headers = make_headers(server, false);
	server->packed = make_headers(server, true);
	if (!server->curl || !server->headers || !server->packed)
		return fail(ENOMEM, "out of memory");
	server->call.easy_setopt(server->curl, CURLOPT_NOSIGNAL, 1L);
	server->call.easy_setopt(server->curl, CURLOPT_NOPROXY, "*");
#if LIBCURL_VERSION_NUM >= 0x075500
	server->call.easy_setopt(server->curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	server->call.easy_setopt(server->curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	server->call.easy_setopt(server->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	server->call.easy_setopt(server->curl, CURLOPT_WRITEFUNCTION, on_bytes);
	server->call.easy_setopt(server->curl, CURLOPT_WRITEDATA, server);
	server->call.easy_setopt(server->curl, CURLOPT_ERRORBUFFER, server->why);
	return 0;
}

void server_close(struct server *server)
{
	if (!server)
		return;
	if (server->curl) {
		server->call.slist_free_all(server->headers);
		server->call.slist_free_all(server->packed);
		server->call.easy_cleanup(server->curl);
	}
	str_fini(&server->url);
	str_fini(&server->answer);
	str_fini(&server->error);
	free(server);
}

static void add_param(struct server *server, const char *name, const char *value)
{
	char *escaped = value ? server->call.easy_escape(server->curl, value, 0) : NULL;

	if (!value)
		return;
	str_addf(&server->url, "&%s=%s", name, escaped ? escaped : "");
	server->url.oom |= !escaped;
	server->call.free(escaped);
}

static void make_url(struct server *server, const struct server_request *request)
{
	str_clear(&server->url);
	str_addf(&server->url, "%s://%s/?wait_end_of_query=%d", server->address->tls ? "https" : "http", server->name, request->body ? 1 : 0);
	add_param(server, "database", request->no_database ? NULL : server->address->database);
	add_param(server, "query_id", request->id);
	add_param(server, "default_format", request->format);
	add_param(server, "query", request->body ? request->query : NULL);
	str_add(&server->url, request->more ? request->more : "");
}

/*
 * Is it an error that may go away by itself? Such codes are about a running query with this id, too many queries, too little memory, too many parts, the
 * network, and read-only tables.
 */
static bool goes_away(const char *text)
{
	static const uint64_t codes[] = { 159, 202, 203, 209, 210, 216, 241, 242, 252, 279, 319, 999 };
	const char *at = strstr(text, "Code: ");
	uint64_t code = at ? strtoull(at + 6, NULL, 10) : 0;

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i] == code)
			return true;
	return false;
}

/* Sets server.error to why there was no answer. Returns true if nobody listens at the address. */
static bool is_absent(struct server *server, CURLcode code)
{
	long number = 0;

	if (code == CURLE_OK)
		return false;
	if (code == CURLE_COULDNT_CONNECT)
		server->call.easy_getinfo(server->curl, CURLINFO_OS_ERRNO, &number);
	str_add(&server->error, number ? strerror((int)number) : server->why[0] ? server->why : server->call.easy_strerror(code));
	return number == ECONNREFUSED || code == CURLE_COULDNT_RESOLVE_HOST;
}

static enum server_result judge(struct server *server, CURLcode code)
{
	const char *text = str_text(&server->answer);
	long status = 0;

	str_clear(&server->error);
	server->call.easy_getinfo(server->curl, CURLINFO_RESPONSE_CODE, &status);
	if (server->stopped)
		return SERVER_STOPPED;
	server->absent = is_absent(server, code);
	if (code != CURLE_OK)
		return SERVER_SILENT;
	server->reached = true;
	if (status == 200 && !str_starts(text, "Code: "))
		return SERVER_DONE;
	str_addn(&server->error, text, strcspn(text, "\n"));
	if (!server->error.len)
		str_addf(&server->error, "HTTP status %ld", status);
	return status == 429 || status == 502 || status == 503 || status == 504 || goes_away(text) ? SERVER_BUSY : SERVER_REFUSED;
}

enum server_result server_ask(struct server *server, const struct server_request *request)
{
	CURL *curl = server->curl;

	make_url(server, request);
	str_clear(&server->answer);
	server->why[0] = '\0';
	server->request = request;
	server->stopped = server->absent = false;
	if (server->url.oom)
		return str_clear(&server->error), str_add(&server->error, "out of memory"), SERVER_REFUSED;
	server->call.easy_setopt(curl, CURLOPT_URL, str_text(&server->url));
	server->call.easy_setopt(curl, CURLOPT_HTTPHEADER, request->body ? server->packed : server->headers);
	server->call.easy_setopt(curl, CURLOPT_POSTFIELDS, request->body ? request->body : request->query);
	server->call.easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(request->body ? request->size : strlen(request->query)));
	/* If an old connection broke, libcurl would send the body again by itself, and rows would be inserted twice. */
	server->call.easy_setopt(curl, CURLOPT_FRESH_CONNECT, request->body ? 1L : 0L);
	/* A query may take any time. An insert has a limit. */
	server->call.easy_setopt(curl, CURLOPT_TIMEOUT, request->seconds ? (long)request->seconds : request->on_answer ? 0L : (long)SILENT_S);
	server->call.easy_setopt(curl, CURLOPT_NOPROGRESS, request->tell ? 0L : 1L);
	server->call.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
	server->call.easy_setopt(curl, CURLOPT_XFERINFODATA, server);
	return judge(server, server->call.easy_perform(curl));
}

const char *server_answer(const struct server *server)
{
	return str_text(&server->answer);
}

const char *server_error(const struct server *server)
{
	return str_text(&server->error);
}

bool server_reached(const struct server *server)
{
	return server->reached;
}

bool server_is_absent(const struct server *server)
{
	return server->absent;
}

const char *server_name(const struct server *server)
{
	return server->name;
}
#else
int server_open(struct server **out, __unused const struct server_address *address, __unused size_t host)
{
	*out = NULL;
	return fail(ENOTSUP, "this program was built without libcurl, which talks to servers; build it again where that is installed");
}

void server_close(__unused struct server *server)
{
}

enum server_result server_ask(__unused struct server *server, __unused const struct server_request *request)
{
	return SERVER_REFUSED;
}

const char *server_answer(__unused const struct server *server)
{
	return "";
}

const char *server_error(__unused const struct server *server)
{
	return "";
}

bool server_reached(__unused const struct server *server)
{
	return false;
}

bool server_is_absent(__unused const struct server *server)
{
	return false;
}

const char *server_name(__unused const struct server *server)
{
	return "";
}
#endif
