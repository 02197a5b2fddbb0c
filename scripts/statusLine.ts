/** The last line of a terminal, which each text writes over. Where nobody watches it is never written. */
export interface StatusLine {
	show(text: string): void;
	/** Leaves the last text standing, and goes on below it. */
	keep(): void;
	/** Wipes the last text. */
	clear(): void;
}

const wipe = '\r\x1b[K';

export function statusLineOn(stream: NodeJS.WriteStream): StatusLine {
	const write = (text: string): void => void (stream.isTTY && stream.write(text));
	return {
		show: (text) => write(`${wipe}${text}`),
		keep: () => write('\n'),
		clear: () => write(wipe),
	};
}
