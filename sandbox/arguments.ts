import { parseArgs } from 'node:util';
import { type OptionName, type SandboxOptions, optionNames, optionTable } from './options';
import { BadArgument, type Option, type Value, flagOf } from './options/kinds';

/** `--seed-people 100` becomes `{seedPeople: 100}`; `--no-…` turns a switch off. */
export function readArguments(args: readonly string[]): Partial<SandboxOptions> {
	const { tokens } = parseArgs({
		args: [...args],
		strict: false,
		tokens: true,
		options: Object.fromEntries(
			optionNames.map((name) => [
				flagOf(name).slice('--'.length),
				{ type: optionTable[name].isSwitch ? ('boolean' as const) : ('string' as const) },
			]),
		),
	});
	const options: Partial<Record<OptionName, Value>> = {};
	for (const token of tokens) {
		if (token.kind === 'option-terminator') continue;
		if (token.kind === 'positional') throw new BadArgument(`I do not understand '${token.value}'.`);
		const off = token.rawName.startsWith('--no-');
		const flag = token.rawName.replace(/^--no-/, '--');
		const name = optionNames.find((option) => flagOf(option) === flag);
		if (!name || (off && !optionTable[name].isSwitch)) {
			const flags = optionNames.map(flagOf).join(', ');
			throw new BadArgument(`There is no option ${token.rawName}. Options: ${flags}.`);
		}
		options[name] = readValue(optionTable[name], flag, token.value, off);
	}
	return options as Partial<SandboxOptions>;
}

function readValue(option: Option, flag: string, value: string | undefined, off: boolean): Value {
	if (off && value !== undefined) throw new BadArgument(`--no-${flag.slice(2)} takes no value.`);
	if (value !== undefined) return option.read(value, flag);
	if (option.isSwitch) return !off;
	throw new BadArgument(`${flag} needs a value.`);
}
