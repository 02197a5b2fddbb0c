/* Cleans the text of an answer of what a file or a page brought along and nobody has written. */

/** The signs of Windows-1252 from 0x80 on. Five of its places are empty. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009dž\u0178';

/** A file of Windows-1252 that was read as Latin1 has these control characters in place of its signs: D\u0092Angelo is D’Angelo. */
const misplacedSigns = /[\u0080-\u009f]/g;

/** Control characters, and signs that turn the direction of the text behind them. Nobody sees them, and a mail would show other words. */
const unseenSigns = /[^\P{Cc}\t\n\r\u0080-\u009f]|[\u202a-\u202e\u2066-\u2069]/gu;

/** A decoder writes the first sign in place of each letter that it cannot read. No sign of Windows-1252 has the other places. */
const lostLetters = /[\ufffd\u0081\u008d\u008f\u0090\u009d]/;

/** "Ã¼" is the ü of a UTF-8 file that was read in another encoding. */
const doubledLetters = /Ã[\u0080-\u00bf\u0152-\u2122]|Â[\u0080-\u00bf]|â[\u0080\u20ac]/;

export function cleanText(text: string): string {
	return text
		.replace(misplacedSigns, (sign) => windows1252.charAt(sign.charCodeAt(0) - 0x80))
		.replace(unseenSigns, '');
}

export function hasLostLetters(text: string): boolean {
	return lostLetters.test(text);
}

/** What people are told of a text, whose person is sent all the same. */
export type TextRemark = 'struckOut' | 'readAnew' | 'doubled';

const remarks: ReadonlyArray<readonly [TextRemark, RegExp]> = [
	['struckOut', unseenSigns],
	['doubled', doubledLetters],
	['readAnew', misplacedSigns],
];

export function remarkOn(text: string): TextRemark | undefined {
	return remarks.find(([, pattern]) => text.search(pattern) >= 0)?.[0];
}
