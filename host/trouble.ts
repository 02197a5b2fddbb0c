/** Something a person can mend: its message is one sentence that says what is wrong and what to do. */
export class Trouble extends Error {
	override readonly name = 'Trouble';
}
