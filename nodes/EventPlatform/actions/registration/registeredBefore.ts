/** Says that registering people again does not change what they answered, and how to change that. */
export function hintOfRegisteredBefore(hasOtherAnswers = false): string {
	const answers = hasOtherAnswers ? ' with other answers' : '';
	return `Some people were already registered${answers}. To change their answers, use the operation 'Update'.`;
}
