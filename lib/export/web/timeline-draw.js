// SPDX-License-Identifier: GPL-2.0
// How the timeline looks: the axis, the rows, the overview above them. Of what is narrower than a pixel one is drawn for each pixel, so that
// a drawing takes as long as the screen is wide, however many there are.

const LABELS = 190, AXIS = 24, OVERVIEW = 36, CPU_ROW = 26, TASK_ROW = 20, CALL_ROW = 16;

// Up to this width, calls are drawn as a picture: see Dots.
const NARROW = 4;
// How opaque is what a search does not match.
const PALE = 0.4;

// Rows of narrow calls, of which there may be one for each pixel. To fill so many rectangles takes longer than a frame. So a picture with one line for
// each row is made of them, and each line is stretched to the height of its row.
class Dots {
	constructor() {
		this.canvas = element("canvas", {});
		this.context = this.canvas.getContext("2d", { willReadFrequently: true });
		this.words = { full: new Map(), pale: new Map() };
	}

	begin(width, lines) {
		this.ratio = window.devicePixelRatio || 1;
		const columns = Math.max(1, Math.ceil(width * this.ratio));
		if (this.canvas.width !== columns || this.canvas.height < lines || !this.picture) {
			this.canvas.width = columns;
			this.canvas.height = Math.max(lines, 1);
			this.picture = this.context.createImageData(columns, this.canvas.height);
			this.pixels = new Uint32Array(this.picture.data.buffer);
		}
		this.pixels.fill(0);
		this.rows = [];
	}

	// A line for the row at y.
	line(y, height) {
		this.rows.push({ y, height });
		this.at = (this.rows.length - 1) * this.canvas.width;
	}

	// A colour of the style sheet, #rrggbb, as the picture has it.
	word(colour, pale) {
		const words = pale ? this.words.pale : this.words.full;
		let word = words.get(colour);
		if (word === undefined) {
			const rgb = parseInt(colour.slice(1), 16);
			word = new Uint32Array(new Uint8Array([rgb >> 16, rgb >> 8 & 255, rgb & 255, Math.round((pale ? PALE : 1) * 255)]).buffer)[0];
			words.set(colour, word);
		}
		return word;
	}

	add(x, width, colour, pale) {
		const { ratio, at, pixels } = this, word = this.word(colour, pale), from = Math.max(Math.round(x * ratio), 0);
		const to = Math.min(Math.max(from + 1, Math.round((x + width) * ratio)), this.canvas.width);
		for (let i = from; i < to; i++)
			pixels[at + i] = word;
	}

	draw(context, left) {
		const { canvas, rows, ratio } = this;
		if (!rows.length)
			return;
		this.context.putImageData(this.picture, 0, 0);
		context.imageSmoothingEnabled = false;
		rows.forEach(({ y, height }, i) => context.drawImage(canvas, 0, i, canvas.width, 1, left, y, canvas.width / ratio, height));
	}
}

class TimelineDrawing {
	constructor(data) {
		this.data = data;
		this.from = 0;
		this.to = data.span;
		this.collapsed = new Set();
		this.selected = null;
		this.marks = [];
		this.found = null;
		this.dots = new Dots();
		this.makeRows();
	}

	// --- rows ---

	makeRows() {
		const { data } = this, rows = this.rows = [];
		let y = 0;
		const add = (kind, of, height, list, table) => {
			rows.push({ kind, of, y, height, list, table });
			y += height;
		};
		data.cpus.map((cpu, i) => i).sort((a, b) => data.cpus[a].file - data.cpus[b].file || data.cpus[a].cpu - data.cpus[b].cpu)
			.forEach(i => add("cpu", i, CPU_ROW, data.runsOfCpu[i], data.runs));
		const some = data.tracks.map((track, i) => i).filter(i => data.depths[i] || data.waitsOf[i].length || data.marksOf[i].length ||
			(data.runsOf[i].length && data.tracks[i].pid));
		some.sort((a, b) => (data.depths[b] > 0) - (data.depths[a] > 0) || data.busy[b] - data.busy[a]);
		for (const i of some) {
			add("task", i, TASK_ROW, data.runsOf[i], data.runs);
			if (this.collapsed.has(i))
				continue;
			for (let depth = 0; depth < data.depths[i]; depth++)
				add("calls", i, CALL_ROW, data.sliceRows[data.firstRow[i] + depth], data.slices);
		}
		this.height = y;
	}

