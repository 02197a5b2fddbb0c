// Downloads every n8n of the tests, and n8n's scanner, where the suites find them: `npx tsx host/download.ts`.
import { prepareLocked, prepareN8n, recipes, scanner } from './installation';
import { progressOn } from './progress';

async function main() {
	const progress = progressOn(process.stdout);
	await prepareLocked(recipes.scanner, scanner, progress);
	const all = [recipes.current, recipes.n8n1, recipes.early2];
	await Promise.all(all.map((recipe) => prepareN8n(recipe, progress)));
}

void main();
