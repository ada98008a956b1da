// SPDX-License-Identifier: GPL-2.0
// The timeline as it is used: zoom, selection, search, measuring, what is selected.

const NARROWEST = 1;

class Timeline {
	constructor(data, slow) {
		this.data = data;
		this.slow = this.slowByCall(slow);
		this.drawing = new TimelineDrawing(data);
		this.canvas = byId("timeline");
		this.box = byId("timeline-box");
		this.overview = byId("overview");
		this.draw = onceAFrame(() => this.drawNow());
		this.listen();
		this.showFolded();
		this.show(null);
		this.tellView();
		this.draw();
	}

	drawNow() {
		const { box, drawing } = this;
		if (!box.clientWidth)
			return;
		const begin = performance.now();
		byId("timeline-space").style.height = Math.max(0, drawing.height + AXIS - box.clientHeight) + "px";
		drawing.drawAll(this.canvas, box);
		drawing.drawOverview(this.overview, this.overview.parentElement.clientWidth);
		// For whoever wants to know how long a drawing takes.
		document.body.dataset.drawn = (performance.now() - begin).toFixed(2);
	}

	// --- what is shown ---

	setView(from, to) {
		const { drawing, data } = this, width = Math.min(Math.max(to - from, NARROWEST), data.span);
		const middle = (from + to) / 2, begin = Math.min(Math.max(middle - width / 2, 0), data.span - width);
		drawing.from = begin;
		drawing.to = begin + width;
		this.tellView();
		this.draw();
	}

	tellView() {
		const { from, to } = this.drawing;
		byId("timeline-view").textContent = formatNs(from) + " to " + formatNs(to) + " (" + formatNs(to - from) + ")";
	}

	zoom(factor, time) {
		const { from, to } = this.drawing, width = Math.min(Math.max((to - from) * factor, NARROWEST), this.data.span);
		const begin = time - (time - from) * width / (to - from);
		this.setView(begin, begin + width);
	}

	pan(share) {
		const { from, to } = this.drawing, by = (to - from) * share;
		this.setView(from + by, to + by);
	}

	middle() {
		const { from, to, selected } = this.drawing, at = selected ? selected.start + selected.length / 2 : -1;
		return at > from && at < to ? at : (from + to) / 2;
	}

	// --- what is there ---

	// The item of a row at a time, or within so many ns of it. An item is { type, index, row, start, length }.
	itemAt(row, time, near) {
		const { rows } = this.drawing, { data } = this, { kind, of, list, table } = rows[row];
		const pick = (type, some, from) => {
			const at = firstEndingAfter(some, from.start, from.length, time - near, 0);
			for (let i = at; i < some.length && from.start[some[i]] <= time + near; i++)
				return { type, index: some[i], row, start: from.start[some[i]], length: from.length[some[i]], place: i, list: some };
			return null;
		};
		if (kind === "cpu")
			return pick("loss", data.lossesOf[of], data.losses) || pick("run", list, table);
		if (kind === "task")
			return pick("run", list, table) || pick("wait", data.waitsOf[of], data.waits);
		return pick("call", list, table);
	}

	// What is under the pointer: interrupts and marks have a part of their rows for themselves.
	hit(x, y) {
		const { drawing, data } = this, inside = y - AXIS + drawing.scroll, row = y < AXIS ? -1 : drawing.rowAt(inside);
		if (row < 0 || x < LABELS)
			return null;
		const { kind, of, y: top } = drawing.rows[row], time = drawing.timeAt(x), near = 3 / drawing.scale;
		const find = (type, list, table) => {
			let best = null;
			for (const index of list)
				if (table.start[index] <= time + near && table.start[index] + table.length[index] >= time - near)
					best = { type, index, row, start: table.start[index], length: table.length[index] };
			return best;
		};
		if (kind === "cpu" && inside - top < 7)
			return find("irq", data.irqsOf[of], data.irqs) || this.itemAt(row, time, near);
		if (kind === "task" && inside - top >= 12)
			return find("mark", data.marksOf[of], data.marks) || this.itemAt(row, time, near);
		return this.itemAt(row, time, 0) || this.itemAt(row, time, near);
	}

