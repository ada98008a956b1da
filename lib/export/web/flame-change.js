// SPDX-License-Identifier: GPL-2.0
// What has changed since another recording: colours and words of frames, and a list of the paths that are not the same.

const MOST_CHANGES = 300;

class FlameChange {
	// diff: as lib/export/flame-diff.c writes it; its rows stand in the order of how much they changed.
	constructor(diff) {
		this.diff = diff;
		this.frames = new Map();
		diff.row.forEach((row, frame) => {
			if (row)
				this.frames.set(row - 1, frame);
		});
	}

	// The verdict's name as a class and a colour: "more often" is more.
	static nameOf(verdict) {
		return verdict.split(" ")[0];
	}

	colourOf(frame) {
		const { diff } = this, row = diff.row[frame] - 1, verdict = row < 0 ? 0 : diff.verdict[row];
		if (!verdict)
			return colours.same;
		const name = FlameChange.nameOf(diff.verdicts[verdict]);
		return name === "new" ? colours.new : mixed(colours.same, colours[name], Math.min(1, 0.45 + 0.55 * Math.abs(Math.log2(diff.factor[row]))));
	}

	wordsOf(frame) {
		const { diff } = this, row = diff.row[frame] - 1;
		return row >= 0 ? diff.verdicts[diff.verdict[row]] + ": " + diff.evidence[row] : frame ? "not compared" : "";
	}

	// The legend, and a button for each path that is not the same, which selects its frame.
	show(select) {
		const { diff } = this, list = byId("flame-changes"), rows = diff.verdict.map((verdict, row) => row).filter(row => diff.verdict[row]);
		for (const verdict of diff.verdicts)
			if (verdict !== "gone")
				byId("flame-legend").append(element("span", { className: "state " + FlameChange.nameOf(verdict) }, verdict));
		list.append(element("h3", {}, "since " + diff.old.join(", ")), element("p", {}, diff.whole + "."));
		if (diff.oldLost)
			list.append(element("p", { className: "lost" }, "Events of it were lost; calls that were open there are not counted."));
		if (!rows.length)
			list.append(element("p", {}, "No path differs by more than chance."));
		list.append(element("ol", {}, ...rows.slice(0, MOST_CHANGES).map(row => this.entry(row, select))));
		if (rows.length > MOST_CHANGES)
			list.append(element("p", {}, "and " + groups(rows.length - MOST_CHANGES) + " more; `ringside diff --graph` lists all"));
		list.hidden = false;
	}

	entry(row, select) {
		const { diff } = this, frame = this.frames.get(row), path = diff.key[row].split(";"), name = path.pop();
		const verdict = diff.verdicts[diff.verdict[row]], words = element("span", { className: "faint" }, " " + diff.evidence[row]);
		const mark = element("span", { className: "state " + FlameChange.nameOf(verdict) }, verdict);
		if (frame === undefined)
			return element("li", { title: path.join(" \u203a ") }, mark, name, words);
		const button = element("button", { type: "button" }, name);
		button.addEventListener("click", () => select(frame));
		return element("li", { title: path.join(" \u203a ") }, mark, button, words);
	}
}
