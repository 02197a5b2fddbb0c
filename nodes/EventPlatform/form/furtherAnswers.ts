import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import { quote, text } from '../core/values/text';
import type { ItemParameters } from '../fields/itemParameters';
import { cleanAnswer } from './cleanAnswer';

interface FurtherAnswers {
	answers: IDataObject;
	problems: string[];
}

/** Each question has one answer, but empty ones do not count. */
export function readFurtherAnswers(parameters: ItemParameters): FurtherAnswers {
	const { furtherAnswers } = parameters.chosen('additionalFields');
	const rows = isObject(furtherAnswers)
		? [furtherAnswers.answer ?? []].flat().filter(isObject)
		: [];
	const answers = new Map<string, IDataObject[string]>();
	const problems: string[] = [];
	for (const { id, value } of rows) {
		const questionId = text(id).trim();
		const earlierAnswer = answers.get(questionId);
		if (questionId === '') {
			if (saysAnything(value)) problems.push("One of the 'Further Answers' has no question ID.");
		} else if (!saysAnything(earlierAnswer)) answers.set(questionId, value);
		else if (saysAnything(value)) {
			problems.push(
				`The 'Further Answers' have two answers to the question '${quote(questionId) ?? ''}'.`,
			);
		}
	}
	return { answers: Object.fromEntries(answers), problems: [...new Set(problems)] };
}

/** An empty answer does not replace that of a column. */
export function addFurtherAnswers(values: IDataObject, furtherAnswers: IDataObject): IDataObject {
	const addedAnswers = Object.entries(furtherAnswers).filter(
		([id, value]) => !(id in values) || saysAnything(value),
	);
	return { ...values, ...Object.fromEntries(addedAnswers) };
}

/** A value that cannot be sent says something as well, because people have to be told of it. */
function saysAnything(value: unknown): boolean {
	return cleanAnswer('', value) !== undefined;
}
