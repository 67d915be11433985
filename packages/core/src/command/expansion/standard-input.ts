/** The standard input of a command, as far as known; unlike a part's, it may be code with unknown pieces. */
export type Input =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly known: boolean }
  | { readonly kind: 'piped' }

export const NO_INPUT: Input = { kind: 'none' }

export const PIPED: Input = { kind: 'piped' }
