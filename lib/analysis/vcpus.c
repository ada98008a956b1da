/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/vcpus.h"

#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/data/reader.h"

/* No machine has more CPUs. The numbers in a file are checked before they are used. */
enum { MOST_CPUS = 8192 };

/* This is the event of an input that shows which guest's virtual CPU is entered. */
struct entries {
	const struct event *event; /* NULL: the event is not used */
	struct field vcpu_id;
	uint8_t guest;
};

/* This is a time of which events are missing, although no loss was reported. */
struct gap {
	uint64_t from, to; /* ns */
};
enum { MOST_GAPS = 65536 }; /* at this limit, the last gap becomes longer with each further gap */

/* This is what is known of the losses of an input. */
struct losses {
	unsigned int open; /* how many CPUs are losing events now */
	uint64_t until;	   /* the end of the last loss, ns; 0: there was none */
	VEC(struct gap) gaps;
};

struct vcpus {
	const inputs_t *inputs;
	struct timed *timed;
	struct meanwhile *meanwhile;
	VEC(struct vcpu) at;
	VEC(struct entries) entries; /* element i is for the input i */
	VEC(struct losses) losses;   /* element i is for the input i */
};

const struct vcpu *vcpus_find(const struct vcpus *vcpus, uint8_t file, uint16_t cpu)
{
	vec_each (&vcpus->at, one)
		if (one->file == file && one->cpu == cpu)
			return one->unsure ? NULL : one;
	return NULL;
}

void vcpus_lost(struct vcpus *vcpus, uint8_t file, uint64_t ns, bool over)
{
	struct losses *losses = file < vcpus->losses.n ? &vcpus->losses.at[file] : NULL;

	if (!losses)
		return;
	losses->open += over ? -1U : 1;
	if (over)
		losses->until = MAX(losses->until, ns);
}

int vcpus_missing(struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to)
{
	struct losses *losses = file < vcpus->losses.n && vcpus->at.n ? &vcpus->losses.at[file] : NULL;

	if (!losses)
		return 0;
	/* Gaps of several CPUs may overlap. The gaps that are kept do not overlap, and are in the order of time. */
	while (losses->gaps.n && (losses->gaps.at[losses->gaps.n - 1].to >= from || losses->gaps.n == MOST_GAPS)) {
		const struct gap *last = &losses->gaps.at[--losses->gaps.n];

		from = MIN(from, last->from);
		to = MAX(to, last->to);
	}
	return vec_push(&losses->gaps, (struct gap){ from, to });
}

static bool is_in_gap(const struct losses *losses, uint64_t from, uint64_t to)
{
	size_t first = 0, end = losses->gaps.n;

	/* Finds the first gap that ends after @from. */
	while (first < end) {
		const size_t middle = (first + end) / 2;

		if (losses->gaps.at[middle].to > from)
			end = middle;
		else
			first = middle + 1;
	}
	return first < losses->gaps.n && losses->gaps.at[first].from < to;
}

unsigned int vcpus_missed(const struct vcpus *vcpus, uint8_t file, uint64_t from, uint64_t to)
{
	vec_each (&vcpus->at, one) {
		if (one->file != file)
			continue;
		return is_in_gap(&vcpus->losses.at[one->host], from, to) ? one->host + 1U : 0;
	}
	return 0;
}

unsigned int vcpus_unseen(const struct vcpus *vcpus, uint8_t file, uint64_t ns)
{
	vec_each (&vcpus->at, one) {
		const struct losses *losses = &vcpus->losses.at[one->host];

		if (one->file == file && (losses->open || losses->until > ns))
			return one->host + 1U;
	}
	return 0;
}

static int add(struct vcpus *vcpus, uint8_t guest, uint64_t cpu, uint8_t host, int64_t tid)
{
	uint32_t person;

	if (cpu >= MOST_CPUS || tid <= 0 || tid > INT32_MAX)
		return 0;
	person = timed_person_at(vcpus->timed, &(struct record){ .file = host }, (int)tid);
	if (person == MEANWHILE_NOBODY)
		return -ENOMEM;
	vec_each (&vcpus->at, one) {
		if (one->file != guest || one->cpu != cpu)
			continue;
		one->unsure |= one->person != person;
		return 0;
	}
	if (meanwhile_keep_long(vcpus->meanwhile, person))
		return -ENOMEM;
	return vec_push(&vcpus->at, (struct vcpu){ .file = guest, .host = host, .cpu = (uint16_t)cpu, .person = person });
}

