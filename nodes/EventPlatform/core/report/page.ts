import { scoreInWords, stayedHalfIn, type Engaged, type Summary } from './figures';
import type { Group } from './groups';
import {
	writeBars,
	breaksAnywhere,
	escapeHtml,
	writeAttributes,
	writeDocument,
	writeParagraph,
	writeSection,
	writeTable,
	writeTiles,
	type Bar,
	type Tile,
} from './html';
import { largestOf } from '../values/collections';
import { countOf } from '../values/text';

interface SessionLine {
	label: string;
	summary: Summary;
}

/** The content of a page. Texts are as people wrote them, because they are escaped here. */
interface PageContent {
	title: string;
	lines: readonly string[];
	notice?: string;
	summary: Summary;
	/** The name of the fact by which people are grouped: "UTM Source", or the id of a question. */
	groupedBy: string;
	groups: readonly Group[];
	engaged?: readonly Engaged[];
	/** The sessions of an event; none on the page of a session. */
	sessions: readonly SessionLine[];
	asOf: string;
}

const smallStyle = 'font-size:13px;';

/** A chart has at most twelve groups, because nobody reads more. */
const mostGroups = 12;

/** Writes a page for mail: no script, nothing that is loaded, and every style inline except for the colours of dark mode. */
export function writePage(content: PageContent): string {
	const { title, lines, notice, summary, groups, engaged, sessions, asOf } = content;
	const heading = writeAttributes({
		text: 'text',
		style: `margin:0;font-size:24px;line-height:1.25;font-weight:700;${breaksAnywhere}`,
	});
	const parts = [
		`<h1 dir="auto"${heading}>${escapeHtml(title)}</h1>`,
		...lines.map((line) => writeParagraph(line)),
		...(notice === undefined ? [] : [writeParagraph(notice, { isNotice: true })]),
		`<div style="height:20px;line-height:20px;">&nbsp;</div>`,
		writeTiles(listTiles(summary)),
		...(sessions.length > 0 ? [writeSection('Sessions', writeSessions(sessions))] : []),
		...writeStayed(summary),
		writeSection(`Registered and attended, by ${content.groupedBy}`, writeGroups(groups)),
		...(engaged && engaged.length > 0 ? [writeSection('Most engaged', writeEngaged(engaged))] : []),
		writeParagraph(`As of ${asOf}. ${describeUncounted(summary)}`, {
			style: 'margin-top:28px;font-size:13px;',
		}),
	];
	return writeDocument(title, parts.join('\n'));
}

/** The first four are the way of people: registered, attended, took part, stayed. Four stand in a row, so eight leave none alone. */
function listTiles(summary: Summary): Tile[] {
	const {
		attendance_rate: rate,
		engaged_rate: engagedRate,
		median_minutes: median,
		unanswered_questions: unanswered,
		registered_after: late,
	} = summary;
	const absent = describeNumber(summary.absent);
	return [
		{
			label: 'Registered',
			figure: describeNumber(summary.registrants),
			remark: late ? `${describeNumber(late)} after the end` : undefined,
		},
		{
			label: 'Attended',
			figure: describeNumber(summary.attendees),
			remark: rate === undefined ? undefined : `${describePercent(rate)}, ${absent} did not`,
		},
		{
			label: 'Engaged',
			figure: describeNumber(summary.engaged),
			remark: engagedRate === undefined ? undefined : `${describePercent(engagedRate)} of attended`,
		},
		{
			label: 'Stayed for half',
			figure: describeNumber(stayedHalfIn(summary)),
			remark: 'or longer',
		},
		{
			label: 'Average minutes',
			figure: describeNumber(summary.average_minutes),
			remark: median === undefined ? undefined : `median ${describeNumber(median)}`,
		},
		{ label: 'Watched the replay', figure: describeNumber(summary.replay_viewers) },
		{
			label: 'Questions',
			figure: describeNumber(summary.questions),
			remark: unanswered === undefined ? undefined : `${describeNumber(unanswered)} unanswered`,
		},
		{ label: 'Chat messages', figure: describeNumber(summary.messages) },
	];
}

function writeStayed(summary: Summary): string[] {
	const ranges = [
		{ label: 'Under 25 %', count: summary.stayed_0_25 },
		{ label: '25 to 50 %', count: summary.stayed_25_50 },
		{ label: '50 to 75 %', count: summary.stayed_50_75 },
		{ label: '75 % or more', count: summary.stayed_75_100 },
	];
	const largest = largestOf(ranges.map(({ count }) => count ?? 0));
	if (largest === 0) return [];
	const rows = ranges.map(({ label, count }): Bar => {
		const strong = (count ?? 0) / largest;
		return { label, value: describeNumber(count), strong, pale: 0 };
	});
	return [writeSection('How much of the session people stayed', writeBars(rows))];
}

/** Writes a bar for each group. Its width is the size of the group, and its strong part stands for those who attended. */
function writeGroups(groups: readonly Group[]): string {
	if (groups.length === 0) return writeParagraph('Nobody is registered.');
	// Those who registered after the end could not attend, so they are no part of a bar.
	const couldAttend = ({ registrants, registered_after: late = 0 }: Group) => registrants - late;
	const largest = largestOf(groups.map(couldAttend)) || 1;
	const rows = groups.slice(0, mostGroups).map((group): Bar => {
		const { attendees } = group;
		const registrants = couldAttend(group);
		const attendeeCount = attendees ?? 0;
		return {
			label: group.group ?? 'None',
			value:
				attendees === undefined
					? describeNumber(registrants)
					: `${describeNumber(attendeeCount)} of ${describeNumber(registrants)}`,
			strong: attendeeCount / largest,
			pale: (registrants - attendeeCount) / largest,
		};
	});
	const omittedCount = groups.length - rows.length;
	const hasAttendance = groups.some(({ attendees }) => attendees !== undefined);
	const notes = [
		...(hasAttendance
			? ['The first part of a bar: attended. The rest: registered, but did not attend.']
			: []),
		...(omittedCount > 0 ? [`${describeNumber(omittedCount)} smaller groups are not shown.`] : []),
	];
	return (
		writeBars(rows) + notes.map((note) => writeParagraph(note, { style: smallStyle })).join('')
	);
}

function writeEngaged(engaged: readonly Engaged[]): string {
	const rows = engaged.map(({ name, score }) => [name, describeNumber(score)]);
	const explanation = `The score is ${scoreInWords}.`;
	return `${writeTable(['Name', 'Score'], rows)}${writeParagraph(explanation, { style: smallStyle })}`;
}

function writeSessions(sessions: readonly SessionLine[]): string {
	const rows = sessions.map(({ label, summary }) => [
		label,
		describeNumber(summary.registrants),
		describeNumber(summary.attendees),
		describePercent(summary.attendance_rate),
	]);
	return writeTable(['Session', 'Registered', 'Attended', 'Rate'], rows);
}

function describeUncounted({ team_members: team, guests }: Summary): string {
	return `Not counted: ${countOf(team, 'team member')} and ${countOf(guests, 'guest speaker')}.`;
}

function describeNumber(value: number | undefined): string {
	return value === undefined ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

function describePercent(value: number | undefined): string {
	return value === undefined ? '–' : `${describeNumber(value)} %`;
}
