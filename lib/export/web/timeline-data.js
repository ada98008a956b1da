// SPDX-License-Identifier: GPL-2.0
// The timeline's data: columns of numbers as lib/export/columns.h writes them, and lists of what stands in each row. Times are ns since
// the first record.

class ColumnReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.view = new DataView(bytes.buffer, bytes.byteOffset);
		this.at = 0;
	}

	// A table of n rows. spec: [name, type of array, is it of differences?] for each column, in their order.
	table(n, spec) {
		const count = this.view.getUint32(this.at, true), table = { n };
		let at = this.at + 4 + 4 * count;
		spec.forEach(([name, type, differences], column) => {
			table[name] = new type(n);
			if (column >= count)
				return;
			this.decode(table[name], at, differences);
			at += this.view.getUint32(this.at + 4 + 4 * column, true);
		});
		this.at = at;
		return table;
	}

	decode(out, at, differences) {
		const { bytes } = this;
		let before = 0;
		for (let i = 0; i < out.length; i++) {
			let byte = bytes[at++], value = byte & 127, unit = 128;
			while (byte & 128) {
				byte = bytes[at++];
				value += (byte & 127) * unit;
				unit *= 128;
			}
			if (differences)
				value = before += value % 2 ? -(value + 1) / 2 : value / 2;
			out[i] = value;
		}
	}

	// What stands behind the tables, as texts with a NUL behind each.
	texts() {
		return new TextDecoder().decode(this.bytes.subarray(this.at)).split("\0");
	}
}

// Numbers 0 to n - 1 in groups: of(i) is the group of i, -1: none. Each keeps their order.
function grouped(n, groups, of) {
	const count = new Uint32Array(groups), lists = [];
	for (let i = 0; i < n; i++)
		if (of(i) >= 0)
			count[of(i)]++;
	for (let group = 0; group < groups; group++)
		lists.push(new Uint32Array(count[group]));
	count.fill(0);
	for (let i = 0; i < n; i++)
		if (of(i) >= 0)
			lists[of(i)][count[of(i)]++] = i;
	return lists;
}

// Which of `lists` an index belongs to, when each has lengths[i] of them, one behind the other.
function spread(lengths, n) {
	const group = new Uint32Array(n);
	let at = 0;
	lengths.forEach((length, i) => group.fill(i, at, at += length));
	return group;
}

class TimelineData {
	constructor(head, slices, cpus, marks) {
		const sum = (list, field) => list.reduce((n, item) => n + item[field], 0);
		Object.assign(this, head);
		this.span = Math.max(1, head.span);
		const ofSlices = new ColumnReader(slices), ofCpus = new ColumnReader(cpus), ofMarks = new ColumnReader(marks);
		this.slices = ofSlices.table(sum(head.tracks, "slices"), [["start", Float64Array, true], ["length", Float64Array], ["name", Uint32Array],
			["depth", Uint16Array], ["cpu", Uint16Array], ["cut", Uint8Array], ["folded", Uint32Array], ["callees", Float64Array],
			["off", Float64Array], ["irq", Float64Array]]);
		this.waits = ofSlices.table(sum(head.tracks, "waits"), [["start", Float64Array, true], ["length", Float64Array], ["state", Uint8Array],
			["by", Uint32Array], ["from", Uint8Array]]);
		this.runs = ofCpus.table(sum(head.cpus, "runs"), [["start", Float64Array, true], ["length", Float64Array], ["track", Uint32Array],
			["folded", Uint32Array]]);
		this.irqs = ofCpus.table(sum(head.cpus, "irqs"), [["start", Float64Array, true], ["length", Float64Array], ["name", Uint32Array],
			["soft", Uint8Array]]);
		this.losses = ofCpus.table(sum(head.cpus, "losses"), [["start", Float64Array, true], ["length", Float64Array], ["events", Float64Array]]);
		this.countMarks(ofMarks);
		this.makeLists();
	}

	// How many marks there are is not told: the columns behind the directory end where a byte of each row has its eighth bit clear.
	countMarks(reader) {
		const count = reader.view.getUint32(0, true), length = count ? reader.view.getUint32(4, true) : 0;
		let n = 0;
		for (let i = 0, at = 4 + 4 * count; i < length; i++)
			n += reader.bytes[at + i] < 128;
		this.marks = reader.table(n, [["start", Float64Array, true], ["track", Uint32Array], ["event", Uint32Array], ["cpu", Uint16Array],
			["folded", Uint32Array]]);
		this.marks.length = new Float64Array(n);
		this.marks.text = reader.texts();
	}

