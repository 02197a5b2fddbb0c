import type { IDataObject } from 'n8n-workflow';
import { SessionCache } from '../../../nodes/EventPlatform/core/sessions/sessionCache';
import { FormCache } from '../../../nodes/EventPlatform/form/formCache';
import { columnOf } from '../../../nodes/EventPlatform/form/mapperColumns';
import {
	readRegistrant,
	type RegistrantSettings,
} from '../../../nodes/EventPlatform/form/readRegistrant';
import { itemParameters } from '../../support/n8n/itemParameters';
import { fakePlatform, type FakeAnswer } from '../../support/platform/fakePlatform';
import { text } from './registrationForm';

/** A session whose event asks for these fields. */
function sessionAsking(...fields: object[]) {
	return {
		data: { id: 's1', type: 'sessions', attributes: { event_id: 'e1' } },
		included: [{ id: 'e1', type: 'events', attributes: { fields } }],
	};
}

const choices = (items: string[], multiple_answers: boolean) => ({
	type: 'multiple',
	required: false,
	options: { items, multiple_answers },
});

const session = sessionAsking(
	{ id: 'email', type: 'text', required: true },
	{ id: 'company', type: 'text', required: true },
	{ id: 'topics', ...choices(['Price', 'Plans'], true) },
	{ id: 'size', ...choices(['1-10', '100+'], false) },
);
const size = { ...text('size'), choices: [{ name: '1-10', value: '1-10' }] };
const columns = [text('email'), text('company'), size, text('hat')].map(columnOf);

interface Scene extends RegistrantSettings {
	/** The values that were mapped by hand; whole items where there are none. */
	values?: IDataObject;
	item?: IDataObject;
	/** Answers beside the columns, by the ID of their question. */
	further?: Array<{ id?: unknown; value?: unknown }>;
	parameters?: object;
	/** The answer of the platform to a request for the session; the platform shows no attributes. */
	answer?: FakeAnswer;
	saved?: object[];
}

/** Reads the person of an item: what is sent, what hints name, and how many requests it took. */
async function understand({
	values,
	item,
	further,
	parameters,
	answer = session,
	saved = columns,
	...settings
}: Scene) {
	const { ask, asked } = fakePlatform(({ path }) =>
		path === '/sessions/s1' ? answer : 'not_found',
	);
	const forms = new FormCache(ask, new SessionCache(ask));
	const fields = values
		? { mappingMode: 'defineBelow', value: values, schema: saved }
		: { mappingMode: 'autoMapInputData', value: null };
	const additionalFields = further ? { furtherAnswers: { answer: further } } : {};
	const ofItem = { sessionId: 's1', fields, additionalFields, ...parameters };
	const registrant = await readRegistrant(forms, itemParameters(ofItem, { item }), settings);
	const answers = registrant.registration.fields.map(({ id, value }) => [id, value]);
	return {
		...registrant,
		answers: Object.fromEntries(answers) as IDataObject,
		requests: asked.length,
	};
}

const email = 'ada@x.io';

