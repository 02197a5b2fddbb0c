/** What `npm pack --json` says of the only package: npm 12 gives an object keyed by name, earlier ones a list. */
function packedIn(printed) {
	const [packed] = Object.values(JSON.parse(printed));
	if (!packed) throw new Error('npm packed nothing.');
	return packed;
}

module.exports = { packedIn };
