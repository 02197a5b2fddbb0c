import type { IDataObject } from 'n8n-workflow';
import type { Question } from '../../../nodes/EventPlatform/form/question';
import { readTracking, separateTracking } from '../../../nodes/EventPlatform/form/tracking';
import { form, text } from '../../support/platform/registrationForm';

test('a column that says where a person came from is no answer', () => {
	const { answers, tracking } = split({ email: 'a@b.c', 'UTM-Source': ' mail ' });
	expect(answers).toEqual({ email: 'a@b.c' });
	expect(tracking).toEqual({ utm_source: 'mail' });
});

test('an empty column is neither an answer nor tracking', () => {
	expect(split({ utm_source: ' ' })).toEqual({ answers: {}, tracking: {}, problems: [] });
});

test('the first of two columns with the same meaning counts', () => {
	const { tracking } = split({ utm_source: 'mail', 'UTM Source': 'list' });
	expect(tracking).toEqual({ utm_source: 'mail' });
});

const row = { utm_source: 'mail' };

test.each<[why: string, values: IDataObject, questions: Question[], explicit: string[]]>([
	['the form asks for it', row, [...form, text('utm_source')], []],
	['somebody gave it by hand', row, form, ['utm_source']],
	['it is an object', { utm_source: { name: 'mail' } }, form, []],
	['it only has a similar name', { utm_note: 'mail' }, form, []],
])('a column stays among the answers where %s', (_, values, questions, explicit) => {
	const answers = values;
	expect(split(values, questions, explicit)).toEqual({ answers, tracking: {}, problems: [] });
});

test('what the fields of the node say is read under the names of the platform, and an object is a problem', () => {
	const fields = { utmSource: ' mail ', utmMedium: '', utmTerm: { a: 1 }, furtherAnswers: {} };
	const { tracking, problems } = readTracking({ chosen: () => fields });
	expect(tracking).toEqual({ utm_source: 'mail' });
	expect(problems).toEqual([expect.stringContaining('is an object')]);
});

test.each<[where: string, read: (value: string) => { problems: string[] }]>([
	['in a column', (value) => split({ utm_source: value })],
	['in a field of the node', (value) => readTracking({ chosen: () => ({ utmSource: value }) })],
])('lost letters %s are a problem', (_, read) => {
	expect(read('Sp\ufffdtsommer').problems).toEqual([expect.stringContaining('has lost letters')]);
});

function split(values: IDataObject, questions = form, explicit: string[] = []) {
	return separateTracking(values, questions, new Set(explicit));
}
