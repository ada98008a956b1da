// SPDX-License-Identifier: GPL-2.0
// A flame graph as a page of its own.

async function main() {
	const data = await unpackJson("flame");
	const extra = [];
	if (data.facts && data.facts.guessed)
		extra.push(["off the CPU", "taken from the time in schedule(), as sched_switch is not there, or only in part"]);
	else if (data.facts && !data.facts.switches)
		extra.push(["off the CPU", "not known, at least not of all calls: sched_switch is not there, or only in part, or not in every file"]);
	showAbout(data.about, extra);
	readColours();
	const view = new FlameView(data);
	dark.addEventListener("change", () => {
		readColours();
		view.draw();
	});
	document.body.dataset.ready = "yes";
	byId("flame-box").focus({ preventScroll: true });
}

main().catch(showFailure);