	rowAt(y) {
		const { rows } = this;
		let low = 0, high = rows.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (rows[middle].y + rows[middle].height > y)
				high = middle;
			else
				low = middle + 1;
		}
		return low < rows.length && y >= rows[low].y ? low : -1;
	}

	// --- places and times ---

	xOf(time) {
		return LABELS + (time - this.from) * this.scale;
	}

	timeAt(x) {
		return this.from + (x - LABELS) / this.scale;
	}

	// --- intervals ---

	// Calls paint(item, x, width) for each of a row that is to be seen.
	eachVisible(list, table, paint) {
		const { start, length } = table, { from, to, scale } = this;
		let i = firstEndingAfter(list, start, length, from, 0);
		while (i < list.length) {
			const item = list[i], begins = start[item];
			if (begins >= to)
				break;
			const x = LABELS + (begins - from) * scale, width = length[item] * scale;
			if (width >= 1) {
				const left = Math.max(x, LABELS);
				paint(item, left, Math.min(x + width, this.width) - left);
				i++;
				continue;
			}
			const pixel = Math.max(LABELS, Math.floor(x));
			paint(item, pixel, 1);
			i = Math.max(i + 1, firstEndingAfter(list, start, length, from + (pixel + 1 - LABELS) / scale, i));
		}
	}

	bar(x, y, width, height, colour) {
		this.context.fillStyle = colour;
		this.context.fillRect(x, y, width > 3 ? width - 1 : width, height);
	}

	// Bars of a row, from left to right: what is one pixel wide and has the colour of what stands before it is drawn together with that.
	bars(list, table, y, height, colourOf, labelOf) {
		let left = 0, right = 0, colour = "";
		const flush = () => {
			this.context.fillStyle = colour;
			this.context.fillRect(left, y, right - left, height);
			left = right = 0;
		};
		this.eachVisible(list, table, (item, x, width) => {
			const next = colourOf(item);
			if (width === 1 && x === right && next === colour) {
				right++;
				return;
			}
			flush();
			colour = next;
			if (width === 1) {
				left = x;
				right = x + 1;
				return;
			}
			this.bar(x, y, width, height, next);
			if (labelOf)
				this.label(labelOf(item), x, y + height / 2, width, colours.label);
		});
		flush();
	}

	label(text, x, y, width, colour) {
		const shown = width > 16 ? clip(text, width) : "";
		if (!shown)
			return;
		this.context.fillStyle = colour;
		this.context.fillText(shown, x + 3, y);
	}

	// The marks of losses: what was there is not known.
	hatched() {
		if (this.hatch && this.hatchColour === colours.lost)
			return this.hatch;
		const tile = element("canvas", { width: 8, height: 8 }), context = tile.getContext("2d");
		context.strokeStyle = colours.lost;
		context.lineWidth = 2;
		for (const shift of [-8, 0, 8]) {
			context.moveTo(shift, 8);
			context.lineTo(shift + 8, 0);
		}
		context.stroke();
		this.hatchColour = colours.lost;
		return this.hatch = this.context.createPattern(tile, "repeat");
	}

	drawCpu(row, y) {
		const { data, context } = this, top = y + 7, height = row.height - 9;
		this.bar(LABELS, top, this.width - LABELS, height, colours.nobody);
		const { track, folded } = data.runs;
		this.bars(row.list, data.runs, top, height, run => track[run] ? colours.rooms[1 + (data.tracks[track[run] - 1].pid * 7) % 8] : colours.fold,
			  run => track[run] ? data.taskName(track[run] - 1) : groups(folded[run]) + " short runs");
		this.drawFrequency(row, top, height);
		this.bars(data.irqsOf[row.of], data.irqs, y + 1, 5, irq => data.irqs.soft[irq] ? colours.softirq : colours.hardirq);
		this.eachVisible(data.lossesOf[row.of], data.losses, (loss, x, width) => {
			context.fillStyle = this.hatched();
			context.fillRect(x, y + 1, Math.max(width, 2), row.height - 2);
		});
	}

	// A line of steps in the row of a CPU: the higher the faster, up to the highest of all.
	drawFrequency(row, top, height) {
		const { context, data } = this, list = data.frequenciesOf[row.of];
		if (!list.length)
			return;
		context.strokeStyle = colours.text;
		context.lineWidth = 1;
		context.beginPath();
		let last = -1, y = 0;
		for (const { time, khz } of list) {
			const x = Math.min(Math.max(this.xOf(time), LABELS), this.width), next = top + height - 1 - (height - 2) * khz / data.highestKhz;
			if (last >= 0 && x - last >= 0.5) {
				context.moveTo(last, y);
				context.lineTo(x, y);
				context.lineTo(x, next);
			}
			last = x;
			y = next;
		}
		context.moveTo(last, y);
		context.lineTo(this.width, y);
		context.stroke();
	}

	drawTask(row, y) {
		const { data, context } = this, top = y + 4, height = 8, states = [colours.blocked, colours.queued, colours.queued];
		this.bars(data.waitsOf[row.of], data.waits, top, height, wait => states[data.waits.state[wait]]);
		this.bars(row.list, data.runs, top, height, () => colours.running);
		context.fillStyle = colours.event;
		let last = -1;
		for (const mark of data.marksOf[row.of]) {
			const x = Math.round(this.xOf(data.marks.start[mark]));
			if (x < LABELS || x === last || x > this.width)
				continue;
			last = x;
			context.fillStyle = this.found && this.found.marks[mark] ? colours.mark : colours.event;
			context.fillRect(x - 1, y + 13, 3, 6);
		}
	}

	drawCalls(row, y) {
		const { data, found } = this, { slices } = data, height = row.height - 1;
		this.dots.line(y, height);
		this.eachVisible(row.list, slices, (slice, x, width) => {
			const folded = slices.folded[slice], name = slices.name[slice], match = found && !folded && found.names[name];
			const colour = match ? colours.mark : folded ? colours.fold : colours.rooms[data.rooms[name]], pale = found && !match;
			if (width < NARROW) {
				this.dots.add(x - LABELS, width, colour, pale);
				return;
			}
			this.context.globalAlpha = pale ? PALE : 1;
			this.bar(x, y, width, height, colour);
			this.context.globalAlpha = 1;
			if (width > 16)
				this.label(data.sliceName(slice) + (slices.cut[slice] & 31 ? " \u2702" : ""), x, y + height / 2, width,
					   pale ? colours.text : colours.label);
		});
	}

	drawRows() {
		const { context, rows } = this, top = AXIS, first = Math.max(0, this.rowAt(this.scroll));
		this.dots.begin(this.width - LABELS, Math.ceil(this.high / CALL_ROW) + 2);
		for (let i = first; i < rows.length && rows[i].y < this.scroll + this.high; i++) {
			const row = rows[i], y = top + row.y - this.scroll;
			if (row.kind === "cpu")
				this.drawCpu(row, y);
			else if (row.kind === "task")
				this.drawTask(row, y);
			else
				this.drawCalls(row, y);
			context.fillStyle = colours.line;
			if (row.kind !== "calls")
				context.fillRect(0, y, this.width, 0.5);
		}
		this.dots.draw(context, LABELS);
		this.drawSelected(top);
		context.fillStyle = colours.panel;
		context.fillRect(0, top, LABELS - 1, this.high);
		for (let i = first; i < rows.length && rows[i].y < this.scroll + this.high; i++)
			this.drawLabel(rows[i], top + rows[i].y - this.scroll);
	}

	drawLabel(row, y) {
		const { data } = this;
		if (row.kind === "cpu") {
			const several = data.about.files.length > 1 ? data.about.files[data.cpus[row.of].file].path + " " : "";
			this.label(several + "CPU " + data.cpus[row.of].cpu, 4, y + row.height / 2, LABELS - 8, colours.text);
		} else if (row.kind === "task") {
			const sign = data.depths[row.of] ? this.collapsed.has(row.of) ? "\u25b8 " : "\u25be " : "  ";
			this.label(sign + data.taskName(row.of), 4, y + row.height / 2, LABELS - 8,
				   this.found && this.found.tasks[row.of] ? colours.mark : colours.text);
		}
	}

	drawSelected(top) {
		const { context, selected } = this;
		if (!selected)
			return;
		const row = this.rows[selected.row], x = Math.max(LABELS, this.xOf(selected.start)), y = top + row.y - this.scroll;
		context.strokeStyle = colours.select;
		context.lineWidth = 2;
		context.strokeRect(x, y + 1, Math.max(Math.min(this.xOf(selected.start + selected.length), this.width) - x, 2), row.height - 2);
		this.drawWaking(top);
	}

	taskRow(track) {
		return this.rows.findIndex(row => row.kind === "task" && row.of === track);
	}

	// An arrow from the row of who woke the selected task to its own.
	drawWaking(top) {
		const { context, waking } = this, from = waking ? this.taskRow(waking.by) : -1, to = waking ? this.taskRow(waking.track) : -1;
		if (from < 0 || to < 0 || from === to || waking.time < this.from || waking.time > this.to)
			return;
		const x = this.xOf(waking.time), down = to > from ? 1 : -1, begin = top + this.rows[from].y + 8 - this.scroll, end = top + this.rows[to].y + 8 - this.scroll;
		context.fillStyle = context.strokeStyle = colours.select;
		context.lineWidth = 1.5;
		context.beginPath();
		context.arc(x, begin, 3, 0, 2 * Math.PI);
		context.fill();
		context.beginPath();
		context.moveTo(x, begin);
		context.lineTo(x, end - 6 * down);
		context.stroke();
		context.beginPath();
		context.moveTo(x, end);
		context.lineTo(x - 4, end - 8 * down);
		context.lineTo(x + 4, end - 8 * down);
		context.fill();
	}

	// --- the axis ---

	drawAxis() {
		const { context } = this, rough = (this.to - this.from) / Math.max(2, (this.width - LABELS) / 130);
		const power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
		const [unit, name] = step >= 1e8 ? [1e9, "s"] : step >= 1e5 ? [1e6, "ms"] : step >= 100 ? [1e3, "us"] : [1, "ns"];
		const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
		context.fillStyle = colours.panel;
		context.fillRect(0, 0, this.width, AXIS);
		for (let time = Math.ceil(this.from / step) * step; time <= this.to; time += step) {
			const x = this.xOf(time), [whole, part] = (time / unit).toFixed(digits).split(".");
			context.fillStyle = colours.line;
			context.fillRect(x, AXIS - 6, 1, this.high + 6);
			context.fillStyle = colours.text;
			const text = groups(whole) + (part ? "." + part : "") + " " + name;
			if (x + 3 + text.length * LETTER < this.width)
				context.fillText(text, x + 3, 9);
		}
		context.fillStyle = colours.panel;
		context.fillRect(0, 0, LABELS - 1, AXIS);
	}

	drawMarks() {
		const { context } = this;
		context.fillStyle = colours.select;
		for (const time of this.marks)
			context.fillRect(this.xOf(time) - 0.5, 0, 1.5, this.high + AXIS);
		if (this.marks.length === 2) {
			context.globalAlpha = 0.12;
			context.fillRect(this.xOf(Math.min(...this.marks)), 0, Math.abs(this.marks[1] - this.marks[0]) * this.scale, this.high + AXIS);
			context.globalAlpha = 1;
		}
	}

	// --- the overview ---

	// How much of each pixel's time the CPUs were busy, or where there are calls.
	density(width) {
		if (this.overview && this.overview.length === width)
			return this.overview;
		const { data } = this, out = new Float32Array(width), share = width / data.span;
		const add = (start, length, weight) => {
			const from = Math.max(0, start * share), to = Math.min(width - 1e-6, from + length * share);
			for (let pixel = Math.floor(from); pixel <= Math.floor(to); pixel++)
				out[pixel] += (Math.min(pixel + 1, to) - Math.max(pixel, from)) * weight;
		};
		for (let i = 0; i < data.runs.n; i++)
			add(data.runs.start[i], data.runs.length[i], 1 / data.cpus.length);
		return this.overview = out;
	}

	// The overview without the part that is shown. It is drawn anew only when its width or the colours have changed.
	overviewPicture(width) {
		const key = [width, window.devicePixelRatio, colours.panel, colours.running].join(" "), { data } = this;
		if (this.pictureKey === key)
			return this.picture;
		const canvas = element("canvas", {}), context = fitCanvas(canvas, width, OVERVIEW), density = this.density(Math.round(width));
		context.fillStyle = colours.panel;
		context.fillRect(0, 0, width, OVERVIEW);
		context.fillStyle = colours.running;
		density.forEach((share, x) => context.fillRect(x, OVERVIEW - 2 - Math.min(1, share) * (OVERVIEW - 8), 1, Math.min(1, share) * (OVERVIEW - 8)));
		context.fillStyle = colours.lost;
		for (let i = 0; i < data.losses.n; i++)
			context.fillRect(data.losses.start[i] / data.span * width, 0, Math.max(2, data.losses.length[i] / data.span * width), 5);
		this.pictureKey = key;
		return this.picture = canvas;
	}

	drawOverview(canvas, width) {
		const context = fitCanvas(canvas, width, OVERVIEW), { data } = this;
		context.drawImage(this.overviewPicture(width), 0, 0, width, OVERVIEW);
		if (this.from === 0 && this.to === data.span)
			return;
		const x = this.from / data.span * width, w = Math.max(3, (this.to - this.from) / data.span * width);
		context.fillStyle = colours.select;
		context.globalAlpha = 0.18;
		context.fillRect(x, 0, w, OVERVIEW);
		context.globalAlpha = 1;
		context.strokeStyle = colours.select;
		context.strokeRect(x + 0.5, 0.5, w - 1, OVERVIEW - 1);
	}

	drawAll(canvas, box) {
		this.width = box.clientWidth;
		this.high = Math.max(1, box.clientHeight - AXIS);
		this.scale = (this.width - LABELS) / (this.to - this.from);
		this.scroll = box.scrollTop;
		const context = this.context = fitCanvas(canvas, this.width, box.clientHeight);
		context.fillStyle = colours.ground;
		context.fillRect(0, 0, this.width, box.clientHeight);
		context.font = "11px monospace";
		context.textBaseline = "middle";
		this.drawAxis();
		context.save();
		context.beginPath();
		context.rect(0, AXIS, this.width, this.high);
		context.clip();
		this.drawRows();
		context.restore();
		this.drawMarks();
	}
}
