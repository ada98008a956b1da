// SPDX-License-Identifier: GPL-2.0
// The table of functions, as `ringside funcs` has it: sorted by a click on a column's head, chosen by a part of the name.

const SHOWN = 1000;

class FunctionTable {
	constructor(data) {
		this.data = data;
		this.columns = [["function", null], ["calls", cellCount], ["cut", cellCount], ["total", cellNs], ["self", cellNs], ["off", cellNs],
				["irq", cellNs], ["p50", cellNs], ["p90", cellNs], ["p99", cellNs], ["max", cellNs]];
		this.sorted = "self";
		this.down = true;
		this.head = this.columns.map(([name]) => {
			const button = element("button", { type: "button" }, name);
			button.addEventListener("click", () => this.sortBy(name));
			return element("th", { scope: "col" }, button);
		});
		byId("functions-head").replaceChildren(...this.head);
		byId("functions-search").addEventListener("input", () => this.fill());
		this.fill();
	}

	sortBy(name) {
		this.down = this.sorted === name ? !this.down : name !== "function";
		this.sorted = name;
		this.fill();
	}

	fill() {
		const { functions, names } = this.data, match = matcher(byId("functions-search").value), by = functions[this.sorted];
		const order = functions.name.map((name, i) => i).filter(i => !match || match(names[functions.name[i]]));
		const byName = (a, b) => names[functions.name[a]] < names[functions.name[b]] ? -1 : 1;
		order.sort((a, b) => (by ? by[a] - by[b] : byName(a, b)) * (this.down ? -1 : 1) || byName(a, b));
		this.head.forEach((cell, i) => cell.setAttribute("aria-sort", this.columns[i][0] !== this.sorted ? "none" : this.down ? "descending" : "ascending"));
		byId("functions-body").replaceChildren(...order.slice(0, SHOWN).map(i => this.row(i)));
		byId("functions-found").textContent = !functions.name.length ? "There are no calls in this recording; they come from record -p function_graph, record -e raw_syscalls and record --latency."
			: groups(order.length) + " functions" + (order.length > SHOWN ? ", of which the first " + groups(SHOWN) + " are shown" : "");
	}

	row(i) {
		const { functions, names } = this.data, name = names[functions.name[i]], button = element("button", { type: "button" }, name);
		button.addEventListener("click", async () => {
			const { timeline } = made, search = byId("timeline-search");
			await chooseView("timeline");
			timeline.find(search.value = name);
			timeline.next(1);
		});
		return element("tr", {}, ...this.columns.map(([column, format]) => format ? element("td", {}, format(functions[column][i]))
			: element("th", { scope: "row" }, button)));
	}
}