/* --- what the files say ---------------------------------------------------------------------------------------------- */

static const struct metadata *meta_of(const struct vcpus *vcpus, size_t i)
{
	return &vcpus->inputs->at[i].file->meta;
}

/* Adds the virtual CPUs that the host's file names: those of the guests that were recorded with it, and their threads. Returns 0 or -errno. */
static int take_guests(struct vcpus *vcpus, size_t host)
{
	int err = 0;

	vec_each (&meta_of(vcpus, host)->guests, guest)
		for (size_t i = 0; i < vcpus->inputs->n; i++) {
			if (i == host || !guest->trace_id || meta_of(vcpus, i)->trace_id != guest->trace_id)
				continue;
			for (size_t k = 0; !err && k < MIN(guest->cpus.n, (size_t)MOST_CPUS); k++)
				err = add(vcpus, (uint8_t)i, guest->cpus.at[k].cpu, (uint8_t)host, guest->cpus.at[k].pid);
		}
	return err;
}

static bool names_threads(const struct vcpus *vcpus, size_t guest)
{
	vec_each (&vcpus->at, one)
		if (one->file == guest)
			return true;
	return false;
}

static bool ask_entries(struct vcpus *vcpus, size_t guest, size_t host)
{
	const struct event *event = trace_find(vcpus->inputs->at[host].trace, "kvm", "kvm_entry");
	struct entries *entries = &vcpus->entries.at[host];

	if (!event || entries->event || !format_field(event->format, "vcpu_id", &entries->vcpu_id))
		return false;
	entries->event = event;
	entries->guest = (uint8_t)guest;
	return true;
}

/*
 * Looks for a guest that has the times of this host, but that the host's file does not name. If there are two such guests, kvm_entry does not tell whose
 * thread it is.
 */
static void find_entries(struct vcpus *vcpus, size_t host)
{
	const uint64_t id = meta_of(vcpus, host)->trace_id;
	size_t guest = SIZE_MAX;

	for (size_t i = 0; i < vcpus->inputs->n; i++) {
		const struct time_shift *shift = &meta_of(vcpus, i)->time_shift;

		if (i == host || !id || !shift->present || shift->peer_id != id)
			continue;
		if (guest != SIZE_MAX)
			return;
		guest = i;
	}
	if (guest != SIZE_MAX && !names_threads(vcpus, guest))
		ask_entries(vcpus, guest, host);
}

/* --- what the user says ---------------------------------------------------------------------------------------------- */

static bool is_named(const char *name, const char *given, size_t n)
{
	return name && strlen(name) == n && strncmp(name, given, n) == 0;
}

/* Returns the input that "FILE=..." means. FILE is its path, or its name without folders. Returns SIZE_MAX if there is none. */
static size_t guest_of(const inputs_t *inputs, const char *given)
{
	const char *sign = strrchr(given, '=');
	const size_t n = sign ? (size_t)(sign - given) : 0;

	for (size_t i = 0; sign && i < inputs->n; i++)
		if (is_named(inputs->at[i].path, given, n))
			return i;
	for (size_t i = 0; sign && i < inputs->n; i++)
		if (is_named(inputs->at[i].name, given, n))
			return i;
	return SIZE_MAX;
}

static size_t host_for(const inputs_t *inputs, const strv_t *given)
{
	for (size_t i = 0; i < inputs->n; i++) {
		bool guest = false;

		vec_each (given, text)
			guest |= guest_of(inputs, *text) == i;
		if (!guest)
			return i;
	}
	return SIZE_MAX;
}

