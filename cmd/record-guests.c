/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/record-guests.h"

#include "cmd/commands.h"
#include "cmd/guest.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/net/socket.h"
#include "lib/record/aligner.h"

/* The longest interval, which is a day. */
enum { MOST_SYNC_MS = 86400000 };

static int misplaced(void *ctx __unused, const struct opt *opt, const char *value __unused)
{
	return opt->letter ? fail(EINVAL, "-A must be a word of its own; the options for the agent follow it")
			   : fail(EINVAL, "--name is the name of the agent of the -A before it");
}

static int set_sync(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;

	if (parse_s64(value, &o->sync_ms) || o->sync_ms > MOST_SYNC_MS)
		return fail(EINVAL, "--tsync-interval %s: a number of milliseconds is wanted, at most %d; less than 0 says that clocks are not compared", value,
			    MOST_SYNC_MS);
	return 0;
}

const struct opt guest_rows[] = {
	{ OPT_CALL, 'A', .name = "agent", .arg = "HOST:PORT", .call = misplaced,
	  .help = "let the agent at this address (`ringside agent` or `trace-cmd agent`) record, with the options that follow; what the agent records goes into a separate file; repeatable" },
	{ OPT_CALL, .name = "name", .arg = "NAME", .call = misplaced,
	  .help = "put NAME, instead of the name of the agent's machine, into the name of the file for the agent of the preceding -A" },
	{ OPT_CALL, .name = "proxy", .arg = "CID:PORT", .call = misplaced,
	  .help = "in a virtual machine: record also the host, on which `ringside agent -P` must run; CID is 2, the number of the host" },
	{ OPT_CALL, .name = "tsync-interval", .arg = "MS", .call = set_sync,
	  .help = "compare the clocks of agents with this machine's clock every MS milliseconds (default: 3000); 0: compare only at the beginning and at the end; -1: never compare" },
	OPT_END,
};

void guest_lines_fini(struct guest_lines *lines)
{
	vec_each (&lines->at, one)
		strv_fini(&one->words);
	vec_fini(&lines->at);
	vec_fini(&lines->rest);
}

/* Returns the value of the option @name or @letter if words[0] is that option, and moves *@words to the option's last word. Returns NULL otherwise. */
static char *value_of(char ***words, const char *letter, const char *name)
{
	char *word = **words;
	size_t n = strlen(name);

	if (letter && str_starts(word, letter) && word[2])
		return word + 2;
	if (str_starts(word, name) && word[n] == '=')
		return word + n + 1;
	if (((letter && strcmp(word, letter) == 0) || strcmp(word, name) == 0) && (*words)[1])
		return *++*words;
	return NULL;
}

static int add_guest(struct guest_lines *out, const char *where, bool proxy)
{
	unsigned int cid;
	__cleanup(free_ptr) char *host = strndup(where, strcspn(where, ":"));

	if (proxy && (!host || !net_cid(host, &cid)))
		return fail(EINVAL, "--proxy %s: CID:PORT is wanted, where CID is the number of the machine whose agent is asked, 2 for the host of this one",
			    where);
	/* As in trace-cmd, the word after -A is always its value. */
	if (*where == '-')
		return fail(EINVAL, "-A needs the HOST of an agent after it, as in -A web:823, and got the option '%s'", where);
	if (!*where)
		return fail(EINVAL, "-A needs the HOST of an agent after it, as in -A web:823, and got nothing");
	return vec_push(&out->at, (struct guest_words){ .where = where, .proxy = proxy }) ? fail(ENOMEM, "no memory for the command line") : 0;
}

/* Takes a word after -A. Returns 0, 1 if the word does not belong to the agent, or -errno. Moves *@words to the last word that was taken. */
static int take_word(struct guest_words *guest, char ***words)
{
	char *value = value_of(words, NULL, "--name");
	int n;

	if (value) {
		guest->name = value;
		return 0;
	}
	n = str_starts(**words, "-B") || str_starts(**words, "--buffer") ? 0 : guest_words(*words);
	if (n <= 0)
		return n < 0 ? n : 1;
	for (int i = 0; i < n; i++)
		if (strv_add(&guest->words, (*words)[i]))
			return fail(ENOMEM, "no memory for the command line");
	*words += n - 1;
	return 0;
}

