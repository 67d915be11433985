import { LOOKALIKES } from './compiled/display.ts'

/** Characters that look like Latin ones; letters and ranges are ready for a character class. `lookalikes.yaml` explains each key. */
export interface Lookalikes {
  readonly scripts: readonly { readonly name: string; readonly lookalikes: string; readonly alone: number }[]
  readonly rare_scripts: readonly string[]
  readonly other_letters: string
  readonly latin_letters: string
  readonly disguised: string
  readonly full_width: string
  readonly punctuation: string
}

/** The lookalike characters. Parse them once. */
export function lookalikeCharacters(): Lookalikes {
  return JSON.parse(LOOKALIKES) as Lookalikes
}
