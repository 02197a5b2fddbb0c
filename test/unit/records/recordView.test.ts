import {
	AnswerColumns,
	viewPerson,
	viewRecord,
	wholeRecord,
} from '../../../nodes/EventPlatform/core/records/recordView';
import { Fields, fieldsOf } from '../../../nodes/EventPlatform/core/records/simplify';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { registration } from './registrationFields';

const createdAt = 1_795_255_200;
const link = 'https://live.example.com/k1';
const registrant = (attributes: JsonObject = {}): JsonObject => ({
	id: 'p',
	type: 'people',
	attributes: {
		email: 'ada@example.com',
		first_name: 'Ada',
		created_at: createdAt,
		...attributes,
		registrant_detail: {
			session_id: 's',
			connection_link: link,
			fields: [{ id: 'hired_at', value: '1795255200' }],
		},
	},
});
const fields = fieldsOf(registrant());

test('the whole record has each field, as the platform sends it, and never the personal link', () => {
	const whole = viewRecord(fields, wholeRecord);
	expect(whole).toMatchObject({ created_at: createdAt, hired_at: '1795255200', session_id: 's' });
	expect(JSON.stringify(whole)).not.toContain(link);
});

test('a view of some columns keeps nothing else, and null for what is not there', () => {
	const view = { columns: ['first_name', 'last_name'] };
	expect(viewRecord(fields, view)).toEqual({ id: 'p', first_name: 'Ada', last_name: null });
});

test('the personal link comes last, and null where the platform has not sent it', () => {
	const view = { columns: ['first_name'], includesJoinLink: true };
	const seen = viewRecord(fields, view);
	expect(Object.entries(seen).at(-1)).toEqual(['join_link', link]);
	expect(viewRecord(fieldsOf({ id: 'p' }), view)).toHaveProperty('join_link', null);
});

test('dates are written in the time zone, but for an answer that is called like a date', () => {
	expect(viewRecord(fields, { columns: 'all', zone: 'Europe/Paris' })).toMatchObject({
		created_at: '2026-11-21T11:00:00+01:00',
		hired_at: '1795255200',
	});
});

test('columns beside the usual ones are kept where the record has them', () => {
	const session = fieldsOf({ id: 's', type: 'sessions', name: 'A', status: 'live', duration: 9 });
	const view = { columns: 'usual', besides: ['duration', 'started_at'] } as const;
	expect(viewRecord(session, view)).toEqual({
		id: 's',
		type: 'sessions',
		name: 'A',
		status: 'live',
		duration: 9,
	});
});

const person = registration('s', 'company');

test('all of a person is kept unless less is to be shown', () => {
	expect(viewPerson(person)).toEqual({ session_id: 's', company: 'x' });
});

test('no more of a person is kept than is shown', () => {
	const view = { columns: ['company'] };
	expect(viewPerson(person, view)).toEqual({ id: null, company: 'x' });
});

test('the columns of a person are collected, also those that are not shown', () => {
	const answerColumns = new AnswerColumns();
	const view = { columns: ['first_name'], answerColumns };
	expect(viewPerson(person, view)).toEqual({ id: null, first_name: null });
	const mayHave = (question: string) => answerColumns.mayHave('s', question);
	expect(['company', 'phone'].map(mayHave)).toEqual([true, false]);
});

test('where no registration was seen, no answer counts as dropped', () => {
	expect(new AnswerColumns().mayHave('s', 'phone')).toBe(true);
});

describe('the platform may have kept an answer', () => {
	const columns = new AnswerColumns();
	columns.record(registration('s', 'email', 'company'));
	columns.record(registration('s', 'email', 'id_answer'));

	test.each<[string, string, string, boolean]>([
		['where a registration has its column', 's', 'company', true],
		['where a later registration has its column', 's', 'id', true],
		['where no registration of the session was seen', 'other', 'phone', true],
		['not where no registration of the session has its column', 's', 'phone', false],
	])('%s', (_, session, question, isPossible) => {
		expect(columns.mayHave(session, question)).toBe(isPossible);
	});
});

test('a record that is no registration says nothing of answers', () => {
	const columns = new AnswerColumns();
	columns.record(new Fields([['session_id', 's']]));
	expect(columns.mayHave('s', 'company')).toBe(true);
});

test('the columns of one session say nothing of another', () => {
	const columns = new AnswerColumns();
	columns.record(registration('s', 'company'));
	columns.record(registration('t', 'phone'));
	expect(columns.mayHave('t', 'company')).toBe(false);
});