	makeLists() {
		const { slices, waits, runs, irqs, losses, marks, tracks, cpus } = this;
		this.sliceTrack = spread(tracks.map(track => track.slices), slices.n);
		this.runCpu = spread(cpus.map(cpu => cpu.runs), runs.n);
		const waitTrack = spread(tracks.map(track => track.waits), waits.n);
		const irqCpu = spread(cpus.map(cpu => cpu.irqs), irqs.n), lossCpu = spread(cpus.map(cpu => cpu.losses), losses.n);
		const byStart = table => list => list.sort((a, b) => table.start[a] - table.start[b]);
		this.depths = new Uint16Array(tracks.length);
		for (let i = 0; i < slices.n; i++)
			this.depths[this.sliceTrack[i]] = Math.max(this.depths[this.sliceTrack[i]], slices.depth[i] + 1);
		// The rows of calls of all tracks, one behind the other: those of a track begin at firstRow.
		this.firstRow = new Uint32Array(tracks.length + 1);
		for (let i = 0; i < tracks.length; i++)
			this.firstRow[i + 1] = this.firstRow[i] + this.depths[i];
		this.sliceRows = grouped(slices.n, this.firstRow[tracks.length], i => this.firstRow[this.sliceTrack[i]] + slices.depth[i]);
		this.waitsOf = grouped(waits.n, tracks.length, i => waitTrack[i]);
		this.runsOfCpu = grouped(runs.n, cpus.length, i => this.runCpu[i]);
		this.runsOf = grouped(runs.n, tracks.length, i => runs.track[i] - 1);
		this.runsOf.forEach(byStart(runs));
		this.irqsOf = grouped(irqs.n, cpus.length, i => irqCpu[i]);
		this.irqsOf.forEach(byStart(irqs));
		this.lossesOf = grouped(losses.n, cpus.length, i => lossCpu[i]);
		this.marksOf = grouped(marks.n, tracks.length, i => marks.track[i]);
		this.listFrequencies();
		this.busy = new Float64Array(tracks.length);
		for (let i = 0; i < runs.n; i++)
			if (runs.track[i])
				this.busy[runs.track[i] - 1] += runs.length[i];
	}

	// What cpu_frequency says, by CPU, in kHz; after: events that are folded follow, so that it may have changed.
	listFrequencies() {
		const { marks, tracks, cpus, names } = this, places = new Map(cpus.map((cpu, i) => [cpu.file + " " + cpu.cpu, i]));
		this.frequenciesOf = cpus.map(() => []);
		this.highestKhz = 1;
		for (let i = 0; i < marks.n; i++) {
			const said = names[marks.event[i]] === "cpu_frequency" && /^\s*state=(\d+) cpu_id=(\d+)\s*$/.exec(marks.text[i]);
			const place = said ? places.get(tracks[marks.track[i]].file + " " + said[2]) : undefined;
			if (place === undefined)
				continue;
			this.frequenciesOf[place].push({ time: marks.start[i], khz: Number(said[1]), after: marks.folded[i] });
			this.highestKhz = Math.max(this.highestKhz, Number(said[1]));
		}
	}

	// The frequency of a CPU at a time, in words; "": nothing tells it.
	frequencyAt(cpu, time) {
		const said = this.frequenciesOf[cpu].findLast(change => change.time <= time);
		return !said ? "" : said.after ? "not known: its changes are folded" : (said.khz / 1e6).toFixed(3) + " GHz";
	}

	// When and by whom a task was woken: of a run or a wait of it. null: that is not known.
	wakingOf(type, index, track, place) {
		const { waits, runs } = this, list = this.waitsOf[track];
		let at = -1;
		if (type === "wait" && waits.state[index] === 1)
			at = index;
		else if (type === "wait" && place + 1 < list.length && waits.start[list[place + 1]] === waits.start[index] + waits.length[index])
			at = list[place + 1];
		else if (type === "run")
			at = list[firstEndingAfter(list, waits.start, waits.length, runs.start[index] - 1, 0)] ?? -1;
		if (at < 0 || waits.state[at] !== 1 || !waits.by[at] || (type === "run" && waits.start[at] + waits.length[at] !== runs.start[index]))
			return null;
		return { time: waits.start[at], by: waits.by[at] - 1, from: waits.from[at], track };
	}

	// By whom, in words.
	wakerName(waking) {
		const name = this.taskName(waking.by);
		return waking.from ? (waking.from === 2 ? "a hard" : "a soft") + " interrupt on top of " + name : name;
	}

	calls() {
		return this.slices.folded.reduce((n, folded) => n + Math.max(folded, 1), 0);
	}

	taskName(track) {
		const task = this.tracks[track];
		return (task.pid ? task.comm + "-" + task.pid : "idle task of CPU " + task.cpu) + (task.buffer ? " (" + task.buffer + ")" : "") +
			(task.aside ? " \u2225" : "");
	}

	sliceName(slice) {
		return this.slices.folded[slice] ? groups(this.slices.folded[slice]) + " short calls" : this.names[this.slices.name[slice]];
	}
}

// The first place in a list of intervals that do not overlap, from `from` on, whose end is behind `time`.
function firstEndingAfter(list, start, length, time, from) {
	let low = from, high = list.length, step = 1;
	// Most often it is near.
	while (low + step < high && start[list[low + step]] + length[list[low + step]] <= time) {
		low += step;
		step *= 2;
	}
	high = Math.min(high, low + step + 1);
	while (low < high) {
		const middle = (low + high) >> 1;
		if (start[list[middle]] + length[list[middle]] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
