/** `npm run bench -- <name> [words]`: one module per benchmark, with a `run` that prints its figures. */
interface Benchmark {
	run(words: string[]): Promise<void> | void;
}

const names = ['list', 'bulk', 'pace', 'compare'];
const [name = '', ...words] = process.argv.slice(2);

async function main(): Promise<void> {
	if (!names.includes(name)) {
		console.error(`There is no benchmark "${name}". Benchmarks: ${names.join(', ')}.`);
		process.exitCode = 2;
		return;
	}
	const benchmark = (await import(`./${name}`)) as Benchmark;
	await benchmark.run(words);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
