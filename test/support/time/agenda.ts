interface Happening {
	atMs: number;
	happen: () => void;
}

/** A list of events under a time of its own. Of two at the same moment the one that was added earlier comes first. */
export class Agenda {
	/** The next one stands last. */
	private readonly open: Happening[] = [];

	constructor(public nowMs: number) {}

	after(ms: number, happen: () => void): Happening {
		const added = { atMs: this.nowMs + Math.max(0, ms), happen };
		// Few are open at a time, and most are the latest.
		let place = this.open.length;
		while (place > 0 && (this.open[place - 1]?.atMs ?? 0) <= added.atMs) place -= 1;
		this.open.splice(place, 0, added);
		return added;
	}

	cancel(happening: Happening): void {
		this.open.splice(this.open.indexOf(happening), 1);
	}

	/** Lets the next one happen; false: there is none by that time. */
	next(byMs = Infinity): boolean {
		const next = this.open.at(-1);
		if (!next || next.atMs > byMs) return false;
		this.open.pop();
		this.nowMs = next.atMs;
		next.happen();
		return true;
	}
}