	select(item) {
		this.drawing.selected = item;
		this.drawing.waking = item ? this.wakingOf(item) : null;
		this.show(item);
		if (item)
			this.reveal(item);
		this.draw();
	}

	wakingOf(item) {
		const { data, drawing } = this, row = drawing.rows[item.row], ofCpu = row.kind === "cpu";
		if (item.type !== "run" && item.type !== "wait")
			return null;
		const track = ofCpu ? data.runs.track[item.index] - 1 : row.of;
		return track < 0 ? null : data.wakingOf(item.type, item.index, track, item.place);
	}

	// To what woke the selected task, and was running then.
	goToWaker() {
		const { drawing } = this, { waking } = drawing, row = waking ? drawing.taskRow(waking.by) : -1, item = row < 0 ? null : this.itemAt(row, waking.time, 0);
		if (item)
			this.select(item);
	}

	reveal(item) {
		const { drawing, box } = this, row = drawing.rows[item.row], { from, to } = drawing;
		if (row.y < box.scrollTop || row.y + row.height > box.scrollTop + drawing.high)
			box.scrollTop = row.y - drawing.high / 3;
		if (item.start > to || item.start + item.length < from)
			this.setView(item.start - (to - from) / 3, item.start + (to - from) * 2 / 3);
	}

	// Left and right go along a row, up and down to what is there in the next row.
	step(key) {
		const { drawing } = this, { selected, rows } = drawing;
		if (!selected) {
			for (let row = Math.max(0, drawing.rowAt(this.box.scrollTop)); row < rows.length; row++) {
				const item = this.itemAt(row, this.middle(), drawing.to - drawing.from);
				if (item)
					return this.select(item);
			}
			return;
		}
		if (key === "ArrowLeft" || key === "ArrowRight") {
			const list = selected.list || rows[selected.row].list, table = rows[selected.row].table;
			const place = selected.place + (key === "ArrowRight" ? 1 : -1);
			if (selected.list && place >= 0 && place < list.length)
				this.select({ ...selected, place, index: list[place], start: this.tableOf(selected, table).start[list[place]],
					      length: this.tableOf(selected, table).length[list[place]] });
			return;
		}
		const by = key === "ArrowDown" ? 1 : -1;
		for (let row = selected.row + by; row >= 0 && row < rows.length; row += by) {
			const item = this.itemAt(row, selected.start + (by > 0 ? 0 : selected.length / 2), by > 0 ? selected.length : 0);
			if (item)
				return this.select(item);
		}
	}

	tableOf(item, table) {
		return item.type === "wait" ? this.data.waits : item.type === "loss" ? this.data.losses : table;
	}

	// --- details ---

	facts(item) {
		const { data } = this, at = item.index, time = [["start", formatNs(item.start)], ["end", formatNs(item.start + item.length)],
								["length", formatNs(item.length)]];
		if (item.type === "call")
			return this.factsOfCall(at, time);
		if (item.type === "run") {
			const track = data.runs.track[at], cpu = ["CPU", String(data.cpus[data.runCpu[at]].cpu)];
			const frequency = data.frequencyAt(data.runCpu[at], item.start);
			return [track ? data.taskName(track - 1) + " runs" : groups(data.runs.folded[at]) + " short runs",
				[cpu, ...time, ...(frequency ? [["frequency at its start", frequency]] : [])]];
		}
		if (item.type === "wait")
			return [["blocked", "queued: woken, and not running yet", "preempted: could have run on"][data.waits.state[at]],
				[["task", data.taskName(this.drawing.rows[item.row].of)], ...time]];
		if (item.type === "irq")
			return [data.names[data.irqs.name[at]], [["kind", data.irqs.soft[at] ? "soft interrupt" : "hard interrupt"], ...time]];
		if (item.type === "loss") {
			const events = data.losses.events[at];
			return ["events were lost", [["events", events ? groups(events - 1) : "not known how many"], ...time]];
		}
		const marks = data.marks;
		return [data.names[marks.event[at]], [["task", data.taskName(marks.track[at])], ["CPU", String(marks.cpu[at])], ["time", formatNs(item.start)],
			["fields", marks.text[at]], ...(marks.folded[at] ? [["and", groups(marks.folded[at]) + " more of the kind soon after"]] : [])]];
	}

