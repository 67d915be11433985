/** Whether somebody else speaks to a server from now on. */
export type HandedOver = { readonly kind: 'taken' } | NotTaken

/** Nobody does; `why`, where what stood in the way says more than the first refusal. */
export interface NotTaken {
  readonly kind: 'refused'
  readonly why: string | null
}

/** Tries to have somebody else speak to the server; `rest` gives what is to be said, the refused `initialize` first. */
export type HandOver = (rest: () => readonly Buffer[]) => Promise<HandedOver>

export const NOT_TAKEN: NotTaken = { kind: 'refused', why: null }
