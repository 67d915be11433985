/** Every kind of effect a call can have; rules match them by these words. */
export const KINDS = ['read', 'write', 'delete', 'move', 'execute', 'fetch', 'query', 'send', 'other'] as const

/** What sort of effect a call has. */
export type Kind = (typeof KINDS)[number]

/** What a tool's registration declares about one of its calls. Only `kind` is required. */
export interface Description {
  readonly kind: Kind
  readonly command?: string
  /** Set if the command runs without a shell: exactly these words. */
  readonly argv?: readonly string[]
  readonly paths?: readonly string[]
  readonly sql?: string
  readonly url?: string
}

/** What a call does, in terms that policies share for all tools. */
export interface Descriptor extends Description {
  /** Every URL among the arguments, if there are several; `url` is the first. */
  readonly urls?: readonly string[]
  /** The folder that an argument sets for a command, relative to the call's own. One of `paths` too. */
  readonly cwd?: string
  /** Where the description comes from: the tool's registration, the table of host tools, a person's own row, a careful guess, or nobody. */
  readonly source: 'declared' | 'known' | 'own' | 'guessed' | 'nobody'
}
