/** Every kind of effect a call can have; rules match them by these words. */
export const KINDS = ['read', 'write', 'delete', 'move', 'execute', 'fetch', 'query', 'send', 'other'] as const

/** What sort of effect a call has. */
export type Kind = (typeof KINDS)[number]

/** What a call does, in words every policy understands whatever the tool is called. */
export interface Descriptor {
  readonly kind: Kind
  readonly command?: string
  /** Set when the command is run without a shell: exactly these words. */
  readonly argv?: readonly string[]
  readonly paths?: readonly string[]
  readonly sql?: string
  readonly url?: string
  /** Every URL the arguments name, when there is more than one; `url` is the first. */
  readonly urls?: readonly string[]
  /** The folder a command runs in when an argument names one: relative to the call's own. It is among `paths` too. */
  readonly cwd?: string
  /** Who said so: the tool's registration, the table of known tools, a careful guess, or nobody. */
  readonly source: 'declared' | 'known' | 'guessed' | 'nobody'
}
