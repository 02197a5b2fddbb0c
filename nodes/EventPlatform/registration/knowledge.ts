import { Tempo } from './tempo';

/** What a run has learned about the platform. */
export class Knowledge {
	readonly tempo = new Tempo();
	/** Section 4.2 says that page parameters work; a platform is known where they break the answer. */
	paging: 'untried' | 'works' | 'broken' = 'untried';
	/** Whether task results can be read while the job runs. */
	earlyResults: 'untried' | 'shown' | 'hidden' = 'untried';
	/** Whether results stood in the order of the tasks wherever that could be seen. */
	keepsOrder = true;
	/** How often a first look found the job finished, the latest looks weighing most. */
	private hits = 0.5;

	firstLook(foundFinished: boolean): void {
		this.hits = 0.85 * this.hits + (foundFinished ? 0.15 : 0);
	}

	/** Reading first costs one request where it succeeds, and two where the status would have. */
	get readsFirst(): boolean {
		return this.earlyResults !== 'hidden' || this.hits > 0.6;
	}
}
