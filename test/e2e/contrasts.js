// Runs in a page: how much each of its texts stands out from what is behind it, from 1 to 21.
const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);

const luminance = (colour) => {
	const [red, green, blue] = channels(colour)
		.slice(0, 3)
		.map((channel) => channel / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const behind = (element) => {
	if (element === null) return 'rgb(255, 255, 255)';
	const { backgroundColor } = getComputedStyle(element);
	return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
};

const hasText = (element) =>
	[...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim());

[...document.body.querySelectorAll('*')].filter(hasText).map((element) => {
	const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
	const [light, dark] = pair.sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
});
