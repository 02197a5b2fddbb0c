/** Lets calls with the same key that come together share one execution, and each know whose it was. */
export class SingleFlight<Result> {
	private readonly underway = new Map<string, Promise<Result>>();

	/**
	 * `holdsForAll` says whether a result holds for those who came while it was worked out. A result
	 * that was begun after they came always does.
	 */
	async join(
		key: string,
		work: () => Promise<Result>,
		holdsForAll: (result: Result) => boolean,
	): Promise<{ result: Result; mine: boolean }> {
		for (let beganAfterUs = false; ; beganAfterUs = true) {
			const other = this.underway.get(key);
			if (other === undefined) return { result: await this.lead(key, work), mine: true };
			const result = await other;
			if (beganAfterUs || holdsForAll(result)) return { result, mine: false };
		}
	}

	private async lead(key: string, work: () => Promise<Result>): Promise<Result> {
		const result = work();
		this.underway.set(key, result);
		try {
			return await result;
		} finally {
			this.underway.delete(key);
		}
	}
}
