import { type OptionName, defaultsOf, optionNames, optionTable, traitNames } from '../options';
import { type Option, flagOf } from './kinds';

/** The worlds whose values stand in the table of traits. */
const worlds = ['specification', 'exact', 'wild'] as const;

/** Every option as `--help` prints it and the README has it: two tables in Markdown. */
export function optionList(): string {
	const settings = optionNames.filter((name) => !traitNames.some((trait) => trait === name));
	return [
		...table(['Option', 'Default', 'Meaning'], settings.map(settingRow)),
		'',
		'These are the traits of the platform. The second column is the default; the next two are the values under `--world exact` and `--world wild`.',
		'',
		...table(['Trait', 'specification', 'exact', 'wild', 'Meaning'], traitNames.map(traitRow)),
	].join('\n');
}

function settingRow(name: OptionName): string[] {
	const { standard, meaning } = optionTable[name];
	return [`\`${flagOf(name)}\``, describeValue(standard), meaningOf(optionTable[name], meaning)];
}

function traitRow(name: OptionName): string[] {
	const option: Option = optionTable[name];
	const values = worlds.map((world) => describeValue(defaultsOf(world)[name]));
	return [`\`${flagOf(name)}\``, ...values, meaningOf(option, option.meaning)];
}

function meaningOf({ choices }: Pick<Option, 'choices'>, meaning: string): string {
	const named = choices.map((choice) => `\`${choice}\``).join(', ');
	return choices.length > 0 ? `${meaning}. One of ${named}` : meaning;
}

function describeValue(value: Option['standard']): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return value === '' ? 'none' : String(value);
}

/** Padded as the formatter of this repository pads tables. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
	const widths = head.map((_, at) =>
		Math.max(...[head, ...rows].map((row) => (row[at] ?? '').length)),
	);
	const line = (row: readonly string[]) =>
		`| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [line(head), line(rule), ...rows.map(line)];
}