	factsOfCall(at, time) {
		const { data } = this, { slices } = data, track = data.sliceTrack[at], cut = slices.cut[at];
		const rows = [["task", data.taskName(track)], ["CPU", String(slices.cpu[at])], ["depth", String(slices.depth[at])], ...time];
		if (slices.folded[at])
			return [data.sliceName(at), [...rows, ["folded", groups(slices.folded[at]) + " calls, each shorter than " +
				formatNs(data.folded.slices.shorter)]]];
		const ways = [[1, "its entry is not recorded"], [2, "its exit is not recorded"], [4, "events were lost there"], [8, "the recording begins or ends"]];
		if (cut & 32)
			rows.push(["time", "not known"]);
		if (cut & 31)
			rows.push(["not complete", ways.filter(([bit]) => cut & bit).map(([, text]) => text).join(", ") || "events were lost meanwhile"]);
		/* If it is not known how long the call was off the CPU, this time is part of self. */
		const off = data.tracks[track].offKnown ? slices.off[at] : 0, self = slices.length[at] - slices.callees[at] - off - slices.irq[at];
		rows.push(["self", cut ? "\u2013" : formatNs(self)], ["callees", formatNs(slices.callees[at])], ["off the CPU", data.tracks[track].offKnown ? formatNs(slices.off[at]) : "\u2013"],
			  ["interrupts", data.tracks[track].irqKnown ? formatNs(slices.irq[at]) : "\u2013"], ["part of the kernel", data.roomNames[data.rooms[slices.name[at]]]]);
		return [data.names[slices.name[at]], rows];
	}

	show(item) {
		const [name, some] = item ? this.facts(item) : ["nothing is selected", []], { waking } = this.drawing;
		const rows = item && waking ? [...some, ["woken by", this.data.wakerName(waking)], ["woken at", formatNs(waking.time)]] : some;
		const why = item && this.whyOf(item);
		byId("item-name").textContent = name;
		byId("item-why").textContent = why ? why.text : "";
		byId("item-table").replaceChildren(...rows.map(([term, text]) => element("tr", {}, element("th", { scope: "row" }, term),
			element("td", { className: "text" }, text))));
	}

	// What is not here as it was recorded.
	showFolded() {
		const { slices, runs, marks } = this.data.folded, said = [];
		if (slices.n)
			said.push(groups(slices.n) + " calls shorter than " + formatNs(slices.shorter) + " are folded into bars");
		if (runs.n)
			said.push(groups(runs.n) + " runs shorter than " + formatNs(runs.shorter) + " are folded");
		if (marks.n)
			said.push(groups(marks.n) + " events within " + formatNs(marks.shorter) + " of one of the same kind and task are folded");
		byId("timeline-folded").textContent = said.length ? "To keep this page small, " + said.join("; ") + "." : "";
	}

	// --- search ---

	find(text) {
		const match = matcher(text), { data, drawing } = this;
		drawing.found = null;
		byId("timeline-search").setAttribute("aria-invalid", String(!match && text.trim() !== ""));
		if (match) {
			const found = drawing.found = { names: Uint8Array.from(data.names, name => match(name) ? 1 : 0),
							tasks: data.tracks.map((track, i) => match(data.taskName(i))) };
			found.marks = Uint8Array.from(data.marks.event, (event, i) => found.names[event] || match(data.marks.text[i]) ? 1 : 0);
			this.tellFound(found);
		} else {
			byId("timeline-found").textContent = "";
		}
		this.draw();
	}

	tellFound(found) {
		const { slices } = this.data;
		let calls = 0;
		for (let i = 0; i < slices.n; i++)
			calls += !slices.folded[i] && found.names[slices.name[i]];
		const events = found.marks.reduce((n, is) => n + is, 0), tasks = found.tasks.filter(is => is).length;
		byId("timeline-found").textContent = [[calls, "call"], [events, "event"], [tasks, "task"]].filter(([n]) => n)
			.map(([n, what]) => groups(n) + " " + what + (n > 1 ? "s" : "")).join(", ") + (calls + events + tasks ? " found" : "nothing found");
	}

