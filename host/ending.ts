/** These things have to be ended before this program is. The last one started is ended first. */
class Endings {
	begun = false;
	private readonly list: Array<() => Promise<unknown>> = [];

	add(end: () => Promise<unknown>) {
		this.list.unshift(end);
	}

	async run() {
		for (const end of this.list) await end().catch(() => undefined);
	}
}

export const endings = new Endings();

let leaving: Promise<never> | undefined;

/** Ends everything, then the program. The first call decides with which code. */
export function leave(code: number): Promise<never> {
	leaving ??= (async () => {
		endings.begun = true;
		await endings.run();
		process.exit(code);
	})();
	return leaving;
}

/** Ctrl-C may arrive twice, from the terminal and from npm: the first one counts. */
export function leaveOnSignals(onFirst: () => void): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (!endings.begun) onFirst();
			void leave(0);
		});
	}
}
