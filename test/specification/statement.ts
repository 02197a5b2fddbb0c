/**
 * The specification as tests: a file for each section, `describe` for its title, and one `statement` for each thing that
 * it says. `npm run reference` writes docs/internals/conformance.md from these calls, so that the words, the names of the keepers
 * and the remark are literals.
 */

/** The keeper of a statement. `client` is the connector, run by n8n; `platform` is the sandbox, asked by an independent client. */
type Keeper = 'client' | 'platform';

type Proof = () => void | Promise<void>;

/** A proof where the specification leaves a value open. The statement holds with each of these values. */
interface ProofForEach {
	values: readonly unknown[];
	proves(value: unknown): void | Promise<void>;
}

interface Remark {
	/** The fact that the connector relies on instead, or the assumption where the specification is silent. */
	note?: string;
	/** Why the client does not keep it; its test shows what happens instead. The page begins with these. */
	notKept?: string;
}

/** Registers a test for each keeper, named by the statement. People keep a statement without a proof: no program can, and its note names the page that tells them. */
export function statement(
	words: string,
	proofs: Partial<Record<Keeper, Proof | ProofForEach>>,
	{ notKept }: Remark = {},
): void {
	for (const [keeper, proof] of Object.entries(proofs)) {
		const who = keeper === 'client' && notKept !== undefined ? 'not kept by the client' : keeper;
		if (typeof proof === 'function') {
			test(`${words} (${who})`, async () => await proof());
			continue;
		}
		for (const value of proof.values) {
			const variant = typeof value === 'string' ? value || 'empty' : JSON.stringify(value);
			test(`${words} (${who}, ${variant})`, async () => await proof.proves(value));
		}
	}
}

/** A proof that runs with each of the values that the specification allows. */
export function forEach<Value>(
	values: readonly Value[],
	proves: (value: Value) => void | Promise<void>,
): ProofForEach {
	return { values, proves: (value) => proves(value as Value) };
}
