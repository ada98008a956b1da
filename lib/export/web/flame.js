// SPDX-License-Identifier: GPL-2.0
// The flame graph on its canvas: drawing, zoom, selection, search, and the table of what is selected.

const ROW = 18;

class FlameView {
	// The elements are found by their ids, which flame.html and page.html share. about: of the recording.
	constructor(data) {
		this.data = data;
		this.by = data.weight;
		this.change = data.diff ? new FlameChange(data.diff) : null;
		this.apart = false;
		this.callers = false;
		this.fromBottom = false;
		this.zoom = 0;
		this.selected = 0;
		this.trees = new Map();
		this.functions = new Map();
		for (let i = 0; i < data.functions.name.length; i++)
			this.functions.set(data.functions.name[i], i);
		this.canvas = byId("flame");
		this.box = byId("flame-box");
		this.draw = onceAFrame(() => this.drawNow());
		this.listen();
		this.choose();
	}

	// --- which tree ---

	choose() {
		const key = this.by + this.apart + this.callers;
		let tree = this.trees.get(key);
		if (!tree) {
			tree = new FlameTree(this.apart ? this.data.apart : this.data.merged, this.data.names, this.by);
			if (this.callers)
				tree = tree.inverted(this.by);
			this.trees.set(key, tree);
		}
		this.tree = tree;
		this.depth = tree.depth.reduce((most, depth) => Math.max(most, depth), 0);
		this.zoom = this.selected = 0;
		this.find(byId("flame-search").value);
		this.select(0);
	}

	format(weight) {
		return this.by === "calls" ? groups(weight) + " calls" : this.by === "events" ? groups(weight) + " " + (this.data.sum || "events")
			: formatNs(weight);
	}

	// --- drawing ---

	height() {
		return (this.depth + 1) * ROW;
	}

	topOf(depth) {
		return this.fromBottom ? this.height() - (depth + 1) * ROW : depth * ROW;
	}

	// Where a frame is on the canvas now.
	placeOf(frame) {
		const { tree } = this, scale = this.width / (tree.weight[this.zoom] || 1);
		if (tree.isWithin(this.zoom, frame))
			return { x: 0, width: this.width };
		return { x: (tree.left[frame] - tree.left[this.zoom]) * scale, width: tree.weight[frame] * scale };
	}

	drawNow(printed) {
		const { box, tree } = this;
		this.width = box.clientWidth;
		if (!this.width)
			return;
		const high = printed ? Math.min(this.height(), 16000) : box.clientHeight;
		byId("flame-space").style.height = Math.max(0, this.height() - high) + "px";
		const context = this.context = fitCanvas(this.canvas, this.width, high);
		this.scroll = printed ? 0 : box.scrollTop;
		this.high = high;
		context.fillStyle = colours.ground;
		context.fillRect(0, 0, this.width, high);
		context.font = "11px monospace";
		context.textBaseline = "middle";
		this.folded = 0;
		for (let at = this.zoom; ; at = tree.data.parent[at]) {
			this.drawFrame(at, 0, this.width, at !== this.zoom);
			if (!at)
				break;
		}
		this.drawBelow();
		this.tellFolded();
	}

	// All that the zoomed frame leads to; what is narrower than a pixel becomes one bar of its caller.
	drawBelow() {
		const { tree } = this, scale = this.width / (tree.weight[this.zoom] || 1), start = tree.left[this.zoom];
		const todo = [this.zoom];
		while (todo.length) {
			const caller = todo.pop();
			for (const frame of tree.calleesOf(caller)) {
				const width = tree.weight[frame] * scale, x = (tree.left[frame] - start) * scale;
				if (width >= 1) {
					this.drawFrame(frame, x, width, false);
					todo.push(frame);
					continue;
				}
				// They stand in the order of their weight: all others are as narrow.
				const end = (tree.left[caller] + tree.weight[caller] - tree.own[caller] - start) * scale;
				this.drawFold(caller, frame, x, end - x);
				break;
			}
		}
	}

