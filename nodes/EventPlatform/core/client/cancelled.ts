/** The error of a run that was cancelled. */
export class Cancelled extends Error {
	override readonly name = 'Cancelled';
	constructor() {
		super('The run was cancelled');
	}
}
