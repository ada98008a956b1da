// SPDX-License-Identifier: GPL-2.0
// The slowest calls, each with its cause, as `ringside slow` names it; a click moves the timeline there.

class SlowCalls {
	constructor(data) {
		this.functions = data.functions;
		this.left = data.left;
		this.buttons = [];
		byId("slow-search").addEventListener("input", () => this.fill());
		byId("slow-box").addEventListener("keydown", event => this.onKey(event));
		this.fill();
	}

	fill() {
		const match = matcher(byId("slow-search").value);
		const shown = this.functions.filter(({ function: name, slow }) => !match || match(name) || slow.some(call => match(call.why) || match(call.task)));
		this.buttons = [];
		byId("slow-box").replaceChildren(...shown.map(one => this.part(one)));
		byId("slow-found").textContent = this.left ? "They are left out, as the page was to be small; ringside slow tells them." : !this.functions.length ? "There are no complete calls in this recording."
			: groups(shown.length) + " of the functions with the slowest calls";
		this.show(shown.length ? shown[0].slow[0] : null);
	}

	part({ function: name, calls, summary, needs, slow }) {
		const heads = ["#", "took", "usually", "task", "CPU", "at", "why"].map(head => element("th", { scope: "col" }, head));
		const lines = (summary + (needs || "")).trimEnd();
		return element("div", { className: "slow-part" }, element("h3", {}, name), element("p", { className: "faint" }, calls.trimEnd()),
			element("p", { className: "slow-summary" }, lines), element("table", {}, element("thead", {}, element("tr", {}, ...heads)),
				element("tbody", {}, ...slow.map(call => this.row(call)))));
	}

	row(call) {
		const button = element("button", { type: "button" }, formatNs(call.total)), cells = [cellNs(call.typical), call.task, String(call.cpu), formatNs(call.at)];
		const row = element("tr", {}, element("td", {}, String(call.call)), element("td", {}, button), ...cells.map(text => element("td", {}, text)),
			element("td", { className: "text" }, call.why));
		this.buttons.push(button);
		button.addEventListener("focus", () => this.show(call));
		row.addEventListener("pointerenter", () => this.show(call));
		row.addEventListener("click", () => this.goTo(call).catch(showFailure));
		return row;
	}

	// Its first line says which call it is.
	show(call) {
		const text = call ? call.text : "", end = text.indexOf("\n");
		byId("slow-name").textContent = call ? text.slice(0, end) : "nothing is selected";
		byId("slow-text").textContent = call ? text.slice(end + 1) : "";
	}

	async goTo(call) {
		await chooseView("timeline");
		made.timeline.goToSlow(call);
	}

	onKey(event) {
		const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0, at = this.buttons.indexOf(document.activeElement);
		if (!by || !this.buttons.length)
			return;
		this.buttons[Math.min(Math.max(at + by, 0), this.buttons.length - 1)].focus();
		event.preventDefault();
	}
}