static int take_threads(struct vcpus *vcpus, size_t guest, size_t host, const char *given)
{
	const char *list = strrchr(given, '=') + 1;
	const bool one = !strchr(list, ',');
	const uint32_t ncpus = MIN(meta_of(vcpus, guest)->ncpus, (uint32_t)MOST_CPUS);
	uint64_t cpu = 0, tid;
	int err = 0;

	for (const char *at = list; at && !err; cpu++) {
		const size_t n = strcspn(at, ",");
		__cleanup(free_ptr) char *word = strndup(at, n);

		if (!word)
			return -ENOMEM;
		if (parse_u64(word, &tid) || !tid || tid > INT32_MAX)
			return fail(EINVAL, "--vcpus %s: '%s' is no number of a thread", given, word);
		at = at[n] ? at + n + 1 : NULL;
		for (uint32_t i = 0; i < ncpus && !err; i++)
			if (one || i == cpu)
				err = add(vcpus, (uint8_t)guest, i, (uint8_t)host, (int64_t)tid);
	}
	return err;
}

static int take_given(struct vcpus *vcpus, const strv_t *all, const char *given)
{
	const size_t guest = guest_of(vcpus->inputs, given), host = host_for(vcpus->inputs, all);

	if (!strrchr(given, '='))
		return fail(EINVAL, "--vcpus %s: write FILE=TID,...: the guest's file, and the threads of the host that are its CPUs 0, 1, ...", given);
	if (guest == SIZE_MAX)
		return fail(ENOENT, "--vcpus %s: the file before the = is none of those that are read", given);
	if (host == SIZE_MAX)
		return fail(EINVAL, "--vcpus %s: every file that is read is called a guest's; name the host's file, too", given);
	if (strcmp(strrchr(given, '='), "=kvm") != 0)
		return take_threads(vcpus, guest, host, given);
	return ask_entries(vcpus, guest, host)
		       ? 0
		       : fail(ENOENT, "--vcpus %s: %s has no kvm_entry events, or they already tell of another guest; name the threads instead", given,
			      vcpus->inputs->at[host].path);
}

/* --- records --------------------------------------------------------------------------------------------------------- */

int vcpus_record(struct vcpus *vcpus, const struct event *event, const struct record *rec)
{
	const struct entries *entries = rec->file < vcpus->entries.n ? &vcpus->entries.at[rec->file] : NULL;
	const struct trace *trace;
	uint64_t cpu;

	if (likely(!entries || !entries->event || event != entries->event))
		return 0;
	trace = vcpus->inputs->at[rec->file].trace;
	if (!field_get(&entries->vcpu_id, rec->data, rec->size, trace->swap, &cpu))
		return 0;
	return add(vcpus, entries->guest, cpu, rec->file, record_common(trace, rec).pid);
}

int vcpus_new(struct vcpus **out, const inputs_t *inputs, const strv_t *given, struct timed *timed, struct meanwhile *meanwhile)
{
	struct vcpus *vcpus = calloc(1, sizeof(*vcpus));
	int err = vcpus ? 0 : -ENOMEM;

	if (err)
		return err;
	*vcpus = (struct vcpus){ .inputs = inputs, .timed = timed, .meanwhile = meanwhile };
	/* Live records have no file. They come from one input only. */
	for (size_t i = 0; i < inputs->n && inputs->at[i].file; i++)
		err = err ? err : vec_push(&vcpus->entries, (struct entries){ 0 }) ?: vec_push(&vcpus->losses, (struct losses){ 0 });
	if (given)
		vec_each (given, text)
			err = err ? err : take_given(vcpus, given, *text);
	for (size_t i = 0; !err && i < vcpus->entries.n && vcpus->entries.n == inputs->n && inputs->n > 1; i++) {
		err = take_guests(vcpus, i);
		if (!err)
			find_entries(vcpus, i);
	}
	if (err)
		vcpus_free(take(vcpus));
	*out = vcpus;
	return err;
}

void vcpus_free(struct vcpus *vcpus)
{
	if (!vcpus)
		return;
	vec_fini(&vcpus->at);
	vec_fini(&vcpus->entries);
	vec_each (&vcpus->losses, losses)
		vec_fini(&losses->gaps);
	vec_fini(&vcpus->losses);
	free(vcpus);
}
