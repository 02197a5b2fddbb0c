import { platformOrigin } from './contract';
import type { Need, Row, Traits, Verdict } from './row';
import { uses, type Use } from './uses';
import type { Words } from './words';

/** A report may be shown to anybody. It has statements of ours, and words that hold no value. */
export interface Report {
	version: 1;
	date: string;
	/** Only a report of the real platform may become evidence. */
	platform: 'the real platform' | 'another server';
	requests: number;
	rows: ReportRow[];
}

export interface ReportRow {
	id: string;
	section?: string;
	says: string;
	needs: Need;
	state: Verdict['state'];
	promised?: Words;
	came?: Words;
	why?: Words;
	/** How the sandbox behaves like what was seen. */
	traits?: Traits;
	reliesOn: readonly Use[];
}

interface Judged {
	row: Row;
	verdict: Verdict;
}

export function reportOf(
	judged: readonly Judged[],
	{ root, requests, date }: { root: string; requests: number; date: Date },
): Report {
	return {
		version: 1,
		date: date.toISOString().slice(0, 10),
		platform: new URL(root).origin === platformOrigin ? 'the real platform' : 'another server',
		requests,
		rows: judged.map(({ row: { id, section, says, needs, reliesOn }, verdict }) => ({
			id,
			...(section !== undefined && { section }),
			says,
			needs,
			state: verdict.state,
			...('came' in verdict && { promised: verdict.promised, came: verdict.came }),
			...('traits' in verdict && verdict.traits && { traits: verdict.traits }),
			...('why' in verdict && { why: verdict.why }),
			reliesOn,
		})),
	};
}

/** How many statements of the contract came out in which way. */
export interface Counts {
	/** The platform does what the contract says. */
	holds: number;
	/** The platform does something else. */
	differs: number;
	/** The check did not come to see it. */
	notSeen: number;
}

export function countsOf({ rows }: Pick<Report, 'rows'>): Counts {
	const count = (state: Verdict['state']) => rows.filter((row) => row.state === state).length;
	return { holds: count('holds'), differs: count('differs'), notSeen: count('not seen') };
}

/** The whole report: for the terminal without, for a file with the frame of a table in Markdown. */
export function asMarkdown(report: Report): string {
	const head = ['Section', 'Statement', 'State', 'What came'];
	const table = report.rows.map((row) => [row.section ?? '', row.says, row.state, foundIn(row)]);
	return [
		`# What was seen of ${report.platform} on ${report.date}`,
		'',
		summary(report),
		'',
		...[head, head.map(() => '---'), ...table].map((cells) => `| ${cells.join(' | ')} |`),
		'',
		'## What relies on what differs',
		'',
		...verdictOf(report).map((line) => `- ${line}`),
		'',
	].join('\n');
}

export function asText(report: Report): string {
	const mark = { holds: '+', differs: '!', 'not seen': '.' };
	return [
		...report.rows.map(
			(row) =>
				`${mark[row.state]} ${row.state.padEnd(8)} ${row.says}${row.state === 'holds' ? '' : ` — ${foundIn(row)}`}`,
		),
		'',
		summary(report),
		...verdictOf(report),
		'',
	].join('\n');
}

function summary(report: Report): string {
	const { holds, differs, notSeen } = countsOf(report);
	return `${holds} statements hold, ${differs} differ, ${notSeen} were not seen. ${report.requests} requests.`;
}

function foundIn({ promised, came, why }: ReportRow): string {
	return why ?? (promised === undefined ? '' : `promised: ${promised}; came: ${came}`);
}

/** Lists the features that rely on something that differs, with the statements. */
function verdictOf({ rows }: Report): string[] {
	const broken = rows.filter(({ state }) => state === 'differs');
	const touched = [...new Set(broken.flatMap(({ reliesOn }) => reliesOn))];
	if (touched.length === 0) return ['Nothing that the connector relies on was seen to differ.'];
	return touched.map((use) => {
		const ids = broken.filter(({ reliesOn }) => reliesOn.includes(use)).map(({ id }) => id);
		return `${uses[use]}: ${ids.join(', ')}`;
	});
}
