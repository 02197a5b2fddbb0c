import { Cancelled, Failure } from '../http/failure';
import { Alarm } from './alarm';
import { Collecting } from './collecting';
import { Course, type RunOptions, type RunParts } from './course';
import type { Outcome, SentJob } from './person';
import type { Plan } from './plan';
import { Sending } from './sending';
import { because, notConfirmed, type Stop } from './words';

export interface Report<Of = Outcome> {
	/** One per person, in the order of the input. */
	outcomes: readonly Of[];
	jobs: readonly SentJob[];
	requests: number;
	/** Without those that were repeated by the transport. */
	requestsBySession: ReadonlyMap<string, number>;
	seconds: number;
	/** Why the run ended before everyone was sent or confirmed. */
	stop?: Stop;
}

/** Requests that were under way when time was over may still bring their answer. */
const graceMs = 3_000;
const logEveryMs = 10_000;

/** Sends the plan and finds out what became of everyone, with the pace always in use. */
export async function runBulk(plan: Plan, parts: RunParts, options: RunOptions): Promise<Report> {
	const requestsBefore = parts.api.usage.requests;
	const course = new Course(plan, parts, options);
	await new BulkRun(course).finish();
	return {
		outcomes: course.ledger.outcomes(),
		jobs: course.ledger.jobs,
		requests: parts.api.usage.requests - requestsBefore,
		requestsBySession: course.requestsBySession,
		seconds: Math.round((course.now - course.startedAt) / 100) / 10,
		stop: course.stop,
	};
}

class BulkRun {
	private readonly alarm: Alarm;
	private readonly sending: Sending;
	private readonly collecting: Collecting;
	private loggedAt: number;

	constructor(private readonly course: Course) {
		const { clock, signal } = course.parts;
		this.alarm = new Alarm(clock, signal);
		this.sending = new Sending(course);
		this.collecting = new Collecting(course);
		this.loggedAt = course.startedAt;
	}

	async finish(): Promise<void> {
		const { course } = this;
		for (;;) {
			this.startWhatIsDue();
			if (this.isDone()) break;
			await this.alarm.until(this.nextMoment());
			this.tellProgress();
		}
		course.isOver = true;
		const stop = course.stop ?? because(new Cancelled());
		for (const { people } of this.sending.underWay) {
			course.ledger.settle(people, notConfirmed(stop));
		}
		course.giveUp(course.jobs.abandonAll(), stop);
		// Unknown is the truth too, so nothing that goes wrong here is worth an error.
		if (course.isReading) await this.collecting.inquire().catch(() => {});
	}

	private isDone(): boolean {
		const { now, parts, deadline, shipments, jobs, isReading } = this.course;
		if (parts.signal?.aborted || now >= deadline + graceMs) return true;
		return this.underWay === 0 && shipments.left === 0 && (!isReading || jobs.size === 0);
	}

	private startWhatIsDue(): void {
		const { course } = this;
		const { now, deadline, weather } = course;
		if (course.parts.signal?.aborted) return course.stopAll(because(new Cancelled()));
		if (now >= deadline) return course.stopAll(because(timeOver));
		while (this.hasTurn() && now >= weather.calmAt) {
			const shipment = this.maySend() ? course.shipments.take(now) : undefined;
			const job = !shipment && course.isReading ? course.jobs.take(now) : undefined;
			if (!shipment && !job) return;
			const work = shipment ? this.sending.send(shipment) : job && this.collecting.look(job);
			void work?.then(() => this.alarm.ring());
		}
	}

	/** When something will be due; a request that comes back rings earlier. */
	private nextMoment(): number {
		const { now, deadline, weather, shipments, jobs, isReading } = this.course;
		const over = now >= deadline ? deadline + graceMs : deadline;
		if (!this.hasTurn()) return over;
		const sendAt = this.maySend() ? shipments.readyAt(now) : Infinity;
		const lookAt = isReading ? jobs.dueAt() : Infinity;
		return Math.min(over, Math.max(weather.calmAt, Math.min(sendAt, lookAt)));
	}

	/** Requests under way at once: enough for answers that take four seconds. */
	private hasTurn(): boolean {
		const { parts, weather } = this.course;
		const { perSecond } = parts.api.usage;
		const inCalm = Math.min(64, Math.max(8, Math.ceil(4 * perSecond)));
		return this.underWay < weather.most(inCalm);
	}

	private maySend(): boolean {
		const { isReading, jobs, parts } = this.course;
		return !isReading || jobs.hasRoom(this.sending.underWay.size, parts.api.usage.perSecond);
	}

	private get underWay(): number {
		return this.sending.underWay.size + this.collecting.underWay;
	}

	private tellProgress(): void {
		const { now, jobs, ledger, plan, parts } = this.course;
		if (now - this.loggedAt < logEveryMs) return;
		this.loggedAt = now;
		const sent = ledger.jobs.length;
		parts.log?.(
			`Bulk registration: ${sent - jobs.size} of ${plan.chunks.length} jobs confirmed, ` +
				`${jobs.size} under way, ${parts.api.usage.requests} requests`,
		);
	}
}

const timeOver = new Failure('time_over', { method: 'POST', path: '/sessions/:id/people/bulk' });
