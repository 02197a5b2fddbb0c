import type { Outcome, Preview } from '../../../nodes/EventPlatform/core/people/outcome';
import {
	describeIntent,
	outcomeOf,
	outcomeWithheld,
	type PlannedPerson,
	type Intent,
} from '../../../nodes/EventPlatform/core/sync/intent';

const mistake = { code: 'typing_mistake', message: 'It may be the same person.' };
const reason = { code: 'kept', message: 'Not removed.' };
const duplicate: Outcome = { status: 'duplicate', reasons: [] };
const intents = {
	add: { kind: 'add' },
	update: { kind: 'update', changes: [{ field: 'bio', old: 'a', new: 'b' }], reasons: [mistake] },
	remove: { kind: 'remove' },
	keep: { kind: 'keep', reason },
	none: { kind: 'none', outcome: duplicate },
} satisfies Record<Intent['kind'], Intent>;

test.each<[keyof typeof intents, Preview]>([
	['add', { status: 'would_add', reasons: [] }],
	['update', { status: 'would_update', changes: intents.update.changes, reasons: [mistake] }],
	['remove', { status: 'would_remove', reasons: [] }],
	['keep', { status: 'kept', reasons: [reason] }],
	['none', duplicate],
])('a dry run describes the intent to %s', (kind, preview) => {
	expect(describeIntent(intents[kind])).toEqual(preview);
});

test.each<[keyof typeof intents, Outcome['status'], string | undefined]>([
	['add', 'failed', 'Not sent. The month is over.'],
	['update', 'failed', 'Not sent. The month is over.'],
	['remove', 'kept', 'The month is over.'],
	['keep', 'kept', reason.message],
	['none', 'duplicate', undefined],
])('where nothing may be sent, the intent to %s ends as %s', (kind, status, message) => {
	const reason = { code: 'quota_spent', message: 'The month is over.' };
	const outcome = outcomeWithheld(intents[kind], reason);
	expect([outcome.status, outcome.reasons[0]?.message]).toEqual([status, message]);
});

function entryWith(intent: Intent): PlannedPerson {
	const registration = { fields: [], tracking: {} };
	const row = { sessionId: 's', email: '', address: '', registration, problems: [] };
	const isListed = intent.kind !== 'keep' && intent.kind !== 'remove';
	return isListed
		? { ...row, candidate: { row, rowNumber: 1, address: '' }, intent }
		: { ...row, person: { record: {}, visible: {}, address: '', addresses: [] }, intent };
}

test('somebody who was updated or not is told what the plan has told, behind what became of it', () => {
	const row = entryWith(intents.update);
	const refused: Outcome = { status: 'failed', reasons: [{ code: 'refused', message: 'No.' }] };
	expect(outcomeOf(row, new Map([[row, refused]]))).toEqual({
		...refused,
		reasons: [...refused.reasons, mistake],
	});
});

test.each<[keyof typeof intents, Outcome['status']]>([
	['add', 'unknown'],
	['update', 'unknown'],
	['remove', 'unknown'],
	['keep', 'kept'],
	['none', 'duplicate'],
])('the intent to %s of which nobody knows more ends as %s', (kind, status) => {
	expect(outcomeOf(entryWith(intents[kind]), new Map()).status).toBe(status);
});