	drawFold(caller, from, x, width) {
		const { tree } = this, callees = tree.calleesOf(caller), y = this.topOf(tree.depth[caller] + 1) - this.scroll;
		for (let i = callees.indexOf(from); i < callees.length; i++)
			this.folded += tree.size[callees[i]];
		if (y + ROW < 0 || y > this.high || width < 0.5)
			return;
		this.context.fillStyle = colours.fold;
		this.context.fillRect(x, y, Math.max(width, 1), ROW - 1);
	}

	colourOf(frame) {
		const kind = this.tree.data.kind[frame];
		if (this.change && kind !== 1)
			return this.change.colourOf(frame);
		return kind ? [colours.owner, colours.event, colours.program, colours.blocked, colours.preempted, colours.queued, colours.asleep][kind - 1] : colours.rooms[this.data.rooms[this.tree.data.name[frame]]];
	}

	drawFrame(frame, x, width, isAbove) {
		const { context, tree } = this, y = this.topOf(tree.depth[frame]) - this.scroll;
		if (y + ROW < 0 || y > this.high)
			return;
		context.globalAlpha = this.found && !this.found[frame] ? 0.35 : isAbove ? 0.6 : 1;
		context.fillStyle = this.found && this.found[frame] ? colours.mark : this.colourOf(frame);
		context.fillRect(x, y, Math.max(width - (width > 3 ? 1 : 0), 0.6), ROW - 1);
		context.globalAlpha = 1;
		const label = clip(tree.nameOf(frame), width);
		if (label) {
			context.fillStyle = this.isFaint(frame) ? colours.text : colours.label;
			context.fillText(label, x + 3, y + ROW / 2);
		}
		if (frame === this.selected) {
			context.strokeStyle = colours.select;
			context.lineWidth = 2;
			context.strokeRect(x + 1, y + 1, Math.max(width - 3, 1), ROW - 3);
		}
	}

	// Its colour is near that of the ground.
	isFaint(frame) {
		const kind = this.tree.data.kind[frame];
		return (this.found && !this.found[frame]) || kind === 4 || kind === 7;
	}

	tellFolded() {
		const text = !this.tree.weight[0] && this.by === "time" ? "There are no complete calls in this recording, so nothing is drawn; they come from record -p function_graph, record -e raw_syscalls and record --latency."
			: this.folded ? groups(this.folded) + " frames are narrower than a pixel and folded into grey bars; zoom in to see them." : "";
		if (byId("flame-folded").textContent !== text)
			byId("flame-folded").textContent = text;
	}

	// The frame at a place of the canvas; -1: there is none.
	frameAt(x, y) {
		const { tree } = this, row = Math.floor((y + this.scroll) / ROW), depth = this.fromBottom ? this.depth - row : row;
		const zoomDepth = tree.depth[this.zoom];
		let at = this.zoom;
		if (depth < 0 || depth > this.depth)
			return -1;
		if (depth <= zoomDepth) {
			while (tree.depth[at] > depth)
				at = tree.data.parent[at];
			return at;
		}
		const weight = tree.left[this.zoom] + x / this.width * tree.weight[this.zoom];
		while (at >= 0 && tree.depth[at] < depth)
			at = tree.calleesOf(at).find(callee => tree.left[callee] <= weight && weight < tree.left[callee] + tree.weight[callee]) ?? -1;
		return at;
	}

	// --- selection and zoom ---

	select(frame) {
		this.selected = frame;
		this.showDetails();
		this.reveal();
		this.draw();
	}

	// Scrolls to where the selected frame is.
	reveal() {
		const top = this.topOf(this.tree.depth[this.selected]);
		if (this.high && (top < this.box.scrollTop || top + ROW > this.box.scrollTop + this.high))
			this.box.scrollTop = top - this.high / 2;
	}

	zoomTo(frame) {
		this.zoom = frame;
		byId("flame-out").disabled = !frame;
		this.select(frame);
		this.tellFound();
	}

	step(key) {
		const { tree } = this, at = this.selected, parent = tree.data.parent[at], beside = tree.calleesOf(parent);
		const down = this.fromBottom ? "ArrowUp" : "ArrowDown", up = this.fromBottom ? "ArrowDown" : "ArrowUp";
		const place = beside.indexOf(at);
		if (key === down && tree.calleesOf(at).length)
			this.select(tree.calleesOf(at)[0]);
		else if (key === up && at)
			this.moveOut(parent);
		else if (key === "ArrowRight" && at && place + 1 < beside.length)
			this.moveOut(beside[place + 1]);
		else if (key === "ArrowLeft" && at && place > 0)
			this.moveOut(beside[place - 1]);
	}

