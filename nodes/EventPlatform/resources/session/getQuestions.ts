import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { options } from '../../parameters/collections';
import { listFields } from '../../parameters/listFields';
import { sessionLocator } from '../../parameters/locators';
import { isObject } from '../../core/http/json';
import { pathTo } from '../../core/http/path';
import type { JsonObject } from '../../core/http/ports';
import { text } from '../../core/http/text';
import { manyRecords } from '../records';

const include: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: [
		{ name: 'Asker', value: 'asker', description: 'Who asked' },
		{ name: 'Responder', value: 'responder', description: 'Who answered' },
	],
	default: ['asker', 'responder'],
	description: 'Whose name and email to return with each question',
};

/** Questions asked during a session. */
export const getQuestions: Operation = {
	value: 'getQuestions',
	name: 'Get Questions',
	action: 'Get the questions of a session',
	description: 'Retrieve the questions that attendees asked, with the answers given',
	fields: [sessionLocator, ...listFields, options([include])],
	overlapping: true,
	async run(visit) {
		const { read } = visit;
		const path = pathTo`/sessions/${read.id('sessionId')}/questions`;
		const query = read.query('include');
		const questions = await manyRecords(visit, path, query);
		const isFlat = read.simplify() && query.include !== undefined;
		return isFlat ? questions.map((question) => withNames(question)) : questions;
	},
};

/** The people beside a question become columns: a name and an address each. */
function withNames({ included, ...question }: JsonObject): JsonObject {
	const people = (Array.isArray(included) ? included : []).filter(isObject);
	const columns = ['asker', 'responder']
		.filter((role) => role in question)
		.flatMap((role): Array<[string, string | null]> => {
			const person = people.find(({ id }) => id !== null && id === question[role]) ?? {};
			const name = `${text(person.first_name)} ${text(person.last_name)}`.trim();
			return [
				[`${role}_name`, name || null],
				[`${role}_email`, text(person.email) || null],
			];
		});
	return { ...question, ...Object.fromEntries(columns) };
}
