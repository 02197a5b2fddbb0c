import { preparedN8n, recipes } from './n8n';

const needed: Record<string, string[]> = {
	e2e: [recipes.current],
	scale: [recipes.current],
	compatibility: [recipes.n8n1, recipes.early2],
};

/** Before the tests of a project: the download takes longer than the time limit of a test. */
export default async function download(_: unknown, { id }: { id: string }): Promise<void> {
	for (const recipe of needed[id] ?? []) await preparedN8n(recipe);
}