static int pass_word(struct guest_lines *out, char *word)
{
	return vec_push(&out->rest, word) ? fail(ENOMEM, "no memory for the command line") : 0;
}

/* Takes an option of this machine's recording together with its values. */
static int pass_words(struct guest_lines *out, const struct cmd *cmd, char ***words, bool *operands)
{
	int n = *operands ? 0 : opt_span(cmd, *words), err = 0;

	*operands |= n == 0;
	for (int i = 0; i < MAX(n, 1) && !err; i++)
		err = pass_word(out, (*words)[i]);
	*words += MAX(n, 1) - 1;
	return err;
}

/* Is the option about the recorder itself, wherever it stands? */
static bool is_ours(const char *word)
{
	return str_starts(word, "--tsync-interval");
}

int guest_lines(struct guest_lines *out, const struct cmd *cmd, int argc, char **argv)
{
	bool operands = false, theirs = false;
	int err = 0;

	*out = (struct guest_lines){ 0 };
	err = pass_word(out, argv[0]);
	for (char **word = argv + 1; word < argv + argc && !err; word++) {
		char *where = operands ? NULL : value_of(&word, "-A", "--agent");
		char *host = operands || where ? NULL : value_of(&word, NULL, "--proxy");

		if (where || host) {
			theirs = true;
			err = add_guest(out, where ? where : host, host != NULL);
			continue;
		}
		if (theirs && !is_ours(*word)) {
			err = take_word(&out->at.at[out->at.n - 1], &word);
			if (err <= 0)
				continue;
			theirs = false;
		}
		err = pass_words(out, cmd, &word, &operands);
	}
	return err ?: pass_word(out, NULL);
}

/*
 * Returns a name for the file: NAME, or the HOST of "HOST:PORT", with the characters that a file name can have. The caller frees it. Returns NULL after a
 * message.
 */
static char *guest_name(const struct guest_words *guest)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+:[]@";
	const char *text = guest->name ? guest->name : guest->where, *colon = strrchr(text, ':');
	size_t n = !guest->name && colon ? (size_t)(colon - text) : strlen(text);
	char *name;

	if (!n && !guest->name) {
		fail(EINVAL, "-A %s names no machine: say HOST:PORT", text);
		return NULL;
	}
	if (!n || *text == '.' || strspn(text, allowed) < n) {
		fail(EINVAL, "'%s' cannot be part of a file's name: say --name, of letters, digits and dashes", text);
		return NULL;
	}
	name = strndup(text, n);
	if (!name)
		fail(ENOMEM, "no memory for names");
	return name;
}

/* Returns "HOST:PORT", with the default port if none is given. */
static char *guest_where(const char *where)
{
	const char *colon = strrchr(where, ':'), *bracket = strrchr(where, ']');
	bool has_port = colon && (!bracket || bracket < colon);

	return str_printf("%s%s", where, has_port ? "" : ":" AGENT_PORT);
}

typedef VEC(struct guest_spec) guest_specs_t;

/* How the clocks of agents are compared with this machine's clock. */
struct sync {
	bool on;
	clockid_t id;
	const char *clock;
	uint64_t interval_ns;
};

/* Chooses the clock that agents are compared with: that of -C, or one that a program can read. The recording on this machine uses it, too. */
static struct sync choose_sync(struct record_opts *opts)
{
	struct sync sync = { .on = opts->sync_ms >= 0, .interval_ns = (uint64_t)MAX(opts->sync_ms, 0) * 1000000 };

	vec_each (&opts->spec.buffers, buffer)
		if (buffer_used(&opts->spec, buffer) && !sync.clock)
			sync.clock = buffer->clock;
	if (!sync.on)
		return sync;
	if (opts->spec.as_is && !sync.clock)
		sync.clock = "of a buffer as it is (-K)";
	if (!sync.clock)
		sync.clock = "mono";
	sync.on = aligner_clock(sync.clock, &sync.id);
	if (!sync.on)
		note("clocks are not compared with agents: the clock %s is none of mono, mono_raw, boot and tai (-C)", sync.clock);
	vec_each (&opts->spec.buffers, buffer)
		if (sync.on && buffer_used(&opts->spec, buffer) && !buffer->clock)
			buffer->clock = sync.clock;
	return sync;
}

