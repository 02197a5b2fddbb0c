/**
 * How long jobs take, learned from those already seen. It aims a little above the truth: a look
 * that comes too early costs a request, one that comes late costs nothing while others are sent.
 */
export class Tempo {
	/** A guess until a job has been seen finished. */
	private fullJobMs = 1_500;
	private isLearned = false;

	/** Half of the time is taken to be the same for every job, half to grow with its tasks. */
	expectedMs(tasks: number): number {
		return this.fullJobMs * share(tasks);
	}

	/** `isBusy`: job after job is late, so the platform has become slower. */
	unfinished(ageMs: number, tasks: number, processed: number, isBusy: boolean): void {
		if (this.isLearned) {
			if (isBusy) this.fullJobMs = Math.max(this.fullJobMs, (1.25 * ageMs) / share(tasks));
			return;
		}
		const wholeMs = processed > 0 ? (ageMs * tasks) / processed : ageMs * 2;
		this.fullJobMs = Math.max(this.fullJobMs, wholeMs / share(tasks));
	}

	/** `wasEarly`: an earlier look found the job unfinished, so its age tells how long it took. */
	finished(ageMs: number, tasks: number, wasEarly: boolean): void {
		const tookMs = ageMs / share(tasks);
		const differenceMs = tookMs - this.fullJobMs;
		if (differenceMs < 0) this.fullJobMs += differenceMs * (this.isLearned ? 0.3 : 1);
		else if (wasEarly) this.fullJobMs += differenceMs * (this.isLearned ? 0.5 : 1);
		else this.fullJobMs *= 0.99;
		this.fullJobMs = Math.max(100, this.fullJobMs);
		this.isLearned = true;
	}
}

function share(tasks: number): number {
	return (tasks + 50) / 100;
}
