import { Tempo } from './tempo';

/** What a run has learned about the platform. */
export class Knowledge {
	readonly tempo = new Tempo();
	/** Section 4.2 says that page parameters work; a platform is known where they break the answer. */
	paging: 'untried' | 'works' | 'broken' = 'untried';
	/** Whether task results can be read while the job runs. */
	earlyResults: 'untried' | 'shown' | 'hidden' = 'untried';
	private readonly firstLooks = new Share();
	private readonly laterLooks = new Share();

	looked(isFirst: boolean, foundFinished: boolean): void {
		(isFirst ? this.firstLooks : this.laterLooks).add(foundFinished);
	}

	/** Where nothing is shown early, reading first pays when it mostly finds the job finished. */
	readsFirst(isFirst: boolean): boolean {
		if (this.earlyResults !== 'hidden') return true;
		return (isFirst ? this.firstLooks : this.laterLooks).value > 0.6;
	}
}

/** How often something is so, the latest times weighing most. */
class Share {
	value = 0.5;

	add(isSo: boolean): void {
		this.value = 0.85 * this.value + (isSo ? 0.15 : 0);
	}
}
