import { personAttributesIn } from '../core/dialect/personAttributes';
import { questionOf, type Question } from './question';

/** Makes questions of the person attributes in a response. There are none where the response has no list of them. */
export function questionsOfAttributes(body: unknown): Question[] {
	const questions = personAttributesIn(body).flatMap(({ id, name, items, multiple }) =>
		questionOf(id, { name, items, mayHaveSeveral: multiple }),
	);
	// Two records with the same name would become two columns of the same answer.
	return [...new Map(questions.map((question) => [question.id, question])).values()];
}