describe('a whole item whose form shows IDs alone', () => {
	const consent = sessionAsking({ id: 'consent', type: 'text' }, { id: 'company', type: 'text' });
	const attributes = {
		data: [
			{ attributes: { slug: 'consent', name: 'I agree to be contacted', type: 'consent' } },
			{ attributes: { slug: 'hat', name: 'Hat', type: 'text' } },
		],
	};
	const read = async (items: IDataObject[], attributesAnswer: FakeAnswer = attributes) => {
		const { ask, asked } = fakePlatform(({ path }) =>
			path === '/sessions/s1' ? consent : attributesAnswer,
		);
		const forms = new FormCache(ask, new SessionCache(ask));
		const fields = { mappingMode: 'autoMapInputData', value: null };
		const people = [];
		for (const item of items) {
			const parameters = itemParameters({ sessionId: 's1', fields }, { item });
			people.push(await readRegistrant(forms, parameters));
		}
		return { people, requests: asked.length };
	};

	test('is understood by the names of attributes as well, with one request more in a run', async () => {
		const item = { email, 'I agree to be contacted': 'ja', Hat: 'red' };
		const { people, requests } = await read([item, item, { email, Company: 'X' }]);
		const [first, second, third] = people;
		expect(first?.registration.fields).toEqual([
			{ id: 'email', value: email },
			{ id: 'consent', value: 'ja' },
		]);
		expect(first?.notes.ignored).toEqual(['Hat']);
		expect(second?.registration).toEqual(first?.registration);
		expect(third?.registration.fields[1]).toEqual({ id: 'company', value: 'X' });
		expect(requests).toBe(2);
	});

	test('takes no further request where the form knows all columns', async () => {
		expect((await read([{ email, consent: 'ja' }])).requests).toBe(1);
	});

	test('takes none either where other columns answer all questions, so that a surplus one cannot be an answer', async () => {
		const item = { email, consent: 'ja', company: 'X', Hat: 'red' };
		const { people, requests } = await read([item], 'platform_error');
		expect(people.map(({ notes }) => notes.ignored)).toEqual([['Hat']]);
		expect(requests).toBe(1);
	});

	test('is read alike in each place of the list: a row that needs no names is read without them', async () => {
		const whole = { email, consent: 'ja', company: 'X', 'I agree to be contacted': 'nein' };
		const { people, requests } = await read([
			whole,
			{ email, 'I agree to be contacted': 'ja' },
			whole,
		]);
		expect(people.map(({ problems }) => problems)).toEqual([[], [], []]);
		expect(people[2]?.registration).toEqual(people[0]?.registration);
		expect(requests).toBe(2);
	});

	test('is read all the same where nobody may read the attributes, and not where they cannot be read for the moment', async () => {
		const { people, requests } = await read([{ email, Hat: 'red' }, { email }], 'forbidden');
		expect(people.map(({ problems, notes }) => [problems, notes.ignored])).toEqual([
			[[], ['Hat']],
			[[], undefined],
		]);
		expect(requests).toBe(2);
		await expect(read([{ email, Hat: 'red' }], 'platform_error')).rejects.toThrow();
	});
});

describe('answers that were mapped by hand', () => {
	test.each([undefined, null, 'x', {}])(
		'are sent by their names where the node has %j for columns',
		async (schema) => {
			const fields = { mappingMode: 'defineBelow', value: { email, hat: 'red' }, schema };
			const { answers, requests } = await understand({ values: {}, parameters: { fields } });
			expect([answers, requests]).toEqual([{ email, hat: 'red' }, 0]);
		},
	);

	test('are none where nothing is mapped', async () => {
		const fields = { mappingMode: 'defineBelow', value: null, schema: columns };
		const { answers, problems } = await understand({ parameters: { fields } });
		expect([answers, problems]).toEqual([{}, [expect.stringMatching(/^There is no email/)]]);
	});

	test('are sent without a request, whether the session asks for them or not', async () => {
		const { answers, requests } = await understand({ values: { email, company: 'X', hat: 'red' } });
		expect([answers, requests]).toEqual([{ email, company: 'X', hat: 'red' }, 0]);
	});

	test('and that the form did not offer when it was saved are judged by the form of today', async () => {
		const { answers, problems, requests } = await understand({ values: { email, size: '100+' } });
		expect([answers, problems, requests]).toEqual([{ email, size: '100+' }, [], 1]);
	});

	test.each<[what: string, saved: string[], checksForms: boolean, requests: number]>([
		['the columns that every session has', ['email', 'first_name'], false, 0],
		['a column of a form', ['email', 'company'], false, 0],
		['the columns that every session has, in a run that reads it', ['email'], true, 1],
		['no columns', [], true, 0],
	])('ask for the form in a run that checks it: %s', async (_, ids, checksForms, requests) => {
		const saved = ids.map((id) => columnOf(text(id)));
		const understood = await understand({ values: { email }, saved, checksForms });
		expect(understood.requests).toBe(requests);
	});

	test('are named where the form does not ask for them, and sent all the same', async () => {
		const values = { email, company: 'X', hat: 'red' };
		const { answers, notes } = await understand({ values, checksForms: true });
		expect([answers.hat, notes]).toEqual(['red', { surplus: ['hat'] }]);
	});

	test('are called missing by the form of today, not by the saved columns', async () => {
		const saved = [text('email'), { ...text('hat'), isRequired: true }].map(columnOf);
		const { notes } = await understand({ values: { email }, saved, checksForms: true });
		expect(notes.unanswered).toEqual(['Company']);
	});

	test('are sent by the saved columns where the form cannot be read for the moment, which is said', async () => {
		const values = { email, company: 'X' };
		const { answers, unreadForm, notes } = await understand({
			values,
			checksForms: true,
			answer: 'platform_error',
		});
		expect([answers, notes]).toEqual([values, {}]);
		expect(unreadForm).toMatch(/\w/);
	});

	test('are left out and named where nobody who opens the node sees them', async () => {
		const { answers, notes } = await understand({ values: { email, shoe: '43' } });
		expect([answers, notes.ignored]).toEqual([{ email }, ['shoe']]);
	});

	test('are sent by their names where the editor has loaded no columns', async () => {
		const { answers, requests } = await understand({ values: { email, shoe: '43' }, saved: [] });
		expect([answers, requests]).toEqual([{ email, shoe: '43' }, 0]);
	});

	test.each<[what: string, values: IDataObject, sent: IDataObject, requests: number]>([
		['a list of choices', { topics: ['price', 'Plans'] }, { topics: ['Price', 'Plans'] }, 1],
		['a list for a question of one text', { company: ['X', 'Y'] }, { company: 'X, Y' }, 1],
		['a list for no question', { shoe: ['43'] }, { shoe: '43' }, 1],
		['a text that may be a choice', { topics: 'Price' }, { topics: 'Price' }, 0],
		['an empty list', { topics: [] }, {}, 0],
	])(
		'are sent as the form takes them where the editor has loaded no columns: %s',
		async (_, answer, sent, requests) => {
			const understood = await understand({ values: { email, ...answer }, saved: [] });
			expect([understood.answers, understood.requests]).toEqual([{ email, ...sent }, requests]);
		},
	);

	test('are texts where the editor has loaded no columns and no form can be read', async () => {
		const { answers, unreadForm } = await understand({
			values: { email, topics: ['Price', 'Plans'] },
			saved: [],
			answer: 'platform_error',
		});
		expect(answers).toEqual({ email, topics: 'Price, Plans' });
		expect(unreadForm).toMatch(/\w/);
	});

	test('are left out without a request where they are lists that nobody sees', async () => {
		const { answers, requests } = await understand({ values: { email, topics: ['Price'] } });
		expect([answers, requests]).toEqual([{ email }, 0]);
	});

	test('are not required again of somebody who is registered', async () => {
		const { problems, notes } = await understand({ values: { company: 'X' }, isRegistered: true });
		expect([problems, notes]).toEqual([[], {}]);
	});
});

