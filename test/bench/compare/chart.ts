import type { Measured } from './measured';

const colours = ['#2f6f4f', '#8a97a6', '#8a97a6', '#8a97a6'];
const width = 760;
const left = 250;
const barHeight = 18;

/** Seconds and requests of each contender as bars, one group for each task. */
export function chart(all: readonly Measured[]): string {
	const tasks = [...new Set(all.map(({ task }) => task))];
	let y = 10;
	const parts = tasks.flatMap((task) => {
		const measured = all.filter((one) => one.task === task);
		const longest = Math.max(...measured.map(({ cost }) => cost.seconds));
		y += 24;
		const title = text(10, y, task, 'bold');
		y += 10;
		const bars = measured.flatMap(({ contender, cost, requests, verdict }, index) => {
			const length = Math.max(2, ((width - left - 210) * cost.seconds) / longest);
			const figures = [
				`${cost.seconds.toFixed(0)} s, ${requests} requests`,
				...(verdict.wrong > 0 ? [`${verdict.wrong} wrong`] : []),
				...(verdict.unknown > 0 ? [`${verdict.unknown} unknown`] : []),
			].join(', ');
			const drawn = [
				text(left - 10, y + 13, contender, 'normal', 'end'),
				`<rect x="${left}" y="${y}" width="${length.toFixed(0)}" height="${barHeight - 3}" rx="2" fill="${colours[index] ?? '#8a97a6'}"/>`,
				text(left + length + 6, y + 13, figures),
			];
			y += barHeight;
			return drawn;
		});
		return [title, ...bars];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 14}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Seconds and requests of this node and its alternatives">`,
		`<rect width="${width}" height="${y + 14}" fill="#ffffff"/>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

function text(x: number, y: number, words: string, weight = 'normal', anchor = 'start'): string {
	return `<text x="${x.toFixed(0)}" y="${y}" font-weight="${weight}" text-anchor="${anchor}" fill="#1f2933">${words}</text>`;
}
