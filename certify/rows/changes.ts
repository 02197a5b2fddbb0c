import { attributesOf } from '../../nodes/EventPlatform/core/client/document';
import { readErrors } from '../../nodes/EventPlatform/core/dialect/errors';
import { movedBySeconds, planned } from '../asks/writing';
import {
	responseTo,
	differs,
	holds,
	number,
	NotSeen,
	recordOf,
	successOf,
	judgeDifferences,
	judgeStatus,
	type Row,
	type Verdict,
} from '../row';
import { howRegisteredIsTold } from '../../nodes/EventPlatform/core/dialect/alreadyRegistered';
import { differences } from '../schema';
import type { SeenResponse, Seen } from '../seen';
import { kindOf, wordOf, words } from '../words';

const managed = { needs: 'write', reliesOn: ['manage'] } as const;
const single = { section: '4.3', needs: 'write', reliesOn: ['single'] } as const;
const update = { needs: 'write', reliesOn: ['update'] } as const;
const unregister = { needs: 'write', reliesOn: ['unregister'] } as const;

/** Creating, changing and removing an event and its session; one registration from its beginning to its end. */
export const changeRows: readonly Row[] = [
	{
		...managed,
		id: 'event.draft',
		says: 'An event that is created as a draft is one',
		check(seen) {
			const { status } = attributesOf(recordOf(successOf(seen, 'create event')));
			return status === 'draft' ? holds : differs(words`'draft'`, wordOf(status));
		},
	},
	{
		...managed,
		id: 'event.changed',
		says: 'What PATCH changes of an event is read back',
		check(seen) {
			successOf(seen, 'update event');
			const { description } = attributesOf(recordOf(successOf(seen, 'updated event')));
			return description === 'Changed'
				? holds
				: differs(words`the new description`, kindOf(description));
		},
	},
	{
		...managed,
		id: 'session.planned',
		says: 'A planned start without an offset is in the time zone of the session',
		evidence: [['components', 'schemas', 'PlannedStart']],
		check: (seen) => judgeStart(startOf(seen, 'create session'), planned.seconds),
	},
	{
		...managed,
		id: 'session.moved',
		says: 'PATCH moves a session',
		check: (seen) =>
			judgeStart(startOf(seen, 'update session'), startOf(seen, 'create session') + movedBySeconds),
	},
	{
		...managed,
		id: 'session.deleted',
		says: 'A session that was deleted is a 404',
		check: (seen) => judgeGone(seen, 'delete session', 'deleted session'),
	},
	{
		...managed,
		id: 'event.deleted',
		says: 'An event that was deleted is a 404',
		check: (seen) => judgeGone(seen, 'delete event', 'deleted event'),
	},
	{
		...single,
		id: 'register.record',
		says: 'A registration is answered with the person as the session has it',
		check: (seen) =>
			judgeDifferences(differences('SessionPerson', recordOf(successOf(seen, 'register')))),
	},
	{
		...single,
		id: 'register.again',
		says: 'Registering somebody again is a 409',
		evidence: [['components', 'responses', 'AlreadyExists']],
		check(seen) {
			// Somebody who was not registered at first cannot be registered again.
			successOf(seen, 'register');
			const again = responseTo(seen, 'register again');
			const { status } = again;
			if (status === 409 && isAboutRegistration(again)) return holds;
			if (!isAboutRegistration(again)) {
				return differs(words`409`, words`${status} that does not say so`);
			}
			return differs(words`409`, words`${status} that says so`, { errorWords: 'other' });
		},
	},
	{
		...single,
		id: 'register.letters',
		says: 'Other letter case does not make another person',
		check(seen) {
			successOf(seen, 'register');
			const response = responseTo(seen, 'register in other letters');
			const { status } = response;
			if (status < 400) return differs(words`refused like the same address`, words`${status}`);
			if (isAboutRegistration(response)) return holds;
			return differs(words`refused like the same address`, words`${status} for another reason`);
		},
	},
	{
		...single,
		id: 'register.unknown-field',
		says: 'A field that the form does not have is a 422',
		check: (seen) => judgeStatus(seen, 'register with an unknown field', 422),
	},
	{
		...single,
		id: 'register.email',
		says: 'A registration without an email is a 422',
		check: (seen) => judgeStatus(seen, 'register without email', 422),
	},
	{
		...update,
		id: 'update.answer',
		says: 'A change of a registration is answered with the person',
		check(seen) {
			const exchange = seen.get('update person');
			if (exchange && 'lost' in exchange)
				return differs(words`200`, words`no answer`, { patchAnswer: 'never' });
			const { status } = responseTo(seen, 'update person');
			if (status === 502) return differs(words`200`, words`502`, { patchAnswer: '502' });
			return status === 200 ? holds : differs(words`200`, words`${status}`);
		},
	},
	{
		...update,
		id: 'update.made',
		says: 'A change of a registration is made, whatever is answered',
		check(seen) {
			if (seen.get('update person') === undefined) throw new NotSeen(words`not asked`);
			const { first_name: name } = attributesOf(recordOf(successOf(seen, 'updated person')));
			return name === 'Grace'
				? holds
				: differs(words`the new name`, name === 'Ada' ? words`the old name` : kindOf(name));
		},
	},
	{
		...unregister,
		id: 'unregister.gone',
		says: 'Somebody who was taken off a session is a 404 there',
		check: (seen) => judgeGone(seen, 'remove person', 'removed person'),
	},
	{
		...unregister,
		id: 'unregister.again',
		says: 'Unregistering an address that is not registered is a 404',
		check: (seen) => judgeGone(seen, 'remove by email', 'remove by email again'),
	},
];

/** Whether a refusal is because the person is registered already, as the connector reads it: a 409 needs no words, but its code may name another problem. */
function isAboutRegistration({ status, body }: Pick<SeenResponse, 'status' | 'body'>): boolean {
	const wording = howRegisteredIsTold(readErrors(body));
	return status === 409 ? wording !== 'anotherCode' : wording === 'byCode' || wording === 'byWords';
}

/** Gives the start in seconds. Another row checks that times are seconds. */
function startOf(seen: Seen, name: string): number {
	const start = number(attributesOf(recordOf(successOf(seen, name))), 'estimated_started_at');
	return start < 1e11 ? start : start / 1_000;
}

function judgeStart(came: number, promised: number): Verdict {
	if (came === promised) return holds;
	return differs(
		words`the start as sent`,
		words`${Math.round((came - promised) / 60)} minutes later`,
	);
}

function judgeGone(seen: Seen, removal: string, look: string): Verdict {
	successOf(seen, removal);
	return judgeStatus(seen, look, 404);
}
