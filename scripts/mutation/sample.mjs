// A plugin of Stryker: of all mutants it lets a sample through, chosen by a seed.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

class SampleChecker {
	static inject = tokens(commonTokens.options);
	#options;
	#chosen;

	constructor({ sample }) {
		this.#options = sample;
	}

	async init() {}

	/** Stryker hands over all mutants at once here; only then can a number of them be drawn. */
	async group(mutants) {
		const { size, seed } = this.#options;
		// The rank comes from the change of the mutant, not from its number, so a change elsewhere leaves the sample alone.
		const rank = ({ fileName, location, replacement }) =>
			createHash('sha256')
				.update(JSON.stringify([seed, relative('', fileName), location, replacement]))
				.digest('hex');
		const drawn = mutants
			.map((mutant) => ({ id: mutant.id, rank: rank(mutant) }))
			.sort((a, b) => (a.rank < b.rank ? -1 : 1));
		this.#chosen = new Set(drawn.slice(0, size).map(({ id }) => id));
		return [mutants.map(({ id }) => id)];
	}

	/** Stryker knows no other word for a mutant that is not to be run than that it does not compile. */
	async check(mutants) {
		return Object.fromEntries(
			mutants.map(({ id }) => [
				id,
				this.#chosen.has(id)
					? { status: 'passed' }
					: { status: 'compileError', reason: 'not in the sample' },
			]),
		);
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];

export const strykerValidationSchema = {
	properties: {
		sample: {
			type: 'object',
			properties: { size: { type: 'integer' }, seed: { type: 'integer' } },
		},
	},
};