describe('a whole item', () => {
	test('is not understood by another form where that of its session cannot be read for the moment', async () => {
		const failing = understand({ item: { email }, answer: 'platform_error' });
		await expect(failing).rejects.toMatchObject({ cause: 'platform_error' });
	});

	test('has its columns sent and named where no form can be read', async () => {
		const { answers, notes } = await understand({ item: { email, shoe: 43 }, answer: 'forbidden' });
		expect([answers, notes.unchecked]).toEqual([{ email, shoe: '43' }, ['shoe']]);
	});

	test('has no column called ignored that an expression of the node reads', async () => {
		const { notes } = await understand({
			item: { email, campaign: 'spring', shoe: 43 },
			parameters: { options: { note: '={{ $json.campaign }}' } },
		});
		expect(notes.ignored).toEqual(['shoe']);
	});
});

describe('where the person came from', () => {
	const trackingOf = async (columns: IDataObject, ofNode: object = {}) => {
		const scene = { item: { email, ...columns }, parameters: { additionalFields: ofNode } };
		const { registration, answers, problems, notes } = await understand(scene);
		return { tracking: registration.tracking, answers, problems, notes };
	};

	test('is said by columns, which are no answers, and by the node, which goes first', async () => {
		const columns = { 'UTM-Source': ' mail ', utm_term: ' ', referrer: 'https://x.io' };
		const { tracking, answers } = await trackingOf(columns, { utmSource: ' node ', utmMedium: '' });
		expect([tracking, answers]).toEqual([
			{ utm_source: 'node', referrer: 'https://x.io' },
			{ email },
		]);
	});

	test('is said by the first of two columns with the same meaning', async () => {
		const { tracking } = await trackingOf({ utm_source: 'mail', 'UTM Source': 'list' });
		expect(tracking).toEqual({ utm_source: 'mail' });
	});

	test.each<[why: string, column: IDataObject]>([
		['it is an object', { utm_source: { name: 'mail' } }],
		['it only has a similar name', { utm_note: 'mail' }],
	])('is not said by a column where %s', async (_, column) => {
		const { tracking, notes } = await trackingOf(column);
		expect([tracking, notes.ignored]).toEqual([{}, Object.keys(column)]);
	});

	test('is not said by a question of the form, nor by an answer that was given by hand', async () => {
		const asking = sessionAsking({ id: 'utm_source', type: 'text' });
		const byForm = await understand({ item: { email, utm_source: 'mail' }, answer: asking });
		const further = [{ id: 'utm_source', value: 'mail' }];
		const byHand = await understand({ item: { email }, further });
		for (const { registration, answers } of [byForm, byHand]) {
			expect([registration.tracking, answers]).toEqual([{}, { email, utm_source: 'mail' }]);
		}
	});

	test.each<[what: string, columns: IDataObject, ofNode: object, problem: RegExp]>([
		['an object of the node', {}, { utmTerm: { a: 1 } }, /is an object/],
		['lost letters of the node', {}, { utmTerm: 'Sp\ufffdt' }, /has lost letters/],
		['lost letters of a column', { utm_term: 'Sp\ufffdt' }, {}, /has lost letters/],
	])('cannot be %s', async (_, columns, ofNode, problem) => {
		const { problems } = await trackingOf(columns, ofNode);
		expect(problems).toEqual([expect.stringMatching(problem)]);
	});
});