	// The next call or event that was found, by time; by = -1: the one before.
	next(by) {
		const { data, drawing } = this, { found, selected } = drawing;
		if (!found)
			return;
		const from = selected ? selected.start : by > 0 ? drawing.from - 1 : drawing.to;
		let best = null;
		const look = (type, table, is) => {
			for (let i = 0; i < table.n; i++)
				if (is(i) && (table.start[i] - from) * by > 0 && (!best || (table.start[i] - best.start) * by < 0))
					best = { type, index: i, start: table.start[i], length: table.length[i] };
		};
		look("call", data.slices, i => !data.slices.folded[i] && found.names[data.slices.name[i]]);
		look("mark", data.marks, i => found.marks[i]);
		if (best)
			this.goTo(best);
	}

	goTo(item) {
		const { data, drawing } = this, call = item.type === "call", track = call ? data.sliceTrack[item.index] : data.marks.track[item.index];
		if (drawing.collapsed.delete(track))
			drawing.makeRows();
		item.row = drawing.rows.findIndex(row => row.of === track && row.kind === "task") + (call ? 1 + data.slices.depth[item.index] : 0);
		if (call) {
			item.list = drawing.rows[item.row].list;
			item.place = item.list.indexOf(item.index);
		}
		this.select(item);
	}

	// --- slow calls ---

	keyOf(task, start, name) {
		return JSON.stringify([task, start, name]);
	}

	slowByCall({ functions }) {
		const { data } = this, byTask = new Map(), found = new Map();
		data.tracks.forEach((track, i) => byTask.set(track.file + ":" + track.pid, [...(byTask.get(track.file + ":" + track.pid) || []), i]));
		for (const { function: name, slow } of functions)
			for (const call of slow)
				for (const track of byTask.get(call.file + ":" + call.tid) || [])
					found.set(this.keyOf(track, call.at, name), Object.assign(call, { function: name }));
		return found;
	}

	// What is known of why a call was slow, of one of the slowest.
	whyOf(item) {
		const { slices, names } = this.data, at = item.index;
		return item.type === "call" && !slices.folded[at] ? this.slow.get(this.keyOf(this.data.sliceTrack[at], item.start, names[slices.name[at]])) : undefined;
	}

	// The timeline shows the call, with something around it. One that is folded is a place.
	goToSlow(call) {
		const { data } = this, { slices } = data, margin = call.total * 0.05 || 50;
		this.setView(call.at - margin, call.at + call.total + margin);
		for (let index = 0; index < slices.n; index++) {
			const item = { type: "call", index, start: slices.start[index], length: slices.length[index] };
			if (item.start === call.at && item.length === call.total && this.whyOf(item) === call)
				return this.goTo(item);
		}
		this.select(null);
	}

	// --- measuring ---

	measure(time) {
		const { marks } = this.drawing;
		if (marks.length === 2)
			marks.length = 0;
		else
			marks.push(time);
		this.tellMeasure();
	}

	tellMeasure() {
		const { marks } = this.drawing;
		byId("timeline-measure").textContent = marks.length === 2 ? "measured: " + formatNs(Math.abs(marks[1] - marks[0])) + " from " +
			formatNs(Math.min(...marks)) : marks.length ? "measuring from " + formatNs(marks[0]) : "";
		this.draw();
	}

	toggle(track) {
		const { drawing } = this;
		if (!drawing.collapsed.delete(track))
			drawing.collapsed.add(track);
		drawing.makeRows();
		this.select(null);
	}

	// --- what the user does ---

	listen() {
		const { canvas, box, overview } = this;
		new ResizeObserver(() => this.draw()).observe(box);
		box.addEventListener("scroll", () => this.draw());
		canvas.addEventListener("wheel", event => this.onWheel(event), { passive: false });
		canvas.addEventListener("pointerdown", event => this.onDown(event));
		canvas.addEventListener("dblclick", event => {
			const item = this.hit(event.offsetX, event.offsetY);
			if (item)
				this.zoomTo(item);
		});
		overview.addEventListener("pointerdown", event => {
			overview.setPointerCapture(event.pointerId);
			this.centre(event.offsetX / overview.clientWidth * this.data.span);
		});
		overview.addEventListener("pointermove", event => {
			if (event.buttons)
				this.centre(event.offsetX / overview.clientWidth * this.data.span);
		});
		box.addEventListener("keydown", event => this.onKey(event));
		byId("timeline-search").addEventListener("input", event => this.find(event.target.value));
		byId("timeline-search").addEventListener("keydown", event => {
			if (event.key === "Enter") {
				this.next(event.shiftKey ? -1 : 1);
			} else if (event.key === "Escape") {
				this.find(event.target.value = "");
				box.focus();
			}
		});
		byId("timeline-whole").addEventListener("click", () => this.setView(0, this.data.span));
	}

