interface Happening {
	at: number;
	happen: () => void;
}

/** A list of events under a time of its own. Of two at the same moment the one that was added earlier comes first. */
export class Agenda {
	/** The next one stands last. */
	private readonly open: Happening[] = [];

	constructor(public now: number) {}

	after(ms: number, happen: () => void): Happening {
		const added = { at: this.now + Math.max(0, ms), happen };
		// Few are open at a time, and most are the latest.
		let place = this.open.length;
		while (place > 0 && (this.open[place - 1]?.at ?? 0) <= added.at) place -= 1;
		this.open.splice(place, 0, added);
		return added;
	}

	cancel(happening: Happening): void {
		this.open.splice(this.open.indexOf(happening), 1);
	}

	/** Lets the next one happen; false: there is none by then. */
	next(by = Infinity): boolean {
		const next = this.open.at(-1);
		if (!next || next.at > by) return false;
		this.open.pop();
		this.now = next.at;
		next.happen();
		return true;
	}
}
