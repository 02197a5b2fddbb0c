import { asShown } from '../core/values/text';

/* Cleans the text of an answer of what a file or a page brought along and nobody has written. */

/** A decoder writes this sign in place of each letter that it cannot read. */
const lostLetter = '\ufffd';

/** The signs of Windows-1252 from 0x80 on. In the five places that are empty a letter is lost. */
const windows1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdž\u0178';

/** A file of Windows-1252 that was read as Latin1 has these control characters in place of its signs: D\u0092Angelo is D’Angelo. */
const misplacedSigns = /[\u0080-\u009f]/g;

/** "Ã¼" is the ü of a UTF-8 file that was read in another encoding. */
const doubledLetters = /Ã[\u0080-\u00bf\u0152-\u2122]|Â[\u0080-\u00bf]|â[\u0080\u20ac]/;

/** What nobody sees is struck out, because a mail would show other words. */
export function cleanText(text: string): string {
	const read = text.replace(misplacedSigns, (sign) =>
		windows1252.charAt(sign.charCodeAt(0) - 0x80),
	);
	return asShown(read);
}

export function hasLostLetters(cleanedText: string): boolean {
	return cleanedText.includes(lostLetter);
}

/** The person is sent all the same. */
export function hasDoubledLetters(text: string): boolean {
	return doubledLetters.test(text);
}
