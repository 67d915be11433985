/** What a command reads, as far as we can tell; unlike a part's, code with unknown pieces in it can still be read. */
export type Input =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly known: boolean }
  | { readonly kind: 'piped' }

export const NO_INPUT: Input = { kind: 'none' }

export const PIPED: Input = { kind: 'piped' }