	centre(time) {
		const { from, to } = this.drawing;
		this.setView(time - (to - from) / 2, time + (to - from) / 2);
	}

	zoomTo(item) {
		const margin = item.length * 0.05 || 50;
		this.setView(item.start - margin, item.start + item.length + margin);
	}

	onWheel(event) {
		event.preventDefault();
		if (event.shiftKey)
			this.box.scrollTop += event.deltaY || event.deltaX;
		else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			this.pan(event.deltaX / 1000);
		else
			this.zoom(Math.exp(event.deltaY / 400), this.drawing.timeAt(Math.max(LABELS, event.offsetX)));
	}

	// A drag moves; with Shift it measures; without moving it is a click.
	onDown(event) {
		const { canvas, box, drawing } = this, begin = { x: event.offsetX, y: event.offsetY, from: drawing.from, to: drawing.to, top: box.scrollTop };
		const measuring = event.shiftKey;
		let moved = false;
		canvas.setPointerCapture(event.pointerId);
		if (measuring)
			drawing.marks = [drawing.timeAt(event.offsetX)];
		const move = now => {
			moved = moved || Math.abs(now.offsetX - begin.x) + Math.abs(now.offsetY - begin.y) > 3;
			if (measuring) {
				drawing.marks[1] = drawing.timeAt(Math.max(LABELS, now.offsetX));
				this.tellMeasure();
			} else if (moved) {
				const by = (begin.x - now.offsetX) / drawing.scale;
				this.setView(begin.from + by, begin.to + by);
				box.scrollTop = begin.top + begin.y - now.offsetY;
			}
		};
		const up = now => {
			canvas.removeEventListener("pointermove", move);
			canvas.removeEventListener("pointerup", up);
			if (!moved && !measuring)
				this.onClick(now);
		};
		canvas.addEventListener("pointermove", move);
		canvas.addEventListener("pointerup", up);
	}

	onClick(event) {
		const { drawing } = this, row = drawing.rowAt(event.offsetY - AXIS + drawing.scroll);
		this.box.focus({ preventScroll: true });
		if (event.offsetX < LABELS && row >= 0 && drawing.rows[row].kind === "task")
			this.toggle(drawing.rows[row].of);
		else
			this.select(this.hit(event.offsetX, event.offsetY));
	}

	onKey(event) {
		const { drawing } = this, { selected } = drawing;
		const keys = {
			w: () => this.zoom(0.7, this.middle()), s: () => this.zoom(1 / 0.7, this.middle()), a: () => this.pan(-0.15), d: () => this.pan(0.15),
			"+": () => this.zoom(0.7, this.middle()), "-": () => this.zoom(1 / 0.7, this.middle()),
			"/": () => byId("timeline-search").focus(), n: () => this.next(1), N: () => this.next(-1),
			m: () => this.measure(selected ? selected.start : this.middle()),
			M: () => this.measure(selected ? selected.start + selected.length : this.middle()),
			b: () => this.goToWaker(),
			c: () => selected && drawing.rows[selected.row].kind !== "cpu" && this.toggle(drawing.rows[selected.row].of),
			Enter: () => selected && this.zoomTo(selected), Home: () => this.setView(0, this.data.span), Escape: () => this.onEscape(),
		};
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key.startsWith("Arrow"))
			this.step(event.key);
		else if (keys[event.key])
			keys[event.key]();
		else if (keys[event.key.toLowerCase()] && "wasd".includes(event.key.toLowerCase()))
			keys[event.key.toLowerCase()]();
		else
			return;
		event.preventDefault();
	}

	onEscape() {
		const { drawing } = this;
		if (drawing.marks.length) {
			drawing.marks.length = 0;
			this.tellMeasure();
		} else if (drawing.found) {
			this.find(byId("timeline-search").value = "");
		} else if (drawing.selected) {
			this.select(null);
		} else {
			this.setView(0, this.data.span);
		}
	}
}