	// The selection may leave what is zoomed to.
	moveOut(frame) {
		if (!this.tree.isWithin(frame, this.zoom))
			this.zoom = this.tree.data.parent[frame];
		this.select(frame);
	}

	// --- search ---

	find(text) {
		const match = matcher(text), { tree } = this;
		this.found = null;
		if (match) {
			const matches = this.data.names.map(match);
			this.found = Uint8Array.from(tree.data.name, (name, frame) => frame && tree.data.kind[frame] !== 1 && matches[name] ? 1 : 0);
		}
		byId("flame-search").setAttribute("aria-invalid", String(!match && text.trim() !== ""));
		this.tellFound();
		this.draw();
	}

	// What matches below another match counts once.
	tellFound() {
		const { tree } = this, out = byId("flame-found");
		if (!this.found) {
			out.textContent = "";
			return;
		}
		let frames = 0, weight = 0;
		const below = new Uint8Array(tree.n);
		for (let i = 1; i < tree.n; i++) {
			const parent = tree.data.parent[i];
			below[i] = below[parent] || this.found[parent];
			if (!this.found[i] || !tree.isWithin(i, this.zoom))
				continue;
			frames++;
			if (!below[i] || i === this.zoom)
				weight += tree.weight[i];
		}
		out.textContent = groups(frames) + (frames === 1 ? " frame matches, " : " frames match, ") +
			formatPercent(weight / (tree.weight[this.zoom] || 1)) + " of what is shown: " + this.format(weight);
	}

	// --- what is selected ---

	showDetails() {
		const { tree, selected } = this, { data } = tree, path = tree.pathOf(selected);
		byId("flame-name").textContent = tree.nameOf(selected);
		byId("flame-share").textContent = this.format(tree.weight[selected]) + ", " + formatPercent(tree.weight[selected] / (tree.weight[0] || 1)) +
			" of all" + (this.zoom ? ", " + formatPercent(tree.weight[selected] / (tree.weight[this.zoom] || 1)) + " of " + tree.nameOf(this.zoom) : "");
		byId("flame-path").textContent = path.join(tree.callers ? " \u2190 " : " \u203a ");
		byId("flame-room").textContent = this.whatIs(selected);
		byId("flame-change").textContent = this.change ? this.change.wordsOf(selected) : "";
		const place = this.functions.get(data.name[selected]), all = this.data.functions;
		const isCall = data.kind[selected] === 0 && data.calls && data.calls[selected] >= 0;
		const rows = [["calls", cellCount], ["cut", cellCount], ["total", cellNs], ["self", cellNs], ["off", cellNs], ["irq", cellNs],
			      ["p50", cellNs], ["p99", cellNs], ["max", cellNs]];
		byId("flame-table").parentElement.hidden = !data.calls || !this.functions.size;
		byId("flame-table").replaceChildren(...rows.map(([column, format]) => element("tr", {},
			element("th", { scope: "row" }, column),
			element("td", {}, isCall && data[column] ? format(data[column][selected]) : "\u2013"),
			element("td", {}, isCall && place !== undefined ? format(all[column][place]) : "\u2013"))));
	}

	// What kind of frame it is, in words.
	whatIs(frame) {
		const { data } = this.tree, kind = data.kind[frame];
		if (kind === 0)
			return this.data.roomNames[this.data.rooms[data.name[frame]]];
		return ["", "event", "function of a program", "switched out in a sleeping state, until woken", "switched out while runnable",
			"woken, until on a CPU", "switched out in a sleeping state; nobody saw it woken"][kind - 1];
	}

	// --- what the user does ---

