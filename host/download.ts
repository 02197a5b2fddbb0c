// Downloads every n8n of the tests, and n8n's scanner, where the suites find them: `npx tsx host/download.ts`.
import { prepareLocked, prepareN8n, recipes, scanner, testedN8n } from './installation';
import { progressOn } from './progress';

async function main() {
	const progress = progressOn(process.stdout);
	await prepareLocked(recipes.scanner, scanner, progress);
	await Promise.all(testedN8n.map((recipe) => prepareN8n(recipe, progress)));
}

void main();
