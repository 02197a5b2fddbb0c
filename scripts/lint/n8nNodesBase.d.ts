/** n8n's lint, which comes without types. */
declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';

	export const rules: ESLint.Plugin['rules'];
	export const configs: Record<'nodes' | 'credentials', { rules: Linter.RulesRecord }>;
}
