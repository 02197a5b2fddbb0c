import { isObject } from '../../../nodes/EventPlatform/core/http/json';
import type { Measured } from './measured';

/** Of this node against the script by itself, the last contender. */
const goal = 1.3;

/**
 * What the contenders take compared with the script: by itself, and inside n8n, the last but one. The machine may be busy
 * otherwise, so that the median of the rounds counts.
 */
export function ratios(rounds: readonly Measured[][]): string {
	for (const round of rounds) assertAlike(round);
	const names = (rounds[0] ?? []).map(({ contender }) => contender);
	const [ours = '', inside = '', script = ''] = [names.at(0), names.at(-2), names.at(-1)];
	const compared = (one: string, other: string) => {
		const cpu = median(rounds.map((round) => ratio(round, 'cpuSeconds', one, other)));
		const memory = median(rounds.map((round) => ratio(round, 'peakMb', one, other)));
		const verdict = Math.max(cpu, memory) <= goal ? 'met' : 'MISSED';
		const said = one === ours && other === script ? ` (goal at most ${goal}: ${verdict})` : '';
		return `${one} : ${other}  CPU ${cpu.toFixed(2)}, memory ${memory.toFixed(2)}${said}`;
	};
	const others = names.slice(0, -1).map((name) => compared(name, script));
	return [...others, compared(ours, inside)].join('\n');
}

function ratio(
	round: readonly Measured[],
	of: 'cpuSeconds' | 'peakMb',
	one: string,
	other: string,
): number {
	const cost = (name: string) => round.find(({ contender }) => contender === name)?.cost[of] ?? NaN;
	return cost(one) / cost(other);
}

function median(all: number[]): number {
	return all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;
}

/** Who hands on less has less to do and to hold. */
function assertAlike(round: readonly Measured[]): void {
	const [ours, ...scripts] = [round.at(0), round.at(-2), round.at(-1)].map((one) =>
		one?.fields.join(' '),
	);
	if (scripts.some((theirs) => theirs !== ours)) {
		throw new Error(`This node hands on ${ours}, the scripts ${scripts.join(' and ')}`);
	}
}

/** Those within an object as well: `person.email`. */
export function fieldsOf(record: unknown): string[] {
	if (!isObject(record)) return [];
	return Object.entries(record).flatMap(([name, value]) =>
		isObject(value) ? fieldsOf(value).map((inner) => `${name}.${inner}`) : [name],
	);
}
