import { CHANGING_PROFILES } from './changing-actions.ts'
import { REACHING_PROFILES } from './outward-actions.ts'

/** What a verb does. Rows are data: a new verb is a word in a list. */
export const PROFILES = { ...CHANGING_PROFILES, ...REACHING_PROFILES }

export type ProfileName = keyof typeof PROFILES
