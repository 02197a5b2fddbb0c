import type { Outcome } from '../../../nodes/EventPlatform/core/people/outcome';
import {
	describePlanned,
	outcomeOf,
	outcomeWithheld,
	type Intent,
	type SyncCandidate,
} from '../../../nodes/EventPlatform/core/sync/intent';

const mistake = { code: 'typing_mistake', message: 'It may be the same person.' };
const duplicate: Outcome = { status: 'duplicate', reasons: [] };
const intents = {
	add: { kind: 'add' },
	update: { kind: 'update', changes: [{ field: 'bio', old: 'a', new: 'b' }], reasons: [mistake] },
	remove: { kind: 'remove' },
} satisfies Record<Intent['kind'], Intent>;

function candidateTo(kind: keyof typeof intents, outcome?: Outcome): SyncCandidate {
	const registration = { fields: [], tracking: {} };
	const row = { sessionId: 's', email: '', address: '', registration, problems: [] };
	return { row, rowNumber: 1, intent: intents[kind], outcome };
}

const without: SyncCandidate = { ...candidateTo('add'), intent: undefined, outcome: duplicate };

test.each<[keyof typeof intents, Outcome]>([
	['add', { status: 'would_add', reasons: [] }],
	['update', { status: 'would_update', changes: intents.update.changes, reasons: [mistake] }],
	['remove', { status: 'would_remove', reasons: [] }],
])('a dry run describes the intent to %s', (kind, preview) => {
	expect(describePlanned(candidateTo(kind))).toEqual(preview);
});

test.each<[keyof typeof intents, Outcome['status'], string]>([
	['add', 'failed', 'Not sent. The month is over.'],
	['update', 'failed', 'Not sent. The month is over.'],
	['remove', 'kept', 'The month is over.'],
])('where nothing may be sent, the intent to %s ends as %s', (kind, status, message) => {
	const reason = { code: 'quota_spent', message: 'The month is over.' };
	const outcome = outcomeWithheld(candidateTo(kind), reason);
	expect([outcome.status, outcome.reasons[0]?.message]).toEqual([status, message]);
});

test('an outcome that is certain before anything is sent is told by a dry run, a run and one that sends nothing', () => {
	const reason = { code: 'quota_spent', message: 'The month is over.' };
	const told = [describePlanned(without), outcomeOf(without), outcomeWithheld(without, reason)];
	expect(told).toEqual([duplicate, duplicate, duplicate]);
});

test('somebody who was updated or not is told what the plan has told, behind what became of it', () => {
	const refused: Outcome = { status: 'failed', reasons: [{ code: 'refused', message: 'No.' }] };
	expect(outcomeOf(candidateTo('update', refused))).toEqual({
		...refused,
		reasons: [...refused.reasons, mistake],
	});
});

test.each<keyof typeof intents>(['add', 'update', 'remove'])(
	'the intent to %s of which nobody knows more ends as unknown',
	(kind) => {
		expect(outcomeOf(candidateTo(kind)).status).toBe('unknown');
	},
);