	listen() {
		const { canvas, box } = this;
		new ResizeObserver(() => this.draw()).observe(box);
		box.addEventListener("scroll", () => this.draw());
		canvas.addEventListener("click", event => {
			const frame = this.frameAt(event.offsetX, event.offsetY);
			box.focus({ preventScroll: true });
			if (frame >= 0)
				this.zoomTo(frame);
		});
		canvas.addEventListener("mousemove", event => this.hover(event));
		canvas.addEventListener("mouseleave", () => { byId("tip").hidden = true; });
		box.addEventListener("keydown", event => this.onKey(event));
		byId("flame-search").addEventListener("input", event => this.find(event.target.value));
		byId("flame-search").addEventListener("keydown", event => {
			if (event.key === "Enter" || event.key === "Escape") {
				if (event.key === "Escape")
					this.find(event.target.value = "");
				box.focus();
				event.stopPropagation();
			}
		});
		byId("flame-out").addEventListener("click", () => this.zoomTo(0));
		this.listenChoices();
		addEventListener("beforeprint", () => this.drawNow(true));
		addEventListener("afterprint", () => this.drawNow());
	}

	listenChoices() {
		const weight = byId("flame-weight"), words = { time: "time on the CPU and off it", cpu: "time on the CPU", off: "time off the CPU",
							       calls: "calls", events: this.data.sum ? "the sum of " + this.data.sum : "events", "off-cpu": "time off the CPU, by why" };
		const some = this.by === "events" || this.by === "off-cpu" ? [this.by] : ["time", "cpu", "off", "calls"];
		weight.replaceChildren(...some.map(by => element("option", { value: by, selected: by === this.by }, words[by])));
		weight.addEventListener("change", () => { this.by = weight.value; this.choose(); });
		byId("flame-apart").disabled = !this.data.apart;
		byId("flame-callers").disabled = this.change !== null;
		for (const [id, field] of [["flame-callers", "callers"], ["flame-apart", "apart"], ["flame-bottom", "fromBottom"]]) {
			byId(id).addEventListener("change", event => {
				this[field] = event.target.checked;
				this.choose();
			});
		}
		if (this.change)
			this.change.show(frame => this.select(frame));
		else
			this.showLegend();
	}

	// The rooms of functions that are there, and what else is drawn in a colour of its own.
	showLegend() {
		const { data } = this, { kind, name } = data.merged, used = new Set(), kinds = new Set(kind);
		name.forEach((number, frame) => {
			if (!kind[frame])
				used.add(data.rooms[number]);
		});
		const add = (className, text) => byId("flame-legend").append(element("span", { className }, text));
		data.roomNames.forEach((text, room) => {
			if (used.has(room))
				add("room room" + room, text);
		});
		[["event", "event"], ["program", "program"], ["blocked", "blocked"], ["preempted", "preempted"], ["queued", "queued"],
		 ["asleep", "waking not seen"]].forEach(([className, text], i) => {
			if (kinds.has(i + 2))
				add("state " + className, text);
		});
	}

	toggle(id) {
		if (!byId(id).disabled)
			byId(id).click();
	}

	onKey(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key.startsWith("Arrow"))
			this.step(event.key);
		else if (event.key === "Enter")
			this.zoomTo(this.selected);
		else if (event.key === "Escape" && this.found)
			this.find(byId("flame-search").value = "");
		else if (event.key === "Escape")
			this.zoomTo(this.tree.data.parent[this.zoom]);
		else if (event.key === "Home")
			this.zoomTo(0);
		else if (event.key === "/")
			byId("flame-search").focus();
		else if (event.key === "i")
			this.toggle("flame-callers");
		else if (event.key === "t")
			this.toggle("flame-apart");
		else if (event.key === "b")
			this.toggle("flame-bottom");
		else
			return;
		event.preventDefault();
	}

	hover(event) {
		const frame = this.frameAt(event.offsetX, event.offsetY), tip = byId("tip");
		tip.hidden = frame < 0;
		if (frame < 0)
			return;
		tip.textContent = this.tree.nameOf(frame) + ": " + this.format(this.tree.weight[frame]) + ", " +
			formatPercent(this.tree.weight[frame] / (this.tree.weight[0] || 1)) + (this.change ? "; " + this.change.wordsOf(frame) : "");
		tip.style.left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 4) + "px";
		tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 4) + "px";
	}
}
