import type { Measured } from './measure';

const width = 900;
const left = 220;
const longestBar = 300;
const barHeight = 20;

/** The style for white and for dark pages. The picture follows what the reader's system prefers. */
const style = `<style>
text { fill: #1f2933 } .ours { fill: #1f6f6b } .other { fill: #8a97a6 } .cut { stroke: #ffffff }
@media (prefers-color-scheme: dark) {
	text { fill: #e6edf3 } .ours { fill: #3fb6ae } .other { fill: #6e7b8a } .cut { stroke: #0d1117 }
}
</style>`;

/** Seconds and requests of each contender as bars, one group with a scale of its own for each task. */
export function chart(all: readonly Measured[]): string {
	const tasks = [...new Set(all.map(({ task }) => task))];
	let y = 6;
	const parts = tasks.flatMap((task) => {
		const measured = all.filter((measurement) => measurement.task === task);
		const most = mostShown(measured.map(({ cost }) => cost.seconds));
		y += 24;
		const title = text(10, y, task, 'bold');
		y += 10;
		const bars = measured.flatMap((measurement, index) => {
			const { seconds } = measurement.cost;
			const length = Math.max(2, (longestBar * Math.min(seconds, most)) / most);
			const drawn = [
				text(left - 10, y + 13, measurement.contender, 'normal', 'end'),
				`<rect class="${index === 0 ? 'ours' : 'other'}" x="${left}" y="${y}" width="${length.toFixed(0)}" height="${barHeight - 4}" rx="2"/>`,
				...(seconds > most ? [cut(left + length - 24, y)] : []),
				text(left + length + 8, y + 13, figures(measurement)),
			];
			y += barHeight;
			return drawn;
		});
		return [title, ...bars];
	});
	const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 10}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Seconds and requests of this node and its alternatives">`;
	return [head, style, ...parts, '</svg>', ''].join('\n');
}

/** One that takes many times as long would leave the others no room: its bar is cut. */
function mostShown(seconds: readonly number[]): number {
	const [longest = 1, second = longest] = [...seconds].sort((first, next) => next - first);
	return longest > 4 * second ? 1.3 * second : longest;
}

function cut(x: number, y: number): string {
	const line = (at: number) => `M${at.toFixed(0)} ${y + barHeight - 2}l6 -${barHeight}`;
	return `<path class="cut" d="${line(x)}${line(x + 7)}" stroke-width="3"/>`;
}

function figures({ cost, requests, wrong, unknown }: Measured): string {
	const costs = `${cost.seconds.toFixed(1)} s, ${requests.toLocaleString('en')} requests`;
	const falsely = wrong > 0 ? `, ${wrong} people reported wrongly` : '';
	return costs + falsely + (unknown > 0 ? `, ${unknown} people not reported` : '');
}

function text(x: number, y: number, words: string, weight = 'normal', anchor = 'start'): string {
	return `<text x="${x.toFixed(0)}" y="${y}" font-weight="${weight}" text-anchor="${anchor}">${words}</text>`;
}
