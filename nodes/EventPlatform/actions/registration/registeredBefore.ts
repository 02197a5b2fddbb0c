/** Says that registering people again does not change what they answered, and how to change that. */
export function hintOfRegisteredBefore(hasOtherAnswers = false): string {
	const answers = hasOtherAnswers ? ' with other answers' : '';
	return `Some people were already registered${answers}. They keep their answers. To change them, use 'Sync' (a list) or 'Update' (one person).`;
}
