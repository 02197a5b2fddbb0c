import { Failure } from '../http/failure';
import { endsReading, type Course } from './course';
import { conclude, whoIsThere } from './inquiry';
import type { JobsUnderWay, OpenJob } from './jobsUnderWay';
import { lookAt } from './look';
import { because, notConfirmed } from './words';

/** Looks at jobs, and writes down what became of their people. */
export class Collecting {
	underWay = 0;

	constructor(private readonly course: Course) {}

	private get jobs(): JobsUnderWay {
		return this.course.jobs;
	}

	async look(job: OpenJob): Promise<void> {
		const { course } = this;
		const { ledger, knowledge, weather } = course;
		const sentAt = course.now;
		this.underWay += 1;
		try {
			const api = course.apiFor(job.sent.sessionId);
			const looked = await lookAt(job, api, knowledge, course.requestDeadline);
			if (course.isOver) return;
			weather.answered();
			ledger.sawState(job.sent, looked.state);
			if (!looked.results) return this.jobs.unfinished(job, looked.processed, course.now);
			this.jobs.finished(job, course.now);
			ledger.close(job.sent, looked.results);
		} catch (error) {
			if (!course.isOver) this.failed(job, error, sentAt);
		} finally {
			this.underWay -= 1;
		}
	}

	/**
	 * Asks who is registered where the results did not say whose they are. It costs at most half as
	 * many requests as the plan, or fifty; what it does not find out stays unknown.
	 */
	async inquire(): Promise<void> {
		const { course } = this;
		const { ledger, plan, requestDeadline } = course;
		let budget = Math.max(50, plan.chunks.length);
		for (const sessionId of new Set(ledger.questions.map(({ job }) => job.sessionId))) {
			const questions = ledger.questions.filter(({ job }) => job.sessionId === sessionId);
			const emails = questions.flatMap((question) => question.emails);
			let spent = 0;
			const api = course.apiFor(sessionId);
			const counted: typeof api = (request) => {
				spent += 1;
				return api(request);
			};
			const present = await whoIsThere(sessionId, emails, counted, budget, requestDeadline);
			budget -= spent;
			if (!present) continue;
			for (const question of questions) ledger.answer(question, conclude(question, present));
		}
	}

	private failed(job: OpenJob, error: unknown, sentAt: number): void {
		const { course } = this;
		const { weather, ledger } = course;
		const isKnown = error instanceof Failure;
		if (isKnown && error.reason !== 'not_found') weather.troubled(sentAt, course.now);
		const isWorthAnother = this.jobs.troubled(job, course.now, isKnown ? error.retryAt : undefined);
		if (!isWorthAnother)
			ledger.settle(job.sent.people, notConfirmed(because(error, job.id), job.id));
		const ends = !isKnown || endsReading.has(error.reason) || course.isTooLate(error);
		if (ends || weather.isHopeless) course.stopAll(because(error, job.id));
	}
}
