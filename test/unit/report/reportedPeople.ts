import {
	summaryOf,
	type QuestionCounts,
	type Summary,
} from '../../../nodes/EventPlatform/core/report/figures';
import {
	readPerson,
	type ReportedPerson,
} from '../../../nodes/EventPlatform/core/report/reportedPerson';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

/** The summary of a session of which it is known who came. */
export function summarize(people: readonly ReportedPerson[], questions: QuestionCounts): Summary {
	return summaryOf({ people, questions, isAttendanceKnown: true });
}

let made = 0;

/** The record of a person of a session as the platform sends it, with `detail` in its registration. */
export function personRecord(detail: JsonObject = {}, attributes: JsonObject = {}): JsonObject {
	made += 1;
	return {
		id: `person-${made}`,
		type: 'people',
		attributes: {
			role: 'participant',
			email: `person${made}@example.com`,
			first_name: 'Person',
			last_name: String(made),
			messages_count: 0,
			questions_count: 0,
			up_votes_count: 0,
			...attributes,
			registrant_detail: {
				attended: false,
				attendance_rate: null,
				attendance_duration: 0,
				has_viewed_replay: false,
				fields: [],
				...detail,
			},
		},
	};
}

export function person(detail?: JsonObject, attributes?: JsonObject): ReportedPerson {
	return readPerson(personRecord(detail, attributes));
}

/** Somebody who was there for that share of a session of 100 minutes. */
export function attendee(share: number, attributes?: JsonObject): ReportedPerson {
	const registration = {
		attended: true,
		attendance_rate: share,
		attendance_duration: share * 60,
	};
	return person(registration, attributes);
}
