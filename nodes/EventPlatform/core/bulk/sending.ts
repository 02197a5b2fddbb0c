import type { Failure } from '../http/failure';
import type { Course } from './course';
import { mostSplits, split, type Shipment } from './shipments';
import { submit, type Submitted } from './submit';
import { because, notConfirmed, refused } from './words';

/** Sends shipments, and decides what becomes of those that were not accepted. */
export class Sending {
	readonly underWay = new Set<Shipment>();
	private splits: number;

	constructor(private readonly course: Course) {
		const { options, plan } = course;
		this.splits = options.isolates ? mostSplits(plan.chunks.length) : 0;
	}

	async send(shipment: Shipment): Promise<void> {
		const { course } = this;
		const sentAt = course.now;
		this.underWay.add(shipment);
		try {
			const api = course.apiFor(shipment.sessionId);
			const submitted = await submit(shipment, course.plan.people, api, course.requestDeadline);
			if (!course.isOver) this.submitted(shipment, submitted, sentAt);
		} catch (error) {
			if (course.isOver) return;
			const stop = because(error);
			course.ledger.settle(shipment.people, notConfirmed(stop));
			course.stopAll(stop);
		} finally {
			this.underWay.delete(shipment);
		}
	}

	private submitted(shipment: Shipment, submitted: Submitted, sentAt: number): void {
		const { weather, ledger, jobs, now } = this.course;
		if ('job' in submitted) {
			weather.answered();
			jobs.add(ledger.open(submitted.job.id, shipment.sessionId, shipment.people), now);
		} else if ('refused' in submitted) {
			weather.answered();
			this.refused(shipment, submitted.refused);
		} else if ('stop' in submitted) {
			const stop = because(submitted.stop);
			this.course.drop(shipment, stop);
			// Jobs that were accepted are still read, as long as reading is not refused too.
			this.course.stopSending(stop, submitted.everywhere ? undefined : shipment.sessionId);
		} else {
			if ('open' in submitted) shipment.maybeArrived = true;
			weather.troubled(sentAt, now);
			this.sendAgain(shipment, 'open' in submitted ? submitted.open : submitted.unsent);
		}
	}

	private sendAgain(shipment: Shipment, failure: Failure): void {
		const { course } = this;
		const isPointless = course.isTooLate(failure) || course.weather.isHopeless;
		const goesOn =
			!isPointless && course.shipments.sendAgain(shipment, course.now, failure.retryAt);
		if (!goesOn) course.drop(shipment, because(failure));
		if (isPointless) course.stopAll(because(failure));
	}

	private refused(shipment: Shipment, failure: Failure): void {
		const { ledger, shipments, plan } = this.course;
		const { people, maybeArrived } = shipment;
		if (people.length > 1 && this.splits > 0) {
			this.splits -= 1;
			shipments.sendPieces(split(shipment, failure, plan.people), shipment);
		} else if (maybeArrived) {
			// Refused now, but an earlier try may have been accepted.
			ledger.settle(people, notConfirmed(because(failure)));
		} else {
			ledger.settle(people, refused(failure, people.length));
		}
	}
}
