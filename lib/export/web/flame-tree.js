// SPDX-License-Identifier: GPL-2.0
// A flame graph's tree: frames as columns, callers before what they call; frame 0 is all of them.

class FlameTree {
	// data.name, .parent, .own by frame, and what tells of calls; names: what the numbers in data.name mean.
	constructor(data, names, by) {
		const n = data.parent.length;
		this.data = data;
		this.names = names;
		this.n = n;
		this.own = FlameTree.ownBy(data, by);
		this.weight = Float64Array.from(this.own);
		this.size = new Uint32Array(n).fill(1);
		this.depth = new Uint16Array(n);
		for (let i = 1; i < n; i++)
			this.depth[i] = this.depth[data.parent[i]] + 1;
		for (let i = n - 1; i > 0; i--) {
			this.weight[data.parent[i]] += this.weight[i];
			this.size[data.parent[i]] += this.size[i];
		}
		this.order();
	}

	static ownBy(data, by) {
		if (by === "events" || by === "off-cpu" || !data.self)
			return Float64Array.from(data.own);
		const self = data.self, off = data.off, calls = data.calls;
		// Of a function, off is -1 when it is not known: that time is part of self. What is no function has -1 everywhere.
		const known = i => Math.max(0, off[i]);
		const pick = { time: i => self[i] + known(i), cpu: i => self[i], off: known, calls: i => calls[i] }[by];
		return Float64Array.from({ length: data.parent.length }, (_, i) => self[i] < 0 ? 0 : pick(i));
	}

	// this.callees: frames with those of the same caller together, the heaviest first; this.first and this.last: where those of a frame stand.
	order() {
		const { parent, name } = this.data, weight = this.weight;
		this.first = new Uint32Array(this.n + 1);
		for (let i = 1; i < this.n; i++)
			this.first[parent[i] + 1]++;
		for (let i = 0; i < this.n; i++)
			this.first[i + 1] += this.first[i];
		const at = this.first.slice(), callees = new Uint32Array(Math.max(0, this.n - 1));
		for (let i = 1; i < this.n; i++)
			callees[at[parent[i]]++] = i;
		this.callees = callees;
		this.left = new Float64Array(this.n);
		for (let i = 0; i < this.n; i++) {
			const some = callees.subarray(this.first[i], this.first[i + 1]);
			if (some.length > 1)
				some.sort((a, b) => weight[b] - weight[a] || (this.names[name[a]] < this.names[name[b]] ? -1 : 1));
			let x = this.left[i];
			for (const callee of some) {
				this.left[callee] = x;
				x += weight[callee];
			}
		}
	}

	calleesOf(frame) {
		return this.callees.subarray(this.first[frame], this.first[frame + 1]);
	}

	nameOf(frame) {
		return this.names[this.data.name[frame]];
	}

	isWithin(frame, top) {
		while (frame > top)
			frame = this.data.parent[frame];
		return frame === top;
	}

	pathOf(frame) {
		const path = [];
		for (let at = frame; at; at = this.data.parent[at])
			path.unshift(this.nameOf(at));
		return path;
	}

	// The same weights with the innermost functions at the roots and their callers below them.
	inverted(by) {
		const from = this.data, out = { parent: [0], name: [from.name[0]], own: [0], kind: [1] }, places = new Map();
		const sums = ["calls", "self", "off", "irq", "cut"], width = this.names.length;
		if (from.self)
			for (const column of sums)
				out[column] = [-1];
		for (let frame = 1; frame < this.n; frame++) {
			if (!this.own[frame] || from.kind[frame] === 1)
				continue;
			let node = 0;
			for (let at = frame; at && from.kind[at] !== 1; at = from.parent[at]) {
				const key = node * width + from.name[at];
				let next = places.get(key);
				if (next === undefined) {
					next = out.parent.length;
					places.set(key, next);
					out.parent.push(node);
					out.name.push(from.name[at]);
					out.own.push(0);
					out.kind.push(from.kind[at]);
					if (from.self)
						for (const column of sums)
							out[column].push(0);
				}
				node = next;
				// A node tells of the calls of the function at its root that came this way.
				if (from.self && from.self[frame] >= 0)
					for (const column of sums)
						out[column][node] = from[column][frame] < 0 || out[column][node] < 0 ? -1 : out[column][node] + from[column][frame];
			}
			out.own[node] += this.own[frame];
		}
		// The weights are those of the chains that end here, whatever they are made of.
		const tree = new FlameTree(out, this.names, "events");
		tree.callers = true;
		tree.by = by;
		return tree;
	}
}