/* An agent uses the same clock unless it has a -C of its own. */
static int add_clock(struct guest_words *guest, const char *clock)
{
	vec_each (&guest->words, word)
		if (str_starts(*word, "-C") || str_starts(*word, "--clock"))
			return 0;
	return strv_add(&guest->words, "-C") ?: strv_add(&guest->words, clock);
}

static int add_spec(guest_specs_t *specs, strv_t *texts, const char *output, const struct sync *sync, struct guest_words *guest)
{
	__cleanup(free_ptr) char *name = guest_name(guest);
	char *where = guest_where(guest->where), *file = name ? str_file_of(output, name) : NULL;
	struct guest_spec spec = { .where = where,
				   .output = file,
				   .proxy = guest->proxy,
				   .sync = sync->on,
				   .clock = sync->id,
				   .interval_ns = sync->interval_ns };

	if (strv_own(texts, where) || !name || strv_own(texts, file))
		return name ? fail(ENOMEM, "no memory for names") : -EINVAL;
	vec_each (specs, other)
		if (strcmp(other->output, file) == 0)
			return fail(EINVAL, "two agents would write %s: give them names with --name", file);
	if (sync->on && add_clock(guest, sync->clock))
		return fail(ENOMEM, "no memory for the command line");
	spec.words = guest->words;
	return vec_push(specs, spec) ? fail(ENOMEM, "no memory for names") : 0;
}

/* The hooks around a recording on this machine. When it ends, the guests' recordings end, too. */
struct both {
	struct record_talk talk;
	struct record_hooks hooks; /* the hooks of .talk */
	struct guests *guests;
};

static void both_ended(void *ctx)
{
	struct both *both = container_of(ctx, struct both, talk);

	guests_end(both->guests);
	both->hooks.ended(&both->talk);
}

static bool records_here(const struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer)
		if (buffer_used(spec, buffer) &&
		    (buffer->name || buffer->tracer || buffer->events.n || buffer->functions.n || buffer->graph.n || buffer->funcommands.n))
			return true;
	return false;
}

static int do_both(struct record_opts *opts, struct both *both)
{
	struct record_hooks hooks = both->hooks;
	struct record_outcome out = { 0 };
	int status;

	hooks.ended = both_ended;
	status = record_status(record(&opts->spec, &hooks, &out), &out);
	if (!out.ran)
		guests_drop(both->guests);
	record_outcome_fini(&out);
	return status;
}

static int do_theirs(const struct record_opts *opts, struct both *both)
{
	enum watch_end end = END_COMMAND;
	int status = 0, err;

	if (!opts->quiet)
		tell_until_when(&opts->spec, "recording");
	err = guests_attend(both->guests, &opts->spec, &status, &end);
	return err && !status ? 1 : status;
}

static void guest_said(void *ctx, const char *sentence)
{
	const struct record_opts *opts = ctx;

	if (!opts->quiet)
		note("%s", sentence);
}

static int check_guests(const struct record_opts *opts)
{
	if (opts->spec.network)
		return usage(&cmd_record, "-N does not go with -A: -N sends the recording away, and -A fetches recordings");
	if (opts->daemonize)
		return usage(&cmd_record, "--daemonize does not go with -A");
	return strcmp(opts->spec.output, "-") == 0 ? usage(&cmd_record, "-A makes a file for each agent: -o - does not go with it") : 0;
}

int record_with_guests(struct record_opts *opts, const struct guest_lines *lines)
{
	struct both both = { 0 };
	guest_specs_t specs = { 0 };
	strv_t texts = { 0 };
	struct sync sync;
	int err = 0, status = check_guests(opts);

	if (status)
		return status;
	sync = choose_sync(opts);
	vec_each (&lines->at, guest)
		err = err ? err : add_spec(&specs, &texts, opts->spec.output, &sync, guest);
	if (!err)
		err = guests_begin(&both.guests, specs.at, specs.n, guest_said, opts);
	record_talk_init(&both.talk, opts, &both.hooks);
	if (!err)
		status = records_here(&opts->spec) ? do_both(opts, &both) : do_theirs(opts, &both);
	if (!err && guests_join(both.guests) && !status)
		status = 1;
	guests_free(both.guests);
	vec_fini(&specs);
	strv_fini(&texts);
	return err ? 1 : status;
}