describe('an answer beside the columns', () => {
	const values = { email, company: 'X' };

	test('is sent although no column and no question has its name', async () => {
		const { answers, notes } = await understand({
			values,
			further: [{ id: ' shoe ', value: '43' }],
		});
		expect([answers, notes]).toEqual([{ ...values, shoe: '43' }, {}]);
	});

	test('is a list where the form says that the question takes several', async () => {
		const { answers, requests } = await understand({
			values,
			further: [{ id: 'topics', value: ['Price', 'Plans'] }],
		});
		expect([answers, requests]).toEqual([{ ...values, topics: ['Price', 'Plans'] }, 1]);
	});

	test('that is empty takes no answer of a column away', async () => {
		for (const value of ['', ' ', null, undefined, 'undefined']) {
			const { answers } = await understand({ values, further: [{ id: 'company', value }] });
			expect(answers).toEqual(values);
		}
	});

	test('goes before the answer of a column, because somebody has written it by hand', async () => {
		const { answers } = await understand({ values, further: [{ id: 'company', value: 'Y' }] });
		expect(answers).toEqual({ email, company: 'Y' });
	});

	test.each([undefined, {}, 'x', { answer: 'x' }])('may be missing: %j', async (furtherAnswers) => {
		const parameters = { additionalFields: { furtherAnswers } };
		const { answers, problems } = await understand({ values, parameters });
		expect([answers, problems]).toEqual([values, []]);
	});

	test('needs the ID of its question, unless it is empty', async () => {
		const further = [{ value: '43' }, { id: ' ', value: '44' }, { id: '', value: '' }];
		const { problems } = await understand({ values, further });
		expect(problems).toEqual(["One of the 'Further Answers' has no question ID."]);
	});

	test.each<[string, unknown, unknown]>([
		['differs', '43', '44'],
		['cannot be sent', '43', { a: 1 }],
		['is the same', '43', 43],
	])('may not stand beside another one to the same question that %s', async (_, first, second) => {
		const further = [
			{ id: 'shoe', value: first },
			{ id: 'shoe ', value: second },
		];
		const { answers, problems } = await understand({ values, further });
		expect([answers.shoe, problems]).toEqual([
			'43',
			["The 'Further Answers' have two answers to the question 'shoe'."],
		]);
	});

	test.each<[string, unknown, unknown]>([
		['the second is empty', '43', ''],
		['the first is empty', null, '43'],
	])('may stand there twice where %s', async (_, first, second) => {
		const further = [
			{ id: 'shoe', value: first },
			{ id: 'shoe', value: second },
		];
		const { answers, problems } = await understand({ values, further });
		expect([answers.shoe, problems]).toEqual(['43', []]);
	});

	test('cannot be an object', async () => {
		const { problems } = await understand({ values, further: [{ id: 'shoe', value: { a: 1 } }] });
		expect(problems).toEqual(["The value of 'shoe' is an object. Give text or a list of texts."]);
	});
});
