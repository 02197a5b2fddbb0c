import { statusLineOn } from '../scripts/statusLine';

/** Says what is going on: on a terminal in a line that is renewed every second, in a log with a line every 30 s. */
export interface Progress {
	say(line: string): void;
	/** Shows `title` with the seconds it takes until the function given back is called. */
	during(title: string): () => void;
}

const everySecondsInLog = 30;

export function progressOn(stream: NodeJS.WriteStream): Progress {
	const say = (line: string) => void stream.write(`${line}\n`);
	return {
		say,
		during(title) {
			const began = Date.now();
			const line = () => `${title} … ${Math.round((Date.now() - began) / 1_000)} s`;
			if (!stream.isTTY) {
				say(`${title} …`);
				const timer = setInterval(() => say(line()), everySecondsInLog * 1_000);
				return () => clearInterval(timer);
			}
			const status = statusLineOn(stream);
			const draw = () => status.show(line());
			const timer = setInterval(draw, 1_000);
			draw();
			return () => {
				clearInterval(timer);
				draw();
				status.keep();
			};
		},
	};
}
