export class Cancelled extends Error {
	override readonly name = 'Cancelled';
	constructor() {
		super('The run was cancelled');
	}
}
