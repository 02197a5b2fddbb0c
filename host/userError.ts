/** This error is for the person at the terminal. Its message is one sentence that says what is wrong and what to do. */
export class UserError extends Error {
	override readonly name = 'UserError';
}
