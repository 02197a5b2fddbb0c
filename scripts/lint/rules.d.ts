import type { ESLint } from 'eslint';

/** A piece of code that is forbidden, in the form that `no-restricted-syntax` wants. */
interface Forbidden {
	selector: string;
	message: string;
}

export const literalSpreads: readonly Forbidden[];
export const untypedExports: readonly Forbidden[];
export const plugin: ESLint.Plugin;
