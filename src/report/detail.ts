/** How much a report shows. From one tier to the next whole blocks go; the verdict, the totals and the ids that failed never do. */
export type Detail = {
	/** Code points of each piece of evidence; 0 leaves the evidence out. */
	evidenceCharacters: number
	/** Code points of each assertion's text; 0 leaves only its number. */
	textCharacters: number
	/** So many reasons are shown before the tables; the others only in their suite. */
	leading: number
	/** Code points of each text of those. */
	leadingCharacters: number
	/** The lists of what else was noticed. */
	notes: boolean
}

export const FULL: Detail = {
	evidenceCharacters: 10_000,
	textCharacters: 10_000,
	leading: 20,
	leadingCharacters: 10_000,
	notes: true,
}

/** In the order in which they are tried. */
export const TIERS: Detail[] = [
	{ evidenceCharacters: 4000, textCharacters: 2000, leading: 10, leadingCharacters: 4000, notes: true },
	{ evidenceCharacters: 1000, textCharacters: 1000, leading: 10, leadingCharacters: 1000, notes: true },
	{ evidenceCharacters: 300, textCharacters: 300, leading: 5, leadingCharacters: 500, notes: true },
	{ evidenceCharacters: 0, textCharacters: 200, leading: 5, leadingCharacters: 500, notes: false },
	{ evidenceCharacters: 0, textCharacters: 80, leading: 5, leadingCharacters: 500, notes: false },
	{ evidenceCharacters: 0, textCharacters: 0, leading: 3, leadingCharacters: 300, notes: false },
]
