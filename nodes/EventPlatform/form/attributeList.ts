import { personAttributesIn } from '../core/dialect/personAttributes';
import { questionOf, type Question } from './question';

/** The person attributes of an answer as questions. Empty where the answer is no list of them. */
export function attributesIn(body: unknown): Question[] {
	const questions = personAttributesIn(body).flatMap(({ id, ...attribute }) =>
		questionOf(id, attribute),
	);
	// Two records of one name would be two columns of one answer.
	return [...new Map(questions.map((question) => [question.id, question])).values()];
}
