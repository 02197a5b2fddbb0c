import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import { quote, text } from '../core/values/text';
import type { ItemParameters } from '../fields/itemParameters';
import { cleanAnswer } from './cleanAnswer';

/** The answers that stand beside the columns of the mapper. */
export interface FurtherAnswers {
	/** The answers by the ID of their question. */
	answers: IDataObject;
	/** Why one of them cannot be sent, in words for people. */
	problems: string[];
}

/** Reads the answers that stand beside the columns of the mapper. Of those to one question, all but one have to be empty or alike. */
export function readFurtherAnswers(parameters: ItemParameters): FurtherAnswers {
	const { furtherAnswers: further } = parameters.chosen('additionalFields');
	const rows = isObject(further) ? [further.answer ?? []].flat().filter(isObject) : [];
	const answers = new Map<string, IDataObject[string]>();
	const problems: string[] = [];
	for (const { id, value } of rows) {
		const questionId = text(id).trim();
		const before = answers.get(questionId);
		if (questionId === '') {
			if (isAnswer(value)) problems.push("One of the 'Further Answers' has no question ID.");
		} else if (!isAnswer(before)) answers.set(questionId, value);
		else if (isAnswer(value) && !isSameAnswer(before, value)) {
			problems.push(
				`The 'Further Answers' have two different answers to the question '${quote(questionId) ?? ''}'.`,
			);
		}
	}
	return { answers: Object.fromEntries(answers), problems: [...new Set(problems)] };
}

/** Adds the answers beside the columns to the values of these. What answers nothing takes no answer of a column away. */
export function addFurtherAnswers(values: IDataObject, further: IDataObject): IDataObject {
	const added = Object.entries(further).filter(([id, value]) => !(id in values) || isAnswer(value));
	return { ...values, ...Object.fromEntries(added) };
}

/** Whether something is left of an answer when it is cleaned. What cannot be sent counts, because that has to be said. */
function isAnswer(value: unknown): boolean {
	return cleanAnswer('', value) !== undefined;
}

function isSameAnswer(first: unknown, second: unknown): boolean {
	return JSON.stringify(cleanAnswer('', first)) === JSON.stringify(cleanAnswer('', second));
}
