import type { IDataObject } from 'n8n-workflow';
import { cleanAnswer } from './cleanAnswer';
import { isSameName } from '../core/values/text';
import { makeQuestionFinder } from './columnNames';
import type { Question } from './question';
import type { Registration } from '../core/people/registration';
import { snakeCase, titleCase } from '../fields/fieldNames';
import type { ItemParameters } from '../fields/itemParameters';

/* Reads where a person came from, which the referrer and the UTM values say, out of the fields of the node and the columns of items. */

/** Section 2.2 names the referrer and the source, public clients send the others as well. */
const trackingNames = [
	'referrer',
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
];

/** This quick test spares most columns the exact one. */
const trackingPattern = /utm|referrer/i;

interface SeparatedValues {
	answers: IDataObject;
	/** By the names of the platform. */
	tracking: Record<string, string>;
	problems: string[];
}

/** A question of the form goes first. Of two columns with the same meaning the first one counts. */
export function separateTracking(
	values: IDataObject,
	questions: readonly Question[],
	explicit: ReadonlySet<string>,
): SeparatedValues {
	const tracking: Record<string, string> = {};
	const problems: string[] = [];
	const columns = Object.keys(values).filter((name) => trackingPattern.test(name));
	if (columns.length === 0) return { answers: values, tracking, problems };
	const find = makeQuestionFinder(questions);
	const answers = { ...values };
	for (const name of columns) {
		const key = trackingNames.find((trackingName) => isSameName(trackingName, name));
		if (key === undefined || explicit.has(name) || find(name) !== undefined) continue;
		const answer = cleanAnswer(name, values[name]);
		// An object is named in a hint like that of any other column.
		if (answer?.kind === 'object') continue;
		delete answers[name];
		if (answer?.kind === 'misread') problems.push(answer.problem);
		if (answer === undefined) continue;
		tracking[key] ??= [answer.value].flat().join(', ').trim();
	}
	return { answers, tracking, problems };
}

/** The node goes first. */
export function combineTracking(
	ofNode: Registration['tracking'],
	ofColumns: Readonly<Record<string, string>> = {},
): Registration['tracking'] {
	const tracking = { ...ofColumns, ...ofNode };
	return Object.keys(tracking).length === 0 ? noTracking : tracking;
}

/** All rows without such values share it, because a run keeps it with each person. */
const noTracking: Registration['tracking'] = {};

interface TrackingFields {
	tracking: Registration['tracking'];
	problems: string[];
}

export function readTracking(parameters: Pick<ItemParameters, 'chosen'>): TrackingFields {
	const tracking: Record<string, string> = {};
	const problems: string[] = [];
	for (const [name, value] of Object.entries(parameters.chosen('additionalFields'))) {
		if (name === 'furtherAnswers') continue;
		const key = snakeCase(name);
		const answer = cleanAnswer(titleCase(key), value);
		if (answer === undefined) continue;
		if (answer.kind === 'object' || answer.kind === 'misread') problems.push(answer.problem);
		else tracking[key] = [answer.value].flat().join(', ').trim();
	}
	return { tracking, problems };
}
